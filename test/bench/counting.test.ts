import { expect, test } from 'vitest';
import { dominoes } from '../exact-cover/board-problems.ts';
import { measureCount } from './counting.ts';

test('the benchmark of counting counts with and without memoised counting', () => {
  const problem = dominoes(6, 6);
  expect(measureCount(problem, true, 1_000_000)).toMatchObject({ solutions: 6728, exact: true });
  expect(measureCount(problem, false, 1_000_000)).toMatchObject({
    solutions: 6728,
    exact: true,
    bytes: 0,
  });
  expect(measureCount(problem, false, 100)).toMatchObject({ exact: false, nodes: 100 });
});
