/**
 * The candidates of all cells of a puzzle, and the conclusions from them, for every size: bit (d-1) % 32 of word
 * floor((d-1) / 32) for digit d.
 *
 *     state     cell 0: word 0, word 1 | cell 1: ... | ...
 *     left      number of candidates of each cell
 *     saved     both, by level
 *     queue     cells with one candidate left that their peers have not lost yet
 *     stale     by unit: 1 if one of its cells lost a candidate after the last search for hidden singles
 *
 * The count finds cells with one candidate left without reading all words. Peers are found through the units: a table
 * of them would be larger than everything else together (at 255x255, 48 million numbers).
 *
 * All hidden singles of a unit at once, from the masks m of its cells, word by word:
 *
 *     twice |= once & m,  once |= m        once: in at least one cell; twice: in more than one
 *     fixed |= m                           if m is the only candidate: already placed
 *     once & ~twice & ~fixed               digits with one place left
 *
 * A 17-clue 9x9 decides 148 cells, removes 640 candidates and searches 234 units on average. Tried and dropped: a
 * second class for sizes up to 32, with one word for each cell, a table of peers and a bit for each stale unit; twice
 * as fast at 9x9, for as many lines again in an engine that is only for comparison.
 */

import type { Geometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { lowestBits, type UnitTables, unitTables } from './geometry-tables.ts';

interface Saved {
  readonly state: Int32Array;
  readonly left: Uint8Array;
  open: number;
}

/** After a `load` or `decide` that returned false, only `restore` and `load` may be called. */
export class Candidates {
  readonly #size: number;
  readonly #words: number;
  readonly #cellCount: number;
  readonly #tables: UnitTables;

  readonly #state: Int32Array;
  readonly #left: Uint8Array;
  readonly #queue: Int32Array;
  #queued = 0;
  readonly #stale: Uint8Array;
  #open = 0;
  readonly #saved: Saved[] = [];
  /** Levels that this puzzle has saved so far. */
  #levels = 0;
  readonly #savedBytes: number;

  /** @param savedBytes bytes that the saved levels may take */
  constructor(geometry: Geometry, savedBytes = Number.POSITIVE_INFINITY) {
    this.#size = geometry.size;
    this.#words = Math.ceil(geometry.size / 32);
    this.#cellCount = geometry.cellCount;
    this.#tables = unitTables(geometry);
    this.#state = new Int32Array(this.#cellCount * this.#words);
    this.#left = new Uint8Array(this.#cellCount);
    this.#queue = new Int32Array(this.#cellCount);
    this.#stale = new Uint8Array(geometry.units.length);
    this.#savedBytes = savedBytes;
  }

  /** Bytes of the candidates, with those of the levels that this puzzle has saved. */
  get bytes(): number {
    return this.#cellCount * (4 * this.#words + 1) * (1 + this.#levels);
  }

  /** Reads the givens of a puzzle and draws all conclusions; false for a contradiction. */
  load(cells: Uint8Array, offset: number): boolean {
    const { usedCells } = this.#tables;
    this.#queued = 0;
    this.#levels = 0;
    this.#open = usedCells.length;
    this.#stale.fill(1);
    for (const cell of usedCells) {
      const digit = cells[offset + cell];
      this.#left[cell] = digit === 0 ? this.#size : 1;
      for (let word = 0; word < this.#words; word++) {
        this.#state[cell * this.#words + word] = digit === 0 ? this.#allIn(word) : bitIn(word, digit);
      }
      if (digit !== 0 || this.#size === 1) this.#queue[this.#queued++] = cell;
    }
    return this.#drawConclusions();
  }

  /** Whether every cell has its digit. */
  solved(): boolean {
    return this.#open === 0;
  }

  /** Returns the first of the cells with the fewest candidates, two or more; only if not solved. */
  fewestCell(): number {
    const left = this.#left;
    let fewest = 256;
    let chosen = -1;
    for (const cell of this.#tables.usedCells) {
      if (left[cell] === 1 || left[cell] >= fewest) continue;
      if (left[cell] === 2) return cell;
      fewest = left[cell];
      chosen = cell;
    }
    return chosen;
  }

  /** Returns the smallest candidate above `digit` of the cell in the saved level; 0 if it has none. */
  nextSaved(level: number, cell: number, digit: number): number {
    const { state } = this.#saved[level];
    const start = cell * this.#words;
    for (let word = digit >>> 5; word < this.#words; word++) {
      // Bit `digit` is that of the next digit; in later words all bits count.
      const above = state[start + word] & (word === digit >>> 5 ? -1 << digit : -1);
      if (above !== 0) return word * 32 + 32 - Math.clz32(above & -above);
    }
    return 0;
  }

  /** Saves all candidates; levels are saved in ascending order. @returns false if the memory has no space for it */
  save(level: number): boolean {
    if (level === this.#levels) {
      if (this.bytes > this.#savedBytes) return false;
      this.#levels++;
    }
    this.#saved[level] ??= { state: this.#state.slice(), left: this.#left.slice(), open: 0 };
    const saved = this.#saved[level];
    saved.state.set(this.#state);
    saved.left.set(this.#left);
    saved.open = this.#open;
    return true;
  }

  restore(level: number): void {
    const { state, left, open } = this.#saved[level];
    this.#state.set(state);
    this.#left.set(left);
    this.#open = open;
  }

  /** Writes one of its candidates into a cell and draws all conclusions; false for a contradiction. */
  decide(cell: number, digit: number): boolean {
    this.#settle(cell, (digit - 1) >>> 5, 1 << (digit - 1));
    return this.#drawConclusions();
  }

  /** Writes the digits of a solved grid; cells in no unit are left unchanged. */
  write(out: Uint8Array): void {
    for (const cell of this.#tables.usedCells) {
      const word = this.#firstWord(cell);
      out[cell] = word * 32 + 32 - Math.clz32(this.#state[cell * this.#words + word]);
    }
  }

  /** Returns the bits of all digits of a word. */
  #allIn(word: number): number {
    return lowestBits(this.#size - word * 32);
  }

  /** Returns the first word of a cell that is not 0. */
  #firstWord(cell: number): number {
    let word = 0;
    while (word < this.#words - 1 && this.#state[cell * this.#words + word] === 0) word++;
    return word;
  }

  /** Removes all candidates of a cell but one, and queues the cell. */
  #settle(cell: number, word: number, bit: number): void {
    const state = this.#state;
    const words = this.#words;
    const left = this.#left;
    const queue = this.#queue;
    for (let w = 0; w < words; w++) state[cell * words + w] = w === word ? bit : 0;
    left[cell] = 1;
    queue[this.#queued++] = cell;
    this.#markStale(cell);
  }

  #markStale(cell: number): void {
    const { unitStart, unitsOf } = this.#tables;
    for (let k = unitStart[cell]; k < unitStart[cell + 1]; k++) this.#stale[unitsOf[k]] = 1;
  }

  /** Applies naked singles until none is left, then the hidden singles of one unit, and repeats. */
  #drawConclusions(): boolean {
    const stale = this.#stale;
    let consistent = this.#nakedSingles();
    while (consistent && this.#open !== 0) {
      // From the last unit backwards: boxes have more hidden singles than rows.
      const unit = stale.lastIndexOf(1);
      if (unit < 0) break;
      stale[unit] = 0;
      consistent = this.#hiddenSingles(unit) && this.#nakedSingles();
    }
    this.#queued = 0;
    stale.fill(0);
    return consistent;
  }

  /** Empties the queue; false if a cell has no candidate left. */
  #nakedSingles(): boolean {
    const { unitStart, unitsOf } = this.#tables;
    while (this.#queued > 0) {
      const cell = this.#queue[--this.#queued];
      const word = this.#firstWord(cell);
      const bit = this.#state[cell * this.#words + word];
      this.#open--;
      for (let k = unitStart[cell]; k < unitStart[cell + 1]; k++) {
        if (!this.#removeFromOthers(unitsOf[k], cell, word, bit)) return false;
      }
    }
    return true;
  }

  /** Removes a digit from all cells of a unit but one; false if a cell has no candidate left. */
  #removeFromOthers(unit: number, cell: number, word: number, bit: number): boolean {
    const state = this.#state;
    const words = this.#words;
    const left = this.#left;
    const queue = this.#queue;
    const size = this.#size;
    const { unitCells } = this.#tables;
    for (let k = unit * size, end = k + size; k < end; k++) {
      const peer = unitCells[k];
      if ((state[peer * words + word] & bit) === 0 || peer === cell) continue;
      state[peer * words + word] ^= bit;
      left[peer]--;
      if (left[peer] === 0) return false;
      if (left[peer] === 1) queue[this.#queued++] = peer;
      this.#markStale(peer);
    }
    return true;
  }

  /** Queues the hidden singles of a unit; false if a digit has no place, or two digits have only the same place. */
  #hiddenSingles(unit: number): boolean {
    const state = this.#state;
    const words = this.#words;
    const left = this.#left;
    const size = this.#size;
    const { unitCells } = this.#tables;
    const start = unit * size;
    const end = start + size;
    for (let word = 0; word < words; word++) {
      let once = 0;
      let twice = 0;
      let fixed = 0;
      for (let k = start; k < end; k++) {
        const mask = state[unitCells[k] * words + word];
        twice |= once & mask;
        once |= mask;
        if (left[unitCells[k]] === 1) fixed |= mask;
      }
      if (once !== this.#allIn(word)) return false;
      const hidden = once & ~twice & ~fixed;
      if (hidden === 0) continue;
      for (let k = start; k < end; k++) {
        const cell = unitCells[k];
        const bit = state[cell * words + word] & hidden;
        if (bit === 0) continue;
        if ((bit & (bit - 1)) !== 0) return false;
        this.#settle(cell, word, bit);
      }
    }
    return true;
  }
}

/** Returns the bits of a word if `digit` is the only candidate. */
function bitIn(word: number, digit: number): number {
  return (digit - 1) >>> 5 === word ? 1 << (digit - 1) : 0;
}
