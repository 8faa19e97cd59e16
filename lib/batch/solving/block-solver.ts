/** Who solves blocks: this thread, or (behind the same interface, in lib/node) a pool of worker threads. */
import type { RecordBlock } from '../../formats/records/record-block.ts';
import type { Engine } from '../../sudoku/engine.ts';
import type { Clock } from '../ports.ts';
import { type BlockAnswers, markUnreadable, type PuzzleLimits, RangeSolver } from './solve-block.ts';

export interface BlockSolver {
  /** Threads that solve. */
  readonly workers: number;
  /** Blocks that may be under way at once; the job reads on until so many are. */
  readonly depth: number;
  /** Whether blocks and answers must lie in shared memory. */
  readonly sharedMemory: boolean;
  /** Solves every record of a block. */
  solve(block: RecordBlock, limits: PuzzleLimits, answers: BlockAnswers): Promise<void>;
}

/** Solves in this thread. */
export class InlineSolver implements BlockSolver {
  readonly workers = 1;
  readonly depth = 1;
  readonly sharedMemory = false;
  readonly #solver: RangeSolver;

  constructor(engine: Engine, clock: Clock) {
    this.#solver = new RangeSolver(engine, clock);
  }

  async solve(block: RecordBlock, limits: PuzzleLimits, answers: BlockAnswers): Promise<void> {
    markUnreadable(block, answers);
    this.#solver.begin({ puzzles: block, from: 0, to: block.count, limits, answers });
    this.#solver.run();
  }
}
