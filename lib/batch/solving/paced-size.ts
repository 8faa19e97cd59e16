/**
 * How many puzzles to take at a time, from the time that they take: twice as many where they are quick, half as many where
 * they are slow. It is kept in cells, so that it means as much work in a file of another size of grid.
 */

export interface PacedSizeSettings {
  /** Cells at first, at least and at most. */
  readonly firstCells: number;
  readonly leastCells: number;
  readonly mostCells: number;
  /** Milliseconds: puzzles that took less were quick, those that took more were slow. */
  readonly shortMs: number;
  readonly longMs: number;
}

export class PacedSize {
  readonly #settings: PacedSizeSettings;
  #cells: number;

  constructor(settings: PacedSizeSettings) {
    this.#settings = settings;
    this.#cells = settings.firstCells;
  }

  /** Puzzles of so many cells to take next; at least 1. */
  puzzles(cellCount: number): number {
    return Math.max(1, Math.floor(this.#cells / cellCount));
  }

  /** Is told what puzzles took that were taken at a time. */
  took(ms: number): void {
    const { leastCells, mostCells, shortMs, longMs } = this.#settings;
    if (ms < shortMs) this.#cells = Math.min(2 * this.#cells, mostCells);
    else if (ms > longMs) this.#cells = Math.max(this.#cells / 2, leastCells);
  }
}
