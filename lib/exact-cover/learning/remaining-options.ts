/**
 * The options that the preselected ones leave, numbered from 0, with the items that these leave.
 *
 * Read after dancing links have entered the root, whose first step finds these options (`alive`).
 */
import { PRESELECTED_COUNT, type SearchMemory } from '../search-memory.ts';

export interface RemainingOptions {
  readonly count: number;
  /** By option: its number in the problem, ascending. */
  readonly numbers: Int32Array;
  /** By option, and one more: the index of its first item in `items`. */
  readonly optionStart: Int32Array;
  readonly items: Int32Array;
  readonly itemCount: number;
  /** By item, and one more: the index of its first option in `options`. */
  readonly itemStart: Int32Array;
  readonly options: Int32Array;
}

/** Reads the options of a problem that has only primary items. */
export function remainingOptions({ problem, alive, words, at }: SearchMemory): RemainingOptions {
  const isCovered = new Uint8Array(problem.primaryCount);
  for (let k = 0; k < words[PRESELECTED_COUNT]; k++) {
    const option = words[at.preselected + k];
    for (let e = problem.optionStart[option]; e < problem.optionStart[option + 1]; e++)
      isCovered[problem.items[e]] = 1;
  }
  const itemOf = new Int32Array(isCovered.length);
  let itemCount = 0;
  for (let item = 0; item < isCovered.length; item++) {
    itemOf[item] = isCovered[item] === 1 ? -1 : itemCount++;
  }
  const numbers = new Int32Array(alive.reduce((sum, isAlive) => sum + isAlive, 0));
  for (let option = 0, count = 0; option < problem.optionCount; option++) {
    if (alive[option] === 1) numbers[count++] = option;
  }
  const optionStart = new Int32Array(numbers.length + 1);
  const itemStart = new Int32Array(itemCount + 1);
  for (const [k, option] of numbers.entries()) {
    const [from, to] = [problem.optionStart[option], problem.optionStart[option + 1]];
    optionStart[k + 1] = optionStart[k] + to - from;
    for (let e = from; e < to; e++) itemStart[itemOf[problem.items[e]] + 1]++;
  }
  for (let item = 0; item < itemCount; item++) itemStart[item + 1] += itemStart[item];
  const items = new Int32Array(optionStart[numbers.length]);
  const options = new Int32Array(items.length);
  const next = itemStart.slice();
  for (const [k, option] of numbers.entries()) {
    let to = optionStart[k];
    for (let e = problem.optionStart[option]; e < problem.optionStart[option + 1]; e++) {
      const item = itemOf[problem.items[e]];
      items[to++] = item;
      options[next[item]++] = k;
    }
  }
  return { count: numbers.length, numbers, optionStart, items, itemCount, itemStart, options };
}
