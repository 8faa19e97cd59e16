/** Checks solutions of exact-cover problems against the problem; shares no code with the search. */
import type { ExactCoverProblem } from '../../exact-cover/problem.ts';

export class CoverCheck {
  readonly #problem: ExactCoverProblem;
  /** By secondary item: the number of the last solution with it, and its colour there. */
  readonly #seenIn: Float64Array;
  readonly #colour: Int32Array;
  /** By option: the number of the last solution with it. */
  readonly #usedIn: Float64Array;
  /** By primary item: how many options of the solution contain it. */
  readonly #times: Int32Array;
  #solution = 0;

  constructor(problem: ExactCoverProblem) {
    const itemCount = problem.primaryCount + problem.secondaryCount;
    this.#problem = problem;
    this.#seenIn = new Float64Array(itemCount);
    this.#colour = new Int32Array(itemCount);
    this.#usedIn = new Float64Array(problem.optionCount);
    this.#times = new Int32Array(problem.primaryCount);
  }

  /** The cost of options; undefined if the problem has no costs. */
  costOf(options: Int32Array): number | undefined {
    const { costs } = this.#problem;
    return costs && options.reduce((sum, option) => sum + costs[option]!, 0);
  }

  /**
   * Whether options are different and cover every primary item as often as they must (exactly once
   * without multiplicities), and every secondary item at most once or always with the same colour.
   */
  isSolution(options: Int32Array): boolean {
    const { primaryCount, optionStart, items, colours, multiplicities } = this.#problem;
    const solution = ++this.#solution;
    const times = this.#times.fill(0);
    for (let k = 0; k < options.length; k++) {
      const option = options[k]!;
      if (this.#usedIn[option] === solution) return false;
      this.#usedIn[option] = solution;
      for (let at = optionStart[option]!; at < optionStart[option + 1]!; at++) {
        const item = items[at]!;
        if (item < primaryCount) {
          times[item]!++;
          continue;
        }
        const colour = colours === undefined ? 0 : colours[at]!;
        if (this.#seenIn[item] === solution && (colour === 0 || colour !== this.#colour[item])) return false;
        this.#seenIn[item] = solution;
        this.#colour[item] = colour;
      }
    }
    const { least, most } = multiplicities ?? {};
    return times.every((found, item) => found >= (least?.[item] ?? 1) && found <= (most?.[item] ?? 1));
  }
}

export function wrongSolution(options: Int32Array): Error {
  return new Error(
    `the core returned a wrong solution: a defect of the core (options: ${options.join(' ')})`,
  );
}
