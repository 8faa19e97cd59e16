/**
 * The candidates of a puzzle while it is solved, twice: the digits of each cell, and the places of each digit in each unit.
 *
 *     candidates[cell]              bit d: the cell may have digit d + 1; 0 once it has its digit
 *     places[unit * size + d]       bit k: the k-th cell of the unit may have digit d + 1
 */
import type { Geometry } from '../geometry/geometry.ts';
import { bitsOf, type Layout, layoutOf } from './layout.ts';

/** Candidates of a cell that a step removes, as a mask. */
export interface Removal {
  readonly cell: number;
  readonly digits: number;
}

export interface Placement {
  readonly cell: number;
  /** From 1. */
  readonly digit: number;
}

export class Board {
  readonly layout: Layout;
  readonly size: number;
  /** The mask of all digits, and of all places of a unit. */
  readonly all: number;
  readonly candidates: Int32Array;
  readonly places: Int32Array;
  /** By unit: its cells without a digit. */
  readonly openIn: Int32Array;
  /** Cells without a digit. */
  open = 0;

  /** @param cells 0 for a blank, 1 to `size` for a given; the givens do not clash */
  constructor(geometry: Geometry, cells: ArrayLike<number>) {
    const { size, cellCount, units, candidates } = geometry;
    this.layout = layoutOf(geometry);
    this.size = size;
    this.candidates = new Int32Array(cellCount);
    this.all = 2 ** size - 1;
    this.places = new Int32Array(units.length * size).fill(this.all);
    this.openIn = new Int32Array(units.length).fill(size);
    const { unitsOf } = this.layout;
    for (let cell = 0; cell < cellCount; cell++) {
      if (unitsOf[cell].length === 0) continue;
      this.candidates[cell] = this.all;
      this.open++;
      if (candidates !== undefined) this.remove(cell, ~candidates[cell]);
    }
    for (let cell = 0; cell < cellCount; cell++) {
      if (cells[cell] !== 0 && unitsOf[cell].length > 0) this.place(cell, cells[cell]);
    }
  }

  place(cell: number, digit: number): void {
    const { unitsOf, peersOf } = this.layout;
    this.remove(cell, this.candidates[cell]);
    for (const peer of peersOf[cell]) this.remove(peer, 1 << (digit - 1));
    for (const unit of unitsOf[cell]) this.openIn[unit]--;
    this.open--;
  }

  /** Removes those digits of the mask that are candidates of the cell. */
  remove(cell: number, mask: number): void {
    const units = this.layout.unitsOf[cell];
    const slots = this.layout.slotsOf[cell];
    let removed = this.candidates[cell] & mask;
    this.candidates[cell] &= ~mask;
    for (; removed !== 0; removed &= removed - 1) {
      const digit = 31 - Math.clz32(removed & -removed);
      for (let k = 0; k < units.length; k++) this.places[units[k] * this.size + digit] &= ~(1 << slots[k]);
    }
  }

  /** Which candidates of the mask these cells have. */
  removals(cells: Iterable<number>, mask: number): Removal[] {
    const removals: Removal[] = [];
    for (const cell of cells) {
      const digits = this.candidates[cell] & mask;
      if (digits !== 0) removals.push({ cell, digits });
    }
    return removals;
  }

  /** Which of these digits the cells that see all of `cells` have. */
  removalsSeenBy(cells: readonly number[], mask: number): Removal[] {
    const { peersOf } = this.layout;
    return this.removals(peersOf[cells[0]], mask).filter(({ cell }) =>
      cells.every((other) => peersOf[other].has(cell)),
    );
  }

  /** The cells of a unit at these places. */
  cellsAt(unit: number, slots: number): number[] {
    return bitsOf(slots).map((slot) => this.layout.cells[unit][slot]);
  }

  /** The cells of a unit that may have a digit, from 0. */
  cellsWith(unit: number, digit: number): number[] {
    return this.cellsAt(unit, this.places[unit * this.size + digit]);
  }
}
