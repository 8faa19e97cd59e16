/** What the links promise between two runs: they are consistent. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DancingLinks, SearchStop } from '../../lib/exact-cover/dancing-links.ts';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { propertyRuns } from '../support/depth.ts';
import { anyProblem, NO_LIMITS, withDecisions } from './brute-force.ts';
import { langford, queens } from './classic-problems.ts';
import { type LinkArrays, linkArraysOf } from './link-arrays.ts';
import { sanity } from './sanity.ts';
import { SEARCHES } from './searches.ts';

const problems = withDecisions(anyProblem({ repeated: false }), false);

describe.each(SEARCHES)('the links in $name, on any small problem', ({ createSearch }) => {
  const linksOf = (problem: ExactCoverProblem) => new DancingLinks(problem, 1, createSearch);

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

  test('are consistent at every node', () => {
    let nodes = 0;
    fc.assert(
      fc.property(problems, ([problem, preselected]) => {
        nodes += nodesWithSoundLinks(problem, preselected);
      }),
      { numRuns: propertyRuns(100) },
    );
    // Most small problems are solved at their root.
    expect(nodes).toBeGreaterThan(20);
    expect(nodesWithSoundLinks(langford(7))).toBeGreaterThan(300);
  });
});

describe('sanity', () => {
  const searched = (): LinkArrays => {
    const links = new DancingLinks(queens(6));
    links.run({ ...NO_LIMITS, maxNodes: 2 });
    return linkArraysOf(links.memory);
  };

  test('finds no fault in consistent links', () => {
    expect(sanity(searched())).toEqual([]);
  });

  test.each<[string, (links: LinkArrays) => void, RegExp]>([
    ['a wrong up link', ({ up, down }) => (up[down[1]] = 2), /its up is 2/],
    ['a wrong size', ({ size }) => size[1]++, /item 1 has size \d+, but its list has \d+ nodes/],
    ['a wrong left link', ({ left }) => (left[0] = 0), /its left is 0/],
    ['a wrong active mark', ({ active }) => (active[30] = 1), /item 30 is not in the list of items/],
    ['an option that is half hidden', halfHide, /is in the lists of some of its active items only/],
  ])('names %s', (_name, breakLink, fault) => {
    const links = searched();
    breakLink(links);
    expect(sanity(links).join('\n')).toMatch(fault);
  });
});

function halfHide({ up, down, right, size, itemOf }: LinkArrays): void {
  const node = down[right[0]];
  down[up[node]] = down[node];
  up[down[node]] = up[node];
  size[itemOf[node]]--;
}
