/**
 * Solves a puzzle whose search is split into subproblems (lib/exact-cover/split), with threads that search them. The answer
 * is the one that its engine gives without threads.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../batch/ports.ts';
import { Elsewhere, type SplitProgress } from '../batch/solving/elsewhere.ts';
import { statusCodeOf } from '../batch/solving/puzzle-status.ts';
import {
  type BlockAnswers,
  checkAnswer,
  OutOfTimeError,
  type PuzzleLimits,
} from '../batch/solving/solve-block.ts';
import type { SubproblemSolver } from '../batch/solving/subproblem-solver.ts';
import { type Engine, type PuzzleCells, Stop } from '../sudoku/engine.ts';

/** Search nodes, some milliseconds' worth, between two turns of the event loop. */
const SLICE_NODES = 2_000;

export interface SplitDependencies {
  /** It solves nothing else meanwhile. */
  readonly engine: Engine;
  readonly clock: Clock;
  /** They search nothing else meanwhile. */
  readonly subproblems: SubproblemSolver;
  /** Called during the search. */
  readonly onSearch?: ((search: SplitProgress) => void) | undefined;
}

/**
 * Solves a puzzle whose givens do not clash.
 *
 * @param index of the puzzle, and of its answer
 * @throws OutOfTimeError at the deadline
 * @throws Error if the engine's answer is not a solution
 */
export async function solveSplit(
  puzzles: PuzzleCells,
  index: number,
  { maxSolutions, maxNodes, maxMs, deadlineMs }: PuzzleLimits,
  answers: BlockAnswers,
  { engine, clock, subproblems, onSearch }: SplitDependencies,
): Promise<void> {
  const elsewhere = new Elsewhere(subproblems, { maxSolutions, maxNodes, each: true });
  const { openAnswers } = elsewhere;
  const limits = { maxSolutions, maxNodes, sliceNodes: SLICE_NODES, pauseAtSolution: false, openAnswers };
  const { stop, solutions, status, solveUs } = answers;
  const startMs = clock.monotonicMs();
  let ms = 0;
  engine.searchBytes = 0;
  try {
    engine.solve(puzzles, index, index + 1, limits, answers);
    while (stop[index] === Stop.paused && ms <= maxMs) {
      if (clock.monotonicMs() > deadlineMs) throw new OutOfTimeError();
      await (engine.isWaiting ? elsewhere.progress() : nextTurn());
      const search = elsewhere.progressOf(answers, index);
      if (search !== undefined) onSearch?.(search);
      engine.resume(limits, answers);
      ms = clock.monotonicMs() - startMs;
    }
  } finally {
    elsewhere.close();
  }
  answers.searchBytes[index] = Math.max(answers.searchBytes[index]!, engine.searchBytes);
  if (stop[index] === Stop.paused) stop[index] = Stop.nodeLimit;
  if (solutions[index]! > 0) checkAnswer(engine, puzzles, index, answers);
  solveUs[index] = ms * 1000;
  status[index] = statusCodeOf(stop[index]!, solutions[index]!, maxSolutions);
}
