/** Builds a problem entry by entry; its reader validates it. */
import type { ExactCoverProblem, Multiplicities } from '../../exact-cover/problem.ts';
import { ByteBuffer } from '../bytes/byte-buffer.ts';
import { type CoverProblem, MAX_ENTRIES, MAX_TEXT_BYTES } from './cover-record.ts';

export type CoverBuilder = ReturnType<typeof coverBuilder>;

export function coverBuilder() {
  /** Infinity if the items are not stated. */
  let primaryCount = Infinity;
  let secondaryCount = 0;
  let multiplicities: Multiplicities | undefined;
  const items: number[] = [];
  /** As long as `items`; undefined if no item has a colour. */
  let colours: number[] | undefined;
  /** By option; undefined if none has a cost. */
  let costs: number[] | undefined;
  /** Sum of all costs, and the cost of the current option. */
  let totalCost = 0;
  let cost = 0;
  const optionStart = [0];
  const text = new ByteBuffer(64);
  const textStart = [0];
  const lineOf: number[] = [];
  /** By item: the last option with it, from 1, counting omitted options. */
  const lastSeen: number[] = [];
  let optionsSeen = 0;
  let hasPrimary = false;

  return {
    /** Number of options without a primary item, which are omitted. */
    ignoredOptions: 0,

    /** Number of options so far, without omitted ones. */
    get optionCount(): number {
      return lineOf.length;
    },

    /** Starts another problem in the same memory; earlier results of `build` do not change. */
    restart(): void {
      primaryCount = Infinity;
      colours = undefined;
      costs = undefined;
      totalCost = 0;
      optionStart.length = 1;
      textStart.length = 1;
      lineOf.length = 0;
      lastSeen.length = 0;
      optionsSeen = 0;
      this.ignoredOptions = 0;
    },

    /**
     * States the items before the first option; without this, all are primary.
     *
     * @param each how often each primary item is contained; undefined if exactly once
     */
    setItems(primary: number, secondary: number, each?: Multiplicities): void {
      primaryCount = primary;
      secondaryCount = secondary;
      multiplicities = each;
    },

    /** The limit that the problem exceeds, as the end of a sentence; undefined if none. */
    get excess(): string | undefined {
      if (items.length > MAX_ENTRIES) return `more than ${MAX_ENTRIES} entries in its options`;
      if (text.length > MAX_TEXT_BYTES) return `more than ${MAX_TEXT_BYTES} bytes of options`;
      return undefined;
    },

    /** Starts the next option, with the text in `bytes`; entries of an option that was not ended are dropped. */
    beginOption(bytes: Uint8Array, from: number, to: number): void {
      items.length = optionStart[lineOf.length];
      if (colours !== undefined) colours.length = items.length;
      text.length = textStart[lineOf.length];
      text.append(bytes, from, to);
      optionsSeen++;
      hasPrimary = false;
      cost = 0;
    },

    /**
     * Adds an item to the current option.
     *
     * @param colour 0 for none
     * @returns false if the option already has the item
     */
    addItem(item: number, colour: number): boolean {
      while (lastSeen.length <= item) lastSeen.push(0);
      if (lastSeen[item] === optionsSeen) return false;
      lastSeen[item] = optionsSeen;
      if (colour !== 0) colours ??= items.map(() => 0);
      items.push(item);
      colours?.push(colour);
      if (item < primaryCount) hasPrimary = true;
      return true;
    },

    /** Adds to the cost of the current option. @returns false if the sum of all costs is not exact any more */
    addCost(more: number): boolean {
      costs ??= lineOf.map(() => 0);
      cost += more;
      return totalCost + cost <= Number.MAX_SAFE_INTEGER;
    },

    /**
     * Ends the current option.
     *
     * @returns false if it has no primary item: it is omitted
     */
    endOption(line: number): boolean {
      if (!hasPrimary) {
        this.ignoredOptions++;
        return false;
      }
      costs?.push(cost);
      totalCost += cost;
      lineOf.push(line);
      optionStart.push(items.length);
      textStart.push(text.length);
      return true;
    },

    build(): CoverProblem {
      const optionCount = lineOf.length;
      items.length = optionStart[optionCount];
      if (colours !== undefined) colours.length = items.length;
      const problem: ExactCoverProblem = {
        primaryCount: primaryCount === Infinity ? lastSeen.length : primaryCount,
        secondaryCount,
        optionCount,
        optionStart: new Int32Array(optionStart),
        items: new Int32Array(items),
        ...(colours && { colours: new Int32Array(colours) }),
        ...(multiplicities && { multiplicities }),
        ...(costs && { costs: new Float64Array(costs) }),
      };
      return {
        problem,
        text: text.bytes.slice(0, textStart[optionCount]),
        textStart: new Int32Array(textStart),
        lineOf: new Int32Array(lineOf),
        ignoredOptions: this.ignoredOptions,
      };
    },
  };
}
