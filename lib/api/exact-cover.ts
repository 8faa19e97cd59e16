/**
 * Exact cover with the caller's own names: `import { exactCover } from 'dlx-batch/exact-cover'`.
 *
 * @module dlx-batch/exact-cover
 */
import { CoverCheck, wrongSolution } from '../batch/solving/cover-check.ts';
import { drive, puzzleLimits, type Step } from '../batch/solving/drive.ts';
import { CheapestSearch } from '../exact-cover/costs/cheapest-search.ts';
import { CountingSearch } from '../exact-cover/counting-search.ts';
import { openStoredSearch, type StoredSearch } from '../exact-cover/open-search.ts';
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
import {
  abortSignal,
  milliseconds,
  type OptionReader,
  readOptions,
  type Values,
  whole,
} from './read-options.ts';
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
  return namedCover(numberedProblem(problem));
}

function namedCover<Option>(numbered: NumberedProblem<Option>): ExactCover<Option> {
  /** @param wanted how many solutions may be requested; none to count them. @param first how many are likely to be */
  const open = (readers: typeof LIMITS, limits: unknown = {}, wanted?: number, first = wanted) =>
    namedSearch(numbered, readOptions(limits, readers), wanted, first);
  const find = (n: number, limits?: CoverLimits) => {
    const search = open(LIMITS, limits, solutionCount(n));
    return search.releasing(search.find());
  };
  const findAsync = async (n: number, limits?: AbortableCoverLimits) => {
    const search = open(ABORTABLE_LIMITS, limits, solutionCount(n));
    return search.inTurns(search.find());
  };
  return {
    find,
    findAsync,
    findOne: (limits) => find(1, limits)[0],
    findOneAsync: async (limits) => (await findAsync(1, limits))[0],
    count(limits) {
      const search = open(LIMITS, limits);
      return search.releasing(search.count());
    },
    async countAsync(limits) {
      const search = open(ABORTABLE_LIMITS, limits);
      return search.inTurns(search.count());
    },
    solutions: (limits) => open(ABORTABLE_LIMITS, limits, Number.POSITIVE_INFINITY, 1).search,
  };
}

const countReader = whole(0, Number.POSITIVE_INFINITY, 0);

function solutionCount(n: unknown): number {
  if (n === undefined) throw new DlxBatchError('bad_argument', 'find expects a number of solutions');
  return countReader(n, 'n');
}

function namedSearch<Option>(
  { problem, options }: NumberedProblem<Option>,
  { maxNodes, maxMs, from, signal }: Values<typeof LIMITS> & { readonly signal?: AbortSignal },
  wanted: number | undefined,
  first: number | undefined,
) {
  const place = from === undefined ? undefined : placeOf(from, problem, wanted === undefined);
  const opened = openStoredSearch(problem, place, first ?? 'any', wanted ?? Number.POSITIVE_INFINITY);
  if (opened === undefined) throw badPosition('belongs to another kind of search');
  const stored: StoredSearch = opened;
  const nodesBefore = place?.nodes ?? 0;
  /** The search of `count`. */
  const counting = wanted === undefined ? new CountingSearch(stored, () => ({ problem, place })) : undefined;
  const searched = counting ?? stored;
  const check = new CoverCheck(problem);
  const turn = turns();
  const all = { solutions: Number.POSITIVE_INFINITY, maxNodes: maxNodes + nodesBefore };
  const driving = { clock, each: wanted !== undefined, sliceMs: TURN_MS / 2 };
  const steps: Iterator<Step, Stop, void> = drive(searched, puzzleLimits(all, { maxMs }), driving);
  let end: Stop | undefined;

  const position = () => {
    const found = counting?.place() ?? stored.place();
    return positionOf({ ...found, nodes: searched.nodes }, problem);
  };

  /** Searches until a solution is found, or the search ends. @returns whether one is found @throws LimitError if a budget is used up */
  function* advance(): Generator<void, boolean, void> {
    while (end === undefined) {
      const step = steps.next();
      if (step.done === true) end = step.value;
      else if (step.value === 'solution') return true;
      else yield;
    }
    if (end !== SearchStop.nodeLimit) return false;
    // A search by cost has another tree.
    const tree = stored instanceof CheapestSearch ? undefined : spentTree(problem, searched, nodesBefore);
    throw new LimitError(position(), tree);
  }

  /** The next solution. @throws Error if it is wrong: a defect of the core */
  function* nextSolution(): Generator<void, IteratorResult<Option[], undefined>, void> {
    if (!(yield* advance())) return { done: true, value: undefined };
    const solution = stored.selected.slice().sort();
    if (!check.isSolution(solution)) throw wrongSolution(solution);
    return { done: false, value: Array.from(solution, (option) => options[option]!) };
  }

  const search: CoverSearch<Option> = {
    get found() {
      return stored.solutions;
    },
    get nodes() {
      return searched.nodes;
    },
    get cost() {
      return stored instanceof CheapestSearch && stored.solutions > 0 ? stored.cost : undefined;
    },
    position,
    next() {
      signal?.throwIfAborted();
      return atOnce(nextSolution());
    },
    nextAsync: () => inTurns(nextSolution(), turn, signal),
    *[Symbol.iterator]() {
      for (let next = search.next(); !next.done; next = search.next()) yield next.value;
    },
    async *[Symbol.asyncIterator]() {
      for (let next = await search.nextAsync(); !next.done; next = await search.nextAsync()) yield next.value;
    },
  };

  return {
    search,

    /** A step is a part of the search, as of `count`. */
    *find(): Generator<void, Option[][], void> {
      const found: Option[][] = [];
      while (found.length < wanted!) {
        const next = yield* nextSolution();
        if (next.done === true) break;
        found.push(next.value);
      }
      return found;
    },

    *count(): Generator<void, SolutionCount, void> {
      while (yield* advance());
      return searched.solutions;
    },

    inTurns: <Found>(work: Generator<void, Found, void>) => inTurns(work, turn, signal),

    /** Does the work at once, after which nothing is read of the search: its memory serves the next one. */
    releasing<Found>(work: Generator<void, Found, void>): Found {
      try {
        return atOnce(work);
      } finally {
        stored.release();
      }
    },
  };
}
