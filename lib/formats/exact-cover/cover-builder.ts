/** Builds a problem entry by entry; its reader validates it. */
import type { ExactCoverProblem, Multiplicities } from '../../exact-cover/problem.ts';
import { ByteBuffer } from '../bytes/byte-buffer.ts';
import { type CoverProblem, MAX_ENTRIES, MAX_TEXT_BYTES } from './cover-record.ts';
import { IntList } from './int-list.ts';

export class CoverBuilder {
  /** Infinity if the items are not stated. */
  #primaryCount = Infinity;
  #secondaryCount = 0;
  #multiplicities: Multiplicities | undefined;
  readonly #items = new IntList();
  /** As long as `#items`; undefined if no item has a colour. */
  #colours: IntList | undefined;
  /** By option, from the first one with a cost on; undefined if none has a cost. */
  #costs: number[] | undefined;
  /** Sum of all costs, and the cost of the current option. */
  #totalCost = 0;
  #cost = 0;
  readonly #optionStart = new IntList();
  readonly #text = new ByteBuffer(64);
  readonly #textStart = new IntList();
  readonly #lineOf = new IntList();
  /** Number of items that options have so far. */
  #itemCount = 0;
  /** By item: the last option with it, counting all options of all problems in this memory. */
  #lastSeen = new Float64Array(64);
  #optionsSeen = 0;
  #hasPrimary = false;
  /** Number of options without a primary item, which are omitted. */
  ignoredOptions = 0;

  constructor() {
    this.#optionStart.push(0);
    this.#textStart.push(0);
  }

  /** Starts another problem in the same memory; earlier results of `build` do not change. */
  restart(): void {
    this.#primaryCount = Infinity;
    this.#colours = undefined;
    this.#costs = undefined;
    this.#totalCost = 0;
    this.#optionStart.length = 1;
    this.#textStart.length = 1;
    this.#lineOf.length = 0;
    this.#itemCount = 0;
    this.ignoredOptions = 0;
  }

  /**
   * States the items before the first option; without this, all are primary.
   *
   * @param multiplicities undefined if each primary item is contained exactly once
   */
  setItems(primaryCount: number, secondaryCount: number, multiplicities?: Multiplicities): void {
    this.#primaryCount = primaryCount;
    this.#secondaryCount = secondaryCount;
    this.#multiplicities = multiplicities;
  }

  /** Number of options so far, without omitted ones. */
  get optionCount(): number {
    return this.#lineOf.length;
  }

  /** The limit that the problem exceeds, as the end of a sentence; undefined if none. */
  get excess(): string | undefined {
    if (this.#items.length > MAX_ENTRIES) return `more than ${MAX_ENTRIES} entries in its options`;
    if (this.#text.length > MAX_TEXT_BYTES) return `more than ${MAX_TEXT_BYTES} bytes of options`;
    return undefined;
  }

  /** Starts the next option, with the text in `bytes`; entries of an option that was not ended are dropped. */
  beginOption(bytes: Uint8Array, from: number, to: number): void {
    const option = this.optionCount;
    this.#items.length = this.#optionStart.at(option);
    if (this.#colours !== undefined) this.#colours.length = this.#items.length;
    this.#text.length = this.#textStart.at(option);
    this.#text.append(bytes, from, to);
    this.#optionsSeen++;
    this.#hasPrimary = false;
    this.#cost = 0;
  }

  /**
   * Adds an item to the current option.
   *
   * @param colour 0 for none
   * @returns false if the option already has the item
   */
  addItem(item: number, colour: number): boolean {
    if (item >= this.#itemCount) this.#extendTo(item);
    if (this.#lastSeen[item] === this.#optionsSeen) return false;
    this.#lastSeen[item] = this.#optionsSeen;
    if (colour !== 0 && this.#colours === undefined) {
      this.#colours = new IntList();
      while (this.#colours.length < this.#items.length) this.#colours.push(0);
    }
    this.#items.push(item);
    this.#colours?.push(colour);
    if (item < this.#primaryCount) this.#hasPrimary = true;
    return true;
  }

  #extendTo(item: number): void {
    this.#itemCount = item + 1;
    if (item < this.#lastSeen.length) return;
    const larger = new Float64Array(2 * this.#itemCount);
    larger.set(this.#lastSeen);
    this.#lastSeen = larger;
  }

  /** Adds to the cost of the current option. @returns false if the sum of all costs is not exact any more */
  addCost(cost: number): boolean {
    this.#costs ??= new Array<number>(this.optionCount).fill(0);
    this.#cost += cost;
    return this.#totalCost + this.#cost <= Number.MAX_SAFE_INTEGER;
  }

  /**
   * Ends the current option.
   *
   * @returns false if it has no primary item: it is omitted
   */
  endOption(line: number): boolean {
    if (!this.#hasPrimary) {
      this.ignoredOptions++;
      return false;
    }
    this.#costs?.push(this.#cost);
    this.#totalCost += this.#cost;
    this.#lineOf.push(line);
    this.#optionStart.push(this.#items.length);
    this.#textStart.push(this.#text.length);
    return true;
  }

  build(): CoverProblem {
    const { optionCount, ignoredOptions } = this;
    const entries = this.#optionStart.at(optionCount);
    const isOpen = this.#primaryCount === Infinity;
    const problem: ExactCoverProblem = {
      primaryCount: isOpen ? this.#itemCount : this.#primaryCount,
      secondaryCount: this.#secondaryCount,
      optionCount,
      optionStart: this.#optionStart.take(),
      items: this.#items.take(entries),
      ...(this.#colours && { colours: this.#colours.take(entries) }),
      ...(this.#multiplicities && { multiplicities: this.#multiplicities }),
      ...(this.#costs && { costs: Float64Array.from(this.#costs) }),
    };
    return {
      problem,
      text: this.#text.bytes.slice(0, this.#textStart.at(optionCount)),
      textStart: this.#textStart.take(),
      lineOf: this.#lineOf.take(),
      ignoredOptions,
    };
  }
}
