/**
 * The options that the preselected ones leave, numbered from 0.
 *
 * Read after dancing links have entered the root, whose first step finds these options (`alive`). An item without any is in a
 * preselected option, or the search would have ended there.
 */
import type { SearchMemory } from '../search-memory.ts';

export interface RemainingOptions {
  /** By option: its number in the problem, ascending. */
  readonly numbers: Int32Array;
  /** By option, and one more: the index of its first item in `items`. */
  readonly optionStart: Int32Array;
  readonly items: Int32Array;
  /** By item, and one more: the index of its first option in `options`. */
  readonly itemStart: Int32Array;
  readonly options: Int32Array;
}

/** Reads the options of a problem that has only primary items. */
export function remainingOptions({ problem, alive }: SearchMemory): RemainingOptions {
  const numbers = Int32Array.from(alive.keys()).filter((option) => alive[option] === 1);
  const optionStart = new Int32Array(numbers.length + 1);
  for (const [k, option] of numbers.entries()) {
    optionStart[k + 1] = optionStart[k] + problem.optionStart[option + 1] - problem.optionStart[option];
  }
  const items = new Int32Array(optionStart[numbers.length]);
  const itemStart = new Int32Array(problem.primaryCount + 1);
  for (const [k, option] of numbers.entries()) {
    items.set(
      problem.items.subarray(problem.optionStart[option], problem.optionStart[option + 1]),
      optionStart[k],
    );
  }
  for (const item of items) itemStart[item + 1]++;
  for (let item = 0; item < problem.primaryCount; item++) itemStart[item + 1] += itemStart[item];
  const options = new Int32Array(items.length);
  const next = itemStart.slice();
  for (const k of numbers.keys()) {
    for (let entry = optionStart[k]; entry < optionStart[k + 1]; entry++) options[next[items[entry]]++] = k;
  }
  return { numbers, optionStart, items, itemStart, options };
}
