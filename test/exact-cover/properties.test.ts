import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DancingLinks, SearchStop } from '../../lib/exact-cover/dancing-links.ts';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { propertyRuns } from '../support/depth.ts';
import { bruteForce, NO_LIMITS, problemAndPreselected, smallProblem } from './brute-force.ts';
import { langford } from './classic-problems.ts';
import { createProblem } from './create-problem.ts';
import { linkArraysOf } from './link-arrays.ts';
import { sanity } from './sanity.ts';
import { SEARCHES } from './searches.ts';

const ALL = Number.POSITIVE_INFINITY;
const WAYS = SEARCHES.flatMap((search) => [
  { ...search, wanted: 1, purpose: 'one solution' },
  { ...search, wanted: ALL, purpose: 'all solutions' },
]);

describe.each(WAYS)(
  'dancing links in $name for $purpose, on any small problem',
  ({ createSearch, wanted }) => {
    const linksOf = (problem: ExactCoverProblem) => new DancingLinks(problem, wanted, createSearch);

    test('finds exactly the solutions that brute force finds, each once', () => {
      fc.assert(
        fc.property(problemAndPreselected, ([problem, preselected]) => {
          const links = linksOf(problem);
          links.reset(preselected);
          expect(allSolutions(links).sort()).toEqual(bruteForce(problem, preselected));
        }),
        { numRuns: propertyRuns(300) },
      );
    });

    test('keeps no state of the previous search', () => {
      fc.assert(
        fc.property(
          problemAndPreselected,
          fc.integer({ min: 1, max: 5 }),
          ([problem, preselected], maxNodes) => {
            const links = linksOf(problem);
            const fresh = outcome(links);
            links.reset(preselected);
            links.run({ ...NO_LIMITS, maxNodes });
            links.reset();
            expect(outcome(links)).toEqual(fresh);
          },
        ),
      );
    });

    test('restores every link, wherever the search stopped', () => {
      fc.assert(
        fc.property(
          problemAndPreselected,
          fc.integer({ min: 2, max: 9 }),
          ([problem, preselected], maxNodes) => {
            const links = linksOf(problem);
            links.reset(preselected);
            links.run({ ...NO_LIMITS, maxNodes: 1 });
            const before = linkArraysOf(links.memory);
            links.run({ ...NO_LIMITS, maxNodes });
            links.rewind();
            expect(linkArraysOf(links.memory)).toEqual(before);
          },
        ),
      );
    });

    /** Checks the links at every node of a search; returns the number of nodes. */
    function nodesWithSoundLinks(problem: ExactCoverProblem, preselected: readonly number[] = []): number {
      const links = linksOf(problem);
      links.reset(preselected);
      let maxNodes = 1;
      for (; links.run({ ...NO_LIMITS, maxNodes }) === SearchStop.nodeLimit; maxNodes++) {
        expect(sanity(linkArraysOf(links.memory))).toEqual([]);
      }
      return maxNodes - 1;
    }

    test('keeps its links consistent at every node', () => {
      let nodes = 0;
      fc.assert(
        fc.property(problemAndPreselected, ([problem, preselected]) => {
          nodes += nodesWithSoundLinks(problem, preselected);
        }),
        { numRuns: propertyRuns(100) },
      );
      // Most small problems are solved at their root.
      expect(nodes).toBeGreaterThan(20);
    });

    test('keeps its links consistent at every node of a long search', () => {
      expect(nodesWithSoundLinks(langford(7))).toBeGreaterThan(300);
    });

    test('gives the same solutions and counts in slices', () => {
      fc.assert(
        fc.property(
          problemAndPreselected,
          fc.integer({ min: 1, max: 3 }),
          ([problem, preselected], sliceNodes) => {
            const whole = linksOf(problem);
            whole.reset(preselected);
            const cut = linksOf(problem);
            cut.reset(preselected);
            while (cut.run({ ...NO_LIMITS, sliceNodes }) !== SearchStop.exhausted) {}
            expect(countsOf(cut)).toEqual(outcome(whole).counts);
          },
        ),
      );
    });

    test('keeps its count when the options are shuffled', () => {
      const shuffled = smallProblem.chain((problem) => {
        const lists = listsOf(problem);
        const order = lists.options.map((_, option) => option);
        return fc.tuple(
          fc.constant(problem),
          fc.shuffledSubarray(order, { minLength: order.length }).map((permutation) =>
            createProblem({
              ...lists,
              options: permutation.map((option) => lists.options[option]),
              colours: permutation.map((option) => lists.colours[option]),
            }),
          ),
        );
      });
      fc.assert(
        fc.property(shuffled, ([problem, other]) => {
          expect(countOf(linksOf(other))).toBe(countOf(linksOf(problem)));
        }),
      );
    });
  },
);

function allSolutions(links: DancingLinks): string[] {
  const solutions: string[] = [];
  while (links.run({ ...NO_LIMITS, pauseAtSolution: true }) === SearchStop.solution) {
    const options = [...links.selected.subarray(0, links.selectedCount)];
    solutions.push(options.sort((a, b) => a - b).join(' '));
  }
  return solutions;
}

function outcome(links: DancingLinks) {
  const solutions = allSolutions(links);
  return { solutions, counts: countsOf(links) };
}

function countsOf({ nodes, guesses, updates, solutions }: DancingLinks) {
  return { nodes, guesses, updates, solutions };
}

function countOf(links: DancingLinks): number {
  links.run(NO_LIMITS);
  return links.solutions;
}

function listsOf({
  primaryCount,
  secondaryCount,
  optionCount,
  optionStart,
  items,
  colours,
}: ExactCoverProblem) {
  const options: number[][] = [];
  const optionColours: number[][] = [];
  for (let option = 0; option < optionCount; option++) {
    const entries = [optionStart[option], optionStart[option + 1]] as const;
    options.push([...items.slice(...entries)]);
    optionColours.push([...(colours ?? items.map(() => 0)).slice(...entries)]);
  }
  return { primaryCount, secondaryCount, options, colours: optionColours };
}
