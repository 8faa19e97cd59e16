/**
 * Decides whether one function takes too long for a file, which is then handed to the state machine for large files: before it
 * is solved, by a sample of its first MiB; then by its progress.
 */
import { FEW_SOLUTIONS } from '../../exact-cover/search.ts';
import { type Forecast, type ForecastRequest, forecast } from '../estimate/forecast.ts';
import type { JobEvent, JobProgress } from '../job/job-run.ts';

/** A projection before this time, or this part of the time of a function for a search, is not reliable. */
const PROJECT_AFTER_MS = 5_000;
const SEARCH_PART = 1 / 10;
/** A file is handed over if its projected time exceeds the time of a function by this factor. */
const HAND_OVER_MARGIN = 0.8;
/** Or that which makes it large by this factor: what was solved so far is lost. */
const LARGE_MARGIN = 2;

interface FileOfFunction extends Omit<ForecastRequest, 'source' | 'detection'> {
  /** Time of the function. */
  readonly timeMs: number;
}

/** @returns what tells whether the file takes too long, by an event of its job */
export function functionLimit(file: FileOfFunction): (event: JobEvent) => Promise<boolean> {
  const { largeMs, options, timeMs, storedBytes } = file;
  let expected: Forecast | undefined;
  /** When the search of the current exact-cover problem began, in milliseconds since the job began. */
  let startMs = 0;

  return async (event) => {
    if (event.kind === 'search') return false;
    if (event.kind !== 'head') return isSearchTooLong(event) || isFileTooLong(event);
    const { source, detection } = event;
    if (detection.kind !== 'puzzles') return false;
    expected = await forecast({ ...file, source, detection });
    // One puzzle cannot be split.
    return expected.ms > largeMs && expected.puzzles > 1;
  };

  /** A small file is read at once, long before it is solved: so the expected number of its puzzles counts, too. */
  function isFileTooLong({ elapsedMs, puzzles, ...progress }: JobProgress): boolean {
    // The last puzzle of a file cannot be split off.
    const canBeSplit = expected !== undefined && puzzles < expected.puzzles;
    if (elapsedMs < (canBeSplit ? Math.min(PROJECT_AFTER_MS, largeMs) : PROJECT_AFTER_MS)) return false;
    const read = progress.storedBytes / storedBytes;
    const done = expected === undefined ? read : Math.min(read, puzzles / expected.puzzles);
    const mostMs = timeMs * HAND_OVER_MARGIN;
    return done > 0 && elapsedMs / done > (canBeSplit ? Math.min(mostMs, largeMs * LARGE_MARGIN) : mostMs);
  }

  /** By the part of the subproblems, budget or solutions of the current problem that is done, if its search is split. */
  function isSearchTooLong({ elapsedMs, problem }: JobProgress): boolean {
    if (problem === undefined) startMs = elapsedMs;
    if (problem?.subproblems === undefined || elapsedMs < timeMs * SEARCH_PART) return false;
    const { subproblems, nodes, solutions } = problem;
    const { solutions: wanted, maxNodes } = options;
    const part = Math.max(
      subproblems.done / subproblems.all,
      nodes / maxNodes,
      // The proof that there are no more takes the whole tree.
      wanted > FEW_SOLUTIONS ? Number(solutions) / wanted : 0,
    );
    return startMs + (elapsedMs - startMs) / part > timeMs;
  }
}
