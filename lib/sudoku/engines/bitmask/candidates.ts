/**
 * The candidates of all cells of a puzzle, and the conclusions from them, for masks of any width.
 *
 * After a `load` or `decide` that returned false, only `restore` and `load` may be called.
 */
export interface Candidates {
  /** Reads the givens of a puzzle and draws all conclusions; false for a contradiction. */
  load(cells: Uint8Array, offset: number): boolean;
  /** Whether every cell has its digit. */
  solved(): boolean;
  /** Returns the first of the cells with the fewest candidates, two or more; only if not solved. */
  fewestCell(): number;
  /** Returns the smallest candidate above `digit` of the cell in the saved level; 0 if it has none. */
  nextSaved(level: number, cell: number, digit: number): number;
  /** Saves all candidates; levels are saved in ascending order. */
  save(level: number): void;
  restore(level: number): void;
  /** Writes one of its candidates into a cell and draws all conclusions; false for a contradiction. */
  decide(cell: number, digit: number): boolean;
  /** Writes the digits of a solved grid; cells in no unit are left unchanged. */
  write(out: Uint8Array, offset: number): void;
}
