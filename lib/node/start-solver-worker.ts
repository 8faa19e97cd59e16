/** Starts a worker thread that runs solver-worker.ts. */
import { Worker } from 'node:worker_threads';
import type { SolverWorkerData } from './solver-worker.ts';

/** The file in the package's library, which has it next to the command; set by bin/build/library.ts. */
declare const SOLVER_WORKER: string | undefined;

export function startSolverWorker(workerData: SolverWorkerData): Worker {
  // Else the worker's file is next to this one: a source here, a bundle in a function.
  const name = import.meta.url.endsWith('.ts') ? './solver-worker.ts' : './solver-worker.mjs';
  const path = typeof SOLVER_WORKER === 'string' ? SOLVER_WORKER : name;
  return new Worker(new URL(path, import.meta.url), { workerData });
}
