/** Files of pentominoes have as many solutions as are published, written or counted, by one thread or two. */
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../lib/node/system.ts';
import { workerPool } from '../../../lib/node/worker-pool.ts';
import { createEngine } from '../../../lib/sudoku/engines.ts';
import { pentominoes } from '../../exact-cover/classic-problems.ts';
import { knuthText } from '../../formats/exact-cover/problem-files.ts';
import { DEEP } from '../../support/depth.ts';
import { solveText } from '../../support/run-job.ts';

const CASES: [rows: number, columns: number, solutions: number][] = [
  [3, 20, 8],
  [4, 15, 1472],
];
const LONG_CASES: typeof CASES = [
  [5, 12, 4040],
  [6, 10, 9356],
];

it.each([...CASES, ...(DEEP ? LONG_CASES : [])])(
  'a file of the pentominoes in %ix%i has %i solutions',
  async (rows, columns, solutions) => {
    const text = knuthText(pentominoes(rows, columns));
    const { exceptions } = await solveText(text, { solutions: 'all' }, { countOnly: true });
    expect(exceptions).toMatchObject([{ solutions, exact: true }]);
  },
);

/** The number of the cross, which all reflections leave as it is. */
const CROSS = 9;

it('a file of the pentominoes in 6x10 without reflections has 2,339 solutions, by threads too', async () => {
  const [items, ...options] = knuthText(pentominoes(6, 10)).split('\n');
  // No centre is on an axis of the rectangle, so one quarter has one of each four reflections.
  const isKept = (option: string) => {
    const [piece, highest] = option.split(' ').map((item) => Number(item.slice(1)));
    const centre = highest! - 12 + 10;
    return piece !== CROSS || (centre < 30 && centre % 10 < 5);
  };
  const text = [items, ...options.filter(isKept)].join('\n');
  const engine = createEngine('dlx');
  const { solver, close } = workerPool(2, engine, systemClock);
  onTestFinished(close);
  const dependencies = { engine, solver, clock: systemClock };
  const { solutions, exceptions } = await solveText(text, { solutions: 'all' }, { dependencies });
  expect(exceptions).toMatchObject([{ solutions: 2339, exact: true }]);
  const written = solutions.split(/^# puzzle.*\n/m).slice(1);
  expect(written).toHaveLength(2339);
  expect(new Set(written.map((entry) => entry.split('\n').sort().join())).size).toBe(2339);
});
