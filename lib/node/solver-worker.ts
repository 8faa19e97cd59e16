/**
 * A worker thread: takes records of the blocks that it receives, and solves them in shared memory; or takes subproblems of
 * a search, or a whole problem, and sends what it finds.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { OutOfTimeError } from '../batch/solving/drive.ts';
import { RangeSolver } from '../batch/solving/range-solver.ts';
import type { EngineName } from '../sudoku/engine.ts';
import { createEngine } from '../sudoku/engines.ts';
import { type Geometry, standardGeometry } from '../sudoku/geometry/geometry.ts';
import { RecordTaker } from './record-taker.ts';
import type { IdleMessage, ProblemMessage, SearchMessage, SubproblemMessage } from './search-message.ts';
import { searchProblem, searchShare } from './search-worker.ts';
import type { BlockMessage, WorkerMessage } from './shared-block.ts';
import { systemClock } from './system.ts';

export interface SolverWorkerData {
  /** The engine for blocks; a thread that only searches has none. */
  readonly engine?: EngineName;
}

const { engine } = workerData as SolverWorkerData;
const solver = engine && new RangeSolver(createEngine(engine), systemClock, { splits: true });
const taker = new RecordTaker(systemClock);
let geometry: Geometry;

parentPort!.on('message', (message: BlockMessage | SearchMessage | ProblemMessage) => {
  if (message.kind !== 'block') {
    search(message);
    return;
  }
  if (message.geometry !== undefined) geometry = received(message.geometry);
  const answer = solveShare(message);
  if (answer !== undefined) parentPort!.postMessage(answer);
});

function search(message: SearchMessage | ProblemMessage): void {
  const send = (answer: SubproblemMessage | IdleMessage) => parentPort!.postMessage(answer);
  try {
    if (message.kind === 'search') searchShare(message, send);
    else searchProblem(message, send);
  } catch (error) {
    send({ id: message.id, kind: 'failed', error: asError(error) });
  }
  send({ kind: 'idle' });
}

/** Solves this thread's share of a block. @returns a message if that finished the block, or failed */
function solveShare(block: BlockMessage): WorkerMessage | undefined {
  const { id, cells, limits, answers } = block;
  const puzzles = { geometry, cells };
  try {
    while (taker.take(block, geometry.cellCount)) {
      for (const _ of solver!.solve({ puzzles, from: taker.from, to: taker.to, limits, answers }));
      if (taker.finish(block)) return { id, kind: 'solved' };
    }
    return undefined;
  } catch (error) {
    if (error instanceof OutOfTimeError) return { id, kind: 'outOfTime' };
    return { id, kind: 'failed', error: asError(error) };
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Engines recognise ordinary geometries by identity, which a copy from another thread lacks. */
function received(copy: Geometry): Geometry {
  const { variant, size, boxRows, boxColumns } = copy;
  return variant === 'standard' ? standardGeometry(size, boxRows, boxColumns) : copy;
}
