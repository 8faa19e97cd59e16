/** Projects the time of a whole file from the progress so far, to detect files that exceed the time of one function. */
import { FEW_SOLUTIONS } from '../../exact-cover/search.ts';
import type { FileError } from '../job/file-error.ts';
import type { JobProgress } from '../job/job-run.ts';

/** A projection before this time is not reliable. */
const PROJECT_AFTER_MS = 5_000;
/** A file is rejected if its projected time exceeds the time of a function by this factor. */
export const REJECT_MARGIN = 2;
/** A file is handed over to the state machine above this factor. */
export const HAND_OVER_MARGIN = 0.8;
/** Or above this factor of the time that makes it large: what was solved so far is lost. */
export const LARGE_MARGIN = 2;

/** The size of a file. */
interface FileSize {
  readonly storedBytes: number;
  /** Expected number of puzzles, if it is known: a small file is read at once, long before it is solved. */
  readonly puzzles?: number;
}

/**
 * @param timeMs available time of this function
 * @param maxMs projected time that is too much
 * @param afterMs time after which a projection is reliable
 * @returns the error if the file takes too long; undefined if it may fit
 */
export function tooLargeByEstimate(
  { elapsedMs, storedBytes, puzzles }: JobProgress,
  size: FileSize,
  timeMs: number,
  maxMs = timeMs * REJECT_MARGIN,
  afterMs = PROJECT_AFTER_MS,
): FileError | undefined {
  if (elapsedMs < Math.min(afterMs, PROJECT_AFTER_MS)) return undefined;
  const read = storedBytes / size.storedBytes;
  const done = size.puzzles === undefined ? read : Math.min(read, puzzles / size.puzzles);
  if (done === 0) return undefined;
  const projectedMs = elapsedMs / done;
  if (projectedMs <= maxMs) return undefined;
  return {
    code: 'too_large',
    message:
      `the file takes about ${seconds(projectedMs)}, but one function has ${seconds(timeMs)}: ` +
      `${puzzles} puzzles and ${storedBytes} of ${size.storedBytes} bytes were done after ${seconds(elapsedMs)}; ` +
      'split the file, or solve it with the command-line tool',
  };
}

/** A projection of a search is not reliable before this part of the time of a function. */
const SEARCH_PART = 1 / 10;

/** A long search, and what is wanted of it. */
export interface LongSearch {
  /** When it began, in milliseconds since the job began. */
  readonly startMs: number;
  readonly maxNodes: number;
  readonly maxSolutions: number;
}

/**
 * Whether a search that can be split across functions exceeds the time of this one, by the part of its subproblems, budget or
 * solutions that is done.
 *
 * @param timeMs available time of this function
 */
export function searchTooLong(
  { elapsedMs, problem }: JobProgress,
  { startMs, maxNodes, maxSolutions }: LongSearch,
  timeMs: number,
): boolean {
  if (problem?.subproblems === undefined || elapsedMs < timeMs * SEARCH_PART) return false;
  const { subproblems, nodes, solutions } = problem;
  const part = Math.max(
    subproblems.done / subproblems.all,
    nodes / maxNodes,
    // The proof that there are no more takes the whole tree.
    maxSolutions > FEW_SOLUTIONS ? Number(solutions) / maxSolutions : 0,
  );
  return startMs + (elapsedMs - startMs) / part > timeMs;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
