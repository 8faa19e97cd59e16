/**
 * How many puzzles to take at a time, from the time that they take: twice as many where they are quick, half as many where
 * they are slow. It is kept in cells, so that it means as much work in a file of another size of grid.
 */

export interface AdaptiveSizeSettings {
  /** Cells at first, at least and at most. */
  readonly firstCells: number;
  readonly minCells: number;
  readonly maxCells: number;
  /** Milliseconds: puzzles that took less were quick, those that took more were slow. */
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

  /** Puzzles of so many cells to take next; at least 1. */
  puzzleCount(cellCount: number): number {
    return Math.max(1, Math.floor(this.#cells / cellCount));
  }

  /** Is told what puzzles took that were taken at a time. */
  adjust(ms: number): void {
    const { minCells, maxCells, shortMs, longMs } = this.#settings;
    if (ms < shortMs) this.#cells = Math.min(2 * this.#cells, maxCells);
    else if (ms > longMs) this.#cells = Math.max(this.#cells / 2, minCells);
  }
}
