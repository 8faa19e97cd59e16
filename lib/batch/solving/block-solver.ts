/** Solves blocks: in this thread, or, by the same interface, in a pool of other threads (worker-pool.ts). */
import type { RecordBlock } from '../../formats/records/record-block.ts';
import type { Engine } from '../../sudoku/engine.ts';
import type { Clock } from '../ports.ts';
import { type BlockAnswers, markUnreadable } from './block-answers.ts';
import type { PuzzleLimits } from './drive.ts';
import type { SubproblemSolver } from './elsewhere.ts';
import type { ProblemSolver } from './problems-ahead.ts';
import { type RangeOptions, RangeSolver } from './range-solver.ts';

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
  /** @param signal abandons the block */
  solve(block: RecordBlock, limits: PuzzleLimits, answers: BlockAnswers, signal?: AbortSignal): Promise<void>;
}

/** Milliseconds of a search of this thread after which other events may have their turn. */
export const TURN_MS = 2;

/** Solves in this thread. */
export class InlineSolver implements BlockSolver {
  readonly workers = 1;
  readonly depth = 1;
  readonly sharedMemory = false;
  readonly #solver: RangeSolver;
  readonly #pause: (() => Promise<void> | undefined) | undefined;
  /** Resolves when the block before is solved or abandoned: an engine has one search at a time. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param pause called every few milliseconds: other events may have their turn until it resolves. @default never */
  constructor(
    engine: Engine,
    clock: Clock,
    pause?: () => Promise<void> | undefined,
    options?: Pick<RangeOptions, 'rate'>,
  ) {
    this.#solver = new RangeSolver(engine, clock, { ...options, sliceMs: pause && TURN_MS });
    this.#pause = pause;
  }

  solve(
    block: RecordBlock,
    limits: PuzzleLimits,
    answers: BlockAnswers,
    signal?: AbortSignal,
  ): Promise<void> {
    const turn = async () => {
      await this.#pause?.();
      signal?.throwIfAborted();
    };
    const solved = this.#last.then(async () => {
      await turn();
      markUnreadable(block, answers);
      const range = { puzzles: block, from: 0, to: block.count, limits, answers };
      for (const _ of this.#solver.solve(range)) await turn();
    });
    this.#last = solved.catch(() => {});
    return solved;
  }
}
