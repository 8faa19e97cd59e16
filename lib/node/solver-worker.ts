/** A worker thread of the pool: takes records of the blocks it is sent, and solves them in shared memory. */
import { parentPort, workerData } from 'node:worker_threads';
import { OutOfTimeError, solveRange } from '../batch/solve-block.ts';
import { createEngine } from '../sudoku/engines.ts';
import { type Geometry, standardGeometry } from '../sudoku/geometry.ts';
import { systemClock } from './system.ts';
import { type BlockMessage, RECORDS_AT_ONCE, type WorkerMessage, type WorkerStart } from './worker-pool.ts';

const engine = createEngine((workerData as WorkerStart).engine);
let geometry: Geometry;

parentPort!.on('message', (message: BlockMessage) => {
  if (message.geometry !== undefined) geometry = received(message.geometry);
  const answer = solveShare(message);
  if (answer !== undefined) parentPort!.postMessage(answer);
});

/** Solves this worker's share of a block; the answer is for the job only where it ends the block. */
function solveShare({ id, cells, count, limits, answers, control }: BlockMessage): WorkerMessage | undefined {
  try {
    for (;;) {
      const from = Atomics.add(control, 0, RECORDS_AT_ONCE);
      if (from >= count) return undefined;
      const to = Math.min(from + RECORDS_AT_ONCE, count);
      solveRange(engine, { geometry, cells }, from, to, limits, systemClock, answers);
      if (Atomics.add(control, 1, to - from) + to - from === count) return { id, kind: 'solved' };
    }
  } catch (error) {
    if (error instanceof OutOfTimeError) return { id, kind: 'outOfTime' };
    return { id, kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** Engines know ordinary geometries by identity, which a copy from another thread does not have. */
function received(copy: Geometry): Geometry {
  const { variant, size, boxRows, boxColumns } = copy;
  return variant === 'standard' ? standardGeometry(size, boxRows, boxColumns) : copy;
}
