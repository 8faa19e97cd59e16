/**
 * Forced moves before any search: what is left of a problem once some options are selected and every item that
 * is down to a single option has had it selected too.
 *
 * Nothing done here is ever undone, so it needs no links. Three numbers an item and one byte an option do:
 *
 *     alive[option]    1 while the option may still be selected
 *     size[item]       how many alive options have the item
 *     sole[item]       all of them XORed together: at size 1 that IS the option, with no list to search
 *
 * An item with options 4, 7 and 9 has size 3 and sole 4^7^9; kill 9, then 4, and sole has become 7.
 *
 *     select an option --> its items are covered --> every other alive option with one of them is killed
 *           ^                                                   |
 *           +---- queue of items whose size fell to 1 <---------+        size 0: no solution, stop at once
 *
 * Invariants, whenever no select is under way: for every item, size and sole agree with alive; no primary item that is not covered has size 0 or 1.
 *
 * Many problems that have one solution end here. On the 17-clue sudokus it beat links from the first step on by
 * a half again, since two linked lists an option are neither restored from a template nor unlinked.
 */
import type { ExactCoverProblem } from './problem.ts';

/** Items are numbered from 1 in here, as in Knuth's programs: number 0 is the head of the list of items. */
export class Reduction {
  readonly optionCount: number;
  readonly primaryCount: number;
  readonly itemCount: number;
  /** Where each option's entries in `optionItems` begin; `optionCount + 1` numbers. */
  readonly optionStart: Int32Array;
  /** Items from 1, option after option. */
  readonly optionItems: Int32Array;
  /** Beside `optionItems`; undefined where no item has a colour. */
  readonly colours: Int32Array | undefined;

  readonly alive: Uint8Array;
  /** By item from 1. */
  readonly size: Int32Array;
  /** By item from 1: 1 while it must still be covered, 0 once it is, and always for secondary items. */
  readonly active: Uint8Array;
  /** By item from 1: one more than the option that covered it or gave it its colour; 0 for none. */
  readonly settledBy: Int32Array;
  /** Options selected, in order: first the caller's, then the forced ones. */
  readonly selected: Int32Array;
  selectedCount = 0;
  /** Links that the same work would have unlinked: Knuth's measure of effort. */
  updates = 0;

  private readonly sole: Int32Array;
  /** The options of item `i`, from 1, are `itemOptions[itemStart[i] .. itemStart[i+1]-1]`, ascending. */
  private readonly itemStart: Int32Array;
  private readonly itemOptions: Int32Array;
  /** Beside `itemOptions`; undefined where no item has a colour. */
  private readonly itemColours: Int32Array | undefined;
  private readonly sizeTemplate: Int32Array;
  private readonly soleTemplate: Int32Array;
  private readonly activeTemplate: Uint8Array;
  private readonly queue: Int32Array;
  private queueEnd = 0;

  constructor(problem: ExactCoverProblem) {
    const itemCount = problem.primaryCount + problem.secondaryCount;
    this.optionCount = problem.optionCount;
    this.primaryCount = problem.primaryCount;
    this.itemCount = itemCount;
    this.optionStart = problem.optionStart;
    this.optionItems = problem.items.map((item) => item + 1);
    this.colours = problem.colours;
    this.itemStart = new Int32Array(itemCount + 2);
    this.itemOptions = new Int32Array(problem.items.length);
    this.itemColours = problem.colours === undefined ? undefined : new Int32Array(problem.items.length);
    this.sizeTemplate = new Int32Array(itemCount + 1);
    this.soleTemplate = new Int32Array(itemCount + 1);
    this.activeTemplate = new Uint8Array(itemCount + 1).fill(1, 1, problem.primaryCount + 1);
    this.transpose();
    this.alive = new Uint8Array(problem.optionCount);
    this.size = new Int32Array(itemCount + 1);
    this.sole = new Int32Array(itemCount + 1);
    this.active = new Uint8Array(itemCount + 1);
    this.settledBy = new Int32Array(itemCount + 1);
    this.selected = new Int32Array(problem.optionCount);
    this.queue = new Int32Array(itemCount + 1);
  }

  /** Makes every option alive again, from the templates: cheaper than undoing what the last puzzle did. */
  restore(): void {
    this.alive.fill(1);
    this.size.set(this.sizeTemplate);
    this.sole.set(this.soleTemplate);
    this.active.set(this.activeTemplate);
    this.settledBy.fill(0);
    this.selectedCount = 0;
    this.queueEnd = 0;
    this.updates = 0;
  }

  /**
   * Selects an option, without what it forces.
   *
   * @param option from 0; one that is not alive, because it clashes with an earlier one, gives false
   * @returns false where no solution has all that is selected
   */
  select(option: number): boolean {
    if (this.alive[option] === 0) {
      return false;
    }
    const { alive, active, settledBy, size, sole, optionItems, itemStart, itemOptions } = this;
    this.selected[this.selectedCount++] = option;
    alive[option] = 0;
    const begin = this.optionStart[option];
    const end = this.optionStart[option + 1];
    for (let k = begin; k < end; k++) {
      const item = optionItems[k];
      active[item] = 0;
      size[item]--;
      sole[item] ^= option;
    }
    for (let k = begin; k < end; k++) {
      const item = optionItems[k];
      if (this.colours !== undefined && this.colours[k] !== 0) {
        if (settledBy[item] === 0 && !this.purify(item, this.colours[k], option)) {
          return false;
        }
        continue;
      }
      settledBy[item] = option + 1;
      for (let m = itemStart[item], last = itemStart[item + 1]; m < last; m++) {
        const other = itemOptions[m];
        if (alive[other] === 1 && !this.kill(other)) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Selects every option that is the last one of an item, until no item is down to one.
   *
   * @returns false where an item has no option left
   */
  drain(): boolean {
    const { queue, active, sole } = this;
    for (let head = 0; head < this.queueEnd; head++) {
      const item = queue[head];
      if (active[item] === 1 && !this.select(sole[item])) {
        return false;
      }
    }
    this.queueEnd = 0;
    return true;
  }

  /**
   * Puts the items into the queue that have one option in the problem as it was given.
   *
   * @returns false where a primary item has no option at all
   */
  queueSingles(): boolean {
    for (let item = 1; item <= this.primaryCount; item++) {
      if (this.sizeTemplate[item] === 0) {
        return false;
      }
      if (this.sizeTemplate[item] === 1) {
        this.queue[this.queueEnd++] = item;
      }
    }
    return true;
  }

  private kill(option: number): boolean {
    const { size, sole, active, optionItems } = this;
    const begin = this.optionStart[option];
    const end = this.optionStart[option + 1];
    let consistent = true;
    this.alive[option] = 0;
    this.updates += end - begin - 1;
    for (let k = begin; k < end; k++) {
      const item = optionItems[k];
      const left = --size[item];
      sole[item] ^= option;
      if (left <= 1 && active[item] === 1) {
        if (left === 0) {
          consistent = false;
        } else {
          this.queue[this.queueEnd++] = item;
        }
      }
    }
    return consistent;
  }

  /** Gives a secondary item its colour, for an option: kills the options that want it otherwise. */
  private purify(item: number, colour: number, option: number): boolean {
    this.settledBy[item] = option + 1;
    for (let m = this.itemStart[item], last = this.itemStart[item + 1]; m < last; m++) {
      const other = this.itemOptions[m];
      if (this.itemColours![m] !== colour && this.alive[other] === 1 && !this.kill(other)) {
        return false;
      }
    }
    return true;
  }

  private transpose(): void {
    const { optionStart, optionItems, itemStart, sizeTemplate, soleTemplate } = this;
    for (const item of optionItems) {
      sizeTemplate[item]++;
    }
    for (let item = 1; item <= this.itemCount; item++) {
      itemStart[item + 1] = itemStart[item] + sizeTemplate[item];
    }
    const next = itemStart.slice();
    for (let option = 0; option < this.optionCount; option++) {
      for (let k = optionStart[option]; k < optionStart[option + 1]; k++) {
        const item = optionItems[k];
        soleTemplate[item] ^= option;
        if (this.itemColours !== undefined) {
          this.itemColours[next[item]] = this.colours![k];
        }
        this.itemOptions[next[item]++] = option;
      }
    }
  }
}
