/**
 * How the words begin that make a line a heading: few lines have such a word, so no text is made of the others, and most are
 * known by one pass over their bytes.
 */
import { KINDS, LETTER } from '../../bytes/byte-kinds.ts';

/** Bits of the table. */
export const RULE_WORD = 1;
export const RESULT_WORD = 2;
export const SECTION_WORD = 4;
/** It is a heading if it is alone on its line. */
export const LONE_WORD = 8;
export const ANY_WORD = RULE_WORD | RESULT_WORD | SECTION_WORD;

/** Bytes of a beginning, of which the first two and the last tell the words from most others. */
export const BEGINNING = 5;
/** By these three, five bits of each: what a word that begins so may be. */
const table = new Uint8Array(1 << 15);
const enter = (kind: number, ...beginnings: readonly string[]) => {
  for (const text of beginnings) table[placeOf(new TextEncoder().encode(text), 0)] |= kind;
};
enter(RULE_WORD, 'littl', 'kille', 'therm', 'arrow', 'knigh', 'antik', 'anti ', 'anti-', 'kropk', 'sandw');
enter(RULE_WORD, 'palin', 'renba', 'whisp', 'conse', 'nonco', 'great', 'futos', 'kenke', 'calcu', 'kakur');
enter(
  RULE_WORD,
  'windo',
  'hyper',
  'samur',
  'jigsa',
  'irreg',
  'diago',
  'latin',
  'gatta',
  'x-sud',
  'x sud',
  'sudok',
  'varia',
  'class',
  'norma',
  'stand',
);
enter(RESULT_WORD, 'outpu', 'resul', 'compl', 'finis', 'fille');
enter(SECTION_WORD, 'begin', 'end p', 'end g', 'end s', 'end a');
enter(LONE_WORD, 'puzzl', 'sudok', 'probl', 'unsol', 'quest', 'initi', 'input', 'start');

/** Whether a word in the bytes `from` to `end` (exclusive) begins like one of a kind, in any case. */
export function hasBeginning(bytes: Uint8Array, from: number, end: number, kind: number): boolean {
  for (let at = from, before = 0; at + BEGINNING <= end; at++) {
    const letter = KINDS[bytes[at]] & LETTER;
    if (letter > before && table[placeOf(bytes, at)] & kind) return true;
    before = letter;
  }
  return false;
}

function placeOf(bytes: Uint8Array, at: number): number {
  return ((bytes[at] & 31) << 10) | ((bytes[at + 1] & 31) << 5) | (bytes[at + BEGINNING - 1] & 31);
}
