/**
 * The table of readings: the ways in which the cells of a row are written. A grid's rows are all in one reading.
 *
 *     chars       53..7....                      each character is a cell
 *     tokens      5 3 . . 7 12                   each token between white space is one
 *     boxes       53.|.7.|...   53. .7. ...      each character, or each number, between bars or gaps
 *     single      5,3,,,7   [5, 3, 0]            each field is one, see `fields.ts`
 *     adjacent    530|070|000                    each character of the fields is one
 */
import { DASH, DOT, isWhite, ONE, ZERO } from '../../bytes/ascii.ts';
import {
  BARS,
  BLANKS,
  CELL,
  COLONS,
  DIGIT,
  KINDS,
  PARTS,
  SPACE,
  SPACES,
  TABULATOR,
  WRAPS,
} from '../../bytes/byte-kinds.ts';
import type { LineWindow } from '../../bytes/line-window.ts';
import type { GridBuffer } from '../../cells/grid-buffer.ts';
import { tokenCode } from '../../cells/token-code.ts';
import { BLANK, type FieldReading, type Fields } from './fields.ts';
import { type LineShapes, MAX_TEXT, type Reading } from './line-shapes.ts';

/** Cells of the longest row of any size, plus a few. */
export const MAX_ROW_CELLS = 40;

export const chars: Reading = {
  index: 0,
  unit: 'characters',
  spaced: false,
  measure(lines, at) {
    const { text, end, kinds } = lines.window;
    const width = end[at] - text[at];
    return width <= MAX_ROW_CELLS && (kinds[at] & ~CELL) === 0 ? width : 0;
  },
  cut({ window: { bytes, text, end } }, at, into) {
    into.addBytes(bytes, text[at], end[at]);
    return end[at] - text[at];
  },
  count: (lines, at) => charactersIn(lines.text(at)),
};

export const tokens: Reading = {
  index: 1,
  unit: 'numbers',
  spaced: true,
  cut({ window: { bytes, text, end, tokens, kinds } }, at, into) {
    if (kinds[at] & ~(CELL | SPACE)) return 0;
    const last = end[at];
    for (let byte = text[at]; byte < last; ) {
      const from = byte++;
      let code: number = bytes[from];
      if (byte < last && !isWhite(bytes[byte])) {
        do byte++;
        while (byte < last && !isWhite(bytes[byte]));
        code = tokenCode(bytes, from, byte);
        if (code < 0) return 0;
      } else if ((KINDS[code] & CELL) === 0) return 0;
      into.add(code, from);
      while (byte < last && isWhite(bytes[byte])) byte++;
    }
    return tokens[at];
  },
  count: ({ window }, at) => window.tokens[at],
  stray(lines, at) {
    const { bytes, text } = lines.window;
    const places = Array.from(lines.text(at).matchAll(/\S+/g), ({ 0: { length }, index }) => {
      return [text[at] + index, text[at] + index + length] as const;
    });
    return places.find(([from, to]) => tokenCode(bytes, from, to) < 0) ?? places[places.length - 1];
  },
};

export const boxes: Reading = {
  index: 2,
  unit: 'cells',
  spaced: false,
  measure: (lines, at) => Math.abs(boxesIn(lines, at)),
  cut(lines, at, into) {
    const count = boxesIn(lines, at);
    const { bytes, text, end } = lines.window;
    const isDigit = (byte: number) => byte < end[at] && (KINDS[bytes[byte]] & DIGIT) !== 0;
    for (let byte = text[at]; count !== 0 && byte < end[at]; byte++) {
      if ((KINDS[bytes[byte]] & CELL) === 0) continue;
      const isNumber = count < 0 && isDigit(byte) && isDigit(byte + 1);
      into.add(isNumber ? tokenCode(bytes, byte, byte + 2) : bytes[byte], byte);
      if (isNumber) byte++;
    }
    return Math.abs(count);
  },
};

const BETWEEN = BARS | COLONS | SPACES | TABULATOR;

/** Cells of line `at` between bars or gaps, negative if some are numbers of two digits; 0 if it has neither, or other text. */
function boxesIn(lines: LineShapes, at: number): number {
  if (!lines.only(at, CELL | BETWEEN) || !lines.has(at, BETWEEN)) return 0;
  const { book, window } = lines;
  const { bytes, end } = window;
  let [groups, cells, narrowest, widest] = [0, 0, MAX_TEXT, 0];
  let [hasZero, hasMinusOne] = [false, false];
  for (let byte = window.text[at]; byte < end[at]; byte++) {
    const from = byte;
    for (; byte < end[at] && KINDS[bytes[byte]] & CELL; byte++) hasZero ||= bytes[byte] === ZERO;
    const width = byte - from;
    if (width === 0) continue;
    groups++;
    cells += width;
    if (width < narrowest) narrowest = width;
    if (width > widest) widest = width;
    hasMinusOne ||= width === 2 && bytes[from] === DASH && bytes[from + 1] === ONE;
  }
  const hasBars = lines.has(at, BARS | COLONS);
  // The blank -1 is one cell, not two.
  if (hasBars && hasMinusOne && book.isSize(groups)) return 0;
  // Without bars, each token is as wide as a box.
  if (!hasBars) {
    if (groups < 2 || widest < 2 || groups * widest !== cells || !book.isSize(cells)) return 0;
    if (widest !== book.geometry(cells).boxColumns) return 0;
  }
  // Numbers of two digits: the row has as many cells as groups, and the groups are not equally wide boxes.
  const numbers = widest === 2 && book.isSize(groups) && (narrowest === 1 || !book.isSize(cells));
  // Without another blank in the row, spaces may be the blanks.
  if (hasBars && !hasZero && !lines.has(at, BLANKS) && !isEven(lines.text(at), numbers)) return 0;
  return numbers ? -groups : cells;
}

/** Whether there are as many cells between all bars, at one distance; true if there are no spaces between the bars. */
function isEven(text: string, numbers: boolean): boolean {
  // The bars of a frame have nothing outside.
  const parts = text.split(/[|!:]/).filter((part, k, all) => part !== '' || (k > 0 && k < all.length - 1));
  const cells = parts.map((part) => part.match(numbers ? /\S+/g : /\S/g)?.length ?? 0);
  if (cells.some((count) => count !== cells[0])) return !text.includes(' ');
  const gaps = parts.flatMap((part): string[] => part.match(/(?<=\S)\s*(?=\S)/g) ?? []);
  return numbers || gaps.every(({ length }) => length === gaps[0].length);
}

/** Appends the cells of the fields of line `at`. */
export function addFields(
  { bytes, start }: LineWindow,
  at: number,
  { read }: Fields,
  reading: FieldReading,
  into: GridBuffer,
): void {
  for (const { code, from, to } of read[reading]) {
    if (reading === 'single') into.add(code < 0 ? BLANK : code, start[at] + from);
    else into.addBytes(bytes, start[at] + from, start[at] + to);
  }
}

/** Letters that words for a blank begin with. */
const BLANK_WORDS = /[nueb]/i;
/** Longer tokens are words for a blank, or not single cells. */
const MAX_CELL = 3;

/** Whether the tokens of line `at` are neither cells nor groups of one length, as in most text: its fields need not be cut. */
function areWords({ bytes, text, end, kinds }: LineWindow, at: number): boolean {
  const last = end[at];
  if (kinds[at] & (WRAPS | TABULATOR)) return false;
  // A dot after a bar ends a statement.
  if (kinds[at] & (BARS | COLONS) && bytes[last - 1] === DOT) return false;
  let [width, isWide, areUnequal] = [0, false, false];
  for (let from = text[at]; from < last && !(isWide && areUnequal); from++) {
    let to = from;
    while (to < last && (KINDS[bytes[to]] & (PARTS | SPACE)) === 0) to++;
    if (to === from) continue;
    width ||= to - from;
    areUnequal ||= to - from !== width;
    isWide ||= to - from > MAX_CELL && !BLANK_WORDS.test(String.fromCharCode(bytes[from]));
    from = to;
  }
  return isWide && areUnequal;
}

export interface FieldsReading extends Reading {
  readonly name: FieldReading;
}

function fieldReading(name: FieldReading, index: number): FieldsReading {
  return {
    name,
    index,
    unit: 'cells',
    spaced: name === 'single',
    measure(lines, at) {
      const width = areWords(lines.window, at) ? 0 : lines.fields(at).cells[name];
      return width > MAX_ROW_CELLS ? 0 : width;
    },
    cut(lines, at, into) {
      const fields = lines.fields(at);
      addFields(lines.window, at, fields, name, into);
      return fields.cells[name] > MAX_ROW_CELLS ? 0 : fields.cells[name];
    },
    count: (lines, at) => lines.fields(at).count,
    stray(lines, at) {
      const { tokens, stray } = lines.fields(at);
      const wide = tokens.find(({ code }) => code < 0);
      const { from, to } = (name === 'single' ? wide : stray) ?? tokens[0];
      const start = lines.window.start[at];
      return [start + from, start + to];
    },
  };
}

export const single = fieldReading('single', 3);
export const adjacent = fieldReading('adjacent', 4);
/** In the order in which they are tried. */
export const FIELD_READINGS = [single, adjacent] as const;

/** The readings of a row whose notation is not known, the first that can read it: groups are no numbers. */
const ANY_READING = [chars, boxes, tokens, single, adjacent];

/**
 * Appends the cells of line `at` in any reading.
 *
 * @param size of the grid, if it is known: a reading with as many cells is preferred
 * @returns their number; 0 if the line is no row: then some may be appended
 */
export function cutRow(lines: LineShapes, at: number, into: GridBuffer, size = 0): number {
  const isNear = (reading: Reading, slips: number) => Math.abs(lines.width(at, reading) - size) <= slips;
  const reading =
    size > 0
      ? (ANY_READING.find((one) => isNear(one, 0)) ?? ANY_READING.find((one) => isNear(one, 1)))
      : ANY_READING.find((one) => lines.width(at, one) > 0);
  if (reading !== undefined) return reading.cut(lines, at, into);
  // A damaged row: its characters.
  const { bytes, text, end } = lines.window;
  const before = into.count;
  for (let byte = text[at]; byte < end[at]; byte++) {
    const kind = KINDS[bytes[byte]];
    const isOther = bytes[byte] > 32 && (kind & (CELL | PARTS)) === 0;
    if (isOther || into.count - before > MAX_ROW_CELLS) return 0;
    if (kind & CELL) into.add(bytes[byte], byte);
  }
  return size === 0 || Math.abs(into.count - before - size) <= 1 ? into.count - before : 0;
}

/** Characters of a text with one character for each byte; several bytes of UTF-8 are one. */
export function charactersIn(bytes: string): number {
  return bytes.replaceAll(/[\x80-\xbf]/g, '').length;
}
