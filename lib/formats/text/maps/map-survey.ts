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

/** The front of the head is read whole, of the rest only samples: most files have no maps. */
const FRONT_BYTES = 32 * 1024;
/** Distance of the samples. */
const STEP_BYTES = 64 * 1024;
const SAMPLE_BYTES = 4 * 1024;

const BLANK = 46;
const MIN_CELLS = MIN_MAP_SIZE * MIN_MAP_SIZE;

/**
 * @param complete whether the head is the whole file
 * @returns one place for each form and size with maps below or above puzzles
 */
export function surveyMaps(head: Uint8Array, complete: boolean): MapPlace[] {
  for (let from = 0; from < head.length; from += STEP_BYTES) {
    const to = from + (from === 0 ? FRONT_BYTES : SAMPLE_BYTES);
    // A sample starts after a line end.
    let start = from;
    while (from > 0 && start < head.length && !isLineEnd(head[start])) start++;
    const sample = head.subarray(from > 0 ? start + 1 : 0, to);
    const found = placesOf(sequencesIn(sample, complete && to >= head.length), false);
    if (found.length > 0) return placesOf(sequencesIn(head, complete), complete);
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

/** The cells of the rows of the reader at work. */
const grid = new GridBuffer();

/** Reads a text as grids on lines and grids in rows; a line of 16 cells may be either. */
function sequencesIn(head: Uint8Array, complete: boolean): Sequence[] {
  const sequences: Sequence[] = [];
  /** The rows so far: their width and number, and their number since a blank line. */
  let [width, rows, stanzaRows] = [0, 0, 0];
  /** Whether a blank line, or in rows any other text, precedes the next line, and the rows. */
  let [gap, textGap, rowsGap] = [false, false, false];
  /** Size of the last grid on a line: damaged ones are compared with it. */
  let lineSize = 9;

  /** @param from index of its first code */
  const addGrid = (
    form: MapForm,
    codes: Uint8Array | Uint16Array,
    from: number,
    count: number,
    size: number,
    isAfterGap: boolean,
  ) => {
    const map = mayBeMap(codes, from, count, size)
      ? mapAmong(codes.subarray(from, from + count), count, size)
      : undefined;
    let sequence = sequences.find((one) => one.form === form && one.size === size);
    if (sequence === undefined) {
      sequence = { form, size, grids: [], mapped: false };
      sequences.push(sequence);
    }
    if (map !== undefined && !isFault(map)) sequence.mapped = true;
    sequence.grids.push((map === undefined ? 0 : IS_MAP) | (isAfterGap ? AFTER_GAP : 0));
  };
  const endRows = () => {
    if (rows * 2 > width) addGrid('rows', grid.codes, 0, grid.count, width, rowsGap);
    rows = 0;
  };
  /** A line that is no row. */
  const addNoRow = () => {
    endRows();
    stanzaRows = 0;
    textGap = true;
  };
  const addRow = (from: number, end: number) => {
    if (rows === 0) grid.clear();
    const before = grid.count;
    const count = addRowCells(head, from, end, grid);
    if (count < MIN_MAP_SIZE || count > MAX_MAP_SIZE + 1) {
      grid.count = before;
      addNoRow();
      return;
    }
    // A row with a cell too many or too few belongs to its grid.
    if (rows > 0 && Math.abs(count - width) > 1) {
      grid.count = before;
      endRows();
      grid.clear();
      addRowCells(head, from, end, grid);
    }
    if (rows === 0) {
      rowsGap = gap || textGap || width !== count;
      textGap = false;
      width = count;
    }
    rows++;
    stanzaRows++;
    if (rows === width) endRows();
  };
  /** @param to end of the first token */
  const addLine = (from: number, to: number, end: number) => {
    const length = to - from;
    if (length > MAX_MAP_SIZE + 1) addNoRow();
    else addRow(from, end);
    if (length < MIN_CELLS) return;
    // A line with a second token as long as the first has a puzzle and its map, or its solution.
    const second = tokenStart(head, to, end);
    if (to < end && tokenStop(head, second, end) - second === length) return;
    const isNear = Math.abs(length - lineSize * lineSize) <= lineSize;
    const size = sizeOfSquare(length) ?? (isNear ? lineSize : undefined);
    if (size === undefined) return;
    if (size * size === length) lineSize = size;
    addGrid('line', head, from, length, size, gap);
  };

  for (let start = 0; start < head.length; ) {
    let from = start;
    while (from < head.length && head[from] <= 32 && !isLineEnd(head[from])) from++;
    const stop = tokenStop(head, from, head.length);
    let next = stop;
    while (next < head.length && !isLineEnd(head[next])) next++;
    // The last line of an incomplete head is cut.
    if (next === head.length && !complete) return sequences;
    let end = next;
    while (end > from && head[end - 1] <= 32) end--;
    if (end === from) {
      // A grid ends with a blank line after most of its rows; otherwise blank lines are between its rows.
      if (stanzaRows * 2 > width) endRows();
      stanzaRows = 0;
      gap = true;
    } else if (!isIdleLine(head, from, end)) {
      addLine(from, stop, end);
      gap = false;
    }
    start = head[next] === CR && head[next + 1] === LF ? next + 2 : next + 1;
  }
  if (complete) endRows();
  return sequences;
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
