/**
 * The characters of blanks, in one table for all readers.
 *
 *     sign     . * _ - ?      no symbol of any alphabet
 *     #                       the same; it also starts comments, see `hash-blanks.ts`
 *     0                       a blank unless it is a digit
 *     x X                     a blank unless it is a letter of the alphabet
 *     space, -1               a blank that is seen by its place
 */
import { type CellCode, codeText, MINUS_ONE } from './grid-buffer.ts';

export const BLANK_SIGNS = '.*_-?';
/** In order of preference. */
const USUAL = '0.X*_-?x #';
/** May be mixed without a warning. */
const MIXED = '0._';
/** Other than letters and space: the fast path can take a puzzle with one of them. */
const PLAIN = `0${BLANK_SIGNS}`;

/** Codes that are no symbol of any alphabet. */
export const BLANK_CODES: ReadonlySet<CellCode> = new Set([
  MINUS_ONE,
  ...[...`${BLANK_SIGNS} #`].map((sign) => sign.charCodeAt(0)),
]);

export function isUsualBlank(code: CellCode): boolean {
  return code === MINUS_ONE || USUAL.includes(codeText(code));
}

/** The usual blanks among codes, the preferred one first. */
export function usualBlanks(codes: readonly CellCode[]): CellCode[] {
  const rank = (code: CellCode) => {
    const place = code === MINUS_ONE ? -1 : USUAL.indexOf(codeText(code));
    return place < 0 ? USUAL.length : place;
  };
  return codes.filter(isUsualBlank).sort((a, b) => rank(a) - rank(b));
}

export function mayBeMixed(code: CellCode): boolean {
  return MIXED.includes(codeText(code));
}

export function isPlainBlank(blank: string): boolean {
  return PLAIN.includes(blank);
}
