/**
 * Allocates many small byte arrays of similar lifetime in shared pieces of memory: allocating each one alone costs more
 * than filling it.
 */

/** Size of a shared piece of memory; it is kept as long as one array in it is. */
const SLAB_BYTES = 32 * 1024;

export class ByteSlab {
  #memory = new Uint8Array(0);
  #used = 0;

  /** @returns a new array of `length` bytes with undefined content */
  take(length: number): Uint8Array {
    if (this.#used + length > this.#memory.length) {
      this.#memory = new Uint8Array(Math.max(length, SLAB_BYTES));
      this.#used = 0;
    }
    const from = this.#used;
    this.#used += length;
    return this.#memory.subarray(from, this.#used);
  }

  /** @returns a copy of the bytes `from` to `to` (exclusive) */
  copy(bytes: Uint8Array, from: number, to: number): Uint8Array {
    const taken = this.take(to - from);
    for (let at = from; at < to; at++) taken[at - from] = bytes[at];
    return taken;
  }
}
