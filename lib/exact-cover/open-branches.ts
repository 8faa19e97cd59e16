/**
 * The part of a paused search that is not searched yet.
 *
 *     selected  a d           options selected before the first item was branched on
 *     untried   f             its other options; e, the first one, is being searched
 *     selected  e g           e, and what it forces, before the next item was branched on
 *     untried   h i
 *
 * The rest of this search has the subtrees a d e g h, a d e g i and a d f, in this order. They do not depend on the memory
 * of the search, so they can be stored, and searched with their options preselected.
 */
import { Phase } from './search.ts';
import { DEPTH, DOWN, ENTRY_WORDS, ITEM, NEXT, PHASE, type SearchMemory } from './search-memory.ts';

/** A level of the search tree; plain data, option numbers from 0. */
export interface OpenBranch {
  /** Options that are selected between the level before and this one. */
  readonly selected: readonly number[];
  /** Options of this level that are not tried yet, in their order. */
  readonly untried: readonly number[];
}

/**
 * The open branches of a search, the root first; undefined if the whole tree is open: the root is not entered yet, or the
 * search learns clauses, which has no tree.
 *
 * @param memory of a search that is paused or exhausted: `run` has returned
 */
export function openBranches({ words, at, addressUnit }: SearchMemory): OpenBranch[] | undefined {
  const phase = words[PHASE];
  if (phase === Phase.root || phase === Phase.learning) return undefined;
  const branches: OpenBranch[] = [];
  let path = at.path;
  for (let level = 1; level <= words[DEPTH]; level++) {
    const record = at.levels + 3 * (level - 1);
    // TypeScript stores the length of the path, WebAssembly the address of its end.
    const end = addressUnit === 1 ? at.path + words[record + 1] : words[record + 1] / addressUnit;
    const selected: number[] = [];
    for (; path < end; path++) {
      const option = optionOfNode(words[path]);
      if (selected.at(-1) !== option) selected.push(option);
    }
    const untried: number[] = [];
    let node = words[record];
    const head = words[node / addressUnit + ITEM];
    // The node of the top level is the next one to try; on every other level it is being searched.
    const isNext = level === words[DEPTH] && phase === Phase.enter;
    if (!isNext) node = words[node / addressUnit + DOWN];
    for (; node !== head; node = words[node / addressUnit + DOWN]) untried.push(optionOfNode(node));
    branches.push({ selected, untried });
  }
  return branches;

  function optionOfNode(node: number): number {
    // The last entry of an option is the one whose next has a lower address.
    let last = node;
    let first = words[last / addressUnit + NEXT];
    for (; first > last; first = words[last / addressUnit + NEXT]) last = first;
    return words[at.optionOf + (first / addressUnit - at.entries) / ENTRY_WORDS];
  }
}
