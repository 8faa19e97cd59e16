/** Random solutions of exact-cover problems. */

import { randomBelow } from '../batch/solving/count-puzzle.ts';
import { CoverSearch } from '../batch/solving/cover-search.ts';
import { puzzleLimits } from '../batch/solving/drive.ts';
import { RecordAnswer, searchRecord } from '../batch/solving/record-search.ts';
import { RandomSolutions } from '../exact-cover/random-solutions.ts';
import { clock } from './clock.ts';
import { LimitError, spentTree } from './cover-limit-error.ts';
import { positionOf } from './cover-position.ts';
import { type CoverOption, type CoverProblem, numberedProblem } from './cover-problem.ts';
import { abortSignal, milliseconds, readOptions, type Values, whole } from './read-options.ts';
import { atOnce, inTurns, TURN_MS, turns } from './turn.ts';

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
  return atOnce(draw(problem, readOptions(options, sampleReaders())));
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
  return inTurns(draw(problem, settings), turns(), signal);
}

/** A step is a part of the search. @throws LimitError if a budget runs out */
function* draw<Option extends CoverOption>(
  given: CoverProblem<Option>,
  { count, seed, maxNodes, maxMs }: Values<ReturnType<typeof sampleReaders>>,
): Generator<void, Option[][], void> {
  const { problem, options } = numberedProblem(given);
  const random = new RandomSolutions(problem, randomBelow(seed ?? Math.floor(Math.random() * 2 ** 32)));
  const limits = puzzleLimits({ solutions: count, maxNodes }, { maxMs });
  const answer = new RecordAnswer();
  const driving = { clock, each: true, sliceMs: TURN_MS / 2 };
  const drawn: Option[][] = [];
  for (const step of searchRecord(new CoverSearch(problem, random), limits, answer, driving)) {
    if (step === 'solution') drawn.push(Array.from(answer.options, (option) => options[option]!));
    yield;
  }
  const { total, nodes } = random;
  if (total === 0 || drawn.length === count) return drawn;
  const known =
    total === undefined
      ? `not all solutions are counted after ${nodes} nodes, so none is drawn`
      : `${drawn.length} of ${count} solutions are drawn after ${nodes} nodes`;
  const tree = total === undefined ? spentTree(problem, random) : undefined;
  throw new LimitError(positionOf({ solutions: 0, nodes }, problem), tree, known);
}
