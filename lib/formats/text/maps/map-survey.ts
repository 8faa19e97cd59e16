/**
 * Decides from the head of a text whether puzzles have region maps on the lines, or in the rows, below or above them.
 *
 *     ..8..4..35.4...6....        below: puzzle, map, puzzle, map, ...
 *     001111222000111222...
 *
 * The head is read as a sequence of grids, each on a line or in rows. A map belongs to the grid above or below it: the
 * place that leaves fewer maps without a puzzle, then the one nearer to the maps, then the one that fits the first grid.
 */
import { CR, HASH, LF, SEMICOLON, SLASH } from '../../bytes/ascii.ts';
import { CELL, DASHES, DRAWN, KINDS, SEPARATOR } from '../../bytes/byte-kinds.ts';
import { LineWindow } from '../../bytes/line-window.ts';
import { semicolonCells } from '../../cells/comments.ts';
import { type CellCode, GridBuffer } from '../../cells/grid-buffer.ts';
import { isFault, mapAmong } from '../../cells/regions.ts';
import { LayoutBook, sizeOfSquare } from '../../records/layout-book.ts';
import { LineShapes, MAX_TEXT } from '../shape/line-shapes.ts';
import { cutRow } from '../shape/readings.ts';
import type { MapForm, MapPlace } from './map-place.ts';

/** Sizes of grids with a region map. */
const MIN_MAP_SIZE = 4;
const MAX_MAP_SIZE = 36;
/** The front of the head is read whole, of the rest only samples: most files have no maps. */
const FRONT_BYTES = 16 * 1024;
/** Distance of the samples. */
const STEP_BYTES = 64 * 1024;
const SAMPLE_BYTES = 2 * 1024;

const BLANK = 46;
const USUAL_SIZE = 9;
const MIN_CELLS = MIN_MAP_SIZE * MIN_MAP_SIZE;

/**
 * @param complete whether the head is the whole file
 * @returns one place for each form and size with maps below or above puzzles
 */
export function surveyMaps(head: Uint8Array, complete: boolean): MapPlace[] {
  const sequences = new Sequences();
  for (let from = 0; from < head.length; from += STEP_BYTES) {
    const to = from + (from === 0 ? FRONT_BYTES : SAMPLE_BYTES);
    // A sample starts after a line end.
    let start = from;
    while (from > 0 && start < head.length && !isLineEnd(head[start])) start++;
    const sample = head.subarray(from > 0 ? start + 1 : 0, to);
    const found = placesOf(sequences.read(sample, complete && to >= head.length), false);
    if (found.length > 0) return placesOf(sequences.read(head, complete), complete);
  }
  return [];
}

/** Bits of a grid: it is a map; a blank line precedes it, or in rows any other text. */
const IS_MAP = 1;
const AFTER_GAP = 2;

/** The grids of one form and size, in the order of the file. */
interface Sequence {
  readonly form: MapForm;
  readonly size: number;
  /** `IS_MAP | AFTER_GAP` for each. */
  readonly grids: number[];
  /** Whether one of the maps is whole. */
  mapped: boolean;
}

function placesOf(sequences: readonly Sequence[], complete: boolean): MapPlace[] {
  const mapped = sequences.filter((one) => one.mapped);
  // A damaged map is enough if no grid of another form or size is known.
  const candidates = sequences.length === 1 ? sequences : mapped;
  return candidates.flatMap((one) => {
    // The rows of a 16x16 map may look like maps of 4x4 puzzles.
    const isOfRows = mapped.some(({ form, size }) => form === 'rows' && size === one.size ** 2);
    return (one.form === 'line' && isOfRows ? undefined : placeOf(one, complete)) ?? [];
  });
}

function placeOf({ form, size, grids }: Sequence, complete: boolean): MapPlace | undefined {
  let [maps, pairs] = [0, 0];
  /** Maps without a puzzle above or below, maps directly after or before one, and puzzles without a map. */
  const [none, near, bare] = [0, 1, 2].map(() => ({ above: 0, below: 0 }));
  for (const [k, grid] of grids.entries()) {
    const isMap = (grid & IS_MAP) !== 0;
    if (isMap) maps++;
    if (k > 0 && ((grid ^ grids[k - 1]) & IS_MAP) !== 0) {
      pairs++;
      if ((grid & AFTER_GAP) === 0) near[isMap ? 'above' : 'below']++;
      continue;
    }
    const alone = isMap ? none : bare;
    alone.above++;
    if (k > 0) alone.below++;
  }
  // Rows of text may happen to be maps; most maps have a puzzle next to them.
  if (pairs === 0 || pairs * 2 < maps) return undefined;
  const last = grids[grids.length - 1];
  // What follows the last grid of an incomplete head is unknown.
  if (complete && last & IS_MAP) none.below++;
  const aboveIsBetter = none.above - none.below || near.below - near.above || (grids[0] & IS_MAP ? 1 : -1);
  const place = aboveIsBetter > 0 ? 'above' : 'below';
  // A puzzle on its own at the end may have no map; the map of one directly after other grids was cut off.
  const endsAlone = place === 'below' && complete && last === AFTER_GAP;
  return { form, size, place, every: maps > 1 && bare[place] === 0 && !endsAlone };
}

function isLineEnd(byte: number): boolean {
  return byte === LF || byte === CR;
}

/** Reads a text as grids on lines and grids in rows; a line of 16 cells may be either. */
class Sequences {
  #all: Sequence[] = [];
  readonly #window = new LineWindow();
  readonly #lines = new LineShapes(this.#window, new LayoutBook({}));
  /** The rows so far: their cells, their width and number, and their number since a blank line. */
  readonly #grid = new GridBuffer();
  #width = 0;
  #rows = 0;
  #stanzaRows = 0;
  /** Whether a blank line, or in rows any other text, precedes the next line, and the rows. */
  #gap = false;
  #textGap = false;
  #rowsGap = false;
  /** Size of the last grid on a line: damaged ones are compared with it. */
  #lineSize = USUAL_SIZE;

  /** @param complete whether the last line is not cut */
  read(text: Uint8Array, complete: boolean): readonly Sequence[] {
    const window = this.#window;
    window.clear();
    window.feed(text);
    this.#all = [];
    this.#grid.clear();
    this.#width = this.#rows = this.#stanzaRows = 0;
    this.#gap = this.#textGap = false;
    this.#lineSize = USUAL_SIZE;
    if (complete) window.finish();
    for (; window.hasArrived(window.head); window.consume(1)) this.#readLine(window.head);
    if (complete) this.#endRows();
    return this.#all;
  }

  #readLine(at: number): void {
    const { bytes, text, end, tokens } = this.#window;
    const [from, last] = [text[at], end[at]];
    if (tokens[at] === 0) {
      // A grid ends with a blank line after most of its rows; otherwise blank lines are between its rows.
      if (this.#stanzaRows * 2 > this.#width) this.#endRows();
      this.#stanzaRows = 0;
      this.#gap = true;
      return;
    }
    if (isAside(this.#lines, at)) return;
    const stop = tokenStop(bytes, from, last);
    if (stop - from > MAX_MAP_SIZE + 1) this.#addNoRow();
    else this.#addRow(at);
    if (stop - from >= MIN_CELLS) this.#addLine(from, stop, last);
    this.#gap = false;
  }

  /** @param count cells from the index `from` on */
  #addGrid(
    form: MapForm,
    codes: Uint8Array | Uint16Array,
    from: number,
    count: number,
    size: number,
    isAfterGap: boolean,
  ): void {
    const isLikely = mayBeMap(codes, from, count, size);
    const map = isLikely ? mapAmong(codes.subarray(from, from + count), count, size) : undefined;
    let sequence = this.#all.find((one) => one.form === form && one.size === size);
    if (sequence === undefined) {
      sequence = { form, size, grids: [], mapped: false };
      this.#all.push(sequence);
    }
    if (map !== undefined && !isFault(map)) sequence.mapped = true;
    sequence.grids.push((map === undefined ? 0 : IS_MAP) | (isAfterGap ? AFTER_GAP : 0));
  }

  #endRows(): void {
    const { codes, count } = this.#grid;
    if (this.#rows * 2 > this.#width) this.#addGrid('rows', codes, 0, count, this.#width, this.#rowsGap);
    this.#grid.clear();
    this.#rows = 0;
  }

  /** A line that is no row. */
  #addNoRow(): void {
    this.#endRows();
    this.#stanzaRows = 0;
    this.#textGap = true;
  }

  #addRow(at: number): void {
    const grid = this.#grid;
    const before = grid.count;
    const count = cutRow(this.#lines, at, grid);
    if (count < MIN_MAP_SIZE || count > MAX_MAP_SIZE + 1) {
      grid.count = before;
      this.#addNoRow();
      return;
    }
    // A row with a cell too many or too few belongs to its grid.
    if (this.#rows > 0 && Math.abs(count - this.#width) > 1) {
      grid.count = before;
      this.#endRows();
      cutRow(this.#lines, at, grid);
    }
    if (this.#rows === 0) {
      this.#rowsGap = this.#gap || this.#textGap || this.#width !== count;
      this.#textGap = false;
      this.#width = count;
    }
    this.#rows++;
    this.#stanzaRows++;
    if (this.#rows === this.#width) this.#endRows();
  }

  /** A line with the first token `from` to `to`. */
  #addLine(from: number, to: number, end: number): void {
    const { bytes } = this.#window;
    const length = to - from;
    // A line with a second token as long as the first has a puzzle and its map, or its solution.
    const second = tokenStart(bytes, to, end);
    if (to < end && tokenStop(bytes, second, end) - second === length) return;
    const isNear = Math.abs(length - this.#lineSize * this.#lineSize) <= this.#lineSize;
    const size = sizeOfSquare(length) ?? (isNear ? this.#lineSize : undefined);
    if (size === undefined) return;
    if (size * size === length) this.#lineSize = size;
    this.#addGrid('line', bytes, from, length, size, this.#gap);
  }
}

/** Whether a line is a comment or draws. */
function isAside(lines: LineShapes, at: number): boolean {
  const { bytes, text, end } = lines.window;
  const [from, last] = [text[at], end[at]];
  if (last - from > MAX_TEXT) return false;
  if (bytes[from] === SEMICOLON) return semicolonCells(lines.raw(from, last)) === 0;
  if (bytes[from] === HASH || (bytes[from] === SLASH && bytes[from + 1] === SLASH)) return true;
  return lines.has(at, DRAWN) && lines.only(at, ~CELL | DASHES) && lines.text(at).includes('+');
}

/** Whether most of four cells have the symbol of a neighbour, as nearly all cells of a map have. */
function mayBeMap(codes: ArrayLike<CellCode>, from: number, count: number, size: number): boolean {
  const end = from + count;
  let found = 0;
  for (let k = 0; k < 4; k++) {
    const at = from + Math.floor((k * (count - 1)) / 3);
    const code = codes[at];
    if (code === BLANK) continue;
    const isAlone =
      (at + 1 >= end || codes[at + 1] !== code) &&
      (at <= from || codes[at - 1] !== code) &&
      (at + size >= end || codes[at + size] !== code) &&
      (at - size < from || codes[at - size] !== code);
    if (!isAlone) found++;
  }
  return found > 1;
}

/** Start of the next token, from a byte on. */
export function tokenStart(bytes: Uint8Array, from: number, end: number): number {
  let byte = from;
  while (byte < end && (bytes[byte] <= 32 || KINDS[bytes[byte]] & SEPARATOR)) byte++;
  return byte;
}

/** End of the token that starts at `from`. */
export function tokenStop(bytes: Uint8Array, from: number, end: number): number {
  let byte = from;
  while (byte < end && STOPS[bytes[byte]] === 0) byte++;
  return byte;
}

/** By byte: 1 if it ends a token. */
const STOPS = KINDS.map((kind, byte) => (byte <= 32 || kind & SEPARATOR ? 1 : 0));
