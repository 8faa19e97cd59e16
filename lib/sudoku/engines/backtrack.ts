/**
 * The `backtrack` engine: plain depth-first search, the baseline for the other engines.
 *
 * It fills the blank cells in the order of the grid, each with its legal digits in ascending order; if a cell has
 * none, the search returns to the cell before. This is the textbook program (for instance for HDU 1426). It is fast
 * on easy puzzles, and takes hundreds of millions of nodes on hard ones: these end only at the node budget.
 *
 *     blanks[depth]     the cell that is filled at that depth
 *     untried[depth]    its legal digits that were not tried yet, as bits
 *     used[unit]        digits that the unit has, as bits
 *
 * Digit d is bit (d-1) % 32 of word floor((d-1) / 32); a 9x9 needs one word, a 36x36 two. All lengths follow from the
 * geometry, for any number of givens, including none.
 *
 * A node is a digit written into a cell, and the root.
 */
import type { Engine } from '../engine.ts';
import type { Geometry } from '../geometry/geometry.ts';
import { createDepthFirstEngine, type PuzzleSearch, RunEnd } from './depth-first.ts';
import { lowestBits, type UnitTables, unitTables } from './geometry-tables.ts';

/** Creates a `backtrack` engine; it supports every geometry. */
export function createBacktrackEngine(): Engine {
  return createDepthFirstEngine('backtrack', 1, (geometry) => new BacktrackSearch(geometry));
}

class BacktrackSearch implements PuzzleSearch {
  entered = 0;
  guessed = 0;

  private readonly geometry: Geometry;
  private readonly tables: UnitTables;
  private readonly words: number;
  private readonly grid: Uint8Array;
  private readonly used: Int32Array;
  private readonly blanks: Int32Array;
  private readonly untried: Int32Array;
  private blankCount = 0;
  /** The current depth; -1 when the search is exhausted. */
  private depth = -1;
  /** Whether the cell at this depth is new, so that its legal digits are not known yet. */
  private reached = false;

  constructor(geometry: Geometry) {
    const { size, cellCount, units } = geometry;
    this.geometry = geometry;
    this.tables = unitTables(geometry);
    this.words = Math.ceil(size / 32);
    this.grid = new Uint8Array(cellCount);
    this.used = new Int32Array(units.length * this.words);
    this.blanks = new Int32Array(cellCount);
    this.untried = new Int32Array(cellCount * this.words);
  }

  get bytes(): number {
    const { grid, used, blanks, untried } = this;
    return grid.byteLength + used.byteLength + blanks.byteLength + untried.byteLength;
  }

  begin(cells: Uint8Array, offset: number): void {
    const { grid, used, blanks } = this;
    used.fill(0);
    grid.fill(0);
    this.blankCount = 0;
    this.depth = 0;
    this.reached = true;
    for (const cell of this.tables.usedCells) {
      const digit = cells[offset + cell];
      if (digit === 0) {
        blanks[this.blankCount++] = cell;
      } else if (this.isUsed(cell, digit)) {
        this.depth = -1;
        this.reached = false;
        return;
      } else {
        this.write(cell, digit);
      }
    }
  }

  run(maxNodes: number): RunEnd {
    const { grid, blanks, blankCount } = this;
    let { depth, reached } = this;
    let entered = 0;
    let guessed = 0;
    let end: RunEnd = RunEnd.exhausted;
    while (depth >= 0) {
      if (reached) {
        reached = false;
        if (depth === blankCount) {
          depth--;
          end = RunEnd.solution;
          break;
        }
        this.findLegal(depth);
      }
      const cell = blanks[depth];
      if (grid[cell] !== 0) this.erase(cell);
      const digit = this.lowestUntried(depth);
      if (digit === 0) {
        depth--;
        continue;
      }
      if (entered === maxNodes) {
        end = RunEnd.nodes;
        break;
      }
      entered++;
      this.markTried(depth, digit);
      if (this.lowestUntried(depth) !== 0) guessed++;
      this.write(cell, digit);
      depth++;
      reached = true;
    }
    this.depth = depth;
    this.reached = reached;
    this.entered = entered;
    this.guessed = guessed;
    return end;
  }

  writeSolution(out: Uint8Array): void {
    out.set(this.grid);
  }

  private isUsed(cell: number, digit: number): boolean {
    const { unitStart, unitsOf } = this.tables;
    const { used, words } = this;
    const word = (digit - 1) >>> 5;
    const bit = 1 << (digit - 1);
    for (let k = unitStart[cell]; k < unitStart[cell + 1]; k++) {
      if ((used[unitsOf[k] * words + word] & bit) !== 0) return true;
    }
    return false;
  }

  private write(cell: number, digit: number): void {
    this.grid[cell] = digit;
    this.toggleUsed(cell, digit);
  }

  private erase(cell: number): void {
    this.toggleUsed(cell, this.grid[cell]);
    this.grid[cell] = 0;
  }

  private toggleUsed(cell: number, digit: number): void {
    const { unitStart, unitsOf } = this.tables;
    const { used, words } = this;
    const word = (digit - 1) >>> 5;
    const bit = 1 << (digit - 1);
    for (let k = unitStart[cell]; k < unitStart[cell + 1]; k++) used[unitsOf[k] * words + word] ^= bit;
  }

  /** Finds the digits that no unit of the cell has. */
  private findLegal(depth: number): void {
    const { unitStart, unitsOf } = this.tables;
    const { used, untried, words } = this;
    const { size } = this.geometry;
    const cell = this.blanks[depth];
    for (let word = 0; word < words; word++) {
      let taken = 0;
      for (let k = unitStart[cell]; k < unitStart[cell + 1]; k++) taken |= used[unitsOf[k] * words + word];
      untried[depth * words + word] = ~taken & lowestBits(size - word * 32);
    }
  }

  /** Returns the smallest digit that was not tried; 0 if all were. */
  private lowestUntried(depth: number): number {
    const { untried, words } = this;
    for (let word = 0; word < words; word++) {
      const left = untried[depth * words + word];
      if (left !== 0) return word * 32 + 32 - Math.clz32(left & -left);
    }
    return 0;
  }

  private markTried(depth: number, digit: number): void {
    this.untried[depth * this.words + ((digit - 1) >>> 5)] &= ~(1 << (digit - 1));
  }
}
