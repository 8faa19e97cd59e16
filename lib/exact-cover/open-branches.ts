/**
 * The part of a paused search that is not searched yet, as *decisions*: the number of an option that is in, from 0, or `~option`
 * if it is out. Stored searches, frontiers and subproblems all consist of them.
 *
 *     selected  a d           options selected before the first item was branched on
 *     untried   f             its other options; e, the first one, is being searched
 *     selected  e g           e, and what it forces, before the next item was branched on
 *     untried   h i
 *
 * The rest of this search has the subtrees a d e g h, a d e g i and a d f, in this order. They do not depend on the memory
 * of the search, so they can be stored, and searched with their decisions preselected. Where options are decided one by one, what is left
 * besides e is its opposite: untried is ~e, and if e is not tried yet, e and ~e.
 */
import { Phase } from './search.ts';
import { DEPTH, DOWN, ENTRY_SHIFT, ITEM, NEXT, PHASE, type SearchMemory } from './search-memory.ts';

/** A level of the search tree; plain data. */
export interface OpenBranch {
  /** Decisions between the level before and this one. */
  readonly selected: readonly number[];
  /** Decisions of this level that are not tried yet, in their order. */
  readonly untried: readonly number[];
}

/** A level, with the number of ways in which it continues, those that are tried not counted: an option that is in is one of them. */
export interface CountedBranch extends OpenBranch {
  readonly ways: number;
}

/**
 * The open branches of a search, the root first; undefined if the whole tree is open: the root is not entered yet, or the
 * search learns clauses, which has no tree.
 *
 * @param memory of a search that is paused or exhausted: `run` has returned
 * @param decides whether one option is decided at a level, from 1; by default, at all of them if there are multiplicities
 */
export function openBranches(
  { words, at, addressUnit, problem }: SearchMemory,
  decides: (level: number) => boolean = () => problem.multiplicities !== undefined,
): CountedBranch[] | undefined {
  const phase = words[PHASE];
  if (phase === Phase.root || phase === Phase.learning) return undefined;
  const branches: CountedBranch[] = [];
  let path = at.path;
  for (let level = 1; level <= words[DEPTH]; level++) {
    const record = at.levels + 3 * (level - 1);
    // TypeScript stores the length of the path, WebAssembly the address of its end.
    const end = addressUnit === 1 ? at.path + words[record + 1] : words[record + 1] / addressUnit;
    const selected: number[] = [];
    for (; path < end; path++) {
      const decision = decisionOf(words[path]);
      if (selected.at(-1) !== decision) selected.push(decision);
    }
    // The node of the top level is the next one to try; on every other level it is being searched.
    const isNext = level === words[DEPTH] && phase === Phase.enter;
    const node = words[record];
    const options = optionsFrom(node < 0 ? ~node : node);
    const left = isNext ? options : options.slice(1);
    branches.push(
      decides(level)
        ? { selected, untried: sidesLeft(node, isNext), ways: options.length + 1 }
        : { selected, untried: left, ways: options.length },
    );
  }
  return branches;

  function sidesLeft(node: number, isNext: boolean): number[] {
    const decision = decisionOf(node);
    const side = isNext ? [decision] : [];
    return decision < 0 ? side : [...side, ~decision];
  }

  /** The option of a node, and those that follow in the list of its item. */
  function optionsFrom(first: number): number[] {
    const options: number[] = [];
    const head = words[first / addressUnit + ITEM];
    for (let node = first; node !== head; node = words[node / addressUnit + DOWN])
      options.push(decisionOf(node));
    return options;
  }

  function decisionOf(node: number): number {
    if (node < 0) return ~decisionOf(~node);
    // The last entry of an option is the one whose next has a lower address.
    let last = node;
    let first = words[last / addressUnit + NEXT];
    for (; first > last; first = words[last / addressUnit + NEXT]) last = first;
    return words[at.optionOf + ((first / addressUnit - at.entries) >> ENTRY_SHIFT)];
  }
}
