/** Errors of wrong use of the library. A bad puzzle is a result, not an error. */

/** Values of {@link DlxBatchError.code}. */
export const ERROR_CODES = [
  'bad_argument',
  'bad_option',
  'bad_problem',
  'bad_position',
  'unreadable_file',
  'limit',
  'closed',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export class DlxBatchError extends Error {
  override readonly name: string = 'DlxBatchError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
