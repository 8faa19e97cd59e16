/**
 * Which item to branch on: the one with the least size / weight.
 *
 * A weight is 1 and grows by 1 whenever the item is the one with no option left. Items that failed are where the
 * trouble is, and coming to them early fails early (dom/wdeg; Boussemart, Hemery, Lecoutre, Sais 2004). Of items equally
 * good, the first few are compared, and the one wins whose options share their items with the most other options, which
 * selecting one of them would hide.
 *
 * Tried and dropped, in nodes a puzzle on 375 hard sudokus, where this file needs 260:
 * - comparing fewer ties than 8, or more: 275 for 1, 268 for 2, 260 for 4, 272 for 16, 270 for 32; and the slowest of 40
 *   random 25x25 sudokus with 45% givens took 1.7 s for 2 and 4.3 s for 32, where it takes 0.5 s.
 * With a search that needed 286, for it blamed another item (covering.ts):
 * - the first item of least size, as in Algorithm D: 734; comparing ties by weight only: 371; by the sizes around them
 *   only: 517; weight as one summand among others: 341; weights that grow by 5% with each failure: 325; blaming the
 *   item that was branched on as well: 329;
 * - taking the last item that failed first: 461.
 * A scan of all heads in place of the list of active items took 1.2 times as long on these puzzles.
 * Comparing only when the scan is over, and not items that a later one beats: 0.96.
 */
import { COVERED, DOWN, ITEM, NEXT, RIGHT, ROOT, type SearchMemory, SIZE, WEIGHT } from './search-memory.ts';

/** How many items that are equally good are compared before one is chosen. */
const TIES = 8;

/** Bits of SIZE without COVERED, which secondary items have. */
const LENGTH = COVERED - 1;

/**
 * The item to branch on, as the address of its head; 0 where every primary item is covered.
 *
 * @param weighted whether any item has a weight other than 1
 */
export function chooseItem({ words, at }: SearchMemory, weighted: boolean): number {
  // Nothing is on the stack when a choice is made: the items that are equally good stand there.
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

/** Of the items from `ties` on, the first one whose options share their items with the most others. */
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
