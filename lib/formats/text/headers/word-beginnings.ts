/** The first three letters of words, which few lines have: no text is made of the others. */
import { KINDS, LETTER } from '../../bytes/byte-kinds.ts';
import type { Line } from '../shape/line.ts';

/** @param words each three letters, separated by spaces */
export function beginningsOf(words: string): ReadonlySet<number> {
  return new Set(words.split(' ').map((letters) => lettersAt(new TextEncoder().encode(letters), 0)));
}

/** Whether a word of a line begins so, in any case. */
export function hasBeginning({ bytes, from, end }: Line, beginnings: ReadonlySet<number>): boolean {
  for (let at = from, before = 0; at + 2 < end; before = KINDS[bytes[at++]]) {
    if ((before & LETTER) === 0 && beginnings.has(lettersAt(bytes, at))) return true;
  }
  return false;
}

function lettersAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] << 16) | (bytes[at + 1] << 8) | bytes[at + 2] | 0x202020;
}
