/** Builds a problem entry by entry; its reader validates it. */
import type { ExactCoverProblem, Multiplicities } from '../../exact-cover/problem.ts';
import { ByteBuffer } from '../bytes/byte-buffer.ts';
import { type CoverProblem, MAX_ENTRIES, MAX_TEXT_BYTES } from './cover-record.ts';
import { IntList } from './int-list.ts';

export class CoverBuilder {
  /** Infinity if the items are not stated. */
  #primaryCount = Infinity;
  #secondaryCount = 0;
  #itemCount = 0;
  readonly #items = new IntList();
  /** As long as `#items` if some item has a colour, else empty. */
  readonly #colours = new IntList();
  #multiplicities: Multiplicities | undefined;
  /** By option, from the first one with a cost on; undefined if none has a cost. */
  #costs: number[] | undefined;
  /** Sum of all costs, and the cost of the current option. */
  #totalCost = 0;
  #cost = 0;
  readonly #optionStart = new IntList();
  readonly #textStart = new IntList();
  readonly #lineOf = new IntList();
  readonly #text = new ByteBuffer(4096);
  /** By item: the last option with it, from 1, counting omitted options. */
  #lastSeen = new Int32Array(0);
  #optionsSeen = 0;
  #ignored = 0;
  #hasPrimary = false;
  #coloured = false;

  constructor() {
    this.restart();
  }

  /** Starts another problem; earlier results of `build` do not change. */
  restart(): void {
    for (const list of [this.#items, this.#colours, this.#optionStart, this.#textStart, this.#lineOf]) {
      list.length = 0;
    }
    this.#optionStart.push(0);
    this.#textStart.push(0);
    this.#text.length = 0;
    this.#lastSeen.fill(0, 0, this.#itemCount);
    this.#primaryCount = Infinity;
    this.#itemCount = 0;
    this.#optionsSeen = 0;
    this.#ignored = 0;
    this.#coloured = false;
    this.#costs = undefined;
    this.#totalCost = 0;
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

  get ignoredOptions(): number {
    return this.#ignored;
  }

  /** The limit that the problem exceeds, as the end of a sentence; undefined if none. */
  get excess(): string | undefined {
    if (this.#items.length > MAX_ENTRIES) return `more than ${MAX_ENTRIES} entries in its options`;
    if (this.#text.length > MAX_TEXT_BYTES) return `more than ${MAX_TEXT_BYTES} bytes of options`;
    return undefined;
  }

  /** Starts the next option; entries of an option that was not ended are dropped. */
  beginOption(): void {
    const option = this.#lineOf.length;
    this.#items.length = this.#optionStart.at(option);
    if (this.#coloured) this.#colours.length = this.#items.length;
    this.#text.length = this.#textStart.at(option);
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
    if (item >= this.#itemCount) this.#addItems(item + 1);
    if (this.#lastSeen[item] === this.#optionsSeen) return false;
    this.#lastSeen[item] = this.#optionsSeen;
    if (colour !== 0 && !this.#coloured) {
      this.#coloured = true;
      while (this.#colours.length < this.#items.length) this.#colours.push(0);
    }
    this.#items.push(item);
    if (this.#coloured) this.#colours.push(colour);
    if (item < this.#primaryCount) this.#hasPrimary = true;
    return true;
  }

  #addItems(count: number): void {
    this.#itemCount = count;
    if (count <= this.#lastSeen.length) return;
    const larger = new Int32Array(2 * count);
    larger.set(this.#lastSeen);
    this.#lastSeen = larger;
  }

  /** Adds to the cost of the current option. @returns false if the sum of all costs is not exact any more */
  addCost(cost: number): boolean {
    this.#costs ??= new Array<number>(this.optionCount).fill(0);
    this.#cost += cost;
    return this.#totalCost + this.#cost <= Number.MAX_SAFE_INTEGER;
  }

  /** Adds the current option's text: the bytes `from` to `to` (exclusive). */
  addText(bytes: Uint8Array, from: number, to: number): void {
    this.#text.ensure(to - from);
    const { bytes: into, length } = this.#text;
    for (let at = from; at < to; at++) into[length + at - from] = bytes[at];
    this.#text.length = length + to - from;
  }

  /**
   * Ends the current option.
   *
   * @returns false if it has no primary item: it is omitted
   */
  endOption(line: number): boolean {
    if (!this.#hasPrimary) {
      this.#ignored++;
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
    const optionCount = this.#lineOf.length;
    const entries = this.#optionStart.at(optionCount);
    const plain: ExactCoverProblem = {
      primaryCount: this.#primaryCount === Infinity ? this.#itemCount : this.#primaryCount,
      secondaryCount: this.#secondaryCount,
      optionCount,
      optionStart: this.#optionStart.take(optionCount + 1),
      items: this.#items.take(entries),
    };
    const coloured = this.#coloured ? { ...plain, colours: this.#colours.take(entries) } : plain;
    const multiplicities = this.#multiplicities;
    const multiple = multiplicities === undefined ? coloured : { ...coloured, multiplicities };
    const costs = this.#costs;
    return {
      problem: costs === undefined ? multiple : { ...multiple, costs: Float64Array.from(costs) },
      text: this.#text.bytes.slice(0, this.#textStart.at(optionCount)),
      textStart: this.#textStart.take(optionCount + 1),
      lineOf: this.#lineOf.take(optionCount),
      ignoredOptions: this.#ignored,
    };
  }
}
