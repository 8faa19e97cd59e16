/** What lines of fields are: rows, openings and ends of lists. Cheap tests first, which most lines of other text fail. */
import { BACKSLASH, TAB } from '../../bytes/ascii.ts';
import {
  BARS,
  CELL,
  CLOSE,
  CONTROL,
  DOTS,
  HASHES,
  HIGH,
  KINDS,
  kindsIn,
  LISTS,
  PARTS,
  QUOTE,
  SPACE,
  SPACES,
  startsWithWord,
  TABULATOR,
} from '../../bytes/byte-kinds.ts';
import { type Line, MAX_TEXT } from '../shape/line.ts';
import { adjacent, single } from '../shape/readings.ts';
import { MAX_OPENING, openingOf } from '../shape/surroundings.ts';

/** The first bytes of a line, among which a row has separators, brackets or quotes, and no others. */
const FIRST_BYTES = 64;
const FIRST_SIGNS = 32;
/** Signs that are in no row and in no declaration: these, control characters and all but ASCII. */
const isOtherSign = Uint8Array.from({ length: 256 }, (_, byte) =>
  '#%+@\\^~'.includes(String.fromCharCode(byte)) || KINDS[byte] & (CONTROL | HIGH) ? 1 : 0,
);

/** Whether the text in the bytes `from` to `end` (exclusive) is words that open nothing: no grid starts with it. */
export function isWords(bytes: Uint8Array, from: number, end: number): boolean {
  return startsWithWord(bytes, from) && !LAST_SIGNS.has(bytes[end - 1]);
}

/** Whether a line may have separators other than spaces, brackets or quotes: among its first bytes, or at its end. */
export function hasParts(line: Line): boolean {
  const { bytes, from, end, length } = line;
  const last = bytes[end - 1];
  const kinds = line.has(PARTS)
    ? KINDS[last] | kindsIn(bytes, from, from + Math.min(length, FIRST_BYTES))
    : 0;
  return (kinds & PARTS) !== 0 || (last === BACKSLASH && length <= MAX_TEXT) || hasOuterTab(line);
}

/** Whether a tab is before or after the text of a line. */
function hasOuterTab({ bytes, start, end }: Line): boolean {
  return bytes[start] === TAB || bytes[end] === TAB;
}

/** Whether tabs separate the fields of a line and one of them is empty: it has fewer tokens than cells. */
export function hasEmptyField(line: Line): boolean {
  return line.has(TABULATOR) && (line.text.includes('\t\t') || hasOuterTab(line));
}

/** Whether a line is a row of a grid of a size that is looked for. */
export function isFieldRow(line: Line): boolean {
  return hasParts(line) && line.book.isSize(fieldWidth(line)) && line.fields.structured;
}

/** Cells of a line if it is a row of a grid of any size; 0 if it is none. */
export function fieldWidth(line: Line): number {
  const one = line.width(single);
  const other = line.width(adjacent);
  return line.book.isSize(one) || other === 0 ? one : other;
}

/** Whether a line starts with a word, or has a sign among its first ones that is in no row: most text has, and is not cut. */
export function isOtherText(line: Line): boolean {
  const { bytes, from, end } = line;
  if (startsWithWord(bytes, from)) return true;
  if (!line.has(~(PARTS | CELL | SPACES) | HASHES)) return false;
  const last = Math.min(end, from + FIRST_SIGNS);
  for (let at = from; at < last; at++) if (isOtherSign[bytes[at]] === 1) return true;
  return false;
}

/** Whether a grid may start at a line that follows other text. A line that ends with a backslash belongs to that text. */
export function mayStartGrid(line: Line): boolean {
  const isOther = isOtherText(line) || line.bytes[line.end - 1] === BACKSLASH;
  return (!isOther && isFieldRow(line)) || openingOfLine(line) !== undefined;
}

/** The last signs of a line that opens a list, or a text of several lines in YAML: `grid: |`, `- |-`, `text: >`. */
const MAY_OPEN = /[[{("'`=:]$|[[{(][|!]$|[:-] (?:[|!]-?|>)$/;
/** Their last characters, before a text is made of the line. */
const LAST_SIGNS: ReadonlySet<number> = new Set([...'[{("\'`:=|!->'].map((sign) => sign.charCodeAt(0)));
/** Brackets or quotes alone. */
const OPENS = /^(?:-\s)?[\s[{(|>]*-?$|^[\s[{(]*("""|'''|`|```)$/;

/** Whether a line may open a list: most lines do not. */
export function mayBeOpening(line: Line): boolean {
  if (line.length > MAX_OPENING || !LAST_SIGNS.has(line.bytes[line.end - 1])) return false;
  return MAY_OPEN.test(line.text);
}

/** The name in a line which opens a list or a text of several lines: `puzzle = [`, `{`, `"""`, `board:`. */
export function openingOfLine(line: Line): { readonly name: string | undefined } | undefined {
  if (!mayBeOpening(line)) return undefined;
  const opening = openingOf(line.text);
  return OPENS.test(line.text.slice(opening?.end ?? 0)) ? { name: opening?.name } : undefined;
}

/** Whether a line starts with a closing bracket: no grid continues there. */
export function startsWithClose({ bytes, from, length }: Line): boolean {
  return length > 0 && (KINDS[bytes[from]] & CLOSE) !== 0;
}

/** Whether a line closes lists or a text, and has nothing else. */
export function isClosingLine(line: Line): boolean {
  if (!line.has(CLOSE | QUOTE) || !line.only(CLOSE | QUOTE | SPACE | LISTS | DOTS | BARS)) return false;
  const { text } = line;
  const quotes = text.replaceAll(/[^"'`]/g, '').length;
  return line.has(CLOSE) || quotes === 3 || (quotes === 1 && text.startsWith('`'));
}
