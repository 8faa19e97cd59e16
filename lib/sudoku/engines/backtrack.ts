/**
 * The `backtrack` engine: plain depth-first search, the baseline for the other engines.
 *
 * It fills the blank cells in the order of the grid, each with its legal digits in ascending order; if a cell has
 * none, the search returns to the cell before. This is the textbook program (for instance for HDU 1426). It is fast
 * on easy puzzles, and takes hundreds of millions of nodes on hard ones: these end only at the node budget.
 *
 *     blanks[depth]     the cell that is filled at that depth
 *     next[depth]       its legal digit that is tried next; 0 if there is none
 *     taken             by unit and digit: whether the unit has the digit
 *
 * A node is a digit written into a cell, and the root.
 */
import { candidatesRefusal } from '../candidates.ts';
import { type Engine, type SearchLimits, Stop } from '../engine.ts';
import { type Geometry, unitsByCell } from '../geometry/geometry.ts';
import type { Kernel, KernelCounts } from './kernel.ts';
import { KernelEngine } from './kernel-engine.ts';

/** Creates a `backtrack` engine; it supports every geometry without candidates. */
export function createBacktrackEngine(): Engine {
  return new KernelEngine(
    'backtrack',
    1,
    (geometry) => new BacktrackKernel(geometry),
    (geometry) => candidatesRefusal('backtrack', geometry),
  );
}

class BacktrackKernel implements Kernel, KernelCounts {
  readonly counts: KernelCounts = this;
  /** 0 until the first slice enters the root. */
  nodes = 0;
  guesses = 0;
  solutions = 0;
  readonly #size: number;
  readonly #taken: Uint8Array;
  /** By cell: where each of its units begins in `taken`. */
  readonly #unitsOf: readonly Int32Array[];
  readonly #grid: Uint8Array;
  readonly #next: Uint8Array;
  #blanks: number[] = [];
  /** The depth whose cell is filled next; -1 when the search is exhausted. */
  #depth = -1;

  constructor(geometry: Geometry) {
    const { size, cellCount, units } = geometry;
    this.#size = size;
    this.#taken = new Uint8Array(units.length * (size + 1));
    this.#unitsOf = unitsByCell(geometry).map((list) => Int32Array.from(list, (unit) => unit * (size + 1)));
    this.#grid = new Uint8Array(cellCount);
    this.#next = new Uint8Array(cellCount);
  }

  get bytes(): number {
    return 2 * this.#grid.length + this.#taken.length + 4 * this.#blanks.length;
  }

  begin(cells: Uint8Array, offset: number): boolean {
    this.nodes = 0;
    this.guesses = 0;
    this.solutions = 0;
    this.#depth = -1;
    this.#blanks = [];
    this.#grid.fill(0);
    this.#taken.fill(0);
    let isConsistent = true;
    for (let cell = 0; cell < this.#grid.length; cell++) {
      const digit = cells[offset + cell];
      if (digit > this.#size) return false;
      if (digit === 0) this.#blanks.push(cell);
      else if (this.#nextLegal(cell, digit - 1) === digit) this.#write(cell, digit);
      else isConsistent = false;
    }
    if (isConsistent) this.#goDown();
    return true;
  }

  search({ maxSolutions, maxNodes, sliceNodes, pauseAtSolution }: SearchLimits): Stop {
    const blanks = this.#blanks;
    const sliceEnd = this.nodes + sliceNodes;
    if (this.nodes === 0) this.nodes = 1;
    while (this.#depth >= 0) {
      if (this.#depth === blanks.length) {
        this.#depth--;
        this.solutions++;
        if (this.solutions >= maxSolutions) return Stop.solutionLimit;
        if (pauseAtSolution) return Stop.solution;
        continue;
      }
      const cell = blanks[this.#depth];
      if (this.#grid[cell] !== 0) this.#write(cell, 0);
      const digit = this.#next[this.#depth];
      if (digit === 0) {
        this.#depth--;
        continue;
      }
      if (this.nodes >= maxNodes) return Stop.nodeLimit;
      if (this.nodes >= sliceEnd) return Stop.slice;
      this.nodes++;
      const next = this.#nextLegal(cell, digit);
      this.#next[this.#depth] = next;
      if (next !== 0) this.guesses++;
      this.#write(cell, digit);
      this.#goDown();
    }
    return Stop.exhausted;
  }

  readSolution(cells: Uint8Array, offset: number): void {
    cells.set(this.#grid, offset);
  }

  /** Goes to the next blank cell. */
  #goDown(): void {
    this.#depth++;
    if (this.#depth < this.#blanks.length)
      this.#next[this.#depth] = this.#nextLegal(this.#blanks[this.#depth], 0);
  }

  /** The smallest digit above another one that no unit of the cell has; 0 if there is none. */
  #nextLegal(cell: number, above: number): number {
    const taken = this.#taken;
    const units = this.#unitsOf[cell];
    next: for (let digit = above + 1; digit <= this.#size; digit++) {
      for (let k = 0; k < units.length; k++) if (taken[units[k] + digit] !== 0) continue next;
      return digit;
    }
    return 0;
  }

  /** Writes a digit into a cell, or 0 to erase the one in it. */
  #write(cell: number, digit: number): void {
    const changed = digit || this.#grid[cell];
    const units = this.#unitsOf[cell];
    for (let k = 0; k < units.length; k++) this.#taken[units[k] + changed] ^= 1;
    this.#grid[cell] = digit;
  }
}
