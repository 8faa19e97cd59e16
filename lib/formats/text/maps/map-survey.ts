/**
 * Decides from the head of a text whether puzzles have region maps on the lines, or in the rows, below or above them.
 *
 *     ..8..4..35.4...6....        below: puzzle, map, puzzle, map, ...
 *     001111222000111222...
 *
 * The head is read as a sequence of grids, each on a line or in rows. A map belongs to the grid above or below it: the
 * place that leaves fewer maps without a puzzle, then the one nearer to the maps, then the one that fits the first grid.
 */
import { CR, LF } from '../../bytes/ascii.ts';
import { type CellCode, GridBuffer } from '../../cells/grid-buffer.ts';
import { isFault, mapAmong } from '../../cells/map-likeness.ts';
import { sizeOfSquare } from '../../records/layout-book.ts';
import { KINDS, SEPARATOR } from '../byte-kinds.ts';
import type { MapForm, MapPlace } from './map-place.ts';
import { addRowCells, isIdleLine, MAX_MAP_SIZE, MIN_MAP_SIZE } from './row-cells.ts';

/**
 * @param complete whether the head is the whole file
 * @returns one place for each form and size with maps below or above puzzles
 */
export function surveyMaps(head: Uint8Array, complete: boolean): MapPlace[] {
  if (!hasMaps(head, complete)) return [];
  const reader = new PieceReader();
  reader.read(head, complete);
  return reader.places(complete);
}

/** The front of the head is read whole, of the rest only samples: most files have no maps. */
const FRONT_BYTES = 32 * 1024;
/** Distance of the samples. */
const STEP_BYTES = 64 * 1024;
const SAMPLE_BYTES = 4 * 1024;

/** Whether samples of the head have maps. */
function hasMaps(head: Uint8Array, complete: boolean): boolean {
  for (let from = 0; from < head.length; from += STEP_BYTES) {
    const to = from + (from === 0 ? FRONT_BYTES : SAMPLE_BYTES);
    const reader = new PieceReader();
    // A sample starts after a line end.
    const start = from === 0 ? 0 : lineAfter(head, from);
    reader.read(head.subarray(start, to), complete && to >= head.length);
    if (reader.places(false).length > 0) return true;
  }
  return false;
}

function lineAfter(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== LF && bytes[at] !== CR) at++;
  return at + 1;
}

/** Counts which grids of one form and size have a map above or below. */
class Tally {
  readonly form: MapForm;
  readonly size: number;
  #maps = 0;
  #firstIsMap = false;
  /** Whether the last grid is a map, and whether a blank line precedes it; undefined before the first. */
  #last: { isMap: boolean; gap: boolean } | undefined;
  /** Maps without a puzzle above, and below. */
  #noneAbove = 0;
  #noneBelow = 0;
  /** Maps directly after the puzzle above, and directly before the one below. */
  #nearAbove = 0;
  #nearBelow = 0;
  /** Puzzles without a map above, and below. */
  #bareAbove = 0;
  #bareBelow = 0;
  /** Neighbours of which one is a map. */
  #pairs = 0;

  constructor(form: MapForm, size: number) {
    this.form = form;
    this.size = size;
  }

  /** @param gap whether a blank line precedes the grid */
  add(isMap: boolean, gap: boolean): void {
    const last = this.#last;
    if (last === undefined) this.#firstIsMap = isMap;
    if (isMap) this.#maps++;
    if (last?.isMap === isMap || last === undefined) {
      if (last !== undefined) this.#addBareBelow(isMap);
      if (isMap) this.#noneAbove++;
      else this.#bareAbove++;
    } else {
      this.#pairs++;
      if (!gap && isMap) this.#nearAbove++;
      else if (!gap) this.#nearBelow++;
    }
    this.#last = { isMap, gap };
  }

  decide(complete: boolean): MapPlace | undefined {
    const last = this.#last;
    // Rows of text may happen to be maps; most maps have a puzzle next to them.
    if (last === undefined || this.#pairs === 0 || this.#pairs * 2 < this.#maps) return undefined;
    // What follows the last grid of an incomplete head is unknown.
    if (complete && last.isMap) this.#noneBelow++;
    const aboveIsBetter =
      this.#noneAbove - this.#noneBelow || this.#nearBelow - this.#nearAbove || (this.#firstIsMap ? 1 : -1);
    const place = aboveIsBetter > 0 ? 'above' : 'below';
    const bare = place === 'below' ? this.#bareBelow : this.#bareAbove;
    // A puzzle on its own at the end may have no map; the map of one directly after other grids was cut off.
    const endsAlone = place === 'below' && complete && !last.isMap && last.gap;
    const { form, size } = this;
    return { form, size, place, every: this.#maps > 1 && bare === 0 && !endsAlone };
  }

  #addBareBelow(isMap: boolean): void {
    if (isMap) this.#noneBelow++;
    else this.#bareBelow++;
  }
}

function isSpace(byte: number): boolean {
  return byte <= 32 && byte !== LF && byte !== CR;
}

/** Splits a text into grids on lines and grids in rows; a line of 16 cells may be either. */
class PieceReader {
  readonly #tallies = new Map<number, Tally>();
  /** Forms and sizes with a map that is one. */
  readonly #mapped = new Set<number>();
  /** The cells of the rows so far: their width and number, and their number since a blank line. */
  #width = 0;
  #rows = 0;
  #stanzaRows = 0;
  /** Whether a blank line, or in rows any other text, precedes the next line, and the rows. */
  #gap = false;
  #textGap = false;
  #rowsGap = false;
  /** Size of the last grid on a line: damaged ones are compared with it. */
  #lineSize = 9;

  read(head: Uint8Array, complete: boolean): void {
    for (let start = 0; start < head.length; ) {
      let from = start;
      while (from < head.length && isSpace(head[from])) from++;
      const stop = tokenStop(head, from, head.length);
      let next = stop;
      while (next < head.length && head[next] !== LF && head[next] !== CR) next++;
      // The last line of an incomplete head is cut.
      if (next === head.length && !complete) return;
      let end = next;
      while (end > from && isSpace(head[end - 1])) end--;
      if (end === from) {
        this.#endStanza();
      } else if (!isIdleLine(head, from, end)) {
        this.#addLine(head, from, stop, end);
        this.#gap = false;
      }
      start = head[next] === CR && head[next + 1] === LF ? next + 2 : next + 1;
    }
    if (complete) this.#endRows();
  }

  places(complete: boolean): MapPlace[] {
    const places: MapPlace[] = [];
    for (const [key, tally] of this.#tallies) {
      const { form, size } = tally;
      if (!this.#mapped.has(key) && !this.#isAlone(key)) continue;
      // The rows of a 16x16 map may look like maps of 4x4 puzzles.
      if (form === 'line' && this.#mapped.has(keyOf('rows', size * size))) continue;
      const place = tally.decide(complete);
      if (place !== undefined) places.push(place);
    }
    return places;
  }

  /** Whether no grid of another form or size is known: then a damaged map is enough. */
  #isAlone(key: number): boolean {
    return [...this.#tallies.keys()].every((other) => other === key);
  }

  /** @param to end of the first token */
  #addLine(bytes: Uint8Array, from: number, to: number, end: number): void {
    const length = to - from;
    if (length > MAX_MAP_SIZE + 1) this.#addNoRow();
    else this.#addRow(bytes, from, end);
    if (length < MIN_CELLS) return;
    // A line with a second token as long as the first has a puzzle and its map, or its solution.
    if (to < end) {
      const second = tokenStart(bytes, to, end);
      if (tokenStop(bytes, second, end) - second === length) return;
    }
    const size = sizeOfSquare(length) ?? (isNear(length, this.#lineSize) ? this.#lineSize : undefined);
    if (size === undefined) return;
    if (size * size === length) this.#lineSize = size;
    this.#addPiece('line', bytes, from, length, size, this.#gap);
  }

  /** Takes a line as a row, if it is one. */
  #addRow(bytes: Uint8Array, from: number, end: number): void {
    if (this.#rows === 0) grid.clear();
    const before = grid.count;
    const width = addRowCells(bytes, from, end, grid);
    if (width < MIN_MAP_SIZE || width > MAX_MAP_SIZE + 1) {
      grid.count = before;
      this.#addNoRow();
      return;
    }
    // A row with a cell too many or too few belongs to its grid.
    if (this.#rows > 0 && Math.abs(width - this.#width) > 1) {
      grid.count = before;
      this.#endRows();
      grid.clear();
      addRowCells(bytes, from, end, grid);
    }
    if (this.#rows === 0) {
      this.#rowsGap = this.#gap || this.#textGap || this.#width !== width;
      this.#textGap = false;
      this.#width = width;
    }
    this.#rows++;
    this.#stanzaRows++;
    if (this.#rows === this.#width) this.#endRows();
  }

  /** Takes a line that is no row. */
  #addNoRow(): void {
    this.#endRows();
    this.#stanzaRows = 0;
    this.#textGap = true;
  }

  /** A grid ends with a blank line after most of its rows; otherwise blank lines are between its rows. */
  #endStanza(): void {
    if (this.#stanzaRows * 2 > this.#width) this.#endRows();
    this.#stanzaRows = 0;
    this.#gap = true;
  }

  #endRows(): void {
    const { codes, count } = grid;
    if (this.#rows * 2 > this.#width) this.#addPiece('rows', codes, 0, count, this.#width, this.#rowsGap);
    this.#rows = 0;
  }

  /** @param from index of its first code */
  #addPiece(
    form: MapForm,
    codes: Uint8Array | Uint16Array,
    from: number,
    count: number,
    size: number,
    gap: boolean,
  ): void {
    const key = keyOf(form, size);
    const map = mayBeMap(codes, from, count, size)
      ? mapAmong(from === 0 ? codes : codes.subarray(from, from + count), count, size)
      : undefined;
    if (map !== undefined && !isFault(map)) this.#mapped.add(key);
    let tally = this.#tallies.get(key);
    if (tally === undefined) {
      tally = new Tally(form, size);
      this.#tallies.set(key, tally);
    }
    tally.add(map !== undefined, gap);
  }
}

/** The cells of the rows of the reader at work. */
const grid = new GridBuffer();

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

const BLANK = 46;
const MIN_CELLS = MIN_MAP_SIZE * MIN_MAP_SIZE;

/** Above all keys of grids on lines. */
const MAX_KEY = 10_000;

function keyOf(form: MapForm, size: number): number {
  return form === 'line' ? size : MAX_KEY + size;
}

/** Whether a line may be a damaged grid of that size. */
function isNear(length: number, size: number): boolean {
  return Math.abs(length - size * size) <= size;
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
