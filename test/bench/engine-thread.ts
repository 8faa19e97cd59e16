/** A thread that solves all puzzles of a case with an engine, as often as requested: only the engine, no pipeline. */
import { parentPort, workerData } from 'node:worker_threads';
import { SOLUTION_LIMIT } from '../../lib/cli/bench/measure.ts';
import { createAnswers, type EngineName } from '../../lib/sudoku/engine.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';

export interface EngineThreadStart {
  readonly engine: EngineName;
  readonly size: number;
  readonly cells: Uint8Array;
  readonly count: number;
}

/** The wall time and the processor time of a pass, for this thread. */
export interface PassTimes {
  readonly wallMs: number;
  readonly cpuMs: number;
}

const { engine: name, size, cells, count } = workerData as EngineThreadStart;
const engine = createEngine(name);
const puzzles = { geometry: standardGeometry(size), cells };
const answers = createAnswers(count, puzzles.geometry.cellCount);
const limits = {
  maxSolutions: SOLUTION_LIMIT,
  maxNodes: Number.POSITIVE_INFINITY,
  sliceNodes: Number.POSITIVE_INFINITY,
  pauseAtSolution: false,
};

parentPort!.on('message', (times: number) => {
  const cpu = process.threadCpuUsage();
  const startMs = performance.now();
  for (let k = 0; k < times; k++) engine.solve(puzzles, 0, count, limits, answers);
  const wallMs = performance.now() - startMs;
  const { user, system } = process.threadCpuUsage(cpu);
  parentPort!.postMessage({ wallMs, cpuMs: (user + system) / 1000 } satisfies PassTimes);
});
