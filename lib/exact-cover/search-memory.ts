/**
 * The memory of a search: one array, laid out from the sizes of the problem and never grown.
 *
 *     words    | counts, numbers, addresses of the regions | heads | entries | fixed tables | working memory |
 *
 *     head     UP  DOWN  SLACK          SPARE  LEFT  RIGHT  WEIGHT  MOST    one for each item, after that of the root
 *     entry    UP  DOWN  ITEM (a head)  NEXT                                one for each linked entry
 *
 * It is one array because code on many arrays spends its time on fetching their bounds, and because WebAssembly has
 * only one. Records refer to each other by address: the number of a word in TypeScript (`addressUnit` is 1), the number
 * of a byte in WebAssembly (`addressUnit` is 4). The rest is the same for both, so one function fills the memory.
 *
 *     MOST     how many more options with this item fit into a solution
 *     SLACK    how many of these it may do without: it needs MOST - SLACK more (`least`), none if that is below 0
 *     SPARE    how many options of its list it can spare: the length of the list, less `least`
 *
 * An item that a solution contains once has MOST 1 and SLACK 0. It is *forced* if SPARE is 0, and *failed* if that is -1.
 * SPARE of a covered item has COVERED added, and that of a secondary item one more COVERED from the beginning: so neither is
 * ever forced or failed, and no code needs to ask for its kind.
 */
import type { ExactCoverProblem } from './problem.ts';

/** Lengths of the records in words, and their fields. */
const HEAD_SHIFT = 3;
export const HEAD_WORDS = 1 << HEAD_SHIFT;
export const ENTRY_SHIFT = 2;
export const ENTRY_WORDS = 1 << ENTRY_SHIFT;
export const UP = 0;
export const DOWN = 1;
export const ITEM = 2;
export const SLACK = 2;
export const NEXT = 3;
export const SPARE = 3;
export const LEFT = 4;
export const RIGHT = 5;
export const WEIGHT = 6;
export const MOST = 7;

/** Marks covered items in SPARE (see above). Greater than any list; four times COVERED fits into a word. */
export const COVERED = 0x1000_0000;
/** The bits of SPARE below COVERED. */
export const UNMARKED = COVERED - 1;

/** The number of an item, from 1, by the word of its head. */
export function itemOf(head: number): number {
  return (head - ROOT) >> HEAD_SHIFT;
}

/** Whether a primary item is covered: no more options with it fit. */
export function isCovered(words: Int32Array, item: number): boolean {
  return words[item + SPARE] >= COVERED;
}

/** Whether a secondary item is covered, or purified: an option has given it its colour. */
export function isPurified(words: Int32Array, item: number): boolean {
  return words[item + SPARE] >= 2 * COVERED;
}

/** How many more options with a primary item a solution needs. */
export function leastOf(words: Int32Array, item: number): number {
  return Math.max(0, words[item + MOST] - words[item + SLACK]);
}

/** Options in the list of a primary item that is not covered. */
export function sizeOf(words: Int32Array, item: number): number {
  return words[item + SPARE] + leastOf(words, item);
}

/** The ways to branch on an item, whether it is covered or not: 1 more than it can spare. */
export function waysOf(words: Int32Array, item: number): number {
  return (words[item + SPARE] & UNMARKED) + 1;
}

/** Whether exactly one more option contains an item, so that each option in its list excludes the others. */
export function isNeededOnce(words: Int32Array, item: number): boolean {
  return words[item + MOST] === 1 && words[item + SLACK] === 0;
}

/** Indexes of `counts`. */
export const NODES = 0;
export const GUESSES = 1;
export const UPDATES = 2;
export const SOLUTIONS = 3;

/** Indexes of single numbers in `words`. */
export const SELECTED_COUNT = 8;
export const PRESELECTED_COUNT = 9;
/** Address after the last linked entry. */
export const LINKED_END = 10;
const OPTION_COUNT = 11;
const HEADS_BYTES = 12;
const COLOURED = 13;
/** While the search is paused: its next step, a `Phase`, and the number of its levels. */
export const PHASE = 14;
export const DEPTH = 15;
const FIRST_REGION = 16;
const PRICED = 39;
/** Indexes of `numbers`: the cost of the options that are in, and what is too much. */
export const COST = 20;
export const CUTOFF = 22;

/** The record of the root; the heads follow. */
export const ROOT = 48;

export interface SearchMemory {
  readonly problem: ExactCoverProblem;
  /** The unit of addresses: 1 for words, 4 for bytes. */
  readonly addressUnit: 1 | 4;
  readonly words: Int32Array;
  /** The same memory as numbers in 64 bits; and the first of them: nodes, guesses, updates, solutions. */
  readonly numbers: Float64Array;
  readonly counts: Float64Array;
  /** The region `alive` of `words`. */
  readonly alive: Uint8Array;
  /** By region: the index of its first word. */
  readonly at: Readonly<Record<Region, number>>;
}

/** Returns the number of bytes that the search of a problem takes, without the regions for costs. */
export function searchBytes(problem: ExactCoverProblem): number {
  return 4 * layOut(problem, false).wordCount;
}

/** Most entries of the path of a search. */
function pathWords(problem: ExactCoverProblem): number {
  const { primaryCount, secondaryCount, items, multiplicities } = problem;
  const selected = multiplicities === undefined ? primaryCount + secondaryCount : items.length;
  return selected + decidedOptions(problem);
}

/** Options that may be decided one by one, in or out, instead of trying those of an item. */
function decidedOptions({ optionCount, multiplicities, costs }: ExactCoverProblem): number {
  return multiplicities === undefined && costs === undefined ? 0 : optionCount;
}

/**
 * Lays out the memory of a problem and fills all its tables.
 *
 * @param addressUnit the unit of addresses: 1 for words, 4 for bytes
 * @param allocate returns at least so many bytes, all 0
 * @param isPriced whether it has the regions for costs, which wasm-decisions.ts fills
 */
export function createSearchMemory(
  problem: ExactCoverProblem,
  addressUnit: 1 | 4,
  allocate: (bytes: number) => ArrayBuffer,
  isPriced = false,
): SearchMemory {
  const { at, wordCount } = layOut(problem, isPriced);
  const buffer = allocate(4 * wordCount);
  const words = new Int32Array(buffer, 0, wordCount);
  const numbers = new Float64Array(buffer, 0, wordCount >> 1);
  const memory = {
    problem,
    addressUnit,
    words,
    numbers,
    counts: numbers.subarray(0, 4),
    alive: new Uint8Array(buffer, 4 * at.alive, problem.optionCount),
    at,
  };
  words[OPTION_COUNT] = problem.optionCount;
  words[HEADS_BYTES] = 4 * (at.entries - ROOT);
  words[COLOURED] = problem.colours === undefined ? 0 : 1;
  words[PRICED] = isPriced ? 1 : 0;
  for (const [k, word] of Object.values(at).entries()) words[FIRST_REGION + k] = addressUnit * word;
  fillTemplate(memory);
  fillTables(memory);
  return memory;
}

/** The lengths of the regions in words, in their order; `words` has their addresses from FIRST_REGION on. */
function regionWords(problem: ExactCoverProblem, isPriced: boolean) {
  const { primaryCount, optionCount } = problem;
  const itemCount = primaryCount + problem.secondaryCount;
  const entries = problem.items.length;
  const colours = problem.colours === undefined ? 0 : entries;
  const path = pathWords(problem);
  /** Words of each number of a region for costs. */
  const priced = isPriced ? 2 : 0;
  return {
    entries: ENTRY_WORDS * entries,
    /** The initial heads of each search: empty lists, all primary items in the list of items. */
    template: HEAD_WORDS * (itemCount + 1),
    /** By option, and one more: the index of its first entry in the next table. */
    optionStart: optionCount + 1,
    /** Option after option: the addresses of the heads of its items. */
    optionHeads: entries,
    /** By item, and one more: the index of its first option in the next table. */
    itemStart: itemCount + 1,
    /** Item after item: its options. */
    itemOptions: entries,
    /** By option, in bytes: 1 if no preselected option excludes it. WebAssembly reads 64 at a time. */
    alive: 16 * Math.ceil(optionCount / 64),
    /** By linked entry, for the first one of each option: the number of the option. */
    optionOf: entries,
    /** Nodes that were unlinked, oldest first. */
    trail: entries,
    /** Nodes of the selected options that count for their items, oldest first; and `~node` for an option that went out. */
    path,
    /** Items that are forced or failed: each item once with one option left and once with none, and one word that is written in advance. */
    stack: 2 * itemCount + 1,
    /**
     * By level, three words: the node whose option is tried, the lengths of path and trail before it. `~node` if everything with
     * its option is found, and it goes out.
     */
    levels: 3 * (Math.max(decidedOptions(problem), Math.min(optionCount, primaryCount)) + 1),
    preselected: optionCount,
    selected: optionCount,
    /** The colours for optionHeads, itemOptions and entries; empty if the problem has no colours. */
    optionColours: colours,
    itemColours: colours,
    entryColours: colours,
    /** For a search by cost, numbers of 64 bits: `Memory` in wasm/memory.as says what they are. */
    optionCosts: priced * optionCount,
    optionShares: priced * optionCount,
    entryShares: priced * entries,
    pathCosts: priced * path,
    taxes: priced * (itemCount + 1),
    proposed: priced * (itemCount + 1),
  };
}
type Region = keyof ReturnType<typeof regionWords>;

function layOut(problem: ExactCoverProblem, isPriced: boolean) {
  // Each length is replaced by the address. Engines access an object slowly whose properties are added one by one.
  const at = regionWords(problem, isPriced);
  let end = ROOT + HEAD_WORDS * (problem.primaryCount + problem.secondaryCount + 1);
  for (const region of Object.keys(at) as Region[]) {
    const start = end;
    // Regions begin at cache lines, so that no record crosses one.
    end = 16 * Math.ceil((start + at[region]) / 16);
    at[region] = start;
  }
  return { at, wordCount: end };
}

function fillTemplate({ problem, words, addressUnit, at }: SearchMemory): void {
  const { primaryCount, multiplicities } = problem;
  const itemCount = primaryCount + problem.secondaryCount;
  const head = (item: number) => addressUnit * (ROOT + HEAD_WORDS * item);
  for (let item = 0; item <= itemCount; item++) {
    const record = at.template + HEAD_WORDS * item;
    const isListed = item <= primaryCount;
    words.fill(head(item), record, record + HEAD_WORDS);
    // The root and secondary items have no multiplicities.
    const least = multiplicities?.least[item - 1] ?? 1;
    const most = multiplicities?.most[item - 1] ?? 1;
    // Secondary items have SPARE as if they needed an option.
    words[record + SPARE] = -least + (isListed ? 0 : COVERED);
    words[record + SLACK] = most - least;
    words[record + MOST] = most;
    words[record + WEIGHT] = 1;
    // A secondary item is alone in its own list: covering it unlinks it from nothing.
    if (isListed) {
      words[record + LEFT] = head(item === 0 ? primaryCount : item - 1);
      words[record + RIGHT] = head(item === primaryCount ? 0 : item + 1);
    }
  }
}

function fillTables({ problem, words, addressUnit, at }: SearchMemory): void {
  const { optionCount, optionStart, items, colours } = problem;
  const itemCount = problem.primaryCount + problem.secondaryCount;
  words.set(optionStart, at.optionStart);
  for (let k = 0; k < items.length; k++) {
    words[at.optionHeads + k] = addressUnit * (ROOT + HEAD_WORDS * (items[k] + 1));
    words[at.itemStart + items[k] + 1]++;
  }
  for (let item = 0; item < itemCount; item++) {
    words[at.itemStart + item + 1] += words[at.itemStart + item];
  }
  const next = words.slice(at.itemStart, at.itemStart + itemCount);
  for (let option = 0; option < optionCount; option++) {
    for (let k = optionStart[option]; k < optionStart[option + 1]; k++) {
      const place = next[items[k]]++;
      words[at.itemOptions + place] = option;
      if (colours !== undefined) {
        words[at.optionColours + k] = colours[k];
        words[at.itemColours + place] = colours[k];
      }
    }
  }
}
