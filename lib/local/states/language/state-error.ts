/** An error with a name: one of the states language, such as `States.Timeout`, or that of a function's own error. */
export class StateError extends Error {
  /** The name that Retry matches and the execution reports. */
  readonly errorName: string;

  /** @param cause human-readable description */
  constructor(error: string, cause: string) {
    super(cause);
    this.errorName = error;
  }
}

/** Error names of the states language, which Retry may name. Other names that begin with `States.` do not exist. */
export const STATE_ERRORS: readonly string[] = [
  'States.ALL',
  'States.BranchFailed',
  'States.DataLimitExceeded',
  'States.ExceedToleratedFailureThreshold',
  'States.HeartbeatTimeout',
  'States.Http.Socket',
  'States.IntrinsicFailure',
  'States.ItemReaderFailed',
  'States.NoChoiceMatched',
  'States.ParameterPathFailure',
  'States.Permissions',
  'States.QueryEvaluationError',
  'States.ResultPathMatchFailure',
  'States.ResultWriterFailed',
  'States.Runtime',
  'States.TaskFailed',
  'States.Timeout',
];

/** Largest data in bytes of UTF-8, inclusive, of a state's input or output. */
const MAX_DATA_BYTES = 262_144;

/**
 * Checks data against the size limit of the service.
 *
 * @throws StateError States.DataLimitExceeded
 */
export function checkSize(data: unknown, what: string): void {
  checkTextSize(JSON.stringify(data) ?? '', what);
}

/** As `checkSize`, for JSON text. */
export function checkTextSize(text: string, what: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_DATA_BYTES) return;
  throw new StateError(
    'States.DataLimitExceeded',
    `${what} has ${bytes} bytes, at most ${MAX_DATA_BYTES} are allowed: pass a key in S3 instead`,
  );
}
