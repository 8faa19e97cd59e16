/**
 * Random full grids, from which puzzles are made.
 *
 * Small grids and variants are found by a search: it fills the cell with the fewest digits left; equal cells, and
 * digits, are chosen at random. From 10x10 on this search may not end in reasonable time, so an ordinary grid starts
 * from a pattern, whose rows, columns and digits are shuffled within the rules of the boxes:
 *
 *     1 2 3 4      row r is 1 2 3 ... shifted by (r % boxRows) * boxColumns + floor(r / boxRows)
 *     3 4 1 2
 *     2 3 4 1
 *     4 1 2 3
 *
 * This alone would leave the regularity of the pattern in every puzzle, so cycles are swapped next. Two rows of a band
 * have the same digits. A swap exchanges their cells in one column, then in the column of the digit that is now
 * missing, and so on; after a few columns, both rows are complete again. No column or box gains or loses a digit, since
 * both cells of a column are in one box.
 */
import { type Geometry, standardGeometry } from '../geometry/geometry.ts';
import type { RandomSource } from './random-source.ts';
import type { Steps } from './steps.ts';

/** Largest size of an ordinary grid that is found by search: a 9x9 takes about 90 steps. */
const MAX_SEARCHED_SIZE = 9;
/** Cells filled in one search before it restarts, as a multiple of the cells of the grid. */
const STEPS_PER_CELL = 10;
/** Swaps of row cycles, and of column cycles, for each row: several for each pair of rows in a band. */
const SWAPS_PER_LINE = 8;
const MAX_SEARCHES = 1000;

const searches = new WeakMap<Geometry, FullGridSearch>();

/**
 * Returns a random full grid of a geometry: `cellCount` values from 1 to `size`.
 *
 * @param maxSearches number of searches before it gives up
 * @returns undefined if none is found (the geometry may have none)
 */
export function* randomFullGrid(
  geometry: Geometry,
  random: RandomSource,
  maxSearches = MAX_SEARCHES,
): Steps<Uint8Array | undefined> {
  const { size, boxRows, boxColumns } = geometry;
  const ordinary = boxRows > 0 && geometry === standardGeometry(size, boxRows, boxColumns);
  if (ordinary && size > MAX_SEARCHED_SIZE) return shuffledPattern(geometry, random);
  const search = searches.get(geometry) ?? new FullGridSearch(geometry);
  searches.set(geometry, search);
  for (let attempt = 0; attempt < maxSearches; attempt++) {
    yield;
    const grid = search.attempt(random);
    if (grid !== undefined) return grid;
  }
  return undefined;
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

/** Returns the lines in a random order that keeps each band of `height` lines together. */
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
    // The first line now has `missing` twice: here and in its old place.
    do place = (place + 1) % size;
    while (grid[first + place * placeStep] !== missing);
  }
}

/**
 * Depth-first search for a full grid; all searches share one memory.
 *
 *     blockedBy[cell * (n+1) + digit]     number of filled peers with that digit
 *     left[cell]                          number of digits that no peer has; plus FILLED in a filled cell
 */
class FullGridSearch {
  private readonly size: number;
  /** By cell: the cells that share a unit with it. */
  private readonly peersOf: readonly Int32Array[];
  private readonly grid: Uint8Array;
  private readonly blockedBy: Int32Array;
  private readonly left: Int32Array;
  private readonly equals: Int32Array;

  constructor({ size, cellCount, units }: Geometry) {
    const peersOf = Array.from({ length: cellCount }, () => new Set<number>());
    for (const unit of units) {
      for (const cell of unit.cells) {
        for (const peer of unit.cells) if (peer !== cell) peersOf[cell].add(peer);
      }
    }
    this.size = size;
    this.peersOf = peersOf.map((peers) => Int32Array.from(peers));
    this.grid = new Uint8Array(cellCount);
    this.blockedBy = new Int32Array(cellCount * (size + 1));
    this.left = new Int32Array(cellCount);
    this.equals = new Int32Array(cellCount);
  }

  /** Searches for a full grid; undefined if none is found in the allowed steps. */
  attempt(random: RandomSource): Uint8Array | undefined {
    const { grid } = this;
    grid.fill(0);
    this.blockedBy.fill(0);
    this.left.fill(this.size);
    /** The filled cells, in order, and the digits that are not tried yet in each. */
    const path: { readonly cell: number; readonly untried: number[] }[] = [];
    for (let step = 0; step < grid.length * STEPS_PER_CELL; step++) {
      if (path.length === grid.length) return grid.slice();
      const cell = this.fewestLeft(random);
      path.push({ cell, untried: this.shuffledDigits(cell, random) });
      for (let top = path.at(-1); top?.untried.length === 0; top = path.at(-1)) {
        path.pop();
        const before = path.at(-1);
        if (before === undefined) return undefined;
        this.change(before.cell, grid[before.cell], -1);
      }
      const top = path.at(-1)!;
      this.change(top.cell, top.untried.pop()!, 1);
    }
    return undefined;
  }

  private fewestLeft(random: RandomSource): number {
    const { left, equals } = this;
    let fewest = FILLED;
    let count = 0;
    for (let cell = 0; cell < left.length; cell++) {
      if (left[cell] > fewest) continue;
      if (left[cell] < fewest) {
        fewest = left[cell];
        count = 0;
      }
      equals[count++] = cell;
    }
    return equals[count === 1 ? 0 : random.below(count)];
  }

  /** The digits left for a cell, in random order. */
  private shuffledDigits(cell: number, random: RandomSource): number[] {
    const digits: number[] = [];
    for (let digit = 1; digit <= this.size; digit++) {
      if (this.blockedBy[cell * (this.size + 1) + digit] !== 0) continue;
      // Each digit is swapped into a random place among those before it.
      const place = random.below(digits.length + 1);
      digits.push(digits[place] ?? digit);
      digits[place] = digit;
    }
    return digits;
  }

  /** Writes a digit into a cell (`by` 1), or takes it back (-1). */
  private change(cell: number, digit: number, by: 1 | -1): void {
    const { size, blockedBy, left } = this;
    const peers = this.peersOf[cell];
    const changed = by === 1 ? 1 : 0;
    this.grid[cell] = by === 1 ? digit : 0;
    left[cell] += by * FILLED;
    for (let k = 0; k < peers.length; k++) {
      const at = peers[k] * (size + 1) + digit;
      blockedBy[at] += by;
      if (blockedBy[at] === changed) left[peers[k]] -= by;
    }
  }
}

/** Greater than any number of digits. */
const FILLED = 1000;
