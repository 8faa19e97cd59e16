/**
 * Drives a search under its budgets, whatever it searches: one puzzle with an engine, an exact cover, a count, random draws,
 * the cheapest solutions, subproblems that other threads search.
 *
 *     search.run(slice) -> solution, slice, waiting, ... -> end          the caller's time between two steps does not count
 *
 * The size of a slice depends on the clock, the result does not: a search finds the same in slices of any size.
 */
import type { RunLimits } from '../../exact-cover/dancing-links.ts';
import { SearchStop } from '../../exact-cover/search.ts';
import type { SolutionCount } from '../../exact-cover/solution-count.ts';
import type { Stop } from '../../sudoku/engine.ts';
import type { SolveOptions } from '../options.ts';
import type { Clock } from '../ports.ts';

/** A search that runs in slices; its counts are totals. */
export interface Search {
  /** Solutions found, or counted. */
  readonly solutions: SolutionCount;
  /** Solutions that were found one by one, if others are only counted. @default `solutions` */
  readonly found?: SolutionCount;
  readonly nodes: number;
  /** Whether the latest `run` returned because other threads have not answered yet. */
  readonly isWaiting?: boolean;
  run(limits: RunLimits): SearchStop;
}

export type Step =
  /** A solution was found; the search has it until the next step. */
  | 'solution'
  /** A slice of the search has ended without a solution. */
  | 'slice'
  /** Other threads search; the caller waits for this before the next step. */
  | Promise<void>;

/** Budgets for one puzzle. */
export interface PuzzleLimits {
  readonly maxSolutions: number;
  readonly maxNodes: number;
  /** Milliseconds, or Infinity. A time budget makes results depend on the machine. */
  readonly maxMs: number;
  /** Deadline of the job in the clock's monotonic milliseconds, or Infinity; it also interrupts a puzzle. */
  readonly deadlineMs: number;
  /** Whether puzzles with exactly one solution are rated. @default false */
  readonly rate?: boolean;
}

/** The limits of puzzles, `Infinity` for times that are not set. */
export function puzzleLimits(
  { solutions, maxNodes, rate }: Pick<SolveOptions, 'solutions' | 'maxNodes'> & { readonly rate?: boolean },
  {
    maxMs = Number.POSITIVE_INFINITY,
    deadlineMs = Number.POSITIVE_INFINITY,
  }: Partial<Pick<PuzzleLimits, 'maxMs' | 'deadlineMs'>>,
): PuzzleLimits {
  return { maxSolutions: solutions, maxNodes, maxMs, deadlineMs, rate };
}

/** The job has reached its deadline; the current block does not count. */
export class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError';
}

export interface DriveOptions {
  readonly clock: Clock;
  /** Whether each solution is a step, or only the first one. */
  readonly each: boolean;
  /** Resolves once other threads know more. @default nothing is searched by others */
  readonly progress?: () => Promise<void>;
  /** Target duration of a slice in milliseconds; it is shorter under a time budget. @default 50 */
  readonly sliceMs?: number;
}

/** Milliseconds in a search so far, also while it waited for other threads. */
interface SearchTime {
  ms: number;
}

const SLICE_MS = 50;
const FIRST_SLICE_NODES = 256;
const MAX_SLICE_NODES = 2 ** 22;

/**
 * Searches until a limit is reached, or all is searched.
 *
 * @returns why it has ended; a time budget ends it as a budget of nodes does
 * @throws OutOfTimeError at the deadline
 */
export function* drive(
  search: Search,
  { maxSolutions, maxNodes, maxMs, deadlineMs }: PuzzleLimits,
  { clock, each, progress, sliceMs = SLICE_MS }: DriveOptions,
  time: SearchTime = { ms: 0 },
): Generator<Step, Stop, void> {
  const targetMs = Math.min(sliceMs, maxMs / 4);
  let sliceNodes = FIRST_SLICE_NODES;
  do {
    const startMs = clock.monotonicMs();
    if (startMs > deadlineMs) throw new OutOfTimeError();
    const before = search.found ?? search.solutions;
    const pauseAtSolution = each || before === 0;
    const stop = search.run({ maxSolutions, maxNodes, sliceNodes, pauseAtSolution });
    const ms = clock.monotonicMs() - startMs;
    time.ms += ms;
    const isFound = pauseAtSolution && (search.found ?? search.solutions) > before;
    if (isFound) yield 'solution';
    if (stop !== SearchStop.slice && stop !== SearchStop.solution) return stop;
    if (search.isWaiting === true && progress !== undefined) {
      const waitMs = clock.monotonicMs();
      yield progress();
      time.ms += clock.monotonicMs() - waitMs;
    } else if (!isFound) {
      yield 'slice';
      if (ms * 2 < targetMs && sliceNodes < MAX_SLICE_NODES) sliceNodes *= 2;
      else if (ms > targetMs * 2 && sliceNodes > 1) sliceNodes /= 2;
    }
  } while (time.ms <= maxMs);
  return SearchStop.nodeLimit;
}
