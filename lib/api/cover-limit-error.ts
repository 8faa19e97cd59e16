/** The error of a search of an exact cover whose budget ran out. */
import type { CoverPosition } from './cover-position.ts';
import { DlxBatchError } from './errors.ts';

/**
 * A budget ran out before the search was finished: nothing is proven. `from: error.position` continues.
 *
 * @example
 * ```ts
 * import { exactCover, LimitError } from 'dlx-batch/exact-cover';
 *
 * const digits = [0, 1, 2, 3, 4, 5];
 * const options = digits.flatMap((row) => digits.map((column) => [`row ${row}`, `column ${column}`]));
 * const primary = digits.flatMap((digit) => [`row ${digit}`, `column ${digit}`]);
 * const cover = exactCover({ primary, options });
 * let total: number | bigint = 0;
 * try {
 *   cover.count({ maxNodes: 100 });
 * } catch (error) {
 *   if (error instanceof LimitError) total = cover.count({ from: error.position });
 * }
 * total; // => 720
 * ```
 */
export class LimitError extends DlxBatchError {
  /** Name of the class. */
  override readonly name = 'LimitError';
  /** Where the search stopped; it has the numbers of solutions and nodes so far. */
  readonly position: CoverPosition;

  constructor(position: CoverPosition) {
    const { solutions, nodes } = position;
    super('limit', `the search budget ran out: ${solutions} solutions after ${nodes} nodes, more may exist`);
    this.position = position;
  }
}
