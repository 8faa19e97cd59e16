/**
 * Takes options in and out, with items that a solution contains several times (Knuth's Algorithm M).
 *
 * A solution contains an item at least `lo` and at most `hi` times. Both numbers are what is left of them after the
 * options that are in:
 *
 *     2:3|A   A b   A c   A d   A e      least 2, most 3, four options
 *     A b in                             least 1, most 2, three options
 *     A c out                            least 1, most 2, two options
 *     A d in                             least 0, most 1, one option: it may be in or out
 *     A e in                             most 0: A is covered, and its other options would be hidden
 *
 * An item with `least` options left is forced: all of them are in. With fewer, the decisions have failed. So items that
 * are contained exactly once behave as in covering.ts, and hiding, colours and the trail are the same. Two things differ:
 * the lists of an item are walked only when nothing more of it fits, and an option can be *out*: it leaves all lists, and
 * nothing else happens. Knuth calls this tweaking; he tweaks the options of one item in their order.
 *
 *     node          meaning
 *     0 .. N-1      the head of item N's list
 *     N             root of the list of active items
 *     N+1 ..        the entries of the options, in the order of the problem
 */
import type { ExactCoverProblem } from '../problem.ts';

/** Lengths of the logs that `undoTo` restores. */
export interface Mark {
  readonly trail: number;
  readonly path: number;
  readonly chosen: number;
}

export class Decisions {
  readonly problem: ExactCoverProblem;
  /** By item: the length of its list; and what is left of its multiplicity, `least` below 0 if more than needed is in. */
  readonly size: Int32Array;
  readonly least: Int32Array;
  readonly most: Int32Array;
  /** The list of primary items that more options may contain; the root is the number of items. */
  readonly right: Int32Array;
  /** The first `chosenCount` are the options that are in, in the order in which they came in. */
  readonly chosen: Int32Array;
  chosenCount = 0;
  /** Sum of the costs of the options that are in. */
  cost = 0;
  /** Nodes unlinked from an item's list. */
  updates = 0;
  readonly #base: number;
  readonly #up: Int32Array;
  readonly #down: Int32Array;
  readonly #left: Int32Array;
  /** By entry: its option. */
  readonly #optionOf: Int32Array;
  /** By item: the colour that settles it, -1 if it is covered without a colour, else 0. Primary items stay 0. */
  readonly #settled: Int32Array;
  /** Entries that were unlinked, and entries of options that are in and count for their items; oldest first. */
  readonly #trail: Int32Array;
  #trailLength = 0;
  readonly #path: Int32Array;
  #pathLength = 0;
  /** Items that may have no more options than they need. */
  readonly #forced: number[] = [];

  constructor(problem: ExactCoverProblem) {
    const { primaryCount, secondaryCount, optionCount, optionStart, items, multiplicities } = problem;
    const itemCount = primaryCount + secondaryCount;
    this.problem = problem;
    this.#base = itemCount + 1;
    const nodeCount = this.#base + items.length;
    this.size = new Int32Array(itemCount);
    this.least = new Int32Array(primaryCount).fill(1);
    this.most = new Int32Array(primaryCount).fill(1);
    if (multiplicities !== undefined) {
      this.least.set(multiplicities.least);
      this.most.set(multiplicities.most);
    }
    this.#left = new Int32Array(itemCount + 1);
    this.right = new Int32Array(itemCount + 1);
    this.#linkActive(primaryCount);
    this.#up = new Int32Array(nodeCount);
    this.#down = new Int32Array(nodeCount);
    for (let head = 0; head < itemCount; head++) {
      this.#up[head] = head;
      this.#down[head] = head;
    }
    this.#optionOf = new Int32Array(items.length);
    this.#settled = new Int32Array(itemCount);
    this.#trail = new Int32Array(items.length);
    this.#path = new Int32Array(items.length);
    this.chosen = new Int32Array(optionCount);
    for (let option = 0; option < optionCount; option++) {
      for (let entry = optionStart[option]; entry < optionStart[option + 1]; entry++) {
        this.#optionOf[entry] = option;
        this.#append(items[entry], this.#base + entry);
      }
    }
  }

  #linkActive(primaryCount: number): void {
    let last = this.root;
    for (let item = 0; item < primaryCount; item++) {
      this.right[last] = item;
      this.#left[item] = last;
      last = item;
    }
    this.right[last] = this.root;
    this.#left[this.root] = last;
  }

  #append(item: number, node: number): void {
    const bottom = this.#up[item];
    this.#up[node] = bottom;
    this.#down[node] = item;
    this.#down[bottom] = node;
    this.#up[item] = node;
    this.size[item]++;
  }

  /** The root of the list of active items. */
  get root(): number {
    return this.#base - 1;
  }

  /** Heads, entries and the root. */
  get nodeCount(): number {
    return this.#up.length;
  }

  get mark(): Mark {
    return { trail: this.#trailLength, path: this.#pathLength, chosen: this.chosenCount };
  }

  /** The first option in an item's list, which is not empty. */
  firstOption(item: number): number {
    return this.#optionOf[this.#down[item] - this.#base];
  }

  /** The second option in an item's list, which has two or more. */
  secondOption(item: number): number {
    return this.#optionOf[this.#down[this.#down[item]] - this.#base];
  }

  /** The options in an item's list, in the order of the problem. */
  *optionsOf(item: number): Iterable<number> {
    for (let node = this.#down[item]; node !== item; node = this.#down[node]) {
      yield this.#optionOf[node - this.#base];
    }
  }

  /** Whether an option can be decided: it is neither in nor out nor hidden. */
  isOpen(option: number): boolean {
    const { problem, most } = this;
    const { primaryCount, optionStart, items } = problem;
    const item = items.subarray(optionStart[option], optionStart[option + 1]).find((of) => of < primaryCount);
    if (item === undefined || most[item] === 0) return false;
    for (const open of this.optionsOf(item)) if (open === option) return true;
    return false;
  }

  /** Takes in every option that the items force before any decision; false if an item has too few. */
  settleRoot(): boolean {
    for (let item = this.right[this.root]; item !== this.root; item = this.right[item]) {
      if (this.size[item] < this.least[item]) return false;
      this.#forced.push(item);
    }
    return this.#settle(true);
  }

  /**
   * Decides an open option, and every option that this forces.
   *
   * @returns false if an item has too few options left; `undoTo` restores the links nevertheless
   */
  decide(option: number, isIn: boolean): boolean {
    return this.#settle(isIn ? this.#select(option) : this.#remove(option));
  }

  /** Takes in the options of forced items until none is left, or an item fails. */
  #settle(consistent: boolean): boolean {
    const { size, least } = this;
    let isConsistent = consistent;
    while (isConsistent && this.#forced.length > 0) {
      const item = this.#forced[this.#forced.length - 1];
      if (least[item] > 0 && size[item] === least[item]) isConsistent = this.#select(this.firstOption(item));
      else this.#forced.pop();
    }
    this.#forced.length = 0;
    return isConsistent;
  }

  /** Takes an option in, and hides every option that does not fit any more. One long function, as in covering.ts. */
  #select(option: number): boolean {
    const { problem, size, least, most, right } = this;
    const { primaryCount, optionStart, items, colours, costs } = problem;
    const base = this.#base;
    const up = this.#up;
    const down = this.#down;
    const left = this.#left;
    const settled = this.#settled;
    const optionOf = this.#optionOf;
    const path = this.#path;
    const trail = this.#trail;
    const covered = this.#pathLength;
    let pathLength = covered;
    let trailLength = this.#trailLength;
    this.chosen[this.chosenCount++] = option;
    if (costs !== undefined) this.cost += costs[option];
    for (let entry = optionStart[option]; entry < optionStart[option + 1]; entry++) {
      const node = base + entry;
      const item = items[entry];
      down[up[node]] = down[node];
      up[down[node]] = up[node];
      size[item]--;
      trail[trailLength++] = node;
      if (item < primaryCount) {
        path[pathLength++] = entry;
        least[item]--;
        if (--most[item] > 0) continue;
        right[left[item]] = right[item];
        left[right[item]] = left[item];
      } else if (settled[item] === 0) {
        path[pathLength++] = entry;
        settled[item] = colours === undefined || colours[entry] === 0 ? -1 : colours[entry];
      }
    }
    const before = trailLength;
    let isConsistent = true;
    hiding: for (let k = covered; k < pathLength; k++) {
      const item = items[path[k]];
      if (item < primaryCount && most[item] > 0) continue;
      const colour = settled[item];
      for (let across = down[item]; across !== item; across = down[across]) {
        if (colour > 0 && colours![across - base] === colour) continue;
        const hidden = optionOf[across - base];
        const end = base + optionStart[hidden + 1];
        for (let node = base + optionStart[hidden]; node < end; node++) {
          if (node === across) continue;
          const lost = items[node - base];
          const above = up[node];
          const below = down[node];
          down[above] = below;
          up[below] = above;
          trail[trailLength++] = node;
          const rest = --size[lost];
          if (lost >= primaryCount || rest > least[lost]) continue;
          if (rest < least[lost]) isConsistent = false;
          else this.#forced.push(lost);
        }
        // The option in hand is hidden as a whole, so that `undoTo` need not know where this stopped.
        if (!isConsistent) break hiding;
      }
    }
    this.updates += trailLength - before;
    this.#pathLength = pathLength;
    this.#trailLength = trailLength;
    return isConsistent;
  }

  /** Takes an option out: removes it from the lists of all its items. @returns false if an item has too few options left */
  #remove(option: number): boolean {
    const { problem, size, least } = this;
    const { primaryCount, optionStart, items } = problem;
    const up = this.#up;
    const down = this.#down;
    let isConsistent = true;
    for (let entry = optionStart[option]; entry < optionStart[option + 1]; entry++) {
      const node = this.#base + entry;
      const item = items[entry];
      down[up[node]] = down[node];
      up[down[node]] = up[node];
      this.#trail[this.#trailLength++] = node;
      this.updates++;
      const rest = --size[item];
      if (item >= primaryCount || rest > least[item]) continue;
      if (rest < least[item]) isConsistent = false;
      else this.#forced.push(item);
    }
    return isConsistent;
  }

  /** Undoes all decisions since a mark. */
  undoTo(mark: Mark): void {
    const { problem, size, least, most, right } = this;
    const { primaryCount, items, costs } = problem;
    const base = this.#base;
    const up = this.#up;
    const down = this.#down;
    const left = this.#left;
    const trail = this.#trail;
    for (let k = this.#trailLength - 1; k >= mark.trail; k--) {
      const node = trail[k];
      down[up[node]] = node;
      up[down[node]] = node;
      size[items[node - base]]++;
    }
    this.#trailLength = mark.trail;
    while (this.#pathLength > mark.path) {
      const item = items[this.#path[--this.#pathLength]];
      if (item >= primaryCount) {
        this.#settled[item] = 0;
        continue;
      }
      least[item]++;
      if (most[item]++ > 0) continue;
      right[left[item]] = item;
      left[right[item]] = item;
    }
    while (this.chosenCount > mark.chosen) {
      const option = this.chosen[--this.chosenCount];
      if (costs !== undefined) this.cost -= costs[option];
    }
  }
}

/** Bytes of the arrays for a problem. */
export function decisionBytes({
  primaryCount,
  secondaryCount,
  optionCount,
  items,
}: ExactCoverProblem): number {
  const itemCount = primaryCount + secondaryCount;
  // Up, down, option, trail and path of each entry; the heads; size and settled, least and most, left and right.
  return (
    4 *
    (5 * items.length +
      2 * (itemCount + 1) +
      2 * itemCount +
      2 * primaryCount +
      2 * (itemCount + 1) +
      optionCount)
  );
}
