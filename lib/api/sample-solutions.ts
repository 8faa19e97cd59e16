/** Random solutions of exact-cover problems. */
import { CoverCheck } from '../batch/covers/cover-check.ts';
import { randomBelow } from '../batch/solving/random-below.ts';
import { SearchStop } from '../exact-cover/dancing-links.ts';
import type { ExactCoverProblem } from '../exact-cover/problem.ts';
import { RandomSolutions } from '../exact-cover/random-solutions.ts';
import { clock } from './clock.ts';
import { LimitError, spentTree } from './cover-limit-error.ts';
import { positionOf } from './cover-position.ts';
import { type CoverOption, type CoverProblem, numberedProblem } from './cover-problem.ts';
import { abortSignal, milliseconds, readOptions, whole } from './read-options.ts';
import { nextTurn, TURN_MS } from './turn.ts';

/**
 * Options of `sampleSolutions`; all are optional. The same problem, options and seed give the same solutions on every
 * machine.
 *
 * @example
 * ```ts
 * import { type SampleOptions, sampleSolutions } from 'dlx-batch/exact-cover';
 *
 * const options: SampleOptions = { count: 3, seed: 1 };
 * sampleSolutions({ primary: ['a'], options: [['a'], ['a']] }, options).length; // => 3
 * ```
 */
export interface SampleOptions {
  /** Number of solutions, 0 up. @default 1 */
  readonly count?: number;
  /** A whole number from 0 to 2^53 - 1. @default random */
  readonly seed?: number;
  /** Budget of search nodes, 1 up. @default Infinity */
  readonly maxNodes?: number;
  /** Time budget in milliseconds. @default Infinity */
  readonly maxMs?: number;
}

/**
 * `SampleOptions` of a search that gives the event loop a turn every few milliseconds, and can be aborted.
 *
 * @example
 * ```ts
 * import { type AbortableSampleOptions, sampleSolutionsAsync } from 'dlx-batch/exact-cover';
 *
 * const options: AbortableSampleOptions = { signal: AbortSignal.timeout(10_000) };
 * await sampleSolutionsAsync({ primary: ['a'], options: [['a']] }, options); // => [[['a']]]
 * ```
 */
export interface AbortableSampleOptions extends SampleOptions {
  /** Stops the search, which then throws the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** Readers of {@link SampleOptions}: made when they are needed, or each bundle with `exactCover` would have them. */
const sampleReaders = () => ({
  count: whole(0, Number.MAX_SAFE_INTEGER, 1),
  seed: whole(0, Number.MAX_SAFE_INTEGER),
  maxNodes: whole(1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY),
  maxMs: milliseconds,
});

/** Nodes between two checks of the clock: a few milliseconds or less. */
const SLICE_NODES = 2000;

/**
 * Draws solutions at random: each independently of the others, all with the same probability, so a solution may occur
 * several times. Costs are ignored. All solutions are counted first, as `count` does; that takes up to 128 MiB.
 *
 * @returns solutions in the order of the draws, each as options in the order of the problem; none if the problem has none
 * @throws DlxBatchError as `exactCover` does
 * @throws LimitError if a budget runs out; a search with its `position` starts at the beginning
 *
 * @example
 * ```ts
 * import { sampleSolutions } from 'dlx-batch/exact-cover';
 *
 * // The 12,988,816 ways to cover a chessboard with dominoes.
 * const cells = Array.from({ length: 64 }, (_, cell) => cell);
 * const across = cells.filter((cell) => cell % 8 < 7).map((cell) => [cell, cell + 1]);
 * const down = cells.filter((cell) => cell < 56).map((cell) => [cell, cell + 8]);
 * const [dominoes] = sampleSolutions({ primary: cells, options: [...across, ...down] }, { seed: 1 });
 * dominoes?.length; // => 32
 * ```
 */
export function sampleSolutions<Option extends CoverOption>(
  problem: CoverProblem<Option>,
  options: SampleOptions = {},
): Option[][] {
  const sample = new Sample(problem, readOptions(options, sampleReaders()));
  while (!sample.run());
  return sample.solutions;
}

/**
 * `sampleSolutions` with turns for the event loop.
 *
 * @throws the same, and the reason of the signal
 *
 * @example
 * ```ts
 * import { sampleSolutionsAsync } from 'dlx-batch/exact-cover';
 *
 * const solutions = await sampleSolutionsAsync({ primary: ['a'], options: [['a']] }, { count: 2 });
 * solutions; // => [[['a']], [['a']]]
 * ```
 */
export async function sampleSolutionsAsync<Option extends CoverOption>(
  problem: CoverProblem<Option>,
  options: AbortableSampleOptions = {},
): Promise<Option[][]> {
  const { signal, ...settings } = readOptions(options, { ...sampleReaders(), signal: abortSignal });
  signal?.throwIfAborted();
  const sample = new Sample(problem, settings);
  for (let turnMs = clock.monotonicMs(); !sample.run(); ) {
    if (clock.monotonicMs() - turnMs >= TURN_MS) {
      await nextTurn();
      turnMs = clock.monotonicMs();
    }
    signal?.throwIfAborted();
  }
  return sample.solutions;
}

interface SampleLimits {
  readonly count: number;
  readonly seed: number | undefined;
  readonly maxNodes: number;
  readonly maxMs: number;
}

/** Random solutions of a problem, drawn in slices. */
class Sample<Option extends CoverOption> {
  readonly solutions: Option[][] = [];
  readonly #problem: ExactCoverProblem;
  readonly #options: readonly Option[];
  readonly #search: RandomSolutions;
  readonly #check: CoverCheck;
  readonly #count: number;
  readonly #maxNodes: number;
  #restMs: number;

  constructor(given: CoverProblem<Option>, { count, seed, maxNodes, maxMs }: SampleLimits) {
    const { problem, options } = numberedProblem(given);
    this.#problem = problem;
    this.#options = options;
    this.#search = new RandomSolutions(problem, randomBelow(seed ?? Math.floor(Math.random() * 2 ** 32)));
    this.#check = new CoverCheck(problem);
    this.#count = count;
    this.#maxNodes = maxNodes;
    this.#restMs = maxMs;
  }

  /** Draws for a slice. @returns whether all solutions are drawn @throws LimitError if a budget runs out */
  run(): boolean {
    const search = this.#search;
    const startMs = clock.monotonicMs();
    const sliceEnd = search.nodes + SLICE_NODES;
    let stop: SearchStop = SearchStop.solution;
    const sliceDraws = search.solutions + SLICE_NODES;
    while (stop === SearchStop.solution && search.nodes < sliceEnd && search.solutions < sliceDraws) {
      const drawn = search.solutions;
      stop = search.run({
        maxSolutions: this.#count,
        maxNodes: this.#maxNodes,
        sliceNodes: sliceEnd - search.nodes,
        pauseAtSolution: true,
      });
      if (search.solutions > drawn) this.#take();
    }
    if (stop === SearchStop.solutionLimit || stop === SearchStop.exhausted) return true;
    this.#restMs -= clock.monotonicMs() - startMs;
    if (stop === SearchStop.nodeLimit || this.#restMs <= 0) throw this.#spent();
    return false;
  }

  #take(): void {
    const { selected, selectedCount } = this.#search;
    if (!this.#check.isSolution(selected, selectedCount)) {
      const found = selected.subarray(0, selectedCount).join(' ');
      throw new Error(`the core returned a wrong solution: a defect of the core (options: ${found})`);
    }
    this.solutions.push(Array.from(selected.subarray(0, selectedCount), (option) => this.#options[option]!));
  }

  #spent(): LimitError {
    const { total, solutions, nodes } = this.#search;
    const known =
      total === undefined
        ? `not all solutions are counted after ${nodes} nodes, so none is drawn`
        : `${solutions} of ${this.#count} solutions are drawn after ${nodes} nodes`;
    const tree = total === undefined ? spentTree(this.#problem, this.#search) : undefined;
    return new LimitError(positionOf({ solutions: 0, nodes }, this.#problem), tree, known);
  }
}
