// Chooses the item to branch on, as in ../choice.ts.

import { COVERED, DOWN, ITEM, NEXT, RIGHT, ROOT, SIZE, STACK, WEIGHT } from "./memory";

const TIES: usize = 8;
/** The bits of SIZE below COVERED: the length of the list. */
const LENGTH: i32 = COVERED - 1;

/** Returns the head of the item to branch on; 0 if every primary item is covered. */
export function chooseItem(weighted: bool): usize {
  const ties = load<usize>(STACK);
  const maxEnd = ties + 4 * TIES;
  let end = ties;
  let bestSize: i64 = 0x7fffffff;
  let bestWeight: i64 = 1;
  for (let item = load<usize>(ROOT, RIGHT); item != ROOT; item = load<usize>(item, RIGHT)) {
    const size = <i64>load<u32>(item, SIZE), weight = <i64>load<u32>(item, WEIGHT);
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
    store<usize>(end, item);
    end += 4;
  }
  return end == ties ? 0 : mostShared(ties, end);
}

/** Returns the first of the items from `ties` on whose options share their items with the most others. */
function mostShared(ties: usize, end: usize): usize {
  let best = load<usize>(ties);
  if (end == ties + 4) return best;
  let most: i32 = 0;
  for (let at = ties; at < end; at += 4) {
    const item = load<usize>(at);
    let shared: i32 = 0;
    for (let node = load<usize>(item, DOWN); node != item; node = load<usize>(node, DOWN)) {
      let entry = node;
      do {
        shared += load<i32>(load<usize>(entry, ITEM), SIZE) & LENGTH;
        entry = load<usize>(entry, NEXT);
      } while (entry != node);
    }
    if (shared > most) {
      most = shared;
      best = item;
    }
  }
  return best;
}
