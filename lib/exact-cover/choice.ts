/**
 * Chooses the item to branch on: the one with the least size / weight.
 *
 * A weight starts at 1 and grows by 1 whenever the item has no option left. Failed items mark the hard part of a
 * problem, and branching there early fails early (dom/wdeg; Boussemart, Hemery, Lecoutre, Sais 2004). Of equally good
 * items, the first few are compared: the item is chosen whose options share their items with the most other options,
 * because selecting one of them would hide these.
 *
 * docs/explanation/search.md has what was measured, tried and dropped.
 */
import {
  DOWN,
  ITEM,
  isCovered,
  itemOf,
  leastOf,
  MOST,
  NEXT,
  RIGHT,
  ROOT,
  type SearchMemory,
  SPARE,
  UNMARKED,
  WEIGHT,
} from './search-memory.ts';

/** Number of equally good items that are compared. */
const TIES = 8;

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
    const size = words[item + SPARE] + 1;
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
        // As `waysOf`, written out: a call takes 1.05 times the time of the search.
        shared += (words[words[entry + ITEM] + SPARE] & UNMARKED) + 1;
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

/**
 * Chooses an item of a problem with multiplicities as Algorithm M: the one with the fewest options to spare. Ties: the item with
 * the least difference between most and least, then the one with the most options, then the first one. It depends on the
 * decisions alone.
 *
 * @returns the address of its head; 0 if no option is left
 */
export function fewestToSpare({ words }: SearchMemory): number {
  let best = 0;
  let bestSpare = 0;
  let bestSlack = 0;
  let bestSize = 0;
  for (let item = words[ROOT + RIGHT]; item !== ROOT; item = words[item + RIGHT]) {
    const spare = words[item + SPARE];
    // Forced items are settled: such an item needs no options, and none is left.
    if (spare === 0 || (best !== 0 && spare > bestSpare)) continue;
    const least = leastOf(words, item);
    const slack = words[item + MOST] - least;
    const size = spare + least;
    const isBetter =
      best === 0 || spare < bestSpare || slack < bestSlack || (slack === bestSlack && size > bestSize);
    if (!isBetter) continue;
    best = item;
    bestSpare = spare;
    bestSlack = slack;
    bestSize = size;
  }
  return best;
}

/**
 * The first active item with the fewest options to spare, which keeps to one part of the problem; 0 if no option is left. It
 * depends on the residual problem alone.
 *
 * @param componentOf by item, whose components follow each other: then the item is one of the first that has options left
 */
export function firstShortest(words: Int32Array, componentOf?: Int32Array): number {
  let shortest = 0;
  let fewest = Number.MAX_SAFE_INTEGER;
  for (let item = words[ROOT + RIGHT]; item !== ROOT; item = words[item + RIGHT]) {
    const spare = words[item + SPARE];
    if (spare === 0 || spare >= fewest) continue;
    if (
      componentOf !== undefined &&
      shortest !== 0 &&
      componentOf[itemOf(item)] !== componentOf[itemOf(shortest)]
    )
      break;
    shortest = item;
    fewest = spare;
    if (spare === 1) break;
  }
  return shortest;
}

/** Whether every option of an item is decided. */
export function isDecided(words: Int32Array, item: number): boolean {
  return isCovered(words, item) || words[item + SPARE] === 0;
}
