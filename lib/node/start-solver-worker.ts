/** Starts a worker thread that runs solver-worker.ts. */
import { Worker } from 'node:worker_threads';
import type { SolverWorkerData } from './solver-worker.ts';

export function startSolverWorker(workerData: SolverWorkerData): Worker {
  // The worker's file is next to this one: a source here, a bundle in a function.
  const name = import.meta.url.endsWith('.ts') ? './solver-worker.ts' : './solver-worker.mjs';
  return new Worker(new URL(name, import.meta.url), { workerData });
}
