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
 * A record of four words for each node, as in search-memory.ts, since code on many arrays spends its time on fetching their
 * bounds (pentominoes 5x12 with costs: 2.1 s with an array for each field, 1.4 s this way):
 *
 *     record        node                                                     fields
 *     0 .. N-1      the heads of the items' lists                            UP  DOWN  ITEM (its number)  -
 *     N             not used                                                 -
 *     N+1 ..        the entries of the options, in the order of the problem  UP  DOWN  ITEM  NEXT
 */
import type { ExactCoverProblem } from '../problem.ts';

/** Fields of a record; UP, DOWN and NEXT are addresses of records. */
const UP = 0;
const DOWN = 1;
const ITEM = 2;
/** The next entry of the option; the first one after the last. */
const NEXT = 3;
const RECORD_WORDS = 4;
const RECORD_SHIFT = 2;

/** The spare options of a secondary item: more than any list has. */
const MANY = 2 ** 30;

/** Lengths of the logs that `undoTo` restores. */
export interface Mark {
  readonly trail: number;
  readonly path: number;
  readonly chosen: number;
}

export class Decisions {
  readonly problem: ExactCoverProblem;
  /** By item: what is left of its multiplicity, `least` below 0 if more than needed is in. */
  readonly least: Int32Array;
  readonly most: Int32Array;
  /** The list of primary items that more options may contain; the root is the number of items. */
  readonly right: Int32Array;
  /** The first `chosenCount` are the options that are in, in the order in which they came in. */
  readonly chosen: Int32Array;
  chosenCount = 0;
  /** Sum of the costs of the options that are in. */
  cost = 0;
  /** No solution with these decisions costs less; only if a search by cost has computed it. */
  bound = 0;
  /** Nodes unlinked from an item's list. */
  updates = 0;
  readonly #words: Int32Array;
  /** The address of the first entry. */
  readonly #base: number;
  readonly #left: Int32Array;
  /** By item: the length of its list, less `least`. */
  readonly #spare: Int32Array;
  /** By entry: its option. */
  readonly #optionOf: Int32Array;
  /** By item: the colour that settles it, -1 if it is covered without a colour, else 0. Primary items stay 0. */
  readonly #settled: Int32Array;
  /**
   * By item, while an option is proposed: -1 if no other option fits with it, the colour that others need, -2 if it is in the
   * option and others fit, 0 if it is not.
   */
  readonly proposed: Int32Array;
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
    this.#base = RECORD_WORDS * (itemCount + 1);
    this.#words = new Int32Array(this.#base + RECORD_WORDS * items.length);
    this.least = new Int32Array(primaryCount).fill(1);
    this.most = new Int32Array(primaryCount).fill(1);
    if (multiplicities !== undefined) {
      this.least.set(multiplicities.least);
      this.most.set(multiplicities.most);
    }
    this.#spare = new Int32Array(itemCount).fill(MANY);
    for (let item = 0; item < primaryCount; item++) this.#spare[item] = -this.least[item];
    this.#left = new Int32Array(itemCount + 1);
    this.right = new Int32Array(itemCount + 1);
    this.linkActive(Array.from({ length: primaryCount }, (_, item) => item));
    for (let item = 0; item < itemCount; item++) {
      const head = RECORD_WORDS * item;
      this.#words[head + UP] = head;
      this.#words[head + DOWN] = head;
      this.#words[head + ITEM] = item;
    }
    this.#optionOf = new Int32Array(items.length);
    this.#settled = new Int32Array(itemCount);
    this.proposed = new Int32Array(itemCount);
    this.#trail = new Int32Array(items.length);
    this.#path = new Int32Array(items.length);
    this.chosen = new Int32Array(optionCount);
    for (let option = 0; option < optionCount; option++) {
      const first = optionStart[option];
      const end = optionStart[option + 1];
      for (let entry = first; entry < end; entry++) {
        this.#optionOf[entry] = option;
        this.#append(
          items[entry],
          this.#addressOf(entry),
          this.#addressOf(entry + 1 < end ? entry + 1 : first),
        );
      }
    }
  }

  /** Makes items the list of active items; items outside of it keep their links. */
  linkActive(items: Iterable<number>): void {
    let last = this.root;
    for (const item of items) {
      this.right[last] = item;
      this.#left[item] = last;
      last = item;
    }
    this.right[last] = this.root;
    this.#left[this.root] = last;
  }

  #append(item: number, node: number, next: number): void {
    const words = this.#words;
    const head = RECORD_WORDS * item;
    const bottom = words[head + UP];
    words[node + UP] = bottom;
    words[node + DOWN] = head;
    words[node + ITEM] = item;
    words[node + NEXT] = next;
    words[bottom + DOWN] = node;
    words[head + UP] = node;
    this.#spare[item]++;
  }

  #addressOf(entry: number): number {
    return this.#base + RECORD_WORDS * entry;
  }

  #optionAt(node: number): number {
    return this.#optionOf[(node - this.#base) >> RECORD_SHIFT];
  }

  /** The root of the list of active items. */
  get root(): number {
    return this.#base / RECORD_WORDS - 1;
  }

  /** Heads, entries and the root. */
  get nodeCount(): number {
    return this.#words.length / RECORD_WORDS;
  }

  get mark(): Mark {
    return { trail: this.#trailLength, path: this.#pathLength, chosen: this.chosenCount };
  }

  /** The length of a primary item's list. */
  size(item: number): number {
    return this.#spare[item] + this.least[item];
  }

  /** The first option in an item's list, which is not empty. */
  firstOption(item: number): number {
    return this.#optionAt(this.#words[RECORD_WORDS * item + DOWN]);
  }

  /** The node of the first option in an item's list: a number, not 0, for the option and the item. */
  firstNode(item: number): number {
    return this.#words[RECORD_WORDS * item + DOWN];
  }

  /** The second option in an item's list, which has two or more. */
  secondOption(item: number): number {
    const words = this.#words;
    return this.#optionAt(words[words[RECORD_WORDS * item + DOWN] + DOWN]);
  }

  /** The options in an item's list, in the order of the problem. */
  *optionsOf(item: number): Iterable<number> {
    const words = this.#words;
    const head = RECORD_WORDS * item;
    for (let node = words[head + DOWN]; node !== head; node = words[node + DOWN]) yield this.#optionAt(node);
  }

  /** The colour that settles a secondary item, -1 if it is covered without a colour, else 0. */
  settledBy(item: number): number {
    return this.#settled[item];
  }

  /** Whether an option can be decided: it is neither in nor out nor hidden. */
  isOpen(option: number): boolean {
    const { problem, most } = this;
    const { primaryCount, optionStart, items } = problem;
    const item = items.subarray(optionStart[option], optionStart[option + 1]).find((of) => of < primaryCount);
    return item !== undefined && most[item] > 0 && [...this.optionsOf(item)].includes(option);
  }

  /** Takes in every option that the items force before any decision; false if an item has too few. */
  settleRoot(): boolean {
    for (let item = this.right[this.root]; item !== this.root; item = this.right[item]) {
      if (this.#spare[item] < 0) return false;
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
    const { least } = this;
    let isConsistent = consistent;
    while (isConsistent && this.#forced.length > 0) {
      const item = this.#forced[this.#forced.length - 1];
      if (least[item] > 0 && this.#spare[item] === 0) isConsistent = this.#select(this.firstOption(item));
      else this.#forced.pop();
    }
    this.#forced.length = 0;
    return isConsistent;
  }

  /** Takes an option in, and hides every option that does not fit any more. One long function, as in covering.ts. */
  #select(option: number): boolean {
    const { problem, least, most, right } = this;
    const { primaryCount, optionStart, colours, costs } = problem;
    const base = this.#base;
    const words = this.#words;
    const left = this.#left;
    const spare = this.#spare;
    const settled = this.#settled;
    const path = this.#path;
    const trail = this.#trail;
    const covered = this.#pathLength;
    let pathLength = covered;
    let trailLength = this.#trailLength;
    this.chosen[this.chosenCount++] = option;
    if (costs !== undefined) this.cost += costs[option];
    const first = this.#addressOf(optionStart[option]);
    let node = first;
    do {
      const item = words[node + ITEM];
      this.#unlink(node);
      spare[item]--;
      trail[trailLength++] = node;
      if (item < primaryCount) {
        path[pathLength++] = node;
        spare[item]++;
        least[item]--;
        if (--most[item] === 0) {
          right[left[item]] = right[item];
          left[right[item]] = left[item];
        }
      } else if (settled[item] === 0) {
        const entry = (node - base) >> RECORD_SHIFT;
        path[pathLength++] = node;
        settled[item] = colours === undefined || colours[entry] === 0 ? -1 : colours[entry];
      }
      node = words[node + NEXT];
    } while (node !== first);
    const before = trailLength;
    let isConsistent = true;
    hiding: for (let k = covered; k < pathLength; k++) {
      const item = words[path[k] + ITEM];
      if (item < primaryCount && most[item] > 0) continue;
      const colour = settled[item];
      const head = RECORD_WORDS * item;
      for (let across = words[head + DOWN]; across !== head; across = words[across + DOWN]) {
        if (colour > 0 && colours![(across - base) >> RECORD_SHIFT] === colour) continue;
        for (let gone = words[across + NEXT]; gone !== across; gone = words[gone + NEXT]) {
          const above = words[gone + UP];
          const below = words[gone + DOWN];
          const lost = words[gone + ITEM];
          words[above + DOWN] = below;
          words[below + UP] = above;
          trail[trailLength++] = gone;
          const rest = --spare[lost];
          if (rest > 0) continue;
          if (rest < 0) isConsistent = false;
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

  /** Prepares `firstFitting`. @param option an open option, or the same again, which undoes that */
  propose(option: number): void {
    const { problem, most, proposed } = this;
    const { optionStart, items, primaryCount, colours } = problem;
    for (let entry = optionStart[option]; entry < optionStart[option + 1]; entry++) {
      const item = items[entry];
      let mark = colours?.[entry] || -1;
      if (item < primaryCount && most[item] > 1) mark = -2;
      proposed[item] = proposed[item] === 0 ? mark : 0;
    }
  }

  /** The first option in an item's list that fits the proposed one; -1 if there is none. */
  firstFitting(item: number): number {
    const words = this.#words;
    const { proposed } = this;
    const { colours } = this.problem;
    const head = RECORD_WORDS * item;
    next: for (let node = words[head + DOWN]; node !== head; node = words[node + DOWN]) {
      for (let entry = words[node + NEXT]; entry !== node; entry = words[entry + NEXT]) {
        const mark = proposed[words[entry + ITEM]];
        if (mark > 0 ? colours![(entry - this.#base) >> RECORD_SHIFT] !== mark : mark === -1) continue next;
      }
      return this.#optionAt(node);
    }
    return -1;
  }

  #unlink(node: number): void {
    const words = this.#words;
    words[words[node + UP] + DOWN] = words[node + DOWN];
    words[words[node + DOWN] + UP] = words[node + UP];
  }

  /** Takes an option out: removes it from the lists of all its items. @returns false if an item has too few options left */
  #remove(option: number): boolean {
    const words = this.#words;
    const first = this.#addressOf(this.problem.optionStart[option]);
    let isConsistent = true;
    let node = first;
    do {
      const item = words[node + ITEM];
      this.#unlink(node);
      this.#trail[this.#trailLength++] = node;
      this.updates++;
      const rest = --this.#spare[item];
      if (rest < 0) isConsistent = false;
      else if (rest === 0) this.#forced.push(item);
      node = words[node + NEXT];
    } while (node !== first);
    return isConsistent;
  }

  /** Undoes all decisions since a mark. */
  undoTo(mark: Mark): void {
    const { problem, least, most, right } = this;
    const { primaryCount, costs } = problem;
    const words = this.#words;
    const left = this.#left;
    const spare = this.#spare;
    const trail = this.#trail;
    for (let k = this.#trailLength - 1; k >= mark.trail; k--) {
      const node = trail[k];
      words[words[node + UP] + DOWN] = node;
      words[words[node + DOWN] + UP] = node;
      spare[words[node + ITEM]]++;
    }
    this.#trailLength = mark.trail;
    while (this.#pathLength > mark.path) {
      const item = words[this.#path[--this.#pathLength] + ITEM];
      if (item >= primaryCount) {
        this.#settled[item] = 0;
        continue;
      }
      spare[item]--;
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
  // The record of each node; option, trail and path of each entry; spare, settled and proposed, least and most, left and
  // right.
  return (
    4 *
    (RECORD_WORDS * (itemCount + 1 + items.length) +
      3 * items.length +
      3 * itemCount +
      2 * primaryCount +
      2 * (itemCount + 1) +
      optionCount)
  );
}
