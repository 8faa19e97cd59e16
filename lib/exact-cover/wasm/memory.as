// A problem's memory, which ../search-memory.ts lays out and fills.

/** A node of an item's list: its head, or an entry of an option. */
@unmanaged
export class Node {
  up: Node;
  down: Node;
}

/** An entry of an option; `next` is the next one of the option, the first after the last. */
@unmanaged
export class Entry extends Node {
  item: Item;
  next: Entry;
}

/** The head of an item's list, which is itself in the list of active items. */
@unmanaged
export class Item extends Node {
  /** How many of `most` options the item may do without. */
  slack: i32;
  /** How many options of its list the item can spare: forced at 0, failed below. With COVERED added once it is covered. */
  spare: i32;
  left: Item;
  right: Item;
  weight: i32;
  /** How many more options with this item fit into a solution. */
  most: i32;

  /** How many more options with this item a solution needs. */
  @inline get least(): i32 {
    return max(0, this.most - this.slack);
  }

  /** Whether a secondary item is covered, or purified: an option has given it its colour. */
  @inline get isPurified(): bool {
    return this.spare >= 2 * COVERED;
  }

  /** The item's place in a table by item, with this number of bytes for each; that of the root is the first. */
  @inline placeIn(bytes: usize): usize {
    return ((changetype<usize>(this) - ROOT) / ITEM_BYTES) * bytes;
  }

  /** Removes the item from the list of active items. Its own list is shorter by one, and so is what it needs. */
  @inline cover(): void {
    const before = this.left, after = this.right;
    before.right = after;
    after.left = before;
    this.spare += COVERED;
  }

  @inline uncover(): void {
    this.left.right = this;
    this.right.left = this;
    this.spare -= COVERED;
  }

  /** Notes that an option with the item is in, and covers the item if no other option with it fits. */
  @inline commit(): void {
    const most = this.most - 1;
    this.most = most;
    if (most >= this.slack) this.spare += 1;
    if (most == 0) this.cover();
  }

  @inline uncommit(): void {
    const most = this.most;
    this.most = most + 1;
    if (most >= this.slack) this.spare -= 1;
    if (most == 0) this.uncover();
  }
}

/** Bytes of the records. */
export const ITEM_BYTES: usize = 32;
export const ENTRY_BYTES: usize = 16;

/** Added to `spare` of a covered item; secondary items have one more from the beginning. */
export const COVERED: i32 = 0x10000000;

/** The words at the beginning: counts, numbers, and the address of each region. */
@unmanaged
class Memory {
  nodes: f64;
  guesses: f64;
  updates: f64;
  solutions: f64;
  selectedCount: usize;
  preselectedCount: usize;
  linkedEnd: usize;
  optionCount: usize;
  headsBytes: usize;
  coloured: u32;
  phase: u32;
  depth: usize;
  entries: usize;
  template: usize;
  optionStart: usize;
  optionHeads: usize;
  itemStart: usize;
  itemOptions: usize;
  alive: usize;
  optionOf: usize;
  trail: usize;
  path: usize;
  stack: usize;
  levels: usize;
  preselected: usize;
  selected: usize;
  optionColours: usize;
  itemColours: usize;
  entryColours: usize;
  // These regions have 64 bits for each number, and are there only if `priced` (../wasm-decisions.ts).
  /** By option: its cost, and its share (../costs/taxes.ts); by linked entry: the share of its option. */
  optionCosts: usize;
  optionShares: usize;
  entryShares: usize;
  /** By entry of the path: what the options that came in before it cost. */
  pathCosts: usize;
  /** By item, after the root: its tax, and what a proposed option does to it. */
  taxes: usize;
  proposed: usize;
  priced: u32;
  /** What the options that are in cost, what every solution with them costs at least, and what is too much. */
  cost: f64;
  bound: f64;
  cutoff: f64;
  typicalShare: f64;
}

export const at = changetype<Memory>(0);

/** The root of the list of active items; the heads follow. */
export const ROOT: usize = 192;
export const root = changetype<Item>(ROOT);

/** An entry's number among the linked ones, times `bytes`: its place in a table by entry. */
@inline
export function placeOf(entry: Node, bytes: usize): usize {
  return ((changetype<usize>(entry) - at.entries) / ENTRY_BYTES) * bytes;
}

export function colourOf(entry: Node): i32 {
  return load<i32>(at.entryColours + placeOf(entry, 4));
}

/** The option of an entry. */
export function optionOf(entry: Node): usize {
  // The last entry of an option is the one whose next has a lower address; only the first one has its number.
  let last = changetype<Entry>(entry);
  while (changetype<usize>(last.next) > changetype<usize>(last)) last = last.next;
  return load<usize>(at.optionOf + placeOf(last.next, 4));
}
