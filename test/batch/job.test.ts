import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InlineSolver } from '../../lib/batch/block-solver.ts';
import { CorruptInputError } from '../../lib/batch/ports.ts';
import { HEAD_BYTES } from '../../lib/formats/reader.ts';
import type { Engine } from '../../lib/sudoku/engine.ts';
import { FakeClock, jobMachinery, optionsFrom } from '../support/machinery.ts';
import {
  CLASHING,
  CUT_OFF,
  EASY,
  HARD,
  MIXED_FILE,
  MIXED_OPTIONS,
  SOLUTION,
  TWO_SOLUTIONS,
  UNSOLVABLE,
} from '../support/puzzles.ts';
import { MemoryFiles, pieces, runText, solveText } from '../support/run-job.ts';

const EMPTY_4X4 = '................';

/** All files of a result set but the timed ones. */
function untimed({
  'report.html': _report,
  'stats.json': _stats,
  'records.jsonl': _records,
  ...rest
}: Readonly<Record<string, string>>) {
  return rest;
}

describe('a file', () => {
  const rows = [
    { name: 'without a byte', text: '', total: 0, solutions: '' },
    { name: 'of comments and blank lines', text: '# nothing\n\n  \n# here\n', total: 0, solutions: '' },
    { name: 'of one puzzle', text: `${EASY}\n`, total: 1, solutions: `${SOLUTION}\n` },
    { name: 'of one puzzle without a last line end', text: EASY, total: 1, solutions: `${SOLUTION}\n` },
    {
      name: 'of good puzzles and bad ones',
      text: [EASY, CLASHING, EASY, UNSOLVABLE, CUT_OFF, EASY, ''].join('\n'),
      total: 6,
      solutions: [
        SOLUTION,
        '# puzzle 2 (line 2): invalid: 1 stands twice in row 1 (r1c1, r1c2); 1 stands twice in box 1 (r1c1, r1c2)',
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

  it('leaves out what has no solution where it is asked to be strict', async () => {
    const { solutions, stats, exceptions } = await solveText(MIXED_FILE, {
      ...MIXED_OPTIONS,
      strict: 'true',
    });
    expect(solutions).toBe(`${SOLUTION}\n${SOLUTION}\n${SOLUTION}\n`);
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

  it('may be gzip data of any name, and gives the same as the plain one', async () => {
    const plain = await solveText(MIXED_FILE, MIXED_OPTIONS);
    const packed = await solveText(gzipSync(MIXED_FILE), MIXED_OPTIONS);
    expect(untimed(packed.files)).toEqual(untimed(plain.files));
  });

  it('with a puzzle that the engine does not take costs only that puzzle', async () => {
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
    expect(exceptions[0]!.error!.message).toMatch(/^engine bitboard does not take this puzzle/);
  });
});

describe('the bytes of a file', () => {
  const file = new TextEncoder().encode(
    `${MIXED_FILE}\r\n${EMPTY_4X4}\r\n# ünïcödé\n${TWO_SOLUTIONS} a label\n${EASY}`,
  );
  const whole = solveText(file, { ...MIXED_OPTIONS, records: 'true' });
  const cuts = fc
    .uniqueArray(fc.integer({ min: 0, max: file.length }), { maxLength: 40 })
    .map((offsets) => offsets.sort((a, b) => a - b));
  const records = (jsonl: string) => jsonl.replace(/"solveUs":[\d.]+/g, '');

  it('give the same result set however they are cut', async () => {
    const expected = await whole;
    await fc.assert(
      fc.asyncProperty(cuts, async (offsets) => {
        const cut = await solveText(file, { ...MIXED_OPTIONS, records: 'true' }, { cuts: offsets });
        expect(untimed(cut.files)).toEqual(untimed(expected.files));
        expect(records(cut.files['records.jsonl']!)).toBe(records(expected.files['records.jsonl']!));
        expect(cut.stats.search).toEqual(expected.stats.search);
      }),
      { numRuns: 60 },
    );
  });

  it('give the same result set when they come one by one', async () => {
    const each = Array.from({ length: file.length - 1 }, (_, k) => k + 1);
    const cut = await solveText(file, { ...MIXED_OPTIONS, records: 'true' }, { cuts: each });
    expect(untimed(cut.files)).toEqual(untimed((await whole).files));
  });

  it('give the same result set however they are cut behind the head from which the format is decided', async () => {
    // Comments make it long, so that few puzzles do.
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

  it('give the same result set when they are packed and cut', async () => {
    const packed = gzipSync(file);
    const expected = await whole;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: packed.length - 1 }), async (offset) => {
        const cut = await solveText(packed, { ...MIXED_OPTIONS, records: 'true' }, { cuts: [offset] });
        expect(untimed(cut.files)).toEqual(untimed(expected.files));
      }),
      { numRuns: 20 },
    );
  });
});

describe('the number of solutions asked for', () => {
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

  it('all: an empty 4x4 has 288, each under its heading, no two alike', async () => {
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

  it('100: an empty 4x4 has that many, and more may exist', async () => {
    const { solutions, exceptions } = await solveText(EMPTY_4X4, { solutions: '100' });
    expect(solutions.split('\n').filter((line) => line.startsWith('# puzzle'))).toHaveLength(100);
    expect(exceptions).toEqual([expect.objectContaining({ solutions: 100, exact: false })]);
  });

  it('all, counted only: none is written, and the count stands in its place and in the exceptions', async () => {
    const { solutions, exceptions } = await solveText(EMPTY_4X4, { solutions: 'all' }, { countOnly: true });
    expect(solutions).toBe('# puzzle 1 (line 1): 288 solutions\n');
    expect(exceptions).toEqual([expect.objectContaining({ solutions: 288, exact: true })]);
  });

  it('all: puzzles keep their places among the solutions of their neighbours', async () => {
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

describe('the budget in nodes', () => {
  it('that is used up means that nothing is known, never that there is no solution', async () => {
    for (let maxNodes = 1; maxNodes <= 30; maxNodes++) {
      const { records } = await solveText(HARD, { 'max-nodes': String(maxNodes), records: 'true' });
      const [{ status, nodes }] = records as [(typeof records)[number]];
      expect(['limit', 'solved'], `${maxNodes} nodes`).toContain(status);
      expect(nodes, `${maxNodes} nodes`).toBeLessThanOrEqual(maxNodes);
    }
  });

  it('says how far it went', async () => {
    const { solutions, exceptions } = await solveText(HARD, { 'max-nodes': '5' });
    const message = 'the search budget was used up after 5 nodes: whether it has a solution is not known';
    expect(exceptions).toEqual([
      expect.objectContaining({
        status: 'limit',
        solutions: 0,
        exact: false,
        error: { code: 'limit', message },
      }),
    ]);
    expect(solutions).toBe(`# puzzle 1 (line 1): limit: ${message}\n`);
  });

  it('that ends after a first solution says so, and does not call it the only one', async () => {
    const { records } = await solveText(EMPTY_4X4, { 'max-nodes': '8', records: 'true', solutions: '2' });
    const [record] = records;
    expect(record!.status === 'limit' ? record!.error!.message : record!.status).toMatch(
      /one solution is known|multiple/,
    );
  });
});

describe('the budget in time', () => {
  const slow = { engine: 'backtrack' };

  it('ends the search of a puzzle, and the others go on', async () => {
    const machinery = { clock: new FakeClock(10) };
    const { records } = await solveText(
      `${HARD}\n${SOLUTION}\n`,
      { ...slow, records: 'true' },
      { machinery, maxMs: 15 },
    );
    expect(records.map(({ status }) => status)).toEqual(['limit', 'solved']);
  });

  it('that is not used up changes nothing', async () => {
    const options = { ...slow, records: 'true' };
    const timed = await solveText(HARD, options, { machinery: { clock: new FakeClock(1) }, maxMs: 1e6 });
    const free = await solveText(HARD, options, { machinery: { clock: new FakeClock(1) } });
    expect({ ...timed.records[0], solveUs: 0 }).toEqual({ ...free.records[0], solveUs: 0 });
  });

  it('ends an enumeration too', async () => {
    const machinery = { clock: new FakeClock(10) };
    const { exceptions } = await solveText(EMPTY_4X4, { solutions: 'all' }, { machinery, maxMs: 100 });
    expect(exceptions).toEqual([expect.objectContaining({ status: 'multiple', exact: false })]);
  });
});

describe('a job that ends early', () => {
  const ends = async (...[text, options, request]: Parameters<typeof runText>) => {
    const files = new MemoryFiles();
    const outcome = await runText(text, options, { ...request, files }).catch((error: Error) => error);
    return { outcome, files };
  };

  it('at its deadline is rejected as too large, and leaves no file', async () => {
    const { outcome, files } = await ends(MIXED_FILE, {}, { deadlineMs: 0 });
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'too_large' } });
    expect(files.closed).toEqual({});
    expect(files.underWay.size).toBe(0);
  });

  it('at its deadline stops between two puzzles of a block', async () => {
    const clock = new FakeClock(10);
    const file = `${EASY}\n`.repeat(300);
    const { outcome } = await ends(file, {}, { deadlineMs: 500, machinery: { clock } });
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'too_large' } });
    expect(clock.nowMs).toBeLessThan(600);
  });

  it('at its deadline in mid-puzzle is rejected as too large', async () => {
    const clock = new FakeClock(10);
    const options = { engine: 'backtrack' };
    const { outcome } = await ends(HARD, options, { deadlineMs: 150, machinery: { clock } });
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'too_large' } });
  });

  it('at its deadline in an enumeration is rejected as too large', async () => {
    const clock = new FakeClock(10);
    const { outcome } = await ends(
      EMPTY_4X4,
      { solutions: 'all' },
      { deadlineMs: 500, machinery: { clock } },
    );
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'too_large' } });
  });

  it('at its deadline is rejected though no puzzle comes to an engine', async () => {
    const clock = new FakeClock(10);
    const file = `${EASY}\n${`${CLASHING}\n`.repeat(2_000)}`;
    const { outcome } = await ends(file, {}, { deadlineMs: 100, machinery: { clock } });
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'too_large' } });
  });

  it('for a reason of its caller is rejected with that', async () => {
    const error = { code: 'too_large', message: 'enough' } as const;
    const { outcome, files } = await ends(MIXED_FILE, {}, { stopReason: () => error });
    expect(outcome).toEqual({ kind: 'rejected', error });
    expect(files.closed).toEqual({});
  });

  it('tells its caller after each block how far it came', async () => {
    const told: number[] = [];
    const file = `${EASY}\n`.repeat(1_100);
    const stopReason = ({ puzzles }: { puzzles: number }) => {
      told.push(puzzles);
      return undefined;
    };
    await solveText(file, {}, { stopReason });
    expect(told).toEqual([512, 1_024, 1_100]);
  });

  it('since its input breaks off throws what broke it, and leaves no file', async () => {
    async function* breaking() {
      yield* pieces(new TextEncoder().encode(`${EASY}\n`.repeat(20_000)));
      throw new Error('connection reset');
    }
    const { outcome, files } = await ends('', {}, { input: breaking() });
    expect(outcome).toMatchObject({ message: 'connection reset' });
    expect(files.closed).toEqual({});
    expect(files.underWay.size).toBe(0);
  });

  it('since its input is damaged is rejected', async () => {
    async function* damaged(): AsyncIterable<Uint8Array> {
      yield new TextEncoder().encode(EASY);
      throw new CorruptInputError('bad blocks');
    }
    const { outcome } = await ends('', {}, { input: damaged() });
    expect(outcome).toEqual({ kind: 'rejected', error: { code: 'corrupt', message: 'bad blocks' } });
  });

  it('since a file cannot be written throws, and gives up the others', async () => {
    const files = new MemoryFiles();
    const open = files.open.bind(files);
    files.open = (name) => {
      const writer = open(name);
      if (name === 'exceptions.jsonl') writer.close = () => Promise.reject(new Error('no space left'));
      return writer;
    };
    await expect(runText(MIXED_FILE, {}, { files })).rejects.toThrow('no space left');
    expect([...files.aborted]).toContain('exceptions.jsonl');
    expect(files.underWay.size).toBe(0);
  });

  it('since an engine is wrong throws, and writes none of it', async () => {
    const machinery = jobMachinery(optionsFrom());
    const engine: Engine = {
      name: 'dlx',
      version: 1,
      refuses: () => undefined,
      resume: () => {},
      solve(puzzles, from, to, limits, answers) {
        machinery.engine.solve(puzzles, from, to, limits, answers);
        answers.cells[80] = (answers.cells[80]! % 9) + 1;
      },
    };
    const solver = new InlineSolver(engine, machinery.clock);
    const { outcome, files } = await ends(EASY, {}, { machinery: { engine, solver } });
    expect(outcome).toMatchObject({ message: expect.stringMatching(/^engine dlx gave a wrong solution/) });
    expect(files.closed).toEqual({});
  });

  it('closes its input', async () => {
    let closed = false;
    async function* endless(): AsyncIterable<Uint8Array> {
      try {
        for (;;) yield new TextEncoder().encode(`${EASY}\n`.repeat(100));
      } finally {
        closed = true;
      }
    }
    await ends('', {}, { input: endless(), deadlineMs: 0 });
    expect(closed).toBe(true);
  });
});
