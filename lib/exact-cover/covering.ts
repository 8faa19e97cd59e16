/**
 * Covering and uncovering: how a selected option, and all that it forces, goes out of the links and comes back.
 *
 * To *cover* an item is to take it out of the list of active items and to *hide* every other option that has it: the
 * option's nodes leave the lists of all its other items. Its node in the covered item's own list stays, since nobody
 * walks that list again before the item is uncovered. To *select* an option is to cover its items:
 *
 *     select a d f:   cover a, d, f      hide a d g    (found in a's list)
 *                                        hide d e g    (d's)
 *                                        hide b c f    (f's)
 *
 * and then e has lost d e g and is down to c e, and b, without b c f, to b g. Both are forced: an item that falls to one
 * option goes on a stack, and what is on it is selected before anything is chosen. An item that falls to none ends the
 * selecting, as soon as the option at hand is through, with its links whole.
 *
 *     path     a d f | b g | c e           nodes that cover an item, the option selected last at the right
 *     trail    d g e g b c                 nodes that were unlinked
 *
 * To undo is to read both backwards, with no list to walk: the same nodes in the reverse order, each put back between
 * the neighbours that it remembers.
 *
 * A node with a colour does not cover its item but *settles* it: only options that want another colour are hidden, and
 * the next node with this colour finds the item settled and has nothing to do (Knuth's `purify`).
 *
 * In time for a puzzle of 375 hard sudokus, in WebAssembly, each against the same without it:
 * - the node of the selected option unlinked too, so that the walk over the others need not leave it out: 0.93;
 * - path and trail of nodes, and not of options whose entries must be found again: 0.91;
 * - the forced item that came last selected first, not the one that came first: 0.97;
 * - items that fall to one pushed without a branch, which no processor predicts: 0.86;
 * - all options hidden that clash with the selected one, even after an item ran out, and the item that ran out last
 *   blamed: 0.9, for it takes 247 nodes a puzzle and not 280. Of 40 random 25x25 sudokus with 45% givens, the slowest
 *   took 507,000 nodes before this and the one above, and takes 110,000.
 * Tried and dropped: links in 16 bits, 1.07; all options to be hidden gathered before the first is unlinked, so that one
 * loop runs over all of them, 0.97 on these and 1.01 on 17-clue puzzles; options hidden from the covered item's list too,
 * 1.0; an option's entries found by its length and not by NEXT, 1.0; items covered and hidden one by one, 1.01.
 */
import {
  COVERED,
  DOWN,
  ENTRY_WORDS,
  ITEM,
  LEFT,
  NEXT,
  RIGHT,
  ROOT,
  type SearchMemory,
  SIZE,
  UP,
  UPDATES,
  WEIGHT,
} from './search-memory.ts';

/** What is covered and hidden at the moment, and the way back. */
export class Covering {
  pathLength = 0;
  trailLength = 0;
  /** Whether an item has failed since `begin`. */
  weighted = false;
  private readonly memory: SearchMemory;

  constructor(memory: SearchMemory) {
    this.memory = memory;
  }

  /** Starts with links that are new. */
  begin(): void {
    this.pathLength = 0;
    this.trailLength = 0;
    this.weighted = false;
  }

  /** Selects what is forced from the outset; false where an item has no option. */
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
   * Selects the option of a node, then all that this forces. Long, because every call in here would fetch the state of
   * the search again, for each of a dozen forced options.
   *
   * @param node 0 for none: then only what is on the stack is selected
   * @param top where the stack ends
   * @returns false where an item has no option left; all links are sound nevertheless, for undoTo to put back
   */
  select(node: number, top = this.memory.at.stack): boolean {
    const { memory } = this;
    const { words } = memory;
    const { stack, entries, entryColours } = memory.at;
    const coloured = memory.problem.colours !== undefined;
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
      for (let k = covered; k < path; k++) {
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
        }
      }
      if (failed !== 0) {
        words[failed + WEIGHT]++;
        this.weighted = true;
        break;
      }
      selected = 0;
    }
    this.pathLength = path - memory.at.path;
    memory.counts[UPDATES] += trail - memory.at.trail - this.trailLength;
    this.trailLength = trail - memory.at.trail;
    return failed === 0;
  }

  /** Uncovers and unhides what was covered and hidden since path and trail had these lengths. */
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
}

/** Whether a node with a colour finds its item settled; then it is with this colour, or the node would be hidden. */
function isSettled({ words, at }: SearchMemory, node: number, item: number): boolean {
  const colour = words[at.entryColours + (node - at.entries) / ENTRY_WORDS];
  return colour !== 0 && words[item + SIZE] >= 2 * COVERED;
}
