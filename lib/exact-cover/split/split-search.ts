/**
 * A search for solutions that is split into subproblems (frontier.ts) if it takes long, and its tree can be searched whole.
 *
 *     dancing links, some work  ->  frontier  ->  subproblem 0, 1, 2, ...     here one after the other, or elsewhere
 *                                                                            in any order (SubproblemAnswers)
 *
 * Answers are joined in the order of the frontier: solutions, counts and budgets do not depend on where each was
 * searched. So a budget of nodes is spent in this order too. A subproblem that exceeds what is left of it, or of the solutions wanted, is
 * searched here up to this limit.
 */
import type { DancingLinks } from '../dancing-links.ts';
import { type OpenBranch, openBranches } from '../open-branches.ts';
import { openLinks } from '../open-links.ts';
import type { ExactCoverProblem } from '../problem.ts';
import {
  FEW_SOLUTIONS,
  MAX_BRANCHES,
  Phase,
  type RunLimits,
  type Search,
  type SearchCounts,
  SearchStop,
} from '../search.ts';
import { PHASE, PRESELECTED_COUNT } from '../search-memory.ts';
import type { estimateTree } from '../tree-estimate.ts';
import { workOf } from '../work.ts';
import { type Frontier, foundBytes, frontierBytes, MAX_FRONTIER_BYTES, splitSearch } from './frontier.ts';

/** When a search is split, and into how many subproblems. Other numbers than `SPLIT_RULE` are for tests. */
export interface SplitRule {
  /** The search is split after this work (`workOf`), */
  readonly work: number;
  /** at a multiple of this number of nodes, so that slices change nothing. */
  readonly nodes: number;
  /** A search that learns clauses is split after this number of nodes, if it has no solution: it begins anew. */
  readonly learningNodes: number;
  /** Work of a subproblem that is wanted, if the estimate of the tree is right. */
  readonly subproblemWork: number;
  /** Subproblems that are wanted, at least and at most. */
  readonly least: number;
  readonly most: number;
}

/** After about 0.2 s, into subproblems of 20 ms. */
export const SPLIT_RULE: SplitRule = {
  work: 48_000_000,
  nodes: 10_000,
  learningNodes: 100_000,
  subproblemWork: 5_000_000,
  least: 128,
  most: 4096,
};

/** The part of the work so far that the estimate of the tree may take. */
const ESTIMATE_PART = 1 / 100;

/** A solution of a subproblem, with the counts of its search at this point. */
export interface FoundSolution extends Omit<SearchCounts, 'solutions'> {
  /** Option numbers, in any order. */
  readonly options: Int32Array;
}

/** Answers to subproblems that are searched elsewhere. */
export interface SubproblemAnswers {
  /**
   * Takes what is known of a subproblem; the earlier ones are not requested again.
   *
   * @returns its next solution, its counts after the last solution, or undefined if neither is known yet
   */
  take(index: number): FoundSolution | SearchCounts | undefined;
  /** Subproblems that were searched to their ends, in any order. */
  readonly done: number;
  /** Most bytes that their searches have taken in this process, with their answers that are not taken. @default 0 */
  readonly bytes?: number;
}

/** Has subproblems of a problem searched elsewhere. @param frontier at least one subproblem */
export type OpenAnswers = (frontier: Frontier, problem: ExactCoverProblem) => SubproblemAnswers;

interface SplitOptions {
  /** Decides on the number of subproblems. @default they are few */
  readonly estimate?: typeof estimateTree;
  /** Creates a search that learns clauses (learning/learning-search.ts). @default dancing links alone */
  readonly createSearch?: (problem: ExactCoverProblem) => Search;
  readonly rule?: SplitRule;
}

const NO_COUNTS: SearchCounts = { solutions: 0, nodes: 0, guesses: 0, updates: 0 };

export class SplitSearch {
  readonly #problem: ExactCoverProblem;
  readonly #wanted: number;
  readonly #estimate: SplitOptions['estimate'];
  readonly #createSearch: SplitOptions['createSearch'];
  readonly #rule: SplitRule;
  #links: DancingLinks;
  #checkAt = 0;
  /** Most bytes of the links, with learned clauses, which each subproblem learns anew. */
  #linkBytes = 0;
  /**
   * Whether the tree can be searched whole, as in plain-search.ts. If not, solutions are found by restarts and weights, not
   * by searching the first subproblem to its end: of a 25x25, one million nodes find 2,130 solutions, and 8 if it is split.
   */
  #isFeasible = true;
  #frontier: Frontier | undefined;
  #answers: SubproblemAnswers | undefined;
  /** The subproblem whose answer is next. */
  #index = 0;
  /** Whether it is taken from elsewhere; else it is searched here, maybe again after a part of its answer was taken. */
  #isElsewhere = false;
  /** Counts of all that is before it, and those that were taken from elsewhere. */
  #before = NO_COUNTS;
  #taken = NO_COUNTS;
  /** The latest solution that was found elsewhere. */
  #found: Int32Array | undefined;
  /** Has the subproblems searched elsewhere; undefined if they are searched here. To be set before the search is split. */
  openAnswers: OpenAnswers | undefined;
  /** Whether the latest `run` returned because an answer is not known yet. */
  isWaiting = false;

  /** @param wanted how many solutions may be requested */
  constructor(
    problem: ExactCoverProblem,
    wanted: number = FEW_SOLUTIONS,
    { estimate, createSearch, rule = SPLIT_RULE }: SplitOptions = {},
  ) {
    this.#problem = problem;
    this.#wanted = wanted;
    this.#estimate = estimate;
    this.#createSearch = createSearch;
    this.#rule = rule;
    this.#links = openLinks(problem, wanted, createSearch);
    this.#clear();
  }

  /** Discards the search and prepares another one, as `DancingLinks.reset`. */
  reset(options: ArrayLike<number>): void {
    if (this.#createSearch !== undefined && this.#frontier?.learns === false) {
      this.#links = openLinks(this.#problem, this.#wanted, this.#createSearch);
    }
    this.#links.reset(options);
    this.#clear();
  }

  #clear(): void {
    this.#checkAt = this.#rule.nodes;
    this.#linkBytes = 0;
    this.#isFeasible = true;
    this.#frontier = undefined;
    this.#answers = undefined;
    this.#isElsewhere = false;
    this.#before = NO_COUNTS;
    this.#taken = NO_COUNTS;
    this.#found = undefined;
    this.isWaiting = false;
  }

  /** Most bytes of the links and the frontier since `reset`. */
  get bytes(): number {
    const frontier = this.#frontier;
    return (
      Math.max(this.#linkBytes, this.#links.bytes) + (frontier === undefined ? 0 : frontierBytes(frontier))
    );
  }

  get solutions(): number {
    return this.#before.solutions + Math.max(this.#counts.solutions, this.#taken.solutions);
  }

  get nodes(): number {
    return this.#before.nodes + this.#counts.nodes;
  }

  get guesses(): number {
    return this.#before.guesses + this.#counts.guesses;
  }

  get updates(): number {
    return this.#before.updates + this.#counts.updates;
  }

  /** The options of the latest solution, in any order; valid until the next `run`. */
  get selected(): Int32Array {
    return this.#found ?? this.#links.selected;
  }

  /** Subproblems that are done, and all of them; undefined before the search is split. */
  get subproblems(): { readonly done: number; readonly all: number } | undefined {
    const frontier = this.#frontier;
    return frontier && { done: this.#answers?.done ?? this.#index, all: frontier.subproblems.length };
  }

  release(): void {
    this.#links.release();
  }

  /** Searches until a limit is reached; as `DancingLinks.run`, but limits of nodes are for the whole search. */
  run(limits: RunLimits): SearchStop {
    this.isWaiting = false;
    const sliceEnd = this.nodes + limits.sliceNodes;
    while (this.#frontier === undefined) {
      const stop = this.#runWhole(limits, sliceEnd);
      if (stop !== SearchStop.slice || this.nodes >= sliceEnd) return stop;
    }
    if (this.solutions >= limits.maxSolutions) return SearchStop.solutionLimit;
    let stop: SearchStop = SearchStop.exhausted;
    while (stop === SearchStop.exhausted && this.#index < this.#frontier.subproblems.length) {
      stop = this.#isElsewhere ? this.#takeAnswer(limits) : this.#runHere(limits, sliceEnd);
    }
    return stop;
  }

  /** The counts of the search that is in progress here, or of what is known of the one elsewhere. */
  get #counts(): SearchCounts {
    return this.#isElsewhere ? this.#taken : this.#links;
  }

  /** Searches the whole tree up to the end of the slice, or the next check. */
  #runWhole(limits: RunLimits, sliceEnd: number): SearchStop {
    const links = this.#links;
    const sliceNodes = Math.min(sliceEnd, this.#checkAt) - links.nodes;
    const stop = links.run({ ...limits, sliceNodes });
    this.#linkBytes = Math.max(this.#linkBytes, links.bytes);
    if (stop === SearchStop.slice && links.nodes === this.#checkAt) {
      this.#checkAt += this.#rule.nodes;
      if (this.#mustSplit) this.#split(limits);
    }
    return stop;
  }

  get #mustSplit(): boolean {
    const { memory, nodes, updates, solutions } = this.#links;
    const { words } = memory;
    if (words[PHASE] === Phase.learning) return solutions === 0 && nodes >= this.#rule.learningNodes;
    const levels = openBranches(memory) ?? [];
    this.#isFeasible &&= this.#problem.multiplicities !== undefined || branchesOf(levels) <= MAX_BRANCHES;
    const isLong = workOf(nodes, updates) >= this.#rule.work;
    return this.#isFeasible && isLong && foundBytes(levels, words[PRESELECTED_COUNT]) <= MAX_FRONTIER_BYTES;
  }

  #split({ maxSolutions, maxNodes }: RunLimits): void {
    const links = this.#links;
    const { solutions, nodes, guesses, updates } = links;
    const tree = this.#estimate?.(this.#problem, workOf(nodes, updates) * ESTIMATE_PART);
    const { subproblemWork, least, most } = this.#rule;
    const wanted = tree === undefined ? least : Math.ceil(workOf(tree.nodes, tree.updates) / subproblemWork);
    const size = Math.min(Math.max(wanted, least), most);
    this.#found = links.selected.slice();
    const learns = this.#createSearch !== undefined && maxSolutions <= FEW_SOLUTIONS;
    const { subproblems, expanded } = splitSearch(links, size, maxNodes - nodes);
    const frontier = { subproblems, few: links.few, learns };
    // The last subproblems may be searched for one or two more solutions, but as the others.
    if (this.#createSearch !== undefined && !learns) this.#links = openLinks(this.#problem, this.#wanted);
    this.#before = add({ solutions, nodes, guesses, updates }, expanded);
    this.#frontier = frontier;
    this.#index = -1;
    if (subproblems.length > 0) this.#answers = this.openAnswers?.(frontier, this.#problem);
    this.#next();
  }

  /** Goes to the next subproblem. */
  #next(): void {
    this.#taken = NO_COUNTS;
    this.#isElsewhere = true;
    const next = this.#frontier!.subproblems[++this.#index];
    if (next === undefined) return;
    if (next.isGuess) this.#before = add(this.#before, { ...NO_COUNTS, guesses: 1 });
    if (this.#answers === undefined) this.#searchHere();
  }

  #searchHere(): void {
    this.#isElsewhere = false;
    this.#links.reset(this.#frontier!.subproblems[this.#index].selected);
  }

  #runHere(limits: RunLimits, sliceEnd: number): SearchStop {
    const links = this.#links;
    const found = links.solutions;
    const wanted = limits.maxSolutions - this.#before.solutions;
    // Solutions that were taken are not found again for the caller.
    const isTaken = found < this.#taken.solutions;
    const stop = links.run({
      maxSolutions: isTaken ? Math.min(wanted, this.#taken.solutions) : wanted,
      maxNodes: limits.maxNodes - this.#before.nodes,
      sliceNodes: Math.max(1, sliceEnd - this.nodes),
      pauseAtSolution: limits.pauseAtSolution && !isTaken,
    });
    this.#linkBytes = Math.max(this.#linkBytes, links.bytes);
    if (isTaken && stop === SearchStop.solutionLimit && links.solutions < wanted) return SearchStop.slice;
    if (links.solutions > found) this.#found = undefined;
    if (stop !== SearchStop.exhausted) return stop;
    if (links.solutions > 0) this.#found ??= links.selected.slice();
    this.#before = add(this.#before, links);
    this.#next();
    return stop;
  }

  /** Takes the next part of an answer. @returns `exhausted` if the answer is complete, or nothing was taken of it */
  #takeAnswer({ maxSolutions, maxNodes, pauseAtSolution }: RunLimits): SearchStop {
    const answer = this.#answers!.take(this.#index);
    if (answer === undefined) {
      this.isWaiting = true;
      return SearchStop.slice;
    }
    const isSolution = 'options' in answer;
    const solutions = isSolution ? this.#taken.solutions : answer.solutions;
    if (this.#before.nodes + answer.nodes > maxNodes || this.#before.solutions + solutions >= maxSolutions) {
      this.#searchHere();
      return SearchStop.exhausted;
    }
    if (!isSolution) {
      this.#before = add(this.#before, answer);
      this.#next();
      return SearchStop.exhausted;
    }
    const { options, nodes, guesses, updates } = answer;
    this.#found = options;
    this.#taken = { solutions: solutions + 1, nodes, guesses, updates };
    if (this.solutions >= maxSolutions) return SearchStop.solutionLimit;
    return pauseAtSolution ? SearchStop.solution : SearchStop.exhausted;
  }
}

/** The number of branches of the tree if it were as wide as at its open branches. */
function branchesOf(levels: readonly OpenBranch[]): number {
  return levels.reduce((branches, { untried }) => branches * (untried.length + 1), 1);
}

function add(a: SearchCounts, b: SearchCounts): SearchCounts {
  return {
    solutions: a.solutions + b.solutions,
    nodes: a.nodes + b.nodes,
    guesses: a.guesses + b.guesses,
    updates: a.updates + b.updates,
  };
}
