/** Exact-cover problems from lists, and the check of the rules that the search relies on. */
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';

/** A problem as lists: the notation of people and of file readers. */
interface ProblemLists {
  readonly primaryCount: number;
  /** @default 0 */
  readonly secondaryCount?: number;
  /** The item numbers of each option, from 0, in any order. */
  readonly options: readonly (readonly number[])[];
  /** The colour of each item of each option, 0 for none; the same shape as `options`. */
  readonly colours?: readonly (readonly number[])[];
}

/** Packs a problem given as lists into typed arrays, and checks it. @throws RangeError as `checkProblem` */
export function createProblem(lists: ProblemLists): ExactCoverProblem {
  const { primaryCount, secondaryCount = 0, options, colours } = lists;
  const optionStart = new Int32Array(options.length + 1);
  for (const [option, { length }] of options.entries())
    optionStart[option + 1] = optionStart[option] + length;
  const items = Int32Array.from(options.flat());
  const problem = { primaryCount, secondaryCount, optionCount: options.length, optionStart, items };
  const isColoured = colours?.flat().some((colour) => colour > 0) === true;
  return checkProblem(isColoured ? { ...problem, colours: Int32Array.from(colours.flat()) } : problem);
}

/**
 * Checks a problem and returns it.
 *
 * @throws RangeError if `optionStart` does not rise from 0 to `items.length`, an item is out of range or twice in an option, or a
 *   primary item has a colour
 */
export function checkProblem(problem: ExactCoverProblem): ExactCoverProblem {
  const { primaryCount, secondaryCount, optionCount, optionStart, items, colours } = problem;
  const lastOptionWith = new Int32Array(primaryCount + secondaryCount).fill(-1);
  const isPacked = optionStart.length === optionCount + 1 && optionStart[optionCount] === items.length;
  if (!isPacked || optionStart[0] !== 0 || (colours !== undefined && colours.length !== items.length)) {
    throw new RangeError('the options do not begin at 0 and end with the items and colours');
  }
  for (let option = 0; option < optionCount; option++) {
    if (optionStart[option + 1] <= optionStart[option]) throw new RangeError(`option ${option} is empty`);
    for (let k = optionStart[option]; k < optionStart[option + 1]; k++) {
      const item = items[k];
      if (lastOptionWith[item] === undefined) throw new RangeError(`option ${option} has item ${item}`);
      if (lastOptionWith[item] === option) throw new RangeError(`option ${option} has item ${item} twice`);
      lastOptionWith[item] = option;
      const colour = colours?.[k] ?? 0;
      if (colour < 0 || (colour > 0 && item < primaryCount)) {
        throw new RangeError(`option ${option} gives item ${item} colour ${colour}`);
      }
    }
  }
  return problem;
}
