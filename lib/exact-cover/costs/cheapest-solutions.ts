/**
 * The cheapest solutions of a search, at most a given number: a heap with the worst of them at the top.
 *
 * Of two solutions with the same cost, the one that was found first is better.
 */
export interface KeptSolution {
  readonly cost: number;
  /** Number of solutions that were found before. */
  readonly order: number;
  readonly options: readonly number[];
}

export class CheapestSolutions {
  readonly #capacity: number;
  readonly #heap: KeptSolution[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get isFull(): boolean {
    return this.#heap.length >= this.#capacity;
  }

  /** Solutions with this cost, and more expensive ones, are not kept. */
  get cutoff(): number {
    return this.isFull ? this.#heap[0].cost : Number.POSITIVE_INFINITY;
  }

  /** Adds a solution; the worst one goes if there are too many. Solutions are added in the order in which they are found. */
  add(solution: KeptSolution): void {
    const heap = this.#heap;
    if (!this.isFull) {
      heap.push(solution);
      // The worst first is a heap.
      if (this.isFull) heap.sort((a, b) => (isBetter(a, b) ? 1 : -1));
    } else if (isBetter(solution, heap[0])) {
      heap[0] = solution;
      this.#sink();
    }
  }

  /** The solutions, cheapest first. */
  sorted(): KeptSolution[] {
    return this.#heap.toSorted((a, b) => a.cost - b.cost || a.order - b.order);
  }

  #sink(): void {
    const heap = this.#heap;
    for (let at = 0; ; ) {
      let worst = at;
      for (const below of [2 * at + 1, 2 * at + 2]) {
        if (below < heap.length && isBetter(heap[worst], heap[below])) worst = below;
      }
      if (worst === at) return;
      [heap[worst], heap[at]] = [heap[at], heap[worst]];
      at = worst;
    }
  }
}

function isBetter(a: KeptSolution, b: KeptSolution): boolean {
  return a.cost < b.cost || (a.cost === b.cost && a.order < b.order);
}
