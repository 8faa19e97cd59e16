/**
 * The independent components of a problem: sets of items such that no remaining option has items of two of them.
 *
 *     active items   a b c d e      options   a c | a | b d | b e | d | e      components   a c | b d e
 *
 * A search that decides one component after the other has the same residual problem after each solution of the first one, which
 * memoised counting searches once.
 */
import {
  DOWN,
  ITEM,
  isPurified,
  itemOf,
  LEFT,
  NEXT,
  RIGHT,
  ROOT,
  type SearchMemory,
} from './search-memory.ts';

/**
 * Puts the active items of each component next to each other. The components are found by flooding from item to item through the
 * options, to secondary items too, as options that share one exclude each other. A purified item connects nothing, as the options
 * that it has left agree on its colour.
 *
 * @param memory with addresses in words
 * @returns by item: the number of its component; undefined if there is only one
 */
export function groupComponents({ words, problem }: SearchMemory): Int32Array | undefined {
  const componentOf = new Int32Array(problem.primaryCount + problem.secondaryCount + 1);
  const active: number[] = [];
  let components = 0;
  for (let start = words[ROOT + RIGHT]; start !== ROOT; start = words[start + RIGHT]) {
    active.push(start);
    if (componentOf[itemOf(start)] === 0) floodFrom(start, ++components);
  }
  if (components < 2) return undefined;
  active.sort((a, b) => componentOf[itemOf(a)] - componentOf[itemOf(b)] || a - b);
  let last = ROOT;
  for (const item of [...active, ROOT]) {
    words[last + RIGHT] = item;
    words[item + LEFT] = last;
    last = item;
  }
  return componentOf;

  function floodFrom(start: number, component: number): void {
    const heads = [start];
    componentOf[itemOf(start)] = component;
    for (const head of heads) {
      if (isPurified(words, head)) continue;
      for (let node = words[head + DOWN]; node !== head; node = words[node + DOWN]) {
        for (let entry = words[node + NEXT]; entry !== node; entry = words[entry + NEXT]) {
          const next = words[entry + ITEM];
          if (componentOf[itemOf(next)] !== 0) continue;
          componentOf[itemOf(next)] = component;
          heads.push(next);
        }
      }
    }
  }
}
