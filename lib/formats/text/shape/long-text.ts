/**
 * The first and the last line of a text of several lines in program code, whose delimiter is no cell:
 *
 *     puzzle = """53..7....          const puzzle = `53..7....
 *     6..195...                      6..195...
 *     ....8..79"""                   ....8..79`;
 */
import { BACKTICK } from '../../bytes/ascii.ts';
import { BARS, BLANKS, CELL, DIGIT, KINDS, kindsIn, QUOTE, SPACE } from '../../bytes/byte-kinds.ts';
import { charactersOf } from '../../bytes/byte-text.ts';
import { openingOf } from './surroundings.ts';

/** What may be between a declaration and the delimiter. */
const BEFORE = /^[(\s]*[a-z]?$/i;
/** What may follow the last one. */
const ENDING = /^[\s),;]*$/;
/** Bytes of the longest line that is looked at. */
const MAX_BYTES = 400;

/** A row beside a delimiter. */
interface LongTextRow {
  readonly from: number;
  readonly end: number;
  /** That of the text which begins with it, if it has one. */
  readonly name: string | undefined;
}

/** The row in the bytes `from` to `end` (exclusive) of a line with quotes; undefined if it is no such line. */
export function rowOfLongText(bytes: Uint8Array, from: number, end: number): LongTextRow | undefined {
  if (end - from > MAX_BYTES) return undefined;
  let open = from;
  while ((KINDS[bytes[open]] & QUOTE) === 0) open++;
  const sign = bytes[open];
  const close = open + (sign === BACKTICK ? 1 : 3);
  for (let at = open; at < close; at++) if (bytes[at] !== sign) return undefined;
  if (close > end) return undefined;
  if (areCells(bytes, close, end)) {
    const text = charactersOf(bytes, from, open + 1);
    const opening = openingOf(text);
    const isFirst = BEFORE.test(text.slice(opening?.end ?? 0, -1));
    return isFirst ? { from: close, end, name: opening?.name } : undefined;
  }
  const isLast = areCells(bytes, from, open) && ENDING.test(charactersOf(bytes, close, end));
  return isLast ? { from, end: open, name: undefined } : undefined;
}

/** Whether bytes are cells, not all of them letters. */
function areCells(bytes: Uint8Array, from: number, end: number): boolean {
  const kinds = kindsIn(bytes, from, end);
  return (kinds & ~(CELL | SPACE | BARS)) === 0 && (kinds & (DIGIT | BLANKS)) !== 0;
}
