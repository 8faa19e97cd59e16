/**
 * The search for one or two solutions of a large problem: dancing links first, then learned clauses.
 *
 * Most problems are solved by the links in a few thousand nodes. A search that does not end by then begins anew with clauses,
 * which never fail twice for the same reason (clause-search.ts); a solution that the links have found is excluded there.
 * From then on a node is a guess, which takes two to six times as long, and an update is not counted.
 *
 * A search for more solutions, and a problem that is small or has secondary items, has only the first part.
 */
import { createFastestSearch } from '../fastest-search.ts';
import type { ExactCoverProblem } from '../problem.ts';
import { FEW_SOLUTIONS, Phase, type RunLimits, type Search, SearchStop } from '../search.ts';
import {
  GUESSES,
  NODES,
  PHASE,
  PRESELECTED_COUNT,
  SELECTED_COUNT,
  type SearchMemory,
  SOLUTIONS,
} from '../search-memory.ts';
import { ClauseSearch, Step } from './clause-search.ts';
import { remainingOptions } from './remaining-options.ts';

/**
 * Nodes of dancing links before clauses are learnt. Seconds of processor time for 100 puzzles 25x25, 36x36, and Latin squares of
 * order 30 (test/bench/large.ts), in total: 2.8, 6.4, 1.1 with 1,000 nodes; 2.6, 6.3, 0.7 with 3,000; 2.6, 6.2, 0.7 with 6,000;
 * 3.0, 7.9, 0.5 with 15,000; 3.3, over 25, 0.4 without clauses.
 */
const FIRST_NODES = 6000;
/** A 16x16 sudoku has so many. Smaller ones need no clauses, and keep their node counts and first solutions. */
const MIN_OPTIONS = 4096;

/** Creates the search: the fastest links, and clauses if they do not end soon. */
export function createLearningSearch(problem: ExactCoverProblem): Search {
  return new LearningSearch(createFastestSearch(problem));
}

export class LearningSearch implements Search {
  readonly memory: SearchMemory;
  readonly #links: Search;
  readonly #firstNodes: number;
  #few = false;
  #clauses: ClauseSearch | undefined;

  /**
   * @param links the first part
   * @param firstNodes its nodes
   * @param minOptions options of the smallest problem that has a second part
   */
  constructor(links: Search, firstNodes = FIRST_NODES, minOptions = MIN_OPTIONS) {
    const { problem } = links.memory;
    this.#links = links;
    this.memory = links.memory;
    const isLarge = problem.optionCount >= minOptions && problem.secondaryCount === 0;
    this.#firstNodes = isLarge ? firstNodes : Number.POSITIVE_INFINITY;
  }

  get clauseBytes(): number {
    return this.#clauses?.bytes ?? 0;
  }

  begin(few: boolean): void {
    this.#few = few;
    this.#clauses = undefined;
    this.#links.begin(few);
  }

  run(limits: RunLimits): SearchStop {
    const { maxSolutions, maxNodes, sliceNodes } = limits;
    const { counts } = this.memory;
    const sliceEnd = counts[NODES] + sliceNodes;
    if (this.#clauses === undefined) {
      const mayLearn = this.#few && maxSolutions <= FEW_SOLUTIONS && counts[SOLUTIONS] < FEW_SOLUTIONS;
      const first = mayLearn ? Math.min(maxNodes, this.#firstNodes) : maxNodes;
      const stop = this.#links.run({ ...limits, maxNodes: first });
      if (stop !== SearchStop.nodeLimit || first === maxNodes) return stop;
      this.#beginClauses();
    }
    return this.#learn(limits, sliceEnd);
  }

  #beginClauses(): void {
    const { words, at, counts } = this.memory;
    this.#clauses = new ClauseSearch(remainingOptions(this.memory));
    if (counts[SOLUTIONS] > 0)
      this.#clauses.exclude(words.slice(at.selected, at.selected + words[SELECTED_COUNT]));
    words[PHASE] = Phase.learning;
  }

  #learn({ maxSolutions, maxNodes, pauseAtSolution }: RunLimits, sliceEnd: number): SearchStop {
    const { counts } = this.memory;
    const clauses = this.#clauses!;
    if (counts[SOLUTIONS] >= maxSolutions) return SearchStop.solutionLimit;
    for (;;) {
      switch (clauses.next()) {
        case Step.guess:
          if (counts[NODES] >= maxNodes) return SearchStop.nodeLimit;
          if (counts[NODES] >= sliceEnd) return SearchStop.slice;
          counts[NODES]++;
          counts[GUESSES]++;
          clauses.guess();
          break;
        case Step.solution:
          counts[SOLUTIONS]++;
          this.#keepSolution();
          if (counts[SOLUTIONS] >= maxSolutions) return SearchStop.solutionLimit;
          if (pauseAtSolution) return SearchStop.solution;
          break;
        default:
          return SearchStop.exhausted;
      }
    }
  }

  /** Writes the solution to `selected`, and excludes it. */
  #keepSolution(): void {
    const { words, at } = this.memory;
    const count = words[PRESELECTED_COUNT];
    const selected = this.#clauses!.selectedOptions();
    words.copyWithin(at.selected, at.preselected, at.preselected + count);
    words.set(selected, at.selected + count);
    words[SELECTED_COUNT] = count + selected.length;
    this.#clauses!.exclude(selected);
  }
}
