/** Exact-cover problems from lists, and the check of the rules that the search relies on. */
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';

/** A problem as lists: the notation of people and of file readers. */
export interface ProblemLists {
  /** Number of primary items, at least 0. */
  readonly primaryCount: number;
  /** Number of secondary items. @default 0 */
  readonly secondaryCount?: number;
  /** The item numbers of each option, from 0, in any order. */
  readonly options: readonly (readonly number[])[];
  /** The colour of each item of each option, 0 for none; the same shape as `options`. */
  readonly colours?: readonly (readonly number[])[];
}

/**
 * Checks a problem given as lists and packs it into typed arrays.
 *
 * @throws RangeError that names the option and the item if an item is out of range or occurs twice in an option, an
 *   option is empty, a primary item has a colour, or a colour or a count is not an integer from 0 up
 */
export function createProblem(lists: ProblemLists): ExactCoverProblem {
  const { options, colours } = lists;
  const optionStart = new Int32Array(options.length + 1);
  for (let option = 0; option < options.length; option++) {
    optionStart[option + 1] = optionStart[option] + options[option].length;
  }
  // Float64Array keeps invalid numbers (1.5, NaN, 2^40) for the message; Int32Array would convert them.
  const wideItems = Float64Array.from(options.flat());
  if (colours !== undefined) {
    checkColourShape(options, colours);
  }
  const wideColours = colours === undefined ? undefined : Float64Array.from(colours.flat());
  return pack(lists.primaryCount, lists.secondaryCount ?? 0, optionStart, wideItems, wideColours);
}

/**
 * Checks a problem in typed arrays and returns it.
 *
 * @throws RangeError as {@link createProblem}, or if `optionStart` does not rise from 0 to `items.length`
 */
export function checkProblem(problem: ExactCoverProblem): ExactCoverProblem {
  const { optionStart, items, optionCount } = problem;
  if (optionStart.length !== optionCount + 1 || optionStart[0] !== 0) {
    throw new RangeError(
      `optionStart has ${optionStart.length} entries from ${optionStart[0]}: expected ${optionCount + 1} from 0`,
    );
  }
  if (optionStart[optionCount] !== items.length) {
    throw new RangeError(
      `optionStart ends at ${optionStart[optionCount]}, but there are ${items.length} items`,
    );
  }
  checkEntries(problem.primaryCount, problem.secondaryCount, optionStart, items, problem.colours);
  return problem;
}

function pack(
  primaryCount: number,
  secondaryCount: number,
  optionStart: Int32Array,
  items: Float64Array,
  colours: Float64Array | undefined,
): ExactCoverProblem {
  checkEntries(primaryCount, secondaryCount, optionStart, items, colours);
  const packed = {
    primaryCount,
    secondaryCount,
    optionCount: optionStart.length - 1,
    optionStart,
    items: Int32Array.from(items),
  };
  return colours?.some((colour) => colour > 0) ? { ...packed, colours: Int32Array.from(colours) } : packed;
}

function checkEntries(
  primaryCount: number,
  secondaryCount: number,
  optionStart: Int32Array,
  items: ArrayLike<number>,
  colours: ArrayLike<number> | undefined,
): void {
  checkCount('primaryCount', primaryCount);
  checkCount('secondaryCount', secondaryCount);
  if (colours !== undefined && colours.length !== items.length) {
    throw new RangeError(
      `there are ${colours.length} colours for ${items.length} items: expected one for each item`,
    );
  }
  for (let option = 0; option + 1 < optionStart.length; option++) {
    if (optionStart[option + 1] <= optionStart[option]) {
      throw new RangeError(`option ${option} is empty: expected at least one item`);
    }
  }
  const itemCount = primaryCount + secondaryCount;
  const lastOptionWith = new Int32Array(itemCount).fill(-1);
  for (let option = 0; option + 1 < optionStart.length; option++) {
    for (let k = optionStart[option]; k < optionStart[option + 1]; k++) {
      const item = items[k];
      if (!Number.isInteger(item) || item < 0 || item >= itemCount) {
        throw new RangeError(
          `option ${option} has item ${item}: expected an item from 0 to ${itemCount - 1}`,
        );
      }
      if (lastOptionWith[item] === option) {
        throw new RangeError(`option ${option} has item ${item} twice: expected it once`);
      }
      lastOptionWith[item] = option;
      checkColour(option, item, colours?.[k] ?? 0, primaryCount);
    }
  }
}

function checkColour(option: number, item: number, colour: number, primaryCount: number): void {
  if (!Number.isInteger(colour) || colour < 0 || colour > 0x7fff_ffff) {
    throw new RangeError(
      `option ${option} gives item ${item} colour ${colour}: expected an integer from 0 up`,
    );
  }
  if (colour > 0 && item < primaryCount) {
    throw new RangeError(
      `option ${option} gives item ${item} colour ${colour}: only secondary items, from ${primaryCount} up, may have a colour`,
    );
  }
}

function checkCount(name: string, count: number): void {
  if (!Number.isInteger(count) || count < 0) {
    throw new RangeError(`${name} is ${count}: expected an integer from 0 up`);
  }
}

function checkColourShape(options: ProblemLists['options'], colours: readonly (readonly number[])[]): void {
  if (colours.length !== options.length) {
    throw new RangeError(`there are colours for ${colours.length} options: expected ${options.length}`);
  }
  for (let option = 0; option < options.length; option++) {
    if (colours[option].length !== options[option].length) {
      throw new RangeError(
        `option ${option} has ${options[option].length} items and ${colours[option].length} colours: expected one for each item`,
      );
    }
  }
}
