/**
 * The table of readings: the ways in which the cells of a row are written. A grid's rows are all in one reading.
 *
 *     chars       53..7....                      each character is a cell
 *     tokens      5 3 . . 7 12                   each token between white space is one
 *     boxes       53.|.7.|...   53. .7. ...      each character, or each number, between bars or gaps
 *     single      5,3,,,7   [5, 3, 0]            each field is one, see `fields.ts`
 *     adjacent    530|070|000                    each character of the fields is one
 */
import { DASH, DOT, isWhite } from '../../bytes/ascii.ts';
import {
  BARS,
  BLANKS,
  CELL,
  COLONS,
  DIGIT,
  DRAWN,
  KINDS,
  PARTS,
  SPACE,
  SPACES,
  TABULATOR,
  WRAPS,
} from '../../bytes/byte-kinds.ts';
import type { GridBuffer } from '../../cells/grid-buffer.ts';
import { tokenCode } from '../../cells/token-code.ts';
import { BLANK, type FieldReading, type Fields } from './fields.ts';
import type { Line } from './line.ts';

/** Cells of the longest row of any size, plus a few. */
export const MAX_ROW_CELLS = 40;

/** How the cells of a line are written. */
export interface Reading {
  /** Its place among the widths that a line keeps, without `measure`. */
  readonly index?: number;
  /** The word for the cells of a row, in messages. */
  readonly unit: string;
  /** White space separates the cells. */
  readonly spaced: boolean;
  /** Number of cells of a line, 0 if it cannot be read so; by default that of `cut`, which a line keeps. */
  measure?(line: Line): number;
  /** Appends the cells of a line. @returns their number, 0 if it cannot be read so: then some may be appended */
  cut(line: Line, into: GridBuffer): number;
  /** Cells counted in any line, for messages; its width by default. */
  count?(line: Line): number;
  /** Where the first token is that is not a cell, if cells have several characters. */
  stray?(line: Line): readonly [from: number, to: number];
}

/** With all members, in one order: what is asked of every line is faster if all readings are objects of one shape. */
export function readingOf({ index = 0, unit, spaced, measure, cut, count, stray }: Reading): Reading {
  return { index, unit, spaced, measure, cut, count, stray };
}

export const chars = readingOf({
  unit: 'characters',
  spaced: false,
  measure: ({ length, kinds }) => (length <= MAX_ROW_CELLS && (kinds & ~CELL) === 0 ? length : 0),
  cut({ bytes, from, end, length }, into) {
    into.addBytes(bytes, from, end);
    return length;
  },
  count: ({ bytes, from, end }) => charactersIn(bytes, from, end),
});

export const tokens = readingOf({
  index: 0,
  unit: 'numbers',
  spaced: true,
  cut({ bytes, from, end, kinds, tokens: count }, into) {
    if (kinds & ~(CELL | SPACE)) return 0;
    for (let byte = from; byte < end; ) {
      const first = byte++;
      let code: number = bytes[first];
      if (byte < end && !isWhite(bytes[byte])) {
        do byte++;
        while (byte < end && !isWhite(bytes[byte]));
        code = tokenCode(bytes, first, byte);
        if (code < 0) return 0;
      }
      into.add(code, first);
      while (byte < end && isWhite(bytes[byte])) byte++;
    }
    return count;
  },
  count: ({ tokens: count }) => count,
  stray({ bytes, from, end }) {
    let [first, at] = [from, from];
    for (;;) {
      while (isWhite(bytes[first])) first++;
      at = first;
      while (at < end && !isWhite(bytes[at])) at++;
      if (at === end || tokenCode(bytes, first, at) < 0) return [first, at];
      first = at;
    }
  },
});

export const boxes = readingOf({
  unit: 'cells',
  spaced: false,
  measure: (line) => Math.abs(boxesOf(line)),
  cut(line, into) {
    const { bytes, from, end } = line;
    const count = boxesOf(line);
    const isDigit = (at: number) => at < end && (KINDS[bytes[at]] & DIGIT) !== 0;
    for (let at = from; count !== 0 && at < end; at++) {
      if ((KINDS[bytes[at]] & CELL) === 0) continue;
      const isNumber = count < 0 && isDigit(at) && isDigit(at + 1);
      into.add(isNumber ? tokenCode(bytes, at, at + 2) : bytes[at], at);
      if (isNumber) at++;
    }
    return Math.abs(count);
  },
});

function boxesOf(line: Line): number {
  const { known } = line;
  known.boxes ??= boxesIn(line);
  return known.boxes;
}

const GROUPS = /[\w.*?#-]+/g;

/** Cells of a line between bars or gaps, negative if some are numbers of two digits; 0 if it has neither, or other text. */
function boxesIn(line: Line): number {
  const { book, from, tokenEnd } = line;
  if (!line.only(CELL | BARS | COLONS | DRAWN | SPACES | TABULATOR)) return 0;
  const hasBars = line.has(BARS | COLONS | DRAWN);
  if (!hasBars) {
    // Without bars, each token is as wide as a box.
    const width = tokenEnd - from;
    const cells = line.tokens * width;
    if (line.tokens < 2 || width < 2 || !book.isSize(cells) || width !== book.geometry(cells).boxColumns)
      return 0;
  }
  const { groups, cells, widest, narrowest, hasMinusOne, areDigits } = groupsIn(line);
  const areEqual = narrowest === widest;
  if (!hasBars && !areEqual) return 0;
  // Signs of sums are bars only between boxes.
  if (line.has(DRAWN) && !(areEqual && book.isSize(cells) && widest === book.geometry(cells).boxColumns))
    return 0;
  // The blank -1 is one cell, not two.
  if (hasBars && hasMinusOne && book.isSize(groups)) return 0;
  // Numbers of two digits: the row has as many cells as groups, and the groups are not equally wide boxes.
  const areNumbers =
    areDigits && widest === 2 && book.isSize(groups) && (narrowest === 1 || !book.isSize(cells));
  // Without another blank in the row, spaces may be the blanks.
  const mayBeSpaced = hasBars && !line.has(BLANKS) && !line.text.includes('0');
  if (mayBeSpaced && !isEven(line.text, areNumbers)) return 0;
  return areNumbers ? -groups : cells;
}

/** The groups of cells of a line, and their widths. */
function groupsIn({ bytes, from, end }: Line) {
  let [groups, cells, widest, narrowest] = [0, 0, 0, Infinity];
  /** Whether all groups of two cells are digits, and some group is -1. */
  let [areDigits, hasMinusOne] = [true, false];
  for (let at = from; at < end; at++) {
    const first = at;
    while (at < end && KINDS[bytes[at]] & CELL) at++;
    const width = at - first;
    if (width === 0) continue;
    groups++;
    cells += width;
    widest = Math.max(widest, width);
    narrowest = Math.min(narrowest, width);
    if (width !== 2) continue;
    areDigits &&= (KINDS[bytes[first]] & KINDS[bytes[first + 1]] & DIGIT) !== 0;
    hasMinusOne ||= bytes[first] === DASH && bytes[first + 1] === ONE;
  }
  return { groups, cells, widest, narrowest, hasMinusOne, areDigits };
}

const ONE = 0x31;

/** Whether there are as many cells between all bars, at one distance; true if there are no spaces between the bars. */
function isEven(text: string, numbers: boolean): boolean {
  // The bars of a frame have nothing outside.
  const parts = text.split(/[|!:+=~]/).filter((part, k, all) => part !== '' || (k > 0 && k < all.length - 1));
  const cells = parts.map((part) => part.match(numbers ? /\S+/g : /\S/g)?.length ?? 0);
  if (cells.some((count) => count !== cells[0])) return !text.includes(' ');
  const gaps = parts.flatMap((part): string[] => part.match(/(?<=\S)\s*(?=\S)/g) ?? []);
  return numbers || gaps.every(({ length }) => length === gaps[0].length);
}

/** Appends the cells of the fields of a line. */
export function addFields({ bytes, start }: Line, { read }: Fields, reading: FieldReading, into: GridBuffer) {
  for (const { code, from, to } of read[reading]) {
    if (reading === 'single') into.add(code < 0 ? BLANK : code, start + from);
    else into.addBytes(bytes, start + from, start + to);
  }
}

/** Longer tokens are words for a blank, or not single cells; letters that words for a blank begin with. */
const MAX_CELL = 3;
const BLANK_WORDS = /[nueb]/i;

/** Whether the tokens of a line are neither cells nor groups of one length, as in most text: its fields need not be cut. */
function areWords({ bytes, from, end, kinds }: Line): boolean {
  if (kinds & (WRAPS | TABULATOR)) return false;
  // A dot after a bar ends a statement.
  if (kinds & (BARS | COLONS) && bytes[end - 1] === DOT) return false;
  let [width, isWide, areUnequal] = [0, false, false];
  for (let at = from; at < end && !(isWide && areUnequal); at++) {
    let to = at;
    while (to < end && (KINDS[bytes[to]] & (PARTS | SPACE)) === 0) to++;
    if (to === at) continue;
    width ||= to - at;
    areUnequal ||= to - at !== width;
    isWide ||= to - at > MAX_CELL && !BLANK_WORDS.test(String.fromCharCode(bytes[at]));
    at = to;
  }
  return isWide && areUnequal;
}

export interface FieldsReading extends Reading {
  readonly name: FieldReading;
}

function fieldReading(name: FieldReading): FieldsReading {
  const upToMax = (cells: number) => (cells > MAX_ROW_CELLS ? 0 : cells);
  const reading = readingOf({
    unit: 'cells',
    spaced: name === 'single',
    measure: (line) => {
      const { known } = line;
      if (known.fields === undefined) known.areWords ??= areWords(line);
      return known.fields === undefined && known.areWords ? 0 : upToMax(line.fields.cells[name]);
    },
    cut(line, into) {
      addFields(line, line.fields, name, into);
      return upToMax(line.fields.cells[name]);
    },
    count: ({ fields }) => fields.count,
    stray({ fields, start }) {
      const wide = fields.tokens.find(({ code }) => code < 0);
      const { from, to } = (name === 'single' ? wide : fields.stray) ?? fields.tokens[0];
      return [start + from, start + to];
    },
  });
  return { ...reading, name };
}

export const single = fieldReading('single');
export const adjacent = fieldReading('adjacent');
/** In the order in which they are tried. */
export const FIELD_READINGS = [single, adjacent] as const;
/** Index of the reading of overlapping grids. */
export const OVERLAPPING = 1;

/** The readings of a row whose notation is not known, the first that can read it: groups are no numbers. */
const ANY_READING = [chars, boxes, tokens, single, adjacent];

/**
 * Appends the cells of a line in any reading.
 *
 * @param size of the grid, if it is known: a reading with as many cells is preferred
 * @returns their number; 0 if the line is no row: then some may be appended
 */
export function cutRow(line: Line, into: GridBuffer, size = 0): number {
  const find = (slips: number) => ANY_READING.find((one) => Math.abs(line.width(one) - size) <= slips);
  const reading = size > 0 ? (find(0) ?? find(1)) : ANY_READING.find((one) => line.width(one) > 0);
  if (reading !== undefined) return reading.cut(line, into);
  // A damaged row: its characters.
  if (/[^\0- \w.*?#,;:|!/()[\]{}"'`-]/.test(line.text)) return 0;
  const before = into.count;
  for (const { 0: group, index } of line.text.matchAll(GROUPS)) {
    into.addBytes(line.bytes, line.from + index, line.from + index + group.length);
  }
  const count = into.count - before;
  return count <= MAX_ROW_CELLS && (size === 0 || Math.abs(count - size) <= 1) ? count : 0;
}

/** Characters of UTF-8 between two offsets of bytes. */
export function charactersIn(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if ((bytes[at] & 0xc0) !== 0x80) count++;
  return count;
}
