import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HEAD_BYTES } from '../../../lib/formats/reader.ts';
import { propertyRuns } from '../../support/depth.ts';
import {
  CLASHING,
  CUT_OFF,
  EASY,
  MIXED_FILE,
  MIXED_OPTIONS,
  SOLUTION,
  TWO_SOLUTIONS,
  UNSOLVABLE,
} from '../../support/puzzles.ts';
import { runText, solveText, untimed } from '../../support/run-job.ts';

const EMPTY_4X4 = '................';

describe('a file', () => {
  const rows = [
    { name: 'of 0 bytes', text: '', total: 0, solutions: '' },
    { name: 'of comments and blank lines', text: '# nothing\n\n  \n# here\n', total: 0, solutions: '' },
    { name: 'of one puzzle', text: `${EASY}\n`, total: 1, solutions: `${SOLUTION}\n` },
    { name: 'of one puzzle without a final line end', text: EASY, total: 1, solutions: `${SOLUTION}\n` },
    {
      name: 'of valid and invalid puzzles',
      text: [EASY, CLASHING, EASY, UNSOLVABLE, CUT_OFF, EASY, ''].join('\n'),
      total: 6,
      solutions: [
        SOLUTION,
        '# puzzle 2 (line 2): invalid: 1 occurs twice in row 1 (r1c1, r1c2); 1 occurs twice in box 1 (r1c1, r1c2)',
        SOLUTION,
        '# puzzle 4 (line 4): unsolvable: it has no solution',
        expect.stringMatching(/^# puzzle 5 \(line 5\): unreadable: \S.*60/),
        SOLUTION,
        '',
      ],
    },
  ];
  for (const { name, text, total, solutions } of rows) {
    it(`${name} has its solutions in input order`, async () => {
      const solved = await solveText(text);
      expect(solved.stats.puzzles.total).toBe(total);
      const found = typeof solutions === 'string' ? solved.solutions : solved.solutions.split('\n');
      expect(found).toEqual(solutions);
    });
  }

  it('has only puzzles with exactly one solution if strict', async () => {
    const { solutions, stats, exceptions } = await solveText(MIXED_FILE, {
      ...MIXED_OPTIONS,
      strict: 'true',
    });
    expect(solutions).toBe(`${SOLUTION}\n${SOLUTION}\n`);
    expect(stats.puzzles.total).toBe(7);
    expect(exceptions).toHaveLength(5);
  });

  it('has its files in the order of the manifest, with their bytes and checksums', async () => {
    const outcome = await runText(MIXED_FILE, { records: 'true' });
    expect(outcome).toMatchObject({
      files: [
        { name: 'solutions.txt' },
        { name: 'exceptions.jsonl' },
        { name: 'records.jsonl' },
        { name: 'stats.json' },
        { name: 'report.html' },
      ],
    });
  });

  it('may be gzip data under any name, with the results of the plain data', async () => {
    const plain = await solveText(MIXED_FILE, MIXED_OPTIONS);
    const packed = await solveText(gzipSync(MIXED_FILE), MIXED_OPTIONS);
    expect(untimed(packed.files)).toEqual(untimed(plain.files));
  });

  it('with a puzzle that the engine does not support has all others solved', async () => {
    const file = `${EASY}\n\n${EMPTY_4X4}\n\n${EASY}\n`;
    const { exceptions, stats } = await solveText(file, { engine: 'bitboard' });
    expect(stats.puzzles).toMatchObject({ total: 3, solved: 2, unreadable: 1 });
    expect(exceptions).toEqual([
      expect.objectContaining({
        index: 2,
        status: 'unreadable',
        error: expect.objectContaining({ code: 'unsupported_variant', line: 3 }),
      }),
    ]);
    expect(exceptions[0]!.error!.message).toMatch(/^engine bitboard does not support this puzzle/);
  });

  it.each([
    ['blank', '\n'.repeat(HEAD_BYTES + 10)],
    ['comments', '# nothing\r\n\n'.repeat(HEAD_BYTES / 8)],
    ['comments', `; ${'x'.repeat(2 * HEAD_BYTES)}`],
    ['header', `puzzle,solution\n${'\n'.repeat(HEAD_BYTES)}`],
  ])('of over 1 MiB without a puzzle says why: %s', async (reason, text) => {
    expect((await solveText(text)).stats.noPuzzles).toBe(reason);
  });
});

describe('the results of a file', () => {
  const file = new TextEncoder().encode(
    `${MIXED_FILE}\r\n${EMPTY_4X4}\r\n# ünïcödé\n${TWO_SOLUTIONS} a label\n${EASY}`,
  );
  const whole = solveText(file, { ...MIXED_OPTIONS, records: 'true' });
  const cuts = fc
    .uniqueArray(fc.integer({ min: 0, max: file.length }), { maxLength: 40 })
    .map((offsets) => offsets.sort((a, b) => a - b));
  const records = (jsonl: string) => jsonl.replace(/"solveUs":[\d.]+/g, '');

  it('do not depend on the bounds of the arrays that it is read in', async () => {
    const expected = await whole;
    await fc.assert(
      fc.asyncProperty(cuts, async (offsets) => {
        const cut = await solveText(file, { ...MIXED_OPTIONS, records: 'true' }, { cuts: offsets });
        expect(untimed(cut.files)).toEqual(untimed(expected.files));
        expect(records(cut.files['records.jsonl']!)).toBe(records(expected.files['records.jsonl']!));
        expect(cut.stats.search).toEqual(expected.stats.search);
      }),
      { numRuns: propertyRuns(30) },
    );
  });

  it('are the same if it is read byte by byte', async () => {
    const each = Array.from({ length: file.length - 1 }, (_, k) => k + 1);
    const cut = await solveText(file, { ...MIXED_OPTIONS, records: 'true' }, { cuts: each });
    expect(untimed(cut.files)).toEqual(untimed((await whole).files));
  });

  it('do not depend on these bounds after the head that decides the format', async () => {
    // Comments make the file long with few puzzles.
    const piece = `${MIXED_FILE}# ${'.'.repeat(20_000)}\n`;
    const large = new TextEncoder().encode(piece.repeat(Math.ceil((HEAD_BYTES * 1.1) / piece.length)));
    const every = (step: number) =>
      Array.from({ length: Math.floor((large.length - 1) / step) }, (_, k) => (k + 1) * step);
    const expected = untimed((await solveText(large, MIXED_OPTIONS)).files);
    for (const offsets of [
      [HEAD_BYTES - 1],
      [HEAD_BYTES],
      [HEAD_BYTES + 1, HEAD_BYTES + 2, HEAD_BYTES + 3],
      every(65_536),
      every(7_919),
    ]) {
      const cut = await solveText(large, MIXED_OPTIONS, { cuts: offsets });
      expect(untimed(cut.files)['solutions.txt'] === expected['solutions.txt'], `${offsets[0]}`).toBe(true);
      expect(untimed(cut.files)['exceptions.jsonl'] === expected['exceptions.jsonl'], `${offsets[0]}`).toBe(
        true,
      );
    }
  });

  it('do not depend on these bounds if it is compressed', async () => {
    const packed = gzipSync(file);
    const expected = await whole;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: packed.length - 1 }), async (offset) => {
        const cut = await solveText(packed, { ...MIXED_OPTIONS, records: 'true' }, { cuts: [offset] });
        expect(untimed(cut.files)).toEqual(untimed(expected.files));
      }),
      { numRuns: propertyRuns(10) },
    );
  });
});

describe('the requested number of solutions', () => {
  const rows = [
    { ask: '1', status: 'solved', solutions: 1, exact: false, written: 1 },
    { ask: '2', status: 'multiple', solutions: 2, exact: false, written: 1 },
    { ask: '3', status: 'multiple', solutions: 2, exact: true, written: 2 },
    { ask: 'all', status: 'multiple', solutions: 2, exact: true, written: 2 },
  ] as const;
  for (const { ask, status, solutions, exact, written } of rows) {
    it(`${ask}: a puzzle with two is ${status}`, async () => {
      const solved = await solveText(TWO_SOLUTIONS, { solutions: ask, records: 'true' });
      expect(solved.records).toEqual([expect.objectContaining({ status, solutions, exact })]);
      expect(solved.solutions.split('\n').filter((line) => /^\d{81}$/.test(line))).toHaveLength(written);
    });
  }

  it('all: an empty 4x4 has 288 different ones, each under its heading', async () => {
    const { solutions, exceptions } = await solveText(EMPTY_4X4, { solutions: 'all' });
    const lines = solutions.trimEnd().split('\n');
    const headings = lines.filter((line) => line.startsWith('#'));
    const grids = lines.filter((line) => !line.startsWith('#'));
    expect(headings).toEqual(Array.from({ length: 288 }, (_, k) => `# puzzle 1, solution ${k + 1}`));
    expect(new Set(grids).size).toBe(288);
    expect(exceptions).toEqual([
      expect.objectContaining({ status: 'multiple', solutions: 288, exact: true }),
    ]);
  });

  it('100: an empty 4x4 has 100 or more', async () => {
    const { solutions, exceptions } = await solveText(EMPTY_4X4, { solutions: '100' });
    expect(solutions.split('\n').filter((line) => line.startsWith('# puzzle'))).toHaveLength(100);
    expect(exceptions).toEqual([expect.objectContaining({ solutions: 100, exact: false })]);
  });

  it('all, counted only: the count replaces the solutions, and is in the exceptions', async () => {
    const { solutions, exceptions } = await solveText(EMPTY_4X4, { solutions: 'all' }, { countOnly: true });
    expect(solutions).toBe('# puzzle 1 (line 1): 288 solutions\n');
    expect(exceptions).toEqual([expect.objectContaining({ solutions: 288, exact: true })]);
  });

  it('all: puzzles keep their order among the solutions of their neighbours', async () => {
    const { solutions } = await solveText(`${TWO_SOLUTIONS}\n${UNSOLVABLE}\n${CLASHING}\n${EASY}\n`, {
      solutions: 'all',
    });
    expect(solutions.split('\n').map((line) => line.replace(/ \(line.*/, ''))).toEqual([
      '# puzzle 1, solution 1',
      expect.stringMatching(/^\d{81}$/),
      '# puzzle 1, solution 2',
      expect.stringMatching(/^\d{81}$/),
      '# puzzle 2',
      '# puzzle 3',
      '# puzzle 4, solution 1',
      SOLUTION,
      '',
    ]);
  });
});
