/** The six statuses of a puzzle, and how they follow from an engine's answer. */
import type { SolutionCount } from '../../exact-cover/solution-count.ts';
import { Stop } from '../../sudoku/engine.ts';

export const PUZZLE_STATUSES = [
  'solved',
  'multiple',
  'unsolvable',
  'invalid',
  'unreadable',
  'limit',
] as const;
export type PuzzleStatus = (typeof PUZZLE_STATUSES)[number];

/** Index of a status in `PUZZLE_STATUSES`, as in the arrays of a block. */
export const StatusCode = {
  solved: 0,
  multiple: 1,
  unsolvable: 2,
  invalid: 3,
  unreadable: 4,
  limit: 5,
} as const satisfies Record<PuzzleStatus, number>;

/**
 * The status of a puzzle whose givens do not clash.
 *
 * `limit` means unknown: the budget ran out before a proof. Two solutions prove `multiple`, however the search ended. One
 * solution is `solved` if the search was exhausted, or if only one was requested.
 *
 * @param stop a `Stop` at which a search has ended
 * @param solutions number of solutions found
 * @param maxSolutions number of solutions requested
 */
export function statusCodeOf(stop: number, solutions: SolutionCount, maxSolutions: number): number {
  if (solutions > 1) return StatusCode.multiple;
  if (stop === Stop.nodeLimit) return StatusCode.limit;
  if (solutions === 0) return StatusCode.unsolvable;
  if (stop === Stop.exhausted || maxSolutions === 1) return StatusCode.solved;
  throw new Error(
    `an engine stopped with ${stop} after 1 of ${maxSolutions} solutions: a defect of the engine`,
  );
}

/**
 * The status of a puzzle of which random solutions are drawn.
 *
 * @param total number of its solutions; undefined if they are not counted
 */
export function drawStatus(total: SolutionCount | undefined, drawn: number, requested: number): number {
  if (total === 0) return StatusCode.unsolvable;
  if (total === undefined || drawn < requested) return StatusCode.limit;
  return total === 1 ? StatusCode.solved : StatusCode.multiple;
}
