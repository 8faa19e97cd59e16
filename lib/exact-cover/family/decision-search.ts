/**
 * Searches with multiplicities: depth first, option by option.
 *
 *     root -> choose -> in ----> choose ...     an option is in, and every option that this forces
 *               ^        |
 *               |        v
 *               +------ out -> the option of the level above
 *
 * A level is an option that is in; when everything with it is found, it is out, and the level is gone. Each node of the
 * tree is thus a decision, and a set of options is found once. There are no weights and no restarts: a place in the search
 * is the list of its decisions, and a search that continues there is the same as one that was not interrupted.
 */
import type { RunLimits } from '../dancing-links.ts';
import type { ExactCoverProblem } from '../problem.ts';
import type { SearchPlace } from '../resumable-search.ts';
import { Phase, SearchStop } from '../search.ts';
import { Decisions, decisionBytes, type Mark } from './decisions.ts';
import { fewestToSpare } from './item-choice.ts';

/** The choice of a subtree that need not be searched. */
export const USELESS = -2;

/** A search for some of the solutions. */
export interface Guide {
  /** The item to branch on, by the decisions alone; -1 if no option is left, or `USELESS`. */
  chooseItem(decisions: Decisions): number;
  /** Whether the subtree in which an option of that item is in need not be searched; much faster than taking it in. */
  isUselessWith(decisions: Decisions, option: number): boolean;
}

const NO_GUIDE: Guide = { chooseItem: fewestToSpare, isUselessWith: () => false };

export class DecisionSearch {
  readonly decisions: Decisions;
  solutions = 0;
  /** The options of the latest solution: the first `selectedCount`. */
  readonly selected: Int32Array;
  selectedCount = 0;
  nodes = 0;
  /** Options tried while another one was left. */
  guesses = 0;
  readonly #guide: Guide;
  /** Decisions before the root, and updates before the latest `reset`. */
  #preselected: ArrayLike<number> = [];
  #updatesBefore = 0;
  #phase: number = Phase.root;
  /** From the root: the marks before options that are in, and the numbers of decisions before them. */
  readonly #levels: { readonly mark: Mark; readonly decided: number }[] = [];
  readonly #decided: number[] = [];

  constructor(problem: ExactCoverProblem, guide = NO_GUIDE) {
    this.decisions = new Decisions(problem);
    this.selected = new Int32Array(problem.optionCount);
    this.#guide = guide;
  }

  get updates(): number {
    return this.decisions.updates - this.#updatesBefore;
  }

  get nodeCount(): number {
    return this.decisions.nodeCount;
  }

  get bytes(): number {
    return decisionBytes(this.decisions.problem);
  }

  /** Searches until a limit is reached; limits and results are those of `DancingLinks.run`. */
  run({ maxSolutions, maxNodes, sliceNodes, pauseAtSolution }: RunLimits): SearchStop {
    const sliceEnd = this.nodes + sliceNodes;
    if (this.solutions >= maxSolutions) return SearchStop.solutionLimit;
    for (;;) {
      switch (this.#phase) {
        case Phase.choose: {
          const item = this.#guide.chooseItem(this.decisions);
          if (item === USELESS) {
            this.#phase = Phase.backtrack;
            break;
          }
          if (item >= 0) {
            if (this.nodes >= maxNodes) return SearchStop.nodeLimit;
            if (this.nodes >= sliceEnd) return SearchStop.slice;
            this.nodes++;
            this.guesses++;
            const option = this.decisions.firstOption(item);
            const isConsistent = this.#guide.isUselessWith(this.decisions, option)
              ? this.#excludeAtOnce(option)
              : this.#include(option);
            this.#phase = isConsistent ? Phase.choose : Phase.backtrack;
            break;
          }
          this.solutions++;
          this.#copySelected();
          this.#phase = Phase.backtrack;
          if (this.solutions >= maxSolutions) return SearchStop.solutionLimit;
          if (pauseAtSolution) return SearchStop.solution;
          break;
        }
        case Phase.backtrack:
          if (this.#levels.length === 0) {
            this.#phase = Phase.done;
            break;
          }
          if (this.nodes >= maxNodes) return SearchStop.nodeLimit;
          if (this.nodes >= sliceEnd) return SearchStop.slice;
          this.nodes++;
          if (this.#exclude()) this.#phase = Phase.choose;
          break;
        case Phase.root:
          if (this.nodes >= maxNodes) return SearchStop.nodeLimit;
          this.nodes++;
          this.#phase = this.#enterRoot() ? Phase.choose : Phase.done;
          break;
        default:
          return SearchStop.exhausted;
      }
    }
  }

  /** Ends the search, and visits the root of each subtree that is not searched yet. */
  abandon(visit: (decisions: Decisions) => void): void {
    const isOpen = this.#phase === Phase.root ? this.decisions.settleRoot() : this.#phase === Phase.choose;
    if (isOpen) visit(this.decisions);
    while (this.#levels.length > 0) {
      if (this.#exclude()) visit(this.decisions);
    }
    this.#phase = Phase.done;
  }

  /**
   * Discards the search, and prepares that of a subtree.
   *
   * @param preselected decisions, each of an option that those before it leave open: 1 + the option, negative if it is out
   */
  reset(preselected: ArrayLike<number> = []): void {
    this.restart();
    this.#preselected = preselected;
    this.#updatesBefore = this.decisions.updates;
    this.solutions = 0;
    this.selectedCount = 0;
    this.nodes = 0;
    this.guesses = 0;
  }

  /** The decisions after the latest `run`, which of them are levels, and whether more may follow. */
  get openDecisions(): { readonly decided: number[]; readonly levels: number[]; readonly isOpen: boolean } {
    const levels = this.#levels.map(({ decided }) => decided);
    return { decided: [...this.#decided], levels, isOpen: this.#phase === Phase.choose };
  }

  /** Discards the search, and prepares it again; the counts stay. */
  restart(): void {
    const { decisions } = this;
    decisions.undoTo({ trail: 0, path: 0, chosen: 0 });
    this.#levels.length = 0;
    this.#decided.length = 0;
    this.#phase = Phase.root;
  }

  /** The options of the latest solution, ascending. */
  solution(): Int32Array {
    return this.selected.slice(0, this.selectedCount).sort();
  }

  /**
   * The place after the latest `run`. What is left to search is what its decisions allow, and, for each option that is in,
   * what the decisions before it allow with this option out.
   */
  place(): SearchPlace {
    const { solutions, nodes } = this;
    if (this.#phase === Phase.root) return { solutions, nodes };
    if (this.#phase === Phase.choose) return { solutions, nodes, decisions: [...this.#decided] };
    const level = this.#levels.at(-1);
    if (this.#phase === Phase.done || level === undefined) return { solutions, nodes, branches: [] };
    const decisions = [...this.#decided.slice(0, level.decided), -this.#decided[level.decided]];
    return { solutions, nodes, decisions };
  }

  /** Continues at a place; only before the first `run`. @returns false if it is no place in this search */
  resumeAt({ solutions, nodes, branches, decisions: decided, cost }: SearchPlace): boolean {
    if (cost !== undefined || (branches !== undefined && branches.length > 0)) return false;
    this.solutions = solutions as number;
    this.nodes = nodes;
    if (branches !== undefined) this.#phase = Phase.done;
    if (decided === undefined) return true;
    const { decisions } = this;
    let isConsistent = decisions.settleRoot();
    for (const decision of decided) {
      const option = Math.abs(decision) - 1;
      if (!isConsistent || !decisions.isOpen(option)) return false;
      if (decision > 0) isConsistent = this.#include(option);
      else {
        this.#decided.push(decision);
        isConsistent = decisions.decide(option, false);
      }
    }
    this.#phase = isConsistent ? Phase.choose : Phase.backtrack;
    return true;
  }

  #enterRoot(): boolean {
    const { decisions } = this;
    let isConsistent = decisions.settleRoot();
    for (let k = 0; isConsistent && k < this.#preselected.length; k++) {
      const decision = this.#preselected[k];
      isConsistent = decisions.decide(Math.abs(decision) - 1, decision > 0);
    }
    return isConsistent;
  }

  #copySelected(): void {
    const { chosen, chosenCount } = this.decisions;
    for (let k = 0; k < chosenCount; k++) this.selected[k] = chosen[k];
    this.selectedCount = chosenCount;
  }

  #include(option: number): boolean {
    this.#levels.push({ mark: this.decisions.mark, decided: this.#decided.length });
    this.#decided.push(option + 1);
    return this.decisions.decide(option, true);
  }

  #excludeAtOnce(option: number): boolean {
    this.#decided.push(-(option + 1));
    return this.decisions.decide(option, false);
  }

  /** Takes the option of the last level out. */
  #exclude(): boolean {
    const { mark, decided } = this.#levels.pop()!;
    const option = this.#decided[decided] - 1;
    this.decisions.undoTo(mark);
    this.#decided.length = decided;
    return this.#excludeAtOnce(option);
  }
}
