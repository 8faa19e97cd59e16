/**
 * The dance: covers and uncovers the items of options that come in, in the links of search-memory.ts (Knuth, TAOCP 7.2.2.1,
 * Algorithms X, C and M).
 *
 * Everything rests on two operations on a node x of a doubly linked list:
 *
 *     down[up[x]] = down[x]; up[down[x]] = up[x]       removes x
 *     down[up[x]] = x;       up[down[x]] = x           puts it back
 *
 * x keeps its own links, and these are enough if all removals are undone in exactly the reverse order. So a search can
 * take a sparse matrix apart and restore it without a copy.
 *
 * Knuth's small example (problem.ts): items a-g, options c e, a d g, b c f, a d f, b g, d e g. Each column is the list of
 * an item: `down` points down, `up` points up, and the last node is linked to the head at the top. Before anything is covered,
 * and after the item a is:
 *
 *     root - a - b - c - d - e - f - g - root        root - b - c - d - e - f - g - root      left, right
 *
 *     c e    |   |   8   |   9   |   |                      |   8   |   9   |   |
 *     a d g  10  |   |   11  |   |   12              10     |   |   |   |   |   |             hidden: 11, 12
 *     b c f  |   13  14  |   |   15  |                      13  14  |   |   15  |             up, down
 *     a d f  16  |   |   17  |   18  |               16     |   |   |   |   |   |             hidden: 17, 18
 *     b g    |   19  |   |   |   |   20                     19  |   |   |   |   20
 *     d e g  |   |   |   21  22  |   23                     |   |   21  22  |   23
 *     size   2   2   2   3   2   2   3                      2   2   1   2   1   2
 *
 * To *cover* an item is to remove it from the list of active items and to *hide* every other option with this item: the nodes
 * of the option are removed from the lists of all its other items. The node in the list of the covered item stays, since that
 * list is not walked again before the item is uncovered. To *select* an option is to cover its items:
 *
 *     select a d f:   cover a, d, f      hide a d g    (from a's list)
 *                                        hide d e g    (d's)
 *                                        hide b c f    (f's)
 *
 * Then e has lost d e g and keeps only c e; b has lost b c f and keeps only b g. Both are *forced*: such an item is pushed on
 * a stack, and all items on the stack are settled before an item is chosen. If an item has *failed*, selection ends after the
 * current option.
 *
 *     path     a d f | b g | c e           nodes that count for an item, the option selected last at the right
 *     trail    d g e g b c                 nodes that were hidden
 *
 * Undoing (*uncover*, *unhide*) reads both backwards and walks no list: the same nodes in reverse order, each put back between
 * the neighbours in its own links.
 *
 * A node with a colour does not cover its item but *purifies* it: only options with another colour are hidden, and the next node
 * with this colour finds it purified and changes nothing. Uncovering *unpurifies* it too.
 *
 * An item that fits into more options is not covered yet (Knuth's `commit` without `cover`): its list stays, and it needs and
 * takes one option less. When nothing more of it fits, it is covered as any other.
 *
 *     2:3|A   A b   A c   A d   A e      needs 2, takes 3, four options, spare 2
 *     A b in                             needs 1, takes 2, three options, spare 2
 *     A c out                            needs 1, takes 2, two options, spare 1
 *     A d in                             needs 0, takes 1, one option, spare 1: it may be in or out
 *     A e in                             takes 0: A is covered, and its other options would be hidden
 *
 * An option that is *out* leaves all lists, and nothing else happens: Knuth's `tweak`; `untweak` is to undo it. As several nodes of
 * such a list are then removed in any order, the trail has all of them, also those of the options that are in.
 *
 * docs/explanation/search.md has what was measured, tried and dropped.
 */
import { chooseItem, fewestToSpare } from './choice.ts';
import type { ExactCoverProblem } from './problem.ts';
import {
  COVERED,
  createSearchMemory,
  DOWN,
  ENTRY_SHIFT,
  ENTRY_WORDS,
  ITEM,
  isPurified,
  itemOf,
  LEFT,
  LINKED_END,
  MOST,
  NEXT,
  PRESELECTED_COUNT,
  RIGHT,
  ROOT,
  SELECTED_COUNT,
  type SearchMemory,
  SLACK,
  SPARE,
  UP,
  UPDATES,
  WEIGHT,
} from './search-memory.ts';

/** The links of a problem. The memory has addresses in words. */
export class Kernel {
  readonly memory: SearchMemory;
  pathLength = 0;
  trailLength = 0;
  /** Whether an item has failed since `begin` and got a weight. */
  weighted = false;
  /** Whether failed items get weights. */
  learning = true;
  /** Whether options are decided one by one, so that some are out, or items fit several times. */
  readonly decides: boolean;

  /** @param decides as the field; with multiplicities, it is true */
  constructor(problem: ExactCoverProblem, decides = problem.multiplicities !== undefined) {
    this.memory = createSearchMemory(problem, 1, (bytes) => new ArrayBuffer(bytes));
    this.decides = decides;
  }

  /** Prepares for newly linked options. @param learning whether failed items get weights */
  begin(learning: boolean): void {
    this.pathLength = 0;
    this.trailLength = 0;
    this.weighted = false;
    this.learning = learning && !this.decides;
  }

  /**
   * Links the options that the preselected decisions leave; false if two of these clash.
   *
   * A sudoku's givens exclude most of its options: of 729, a puzzle with 17 givens keeps 250. Their entries are next to each
   * other in memory and fit into the L1 cache. Excluding an option is one byte written, so it is done first:
   *
   *     for each preselected option:    cover its items; exclude all options with one of them
   *     for each remaining option:      append its entries to the lists of its items
   */
  link(): boolean {
    const { words, alive, at, problem, counts } = this.memory;
    words.copyWithin(ROOT, at.template, at.template + (at.entries - ROOT));
    words[LINKED_END] = at.entries;
    alive.fill(1);
    for (let k = 0; k < words[PRESELECTED_COUNT]; k++) {
      const decision = words[at.preselected + k];
      if (decision < 0) alive[~decision] = 0;
      else if (!this.#preselect(decision)) return false;
    }
    let end = at.entries;
    for (let option = 0; option < problem.optionCount; option++) {
      if (alive[option] === 1) end = this.#append(option, end);
    }
    words[LINKED_END] = end;
    counts[UPDATES] += problem.items.length - ((end - at.entries) >> ENTRY_SHIFT);
    return true;
  }

  /** Covers the items of an option and excludes all options that clash with it; false if it is already excluded. */
  #preselect(option: number): boolean {
    const { words, alive, at, problem } = this.memory;
    if (alive[option] === 0) return false;
    for (let k = problem.optionStart[option]; k < problem.optionStart[option + 1]; k++) {
      const colour = problem.colours === undefined ? 0 : problem.colours[k];
      const item = words[at.optionHeads + k];
      // With another colour than that of the purified item, the option would be excluded.
      if (colour !== 0 && isPurified(words, item)) continue;
      commit(words, item);
      if (words[item + MOST] > 0) continue;
      const index = at.itemStart + itemOf(item);
      for (let m = words[index - 1]; m < words[index]; m++) {
        if (colour === 0 || words[at.itemColours + m] !== colour) alive[words[at.itemOptions + m]] = 0;
      }
    }
    alive[option] = 0;
    return true;
  }

  /** Appends entries for an option to the lists of its items, from address `first` on; returns the address after them. */
  #append(option: number, first: number): number {
    const { words, at, problem } = this.memory;
    const { optionStart, colours } = problem;
    let node = first;
    for (let k = optionStart[option]; k < optionStart[option + 1]; k++) {
      const head = words[at.optionHeads + k];
      const bottom = words[head + UP];
      words[node + UP] = bottom;
      words[node + DOWN] = head;
      words[node + ITEM] = head;
      words[node + NEXT] = node + ENTRY_WORDS;
      words[bottom + DOWN] = node;
      words[head + UP] = node;
      words[head + SPARE]++;
      const index = (node - at.entries) >> ENTRY_SHIFT;
      if (colours !== undefined) words[at.entryColours + index] = colours[k];
      words[at.optionOf + index] = option;
      node += ENTRY_WORDS;
    }
    words[node - ENTRY_WORDS + NEXT] = first;
    return node;
  }

  /** Selects every option that is forced at the root; false if an item has failed. */
  settleRoot(): boolean {
    const { words, at } = this.memory;
    let top = at.stack;
    for (let item = words[ROOT + RIGHT]; item !== ROOT; item = words[item + RIGHT]) {
      const spare = words[item + SPARE];
      if (spare < 0) return false;
      if (spare === 0) words[top++] = item;
    }
    return this.select(0, top);
  }

  /**
   * Selects the option of a node, then every option that becomes forced. One long function: calls would fetch the
   * state of the search again for each of a dozen forced options.
   *
   * @param node 0 for none: then only the items on the stack are settled
   * @param top the end of the stack
   * @returns false if an item has failed; the links are consistent nevertheless, and `undoTo` restores them
   */
  select(node: number, top = this.memory.at.stack): boolean {
    const { memory, learning } = this;
    const { words } = memory;
    const { stack, entries, entryColours } = memory.at;
    const isColoured = memory.problem.colours !== undefined;
    const { decides } = this;
    let path = memory.at.path + this.pathLength;
    let trail = memory.at.trail + this.trailLength;
    let failed = 0;
    let selected = node;
    for (;;) {
      while (selected === 0 && top > stack) {
        const item = words[--top];
        if (words[item + SPARE] !== 0) continue;
        selected = words[item + DOWN];
        if (!decides) continue;
        // It may need another option; if it needs none, its list is empty.
        if (selected !== item) top++;
        else selected = 0;
      }
      if (selected === 0) break;
      const covered = path;
      let entry = selected;
      do {
        const item = words[entry + ITEM];
        const isPure =
          isColoured &&
          words[entryColours + ((entry - entries) >> ENTRY_SHIFT)] !== 0 &&
          isPurified(words, item);
        if (!isPure) {
          words[path++] = entry;
          words[words[entry + UP] + DOWN] = words[entry + DOWN];
          words[words[entry + DOWN] + UP] = words[entry + UP];
          if (!decides) {
            // As `cover`, written out: a call would take 1.1 times the time of the search.
            words[words[item + LEFT] + RIGHT] = words[item + RIGHT];
            words[words[item + RIGHT] + LEFT] = words[item + LEFT];
            words[item + SPARE] += COVERED;
          }
        }
        entry = words[entry + NEXT];
      } while (entry !== selected);
      if (decides) trail = this.#commitFrom(covered, path, trail);
      hiding: for (let k = covered; k < path; k++) {
        const node = words[k];
        const item = words[node + ITEM];
        if (decides && words[item + MOST] > 0) continue;
        const colour = isColoured ? words[entryColours + ((node - entries) >> ENTRY_SHIFT)] : 0;
        for (let across = words[item + DOWN]; across !== item; across = words[across + DOWN]) {
          if (colour !== 0 && words[entryColours + ((across - entries) >> ENTRY_SHIFT)] === colour) continue;
          for (let gone = words[across + NEXT]; gone !== across; gone = words[gone + NEXT]) {
            const above = words[gone + UP];
            const below = words[gone + DOWN];
            const lost = words[gone + ITEM];
            words[trail++] = gone;
            words[above + DOWN] = below;
            words[below + UP] = above;
            const spare = words[lost + SPARE] - 1;
            words[lost + SPARE] = spare;
            if (spare <= 0) {
              words[top++] = lost;
              failed = spare < 0 ? lost : failed;
            }
          }
          // The option in hand is hidden as a whole, or `undoTo` would need to know where it stopped.
          if (failed !== 0 && !learning) break hiding;
        }
      }
      if (failed !== 0) {
        if (learning) {
          words[failed + WEIGHT]++;
          this.weighted = true;
        }
        break;
      }
      selected = 0;
    }
    const hidden = trail - memory.at.trail - this.trailLength;
    const came = path - memory.at.path - this.pathLength;
    memory.counts[UPDATES] += decides ? hidden - came : hidden;
    this.pathLength += came;
    this.trailLength = trail - memory.at.trail;
    return failed === 0;
  }

  /** Takes the option of a node out, and selects every option that becomes forced. @returns as `select` */
  remove(node: number): boolean {
    const { words, at, counts } = this.memory;
    let top = at.stack;
    let isConsistent = true;
    words[at.path + this.pathLength++] = ~node;
    let gone = node;
    do {
      const lost = words[gone + ITEM];
      words[at.trail + this.trailLength++] = gone;
      words[words[gone + UP] + DOWN] = words[gone + DOWN];
      words[words[gone + DOWN] + UP] = words[gone + UP];
      const spare = --words[lost + SPARE];
      if (spare <= 0) words[top++] = lost;
      if (spare < 0) isConsistent = false;
      counts[UPDATES]++;
      gone = words[gone + NEXT];
    } while (gone !== node);
    return isConsistent && this.select(0, top);
  }

  /** Commits the items of nodes of the path, which are also put on the trail. @returns its new end */
  #commitFrom(from: number, to: number, trail: number): number {
    const { words } = this.memory;
    let end = trail;
    for (let k = from; k < to; k++) {
      const item = words[words[k] + ITEM];
      words[end++] = words[k];
      words[item + SPARE]--;
      commit(words, item);
    }
    return end;
  }

  /** Undoes all that was done since path and trail had these lengths. */
  undoTo(pathLength: number, trailLength: number): void {
    const { words, at } = this.memory;
    for (let k = at.trail + this.trailLength - 1; k >= at.trail + trailLength; k--) {
      const node = words[k];
      words[words[node + UP] + DOWN] = node;
      words[words[node + DOWN] + UP] = node;
      words[words[node + ITEM] + SPARE]++;
    }
    this.trailLength = trailLength;
    // Loops of their own: one loop that asks at each node which of both it is takes 1.9 times the time.
    if (this.decides) this.#uncommitTo(pathLength);
    else this.#uncoverTo(pathLength);
    this.pathLength = pathLength;
  }

  #uncoverTo(pathLength: number): void {
    const { words, at } = this.memory;
    for (let k = at.path + this.pathLength - 1; k >= at.path + pathLength; k--) {
      const node = words[k];
      const item = words[node + ITEM];
      words[words[node + UP] + DOWN] = node;
      words[words[node + DOWN] + UP] = node;
      words[words[item + LEFT] + RIGHT] = item;
      words[words[item + RIGHT] + LEFT] = item;
      words[item + SPARE] -= COVERED;
    }
  }

  /** The nodes themselves were on the trail. */
  #uncommitTo(pathLength: number): void {
    const { words, at } = this.memory;
    for (let k = at.path + this.pathLength - 1; k >= at.path + pathLength; k--) {
      if (words[k] > 0) uncommit(words, words[words[k] + ITEM]);
    }
  }

  /** The item to branch on; 0 if every one is covered, or no option is left. */
  choose(): number {
    return this.decides ? fewestToSpare(this.memory) : chooseItem(this.memory, this.weighted);
  }

  /** Notes that the options of an item are tried at a level, from 1. */
  openLevel(depth: number, item: number): void {
    const { words } = this.memory;
    const level = this.levelAt(depth);
    words[level] = words[item + DOWN];
    words[level + 1] = this.pathLength;
    words[level + 2] = this.trailLength;
  }

  /** The record of a level. */
  levelAt(depth: number): number {
    return this.memory.at.levels + 3 * (depth - 1);
  }

  /** Writes the preselected options, and those with a node on the path, to `selected`. */
  copySelected(): void {
    const { words, at } = this.memory;
    const preselected = words.subarray(at.preselected, at.preselected + words[PRESELECTED_COUNT]);
    const options = [...preselected.filter((decision) => decision >= 0), ...this.selectedOptions()];
    words.set(options, at.selected);
    words[SELECTED_COUNT] = options.length;
  }

  /** The options with a node on the path, oldest first. */
  selectedOptions(): number[] {
    const { words, at } = this.memory;
    const options: number[] = [];
    for (let k = at.path; k < at.path + this.pathLength; k++) {
      if (words[k] < 0) continue;
      const option = this.optionOf(words[k]);
      if (option !== options.at(-1)) options.push(option);
    }
    return options;
  }

  /** The option of a node. */
  optionOf(node: number): number {
    const { words, at } = this.memory;
    return words[at.optionOf + ((node - at.entries) >> ENTRY_SHIFT)];
  }
}

function cover(words: Int32Array, item: number): void {
  words[words[item + LEFT] + RIGHT] = words[item + RIGHT];
  words[words[item + RIGHT] + LEFT] = words[item + LEFT];
  // Its list is shorter by one, and so is what it needs: it can spare as many as before.
  words[item + SPARE] += COVERED;
}

function uncover(words: Int32Array, item: number): void {
  words[words[item + LEFT] + RIGHT] = item;
  words[words[item + RIGHT] + LEFT] = item;
  words[item + SPARE] -= COVERED;
}

/** Notes that an option with an item is in, and covers the item if no other option with it fits. */
function commit(words: Int32Array, item: number): void {
  const most = --words[item + MOST];
  if (most >= words[item + SLACK]) words[item + SPARE]++;
  if (most === 0) cover(words, item);
}

function uncommit(words: Int32Array, item: number): void {
  const most = words[item + MOST]++;
  if (most >= words[item + SLACK]) words[item + SPARE]--;
  if (most === 0) uncover(words, item);
}
