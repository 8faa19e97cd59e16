import { describe, expect, test } from 'vitest';
import { DancingLinks, SearchStop } from '../../lib/exact-cover/dancing-links.ts';
import { nodeCount } from '../../lib/exact-cover/problem.ts';
import { NO_LIMITS } from './brute-force.ts';
import { knuthExample, langford, queens } from './classic-problems.ts';
import { createProblem } from './create-problem.ts';

describe('an edge case', () => {
  test.each([
    ['without items has the empty solution', { primaryCount: 0, options: [] }, 1],
    [
      'with only secondary items has the empty solution',
      { primaryCount: 0, secondaryCount: 2, options: [[0, 1]] },
      1,
    ],
    ['with items and no options has no solution', { primaryCount: 1, options: [] }, 0],
    ['with an item that no option has, has no solution', { primaryCount: 2, options: [[0]] }, 0],
    ['with two options for its one item has both', { primaryCount: 1, options: [[0], [0]] }, 2],
    [
      'with only single-item options has the product of their numbers',
      { primaryCount: 2, options: [[0], [1], [1], [0], [1]] },
      6,
    ],
  ])('%s', (_name, lists, count) => {
    const links = new DancingLinks(createProblem(lists));
    expect(links.run(NO_LIMITS)).toBe(SearchStop.exhausted);
    expect(links.solutions).toBe(count);
  });

  test('with the limit 0 is not searched', () => {
    const links = new DancingLinks(queens(6));
    expect(links.run({ ...NO_LIMITS, maxSolutions: 0 })).toBe(SearchStop.solutionLimit);
    expect(links).toMatchObject({ solutions: 0, nodes: 0 });
  });

  test('with more nodes than fit in 16 bits is searched like any other', () => {
    const pairs = Array.from({ length: 40_000 }, (_, k) => [k, (k + 1) % 40_000]);
    const links = new DancingLinks(createProblem({ primaryCount: 40_000, options: pairs }));
    expect(nodeCount(links.memory.problem)).toBe(120_001);
    links.run(NO_LIMITS);
    expect(links.solutions).toBe(2);
  });
});

describe('a solution', () => {
  test('is the options that cover each item once', () => {
    const links = new DancingLinks(knuthExample());
    expect(links.run({ ...NO_LIMITS, pauseAtSolution: true })).toBe(SearchStop.solution);
    expect([...links.selected.subarray(0, links.selectedCount)].sort()).toEqual([0, 3, 4]);
  });

  test('begins with the preselected options', () => {
    const links = new DancingLinks(queens(8));
    links.reset([4, 8]);
    links.run({ ...NO_LIMITS, pauseAtSolution: true });
    expect([...links.selected.subarray(0, 2)]).toEqual([4, 8]);
    expect(links.selectedCount).toBe(8);
  });
});

describe('preselected options', () => {
  test('leave the solutions that have them', () => {
    const links = new DancingLinks(queens(8));
    const first = Array.from({ length: 8 }, (_, column) => {
      links.reset([column]);
      links.run(NO_LIMITS);
      return links.solutions;
    });
    expect(first).toEqual([4, 8, 16, 18, 18, 16, 8, 4]);
  });

  test.each([
    ['clash over a primary item', [0, 1]],
    ['clash over a secondary item', [0, 9]],
    ['are the same option twice', [3, 3]],
    ['are more than the options of the problem', Array.from({ length: 70 }, () => 5)],
  ])('that %s have no solution', (_name, options) => {
    const links = new DancingLinks(queens(8));
    links.reset(options);
    expect(links.run(NO_LIMITS)).toBe(SearchStop.exhausted);
    expect(links.solutions).toBe(0);
  });
});

describe('a limit', () => {
  test('on solutions stops the search, and a higher one continues it', () => {
    const links = new DancingLinks(queens(8));
    expect(links.run({ ...NO_LIMITS, maxSolutions: 5 })).toBe(SearchStop.solutionLimit);
    expect(links.solutions).toBe(5);
    expect(links.run({ ...NO_LIMITS, maxSolutions: 5 })).toBe(SearchStop.solutionLimit);
    expect(links.solutions).toBe(5);
    expect(links.run(NO_LIMITS)).toBe(SearchStop.exhausted);
    expect(links.solutions).toBe(92);
  });

  test('on solutions that equals their number stops the search before it is exhausted', () => {
    const links = new DancingLinks(queens(8));
    expect(links.run({ ...NO_LIMITS, maxSolutions: 92 })).toBe(SearchStop.solutionLimit);
  });

  test('on nodes stops the search, and a higher one continues it', () => {
    const links = new DancingLinks(queens(8));
    expect(links.run({ ...NO_LIMITS, maxNodes: 50 })).toBe(SearchStop.nodeLimit);
    expect(links.nodes).toBe(50);
    expect(links.run(NO_LIMITS)).toBe(SearchStop.exhausted);
    expect(links.solutions).toBe(92);
  });

  test('on nodes that equals the nodes of the search does not stop it', () => {
    const links = new DancingLinks(queens(8));
    links.run(NO_LIMITS);
    const { nodes } = links;
    links.reset();
    expect(links.run({ ...NO_LIMITS, maxNodes: nodes })).toBe(SearchStop.exhausted);
  });

  test('on nodes of 0 searches nothing', () => {
    const links = new DancingLinks(queens(8));
    expect(links.run({ ...NO_LIMITS, maxNodes: 0 })).toBe(SearchStop.nodeLimit);
    expect(links.nodes).toBe(0);
  });

  test('on a slice counts from the call', () => {
    const links = new DancingLinks(queens(8));
    const nodes: number[] = [];
    for (let call = 0; call < 3; call++) {
      expect(links.run({ ...NO_LIMITS, sliceNodes: 7 })).toBe(SearchStop.slice);
      nodes.push(links.nodes);
    }
    expect(nodes).toEqual([7, 14, 21]);
  });
});

describe('a search', () => {
  test('that is exhausted stays exhausted', () => {
    const links = new DancingLinks(langford(3));
    links.run(NO_LIMITS);
    expect(links.run(NO_LIMITS)).toBe(SearchStop.exhausted);
    expect(links.solutions).toBe(2);
  });

  test('enters only its root if every move is forced', () => {
    const links = new DancingLinks(knuthExample());
    links.reset([3]);
    links.run(NO_LIMITS);
    expect(links).toMatchObject({ nodes: 1, guesses: 0, solutions: 1 });
  });

  test('that restarts misses no solution and finds none twice', () => {
    const links = new DancingLinks(langford(9));
    expect(links.run(NO_LIMITS)).toBe(SearchStop.exhausted);
    expect(links.solutions).toBe(0);
    expect(links.nodes).toBeGreaterThan(3000);
  });

  test('gives the same counts each time', () => {
    const links = new DancingLinks(queens(8));
    const counts = [1, 2, 3].map(() => {
      links.reset();
      links.run(NO_LIMITS);
      return [links.nodes, links.guesses, links.updates];
    });
    expect(counts).toEqual([counts[0], counts[0], counts[0]]);
  });
});
