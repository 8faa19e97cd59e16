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

const summary = (name: string, stats: JobStats) => summaryLines(name, stats, FACTS);

/** The statistics that a summary shows. */
function stats(puzzles: Partial<JobStats['puzzles']>, workers = 1): JobStats {
  const solveUs = { p50: 8.25, p95: 120, p99: 1500, max: 2_500_000 };
  return {
    puzzles: { ...NONE, ...puzzles },
    timing: { wallMs: 1234, solveMs: 1100, puzzlesPerSecond: 40_000, solveUs },
    engine: { name: 'dlx', version: 1, workers },
    search: { nodes: 0, guesses: 0, withoutGuess: 0, maxBytes: 0 },
  } as JobStats;
}

describe('a summary', () => {
  test('shows the counts above zero, the rate and the times', () => {
    expect(summary('a.txt', stats({ total: 1200, solved: 1199, limit: 1 }))).toEqual([
      'a.txt: 1,200 puzzles: 1,199 solved, 1 limit',
      '  40,000 puzzles/s in 1.23 s (dlx, 1 worker)',
      '  solve time p50 8.3 µs, p95 120 µs, p99 1.5 ms, max 2.50 s',
    ]);
  });

  test('shows what the columns of a table hold', () => {
    const columns = { puzzle: 'initial', solution: 'final', regions: 'column 4', rules: ['variant'] };
    expect(summary('a', { ...stats({ total: 1, solved: 1 }), columns }).slice(3)).toEqual([
      '  columns: puzzle = initial, solution = final, regions = column 4, rule = variant',
    ]);
  });

  test('shows comment lines and unused columns', () => {
    const lines = (commentLines: number, unusedColumns?: string[]) =>
      summary('a', { ...stats({ total: 1, solved: 1 }), commentLines, unusedColumns }).slice(3);
    expect(lines(0)).toEqual([]);
    expect(lines(1)).toEqual(['  1 comment line']);
    expect(lines(1200, ['a', 'b'])).toEqual(['  1,200 comment lines', '  unused columns: a, b']);
    expect(lines(0, Array(25).fill('c'))[0]).toBe(
      `  unused columns: ${Array(20).fill('c').join(', ')} and 5 more`,
    );
  });

  test('shows the memory of a search that took 1 MiB or more', () => {
    const lines = (maxBytes: number) => {
      const found = stats({ total: 1, solved: 1 });
      return summary('a', { ...found, search: { ...found.search, maxBytes } }).slice(3);
    };
    expect(lines(2 ** 20 - 1)).toEqual([]);
    expect(lines(2 ** 20)).toEqual(['  memory of one search: 1,048,576 bytes at most']);
  });

  test.each([
    ['one puzzle', { total: 1, solved: 1 }, 1, 0, 'a: 1 puzzle: 1 solved'],
    ['eleven puzzles', { total: 11, solved: 11 }, 1, 0, 'a: 11 puzzles: 11 solved'],
    ['no puzzles', {}, 1, 0, 'a: no puzzles'],
    ['several workers', { total: 1, solved: 1 }, 4, 1, '  40,000 puzzles/s in 1.23 s (dlx, 4 workers)'],
  ])('of %s has the right plural', (_name, puzzles, workers, line, expected) => {
    expect(summary('a', stats(puzzles, workers))[line]).toBe(expected);
  });

  test.each([
    ['a second of solving', { wallMs: 1000, solveMs: 1000 }, '  40,000 puzzles/s in 1.00 s (dlx, 1 worker)'],
    ['less than a second', { wallMs: 999 }, '  999 ms (dlx, 1 worker)'],
    ['less than a second of solving', { wallMs: 3000, solveMs: 999 }, '  3.00 s (dlx, 1 worker)'],
  ])('shows the rate only after a second of solving: %s', (_name, times, expected) => {
    const { timing, ...rest } = stats({ total: 1, solved: 1 });
    expect(summary('a', { ...rest, timing: { ...timing, ...times } })[1]).toBe(expected);
  });

  test.each([
    [1, 'a: 3 puzzles: 3 solved; 1 expected result differs'],
    [2, 'a: 3 puzzles: 3 solved; 2 expected results differ'],
  ])('counts unexpected results: %i', (unexpectedResults, expected) => {
    const found = { ...stats({ total: 3, solved: 3 }), unexpectedResults };
    expect(summary('a', found)[0]).toBe(expected);
  });

  test('says why there are no puzzles', () => {
    const empty = { ...stats({}), noPuzzles: 'comments' as const };
    expect(summary('a', empty)).toEqual(['a: no puzzles: the file has only comments']);
  });

  test('of a file without solved puzzles has no times', () => {
    const { timing, ...rest } = stats({ total: 1, unreadable: 1 });
    const untimed = { ...rest, timing: { ...timing, solveUs: undefined } };
    expect(summary('a', untimed)).toEqual(['a: 1 puzzle: 1 unreadable']);
  });

  test.each<[string, number, Partial<JobRequestFacts>, string[]]>([
    ['one', 1, {}, ['1 has more than one solution: the first is written; --strict leaves it out']],
    ['twelve', 12, {}, ['12 have more than one solution: the first is written; --strict leaves them out']],
    ['with --strict', 12, { strict: true }, ['12 have more than one solution: --strict leaves them out']],
    ['if several were requested', 12, { several: true }, []],
    ['none', 0, {}, []],
  ])(
    'says that puzzles have more than one solution, and where the list is: %s',
    (_name, multiple, facts, expected) => {
      const lines = summaryLines('a', stats({ total: 20, solved: 20 - multiple, multiple }), {
        ...FACTS,
        ...facts,
      });
      expect(lines.filter((line) => / ha(s|ve) /.test(line))).toEqual(
        expected.map((line) => `  ${line}; listed in out/a/exceptions.jsonl`),
      );
    },
  );

  test('says that problems of exact cover have more than one solution: --strict writes the first', () => {
    const exactCover = { ...COVER, solutions: 2 };
    const [, line] = summaryLines(
      'a',
      { ...stats({ total: 1, multiple: 1 }), exactCover },
      { ...FACTS, strict: true },
    );
    expect(line).toBe(
      '  1 has more than one solution: the first is written; listed in out/a/exceptions.jsonl',
    );
  });

  test('says that solutions are not written', () => {
    const found = { ...stats({ total: 3, multiple: 3 }), cutResults: 2 };
    expect(summaryLines('a', found, { ...FACTS, several: true })[1]).toBe(
      '  2 have more solutions than --max-written allows: the others are not written; listed in out/a/exceptions.jsonl',
    );
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
