import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DancingLinks, SearchStop } from '../../lib/exact-cover/dancing-links.ts';
import { LearningSearch } from '../../lib/exact-cover/learning/learning-search.ts';
import { createPlainSearch } from '../../lib/exact-cover/plain-search.ts';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { propertyRuns } from '../support/depth.ts';
import { latinSquare } from './board-problems.ts';
import { bruteForce, NO_LIMITS } from './brute-force.ts';
import { langford } from './classic-problems.ts';
import { createProblem } from './create-problem.ts';
import { SEARCHES } from './searches.ts';

const TWO = { ...NO_LIMITS, maxSolutions: 2, pauseAtSolution: true };

/** Learns from the given node on, however small the problem. */
function learningLinks(problem: ExactCoverProblem, firstNodes = 1, createSearch = createPlainSearch) {
  return new DancingLinks(problem, 2, (same) => new LearningSearch(createSearch(same), firstNodes, 0));
}

/** Problems without secondary items whose search has a few guesses; most have several solutions. */
const primaryProblem = fc.integer({ min: 2, max: 7 }).chain((primaryCount) =>
  fc
    .array(fc.uniqueArray(fc.integer({ min: 0, max: primaryCount - 1 }), { minLength: 1, maxLength: 3 }), {
      minLength: 4,
      maxLength: 14,
    })
    .map((options) => createProblem({ primaryCount, options })),
);
const withPreselected = primaryProblem.chain((problem) =>
  fc.tuple(fc.constant(problem), fc.subarray([...Array(problem.optionCount).keys()], { maxLength: 1 })),
);

const solutionOf = ({ selected }: DancingLinks) => selected.slice().sort().join(' ');

/** The solutions found with a limit of 2, and after that all others, without the links. */
function solutionsOf(links: DancingLinks): string[] {
  const found: string[] = [];
  for (const limits of [TWO, { ...TWO, maxSolutions: Number.POSITIVE_INFINITY }]) {
    for (let before = links.solutions; ; before = links.solutions) {
      const stop = links.run(limits);
      if (links.solutions > before) found.push(solutionOf(links));
      if (stop !== SearchStop.solution) break;
    }
  }
  return found;
}

describe('learning from failures', () => {
  test.each([1, 2, 3, 5])(
    'finds exactly the solutions of brute force, each once, after %d nodes of links',
    (firstNodes) => {
      fc.assert(
        fc.property(withPreselected, ([problem, preselected]) => {
          const links = learningLinks(problem, firstNodes);
          links.reset(preselected);
          expect(solutionsOf(links).sort()).toEqual(bruteForce(problem, preselected));
        }),
        { numRuns: propertyRuns(300) },
      );
    },
  );

  test('counts as dancing links do, with conflicts in every part of the search', () => {
    const counted = (problem: ExactCoverProblem, preselected: readonly number[] = []) => {
      const links = learningLinks(problem);
      links.reset(preselected);
      expect(links.run({ ...TWO, pauseAtSolution: false })).toBe(SearchStop.solutionLimit);
      links.run(NO_LIMITS);
      return links.solutions;
    };
    expect(counted(langford(7))).toBe(52);
    expect(counted(latinSquare(4))).toBe(576);
    expect(counted(latinSquare(5), [0, 26, 52])).toBe(161_280 / (5 * 4 * 3));
  });

  // Langford pairs of 6 have no solution, those of 12 are found after some failures.
  test.each(
    SEARCHES.flatMap(({ name, createSearch }) => [6, 12].map((pairs) => ({ name, createSearch, pairs }))),
  )(
    'finds Langford pairs of $pairs in slices with the same counts, after links in $name',
    ({ createSearch, pairs }) => {
      const whole = learningLinks(langford(pairs), 10, createSearch);
      const cut = learningLinks(langford(pairs), 10, createSearch);
      const stop = whole.run(TWO);
      expect(stop).toBe(pairs === 6 ? SearchStop.exhausted : SearchStop.solution);
      expect(whole.nodes).toBeGreaterThan(20);
      let slices = 0;
      while (cut.run({ ...TWO, sliceNodes: 7 }) === SearchStop.slice) slices++;
      expect([slices, cut.nodes, cut.guesses, cut.solutions, solutionOf(cut)]).toEqual([
        Math.floor(whole.nodes / 7),
        whole.nodes,
        whole.guesses,
        whole.solutions,
        solutionOf(whole),
      ]);
    },
  );

  test('enters no node beyond the limit, and continues with a higher one', () => {
    const links = learningLinks(langford(9), 30);
    for (let maxNodes = 10; maxNodes <= 60; maxNodes += 10) {
      expect(links.run({ ...TWO, maxNodes })).toBe(SearchStop.nodeLimit);
      expect(links.nodes).toBe(maxNodes);
    }
    expect(links.solutions).toBe(0);
  });

  test('keeps no state of the previous search', () => {
    const links = learningLinks(latinSquare(5), 5);
    const outcome = () => [links.run(TWO), links.run(TWO), links.nodes, solutionOf(links)];
    const first = outcome();
    links.reset([3]);
    links.run({ ...TWO, maxNodes: 20 });
    links.reset();
    expect(outcome()).toEqual(first);
  });

  test.each([
    ['more than two solutions are wanted', latinSquare(4), Number.POSITIVE_INFINITY, 0],
    ['the problem is small', latinSquare(5), 2, undefined],
    [
      'it has secondary items',
      createProblem({ primaryCount: 2, secondaryCount: 1, options: [[0, 2], [0], [1, 2], [1]] }),
      2,
      0,
    ],
  ])('leaves the search to the links if %s', (_reason, problem, maxSolutions, minOptions) => {
    const plain = new DancingLinks(problem, 2, createPlainSearch);
    const links = new DancingLinks(
      problem,
      2,
      (same) => new LearningSearch(createPlainSearch(same), 1, minOptions),
    );
    for (const each of [plain, links]) each.run({ ...NO_LIMITS, maxSolutions });
    expect([links.nodes, links.solutions, links.updates]).toEqual([
      plain.nodes,
      plain.solutions,
      plain.updates,
    ]);
  });
});
