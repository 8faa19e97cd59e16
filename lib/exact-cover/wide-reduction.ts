/**
 * Forced moves before any search, for items with any number of options. See reduction.ts for the idea.
 *
 *     alive[option]    1 while the option may still be selected
 *     size[item]       how many alive options have the item
 *     sole[item]       all of them XORed together: at size 1 that IS the option, with no list to search
 *
 * An item with options 4, 7 and 9 has size 3 and sole 4^7^9; kill 9, then 4, and sole has become 7.
 *
 * Invariant, whenever no select is under way: for every item, size and sole agree with alive.
 */
import type { ExactCoverProblem } from './problem.ts';
import type { Reduction } from './reduction.ts';

/** Items are numbered from 1 in here, as in the links. */
export class WideReduction implements Reduction {
  private readonly problem: ExactCoverProblem;
  private readonly itemCount: number;
  /** Items from 1, option after option. */
  private readonly optionItems: Int32Array;
  private readonly alive: Uint8Array;
  private readonly size: Int32Array;
  /** By item: 1 while it must still be covered, 0 once it is, and always for secondary items. */
  private readonly active: Uint8Array;
  private readonly settled: Uint8Array;
  readonly selected: Int32Array;
  selectedCount = 0;
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
    this.problem = problem;
    this.itemCount = itemCount;
    this.optionItems = problem.items.map((item) => item + 1);
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
    this.settled = new Uint8Array(itemCount + 1);
    this.selected = new Int32Array(problem.optionCount);
    this.queue = new Int32Array(itemCount + 1);
  }

  reduce(options: Int32Array, count: number): boolean {
    this.restore();
    for (let k = 0; k < count; k++) {
      if (!this.select(options[k])) {
        return false;
      }
    }
    return this.queueSingles() && this.drain();
  }

  isAlive(option: number): boolean {
    return this.alive[option] === 1;
  }

  isActive(item: number): boolean {
    return this.active[item] === 1;
  }

  isSettled(item: number): boolean {
    return this.settled[item] === 1;
  }

  private restore(): void {
    this.alive.fill(1);
    this.size.set(this.sizeTemplate);
    this.sole.set(this.soleTemplate);
    this.active.set(this.activeTemplate);
    this.settled.fill(0);
    this.selectedCount = 0;
    this.queueEnd = 0;
    this.updates = 0;
  }

  /** Selects an option, without what it forces; false where it is not alive or an item loses its last option. */
  private select(option: number): boolean {
    if (this.alive[option] === 0) {
      return false;
    }
    const { alive, active, settled, size, sole, optionItems, itemStart, itemOptions } = this;
    this.selected[this.selectedCount++] = option;
    alive[option] = 0;
    const { optionStart, colours } = this.problem;
    const begin = optionStart[option];
    const end = optionStart[option + 1];
    for (let k = begin; k < end; k++) {
      const item = optionItems[k];
      active[item] = 0;
      size[item]--;
      sole[item] ^= option;
    }
    for (let k = begin; k < end; k++) {
      const item = optionItems[k];
      if (colours !== undefined && colours[k] !== 0) {
        if (settled[item] === 0 && !this.purify(item, colours[k])) {
          return false;
        }
        continue;
      }
      settled[item] = 1;
      for (let m = itemStart[item], last = itemStart[item + 1]; m < last; m++) {
        const other = itemOptions[m];
        if (alive[other] === 1 && !this.kill(other)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Selects every option that is the last one of an item, until no item is down to one. */
  private drain(): boolean {
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

  /** Queues the items that have one option in the problem as it was given; false where a primary one has none. */
  private queueSingles(): boolean {
    for (let item = 1; item <= this.problem.primaryCount; item++) {
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
    const begin = this.problem.optionStart[option];
    const end = this.problem.optionStart[option + 1];
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

  /** Gives a secondary item its colour: kills the options that want it otherwise. */
  private purify(item: number, colour: number): boolean {
    this.settled[item] = 1;
    for (let m = this.itemStart[item], last = this.itemStart[item + 1]; m < last; m++) {
      const other = this.itemOptions[m];
      if (this.itemColours![m] !== colour && this.alive[other] === 1 && !this.kill(other)) {
        return false;
      }
    }
    return true;
  }

  private transpose(): void {
    const { optionItems, itemStart, sizeTemplate, soleTemplate } = this;
    const { optionStart, colours } = this.problem;
    for (const item of optionItems) {
      sizeTemplate[item]++;
    }
    for (let item = 1; item <= this.itemCount; item++) {
      itemStart[item + 1] = itemStart[item] + sizeTemplate[item];
    }
    const next = itemStart.slice();
    for (let option = 0; option < this.problem.optionCount; option++) {
      for (let k = optionStart[option]; k < optionStart[option + 1]; k++) {
        const item = optionItems[k];
        soleTemplate[item] ^= option;
        if (this.itemColours !== undefined) {
          this.itemColours[next[item]] = colours![k];
        }
        this.itemOptions[next[item]++] = option;
      }
    }
  }
}
