/** The answers to the records of a block, in arrays that several threads may share. */
import type { SolutionCount } from '../../exact-cover/solution-count.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import { type Answers, Stop } from '../../sudoku/engine.ts';
import { RATINGS, type Rating } from '../../sudoku/rating/scale.ts';
import { StatusCode } from './puzzle-status.ts';
import type { RecordAnswer } from './record-search.ts';

/** The answer to each record of a block. */
export interface BlockAnswers extends Answers {
  /** A `StatusCode`. */
  readonly status: Uint8Array;
  /** Its number among `RATINGS`, from 1; 0 if it is not rated. */
  readonly rating: Uint8Array;
  /** Time in the engine for this puzzle alone, in microseconds. */
  readonly solveUs: Float64Array;
  /** Most bytes of a search: for records that were solved together, in the entry of the first one. */
  readonly searchBytes: Float64Array;
  /** Counts beyond 2^53 - 1, by record; `solutions` has them rounded. */
  largeCounts?: Map<number, bigint> | undefined;
}

/** In `rating`: the puzzle has too many digits for a rating. */
export const TOO_LARGE = 255;

/** The rating of a record; undefined if it has none. */
export function ratingOf({ rating }: BlockAnswers, index: number): Rating | undefined {
  return RATINGS[rating[index]! - 1];
}

/** Solutions found of a record. */
export function solutionsOf({ solutions, largeCounts }: BlockAnswers, index: number): SolutionCount {
  return largeCounts?.get(index) ?? solutions[index]!;
}

/**
 * Answers to a block, one entry for each record.
 *
 * @param shared whether the arrays are in shared memory, for worker threads
 */
export function createBlockAnswers(capacity: number, cellCount: number, shared = false): BlockAnswers {
  const buffer = (bytes: number) => (shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
  const numbers = () => new Float64Array(buffer(capacity * 8));
  const bytes = (count: number) => new Uint8Array(buffer(count));
  return {
    solutions: numbers(),
    stop: bytes(capacity),
    nodes: numbers(),
    guesses: numbers(),
    cells: bytes(capacity * cellCount),
    status: bytes(capacity),
    rating: bytes(capacity),
    solveUs: numbers(),
    searchBytes: numbers(),
  };
}

/** Marks the unreadable records, so that they are not searched; discards what is known of the block before. */
export function markUnreadable(block: RecordBlock, answers: BlockAnswers): void {
  answers.largeCounts = undefined;
  answers.status.fill(StatusCode.solved, 0, block.count);
  answers.rating.fill(0, 0, block.count);
  for (const [index, notes] of block.notes) {
    if (notes.error !== undefined) answers.status[index] = StatusCode.unreadable;
  }
}

/** Puts the answer to a record that was searched alone. */
export function putAnswer(answers: BlockAnswers, index: number, answer: RecordAnswer): void {
  const { solutions } = answer;
  answers.solutions[index] = Number(solutions);
  answers.stop[index] = answer.stop;
  answers.nodes[index] = answer.nodes;
  answers.guesses[index] = answer.guesses;
  answers.status[index] = answer.status;
  answers.solveUs[index] = answer.solveUs;
  answers.searchBytes[index] = Math.max(answers.searchBytes[index]!, answer.searchBytes);
  if (typeof solutions !== 'bigint') return;
  answers.largeCounts ??= new Map();
  answers.largeCounts.set(index, solutions);
}

/** Clears the answer to a record that no engine solves: no solutions, no nodes. */
export function clearAnswer(answers: BlockAnswers, index: number): void {
  answers.solutions[index] = 0;
  answers.stop[index] = Stop.exhausted;
  answers.nodes[index] = 0;
  answers.guesses[index] = 0;
  answers.solveUs[index] = 0;
}
