import { ByteBuffer } from '../bytes/byte-buffer.ts';
import { textIn } from '../bytes/byte-text.ts';

export type NameTable = ReturnType<typeof nameTable>;

/**
 * Assigns numbers to names (items, colours) given as bytes.
 *
 * It is a hash table with open addressing over the names' bytes: decoding a string for each name of each option would
 * take longer than all other work on it.
 *
 *     names   a l p h a b e t a ...        concatenated names, in the order of their numbers
 *     starts  0         5       9
 *     slots   . . 1 . 0 . . .              number of a name, or -1; at most half of them are in use
 */
export function nameTable() {
  const names = new ByteBuffer(64);
  const starts = [0];
  const codes: number[] = [];
  let slots = new Int32Array(16).fill(-1);
  /** Numbers of names of one and two bytes, by those bytes, plus 1: they need no search. Empty if there are none. */
  let shortNames = new Uint32Array(0);

  /** The slot of a name, or the free slot for it. */
  function slotOf(bytes: Uint8Array, from: number, to: number, code: number): number {
    for (let slot = firstSlot(code, slots); ; slot = nextSlot(slot, slots)) {
      const number = slots[slot];
      if (number < 0) return slot;
      const start = starts[number];
      if (starts[number + 1] - start !== to - from) continue;
      let at = from;
      while (at < to && names.bytes[start + at - from] === bytes[at]) at++;
      if (at === to) return slot;
    }
  }

  function grow(): void {
    const larger = new Int32Array(slots.length * 2).fill(-1);
    for (const [number, code] of codes.entries()) {
      let slot = firstSlot(code, larger);
      while (larger[slot] >= 0) slot = nextSlot(slot, larger);
      larger[slot] = number;
    }
    slots = larger;
  }

  return {
    /** Number of names; the next one gets this number. */
    get count(): number {
      return codes.length;
    },

    /**
     * Finds the name in `bytes` from `from` to `to` (exclusive).
     *
     * @param code its hash code
     * @returns its number; -1 if it was not added
     */
    find(bytes: Uint8Array, from: number, to: number, code = hashCode(bytes, from, to)): number {
      const short = shortName(bytes, from, to);
      if (short > 0) return shortNames.length === 0 ? -1 : shortNames[short] - 1;
      return slots[slotOf(bytes, from, to, code)];
    },

    /** The name with that number. */
    text(number: number): string {
      return textIn(names.bytes, starts[number], starts[number + 1]);
    },

    /** Adds a name if it is new, and returns its number. */
    add(bytes: Uint8Array, from: number, to: number, code = hashCode(bytes, from, to)): number {
      const known = this.find(bytes, from, to, code);
      if (known >= 0) return known;
      const number = codes.length;
      slots[slotOf(bytes, from, to, code)] = number;
      names.append(bytes, from, to);
      starts.push(names.length);
      codes.push(code);
      const short = shortName(bytes, from, to);
      if (short > 0 && shortNames.length === 0) shortNames = new Uint32Array(65536);
      shortNames[short] = number + 1;
      if (codes.length * 2 > slots.length) grow();
      return number;
    },
  };
}

/** The bytes of a name of one or two; 0 for others. */
function shortName(bytes: Uint8Array, from: number, to: number): number {
  if (to - from === 1) return bytes[from];
  return to - from === 2 && bytes[from] > 0 && bytes[from + 1] > 0 ? (bytes[from] << 8) | bytes[from + 1] : 0;
}

/** Mixes the high bits of a code into those that are used. */
function firstSlot(code: number, slots: Int32Array): number {
  return (code ^ (code >>> 15)) & (slots.length - 1);
}

function nextSlot(slot: number, slots: Int32Array): number {
  return (slot + 1) & (slots.length - 1);
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
