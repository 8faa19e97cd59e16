/** Kinds of bytes in lines that hold the cells of a grid between separators, brackets and quotes. */
import { KINDS, LETTER } from '../byte-kinds.ts';
import type { LineWindow } from '../line-window.ts';

export const SPACE = 1;
export const OPEN = 2;
export const CLOSE = 3;
export const QUOTE = 4;
/** Separates fields in a line that has it: an empty field is a blank. */
export const HARD = 5;
/** Separates fields in a line without other separators and brackets. */
export const TAB = 6;

const kinds = new Uint8Array(256);
for (const character of ' \v\f') kinds[character.charCodeAt(0)] = SPACE;
for (const character of '[{(') kinds[character.charCodeAt(0)] = OPEN;
for (const character of ']})') kinds[character.charCodeAt(0)] = CLOSE;
for (const character of '"\'`') kinds[character.charCodeAt(0)] = QUOTE;
for (const character of ',;|!/') kinds[character.charCodeAt(0)] = HARD;
kinds[9] = TAB;

/** `PARTS[byte]`: the kind of a byte. */
export const PARTS: Readonly<Uint8Array> = kinds;

export function isBar(byte: number): boolean {
  return byte === 124 || byte === 33;
}

export function isWhite(byte: number): boolean {
  return PARTS[byte] === SPACE || PARTS[byte] === TAB;
}

/** Bytes of a line in which a separator or a bracket is looked for. */
const SAMPLE_BYTES = 64;

/** Whether line `at` may have separators other than spaces, brackets or quotes; a cheap test that most lines fail. */
export function hasParts({ bytes, start, text, end, tokens }: LineWindow, at: number): boolean {
  const last = Math.min(end[at], text[at] + SAMPLE_BYTES);
  for (let byte = text[at]; byte < last; byte++) if (PARTS[bytes[byte]] > SPACE) return true;
  if (tokens[at] > 0 && PARTS[bytes[end[at] - 1]] > SPACE) return true;
  return PARTS[bytes[start[at]]] === TAB || PARTS[bytes[end[at]]] === TAB;
}

/** Bytes of a line that are checked for other signs. */
const CHECKED_BYTES = 32;

/** Whether line `at` has signs that are in no row and in no declaration; a cheap test for lines after other text. */
export function hasOtherSigns({ bytes, text, end }: LineWindow, at: number): boolean {
  const to = Math.min(end[at], text[at] + CHECKED_BYTES);
  for (let byte = text[at]; byte < to; byte++) if (OTHER[bytes[byte]]) return true;
  return false;
}

/** Whether line `at` starts with two letters, as most other text does, or is shorter than any row. */
export function startsLikeText({ bytes, start, text, end }: LineWindow, at: number): boolean {
  const from = text[at];
  if ((KINDS[bytes[from]] & KINDS[bytes[from + 1]] & LETTER) !== 0) return true;
  return end[at] - from < MIN_ROW_BYTES && PARTS[bytes[start[at]]] !== TAB && PARTS[bytes[end[at]]] !== TAB;
}

/** Bytes of the shortest row: four empty cells. */
const MIN_ROW_BYTES = 3;

/** `OTHER[byte]`: 1 for signs that are in no row and in no declaration. */
const OTHER = new Uint8Array(256);
for (const character of '#%+@\\^~') OTHER[character.charCodeAt(0)] = 1;
OTHER.fill(1, 0, 9);
OTHER.fill(1, 14, 32);
OTHER.fill(1, 127);

/** Text before the cells of a line, and the name in it, if any. */
export interface Opening {
  /** Offset in the text of the line. */
  readonly end: number;
  readonly name: string | undefined;
}

/** Bytes of a line in which a name is looked for. */
export const MAX_OPENING_BYTES = 160;

/** `int[][] board =`, `let board: [[u8; 9]; 9] =`, `puzzle :=` */
const ASSIGNMENT = /^([^="'`]*?[\w$\]>)])\s*:?=(?![=>])\s*/;
/** `"easy":`, `grid:` */
const KEY = /^(["']?)([A-Za-z_][\w .-]*)\1\s*:(?!:)\s*(?=["'`[{(]|$)/;
/** `problem(1,`, `puzzle("easy",` */
const FACT = /^[A-Za-z_]\w*\s*\(\s*["']?([\w ]+)["']?\s*,\s*(?=[[{(])/;
/** `vec!`, `new int[][]`, `np.array`, `List.of`, `std::array<int, 9>` */
const CONSTRUCTOR =
  /^(?:return\s+)?(?:new\s+|&)?[A-Za-z_][\w.:]*(?:<[\w\s:,<>]*>)?(?:\[\s*\d*\s*\])*!?\s*(?=["'`[{(])/;

/** The text before the cells of a line of code; undefined if it has none. */
export function openingOf(text: string): Opening | undefined {
  let end = 0;
  let name: string | undefined;
  const fact = FACT.exec(text);
  if (fact !== null) return { end: fact[0].length, name: fact[1] };
  const assignment = ASSIGNMENT.exec(text);
  const key = assignment === null ? KEY.exec(text) : null;
  if (assignment !== null) {
    end = assignment[0].length;
    name = nameIn(assignment[1]);
  } else if (key !== null) {
    end = key[0].length;
    name = key[2].trim();
  }
  // A constructor may be within another one: `np.array(`, `vec![vec![`.
  for (let made = CONSTRUCTOR.exec(text.slice(end)); made !== null; ) {
    end += made[0].length;
    const brackets = /^[[{(\s]*/.exec(text.slice(end))?.[0].length ?? 0;
    made = CONSTRUCTOR.exec(text.slice(end + brackets));
    if (made !== null) end += brackets;
  }
  return end === 0 ? undefined : { end, name };
}

/** The name that a declaration gives: its last word without types. */
function nameIn(declaration: string): string | undefined {
  const plain = declaration.replace(/\[[^\]]*\]|<.*>/g, ' ').replace(/(?<!:):(?!:).*/, '');
  return /([A-Za-z_$][\w$]*)\W*$/.exec(plain)?.[1];
}
