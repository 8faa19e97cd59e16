import { ByteBuffer } from '../bytes/byte-buffer.ts';
import { textIn } from '../bytes/byte-text.ts';
import { IntList } from './int-list.ts';

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
  readonly #bytes = new ByteBuffer(64);
  readonly #start = new IntList();
  #slots = new Int32Array(16).fill(-1);
  /** Numbers of names of one and two bytes, by those bytes, plus 1: they need no search. Empty if there are none. */
  #short = new Uint32Array(0);

  constructor() {
    this.#start.push(0);
  }

  /** Number of names; the next one gets this number. */
  get count(): number {
    return this.#start.length - 1;
  }

  /**
   * Finds the name in `bytes` from `from` to `to` (exclusive).
   *
   * @param code its hash code, if the caller has computed it
   * @returns its number; -1 if it was not added
   */
  find(bytes: Uint8Array, from: number, to: number, code?: number): number {
    const short = shortName(bytes, from, to);
    if (short > 0) return this.#short.length === 0 ? -1 : this.#short[short] - 1;
    return this.#slots[this.#slotOf(bytes, from, to, code)];
  }

  /** The name with that number. */
  text(number: number): string {
    return textIn(this.#bytes.bytes, this.#start.at(number), this.#start.at(number + 1));
  }

  /** Adds a name if it is new, and returns its number. */
  add(bytes: Uint8Array, from: number, to: number, code?: number): number {
    const known = this.find(bytes, from, to, code);
    if (known >= 0) return known;
    const slot = this.#slotOf(bytes, from, to, code);
    const number = this.count;
    this.#bytes.append(bytes, from, to);
    this.#start.push(this.#bytes.length);
    this.#slots[slot] = number;
    const short = shortName(bytes, from, to);
    if (short > 0 && this.#short.length === 0) this.#short = new Uint32Array(65536);
    this.#short[short] = number + 1;
    if (this.count * 2 > this.#slots.length) this.#rehash();
    return number;
  }

  /** The slot of a name, or the free slot for it. */
  #slotOf(bytes: Uint8Array, from: number, to: number, code = hashCode(bytes, from, to)): number {
    const { bytes: names } = this.#bytes;
    const slots = this.#slots;
    const last = slots.length - 1;
    const length = to - from;
    // The high bits of the code are mixed into those that are used.
    for (let slot = (code ^ (code >>> 15)) & last; ; slot = (slot + 1) & last) {
      const number = slots[slot];
      if (number < 0) return slot;
      const start = this.#start.at(number);
      if (this.#start.at(number + 1) - start !== length) continue;
      let same = 0;
      while (same < length && names[start + same] === bytes[from + same]) same++;
      if (same === length) return slot;
    }
  }

  #rehash(): void {
    const { bytes } = this.#bytes;
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
    for (let number = 0; number < this.count; number++) {
      const [from, to] = [this.#start.at(number), this.#start.at(number + 1)];
      this.#slots[this.#slotOf(bytes, from, to)] = number;
    }
  }
}

/** The bytes of a name of one or two; 0 for others. */
function shortName(bytes: Uint8Array, from: number, to: number): number {
  if (to - from === 1) return bytes[from];
  return to - from === 2 && bytes[from] > 0 && bytes[from + 1] > 0 ? (bytes[from] << 8) | bytes[from + 1] : 0;
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
