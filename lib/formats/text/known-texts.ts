/**
 * Texts that were looked at and say nothing about puzzles: one that differs from them in digits alone says nothing, either.
 * So the comments above the puzzles of a file (`# number 12`, `#DNumber 12`) are searched for words once, and so are the headings
 * of sections that are skipped.
 */

/** One for each second byte of a text, as those above a puzzle often start differently. */
const SLOTS = 8;
/** Longer ones are looked at each time. */
const MAX_BYTES = 48;

export class KnownTexts {
  /** With a zero for each digit. */
  readonly #bytes = new Uint8Array(SLOTS * MAX_BYTES);
  readonly #lengths = new Uint8Array(SLOTS);

  /** Whether the bytes `from` to `end` (exclusive) are a known text. */
  has(bytes: Uint8Array, from: number, end: number): boolean {
    const slot = bytes[from + 1] % SLOTS;
    if (end - from !== this.#lengths[slot]) return false;
    const known = this.#bytes;
    for (let at = from, place = slot * MAX_BYTES; at < end; at++, place++)
      if (withoutDigit(bytes[at]) !== known[place]) return false;
    return true;
  }

  add(bytes: Uint8Array, from: number, end: number): void {
    if (end - from > MAX_BYTES) return;
    const slot = bytes[from + 1] % SLOTS;
    for (let at = from, place = slot * MAX_BYTES; at < end; at++, place++)
      this.#bytes[place] = withoutDigit(bytes[at]);
    this.#lengths[slot] = end - from;
  }
}

function withoutDigit(byte: number): number {
  return byte >= 48 && byte <= 57 ? 48 : byte;
}
