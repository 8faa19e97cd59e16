/**
 * Exact cover with the caller's own names: `import { exactCover } from 'dlx-batch/exact-cover'`.
 *
 * @module dlx-batch/exact-cover
 */
import { CoverCheck, wrongSolution } from '../batch/solving/cover-check.ts';
import { drive, type Step } from '../batch/solving/drive.ts';
import { CheapestSearch } from '../exact-cover/costs/cheapest-search.ts';
import { CountingSearch } from '../exact-cover/counting-search.ts';
import { openStoredSearch, type StoredSearch } from '../exact-cover/open-search.ts';
import type { ExactCoverProblem } from '../exact-cover/problem.ts';
import { SearchStop } from '../exact-cover/search.ts';
import type { SolutionCount } from '../exact-cover/solution-count.ts';
import type { Stop } from '../sudoku/engine.ts';
import { clock } from './clock.ts';
import { LimitError, spentTree } from './cover-limit-error.ts';
import { badPosition, type CoverPosition, placeOf, positionOf } from './cover-position.ts';
import {
  type CoverOption,
  type CoverProblem,
  type NumberedProblem,
  numberedProblem,
} from './cover-problem.ts';
import { DlxBatchError } from './errors.ts';
import { abortSignal, milliseconds, type OptionReader, readOptions, whole } from './read-options.ts';
import { atOnce, inTurns, TURN_MS, turns } from './turn.ts';

export { LimitError, type TreeSize } from './cover-limit-error.ts';
export type { CoverPosition } from './cover-position.ts';
export type {
  ColouredItem,
  CoverOption,
  CoverProblem,
  ItemName,
  OptionItems,
  RepeatedItem,
} from './cover-problem.ts';
export { DlxBatchError, ERROR_CODES, type ErrorCode } from './errors.ts';
export {
  type AbortableSampleOptions,
  type SampleOptions,
  sampleSolutions,
  sampleSolutionsAsync,
} from './sample-solutions.ts';

/**
 * Where a search begins, and its budgets.
 *
 * @example
 * ```ts
 * import { type CoverLimits, exactCover } from 'dlx-batch/exact-cover';
 *
 * const limits: CoverLimits = { maxNodes: 1_000_000, maxMs: 10_000 };
 * exactCover({ primary: ['a'], options: [['a'], ['a']] }).count(limits); // => 2
 * ```
 */
export interface CoverLimits {
  /** Budget of search nodes, 1 up, in addition to those of `from`. @default Infinity */
  readonly maxNodes?: number;
  /** Time budget of the search in milliseconds, without the caller's own time. @default Infinity */
  readonly maxMs?: number;
  /** The place where another search of the same problem stopped. @default the start */
  readonly from?: CoverPosition;
}

/**
 * `CoverLimits` of a search that gives the event loop a turn every few milliseconds, and can be aborted.
 *
 * @example
 * ```ts
 * import { type AbortableCoverLimits, exactCover } from 'dlx-batch/exact-cover';
 *
 * const limits: AbortableCoverLimits = { signal: AbortSignal.timeout(10_000) };
 * await exactCover({ primary: ['a'], options: [['a'], ['a']] }).countAsync(limits); // => 2
 * ```
 */
export interface AbortableCoverLimits extends CoverLimits {
  /** Stops the search, which then throws the reason of the signal. */
  readonly signal?: AbortSignal;
}

const from: OptionReader<CoverPosition | undefined> = (value) => value as CoverPosition | undefined;
const LIMITS = {
  maxNodes: whole(1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY),
  maxMs: milliseconds,
  from,
};
const ABORTABLE_LIMITS = { ...LIMITS, signal: abortSignal };

/**
 * A search for solutions. It is an iterator for `for ... of`, which searches without a break, and an asynchronous one for
 * `for await ... of`, which gives the event loop turns. Nothing is searched before a solution is requested. Another
 * iteration continues after the solutions that were found.
 *
 * @typeParam Option the caller's options
 *
 * @example
 * ```ts
 * import { type CoverSearch, exactCover } from 'dlx-batch/exact-cover';
 *
 * const cover = exactCover({ primary: ['a'], options: [['a'], ['a'], ['a']] });
 * const search: CoverSearch<string[]> = cover.solutions();
 * for (const solution of search) {
 *   solution; // => [['a']]
 *   break;
 * }
 * search.found; // => 1
 * [...search].length; // => 2
 * for await (const solution of cover.solutions({ signal: AbortSignal.timeout(10_000) })) solution.length; // => 1
 * ```
 */
export interface CoverSearch<Option> extends Iterable<Option[]>, AsyncIterable<Option[]> {
  /** Solutions found so far, with those before `from`; a bigint beyond 2^53 - 1. */
  readonly found: number | bigint;
  /** Nodes of the search tree so far, with those before `from`. */
  readonly nodes: number;
  /** The cost of the latest solution; undefined before the first one, and if no option has a cost. */
  readonly cost: number | undefined;
  /** Finds the next solution. @throws LimitError if a budget runs out */
  next(): IteratorResult<Option[], undefined>;
  /** Finds the next solution, with turns for the event loop. @throws LimitError if a budget runs out */
  nextAsync(): Promise<IteratorResult<Option[], undefined>>;
  /** The place after the last solution; `from` continues there. */
  position(): CoverPosition;
}

/**
 * An exact-cover problem that can be searched any number of times.
 *
 * What a method returns is proven. If a budget runs out before, it throws a `LimitError`.
 *
 * @typeParam Option the caller's options
 *
 * @example
 * ```ts
 * import { type ExactCover, exactCover } from 'dlx-batch/exact-cover';
 *
 * const cover: ExactCover<string[]> = exactCover({ primary: ['a', 'b'], options: [['a'], ['b'], ['a', 'b']] });
 * cover.findOne(); // => [['a'], ['b']]
 * cover.find(1).length; // => 1
 * cover.count(); // => 2
 * await cover.findOneAsync(); // => [['a'], ['b']]
 * (await cover.findAsync(5)).length; // => 2
 * [...cover.solutions()].length; // => 2
 * ```
 */
export interface ExactCover<Option> {
  /** A solution, as options in the order of the problem; undefined if there is none. */
  findOne(limits?: CoverLimits): Option[] | undefined;
  /** At most `n` solutions, 0 up or Infinity: fewer if there are no more. */
  find(n: number, limits?: CoverLimits): Option[][];
  /**
   * The number of solutions, with those before `from`: a number up to 2^53 - 1, a bigint beyond. Most counts take less
   * time than finding every solution, and up to 128 MiB.
   */
  count(limits?: CoverLimits): number | bigint;
  /** `findOne` with turns for the event loop. */
  findOneAsync(limits?: AbortableCoverLimits): Promise<Option[] | undefined>;
  /** `find` with turns for the event loop. */
  findAsync(n: number, limits?: AbortableCoverLimits): Promise<Option[][]>;
  /** `count` with turns for the event loop. */
  countAsync(limits?: AbortableCoverLimits): Promise<number | bigint>;
  /** All solutions, found one by one as they are requested. */
  solutions(limits?: AbortableCoverLimits): CoverSearch<Option>;
}

/**
 * Creates an exact-cover problem: items that a solution contains exactly once (primary; or several times, see
 * {@link RepeatedItem}) or at most once (secondary), and options, which are sets of items. A solution is a set of options.
 * If an option has a `cost`, solutions are found in the order of their costs, the cheapest first; those of equal cost in the
 * order of the search, which is the same in every run. The options are copied: later changes to the arrays
 * change nothing.
 *
 * @throws DlxBatchError `bad_argument` for wrong types; `bad_problem` if an item is listed twice, or an option is empty,
 *   has an unknown item, an item twice, a colour for a primary item, or a cost that is no whole number
 *
 * @example
 * ```ts
 * import { exactCover } from 'dlx-batch/exact-cover';
 *
 * // Knuth's example.
 * const cover = exactCover({
 *   primary: ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
 *   options: [['c', 'e'], ['a', 'd', 'g'], ['b', 'c', 'f'], ['a', 'd', 'f'], ['b', 'g'], ['d', 'e', 'g']],
 * });
 * cover.findOne(); // => [['c', 'e'], ['a', 'd', 'f'], ['b', 'g']]
 * cover.count(); // => 1
 *
 * // Two or three helpers for the early shift, one for the late one, as cheap as possible.
 * const shifts = exactCover({
 *   primary: [{ item: 'early', least: 2, most: 3 }, { item: 'late', least: 1, most: 1 }],
 *   options: [
 *     { items: ['early'], cost: 3 },
 *     { items: ['early', 'late'], cost: 6 },
 *     { items: ['early'], cost: 4 },
 *     { items: ['late'], cost: 1 },
 *   ],
 * });
 * shifts.findOne()?.map(({ cost }) => cost); // => [3, 4, 1]
 * shifts.count(); // => 4
 *
 * // Four queens: rows and columns are primary, diagonals secondary.
 * const lines = [0, 1, 2, 3];
 * const queens = exactCover({
 *   primary: lines.flatMap((line) => [`row ${line}`, `column ${line}`]),
 *   secondary: [0, 1, 2, 3, 4, 5, 6].flatMap((line) => [`up ${line}`, `down ${line}`]),
 *   options: lines.flatMap((r) =>
 *     lines.map((c) => ({ queen: [r, c], items: [`row ${r}`, `column ${c}`, `up ${r + c}`, `down ${r - c + 3}`] })),
 *   ),
 * });
 * queens.findOne()?.map(({ queen }) => queen); // => [[0, 2], [1, 0], [2, 3], [3, 1]]
 * ```
 */
export function exactCover<Option extends CoverOption>(problem: CoverProblem<Option>): ExactCover<Option> {
  return new NamedCover(numberedProblem(problem));
}

class NamedCover<Option> implements ExactCover<Option> {
  readonly #numbered: NumberedProblem<Option>;

  constructor(numbered: NumberedProblem<Option>) {
    this.#numbered = numbered;
  }

  findOne(limits?: CoverLimits): Option[] | undefined {
    return this.find(1, limits)[0];
  }

  find(n: number, limits?: CoverLimits): Option[][] {
    const search = this.#open(LIMITS, limits, solutionCount(n));
    return search.releasing(() => atOnce(search.find()));
  }

  count(limits?: CoverLimits): SolutionCount {
    const search = this.#open(LIMITS, limits);
    return search.releasing(() => atOnce(search.count()));
  }

  async findOneAsync(limits?: AbortableCoverLimits): Promise<Option[] | undefined> {
    return (await this.findAsync(1, limits))[0];
  }

  async findAsync(n: number, limits?: AbortableCoverLimits): Promise<Option[][]> {
    const search = this.#open(ABORTABLE_LIMITS, limits, solutionCount(n));
    return search.inTurns(search.find());
  }

  async countAsync(limits?: AbortableCoverLimits): Promise<SolutionCount> {
    const search = this.#open(ABORTABLE_LIMITS, limits);
    return search.inTurns(search.count());
  }

  solutions(limits?: AbortableCoverLimits): CoverSearch<Option> {
    return this.#open(ABORTABLE_LIMITS, limits, Number.POSITIVE_INFINITY, 1);
  }

  /** @param wanted how many solutions may be requested; none to count them. @param first how many are likely to be */
  #open(readers: typeof LIMITS, limits: unknown = {}, wanted?: number, first = wanted): NamedSearch<Option> {
    return new NamedSearch(this.#numbered, readOptions(limits, readers), wanted, first);
  }
}

const countReader = whole(0, Number.POSITIVE_INFINITY, 0);

function solutionCount(n: unknown): number {
  if (n === undefined) throw new DlxBatchError('bad_argument', 'find expects a number of solutions');
  return countReader(n, 'n');
}

interface SearchLimits {
  readonly maxNodes: number;
  readonly maxMs: number;
  readonly from?: CoverPosition;
  readonly signal?: AbortSignal;
}

class NamedSearch<Option> implements CoverSearch<Option> {
  readonly #problem: ExactCoverProblem;
  readonly #options: readonly Option[];
  readonly #nodesBefore: number;
  readonly #wanted: number;
  readonly #search: StoredSearch;
  /** The search of `count`. */
  readonly #counting: CountingSearch | undefined;
  readonly #steps: Iterator<Step, Stop, void>;
  #end: Stop | undefined;
  readonly #check: CoverCheck;
  readonly #signal: AbortSignal | undefined;
  readonly #turn = turns();

  constructor(
    { problem, options }: NumberedProblem<Option>,
    { maxNodes, maxMs, from, signal }: SearchLimits,
    wanted: number | undefined,
    first: number | undefined,
  ) {
    const place = from === undefined ? undefined : placeOf(from, problem, wanted === undefined);
    const search = openStoredSearch(problem, place, first ?? 'any', wanted ?? Number.POSITIVE_INFINITY);
    if (search === undefined) throw badPosition('belongs to another kind of search');
    this.#problem = problem;
    this.#options = options;
    this.#wanted = wanted ?? 0;
    this.#nodesBefore = place?.nodes ?? 0;
    this.#search = search;
    if (wanted === undefined) this.#counting = new CountingSearch(search, () => ({ problem, place }));
    this.#check = new CoverCheck(problem);
    this.#signal = signal;
    const limits = {
      maxSolutions: Number.POSITIVE_INFINITY,
      maxNodes: maxNodes + this.#nodesBefore,
      maxMs,
      deadlineMs: Number.POSITIVE_INFINITY,
    };
    const driving = { clock, each: wanted !== undefined, sliceMs: TURN_MS / 2 };
    this.#steps = drive(this.#counting ?? search, limits, driving);
  }

  get found(): SolutionCount {
    return this.#search.solutions;
  }

  get cost(): number | undefined {
    return this.#search instanceof CheapestSearch && this.#search.solutions > 0
      ? this.#search.cost
      : undefined;
  }

  get nodes(): number {
    return (this.#counting ?? this.#search).nodes;
  }

  position(): CoverPosition {
    const place = this.#counting?.place() ?? this.#search.place();
    return positionOf({ ...place, nodes: this.nodes }, this.#problem);
  }

  next(): IteratorResult<Option[], undefined> {
    this.#signal?.throwIfAborted();
    return atOnce(this.#next());
  }

  nextAsync(): Promise<IteratorResult<Option[], undefined>> {
    return this.inTurns(this.#next());
  }

  *[Symbol.iterator](): Iterator<Option[]> {
    for (let next = this.next(); !next.done; next = this.next()) yield next.value;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Option[]> {
    for (let next = await this.nextAsync(); !next.done; next = await this.nextAsync()) yield next.value;
  }

  inTurns<T>(steps: Generator<void, T, void>): Promise<T> {
    return inTurns(steps, this.#turn, this.#signal);
  }

  /** Does some work, after which nothing is read of the search: its memory serves the next one. */
  releasing<T>(work: () => T): T {
    try {
      return work();
    } finally {
      this.#search.release();
    }
  }

  /** A step is a part of the search, as of `count`. */
  *find(): Generator<void, Option[][], void> {
    const found: Option[][] = [];
    while (found.length < this.#wanted) {
      const next = yield* this.#next();
      if (next.done === true) break;
      found.push(next.value);
    }
    return found;
  }

  *count(): Generator<void, SolutionCount, void> {
    while (yield* this.#advance());
    return this.#counting!.solutions;
  }

  /** The next solution. @throws LimitError if a budget is used up; Error if it is wrong: a defect of the core */
  *#next(): Generator<void, IteratorResult<Option[], undefined>, void> {
    if (!(yield* this.#advance())) return { done: true, value: undefined };
    const solution = this.#search.solution();
    if (!this.#check.isSolution(solution, solution.length)) throw wrongSolution(solution);
    return { done: false, value: Array.from(solution, (option) => this.#options[option]!) };
  }

  /** Searches until a solution is found, or the search ends. @returns whether one is found */
  *#advance(): Generator<void, boolean, void> {
    while (this.#end === undefined) {
      const step = this.#steps.next();
      if (step.done === true) this.#end = step.value;
      else if (step.value === 'solution') return true;
      else yield;
    }
    if (this.#end === SearchStop.nodeLimit) throw this.#spent();
    return false;
  }

  #spent(): LimitError {
    const { nodes } = this;
    const search = this.#search;
    const { updates } = this.#counting ?? search;
    // A search by cost has another tree.
    const tree =
      search instanceof CheapestSearch
        ? undefined
        : spentTree(this.#problem, { nodes, updates }, this.#nodesBefore);
    return new LimitError(this.position(), tree);
  }
}
