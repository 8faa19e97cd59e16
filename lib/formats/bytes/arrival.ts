/**
 * A reader of a stream reads as if the whole file were there: who asks for bytes that have not arrived is interrupted, and is
 * called again when there are more. So what is read changes the state of its reader only after its last question.
 */

/** One object, as its stack is of no use. */
const NOT_ARRIVED = new Error('the bytes have not arrived');

/** Interrupts a reader that asks for bytes which have not arrived. */
export function notArrived(): never {
  throw NOT_ARRIVED;
}

/** The answer of `read`; false if it asks for bytes that have not arrived, and must be called again after more of them. */
export function unlessInterrupted(read: () => boolean): boolean {
  try {
    return read();
  } catch (error) {
    if (error === NOT_ARRIVED) return false;
    throw error;
  }
}
