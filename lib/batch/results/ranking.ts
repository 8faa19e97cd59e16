/** The first puzzles of a job in some order: in the report and in `stats.json`. */

const MAX_RANKED = 10;

export class Ranking<T> {
  /** In order. */
  readonly puzzles: T[] = [];
  readonly #precedes: (a: T, b: T) => boolean;

  /** @param precedes whether a puzzle is strictly before another one */
  constructor(precedes: (a: T, b: T) => boolean) {
    this.#precedes = precedes;
  }

  /** The puzzle that the next one must precede; undefined while each one is added. */
  get last(): T | undefined {
    return this.puzzles[MAX_RANKED - 1];
  }

  /** Adds a puzzle if it is among the first; after puzzles of the same rank, so call it in the order of the file. */
  add(puzzle: T): void {
    let at = this.puzzles.length;
    while (at > 0 && this.#precedes(puzzle, this.puzzles[at - 1]!)) at--;
    this.puzzles.splice(at, 0, puzzle);
    if (this.puzzles.length > MAX_RANKED) this.puzzles.pop();
  }
}
