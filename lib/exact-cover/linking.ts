/**
 * The root of a search: links only the options that the preselected ones leave.
 *
 * A sudoku's givens exclude most of its options: of 729, a puzzle with 17 givens keeps 250. Their entries are next to
 * each other in memory and fit into the L1 cache. Excluding an option is one byte written, so it is done first:
 *
 *     for each preselected option:    remove its items from the list of items; exclude all options with one of them
 *     for each remaining option:      append its entries to the lists of its items
 *
 * Tried and dropped, in time for a 17-clue puzzle in WebAssembly (this way: 4.3 us until all options are linked, and
 * 8.4 with the forced moves that follow):
 * - copying the links of the whole problem from a template and covering the preselected options on them: 12.3;
 * - finding the forced moves before anything is linked, on a word of bits for each item: 9.5, and 400 lines that repeat
 *   what the links do;
 * - entries at their addresses in the whole problem, so that two of their fields need not be written: no difference,
 *   and 1.03 times the time on hard puzzles, whose links are then far apart.
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

/** Links the options that the preselected ones leave; false if two preselected options clash. */
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

/** Covers the items of an option and excludes all options that clash with it; false if it is already excluded. */
function preselect({ words, alive, at, problem }: SearchMemory, option: number): boolean {
  if (alive[option] === 0) {
    return false;
  }
  for (let k = problem.optionStart[option]; k < problem.optionStart[option + 1]; k++) {
    const colour = problem.colours === undefined ? 0 : problem.colours[k];
    const item = words[at.optionHeads + k];
    if (colour !== 0 && words[item + SIZE] >= 2 * COVERED) {
      continue; // Settled with this colour: with another one, the option would be excluded.
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

/**
 * Appends entries for an option to the lists of its items, from address `first` on; returns the address after them.
 */
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
