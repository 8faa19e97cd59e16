/** Lines around and within grids that have no cells, but brackets or quotes alone. */
import {
  COLON,
  COMMA,
  DASH,
  DOT,
  EQUALS,
  GREATER,
  isBar,
  isWhite,
  SEMICOLON,
  SPACE,
} from '../../bytes/ascii.ts';
import { CLOSE, KINDS, OPEN, QUOTE } from '../byte-kinds.ts';
import type { LineWindow } from '../line-window.ts';
import { MAX_OPENING_BYTES, openingOf } from '../shape/openings.ts';
import type { TextContext } from '../text-context.ts';

/** Quotes that open a text of several lines. */
const TEXT_QUOTES = 3;

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
  if (KINDS[last] & (OPEN | QUOTE) || last === EQUALS || last === COLON) return true;
  if (isBar(last)) return (KINDS[bytes[to - 2]] & OPEN) !== 0 || isBlockSign(bytes, to);
  return (last === GREATER || (last === DASH && isBar(bytes[to - 2]))) && isBlockSign(bytes, to);
}

/** Whether a text of several lines in YAML starts: `grid: |`, `- |-`, `text: >`. */
function isBlockSign(bytes: Uint8Array, to: number): boolean {
  const sign = bytes[to - 1] === DASH ? to - 2 : to - 1;
  return bytes[sign - 1] === SPACE && (bytes[sign - 2] === COLON || bytes[sign - 2] === DASH);
}

/** Whether line `at` starts with a closing bracket: no grid continues there. */
export function startsWithClose({ window: { bytes, text } }: TextContext, at: number): boolean {
  return (KINDS[bytes[text[at]]] & CLOSE) !== 0;
}

/** `, ; . |` */
const CLOSING_SIGNS = [COMMA, SEMICOLON, DOT, 124];

/** Whether line `at` closes lists or a text, and has nothing else: `];`, `}`, `|];`, `"""`. */
export function isClosingLine({ window }: TextContext, at: number): boolean {
  const { bytes, text, end } = window;
  let closes = 0;
  let quotes = 0;
  for (let byte = text[at]; byte < end[at]; byte++) {
    const kind = KINDS[bytes[byte]];
    if (kind & CLOSE) closes++;
    else if (kind & QUOTE) quotes++;
    else if (!isWhite(bytes[byte]) && !CLOSING_SIGNS.includes(bytes[byte])) {
      return false;
    }
  }
  return closes > 0 || quotes === TEXT_QUOTES || (quotes === 1 && bytes[text[at]] === 96);
}
