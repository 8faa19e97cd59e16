/**
 * Counts solutions with multiplicities without finding each of them, as memo-search.ts does without multiplicities.
 *
 *     2|A  2|B     A   A   A   B   B   B      three ways to take two options with A; each leaves the same problem
 *
 * Options that are out are no part of a residual problem. So an item is decided completely, option by option, in or out,
 * before the next one is chosen: then each option that is out has an item that is done, and what is left depends on the state
 * of the items alone (decision-state.ts). While an item is decided that a solution contains several times, it also depends on
 * the next option: all before that are decided.
 *
 *     frame, a branch     an item, whose options are decided     sum of the counts of all ways to decide them
 *     frame, a split      components                             product of their counts
 *
 * The levels are those of decision-search.ts, so that its places serve here too, up to the first split. The options of a
 * place are decided before the first item is chosen: they are the levels of a branch without an item. What is out among them
 * is no part of the state, so each number of them that are in has a tag of its own.
 *
 * Measured (nodes, processor time; with the search that finds each solution, nodes and time):
 *
 *     reduced dissections of 4x5           1,286,759 solutions      57,000   0.10 s     2,633,000    0.6 s
 *     dominoes 8x8, at most 16 upright     8,084,365                 5,300   0.01 s    16,351,000    4.5 s
 *     dominoes 12x12, at most 36 upright   3.1 * 10^16             405,000   1.2 s
 *     motley dissections of 6x6            11,700                abandoned                264,000    0.2 s
 */
import { CountCache } from '../count-cache.ts';
import type { RunLimits } from '../dancing-links.ts';
import type { ExactCoverProblem } from '../problem.ts';
import type { SearchPlace } from '../resumable-search.ts';
import { Savings } from '../savings.ts';
import { Phase, SearchStop } from '../search.ts';
import { productOf, type SolutionCount, sumOf } from '../solution-count.ts';
import { independentItems } from './decision-components.ts';
import { DecisionState } from './decision-state.ts';
import { Decisions, decisionBytes, type Mark } from './decisions.ts';

/** Bytes of the cache, unless the caller chooses others. */
const CACHE_BYTES = 128 * 2 ** 20;

/** Components are looked for again when so many of the items are left. */
const CHECKED_PART = 1 / 4;

/** A bound for sums and products of nodes, far above any budget. */
const MAX_NODES = 1e30;

type Frame = Branch | Split;

interface Branch {
  /** The item whose options are decided; -1 for the options of a place. */
  readonly item: number;
  /** The node of the next option of that item if others are decided; else 0. */
  readonly next: number;
  /** The state at its beginning: marks, numbers of levels and decisions, next check for components. */
  readonly mark: Mark;
  readonly levels: number;
  readonly decided: number;
  readonly splitAt: number;
  count: SolutionCount;
  /** Nodes entered below it, with those that the cache saved. */
  nodes: number;
}

interface Split {
  readonly components: readonly (readonly number[])[];
  current: number;
  count: SolutionCount;
  nodes: number;
  /** The state outside of it. */
  readonly active: readonly number[];
  readonly items: readonly number[];
  readonly decided: number;
  readonly splitAt: number;
}

/** An option that is in. */
interface Level {
  readonly mark: Mark;
  readonly decided: number;
}

export class MemoDecisions {
  readonly cache: CountCache;
  nodes = 0;
  guesses = 0;
  readonly #decisions: Decisions;
  readonly #state: DecisionState;
  readonly #savings: Savings;
  readonly #frames: Frame[] = [];
  readonly #levels: Level[] = [];
  readonly #decided: number[] = [];
  #splits = 0;
  /** Options of the place that are in. */
  #tag = 0;
  #phase: number = Phase.root;
  /** Solutions before the place; after the search, all of them. */
  #count: SolutionCount = 0;
  /** The items of the problem, and those of the current component. */
  readonly #allItems: readonly number[];
  #items: readonly number[];
  /** Number of items with options left at which components are looked for. */
  #splitAt = Number.POSITIVE_INFINITY;

  /**
   * @param place where to continue; its decisions must be those of a `DecisionSearch` of the problem
   * @param mayAbandon whether `isWorthwhile` may become false
   */
  constructor(
    problem: ExactCoverProblem,
    place: SearchPlace = { solutions: 0, nodes: 0 },
    mayAbandon = true,
    cacheBytes = CACHE_BYTES,
  ) {
    const { primaryCount, secondaryCount } = problem;
    this.#decisions = new Decisions(problem);
    this.#state = new DecisionState(this.#decisions);
    this.cache = new CountCache(this.#state.words.length, cacheBytes);
    this.#savings = new Savings(mayAbandon);
    this.#allItems = Array.from({ length: primaryCount + secondaryCount }, (_, item) => item);
    this.#items = this.#allItems;
    this.nodes = place.nodes;
    this.#count = place.solutions;
    if (place.branches !== undefined) this.#phase = Phase.done;
    if (place.decisions !== undefined) this.#enterPlace(place.decisions);
  }

  /** False once the cache has saved too little; `run` then returns `slice` and searches nothing. */
  get isWorthwhile(): boolean {
    return this.#savings.isWorthwhile;
  }

  get updates(): number {
    return this.#decisions.updates;
  }

  /** Bytes of the search and its cache. */
  get bytes(): number {
    return decisionBytes(this.#decisions.problem) + this.cache.bytes;
  }

  /** Solutions found so far. Those below a split count when all its components are. */
  get solutions(): SolutionCount {
    let count = this.#count;
    for (const frame of this.#frames) {
      if ('components' in frame) break;
      count = sumOf(count, frame.count);
    }
    return count;
  }

  /** Searches until a limit is reached; limits are those of `DancingLinks.run`, without pauses at solutions. */
  run({ maxSolutions, maxNodes, sliceNodes }: RunLimits): SearchStop {
    const sliceEnd = this.nodes + sliceNodes;
    const isLimited = Number.isFinite(maxSolutions);
    for (;;) {
      const phase = this.#phase;
      if (phase === Phase.done) {
        return this.#count >= maxSolutions ? SearchStop.solutionLimit : SearchStop.exhausted;
      }
      if (phase === Phase.choose) {
        this.#choose();
        continue;
      }
      if (phase === Phase.backtrack && this.#endBranch()) continue;
      if (isLimited && this.solutions >= maxSolutions) return SearchStop.solutionLimit;
      if (this.nodes >= maxNodes) return SearchStop.nodeLimit;
      if (this.nodes >= sliceEnd || !this.#isWorthANode()) return SearchStop.slice;
      this.nodes++;
      if (phase === Phase.root) this.#enterPlace([]);
      else this.#enter(phase === Phase.enter ? this.#include() : this.#exclude());
    }
  }

  /** The place after the latest `run`, as `DecisionSearch.place` returns it. */
  place(): SearchPlace {
    const { solutions, nodes } = this;
    if (this.#phase === Phase.root) return { solutions, nodes };
    if (this.#phase === Phase.done) return { solutions, nodes, branches: [] };
    const split = this.#frames.find((frame) => 'components' in frame);
    if (split !== undefined) return { solutions, nodes, decisions: this.#decided.slice(0, split.decided) };
    if (this.#phase !== Phase.backtrack) return { solutions, nodes, decisions: [...this.#decided] };
    const level = this.#levels.at(-1);
    if (level === undefined) return { solutions, nodes, branches: [] };
    const { decided } = level;
    return { solutions, nodes, decisions: [...this.#decided.slice(0, decided), -this.#decided[decided]] };
  }

  /**
   * Discards the search, and prepares one of the solutions with these decisions, which this search makes too: of the options of
   * `item` at last, if that is not -1. The cache and the counts stay.
   */
  reset(decided: readonly number[], item: number): void {
    const decisions = this.#decisions;
    decisions.undoTo({ trail: 0, path: 0, chosen: 0 });
    decisions.linkActive(Array.from({ length: decisions.problem.primaryCount }, (_, active) => active));
    this.#frames.length = 0;
    this.#levels.length = 0;
    this.#decided.length = 0;
    this.#splits = 0;
    this.#count = 0;
    this.#items = this.#allItems;
    this.#splitAt = Number.POSITIVE_INFINITY;
    let isConsistent = decisions.settleRoot();
    for (const decision of decided) isConsistent &&= decisions.decide(Math.abs(decision) - 1, decision > 0);
    this.#openBranch(item, 0);
    this.#enterDecided(isConsistent);
  }

  /** Decides the options of a place. */
  #enterPlace(decided: readonly number[]): void {
    const decisions = this.#decisions;
    const isConsistent = decisions.settleRoot();
    this.#openBranch(-1, 0);
    this.#phase = isConsistent ? Phase.choose : Phase.backtrack;
    for (const decision of decided) {
      if (decision > 0) this.#levels.push({ mark: decisions.mark, decided: this.#decided.length });
      this.#decided.push(decision);
      this.#enterDecided(decisions.decide(Math.abs(decision) - 1, decision > 0));
    }
    this.#tag = this.#levels.length;
  }

  #enterDecided(isConsistent: boolean): void {
    this.#phase = isConsistent ? Phase.choose : Phase.backtrack;
  }

  #enter(isConsistent: boolean): void {
    this.#savings.enter();
    (this.#frames.at(-1) as Branch).nodes++;
    this.#enterDecided(isConsistent);
  }

  /** Components save the most, but only after the first is counted, so there is no check within them. */
  #isWorthANode(): boolean {
    return this.#splits > 0 || this.#savings.check();
  }

  /** Continues with the item that is being decided, else counts the residual problem, or opens a frame for it. */
  #choose(): void {
    const frame = this.#frames.at(-1)!;
    const item =
      'components' in frame || frame.item < 0 || !hasOptions(this.#decisions, frame.item) ? -1 : frame.item;
    if (item >= 0 && !this.#isRepeated(item)) {
      this.#phase = Phase.enter;
      return;
    }
    const active = item >= 0 ? [item] : openItems(this.#decisions);
    if (active.length === 0) {
      this.#return(1, 0);
      return;
    }
    const next = item >= 0 ? this.#decisions.firstNode(item) : 0;
    const slot = this.cache.slotOf(this.#readKey(next));
    if (slot >= 0) {
      const nodes = this.cache.nodesAt(slot);
      this.#savings.save(nodes);
      this.#return(this.cache.countAt(slot), nodes);
      return;
    }
    if (item >= 0) {
      this.#openBranch(item, next);
      return;
    }
    const splitAt = this.#splitAt;
    if (active.length <= splitAt) {
      const components = independentItems(this.#decisions, active);
      if (components !== undefined) {
        this.#openSplit(components);
        return;
      }
      this.#splitAt = CHECKED_PART * active.length;
    }
    this.#openBranch(firstToSpare(this.#decisions, active), 0, splitAt);
  }

  #openBranch(item: number, next: number, splitAt = this.#splitAt): void {
    const { mark } = this.#decisions;
    const levels = this.#levels.length;
    const decided = this.#decided.length;
    this.#frames.push({ item, next, mark, levels, decided, splitAt, count: 0, nodes: 0 });
    this.#phase = Phase.enter;
  }

  #openSplit(components: readonly (readonly number[])[]): void {
    this.#splits++;
    this.#frames.push({
      components,
      current: 0,
      count: 1,
      nodes: 0,
      active: activeItems(this.#decisions),
      items: this.#items,
      decided: this.#decided.length,
      splitAt: this.#splitAt,
    });
    this.#separate(components[0]);
  }

  /** Makes a component the whole residual problem. */
  #separate(component: readonly number[]): void {
    const { problem } = this.#decisions;
    const active = component.filter((item) => item < problem.primaryCount);
    this.#decisions.linkActive(active);
    this.#items = component;
    this.#splitAt = CHECKED_PART * active.length;
    this.#phase = Phase.choose;
  }

  /** Passes the count of a residual problem to the frame that it belongs to. */
  #return(count: SolutionCount, nodes: number): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) {
      this.#count = sumOf(this.#count, count);
      this.#phase = Phase.done;
    } else if ('components' in frame) {
      // Without the split, this component would be searched for each solution of those before it.
      const repeated = Math.min(Number(frame.count) * nodes, MAX_NODES);
      frame.count = productOf(frame.count, count);
      frame.nodes += repeated;
      this.#savings.save(repeated - nodes);
      this.#endComponent(frame);
    } else {
      frame.count = sumOf(frame.count, count);
      frame.nodes += nodes;
      this.#phase = Phase.backtrack;
    }
  }

  #endComponent(split: Split): void {
    split.current++;
    if (split.count !== 0 && split.current < split.components.length) {
      this.#separate(split.components[split.current]);
      return;
    }
    this.#frames.pop();
    this.#splits--;
    this.#decisions.linkActive(split.active);
    this.#items = split.items;
    this.#splitAt = split.splitAt;
    this.cache.add(this.#readKey(0), split.count, split.nodes);
    this.#return(split.count, split.nodes);
  }

  /** Ends a branch if all options of its item are decided. */
  #endBranch(): boolean {
    const branch = this.#frames.at(-1) as Branch;
    if (this.#levels.length > branch.levels) return false;
    this.#frames.pop();
    this.#decisions.undoTo(branch.mark);
    this.#decided.length = branch.decided;
    this.#splitAt = branch.splitAt;
    branch.nodes = Math.min(branch.nodes, MAX_NODES);
    if (this.#frames.length > 0) this.cache.add(this.#readKey(branch.next), branch.count, branch.nodes);
    this.#return(branch.count, branch.nodes);
    return true;
  }

  #include(): boolean {
    const option = this.#decisions.firstOption((this.#frames.at(-1) as Branch).item);
    this.guesses++;
    this.#levels.push({ mark: this.#decisions.mark, decided: this.#decided.length });
    this.#decided.push(option + 1);
    return this.#decisions.decide(option, true);
  }

  /** Takes the option of the last level out. */
  #exclude(): boolean {
    const { mark, decided } = this.#levels.pop()!;
    const option = this.#decided[decided] - 1;
    this.#decisions.undoTo(mark);
    this.#decided.length = decided;
    this.#decided.push(-(option + 1));
    if ((this.#frames.at(-1) as Branch).item < 0) this.#tag--;
    return this.#decisions.decide(option, false);
  }

  /** Whether a solution may contain an item several times. */
  #isRepeated(item: number): boolean {
    const { multiplicities } = this.#decisions.problem;
    return multiplicities !== undefined && multiplicities.most[item] > 1;
  }

  #readKey(next: number): Int32Array {
    return this.#state.read(this.#items, this.#tag, next);
  }
}

function activeItems({ right, root }: Decisions): number[] {
  const active: number[] = [];
  for (let item = right[root]; item !== root; item = right[item]) active.push(item);
  return active;
}

/** Whether an item has options left, and may have more of them. */
export function hasOptions(decisions: Decisions, item: number): boolean {
  return decisions.most[item] > 0 && decisions.size(item) > 0;
}

/** The active items that have options left. */
export function openItems(decisions: Decisions): number[] {
  return activeItems(decisions).filter((item) => hasOptions(decisions, item));
}

/** The first item with the fewest options to spare: it keeps to one part of the problem (memo-search.ts). */
export function firstToSpare(decisions: Decisions, items: readonly number[]): number {
  const { least } = decisions;
  const spareOf = (item: number) => decisions.size(item) - Math.max(0, least[item]);
  return items.reduce((best, item) => (spareOf(item) < spareOf(best) ? item : best));
}
