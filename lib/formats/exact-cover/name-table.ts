import { textIn } from '../bytes/byte-text.ts';

/**
 * Assigns numbers to names (items, colours) given as bytes.
 *
 * It is a hash table with open addressing over the names' bytes: decoding a string for each name of each option would
 * take longer than all other work on it.
 *
 *     bytes   a l p h a b e t a ...        concatenated names, in the order of their numbers
 *     start   0         5       9
 *     slots   . . 1 . 0 . . .              number of a name, or -1; at most half of them are in use
 */
export class NameTable {
  #bytes = new Uint8Array(1024);
  #start = new Int32Array(64);
  #slots = new Int32Array(128).fill(-1);
  /** Numbers of names of one and two bytes, by those bytes, plus 1: they need no search. */
  readonly #short = new Int32Array(256);
  #pairs = new Int32Array(0);
  #count = 0;

  /** Number of names; the next one gets this number. */
  get count(): number {
    return this.#count;
  }

  /**
   * Finds the name in `bytes` from `from` to `to` (exclusive).
   *
   * @param code the name's hash code, if the caller has computed it
   * @returns its number; -1 if it was not added
   */
  find(bytes: Uint8Array, from: number, to: number, code = hashCode(bytes, from, to)): number {
    if (to - from === 1) return this.#short[bytes[from]] - 1;
    if (to - from === 2 && this.#pairs.length > 0)
      return this.#pairs[(bytes[from] << 8) | bytes[from + 1]] - 1;
    return this.#slots[this.#slotOf(bytes, from, to, code)];
  }

  /** The name with that number. */
  text(number: number): string {
    return textIn(this.#bytes, this.#start[number], this.#start[number + 1]);
  }

  /** Adds a name if it is new, and returns its number. */
  add(bytes: Uint8Array, from: number, to: number): number {
    const slot = this.#slotOf(bytes, from, to, hashCode(bytes, from, to));
    const known = this.#slots[slot];
    if (known >= 0) return known;
    const number = this.#count;
    const end = this.#start[number] + to - from;
    if (end > this.#bytes.length) this.#bytes = enlarged(this.#bytes, Math.max(end, this.#bytes.length * 2));
    this.#bytes.set(bytes.subarray(from, to), this.#start[number]);
    if (number + 1 === this.#start.length) {
      const larger = new Int32Array(this.#start.length * 2);
      larger.set(this.#start);
      this.#start = larger;
    }
    this.#start[number + 1] = end;
    this.#slots[slot] = number;
    if (to - from === 1) this.#short[bytes[from]] = number + 1;
    if (to - from === 2) {
      if (this.#pairs.length === 0) this.#pairs = new Int32Array(65536);
      this.#pairs[(bytes[from] << 8) | bytes[from + 1]] = number + 1;
    }
    this.#count++;
    if (this.#count * 2 > this.#slots.length) this.#rehash();
    return number;
  }

  /** The slot of a name, or the free slot for it. */
  #slotOf(bytes: Uint8Array, from: number, to: number, code: number): number {
    const names = this.#bytes;
    const start = this.#start;
    const slots = this.#slots;
    const mask = slots.length - 1;
    const length = to - from;
    // Mixes the high bits of the code into the used ones.
    let slot = (code ^ (code >>> 15)) & mask;
    for (;;) {
      const number = slots[slot];
      if (number < 0) return slot;
      const at = start[number];
      if (start[number + 1] - at === length) {
        let same = 0;
        while (same < length && names[at + same] === bytes[from + same]) same++;
        if (same === length) return slot;
      }
      slot = (slot + 1) & mask;
    }
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
    const bytes = this.#bytes;
    for (let number = 0; number < this.#count; number++) {
      const from = this.#start[number];
      const to = this.#start[number + 1];
      this.#slots[this.#slotOf(bytes, from, to, hashCode(bytes, from, to))] = number;
    }
  }
}

/** Hash code of the empty name, for `extendHash`. */
export const EMPTY_HASH = 0x811c9dc5 | 0;

/** The hash code (FNV-1a) of a name extended by one byte. */
export function extendHash(code: number, byte: number): number {
  return Math.imul(code ^ byte, 0x01000193);
}

function hashCode(bytes: Uint8Array, from: number, to: number): number {
  let code = EMPTY_HASH;
  for (let at = from; at < to; at++) code = extendHash(code, bytes[at]);
  return code;
}

function enlarged(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(bytes);
  return larger;
}
