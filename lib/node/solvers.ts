/** How many threads solve, and the solver for them. */
import { availableParallelism } from 'node:os';
import { MB_PER_VCPU } from '../batch/limits.ts';
import { type BlockSolver, InlineSolver } from '../batch/solving/block-solver.ts';
import type { Engine } from '../sudoku/engine.ts';
import { systemClock } from './system.ts';
import { WorkerPool } from './worker-pool.ts';

/** A solver, and how to end its threads. */
export interface OpenSolver {
  readonly solver: BlockSolver;
  close(): Promise<void>;
}

/** Bytes from which a file is large: some tenths of a second's work, where a thread takes one to start. */
const LARGE_BYTES = 4 * 1024 * 1024;

/**
 * Opens a solver for one job; one worker means this thread itself.
 *
 * @param storedBytes the size of the file to be solved, where it is known
 */
export function openSolver(workers: number, engine: Engine, storedBytes = 0): OpenSolver {
  if (workers <= 1) {
    return { solver: new InlineSolver(engine, systemClock), close: async () => {} };
  }
  const pool = new WorkerPool(workers, engine, systemClock, storedBytes >= LARGE_BYTES);
  return { solver: pool, close: () => pool.close() };
}

/** Threads worth having on this machine. */
export function workersForMachine(): number {
  return availableParallelism();
}

/**
 * Threads worth having in a function of that much memory: one for each vCPU that is paid for, not for each core that
 * can be seen, of which there are more below 3,008 MB.
 */
export function workersForMemory(memoryMb: number): number {
  return Math.max(1, Math.round(memoryMb / MB_PER_VCPU));
}
