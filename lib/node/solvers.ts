/** Chooses the number of threads that solve, and opens the solver. */
import { availableParallelism } from 'node:os';
import type { SearchProgress } from '../batch/job/job-run.ts';
import { MB_PER_VCPU } from '../batch/limits.ts';
import { InlineSolver } from '../batch/solving/block-solver.ts';
import { rateRecord } from '../batch/solving/rate-record.ts';
import type { Engine } from '../sudoku/engine.ts';
import { systemClock } from './system.ts';
import { type OpenSolver, workerPool } from './worker-pool.ts';

/** Files of this size take some tenths of a second to solve; a thread takes one tenth to start. */
const LARGE_BYTES = 4 * 1024 * 1024;

/**
 * Opens a solver for one job.
 *
 * @param workers threads that solve; 1 means this thread
 * @param storedBytes size of the file, 0 if unknown; from {@link LARGE_BYTES} on, threads start at once
 * @param onSearch called during the search of a puzzle that is split, if there are several threads
 * @param pause called every few milliseconds if this thread solves alone: other events may have their turn until it
 *   resolves
 */
export function openSolver(
  workers: number,
  engine: Engine,
  storedBytes = 0,
  onSearch?: (search: SearchProgress) => void,
  pause?: () => Promise<void> | undefined,
): OpenSolver {
  if (workers <= 1) {
    return {
      solver: new InlineSolver(engine, systemClock, pause, { rate: rateRecord }),
      close: async () => {},
    };
  }
  return workerPool(workers, engine, systemClock, storedBytes >= LARGE_BYTES, onSearch);
}

/** Threads that are useful on this machine: one for each core. */
export function workersForMachine(): number {
  return availableParallelism();
}

/**
 * Threads that are useful in a function with this memory: one for each vCPU that is paid for. Below 3,008 MB, more
 * cores are visible.
 */
export function workersForMemory(memoryMb: number): number {
  return Math.max(1, Math.round(memoryMb / MB_PER_VCPU));
}
