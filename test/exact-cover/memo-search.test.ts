import { describe, expect, test } from 'vitest';
import { SearchStop } from '../../lib/exact-cover/dancing-links.ts';
import { MemoSearch } from '../../lib/exact-cover/memo-search.ts';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { choices, dominoes, latinSquare } from './board-problems.ts';
import { NO_LIMITS } from './brute-force.ts';
import { knuthExample, langford, queens } from './classic-problems.ts';
import { createProblem } from './create-problem.ts';
import { reducedDissections } from './known-problems.ts';

function counted(problem: ExactCoverProblem) {
  const memo = new MemoSearch(problem);
  expect(memo.run(NO_LIMITS)).toBe(SearchStop.exhausted);
  return memo;
}

/** A problem twice, the items in turns, so that a search would branch on both in turns. */
function twoBoards(board: ExactCoverProblem): ExactCoverProblem {
  const { primaryCount, optionCount, optionStart, items } = board;
  return {
    primaryCount: 2 * primaryCount,
    secondaryCount: 0,
    optionCount: 2 * optionCount,
    optionStart: Int32Array.from([...optionStart, ...optionStart.slice(1).map((at) => at + items.length)]),
    items: Int32Array.from([...items, ...items], (item, k) => 2 * item + (k < items.length ? 0 : 1)),
  };
}

/** Options that have one item each, and items of which a solution contains as many options. */
function repeated(items: number, options: number, least: number, most: number): ExactCoverProblem {
  return {
    ...createProblem({
      primaryCount: items,
      options: Array.from({ length: options }, (_, option) => [option % items]),
    }),
    multiplicities: { least: new Int32Array(items).fill(least), most: new Int32Array(items).fill(most) },
  };
}

describe('memoised counting', () => {
  test.each<[string, ExactCoverProblem, number | bigint, number]>([
    ['the small example of Knuth', knuthExample(), 1, 10],
    ['dominoes on 8x8', dominoes(8, 8), 12_988_816, 1500],
    ['dominoes on 8x8 without two opposite corners', dominoes(8, 8, [0, 63]), 0, 2000],
    ['latin squares of order 4', latinSquare(4), 576, 1500],
    ['queens of order 7', queens(7), 40, 200],
    ['Langford pairs of 7', langford(7), 52, 500],
    ['2^60 choices', choices(60), 2n ** 60n, 200],
    ['dominoes on 12x12, beyond 2^53', dominoes(12, 12), 53_060_477_521_960_000n, 50_000],
    ['reduced dissections of 4x4', reducedDissections(4, 4), 55_137, 10_000],
    ['two or three of three options, 60 times', repeated(60, 180, 2, 3), 4n ** 60n, 1000],
    ['30 of 60 options', repeated(1, 60, 30, 30), 118_264_581_564_861_424n, 3000],
  ])('counts %s', (_name, problem, count, maxNodes) => {
    const memo = counted(problem);
    expect(memo.solutions).toBe(count);
    expect(memo.nodes).toBeLessThan(maxNodes);
  });

  test('counts the components of a problem on their own', () => {
    const board = dominoes(4, 6);
    const one = counted(board);
    const memo = counted(twoBoards(board));
    expect(memo.solutions).toBe(281 ** 2);
    expect(memo.nodes).toBeLessThan(2.1 * one.nodes);
  });

  test('keeps the counts that took the most nodes if its cache is small, and no more bytes than allowed', () => {
    const memo = new MemoSearch(dominoes(8, 8), 8000, false);
    memo.run(NO_LIMITS);
    expect(memo.solutions).toBe(12_988_816);
    // With other rules, it takes ten times as many nodes.
    expect(memo.nodes).toBeLessThan(5000);
    expect(memo.bytes - memo.memory.words.byteLength).toBeLessThanOrEqual(8000);
  });

  test('stops once enough solutions are found', () => {
    const memo = new MemoSearch(dominoes(6, 6));
    expect(memo.run({ ...NO_LIMITS, maxSolutions: 1000 })).toBe(SearchStop.solutionLimit);
    expect(memo.solutions).toBeGreaterThanOrEqual(1000);
    expect(memo.solutions).toBeLessThan(6728);
    expect(memo.run({ ...NO_LIMITS, maxSolutions: 6728 })).toBe(SearchStop.solutionLimit);
    expect(memo.run(NO_LIMITS)).toBe(SearchStop.exhausted);
    expect(memo.solutions).toBe(6728);
  });

  test('is given up if the cache saves little, and only then', () => {
    const memo = new MemoSearch(langford(8 + 3));
    expect(memo.run(NO_LIMITS)).toBe(SearchStop.slice);
    expect(memo.isWorthwhile).toBe(false);
    expect(memo.nodes).toBe(4097);
    expect(memo.solutions).toBeLessThan(35_584);
    expect(memo.run(NO_LIMITS)).toBe(SearchStop.slice);
    expect(counted(dominoes(10, 10)).isWorthwhile).toBe(true);
  });
});
