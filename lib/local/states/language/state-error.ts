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

/** A defect in the data or the definition of a state: States.Runtime, which names the state. */
export class StateFault extends StateError {
  constructor(reason: string) {
    super('States.Runtime', reason);
  }

  in(state: string): StateError {
    return new StateError(
      this.errorName,
      `An error occurred while executing the state '${state}'. ${this.message}`,
    );
  }
}

/** Largest data in bytes of UTF-8, inclusive, of a state's input or output. */
const MAX_DATA_BYTES = 262_144;

/**
 * Checks data against the size limit of the service.
 *
 * @param source state or service that returned it
 * @throws StateError States.DataLimitExceeded
 */
export function checkSize(data: unknown, source: string): void {
  if (!exceedsLimit(JSON.stringify(data) ?? '')) return;
  throw new StateError(
    'States.DataLimitExceeded',
    `The state/task '${source}' returned a result with a size exceeding the maximum number of bytes service limit.`,
  );
}

/** Whether JSON text is too long for the service. */
export function exceedsLimit(text: string): boolean {
  return Buffer.byteLength(text) > MAX_DATA_BYTES;
}
