/**
 * A search that can be stored at any place, and continued later, elsewhere, by another version of the program.
 *
 * A continued search finds the same solutions as an uninterrupted one, each once. Their order and the number of nodes may
 * differ: each open subtree (open-branches.ts) is searched on its own, without the weights that the items had.
 *
 * The search of a subtree is dancing links, or memoised counting (memo-search.ts), which finds no solution but their
 * number.
 */
import { type OpenBranch, openBranches } from './open-branches.ts';
import { type RunLimits, type SearchCounts, SearchStop } from './search.ts';
import type { SearchMemory } from './search-memory.ts';
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
interface SubtreeSearch extends SearchCounts<SolutionCount> {
  readonly selected: Int32Array;
  readonly memory: SearchMemory;
  reset(decisions: readonly number[]): void;
  /** Whether one option is decided at a level, as for `openBranches`. */
  readonly decides?: (level: number) => boolean;
  run(limits: RunLimits): SearchStop;
  release?(): void;
}

export class ResumableSearch<Links extends SubtreeSearch = SubtreeSearch>
  implements SearchCounts<SolutionCount>
{
  readonly links: Links;
  /** Open branches outside of the current subtree. */
  readonly #branches: { readonly selected: readonly number[]; readonly untried: number[] }[];
  /** The decision of the last branch whose subtree is being searched; undefined if it is the whole tree. */
  #decision: number | undefined;
  /** Totals of the subtrees before the current one: solutions and nodes with those before the place. */
  #before: SearchCounts<SolutionCount>;
  #isExhausted = false;

  /**
   * @param links searches each subtree
   * @param place where to continue; its decisions must be about options of the problem
   */
  constructor(links: Links, { solutions, nodes, branches }: SearchPlace = { solutions: 0, nodes: 0 }) {
    this.links = links;
    this.#before = { solutions, nodes, guesses: 0, updates: 0 };
    this.#branches = copied(branches ?? []);
    if (branches !== undefined) this.#isExhausted = !this.#openSubtree();
  }

  get solutions(): SolutionCount {
    return sumOf(this.#before.solutions, this.links.solutions);
  }

  get nodes(): number {
    return this.#before.nodes + this.links.nodes;
  }

  get guesses(): number {
    return this.#before.guesses + this.links.guesses;
  }

  get updates(): number {
    return this.#before.updates + this.links.updates;
  }

  /** The options of the latest solution, as those of `links`. */
  get selected(): Int32Array {
    return this.links.selected;
  }

  /** Searches until a limit is reached; limits are totals like the counts above. */
  run(limits: RunLimits): SearchStop {
    const { maxSolutions, maxNodes } = limits;
    const sliceEnd = this.nodes + limits.sliceNodes;
    while (!this.#isExhausted) {
      const { solutions, nodes } = this.#before;
      const stop = this.links.run({
        ...limits,
        maxSolutions: Number.isFinite(maxSolutions) ? maxSolutions - Number(solutions) : maxSolutions,
        maxNodes: maxNodes - nodes,
        sliceNodes: Math.max(1, sliceEnd - this.nodes),
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
    const outside = copied(this.#branches);
    const open = openBranches(this.links.memory, this.links.decides);
    const inside = open && copied(open);
    if (this.#decision === undefined) return { solutions, nodes, branches: inside };
    // The core does not report preselected decisions.
    if (inside === undefined) outside.at(-1)!.untried.unshift(this.#decision);
    else if (inside.length > 0)
      inside[0] = { ...inside[0], selected: [this.#decision, ...inside[0].selected] };
    return { solutions, nodes, branches: [...outside, ...(inside ?? [])] };
  }

  /** Lets the next search have the memory; nothing of this one is read any more. */
  release(): void {
    this.links.release?.();
  }

  /** Prepares the search of the next open subtree; false if there is none. */
  #openSubtree(): boolean {
    const { solutions, nodes, guesses, updates } = this;
    this.#before = { solutions, nodes, guesses, updates };
    while (this.#branches.at(-1)?.untried.length === 0) this.#branches.pop();
    this.#decision = this.#branches.at(-1)?.untried.shift();
    const prefix = this.#branches.flatMap(({ selected }) => selected);
    // Without a decision there is nothing to search, and the counts are those of no search.
    this.links.reset(this.#decision === undefined ? [] : [...prefix, this.#decision]);
    return this.#decision !== undefined;
  }
}

function copied(branches: readonly OpenBranch[]) {
  return branches.map(({ selected, untried }) => ({ selected, untried: [...untried] }));
}
