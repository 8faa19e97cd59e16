import { expect, it } from 'vitest';
import { openSolver, workersForMemory } from '../../lib/node/solvers.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';

/** Number of threads that start when a solver is opened, before it has a block. */
async function startedBy(workers: number, storedBytes?: number): Promise<number> {
  const ports = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
  const before = ports();
  const { close } = openSolver(workers, createEngine('dlx'), storedBytes);
  const started = ports() - before;
  await close();
  return started;
}

it('starts threads at once only for a file known to be large', async () => {
  expect(await startedBy(3, 100_000_000)).toBe(2);
  expect(await startedBy(3, 100_000)).toBe(0);
  expect(await startedBy(3)).toBe(0);
  expect(await startedBy(1, 100_000_000)).toBe(0);
});

it.each([
  [128, 1],
  [1769, 1],
  [3008, 2],
  [10_240, 6],
])('uses in a function of %d MB %d threads', (memoryMb, workers) => {
  expect(workersForMemory(memoryMb)).toBe(workers);
});
