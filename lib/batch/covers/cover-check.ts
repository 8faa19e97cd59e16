/** Checks solutions of exact-cover problems against the problem; shares no code with the search. */
import type { ExactCoverProblem } from '../../exact-cover/problem.ts';

export class CoverCheck {
  readonly #problem: ExactCoverProblem;
  /** By item: the number of the last solution with it, and its colour there. */
  readonly #seenIn: Float64Array;
  readonly #colour: Int32Array;
  #solution = 0;

  constructor(problem: ExactCoverProblem) {
    const itemCount = problem.primaryCount + problem.secondaryCount;
    this.#problem = problem;
    this.#seenIn = new Float64Array(itemCount);
    this.#colour = new Int32Array(itemCount);
  }

  /**
   * Whether the first `count` of `options` cover every primary item exactly once, and every secondary item at most once
   * or always with the same colour.
   */
  isSolution(options: Int32Array, count: number): boolean {
    const { primaryCount, optionStart, items, colours } = this.#problem;
    const solution = ++this.#solution;
    let primary = 0;
    for (let k = 0; k < count; k++) {
      const option = options[k]!;
      for (let at = optionStart[option]!; at < optionStart[option + 1]!; at++) {
        const item = items[at]!;
        const colour = colours === undefined ? 0 : colours[at]!;
        if (this.#seenIn[item] === solution && (colour === 0 || colour !== this.#colour[item])) return false;
        if (item < primaryCount) primary++;
        this.#seenIn[item] = solution;
        this.#colour[item] = colour;
      }
    }
    return primary === primaryCount;
  }
}
