/**
 * Covering and uncovering: removes a selected option, and every option that it forces, from the links, and restores
 * them.
 *
 * To *cover* an item is to remove it from the list of active items and to *hide* every other option with this item: the
 * nodes of the option are removed from the lists of all its other items. Its node in the list of the covered item
 * stays, since that list is not walked again before the item is uncovered. To *select* an option is to cover its items:
 *
 *     select a d f:   cover a, d, f      hide a d g    (from a's list)
 *                                        hide d e g    (d's)
 *                                        hide b c f    (f's)
 *
 * Then e has lost d e g and keeps only c e; b has lost b c f and keeps only b g. Both are forced: an item with one
 * option left is pushed on a stack, and all items on the stack are selected before an item is chosen. If an item has no
 * option left, selection ends after the current option, with consistent links.
 *
 *     path     a d f | b g | c e           nodes that cover an item, the option selected last at the right
 *     trail    d g e g b c                 nodes that were unlinked
 *
 * Undoing reads both backwards and walks no list: the same nodes in reverse order, each put back between the
 * neighbours in its own links.
 *
 * A node with a colour does not cover its item but *settles* it: only options with another colour are hidden, and the
 * next node with this colour finds the item settled and changes nothing (Knuth's `purify`).
 *
 * Measured (time per puzzle of 375 hard sudokus in WebAssembly, relative to the program without the change):
 * - the node of the selected option is unlinked too, so that the walk over the others need not skip it: 0.93;
 * - path and trail contain nodes, not options whose entries must be found again: 0.91;
 * - the forced item that was pushed last is selected first, not the one pushed first: 0.97;
 * - items with one option left are pushed without a branch, which processors cannot predict: 0.86;
 * - after an item has no option left, the options that clash with the selected one are still hidden, and the last item
 *   that lost its last option is blamed: 0.9, because a puzzle takes 247 nodes instead of 280. Of 40 random 25x25
 *   sudokus with 45% givens, the slowest took 507,000 nodes before this change and the one above, and takes 110,000.
 *
 * Without weights, no item is blamed, and the rest of the options that clash is not hidden, as in Knuth's ssxcc: updates of
 * pentominoes 4x15 317 -> 268 million, 3x20 12.6 -> 10.2. The option in hand is hidden as a whole, or `undoTo` would need to
 * know where it stopped.
 *
 * Tried and dropped: links in 16 bits, 1.07; collecting all options to hide before the first is unlinked, so that one
 * loop runs over all of them, 0.97 on these and 1.01 on 17-clue puzzles; hiding options from the covered item's list
 * too, 1.0; finding an option's entries by its length instead of NEXT, 1.0; covering and hiding items one by one, 1.01.
 */
import {
  COVERED,
  DOWN,
  ENTRY_WORDS,
  ITEM,
  LEFT,
  NEXT,
  PRESELECTED_COUNT,
  RIGHT,
  ROOT,
  SELECTED_COUNT,
  type SearchMemory,
  SIZE,
  UP,
  UPDATES,
  WEIGHT,
} from './search-memory.ts';

/** The items covered and the options hidden, and the trail to undo both. */
export class Covering {
  pathLength = 0;
  trailLength = 0;
  /** Whether an item has failed since `begin` and got a weight. */
  weighted = false;
  /** Whether failed items get weights. */
  learning = true;
  private readonly memory: SearchMemory;

  constructor(memory: SearchMemory) {
    this.memory = memory;
  }

  /** Prepares for newly linked options. @param learning whether failed items get weights */
  begin(learning: boolean): void {
    this.pathLength = 0;
    this.trailLength = 0;
    this.weighted = false;
    this.learning = learning;
  }

  /** Selects every item that is forced at the root; false if an item has no option. */
  settleRoot(): boolean {
    const { words, at } = this.memory;
    let top = at.stack;
    for (let item = words[ROOT + RIGHT]; item !== ROOT; item = words[item + RIGHT]) {
      if (words[item + SIZE] === 0) {
        return false;
      }
      if (words[item + SIZE] === 1) {
        words[top++] = item;
      }
    }
    return this.select(0, top);
  }

  /**
   * Selects the option of a node, then every option that becomes forced. One long function: calls would fetch the
   * state of the search again for each of a dozen forced options.
   *
   * @param node 0 for none: then only the items on the stack are selected
   * @param top the end of the stack
   * @returns false if an item has no option left; the links are consistent nevertheless, and undoTo restores them
   */
  select(node: number, top = this.memory.at.stack): boolean {
    const { memory } = this;
    const { words } = memory;
    const { stack, entries, entryColours } = memory.at;
    const coloured = memory.problem.colours !== undefined;
    const { learning } = this;
    let path = memory.at.path + this.pathLength;
    let trail = memory.at.trail + this.trailLength;
    let failed = 0;
    let selected = node;
    for (;;) {
      while (selected === 0 && top > stack) {
        const item = words[--top];
        selected = words[item + SIZE] === 1 ? words[item + DOWN] : 0;
      }
      if (selected === 0) {
        break;
      }
      const covered = path;
      let entry = selected;
      do {
        const item = words[entry + ITEM];
        if (!coloured || !isSettled(memory, entry, item)) {
          words[path++] = entry;
          words[words[entry + UP] + DOWN] = words[entry + DOWN];
          words[words[entry + DOWN] + UP] = words[entry + UP];
          words[words[item + LEFT] + RIGHT] = words[item + RIGHT];
          words[words[item + RIGHT] + LEFT] = words[item + LEFT];
          words[item + SIZE] += COVERED - 1;
        }
        entry = words[entry + NEXT];
      } while (entry !== selected);
      hiding: for (let k = covered; k < path; k++) {
        const node = words[k];
        const item = words[node + ITEM];
        const colour = coloured ? words[entryColours + (node - entries) / ENTRY_WORDS] : 0;
        for (let across = words[item + DOWN]; across !== item; across = words[across + DOWN]) {
          if (colour !== 0 && words[entryColours + (across - entries) / ENTRY_WORDS] === colour) {
            continue;
          }
          for (let gone = words[across + NEXT]; gone !== across; gone = words[gone + NEXT]) {
            const above = words[gone + UP];
            const below = words[gone + DOWN];
            const lost = words[gone + ITEM];
            words[trail++] = gone;
            words[above + DOWN] = below;
            words[below + UP] = above;
            const left = words[lost + SIZE] - 1;
            words[lost + SIZE] = left;
            if (left <= 1) {
              words[top++] = lost;
              failed = left === 0 ? lost : failed;
            }
          }
          if (failed !== 0 && !learning) {
            break hiding;
          }
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
    this.pathLength = path - memory.at.path;
    memory.counts[UPDATES] += trail - memory.at.trail - this.trailLength;
    this.trailLength = trail - memory.at.trail;
    return failed === 0;
  }

  /** Uncovers and unhides all that was covered and hidden since path and trail had these lengths. */
  undoTo(pathLength: number, trailLength: number): void {
    const { words, at } = this.memory;
    for (let k = at.trail + this.trailLength - 1; k >= at.trail + trailLength; k--) {
      const node = words[k];
      words[words[node + UP] + DOWN] = node;
      words[words[node + DOWN] + UP] = node;
      words[words[node + ITEM] + SIZE]++;
    }
    this.trailLength = trailLength;
    for (let k = at.path + this.pathLength - 1; k >= at.path + pathLength; k--) {
      const node = words[k];
      const item = words[node + ITEM];
      words[words[node + UP] + DOWN] = node;
      words[words[node + DOWN] + UP] = node;
      words[words[item + LEFT] + RIGHT] = item;
      words[words[item + RIGHT] + LEFT] = item;
      words[item + SIZE] -= COVERED - 1;
    }
    this.pathLength = pathLength;
  }

  /** Writes the preselected options, and those with a node on the path, to `selected`. */
  copySelected(): void {
    const { words, at } = this.memory;
    let count = words[PRESELECTED_COUNT];
    words.copyWithin(at.selected, at.preselected, at.preselected + count);
    let first = 0;
    let last = 0;
    for (let k = at.path; k < at.path + this.pathLength; k++) {
      const node = words[k];
      if (node >= first && node <= last) {
        continue;
      }
      // The last entry of an option is the one whose next has a lower address.
      last = node;
      for (first = words[last + NEXT]; first > last; first = words[last + NEXT]) {
        last = first;
      }
      words[at.selected + count++] = words[at.optionOf + (first - at.entries) / ENTRY_WORDS];
    }
    words[SELECTED_COUNT] = count;
  }
}

/** Whether a node with a colour finds its item settled: with the same colour, or the node would be hidden. */
function isSettled({ words, at }: SearchMemory, node: number, item: number): boolean {
  const colour = words[at.entryColours + (node - at.entries) / ENTRY_WORDS];
  return colour !== 0 && words[item + SIZE] >= 2 * COVERED;
}
