/** A trouble that has a name in the states language, such as `States.Timeout`, or the name of a function's own error. */
export class StateError extends Error {
  /** What Retry and the end of an execution call it. */
  readonly error: string;

  /** @param cause what happened, for people */
  constructor(error: string, cause: string) {
    super(cause);
    this.error = error;
  }
}

/** Largest data in bytes of UTF-8, inclusive, that a state takes or gives. */
const MAX_DATA_BYTES = 262_144;

/**
 * Holds data to the limit of the service, which a test on one machine would never meet.
 *
 * @throws StateError States.DataLimitExceeded
 */
export function checkSize(data: unknown, what: string): void {
  const bytes = Buffer.byteLength(JSON.stringify(data) ?? '');
  if (bytes <= MAX_DATA_BYTES) return;
  throw new StateError(
    'States.DataLimitExceeded',
    `${what} has ${bytes} bytes, and ${MAX_DATA_BYTES} are allowed: pass a key in S3 instead`,
  );
}
