/** Lines around and within grids that have no cells: rulers, and brackets or quotes alone. */
import {
  COLON,
  COMMA,
  DASH,
  DOT,
  EQUALS,
  GREATER,
  isBar,
  isWhite,
  PLUS,
  SEMICOLON,
  SPACE,
  STAR,
  UNDERSCORE,
} from '../../bytes/ascii.ts';
import { isRuler } from '../drawings/rulers.ts';
import type { LineWindow } from '../line-window.ts';
import type { TextContext } from '../text-context.ts';
import { CLOSE, OPEN, PARTS, QUOTE } from './line-parts.ts';
import { MAX_OPENING_BYTES, openingOf } from './openings.ts';

/** Columns of the smallest table, and dashes of a column that is no row of blanks. */
const MIN_COLUMNS = 4;
const MIN_DASHES = 2;
/** Quotes that open a text of several lines. */
const TEXT_QUOTES = 3;

/** Whether line `at` only draws. */
export function isFrame(context: TextContext, at: number): boolean {
  const { bytes, text, end } = context.window;
  const first = bytes[text[at]];
  // Most lines start with a cell or a bracket.
  if (end[at] - text[at] < 3 || !isFrameByte(first)) return false;
  return isRuler(context, at) || isTableRuler(context, at) || isCorneredRuler(context, at);
}

function isFrameByte(byte: number): boolean {
  return (
    isBar(byte) || isCorner(byte) || byte === DASH || byte === EQUALS || byte === STAR || byte === UNDERSCORE
  );
}

/** The ends of drawn lines: `.-----.`, `:-----:`, `'-----'`. */
function isCorner(byte: number): boolean {
  return byte === PLUS || byte === DOT || byte === COLON || byte === 39 || byte === 96;
}

/** Whether line `at` separates the first row of a Markdown table: `|---|:-:|`. */
export function isTableRuler({ window }: TextContext, at: number): boolean {
  const { bytes, text, end } = window;
  let columns = 0;
  let dashes = 0;
  let narrowest = Number.POSITIVE_INFINITY;
  for (let byte = text[at]; byte <= end[at]; byte++) {
    if (byte === end[at] || (isBar(bytes[byte]) && bytes[byte] !== COLON)) {
      if (dashes > 0) {
        columns++;
        narrowest = Math.min(narrowest, dashes);
      } else if (byte > text[at] && byte < end[at]) return false;
      dashes = 0;
    } else if (bytes[byte] === DASH || bytes[byte] === COLON) dashes++;
    else if (bytes[byte] !== 32) return false;
  }
  return columns >= MIN_COLUMNS && narrowest >= MIN_DASHES;
}

/** Whether line `at` is drawn between corners, or of `=` or `_` alone. */
function isCorneredRuler({ window }: TextContext, at: number): boolean {
  const { bytes, text, end } = window;
  let dashes = 0;
  let plain = true;
  for (let byte = text[at]; byte < end[at]; byte++) {
    const character = bytes[byte];
    if (character === DASH) dashes++;
    else if (character !== EQUALS && character !== UNDERSCORE && character !== 32 && !isBar(character)) {
      if (!isCorner(character)) return false;
    } else if (character === EQUALS || character === UNDERSCORE) dashes++;
    if (character !== EQUALS && character !== UNDERSCORE) plain = false;
  }
  const cornered = isCorner(bytes[text[at]]) && isCorner(bytes[end[at] - 1]);
  return plain || (cornered && dashes * 2 > end[at] - text[at]);
}

/** A line with an opening bracket or quote, and no cells. */
export interface OpeningLine {
  readonly name: string | undefined;
}

/** Whether line `at` opens a list or a text of several lines: `puzzle = [`, `{`, `"""`, `board:`. */
export function openingLine({ window }: TextContext, at: number): OpeningLine | undefined {
  const { text, end } = window;
  if (!mayBeOpening(window, at)) return undefined;
  const line = window.string(text[at], end[at]);
  const opening = openingOf(line);
  const rest = line.slice(opening?.end ?? 0);
  const opens = /^(?:-\s)?[\s[{(|>]*-?$/.test(rest) || /^[\s[{(]*("""|'''|`)$/.test(rest);
  return opens ? { name: opening?.name } : undefined;
}

/** A cheap test that most lines fail: the last byte. */
export function mayBeOpening({ bytes, text, end }: LineWindow, at: number): boolean {
  const [from, to] = [text[at], end[at]];
  if (to - from > MAX_OPENING_BYTES) return false;
  const last = bytes[to - 1];
  if (PARTS[last] === OPEN || PARTS[last] === QUOTE || last === EQUALS || last === COLON) return true;
  if (isBar(last)) return PARTS[bytes[to - 2]] === OPEN || isBlockSign(bytes, to);
  return (last === GREATER || (last === DASH && isBar(bytes[to - 2]))) && isBlockSign(bytes, to);
}

/** Whether a text of several lines in YAML starts: `grid: |`, `- |-`, `text: >`. */
function isBlockSign(bytes: Uint8Array, to: number): boolean {
  const sign = bytes[to - 1] === DASH ? to - 2 : to - 1;
  return bytes[sign - 1] === SPACE && (bytes[sign - 2] === COLON || bytes[sign - 2] === DASH);
}

/** Whether line `at` starts with a closing bracket: no grid continues there. */
export function startsWithClose({ window: { bytes, text } }: TextContext, at: number): boolean {
  return PARTS[bytes[text[at]]] === CLOSE;
}

/** `, ; . |` */
const CLOSING_SIGNS = [COMMA, SEMICOLON, DOT, 124];

/** Whether line `at` closes lists or a text, and has nothing else: `];`, `}`, `|];`, `"""`. */
export function isClosingLine({ window }: TextContext, at: number): boolean {
  const { bytes, text, end } = window;
  let closes = 0;
  let quotes = 0;
  for (let byte = text[at]; byte < end[at]; byte++) {
    const part = PARTS[bytes[byte]];
    if (part === CLOSE) closes++;
    else if (part === QUOTE) quotes++;
    else if (!isWhite(bytes[byte]) && !CLOSING_SIGNS.includes(bytes[byte])) {
      return false;
    }
  }
  return closes > 0 || quotes === TEXT_QUOTES || (quotes === 1 && bytes[text[at]] === 96);
}
