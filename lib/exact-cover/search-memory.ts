/**
 * The one array in which a problem is searched, laid out once from the problem's sizes and never grown.
 *
 *     words    | counts, numbers, where the regions begin | heads | entries | tables that are fixed | work space |
 *
 *     head     UP  DOWN  ITEM (itself)  SIZE  LEFT  RIGHT  WEIGHT  -        one an item, and the root before them
 *     entry    UP  DOWN  ITEM (a head)  NEXT                                as many as the search has linked
 *
 * One array, because code on many of them spends its time fetching their bounds, and because WebAssembly has no
 * other. Records refer to each other by address: a word's number in TypeScript, where `addressUnit` is 1, and a byte's in
 * WebAssembly, where it is 4. All else is the same for both, so one function fills it.
 *
 * SIZE of a head is the length of the item's list, plus COVERED once the item is covered. Secondary items have one
 * COVERED more from the beginning. So "down to one" and "down to none" are never seen in an item that need not be
 * covered, and nobody has to ask whether it is.
 */
import type { ExactCoverProblem } from './problem.ts';

/** Words of the records, and their fields. */
export const HEAD_WORDS = 8;
export const ENTRY_WORDS = 4;
export const UP = 0;
export const DOWN = 1;
export const ITEM = 2;
export const SIZE = 3;
export const NEXT = 3;
export const LEFT = 4;
export const RIGHT = 5;
export const WEIGHT = 6;

/** In SIZE: see above. Lists are shorter than this, and four of it still fit into a word. */
export const COVERED = 0x1000_0000;

/** Counts, in `counts`. */
export const NODES = 0;
export const GUESSES = 1;
export const UPDATES = 2;
export const SOLUTIONS = 3;

/** Numbers, in `words`. */
export const SELECTED_COUNT = 8;
export const PRESELECTED_COUNT = 9;
/** Address behind the last entry that is linked. */
export const LINKED_END = 10;
const OPTION_COUNT = 11;
const HEADS_BYTES = 12;
const COLOURED = 13;
const FIRST_REGION = 16;

/** Where the root's record is, and behind it the heads. */
export const ROOT = 48;

/** Regions in their order; their addresses stand in `words` from FIRST_REGION on. */
const REGIONS = [
  'entries',
  /** The heads with empty lists, all primary items in the list of items: how each search begins. */
  'template',
  /** By option, and one more: its first entry in the next table. */
  'optionStart',
  /** Option after option: the address of the head of each of its items. */
  'optionHeads',
  /** By item, and one more: its first option in the next table. */
  'itemStart',
  /** Item after item: its options. */
  'itemOptions',
  /** By option, in bytes: 1 if no preselected option excludes it. 64 at a time are read. */
  'alive',
  /** By entry that is linked, for the first one of each option: which option it is. */
  'optionOf',
  /** Nodes that were unlinked, oldest first. */
  'trail',
  /** Nodes of the selected options, each where it covers its item, oldest first. */
  'path',
  /** Items that fell to one option, or none. */
  'stack',
  /** By level, three words: the node whose option is tried, how long path and trail were before. */
  'levels',
  'preselected',
  'selected',
  /** Beside optionHeads, itemOptions and entries; empty where the problem has no colours. */
  'optionColours',
  'itemColours',
  'entryColours',
] as const;
type Region = (typeof REGIONS)[number];

export interface SearchMemory {
  readonly problem: ExactCoverProblem;
  /** What an address counts in: 1 for words, 4 for bytes. */
  readonly addressUnit: 1 | 4;
  readonly words: Int32Array;
  /** Nodes, guesses, updates, solutions: the first words of `words`. */
  readonly counts: Float64Array;
  /** The region `alive` of `words`. */
  readonly alive: Uint8Array;
  /** By region: its first word. */
  readonly at: Readonly<Record<Region, number>>;
}

/** How many bytes a problem's search takes. */
export function searchBytes(problem: ExactCoverProblem): number {
  return 4 * layOut(problem).wordCount;
}

/**
 * Lays a problem out, with all tables filled.
 *
 * @param buffer zeros; at least `searchBytes(problem)` of them
 * @param addressUnit what addresses count in: 1 for words, 4 for bytes
 */
export function createSearchMemory(
  problem: ExactCoverProblem,
  buffer: ArrayBuffer,
  addressUnit: 1 | 4,
): SearchMemory {
  const { at, wordCount } = layOut(problem);
  const words = new Int32Array(buffer, 0, wordCount);
  const memory = {
    problem,
    addressUnit,
    words,
    counts: new Float64Array(buffer, 0, 4),
    alive: new Uint8Array(buffer, 4 * at.alive, problem.optionCount),
    at,
  };
  words[OPTION_COUNT] = problem.optionCount;
  words[HEADS_BYTES] = 4 * (at.entries - ROOT);
  words[COLOURED] = problem.colours === undefined ? 0 : 1;
  for (const [k, region] of REGIONS.entries()) words[FIRST_REGION + k] = addressUnit * at[region];
  fillTemplate(memory);
  fillTables(memory);
  return memory;
}

function layOut(problem: ExactCoverProblem): { at: Record<Region, number>; wordCount: number } {
  const { primaryCount, optionCount } = problem;
  const itemCount = primaryCount + problem.secondaryCount;
  const entryCount = problem.items.length;
  const colourCount = problem.colours === undefined ? 0 : entryCount;
  const sizes: Record<Region, number> = {
    entries: ENTRY_WORDS * entryCount,
    template: HEAD_WORDS * (itemCount + 1),
    optionStart: optionCount + 1,
    optionHeads: entryCount,
    itemStart: itemCount + 1,
    itemOptions: entryCount,
    alive: 16 * Math.ceil(optionCount / 64),
    optionOf: entryCount,
    trail: entryCount,
    path: itemCount,
    // Each item once when it falls to one, once when it falls to none, and one word that is written ahead.
    stack: 2 * itemCount + 1,
    levels: 3 * (Math.min(optionCount, primaryCount) + 1),
    preselected: optionCount,
    selected: optionCount,
    optionColours: colourCount,
    itemColours: colourCount,
    entryColours: colourCount,
  };
  const at = {} as Record<Region, number>;
  let end = ROOT + HEAD_WORDS * (itemCount + 1);
  for (const region of REGIONS) {
    at[region] = end;
    // Regions begin at even cache lines, so that no record lies across two.
    end = 16 * Math.ceil((end + sizes[region]) / 16);
  }
  return { at, wordCount: end };
}

function fillTemplate({ problem, words, addressUnit, at }: SearchMemory): void {
  const { primaryCount } = problem;
  const itemCount = primaryCount + problem.secondaryCount;
  const head = (item: number) => addressUnit * (ROOT + HEAD_WORDS * item);
  for (let item = 0; item <= itemCount; item++) {
    const record = at.template + HEAD_WORDS * item;
    const isListed = item <= primaryCount;
    words.fill(head(item), record, record + HEAD_WORDS);
    words[record + SIZE] = isListed ? 0 : COVERED;
    words[record + WEIGHT] = 1;
    // A secondary item is alone in a list of its own: covering it unlinks it from nothing.
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
