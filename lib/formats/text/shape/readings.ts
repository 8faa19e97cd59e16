/**
 * The table of readings: the ways in which the cells of a row are written. A grid's rows are all in one reading.
 *
 *     chars       53..7....                      each character is a cell
 *     tokens      5 3 . . 7 12                   each token between white space is one
 *     boxes       53.|.7.|...   53. .7. ...      each character, or each number, between bars or gaps
 *     single      5,3,,,7   [5, 3, 0]            each field is one, see `fields.ts`
 *     adjacent    530|070|000                    each character of the fields is one
 */
import { isWhite } from '../../bytes/ascii.ts';
import type { LineWindow } from '../../bytes/line-window.ts';
import { CELL, KINDS, PARTS } from '../../cells/byte-kinds.ts';
import { type GridBuffer, NUMBER } from '../../cells/grid-buffer.ts';
import { numberCode, tokenCode } from '../../cells/token-code.ts';
import { BLANK, type FieldReading, type Fields } from './fields.ts';
import type { LineShapes, Reading } from './line-shapes.ts';

/** Cells of the longest row of any size, plus a few. */
export const MAX_ROW_CELLS = 40;

const CELLS = /^[\w.*?#-]+$/;

export const chars: Reading = {
  index: 0,
  unit: 'characters',
  spaced: false,
  measure(lines, at) {
    const { text, end, tokens } = lines.window;
    const width = end[at] - text[at];
    return tokens[at] === 1 && width <= MAX_ROW_CELLS && CELLS.test(lines.text(at)) ? width : 0;
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
  cut({ window: { bytes, text, end, tokens } }, at, into) {
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
    const tokens = [...lines.text(at).matchAll(/\S+/g)];
    const isCell = (token: string) => (token.length === 1 ? CELLS.test(token) : numberCode(token) >= 0);
    const { 0: token, index } = tokens.find(([one]) => !isCell(one)) ?? tokens[tokens.length - 1];
    const from = lines.window.text[at] + index;
    return [from, from + token.length];
  },
};

export const boxes: Reading = {
  index: 2,
  unit: 'cells',
  spaced: false,
  measure: (lines, at) => Math.abs(boxesIn(lines, at)),
  cut(lines, at, into) {
    const count = boxesIn(lines, at);
    if (count === 0) return 0;
    const from = lines.window.text[at];
    for (const { 0: cell, index } of lines.text(at).matchAll(count < 0 ? NUMBER_OR_CELL : CELL_SIGN)) {
      into.add(cell.length === 1 ? cell.charCodeAt(0) : NUMBER + Number(cell), from + index);
    }
    return Math.abs(count);
  },
};

const CELL_SIGN = /[\w.*?#-]/g;
const NUMBER_OR_CELL = /\d\d|[\w.*?#-]/g;
/** Cells with bars, spaces or tabs among them. */
const BOXED = /^[\w.*?#|!: \t-]*[|!: \t][\w.*?#|!: \t-]*$/;

/** Cells of line `at` between bars or gaps, negative if some are numbers of two digits; 0 if it has neither, or other text. */
function boxesIn(lines: LineShapes, at: number): number {
  const text = lines.text(at);
  if (!BOXED.test(text)) return 0;
  const { book } = lines;
  const groups: readonly string[] = text.match(/[^|!: \t]+/g) ?? [];
  const widths = groups.map(({ length }) => length);
  const [narrowest, widest] = [Math.min(...widths), Math.max(...widths)];
  const cells = widths.reduce((sum, width) => sum + width, 0);
  const hasBars = /[|!:]/.test(text);
  // The blank -1 is one cell, not two.
  if (hasBars && groups.includes('-1') && book.isSize(groups.length)) return 0;
  // Without bars, each token is as wide as a box.
  if (!hasBars) {
    if (groups.length < 2 || widest < 2 || groups.length * widest !== cells || !book.isSize(cells)) return 0;
    if (widest !== book.geometry(cells).boxColumns) return 0;
  }
  // Numbers of two digits: the row has as many cells as groups, and the groups are not equally wide boxes.
  const numbers = widest === 2 && book.isSize(groups.length) && (narrowest === 1 || !book.isSize(cells));
  // Without another blank in the row, spaces may be the blanks.
  if (hasBars && !/[0.*_?#-]/.test(text) && !isEven(text, numbers)) return 0;
  return numbers ? -groups.length : cells;
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

export interface FieldsReading extends Reading {
  readonly name: FieldReading;
}

function fieldReading(name: FieldReading, index: number): FieldsReading {
  return {
    name,
    index,
    unit: 'cells',
    spaced: name === 'single',
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
