import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JobEvent, JobProgress } from '../../../lib/batch/job/job-run.ts';
import { summaryLines } from '../../../lib/cli/terminal/summary.ts';
import { choices, dominoes } from '../../exact-cover/board-problems.ts';
import { langford, queens } from '../../exact-cover/classic-problems.ts';
import { knuthText } from '../../formats/exact-cover/problem-files.ts';
import { FakeClock } from '../../support/dependencies.ts';
import { propertyRuns } from '../../support/depth.ts';
import { MemoryFiles, runText, solveText, untimed } from '../../support/run-job.ts';

/** The example in Knuth's program DLX2; it has one solution. */
const COLOURED = `| A simple example of color controls
A B C | X Y
A B X:0 Y:0
A C X:1 Y:1
X:0 Y:1
B X:1
C Y:1
`;
const TWO = 'A B\nA\nB\nA B\n';
const NONE = 'A B C\nA B\nB C\n';
/** A problem of each kind, as matrices: one solution, two, none, an error, the empty set of options. */
const MIXED = '2\n0\n1\n\n2\n0\n1\n0 1\n\n2\n0\n\n2\n7\n\n1 1\n0\n';

describe('an exact-cover file', () => {
  const rows: Array<[name: string, text: string, options: Record<string, string>, solutions: string]> = [
    ['with one solution', COLOURED, {}, 'A C X:1 Y:1\nB X:1\n'],
    ['with two has the first one', TWO, {}, 'A\nB\n'],
    ['with none', NONE, {}, '# puzzle 1 (line 1): unsolvable: it has no solution\n'],
    ['without options', 'A B\n', { format: 'dlx' }, '# puzzle 1 (line 1): unsolvable: it has no solution\n'],
    [
      'with an error',
      `${COLOURED}D\n`,
      {},
      '# puzzle 1 (line 2): unreadable: line 8, column 1: found "D", an unknown item: expected an item of the first line\n',
    ],
    [
      'of several matrices',
      MIXED,
      { format: 'sparse' },
      [
        '0\n1\n',
        '0\n1\n',
        '# puzzle 3 (line 10): unsolvable: it has no solution\n',
        '# puzzle 4 (line 13): unreadable: line 14, column 1: found "7": expected an item from 0 to 1\n',
        '# puzzle 5 (line 16): solved: the empty set of options\n',
      ].join('\n'),
    ],
    [
      'of several matrices, with strict',
      MIXED,
      { format: 'sparse', strict: 'true' },
      '0\n1\n\n0\n1\n\n# puzzle 5 (line 16): solved: the empty set of options\n',
    ],
    ['of comments only', '| nothing\n', { format: 'dlx' }, ''],
    ['with one solution requested', TWO, { solutions: '1' }, 'A\nB\n'],
    [
      'with all solutions requested',
      TWO,
      { solutions: 'all' },
      '# puzzle 1, solution 1\nA\nB\n\n# puzzle 1, solution 2\nA B\n',
    ],
    [
      'with all solutions requested, but there are none',
      NONE,
      { solutions: 'all' },
      '# puzzle 1 (line 1): unsolvable: it has no solution\n',
    ],
  ];
  it.each(rows)('%s', async (_name, text, options, expected) => {
    expect((await solveText(text, options)).solutions).toBe(expected);
  });

  it('has its statuses counted, and a record of each unsolved problem', async () => {
    const { stats, exceptions } = await solveText(MIXED, { format: 'sparse' });
    expect(stats.puzzles).toMatchObject({ total: 5, solved: 2, multiple: 1, unsolvable: 1, unreadable: 1 });
    expect(stats.bySize).toEqual({ 'exact cover': expect.objectContaining({ total: 4 }) });
    expect(exceptions).toEqual([
      expect.objectContaining({
        index: 2,
        line: 5,
        lineEnd: 8,
        status: 'multiple',
        solutions: 2,
        exact: false,
      }),
      expect.objectContaining({ index: 3, line: 10, status: 'unsolvable', solutions: 0, exact: true }),
      expect.objectContaining({
        index: 4,
        status: 'unreadable',
        error: expect.objectContaining({ code: 'unknown_item', line: 14, column: 1, found: '7' }),
      }),
    ]);
  });

  it('with all solutions requested has a record with their exact number', async () => {
    const { exceptions, stats } = await solveText(knuthText(queens(6)), { solutions: 'all' });
    expect(exceptions).toMatchObject([{ status: 'multiple', solutions: 4, exact: true, primaryItems: 12 }]);
    expect(stats.puzzles.multiple).toBe(1);
  });

  it('is enumerated up to the requested number, which is then not exact', async () => {
    const { exceptions, solutions } = await solveText(knuthText(queens(6)), { solutions: '3' });
    expect(exceptions).toMatchObject([{ status: 'multiple', solutions: 3, exact: false }]);
    expect(solutions.match(/^# puzzle 1, solution \d$/gm)).toHaveLength(3);
  });

  it('has a record if records are requested, with a warning for each ignored option', async () => {
    const { records } = await solveText(COLOURED, { records: 'true' });
    expect(records).toEqual([
      {
        index: 1,
        line: 2,
        lineEnd: 7,
        format: 'dlx',
        status: 'solved',
        primaryItems: 3,
        secondaryItems: 2,
        options: 4,
        ignoredOptions: 1,
        entries: 12,
        solution: ['A C X:1 Y:1', 'B X:1'],
        solutions: 1,
        exact: true,
        nodes: expect.any(Number),
        guesses: expect.any(Number),
        updates: expect.any(Number),
        solveUs: expect.any(Number),
        warnings: [expect.stringMatching(/^line 5: the option "X:0 Y:1" has no primary item/)],
      },
    ]);
  });

  it("has statistics over all problems in Knuth's terms", async () => {
    const { stats, records } = await solveText(MIXED, { format: 'sparse', records: 'true' });
    const updates = (records as readonly { updates?: number }[]).reduce(
      (sum, record) => sum + (record.updates ?? 0),
      0,
    );
    expect(stats.exactCover).toEqual({
      solutions: 4,
      options: 6,
      ignoredOptions: 1,
      primaryItems: 6,
      secondaryItems: 1,
      entries: 7,
      matrixNodes: 18,
      matrixBytes: expect.any(Number),
      updates,
      warnings: [
        expect.stringMatching(/^puzzle 5: line 17: the option "0" has no primary item/),
        'puzzle 5: line 16: the problem has items but no options',
      ],
    });
    expect(stats.search.nodes).toBe(records.reduce((sum, { nodes = 0 }) => sum + nodes, 0));
    expect(stats.engine).toMatchObject({ name: 'dlx', workers: 1 });
  });

  it('may be gzip data, and be detected by its name', async () => {
    const plain = await solveText('A B\n', {}, { fileName: 'inbox/a.dlx' });
    const packed = await solveText(gzipSync('A B\n'), {}, { fileName: 'inbox/a.dlx.gz' });
    expect(untimed(packed.files)).toEqual(untimed(plain.files));
    expect(plain.stats.puzzles.unsolvable).toBe(1);
  });

  it('gives results that do not depend on the bounds of the arrays that it is read in', async () => {
    const bytes = new TextEncoder().encode(MIXED);
    const whole = untimed((await solveText(bytes, { format: 'sparse' })).files);
    const cuts = fc
      .uniqueArray(fc.nat(bytes.length), { maxLength: 9 })
      .map((offsets) => offsets.sort((a, b) => a - b));
    await fc.assert(
      fc.asyncProperty(cuts, async (offsets) => {
        const { files } = await solveText(bytes, { format: 'sparse' }, { cuts: offsets });
        expect(untimed(files)).toEqual(whole);
      }),
      { numRuns: propertyRuns(15) },
    );
  });
});

describe('JSON lines', () => {
  const lines = async (text: string, options: Record<string, string>, countOnly = false) => {
    const { files } = await solveText(text, { ...options, output: 'jsonl' }, { countOnly });
    return files['solutions.jsonl']!.trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };

  it('are the record of each problem', async () => {
    expect(await lines(MIXED, { format: 'sparse' })).toMatchObject([
      { index: 1, status: 'solved', solution: ['0', '1'] },
      { index: 2, status: 'multiple', solution: ['0', '1'] },
      { index: 3, status: 'unsolvable' },
      { index: 4, status: 'unreadable', error: { code: 'unknown_item' } },
      { index: 5, status: 'solved', solution: [] },
    ]);
  });

  it('omit problems without a solution if strict', async () => {
    const found = await lines(MIXED, { format: 'sparse', strict: 'true' });
    expect(found.map(({ index }) => index)).toEqual([1, 2, 5]);
  });

  it('of an enumeration are one line for each solution, then the record', async () => {
    const found = await lines(TWO, { solutions: 'all' });
    expect(found).toEqual([
      { index: 1, ordinal: 1, line: 1, lineEnd: 4, format: 'dlx', solution: ['A', 'B'] },
      { index: 1, ordinal: 2, line: 1, lineEnd: 4, format: 'dlx', solution: ['A B'] },
      expect.objectContaining({ index: 1, status: 'multiple', solutions: 2, exact: true }),
    ]);
    expect(found[2]).not.toHaveProperty('solution');
  });

  it('of counted solutions are the record only', async () => {
    expect(await lines(TWO, { solutions: 'all' }, true)).toMatchObject([{ index: 1, solutions: 2 }]);
  });
});

describe('counting', () => {
  it('writes the number of solutions instead of them', async () => {
    const { solutions } = await solveText(knuthText(queens(6)), { solutions: 'all' }, { countOnly: true });
    expect(solutions).toBe('# puzzle 1 (line 1): 4 solutions\n');
  });

  it('is exact beyond 2^53, as digits in JSON, and reports its memory', async () => {
    const text = knuthText(choices(60));
    const options = { solutions: 'all', records: 'true' };
    const { solutions, exceptions, records, stats, files } = await solveText(text, options, {
      countOnly: true,
      report: true,
    });
    const count = '1152921504606846976';
    expect(solutions).toBe(`# puzzle 1 (line 1): ${count} solutions\n`);
    expect(exceptions).toMatchObject([{ status: 'multiple', solutions: count, exact: true }]);
    expect(exceptions[0]!.solution).toHaveLength(60);
    expect(records).toMatchObject([{ solutions: count }]);
    expect(stats.exactCover).toMatchObject({ solutions: count, countBytes: expect.any(Number) });
    const { matrixBytes, countBytes } = stats.exactCover!;
    expect(stats.search.maxBytes).toBe(matrixBytes + countBytes!);
    expect(summaryLines('a', stats, { several: true, strict: false, exceptions: '' }).at(-1)).toContain(
      'Altogether 1,152,921,504,606,846,976 solutions',
    );
    expect(files['report.html']).toContain('1,152,921,504,606,846,976');
  });

  it('gives the first solution of a search for all', async () => {
    const text = knuthText(dominoes(8, 8));
    const counted = await solveText(text, { solutions: 'all' }, { countOnly: true });
    const found = await solveText(text, { solutions: '3' });
    const guesses = counted.exceptions[0]!.guesses;
    const { updates } = counted.stats.exactCover!;
    expect(counted.exceptions).toMatchObject([{ solutions: 12_988_816, exact: true }]);
    // The ordinary search alone makes 5,027 guesses and 27,747 updates.
    expect(guesses).toBeGreaterThan(5500);
    expect(updates).toBeGreaterThan(30_000);
    expect(counted.exceptions[0]!.solution).toEqual(found.exceptions[0]!.solution);
  });

  it('stops at the budget with solutions that exist', async () => {
    const options = { solutions: 'all', 'max-nodes': '10900' };
    const { solutions, exceptions } = await solveText(knuthText(dominoes(8, 8)), options, {
      countOnly: true,
    });
    expect(exceptions).toMatchObject([{ status: 'multiple', exact: false, nodes: 10_900 }]);
    expect(solutions).toMatch(/^# puzzle 1 \(line 1\): \d+ or more solutions\n$/);
  });

  it('marks a number that may be too small', async () => {
    const { solutions } = await solveText(knuthText(queens(6)), { solutions: '3' }, { countOnly: true });
    expect(solutions).toBe('# puzzle 1 (line 1): 3 or more solutions\n');
  });
});

describe('budgets', () => {
  /** A problem without a solution whose search takes too long. */
  const hard = knuthText(langford(14));

  it('in nodes end a search with limit, the same in every run', async () => {
    const first = await solveText(hard, { 'max-nodes': '5' });
    const second = await solveText(
      hard,
      { 'max-nodes': '5' },
      { dependencies: { clock: new FakeClock(40) } },
    );
    expect(first.exceptions).toMatchObject([
      { status: 'limit', nodes: 5, exact: false, error: { code: 'limit' } },
    ]);
    expect(first.solutions).toMatch(/^# puzzle 1 \(line 1\): limit: the search budget ran out after 5 nodes/);
    expect(untimed(second.files)).toEqual(untimed(first.files));
  });

  it('in nodes that run out are reported with the size of the tree', async () => {
    const { solutions, exceptions } = await solveText(hard, { 'max-nodes': '30000' });
    const [{ error }] = exceptions;
    expect(error?.message).toMatch(
      /^the search budget ran out after 30000 nodes: undecided whether it has a solution; the whole tree has about \d.* \* 10\^\d \(.*\) nodes: raise --max-nodes, or make the problem smaller/,
    );
    expect(solutions).toContain(error?.message);
  });

  it('in nodes keep the solutions of an enumeration found so far', async () => {
    const { exceptions, solutions } = await solveText(knuthText(queens(8)), {
      'max-nodes': '100',
      solutions: 'all',
    });
    const [{ solutions: found, exact, status }] = exceptions;
    expect([status, exact]).toEqual(['multiple', false]);
    expect(found).toBeLessThan(92);
    expect(solutions.match(/^# puzzle/gm)).toHaveLength(Number(found));
  });

  it('in time end a search with limit', async () => {
    const { exceptions } = await solveText(
      hard,
      {},
      { maxMs: 1000, dependencies: { clock: new FakeClock(30) } },
    );
    expect(exceptions).toMatchObject([{ status: 'limit' }]);
  });

  it('of the whole job reject the file and remove its results', async () => {
    const files = new MemoryFiles();
    const clock = new FakeClock(30);
    const outcome = await runText(hard, {}, { deadlineMs: 500, files, dependencies: { clock } });
    expect(outcome).toMatchObject({ kind: 'rejected', error: { code: 'too_large' } });
    expect([...files.aborted].sort()).toEqual(['exceptions.jsonl', 'solutions.txt']);
    expect(files.closed).toEqual({});
  });

  it('of the caller stop a search: progress is reported during the search, and ends it', async () => {
    const reported: JobProgress[] = [];
    const end = { kind: 'rejected', error: { code: 'too_large', message: 'stop' } } as const;
    const onEvent = (event: JobEvent) => {
      if (event.kind === 'progress') reported.push(event);
      return reported.length < 5 ? undefined : end;
    };
    const outcome = await runText(hard, {}, { onEvent });
    expect(outcome).toEqual({ kind: 'rejected', error: { code: 'too_large', message: 'stop' } });
    expect(reported).toHaveLength(5);
    expect(reported[4]!.problem!.nodes).toBeGreaterThan(reported[0]!.problem!.nodes);
    expect(reported[4]!.puzzles).toBe(0);
  });
});

describe('options that do not apply to exact-cover files', () => {
  it.each([
    ['engine', 'bitboard'],
    ['engine', 'backtrack'],
    ['output', 'csv'],
    ['output', 'grid'],
    ['alphabet', '123456789'],
    ['variant', 'x'],
    ['box', '2x3'],
  ])('%s %s is an error with its name', async (option, value) => {
    const outcome = await runText(COLOURED, { [option]: value });
    expect(outcome).toMatchObject({
      kind: 'rejected',
      error: { code: 'bad_option', options: [{ option, found: value }] },
    });
  });
});
