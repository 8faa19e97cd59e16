import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DancingLinks, SearchStop } from '../../lib/exact-cover/dancing-links.ts';
import { MemoSearch } from '../../lib/exact-cover/memo-search.ts';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { ResumableSearch, type SearchPlace } from '../../lib/exact-cover/resumable-search.ts';
import { propertyRuns } from '../support/depth.ts';
import { boardAndPreselected, choices, dominoes, latinSquare } from './board-problems.ts';
import { bruteForce, NO_LIMITS, problemAndPreselected } from './brute-force.ts';
import { knuthExample, langford, queens } from './classic-problems.ts';

/** Bytes of the default cache, and of one that keeps its first 64 places. */
const CACHES = [2 ** 27, 0];

/** The count of a search without a cache. */
function enumerated(problem: ExactCoverProblem, preselected: readonly number[] = []): number {
  const links = new DancingLinks(problem);
  links.reset(preselected);
  links.run(NO_LIMITS);
  return links.solutions;
}

function counted(problem: ExactCoverProblem, preselected: readonly number[] = [], cacheBytes = CACHES[0]) {
  const memo = new MemoSearch(problem, cacheBytes);
  memo.reset(preselected);
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

describe('memoised counting', () => {
  test('counts what brute force finds, on any small problem', () => {
    fc.assert(
      fc.property(problemAndPreselected, ([problem, preselected]) => {
        expect(counted(problem, preselected).solutions).toBe(bruteForce(problem, preselected).length);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  test('counts what the search without a cache finds, on any board, with any cache', () => {
    fc.assert(
      fc.property(boardAndPreselected, ([problem, preselected]) => {
        const count = enumerated(problem, preselected);
        for (const bytes of CACHES) expect(counted(problem, preselected, bytes).solutions).toBe(count);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  test('with one cache for several searches, counts each of them', () => {
    fc.assert(
      fc.property(boardAndPreselected, ([problem, preselected]) => {
        const memo = new MemoSearch(problem);
        for (const options of [[], preselected, preselected.slice(1), []]) {
          memo.reset(options);
          memo.run(NO_LIMITS);
          expect(memo.solutions).toBe(enumerated(problem, options));
        }
      }),
      { numRuns: propertyRuns(150) },
    );
  });

  test.each<[string, ExactCoverProblem, number | bigint, number]>([
    ['the small example of Knuth', knuthExample(), 1, 10],
    ['dominoes on 8x8', dominoes(8, 8), 12_988_816, 1500],
    ['dominoes on 8x8 without two opposite corners', dominoes(8, 8, [0, 63]), 0, 2000],
    ['latin squares of order 4', latinSquare(4), 576, 1500],
    ['queens of order 7', queens(7), 40, 200],
    ['Langford pairs of 7', langford(7), 52, 500],
    ['2^60 choices', choices(60), 2n ** 60n, 200],
    ['dominoes on 12x12, beyond 2^53', dominoes(12, 12), 53_060_477_521_960_000n, 50_000],
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
    expect(memo.nodes).toBeLessThanOrEqual(1 + 2 * one.nodes);
  });

  test('gives the same counts in slices', () => {
    fc.assert(
      fc.property(
        boardAndPreselected,
        fc.integer({ min: 1, max: 9 }),
        ([problem, preselected], sliceNodes) => {
          const whole = counted(problem, preselected, 0);
          const cut = new MemoSearch(problem, 0);
          cut.reset(preselected);
          while (cut.run({ ...NO_LIMITS, sliceNodes }) !== SearchStop.exhausted) {}
          expect([cut.solutions, cut.nodes, cut.guesses, cut.updates]).toEqual([
            whole.solutions,
            whole.nodes,
            whole.guesses,
            whole.updates,
          ]);
        },
      ),
      { numRuns: propertyRuns(150) },
    );
  });

  /** Counts a problem in pieces, each continued from the place of the one before; returns the number of pieces. */
  function countInPieces(problem: ExactCoverProblem, count: number, pieceNodes: number): number {
    let place: SearchPlace = { solutions: 0, nodes: 0 };
    let budget = pieceNodes;
    for (let pieces = 1; ; pieces++) {
      const search = new ResumableSearch(problem, place, new MemoSearch(problem));
      const stop = search.run({ ...NO_LIMITS, maxNodes: place.nodes + budget });
      if (stop === SearchStop.exhausted) {
        expect(search.solutions).toBe(count);
        return pieces;
      }
      expect(search.solutions).toBeLessThanOrEqual(count);
      const next = JSON.parse(JSON.stringify(search.place())) as SearchPlace;
      // A place inside of a component cannot be stored: the next search begins before the components.
      if (JSON.stringify(next.branches) === JSON.stringify(place.branches)) budget *= 2;
      place = next;
    }
  }

  test('stopped at any node, has found no more solutions than there are, and continues elsewhere', () => {
    fc.assert(
      fc.property(boardAndPreselected, fc.integer({ min: 1, max: 60 }), ([problem], pieceNodes) => {
        countInPieces(problem, enumerated(problem), pieceNodes);
      }),
      { numRuns: propertyRuns(150) },
    );
    expect(countInPieces(dominoes(6, 6), 6728, 10)).toBeGreaterThan(10);
    expect(countInPieces(twoBoards(dominoes(4, 4)), 36 ** 2, 3)).toBeGreaterThan(3);
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
