// Guides a search by cost, as in ../costs/cost-bound.ts.

import { at, colourOf, Entry, Item, Node, optionOf, placeOf, root } from "./memory";

const CAUTION: f64 = 1 - 1e-9;

/** What a proposed option does to an item: nothing; or no other option fits with it, or others fit; or a colour that they need. */
const NOT_PROPOSED: i32 = 0;
const TAKEN: i32 = -1;
const SHARED: i32 = -2;

/** Bounds the cost of the decisions, and returns the item with the largest regret for its options to spare. */
export function largestRegret(): Item | null {
  let rest: f64 = 0;
  let best: Item | null = null;
  let bestWorth: f64 = 0;
  for (let item = root.right; item != root; item = item.right) {
    const spare = item.spare;
    if (spare == 0) continue;
    const first = item.down;
    const second = first.down;
    const least = item.least;
    if (least > 0) rest += <f64>least * taxOf(item) + leastShares(item);
    const regret = second == item ? 0 : shareOf(second) - shareOf(first);
    const worth = (regret + at.typicalShare) / <f64>spare;
    if (best != null && worth <= bestWorth) continue;
    best = item;
    bestWorth = worth;
  }
  at.bound = at.cost + rest * CAUTION;
  return best;
}

/** Whether no solution with the option of an entry is cheaper than the cutoff; it need not notice. */
export function isUseless(first: Entry): bool {
  const room = at.cutoff - 1 - at.bound;
  let increase = load<f64>(at.optionCosts + 8 * optionOf(first)) * CAUTION;
  let entry = first;
  do {
    const item = entry.item;
    if (isPrimary(item) && item.least > 0) increase -= taxOf(item) + leastShares(item);
    entry = entry.next;
  } while (entry != first);
  if (increase > room) return true;
  propose(first, false);
  for (let item = root.right; item != root && increase <= room; item = item.right) {
    if (item.least != 1 || proposedOf(item) != NOT_PROPOSED) continue;
    increase += (firstFittingShare(item) - shareOf(item.down)) * CAUTION;
  }
  propose(first, true);
  return increase > room;
}

/** A secondary item is alone in its own list. */
function isPrimary(item: Item): bool {
  return item.left != item;
}

/** Writes what an option does to its items, or clears that. */
function propose(first: Entry, clear: bool): void {
  let entry = first;
  do {
    const item = entry.item;
    let mark = at.coloured != 0 ? colourOf(entry) : 0;
    if (mark == 0) mark = item.most > 1 ? SHARED : TAKEN;
    store<i32>(at.proposed + item.placeIn(4), clear ? NOT_PROPOSED : mark);
    entry = entry.next;
  } while (entry != first);
}

function proposedOf(item: Item): i32 {
  return load<i32>(at.proposed + item.placeIn(4));
}

/** The share of the first option in an item's list that fits the proposed one; Infinity if there is none. */
function firstFittingShare(item: Item): f64 {
  for (let node = item.down; node != item; node = node.down) {
    if (fits(changetype<Entry>(node))) return shareOf(node);
  }
  return Infinity;
}

function fits(node: Entry): bool {
  for (let entry = node.next; entry != node; entry = entry.next) {
    const mark = proposedOf(entry.item);
    if (mark == TAKEN || (mark > 0 && colourOf(entry) != mark)) return false;
  }
  return true;
}

/** The sum of the shares of the cheapest options that an item needs. */
function leastShares(item: Item): f64 {
  let node = item.down;
  let sum = shareOf(node);
  for (let needed = item.least; needed > 1 && (node = node.down) != item; needed--) sum += shareOf(node);
  return sum;
}

function taxOf(item: Item): f64 {
  return load<f64>(at.taxes + item.placeIn(8));
}

/** The share of an entry's option. */
function shareOf(node: Node): f64 {
  return load<f64>(at.entryShares + placeOf(node, 8));
}
