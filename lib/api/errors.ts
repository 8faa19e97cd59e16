/** Errors of wrong use of the library. A bad puzzle is a result, not an error. */

/**
 * All values of {@link DlxBatchError.code}:
 *
 * | code | meaning |
 * |---|---|
 * | `bad_argument` | an argument has a wrong type |
 * | `bad_option` | an option is unknown, or its value is invalid or out of range |
 * | `bad_problem` | items or options of an exact-cover problem contradict each other |
 * | `bad_position` | a saved position belongs to another problem, or is damaged |
 * | `unreadable_file` | a whole file cannot be read; `cause` has the reason, with its own `code` |
 * | `not_generated` | no puzzle with so few givens, or no full grid of this kind, was found |
 * | `limit` | the budget of an exact-cover search ran out: see `LimitError` |
 * | `closed` | the solver was closed |
 *
 * @example
 * ```ts
 * import { ERROR_CODES } from 'dlx-batch';
 *
 * ERROR_CODES.includes('bad_option'); // => true
 * ```
 */
export const ERROR_CODES = [
  'bad_argument',
  'bad_option',
  'bad_problem',
  'bad_position',
  'unreadable_file',
  'not_generated',
  'limit',
  'closed',
] as const;

/**
 * A value of {@link ERROR_CODES}.
 *
 * @example
 * ```ts
 * import type { ErrorCode } from 'dlx-batch';
 *
 * const code: ErrorCode = 'bad_option';
 * code; // => 'bad_option'
 * ```
 */
export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * Wrong use of the library. Its `code` is stable, its message is not. A bad puzzle never throws: it is a result with a
 * status and an error of its own.
 *
 * @example
 * ```ts
 * import { DlxBatchError, solve } from 'dlx-batch';
 *
 * let code;
 * try {
 *   solve('1...............', { engine: 'fastest' as 'dlx' });
 * } catch (error) {
 *   if (error instanceof DlxBatchError) code = error.code;
 * }
 * code; // => 'bad_option'
 * solve('too short').status; // => 'unreadable'
 * ```
 */
export class DlxBatchError extends Error {
  /** Name of the class. */
  override readonly name: string = 'DlxBatchError';
  /** Stable name of the error. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
