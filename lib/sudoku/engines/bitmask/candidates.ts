/**
 * The candidates of all cells of a puzzle, and what follows from them; however wide the masks are.
 *
 * After a `load` or `decide` that gave false, only `restore` and `load` make sense.
 */
export interface Candidates {
  /** Takes a puzzle's givens and draws all conclusions; false where they contradict each other. */
  load(cells: Uint8Array, offset: number): boolean;
  /** Whether every cell has its digit. */
  solved(): boolean;
  /** The first cell of those with the fewest candidates, two or more; only where not solved. */
  fewestCell(): number;
  /** The smallest candidate above `digit` that the cell had when the level was saved; 0 where there is none. */
  nextSaved(level: number, cell: number, digit: number): number;
  /** Keeps all candidates as they are; levels are saved in ascending order. */
  save(level: number): void;
  restore(level: number): void;
  /** Puts one of its candidates into a cell and draws all conclusions; false where they contradict each other. */
  decide(cell: number, digit: number): boolean;
  /** The digits of a solved grid, 0 in cells of no unit. */
  write(out: Uint8Array, offset: number): void;
}
