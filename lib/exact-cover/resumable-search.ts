/**
 * A search that can be stored at any place, and continued later, elsewhere, by another version of the program.
 *
 * A continued search finds the same solutions as an uninterrupted one, each once. Their order and the number of nodes may
 * differ: each open subtree (open-branches.ts) is searched on its own, without the weights that the items had.
 *
 * The search of a subtree is dancing links, or memoised counting (memo-search.ts), which finds no solution but their
 * number.
 */
import type { RunLimits } from './dancing-links.ts';
import { type OpenBranch, openBranches } from './open-branches.ts';
import { SearchStop } from './search.ts';
import { SELECTED_COUNT, type SearchMemory } from './search-memory.ts';
import { type SolutionCount, sumOf } from './solution-count.ts';

/** A place in a search, as plain data. */
export interface SearchPlace {
  readonly solutions: SolutionCount;
  readonly nodes: number;
  /** What is not searched yet, the root first; undefined at the start, empty at the end. */
  readonly branches?: readonly OpenBranch[];
  /** The place of a search by cost. */
  readonly cost?: {
    /** The cost of the latest solution. */
    readonly latest: number;
    /** Solutions with this cost so far. */
    readonly given: number;
  };
}

/** The search of a subtree. */
export interface SubtreeSearch {
  readonly memory: SearchMemory;
  readonly solutions: SolutionCount;
  readonly nodes: number;
  readonly guesses: number;
  readonly updates: number;
  reset(decisions: readonly number[]): void;
  /** Whether one option is decided at a level, as for `openBranches`. */
  readonly decides?: (level: number) => boolean;
  run(limits: RunLimits): SearchStop;
}

export class ResumableSearch {
  readonly #links: SubtreeSearch;
  /** Open branches outside of the current subtree. */
  readonly #branches: { readonly selected: readonly number[]; readonly untried: number[] }[];
  /** The decision of the last branch whose subtree is being searched; undefined if it is the whole tree. */
  #decision: number | undefined;
  /** Totals of the subtrees before the current one. */
  #solutionsBefore: SolutionCount;
  #nodesBefore: number;
  #guessesBefore = 0;
  #updatesBefore = 0;
  #isExhausted = false;

  /**
   * @param links searches each subtree
   * @param place where to continue; its decisions must be about options of the problem
   */
  constructor(links: SubtreeSearch, place: SearchPlace = { solutions: 0, nodes: 0 }) {
    this.#links = links;
    this.#solutionsBefore = place.solutions;
    this.#nodesBefore = place.nodes;
    const branches = place.branches ?? [];
    this.#branches = branches.map(({ selected, untried }) => ({ selected, untried: [...untried] }));
    if (place.branches !== undefined) this.#isExhausted = !this.#openSubtree();
  }

  /** Solutions and nodes so far, with those before the place. */
  get solutions(): SolutionCount {
    return sumOf(this.#solutionsBefore, this.#links.solutions);
  }

  get nodes(): number {
    return this.#nodesBefore + this.#links.nodes;
  }

  /** Guesses and updates since the place. */
  get guesses(): number {
    return this.#guessesBefore + this.#links.guesses;
  }

  get updates(): number {
    return this.#updatesBefore + this.#links.updates;
  }

  /** The options of the latest solution, ascending. */
  solution(): Int32Array {
    const { words, at } = this.#links.memory;
    return words.slice(at.selected, at.selected + words[SELECTED_COUNT]).sort();
  }

  /** Searches until a limit is reached; limits are totals like the counts above. */
  run({ maxSolutions, maxNodes, sliceNodes, pauseAtSolution }: RunLimits): SearchStop {
    const sliceEnd = this.nodes + sliceNodes;
    while (!this.#isExhausted) {
      const stop = this.#links.run({
        maxSolutions: Number.isFinite(maxSolutions)
          ? maxSolutions - Number(this.#solutionsBefore)
          : maxSolutions,
        maxNodes: maxNodes - this.#nodesBefore,
        sliceNodes: Math.max(1, sliceEnd - this.nodes),
        pauseAtSolution,
      });
      if (stop !== SearchStop.exhausted) return stop;
      this.#isExhausted = !this.#openSubtree();
    }
    return SearchStop.exhausted;
  }

  /** The place after the latest `run`. */
  place(): SearchPlace {
    const { solutions, nodes } = this;
    if (this.#isExhausted) return { solutions, nodes, branches: [] };
    const outside = this.#branches.map(({ selected, untried }) => ({ selected, untried: [...untried] }));
    const inside = openBranches(this.#links.memory, this.#links.decides)?.map(({ selected, untried }) => ({
      selected,
      untried,
    }));
    if (this.#decision === undefined) return { solutions, nodes, branches: inside };
    // The core does not report preselected decisions.
    if (inside === undefined) outside.at(-1)!.untried.unshift(this.#decision);
    else if (inside.length > 0)
      inside[0] = { ...inside[0], selected: [this.#decision, ...inside[0].selected] };
    return { solutions, nodes, branches: [...outside, ...(inside ?? [])] };
  }

  /** Prepares the search of the next open subtree; false if there is none. */
  #openSubtree(): boolean {
    this.#solutionsBefore = this.solutions;
    this.#nodesBefore = this.nodes;
    this.#guessesBefore = this.guesses;
    this.#updatesBefore = this.updates;
    while (this.#branches.at(-1)?.untried.length === 0) this.#branches.pop();
    this.#decision = this.#branches.at(-1)?.untried.shift();
    const prefix = this.#branches.flatMap(({ selected }) => selected);
    // Without a decision there is nothing to search, and the counts are those of no search.
    this.#links.reset(this.#decision === undefined ? [] : [...prefix, this.#decision]);
    return this.#decision !== undefined;
  }
}
