/**
 * Draws random solutions: each independently of the others, all solutions with the same probability.
 *
 *     count all solutions  ->  draw a number  ->  find the solution with that number  ->  draw a number ...
 *
 * That is exact at any size, as far as the numbers are drawn without bias (numbered-solutions.ts).
 */
import type { RunLimits } from './dancing-links.ts';
import { NumberedSolutions } from './numbered-solutions.ts';
import type { SolutionSearch } from './open-search.ts';
import type { ExactCoverProblem } from './problem.ts';
import { SearchStop } from './search.ts';
import type { SolutionCount } from './solution-count.ts';

/** Returns a whole number from 0 to `bound` - 1, each with the same probability. */
export type DrawBelow = (bound: SolutionCount) => SolutionCount;

export class RandomSolutions implements SolutionSearch {
  /** Solutions drawn so far. */
  solutions = 0;
  /** The options of the latest solution: the first `selectedCount`, ascending. */
  readonly selected: Int32Array;
  selectedCount = 0;
  /** Entries, heads and the root of the whole problem. */
  readonly nodeCount: number;
  readonly #numbered: NumberedSolutions;
  readonly #below: DrawBelow;
  /** Whether a solution is requested. */
  #isDrawn = false;

  /**
   * @param problem its costs are ignored
   * @param preselected options that every solution is to contain
   */
  constructor(problem: ExactCoverProblem, below: DrawBelow, preselected: readonly number[] = []) {
    const { primaryCount, secondaryCount, items, optionCount } = problem;
    this.selected = new Int32Array(optionCount);
    this.nodeCount = items.length + primaryCount + secondaryCount + 1;
    this.#numbered = new NumberedSolutions(problem, preselected);
    this.#below = below;
  }

  /** The number of solutions of the problem; undefined until they are counted. */
  get total(): SolutionCount | undefined {
    return this.#numbered.count;
  }

  get nodes(): number {
    return this.#numbered.nodes;
  }

  get guesses(): number {
    return this.#numbered.guesses;
  }

  get updates(): number {
    return this.#numbered.updates;
  }

  /** Bytes of all arrays, without those of memoised counting. */
  get bytes(): number {
    return this.#numbered.bytes - this.#numbered.memoBytes;
  }

  get memoBytes(): number {
    return this.#numbered.memoBytes;
  }

  /**
   * Draws solutions until a limit is reached; limits and results are those of `DancingLinks.run`, and `exhausted` means
   * that there is no solution.
   */
  run({ maxSolutions, maxNodes, sliceNodes, pauseAtSolution }: RunLimits): SearchStop {
    const sliceEnd = this.nodes + sliceNodes;
    for (;;) {
      if (this.solutions >= maxSolutions) return SearchStop.solutionLimit;
      const stop = this.#numbered.run({ maxNodes, sliceNodes: Math.max(0, sliceEnd - this.nodes) });
      if (stop !== SearchStop.exhausted) return stop;
      if (this.#isDrawn) {
        this.#take(this.#numbered.solution());
        this.#isDrawn = false;
        if (this.solutions >= maxSolutions) return SearchStop.solutionLimit;
        if (pauseAtSolution) return SearchStop.solution;
      }
      const { total = 0 } = this;
      if (total === 0) return SearchStop.exhausted;
      this.#numbered.request(this.#below(total));
      this.#isDrawn = true;
    }
  }

  #take(solution: Int32Array): void {
    this.solutions++;
    this.selected.set(solution);
    this.selectedCount = solution.length;
  }
}
