/** How the parts of a reader of objects end it: the first thing that is wrong with an object is its error. */
import { type Fault, makeFault } from '../records/fault.ts';
import type { ParseErrorCode } from '../records/record-block.ts';

class Unreadable extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.found);
    this.fault = fault;
  }
}

/**
 * Ends the reading of an object.
 *
 * @param scalar index of the value that is wrong; negative for the whole object
 */
export function fail(code: ParseErrorCode, found: string, expected: string, scalar = -1): never {
  throw new Unreadable(makeFault(code, scalar, found, expected));
}

/** Why `read` ended early; undefined if it did not. */
export function faultOf(read: () => void): Fault | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof Unreadable) return error.fault;
    throw error;
  }
}
