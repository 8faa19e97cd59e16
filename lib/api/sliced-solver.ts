/** Solves blocks in this thread, in slices, so that events and an AbortSignal are handled during a long search. */
import type { BlockSolver } from '../batch/solving/block-solver.ts';
import {
  type BlockAnswers,
  markUnreadable,
  type PuzzleLimits,
  RangeSolver,
} from '../batch/solving/solve-block.ts';
import type { RecordBlock } from '../formats/records/record-block.ts';
import type { Engine } from '../sudoku/engine.ts';
import { clock } from './clock.ts';
import { nextTurn, TURN_MS } from './turn.ts';

/** Nodes of one puzzle after which the clock and the signal are checked: about a millisecond. */
const PAUSE_NODES = 2000;

export class SlicedSolver implements BlockSolver {
  readonly workers = 1;
  readonly depth = 1;
  readonly sharedMemory = false;
  readonly #solver: RangeSolver;
  #turnMs = clock.monotonicMs();
  /** Resolves when the block before is solved or abandoned: an engine has one search at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(engine: Engine) {
    this.#solver = new RangeSolver(engine, clock, PAUSE_NODES);
  }

  solve(
    block: RecordBlock,
    limits: PuzzleLimits,
    answers: BlockAnswers,
    signal?: AbortSignal,
  ): Promise<void> {
    const solved = this.#last.then(() => this.#solve(block, limits, answers, signal));
    this.#last = solved.catch(() => {});
    return solved;
  }

  async #solve(
    block: RecordBlock,
    limits: PuzzleLimits,
    answers: BlockAnswers,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    signal?.throwIfAborted();
    markUnreadable(block, answers);
    this.#solver.begin({ puzzles: block, from: 0, to: block.count, limits, answers });
    do {
      if (clock.monotonicMs() - this.#turnMs < TURN_MS) continue;
      await nextTurn();
      this.#turnMs = clock.monotonicMs();
      signal?.throwIfAborted();
    } while (!this.#solver.run());
  }
}
