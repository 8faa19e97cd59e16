import { describe, expect, test } from 'vitest';
import type { JobStats } from '../../../lib/batch/results/statistics.ts';
import { factsOf, type JobRequestFacts, summaryLines } from '../../../lib/cli/terminal/summary.ts';

const NONE = { total: 0, solved: 0, multiple: 0, unsolvable: 0, invalid: 0, unreadable: 0, limit: 0 };

const FACTS: JobRequestFacts = { several: false, strict: false, exceptions: 'out/a/exceptions.jsonl' };

const COVER: NonNullable<JobStats['exactCover']> = {
  solutions: 1,
  options: 1,
  ignoredOptions: 0,
  primaryItems: 1,
  secondaryItems: 0,
  entries: 1,
  updates: 1,
  matrixNodes: 1,
  matrixBytes: 1,
  warnings: [],
};

/** The statistics that a summary shows. */
function stats(puzzles: Partial<JobStats['puzzles']>): JobStats {
  const solveUs = { p50: 8.25, p95: 120, p99: 1500, max: 2_500_000 };
  return {
    puzzles: { ...NONE, ...puzzles },
    timing: { wallMs: 1234, solveMs: 1100, puzzlesPerSecond: 40_000, solveUs },
    engine: { name: 'dlx', version: 1, workers: 1 },
    search: { nodes: 0, guesses: 0, withoutGuess: 0, maxBytes: 0 },
  } as JobStats;
}

const ONE = stats({ total: 1, solved: 1 });
const timed = (times: Partial<JobStats['timing']>): JobStats => ({
  ...ONE,
  timing: { ...ONE.timing, ...times },
});
const several = (multiple: number) => stats({ total: 20, solved: 20 - multiple, multiple });

/** Lines of most summaries, which the snapshot leaves out. */
const USUAL = [
  '  40,000 puzzles/s in 1.23 s (dlx, 1 worker)',
  '  solve time p50 8.3 µs, p95 120 µs, p99 1.5 ms, max 2.50 s',
];

/** What was solved and found, and what was requested. */
const CASES: Readonly<Record<string, readonly [JobStats, Partial<JobRequestFacts>?]>> = {
  'the columns of a table': [
    {
      ...ONE,
      columns: { puzzle: 'initial', solution: 'final', regions: 'column 4', rules: ['variant'] },
    },
  ],
  'many unused columns': [{ ...ONE, unusedColumns: Array(25).fill('c') }],
  'less than 1 MiB in a search': [{ ...ONE, search: { ...ONE.search, maxBytes: 2 ** 20 - 1 } }],
  '1 MiB in a search': [{ ...ONE, search: { ...ONE.search, maxBytes: 2 ** 20 } }],
  'a second of solving': [timed({ wallMs: 1000, solveMs: 1000 })],
  'less than a second': [timed({ wallMs: 999 })],
  'less than a second of solving': [timed({ wallMs: 3000, solveMs: 999 })],
  'twelve with two solutions': [several(12)],
  'twelve, with --strict': [several(12), { strict: true }],
  'twelve, if several solutions were requested': [several(12), { several: true }],
  'an exact cover with two solutions, with --strict': [
    { ...stats({ total: 1, multiple: 1 }), exactCover: { ...COVER, solutions: 2 } },
    { strict: true },
  ],
  'more solutions than are written': [
    { ...stats({ total: 3, multiple: 3 }), cutResults: 2 },
    { several: true },
  ],
};

describe('a summary', () => {
  test('has what there is to say', () => {
    const printed = Object.entries(CASES).map(([name, [found, facts]]) =>
      [`-- ${name}`, ...summaryLines('a.txt', found, { ...FACTS, ...facts })]
        .filter((line) => !USUAL.includes(line))
        .join('\n'),
    );
    expect(printed.join('\n')).toMatchInlineSnapshot(`
      "-- the columns of a table
      a.txt: 1 puzzle: 1 solved
        columns: puzzle = initial, solution = final, regions = column 4, rule = variant
      -- many unused columns
      a.txt: 1 puzzle: 1 solved
        unused columns: c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c and 5 more
      -- less than 1 MiB in a search
      a.txt: 1 puzzle: 1 solved
      -- 1 MiB in a search
      a.txt: 1 puzzle: 1 solved
        memory of one search: 1,048,576 bytes at most
      -- a second of solving
      a.txt: 1 puzzle: 1 solved
        40,000 puzzles/s in 1.00 s (dlx, 1 worker)
      -- less than a second
      a.txt: 1 puzzle: 1 solved
        999 ms (dlx, 1 worker)
      -- less than a second of solving
      a.txt: 1 puzzle: 1 solved
        3.00 s (dlx, 1 worker)
      -- twelve with two solutions
      a.txt: 20 puzzles: 8 solved, 12 multiple
        12 have more than one solution: the first is written; --strict leaves them out; listed in out/a/exceptions.jsonl
      -- twelve, with --strict
      a.txt: 20 puzzles: 8 solved, 12 multiple
        12 have more than one solution: --strict leaves them out; listed in out/a/exceptions.jsonl
      -- twelve, if several solutions were requested
      a.txt: 20 puzzles: 8 solved, 12 multiple
      -- an exact cover with two solutions, with --strict
      a.txt: 1 puzzle: 1 multiple
        1 has more than one solution: the first is written; listed in out/a/exceptions.jsonl
        (1 option, 1+0 items, 1 entries read; a matrix of 1 nodes, 1 bytes)
        Altogether 2 solutions, 1 update, 0 search nodes
      -- more solutions than are written
      a.txt: 3 puzzles: 3 multiple
        2 have more solutions than --max-written allows: the others are not written; listed in out/a/exceptions.jsonl"
    `);
  });

  test.each<[string, object, object | undefined, boolean, boolean]>([
    ['two solutions', { solutions: 2, strict: false }, undefined, false, false],
    ['two solutions, strict', { solutions: 2, strict: true }, undefined, false, true],
    ['all solutions', { solutions: 'all' }, undefined, true, false],
    ['the two cheapest', { solutions: 2, 'two-cheapest': true }, { cost: 7 }, true, false],
    ['two solutions without costs', { solutions: 2, 'two-cheapest': true }, {}, false, false],
  ])('takes from the manifest what was requested: %s', (_name, options, exactCover, several, strict) => {
    const found = { ...stats({ total: 1 }), exactCover } as JobStats;
    expect(factsOf({ options: options as Record<string, unknown> }, found, 'x')).toEqual({
      several,
      strict,
      exceptions: 'x',
    });
  });
});
