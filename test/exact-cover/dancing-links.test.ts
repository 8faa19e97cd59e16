import { describe, expect, test } from 'vitest';
import { DancingLinks, SearchStop } from '../../lib/exact-cover/dancing-links.ts';
import { nodeCount } from '../../lib/exact-cover/problem.ts';
import { NO_LIMITS } from './brute-force.ts';
import { langford, queens } from './classic-problems.ts';
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

describe('preselected options', () => {
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
  test('on solutions that equals their number stops the search before it is exhausted', () => {
    const links = new DancingLinks(queens(8));
    expect(links.run({ ...NO_LIMITS, maxSolutions: 92 })).toBe(SearchStop.solutionLimit);
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
});

describe('a search', () => {
  test('that is exhausted stays exhausted', () => {
    const links = new DancingLinks(langford(3));
    links.run(NO_LIMITS);
    expect(links.run(NO_LIMITS)).toBe(SearchStop.exhausted);
    expect(links.solutions).toBe(2);
  });

  test('that restarts misses no solution and finds none twice', () => {
    const links = new DancingLinks(langford(9));
    expect(links.run(NO_LIMITS)).toBe(SearchStop.exhausted);
    expect(links.solutions).toBe(0);
    expect(links.nodes).toBeGreaterThan(3000);
  });
});
