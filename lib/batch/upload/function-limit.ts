/**
 * Decides whether one function takes too long for a file: before it is solved, by a sample of its first MiB; then by its
 * progress. With a state machine for large files, such a file is handed over; without one, it is rejected.
 */
import type { Engine } from '../../sudoku/engine.ts';
import { type Forecast, forecast } from '../estimate/forecast.ts';
import {
  HAND_OVER_MARGIN,
  LARGE_MARGIN,
  searchTooLong,
  tooLargeByEstimate,
} from '../estimate/projected-time.ts';
import type { FileError } from '../job/file-error.ts';
import { formatHints } from '../job/format-hints.ts';
import type { JobEvent, JobProgress } from '../job/job-run.ts';
import type { SolveOptions } from '../options.ts';
import type { Clock } from '../ports.ts';

/** Only marks a file that is handed over: no user sees it. */
const TOO_LONG: FileError = { code: 'too_large', message: 'the file takes one function too long' };

export interface FileOfFunction {
  readonly fileName: string;
  readonly storedBytes: number;
  readonly options: SolveOptions;
  readonly engine: Engine;
  readonly clock: Clock;
  /** Time of the function. */
  readonly timeMs: number;
  /** A file that takes one function more milliseconds than this is large; undefined without a state machine. */
  readonly largeMs: number | undefined;
  /** Counts the text of compressed data from its beginning, and may stop at a number of bytes. */
  countText(enough: number): Promise<number>;
}

/** @returns what tells why the file takes too long, by an event of its job; undefined if it may fit */
export function functionLimit(file: FileOfFunction): (event: JobEvent) => Promise<FileError | undefined> {
  const { largeMs, options, timeMs, storedBytes } = file;
  let expected: Forecast | undefined;
  /** When the search of the current exact-cover problem began, in milliseconds since the job began. */
  let startMs = 0;

  return async (event) => {
    if (event.kind === 'search') return undefined;
    if (event.kind !== 'head') return isSearchTooLong(event) ? TOO_LONG : projected(event);
    const { source, detection } = event;
    if (largeMs === undefined || detection.kind !== 'puzzles') return undefined;
    const hints = { ...formatHints(options), fileName: file.fileName };
    expected = await forecast({ ...file, source, detection, hints, largeMs });
    // One puzzle cannot be split.
    return expected.ms > largeMs && expected.puzzles > 1 ? TOO_LONG : undefined;
  };

  function projected(progress: JobProgress): FileError | undefined {
    const size = { storedBytes, puzzles: expected?.puzzles };
    if (largeMs === undefined) return tooLargeByEstimate(progress, size, timeMs);
    const functionMs = timeMs * HAND_OVER_MARGIN;
    // The last puzzle of a file cannot be split off.
    return expected === undefined || progress.puzzles >= expected.puzzles
      ? tooLargeByEstimate(progress, size, timeMs, functionMs)
      : tooLargeByEstimate(progress, size, timeMs, Math.min(functionMs, largeMs * LARGE_MARGIN), largeMs);
  }

  /** Whether the search of the current exact-cover problem is for many functions. */
  function isSearchTooLong(progress: JobProgress): boolean {
    if (largeMs === undefined) return false;
    if (progress.problem === undefined) startMs = progress.elapsedMs;
    const { solutions: maxSolutions, maxNodes } = options;
    return searchTooLong(progress, { startMs, maxNodes, maxSolutions }, timeMs);
  }
}
