/**
 * Small arrays of bytes that are made by the thousand and last about as long as each other: many of them share one
 * piece of memory. An array of its own for each costs more than to fill it.
 */

/** Bytes of memory that small arrays share; while one of them is kept, so is all of it. */
const SLAB_BYTES = 32 * 1024;

export class ByteSlab {
  #memory = new Uint8Array(0);
  #used = 0;

  /** An array of `length` bytes that nobody else has; what stands in it is not defined. */
  take(length: number): Uint8Array {
    if (this.#used + length > this.#memory.length) {
      this.#memory = new Uint8Array(Math.max(length, SLAB_BYTES));
      this.#used = 0;
    }
    const from = this.#used;
    this.#used += length;
    return this.#memory.subarray(from, this.#used);
  }

  /** A copy of the bytes `from` to `to` (exclusive). */
  copy(bytes: Uint8Array, from: number, to: number): Uint8Array {
    const taken = this.take(to - from);
    for (let at = from; at < to; at++) taken[at - from] = bytes[at];
    return taken;
  }
}
