// Chooses the item to branch on, as in ../choice.ts.

import { at, COVERED, Entry, Item, root } from "./memory";

const TIES: usize = 8;
/** The bits of `spare` below COVERED. */
const UNMARKED: i32 = COVERED - 1;

/** Returns the item to branch on; null if every primary item is covered. */
export function chooseItem(weighted: bool): Item | null {
  const ties = at.stack;
  const maxEnd = ties + 4 * TIES;
  let end = ties;
  let bestSize: i64 = 0x7fffffff;
  let bestWeight: i64 = 1;
  for (let item = root.right; item != root; item = item.right) {
    // Not negative, and read as such: extending a sign takes time.
    const size = <i64>load<u32>(changetype<usize>(item), offsetof<Item>("spare")) + 1;
    const weight = <i64>load<u32>(changetype<usize>(item), offsetof<Item>("weight"));
    const difference = size * bestWeight - bestSize * weight;
    if (difference > 0) continue;
    if (difference < 0) {
      bestSize = size;
      bestWeight = weight;
      end = ties;
    } else if (end == maxEnd) {
      if (size == 2 && !weighted) break;
      continue;
    }
    store<Item>(end, item);
    end += 4;
  }
  return end == ties ? null : mostShared(ties, end);
}

/** Returns the first of the items from `ties` on whose options share their items with the most others. */
function mostShared(ties: usize, end: usize): Item {
  let best = load<Item>(ties);
  if (end == ties + 4) return best;
  let most: i32 = 0;
  for (let word = ties; word < end; word += 4) {
    const item = load<Item>(word);
    let shared: i32 = 0;
    for (let node = item.down; node != item; node = node.down) {
      let entry = changetype<Entry>(node);
      do {
        shared += (entry.item.spare & UNMARKED) + 1;
        entry = entry.next;
      } while (entry != node);
    }
    if (shared > most) {
      most = shared;
      best = item;
    }
  }
  return best;
}

/**
 * With multiplicities: the item with the fewest options to spare; ties: the least difference between most and least, then the
 * most options, then the first one. Null if no option is left.
 */
export function fewestToSpare(): Item | null {
  let best: Item | null = null;
  let bestSpare: i32 = 0, bestSlack: i32 = 0, bestSize: i32 = 0;
  for (let item = root.right; item != root; item = item.right) {
    const spare = item.spare;
    // Forced items are settled: such an item needs no options, and none is left.
    if (spare == 0 || (best != null && spare > bestSpare)) continue;
    const least = item.least;
    const slack = item.most - least;
    const size = spare + least;
    if (best == null || spare < bestSpare || slack < bestSlack || (slack == bestSlack && size > bestSize)) {
      best = item;
      bestSpare = spare;
      bestSlack = slack;
      bestSize = size;
    }
  }
  return best;
}
