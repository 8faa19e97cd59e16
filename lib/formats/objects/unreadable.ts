/** How the parts of a reader of objects end it: the first thing that is wrong with an object is its error. */
import { type Fault, makeFault } from '../records/fault.ts';
import type { ParseErrorCode } from '../records/record-block.ts';

/** One object, as its stack is of no use and takes long to make. */
const UNREADABLE = new Error('an object cannot be read');
let found: Fault | undefined;

/**
 * Ends the reading of an object.
 *
 * @param scalar index of the value that is wrong; negative for the whole object
 */
export function fail(code: ParseErrorCode, what: string, expected: string, scalar = -1): never {
  found = makeFault(code, scalar, what, expected);
  throw UNREADABLE;
}

/** Why `read` ended early; undefined if it did not. */
export function faultOf(read: () => void): Fault | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error !== UNREADABLE) throw error;
    return found;
  }
}
