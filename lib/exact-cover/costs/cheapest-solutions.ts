/** A solution that a search by cost has found. */
export interface KeptSolution {
  readonly cost: number;
  readonly options: readonly number[];
}

/** The cheapest solutions of a search, at most a given number. Of two with the same cost, the one that was found first is better. */
export class CheapestSolutions {
  readonly #capacity: number;
  /** The best first. */
  readonly #solutions: KeptSolution[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get isFull(): boolean {
    return this.#solutions.length >= this.#capacity;
  }

  /** Solutions with this cost, and more expensive ones, are not kept. */
  get cutoff(): number {
    return this.isFull ? this.#solutions.at(-1)!.cost : Number.POSITIVE_INFINITY;
  }

  /** Adds a solution that costs less than the cutoff, in the order in which they are found; the worst one goes if there are too many. */
  add(solution: KeptSolution): void {
    const solutions = this.#solutions;
    if (this.isFull) solutions.pop();
    let from = 0;
    for (let to = solutions.length; from < to; ) {
      const middle = (from + to) >> 1;
      if (solutions[middle].cost <= solution.cost) from = middle + 1;
      else to = middle;
    }
    solutions.splice(from, 0, solution);
  }

  /** The solutions, cheapest last. */
  reversed(): KeptSolution[] {
    return this.#solutions.toReversed();
  }
}
