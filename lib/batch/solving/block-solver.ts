/** Solves blocks: in this thread, or, by the same interface, in a pool of worker threads (lib/node). */
import type { RecordBlock } from '../../formats/records/record-block.ts';
import type { Engine } from '../../sudoku/engine.ts';
import type { Clock } from '../ports.ts';
import type { ProblemSolver } from './problem-solver.ts';
import { type BlockAnswers, markUnreadable, type PuzzleLimits, RangeSolver } from './solve-block.ts';
import type { SubproblemSolver } from './subproblem-solver.ts';

export interface BlockSolver {
  /** Number of solving threads. */
  readonly workers: number;
  /** Number of blocks to keep pending at the same time. */
  readonly depth: number;
  /** Whether blocks and answers must be in shared memory. */
  readonly sharedMemory: boolean;
  /** For long searches of a single problem; undefined without other threads. */
  readonly subproblems?: SubproblemSolver;
  /** For the other problems of an exact-cover file meanwhile; undefined without other threads. */
  readonly problems?: ProblemSolver;
  solve(block: RecordBlock, limits: PuzzleLimits, answers: BlockAnswers): Promise<void>;
}

/** Search nodes, some milliseconds' worth, after which a puzzle is paused. */
export const PAUSE_NODES = 2_000;

/** Solves in this thread. */
export class InlineSolver implements BlockSolver {
  readonly workers = 1;
  readonly depth = 1;
  readonly sharedMemory = false;
  readonly #solver: RangeSolver;
  readonly #pause: (() => Promise<void> | undefined) | undefined;

  /** @param pause called every few milliseconds: other events may have their turn until it resolves. @default never */
  constructor(engine: Engine, clock: Clock, pause?: () => Promise<void> | undefined) {
    this.#solver = new RangeSolver(engine, clock, pause && PAUSE_NODES);
    this.#pause = pause;
  }

  async solve(block: RecordBlock, limits: PuzzleLimits, answers: BlockAnswers): Promise<void> {
    markUnreadable(block, answers);
    this.#solver.begin({ puzzles: block, from: 0, to: block.count, limits, answers });
    while (!this.#solver.run()) await this.#pause?.();
  }
}
