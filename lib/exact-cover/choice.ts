/**
 * Chooses the item to branch on: the one with the least size / weight.
 *
 * A weight starts at 1 and grows by 1 whenever the item has no option left. Failed items mark the hard part of a
 * problem, and branching there early fails early (dom/wdeg; Boussemart, Hemery, Lecoutre, Sais 2004). Of equally good
 * items, the first few are compared: the item is chosen whose options share their items with the most other options,
 * because selecting one of them would hide these.
 *
 * Tried and dropped (mean nodes per puzzle of 375 hard sudokus; this file takes 260):
 * - comparing another number of ties than 8: 275 for 1, 268 for 2, 260 for 4, 272 for 16, 270 for 32; the slowest of 40
 *   random 25x25 sudokus with 45% givens took 1.7 s for 2 and 4.3 s for 32, and takes 0.5 s for 8.
 *
 * Tried with an earlier search, which blamed another item (covering.ts) and took 286 nodes:
 * - the first item of least size, as in Algorithm D: 734; comparing ties by weight only: 371; by the sizes around them
 *   only: 517; weight as one summand among others: 341; weights that grow by 5% with each failure: 325; blaming the
 *   item that was branched on too: 329;
 * - choosing the most recently failed item: 461.
 *
 * A scan of all heads instead of the list of active items took 1.2 times as long on these puzzles. Comparing ties
 * only after the scan, and no item that a later one beats: 0.96 times.
 */
import { COVERED, DOWN, ITEM, NEXT, RIGHT, ROOT, type SearchMemory, SIZE, WEIGHT } from './search-memory.ts';

/** Number of equally good items that are compared. */
const TIES = 8;

/** The bits of SIZE below COVERED: the length of the list, for secondary items too. */
const LENGTH = COVERED - 1;

/**
 * Chooses the item to branch on.
 *
 * @param weighted whether any item has a weight other than 1
 * @returns the address of its head; 0 if every primary item is covered
 */
export function chooseItem({ words, at }: SearchMemory, weighted: boolean): number {
  // The stack is empty when an item is chosen, so its memory holds the ties.
  const ties = at.stack;
  let end = ties;
  let bestSize = 0x7fff_ffff;
  let bestWeight = 1;
  for (let item = words[ROOT + RIGHT]; item !== ROOT; item = words[item + RIGHT]) {
    const size = words[item + SIZE];
    const weight = words[item + WEIGHT];
    const difference = size * bestWeight - bestSize * weight;
    if (difference > 0) {
      continue;
    }
    if (difference < 0) {
      bestSize = size;
      bestWeight = weight;
      end = ties;
    } else if (end === ties + TIES) {
      if (size === 2 && !weighted) {
        break;
      }
      continue;
    }
    words[end++] = item;
  }
  return end === ties ? 0 : mostShared(words, ties, end);
}

/** Returns the first of the items from `ties` on whose options share their items with the most others. */
function mostShared(words: Int32Array, ties: number, end: number): number {
  let best = words[ties];
  if (end === ties + 1) {
    return best;
  }
  let most = 0;
  for (let k = ties; k < end; k++) {
    let shared = 0;
    for (let node = words[words[k] + DOWN]; node !== words[k]; node = words[node + DOWN]) {
      let entry = node;
      do {
        shared += words[words[entry + ITEM] + SIZE] & LENGTH;
        entry = words[entry + NEXT];
      } while (entry !== node);
    }
    if (shared > most) {
      most = shared;
      best = words[k];
    }
  }
  return best;
}
