/**
 * The number of puzzles to take at a time, adapted to their duration: doubled if they are fast, halved if they are slow.
 * It is kept in cells, so that it means the same work for another grid size.
 */

/** Cells of an ordinary 9x9 puzzle, the smallest size: at least one puzzle is taken. */
export const CELLS = 81;

interface AdaptiveSizeSettings {
  /** Initial and largest size, in cells. */
  readonly firstCells: number;
  readonly maxCells: number;
  /** Milliseconds below which puzzles count as fast, and above which they count as slow. */
  readonly shortMs: number;
  readonly longMs: number;
}

export class AdaptiveSize {
  readonly #settings: AdaptiveSizeSettings;
  #cells: number;

  constructor(settings: AdaptiveSizeSettings) {
    this.#settings = settings;
    this.#cells = settings.firstCells;
  }

  /** The number of puzzles to take next, at least 1. @param cellCount cells of each puzzle */
  puzzleCount(cellCount: number): number {
    return Math.max(1, Math.floor(this.#cells / cellCount));
  }

  /** Adapts the size to the duration of the puzzles that were taken together. */
  adjust(ms: number): void {
    const { maxCells, shortMs, longMs } = this.#settings;
    if (ms < shortMs) this.#cells = Math.min(2 * this.#cells, maxCells);
    else if (ms > longMs) this.#cells = Math.max(this.#cells / 2, CELLS);
  }
}
