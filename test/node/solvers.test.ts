import { expect, it } from 'vitest';
import { openSolver, workersForMemory } from '../../lib/node/solvers.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';

/** Threads that are started by opening a solver, before there is anything to solve. */
async function startedBy(workers: number, storedBytes?: number): Promise<number> {
  const ports = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
  const before = ports();
  const { close } = openSolver(workers, createEngine('dlx'), storedBytes);
  const started = ports() - before;
  await close();
  return started;
}

it('starts threads at once for a file that is known to be large, and for no other', async () => {
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
])('has for a function of %d MB %d threads', (memoryMb, workers) => {
  expect(workersForMemory(memoryMb)).toBe(workers);
});
