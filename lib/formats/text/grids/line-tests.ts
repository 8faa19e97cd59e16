/** What lines of fields are: rows, openings and ends of lists. Cheap tests first, which most lines of other text fail. */
import { BACKSLASH, isBar, TAB } from '../../bytes/ascii.ts';
import {
  BARS,
  CELL,
  CLOSE,
  DOTS,
  HASHES,
  KINDS,
  LETTER,
  LISTS,
  PARTS,
  QUOTE,
  SPACE,
  SPACES,
  TABULATOR,
} from '../../bytes/byte-kinds.ts';
import type { LineWindow } from '../../bytes/line-window.ts';
import { adjacent, single } from '../shape/readings.ts';
import { MAX_OPENING, openingOf } from '../shape/surroundings.ts';
import type { TextContext } from '../text-context.ts';

/** A separator, a bracket or a quote among the first signs, or at the end. */
const HAS_PARTS = /^.{0,63}[[\](){}"'`,;|!/:\t]|[[\](){}"'`,;|!/:\t\\]$/;
/** A sign among the first ones that is in no row and in no declaration. */
const HAS_OTHER_SIGNS = /^.{0,31}(?:[#%+@\\^~]|[^\s!-~])/;
/** Whether line `at` starts with two letters, as most lines of other text do: no text is made of it to see that. */
function startsWithWord({ window }: TextContext, at: number): boolean {
  const from = window.text[at];
  const { bytes } = window;
  return from + 1 < window.end[at] && (KINDS[bytes[from]] & KINDS[bytes[from + 1]] & LETTER) !== 0;
}

/** Whether line `at` has a sign among its first ones that is in no row and in no declaration. */
function startsWithOther({ lines }: TextContext, at: number): boolean {
  return lines.has(at, ~(PARTS | CELL | SPACES) | HASHES) && HAS_OTHER_SIGNS.test(lines.text(at));
}

/** Bytes of the shortest row: four empty cells. */
const MIN_ROW_BYTES = 3;

/** Whether line `at` may have separators other than spaces, brackets or quotes. */
export function hasParts({ lines, window }: TextContext, at: number): boolean {
  const mayHave = (window.kinds[at] & PARTS) !== 0 || window.bytes[window.end[at] - 1] === BACKSLASH;
  return (mayHave && HAS_PARTS.test(lines.text(at))) || hasOuterTab(window, at);
}

/** Whether a tab is before or after the text of line `at`. */
function hasOuterTab({ bytes, start, end }: LineWindow, at: number): boolean {
  return bytes[start[at]] === TAB || bytes[end[at]] === TAB;
}

/** Whether tabs separate the fields of a line and one of them is empty: it has fewer tokens than cells. */
export function hasEmptyField({ lines, window }: TextContext, at: number): boolean {
  return lines.has(at, TABULATOR) && (lines.text(at).includes('\t\t') || hasOuterTab(window, at));
}

/** Whether line `at` has signs that are in no row and in no declaration, or starts with two letters, or is too short. */
export function isOtherText(context: TextContext, at: number): boolean {
  if (startsWithWord(context, at)) return true;
  const { text, end } = context.window;
  if (startsWithOther(context, at)) return true;
  return end[at] - text[at] < MIN_ROW_BYTES && !hasOuterTab(context.window, at);
}

/** Whether line `at` is a row of a grid of a size that is looked for. */
export function isFieldRow(context: TextContext, at: number): boolean {
  if (!hasParts(context, at) || !context.sink.book.isSize(fieldWidth(context, at))) return false;
  return context.lines.fields(at).structured;
}

/** Cells of line `at` if it is a row of a grid of any size; 0 if it is none. */
export function fieldWidth({ lines, sink }: TextContext, at: number): number {
  const one = lines.width(at, single);
  const other = lines.width(at, adjacent);
  return sink.book.isSize(one) || other === 0 ? one : other;
}

/** Whether a grid may start at line `at`. */
export function mayStartGrid(context: TextContext, at: number): boolean {
  // A line that starts with a word is no row.
  if (startsWithWord(context, at) && !mayBeOpening(context, at)) return false;
  if (isShortBar(context, at) || startsWithOther(context, at)) return false;
  return (!isOtherText(context, at) && isFieldRow(context, at)) || openingLine(context, at) !== undefined;
}

/** Whether line `at` is a bar or two, which is no row. */
export function isShortBar({ window: { bytes, text, end } }: TextContext, at: number): boolean {
  const length = end[at] - text[at];
  return (length === 1 || length === 2) && isBar(bytes[text[at]]);
}

/** The last signs of a line that opens a list, or a text of several lines in YAML: `grid: |`, `- |-`, `text: >`. */
const MAY_OPEN = /[[{("'`=:]$|[[{(][|!]$|[:-] (?:[|!]-?|>)$/;
/** Their last characters, before a text is made of the line. */
const LAST_SIGNS: ReadonlySet<number> = new Set([...'[{("\'`:=|!->'].map((sign) => sign.charCodeAt(0)));
/** Brackets or quotes alone. */
const OPENS = /^(?:-\s)?[\s[{(|>]*-?$|^[\s[{(]*("""|'''|`)$/;
/** Closing brackets or quotes, and signs after them: `];`, `}`, `|];`, `"""`. */
const CLOSING_SIGNS = /^[\])}"'`\s,;.|]+$/;

/** Whether line `at` may open a list: most lines do not. */
export function mayBeOpening({ lines, window }: TextContext, at: number): boolean {
  const [from, end] = [window.text[at], window.end[at]];
  if (end - from > MAX_OPENING || !LAST_SIGNS.has(window.bytes[end - 1])) return false;
  return MAY_OPEN.test(lines.text(at));
}

/** The name in line `at`, which opens a list or a text of several lines: `puzzle = [`, `{`, `"""`, `board:`. */
export function openingLine(
  context: TextContext,
  at: number,
): { readonly name: string | undefined } | undefined {
  if (!mayBeOpening(context, at)) return undefined;
  const text = context.lines.text(at);
  const opening = openingOf(text);
  return OPENS.test(text.slice(opening?.end ?? 0)) ? { name: opening?.name } : undefined;
}

/** Whether line `at` starts with a closing bracket: no grid continues there. */
export function startsWithClose({ lines, window }: TextContext, at: number): boolean {
  return lines.has(at, CLOSE) && (KINDS[window.bytes[window.text[at]]] & CLOSE) !== 0;
}

/** Whether line `at` closes lists or a text, and has nothing else. */
export function isClosingLine({ lines }: TextContext, at: number): boolean {
  if (!lines.has(at, CLOSE | QUOTE) || !lines.only(at, CLOSE | QUOTE | SPACE | LISTS | DOTS | BARS))
    return false;
  const text = lines.text(at);
  if (!CLOSING_SIGNS.test(text)) return false;
  const quotes = text.replaceAll(/[^"'`]/g, '').length;
  return /[\])}]/.test(text) || quotes === 3 || (quotes === 1 && text.startsWith('`'));
}
