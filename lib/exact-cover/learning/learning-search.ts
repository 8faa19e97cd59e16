/**
 * The search for one or two solutions of a large problem: dancing links first, then learned clauses.
 *
 * Dancing links take a fifth of the time for a guess and solve most problems in their first thousand nodes. A search that they do not
 * end by then is begun anew with clauses, which never fail twice for the same reason. A solution that the links have found is
 * excluded there. In this part, a node is a guess, and an update a decision.
 *
 * A search for more solutions, and a problem with colours, has only the first part.
 */
import { FEW_SOLUTIONS, type Search, SearchStop } from '../search.ts';
import {
  GUESSES,
  NODES,
  PRESELECTED_COUNT,
  SELECTED_COUNT,
  type SearchMemory,
  SOLUTIONS,
} from '../search-memory.ts';
import { ClauseSearch, Step } from './clause-search.ts';
import { type RemainingOptions, remainingOptions } from './remaining-options.ts';

/** Nodes of dancing links before clauses are learnt. */
const FIRST_NODES = 3000;

export class LearningSearch implements Search {
  readonly memory: SearchMemory;
  readonly #links: Search;
  #few = false;
  #options: RemainingOptions | undefined;
  #clauses: ClauseSearch | undefined;

  /** @param links the first part */
  constructor(links: Search) {
    this.#links = links;
    this.memory = links.memory;
  }

  begin(few: boolean): void {
    this.#few = few && this.memory.problem.colours === undefined;
    this.#options = undefined;
    this.#clauses = undefined;
    this.#links.begin(few);
  }

  run(maxSolutions: number, maxNodes: number, sliceNodes: number, pauseAtSolution: boolean): SearchStop {
    const { counts } = this.memory;
    const sliceEnd = counts[NODES] + sliceNodes;
    if (this.#clauses === undefined) {
      const mayLearn = this.#few && maxSolutions <= FEW_SOLUTIONS && counts[SOLUTIONS] < FEW_SOLUTIONS;
      const first = mayLearn ? Math.min(maxNodes, FIRST_NODES) : maxNodes;
      const stop = this.#links.run(maxSolutions, first, sliceNodes, pauseAtSolution);
      if (stop !== SearchStop.nodeLimit || first === maxNodes) return stop;
      this.#beginClauses();
    }
    return this.#learn(maxSolutions, maxNodes, sliceEnd, pauseAtSolution);
  }

  rewind(): void {
    this.#links.rewind();
  }

  #beginClauses(): void {
    const { words, at, counts } = this.memory;
    this.#links.rewind();
    const options = remainingOptions(this.memory, words[PRESELECTED_COUNT]);
    const clauses = new ClauseSearch(options);
    if (counts[SOLUTIONS] > 0) {
      const found = new Set(words.subarray(at.selected, at.selected + words[SELECTED_COUNT]));
      clauses.exclude([...options.numbers.keys()].filter((k) => found.has(options.numbers[k])));
    }
    this.#options = options;
    this.#clauses = clauses;
  }

  #learn(maxSolutions: number, maxNodes: number, sliceEnd: number, pauseAtSolution: boolean): SearchStop {
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
    const { numbers } = this.#options!;
    const clauses = this.#clauses!;
    let count = words[PRESELECTED_COUNT];
    words.copyWithin(at.selected, at.preselected, at.preselected + count);
    const selected: number[] = [];
    for (let k = 0; k < numbers.length; k++) if (clauses.isSelected(k)) selected.push(k);
    for (const k of selected) words[at.selected + count++] = numbers[k];
    words[SELECTED_COUNT] = count;
    clauses.exclude(selected);
  }
}
