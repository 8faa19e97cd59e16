/**
 * Texts that were looked at and say nothing about puzzles: one that differs from them in digits alone says nothing, either.
 * So the comments above the puzzles of a file (`# number 12`, `#DNumber 12`) are searched for words once.
 */
import { DIGIT, KINDS } from '../bytes/byte-kinds.ts';

/** One for each second byte of a text, as those above a puzzle often start differently. */
const SLOTS = 8;
/** Longer ones are looked at each time. */
const MAX_BYTES = 48;

export class KnownTexts {
  readonly #texts = Array.from({ length: SLOTS }, () => new Uint8Array(MAX_BYTES));
  readonly #lengths = new Uint8Array(SLOTS);

  /** Whether the bytes `from` to `end` (exclusive) are a known text. */
  has(bytes: Uint8Array, from: number, end: number): boolean {
    const slot = slotOf(bytes, from);
    const text = this.#texts[slot];
    const length = this.#lengths[slot];
    if (end - from !== length) return false;
    for (let at = 0; at < length; at++) {
      const byte = bytes[from + at];
      if (byte !== text[at] && (KINDS[byte] & KINDS[text[at]] & DIGIT) === 0) return false;
    }
    return true;
  }

  add(bytes: Uint8Array, from: number, end: number): void {
    if (end - from > MAX_BYTES) return;
    const slot = slotOf(bytes, from);
    for (let at = from; at < end; at++) this.#texts[slot][at - from] = bytes[at];
    this.#lengths[slot] = end - from;
  }
}

function slotOf(bytes: Uint8Array, from: number): number {
  return bytes[from + 1] % SLOTS;
}
