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

/** Largest data in bytes of UTF-8, inclusive, of a state's input or output. */
const MAX_DATA_BYTES = 262_144;

/**
 * Checks data against the size limit of the service.
 *
 * @throws StateError States.DataLimitExceeded
 */
export function checkSize(data: unknown, what: string): void {
  const bytes = Buffer.byteLength(JSON.stringify(data) ?? '');
  if (bytes <= MAX_DATA_BYTES) return;
  throw new StateError(
    'States.DataLimitExceeded',
    `${what} has ${bytes} bytes, at most ${MAX_DATA_BYTES} are allowed: pass a key in S3 instead`,
  );
}
