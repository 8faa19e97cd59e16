// Which item to branch on, as in ../choice.ts.

import { COVERED, DOWN, ITEM, NEXT, RIGHT, ROOT, SIZE, WEIGHT } from "./memory";

const TIES: i32 = 8;
/** Bits of SIZE without COVERED, which secondary items have. */
const LENGTH: i32 = COVERED - 1;

/** The head of the item to branch on; 0 where every primary item is covered. */
export function chooseItem(weighted: bool): usize {
  let best: usize = 0;
  let bestSize: i64 = 0x7fffffff;
  let bestWeight: i64 = 1;
  let mostShared: i32 = 0;
  let ties: i32 = 0;
  for (let item = load<usize>(ROOT, RIGHT); item != ROOT; item = load<usize>(item, RIGHT)) {
    const size = <i64>load<u32>(item, SIZE), weight = <i64>load<u32>(item, WEIGHT);
    const difference = size * bestWeight - bestSize * weight;
    if (difference > 0) continue;
    if (difference == 0 && ++ties > TIES) {
      if (size == 2 && !weighted) break;
      continue;
    }
    let shared: i32 = 0;
    for (let node = load<usize>(item, DOWN); node != item; node = load<usize>(node, DOWN)) {
      let entry = node;
      do {
        shared += load<i32>(load<usize>(entry, ITEM), SIZE) & LENGTH;
        entry = load<usize>(entry, NEXT);
      } while (entry != node);
    }
    if (difference < 0) ties = 1;
    else if (shared <= mostShared) continue;
    best = item;
    bestSize = size;
    bestWeight = weight;
    mostShared = shared;
  }
  return best;
}
