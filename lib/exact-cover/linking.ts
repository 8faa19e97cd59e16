/**
 * The root of a search: links for what the preselected options leave, and for nothing else.
 *
 * A sudoku's givens exclude most of its options: of 729 a puzzle with 17 givens keeps 250, which are then linked
 * side by side, in a stretch of memory that fits into the nearest cache. To exclude one is to write a byte, so it
 * pays to do that first:
 *
 *     for each preselected option:    take its items out of the list of items; strike out all options that have one
 *     for each option that is left:   append its entries to the lists of its items
 *
 * Tried and dropped, in time for a 17-clue puzzle in WebAssembly (this way: 4.3 us until all is linked, and 8.4 with
 * the forced moves that follow):
 * - the whole problem's links, copied from a template, the preselected options covered on them: 12.3;
 * - the forced moves worked out before anything is linked, on a word of bits for each item: 9.5, and a second way to do
 *   what the links do, in 400 lines;
 * - entries that stay where they are in the whole problem, so that two of their fields need not be written: the same
 *   here, and 1.03 times the time on hard puzzles, whose links then lie far apart.
 */
import {
  COVERED,
  DOWN,
  ENTRY_WORDS,
  HEAD_WORDS,
  ITEM,
  LEFT,
  LINKED_END,
  NEXT,
  PRESELECTED_COUNT,
  RIGHT,
  ROOT,
  type SearchMemory,
  SIZE,
  UP,
  UPDATES,
} from './search-memory.ts';

/**
 * Links what the preselected options leave.
 *
 * @returns false where two of them clash
 */
export function linkOptions(memory: SearchMemory): boolean {
  const { words, alive, at, problem } = memory;
  words.copyWithin(ROOT, at.template, at.template + (at.entries - ROOT));
  words[LINKED_END] = at.entries;
  alive.fill(1);
  for (let k = 0; k < words[PRESELECTED_COUNT]; k++) {
    if (!preselect(memory, words[at.preselected + k])) {
      return false;
    }
  }
  let end = at.entries;
  for (let option = 0; option < problem.optionCount; option++) {
    if (alive[option] === 1) {
      end = linkOption(memory, option, end);
    }
  }
  words[LINKED_END] = end;
  memory.counts[UPDATES] = problem.items.length - (end - at.entries) / ENTRY_WORDS;
  return true;
}

/** Covers the items of an option and strikes out all options that clash with it; false if it is struck out itself. */
function preselect({ words, alive, at, problem }: SearchMemory, option: number): boolean {
  if (alive[option] === 0) {
    return false;
  }
  for (let k = problem.optionStart[option]; k < problem.optionStart[option + 1]; k++) {
    const colour = problem.colours === undefined ? 0 : problem.colours[k];
    const item = words[at.optionHeads + k];
    if (colour !== 0 && words[item + SIZE] >= 2 * COVERED) {
      continue; // It has its colour already: this one, or the option would not be alive.
    }
    words[item + SIZE] += COVERED;
    words[words[item + LEFT] + RIGHT] = words[item + RIGHT];
    words[words[item + RIGHT] + LEFT] = words[item + LEFT];
    const index = at.itemStart + (item - ROOT) / HEAD_WORDS;
    for (let m = words[index - 1]; m < words[index]; m++) {
      if (colour === 0 || words[at.itemColours + m] !== colour) {
        alive[words[at.itemOptions + m]] = 0;
      }
    }
  }
  alive[option] = 0;
  return true;
}

/** Appends an option's entries to the lists of their items, from address `first` on; gives the address behind. */
function linkOption({ words, at, problem }: SearchMemory, option: number, first: number): number {
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
    words[head + SIZE]++;
    if (colours !== undefined) {
      words[at.entryColours + (node - at.entries) / ENTRY_WORDS] = colours[k];
    }
    node += ENTRY_WORDS;
  }
  words[node - ENTRY_WORDS + NEXT] = first;
  words[at.optionOf + (first - at.entries) / ENTRY_WORDS] = option;
  return node;
}
