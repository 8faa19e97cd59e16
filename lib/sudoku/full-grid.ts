/**
 * Random full grids, from which puzzles are made.
 *
 * Small grids and variants are found by search: always the cell with the fewest digits left, equal ones and
 * digits in random order. From 10x10 on that search may take for ever, so an ordinary grid starts from a
 * pattern, whose rows, columns and digits are shuffled as far as the boxes allow:
 *
 *     1 2 3 4      row r is 1 2 3 ... moved on by (r % boxRows) * boxColumns + floor(r / boxRows)
 *     3 4 1 2
 *     2 3 4 1
 *     4 1 2 3
 *
 * That alone would leave the pattern's regularity in every puzzle. So cycles are then swapped: two rows of one
 * band hold the same digits, and swapping one above the other, column by column, from a column to where the
 * digit that is now missing stands, ends after a few columns with both rows complete again. Columns stay
 * what they were, as sets, and so do boxes, since both cells of a column are in one box.
 */
import { type Geometry, standardGeometry } from './geometry.ts';
import type { RandomSource } from './random-source.ts';

/** Largest ordinary grid that is searched for: a 9x9 takes about 90 steps. */
const MAX_SEARCHED_SIZE = 9;
/** Cells filled in one search, as a multiple of the cells there are, before it starts again. */
const STEPS_PER_CELL = 10;
/** Swaps of row cycles, and of column cycles, for each row: some for every pair of rows in a band. */
const SWAPS_PER_LINE = 8;
const MAX_SEARCHES = 1000;

/**
 * A random full grid of a geometry: `cellCount` values from 1 to `size`, 0 in cells of no unit.
 *
 * @throws Error where none is found (the geometry may have none)
 */
export function randomFullGrid(geometry: Geometry, random: RandomSource): Uint8Array {
  const { size, boxRows, boxColumns } = geometry;
  const ordinary = boxRows > 0 && geometry === standardGeometry(size, boxRows, boxColumns);
  if (ordinary && size > MAX_SEARCHED_SIZE) return shuffledPattern(geometry, random);
  const search = new FullGridSearch(geometry);
  for (let attempt = 0; attempt < MAX_SEARCHES; attempt++) {
    const grid = search.attempt(random);
    if (grid !== undefined) return grid;
  }
  throw new Error(
    `no full grid of ${geometry.variant} ${size}x${size} found in ${MAX_SEARCHES} searches: its units may allow none`,
  );
}

function shuffledPattern({ size, boxRows, boxColumns }: Geometry, random: RandomSource): Uint8Array {
  const rows = shuffledLines(boxColumns, boxRows, random);
  const columns = shuffledLines(boxRows, boxColumns, random);
  const digits = random.permutation(size);
  const grid = new Uint8Array(size * size);
  for (let cell = 0; cell < grid.length; cell++) {
    const row = rows[Math.floor(cell / size)];
    const shift = (row % boxRows) * boxColumns + Math.floor(row / boxRows);
    grid[cell] = digits[(shift + columns[cell % size]) % size] + 1;
  }
  for (let swap = 0; swap < size * SWAPS_PER_LINE; swap++) {
    swapCycle(grid, size, boxRows, size, 1, random);
    swapCycle(grid, size, boxColumns, 1, size, random);
  }
  return grid;
}

/** Lines in an order that keeps each band of `height` lines together. */
function shuffledLines(bands: number, height: number, random: RandomSource): number[] {
  return Array.from(random.permutation(bands)).flatMap((band) =>
    Array.from(random.permutation(height), (line) => band * height + line),
  );
}

/**
 * Swaps one cycle between two lines of a band.
 *
 * @param height lines in a band
 * @param lineStep from a cell to the same place in the next line; `size` for rows, 1 for columns
 * @param placeStep from a cell to the next one in its line
 */
function swapCycle(
  grid: Uint8Array,
  size: number,
  height: number,
  lineStep: number,
  placeStep: number,
  random: RandomSource,
): void {
  if (height < 2) return;
  const band = random.below(size / height) * height;
  const one = random.below(height);
  const other = (one + 1 + random.below(height - 1)) % height;
  const first = (band + one) * lineStep;
  const second = (band + other) * lineStep;
  let place = random.below(size);
  const closing = grid[first + place * placeStep];
  for (;;) {
    const at = place * placeStep;
    const missing = grid[second + at];
    grid[second + at] = grid[first + at];
    grid[first + at] = missing;
    if (missing === closing) return;
    // The first line now has `missing` twice: here, and where it stood before.
    do place = (place + 1) % size;
    while (grid[first + place * placeStep] !== missing);
  }
}

/**
 * Depth-first search for a full grid.
 *
 *     peers[cell]                     cells that share a unit with it
 *     blockedBy[cell * (n+1) + digit] how many filled peers have that digit
 *     left[cell]                      digits that none of them has
 */
class FullGridSearch {
  private readonly size: number;
  private readonly peers: readonly (readonly number[])[];
  private readonly cells: readonly number[];
  private readonly grid: Uint8Array;
  private readonly blockedBy: Int32Array;
  private readonly left: Int32Array;

  constructor({ size, cellCount, units }: Geometry) {
    const peers = Array.from({ length: cellCount }, () => new Set<number>());
    for (const unit of units) {
      for (const cell of unit.cells) {
        for (const peer of unit.cells) if (peer !== cell) peers[cell].add(peer);
      }
    }
    const inUnits = new Set(units.flatMap((unit) => Array.from(unit.cells)));
    this.size = size;
    this.peers = peers.map((set) => [...set]);
    this.cells = [...inUnits].sort((a, b) => a - b);
    this.grid = new Uint8Array(cellCount);
    this.blockedBy = new Int32Array(cellCount * (size + 1));
    this.left = new Int32Array(cellCount);
  }

  /** A full grid, or undefined where none was found in the steps allowed. */
  attempt(random: RandomSource): Uint8Array | undefined {
    const { cells, grid, size } = this;
    grid.fill(0);
    this.blockedBy.fill(0);
    this.left.fill(size);
    const path: { readonly cell: number; readonly digits: number[] }[] = [];
    for (let step = 0; step < cells.length * STEPS_PER_CELL; step++) {
      if (path.length === cells.length) return grid.slice();
      const cell = this.fewestLeft(random);
      const digits = this.digitsLeft(cell);
      random.shuffle(digits);
      path.push({ cell, digits });
      if (!this.fillNext(path)) return undefined;
    }
    return undefined;
  }

  /** Fills the last cell of the path with its next digit; goes back where it has none. */
  private fillNext(path: { readonly cell: number; readonly digits: number[] }[]): boolean {
    while (path.length > 0) {
      const { cell, digits } = path[path.length - 1];
      if (this.grid[cell] !== 0) this.clear(cell);
      const digit = digits.pop();
      if (digit !== undefined) {
        this.fill(cell, digit);
        return true;
      }
      path.pop();
    }
    return false;
  }

  private fewestLeft(random: RandomSource): number {
    let chosen = -1;
    let fewest = this.size + 1;
    let equals = 0;
    for (const cell of this.cells) {
      if (this.grid[cell] !== 0 || this.left[cell] > fewest) continue;
      if (this.left[cell] < fewest) {
        fewest = this.left[cell];
        equals = 0;
      }
      equals++;
      if (random.below(equals) === 0) chosen = cell;
    }
    return chosen;
  }

  private digitsLeft(cell: number): number[] {
    const digits: number[] = [];
    for (let digit = 1; digit <= this.size; digit++) {
      if (this.blockedBy[cell * (this.size + 1) + digit] === 0) digits.push(digit);
    }
    return digits;
  }

  private fill(cell: number, digit: number): void {
    this.grid[cell] = digit;
    for (const peer of this.peers[cell]) {
      if (this.blockedBy[peer * (this.size + 1) + digit]++ === 0) this.left[peer]--;
    }
  }

  private clear(cell: number): void {
    const digit = this.grid[cell];
    this.grid[cell] = 0;
    for (const peer of this.peers[cell]) {
      if (--this.blockedBy[peer * (this.size + 1) + digit] === 0) this.left[peer]++;
    }
  }
}
