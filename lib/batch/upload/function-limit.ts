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

export class FunctionLimit {
  /** Whether the file takes too long. */
  isExceeded = false;
  readonly #file: FileOfFunction;
  #forecast: Forecast | undefined;
  /** When the search of the current exact-cover problem began, in milliseconds since the job began. */
  #problemStartMs = 0;

  constructor(file: FileOfFunction) {
    this.#file = file;
  }

  /** Why the file takes too long, by an event of its job; undefined if it may fit. */
  async errorAt(event: JobEvent): Promise<FileError | undefined> {
    if (event.kind === 'head') return this.#decided(await this.#byHead(event));
    if (event.kind === 'search') return undefined;
    return this.#decided(this.#isSearchTooLong(event) ? TOO_LONG : this.#projected(event));
  }

  async #byHead({
    source,
    detection,
  }: Extract<JobEvent, { readonly kind: 'head' }>): Promise<FileError | undefined> {
    const { largeMs, options, fileName } = this.#file;
    if (largeMs === undefined || detection.kind !== 'puzzles') return undefined;
    const hints = { ...formatHints(options), fileName };
    this.#forecast = await forecast({ ...this.#file, source, detection, hints, largeMs });
    // One puzzle cannot be split.
    return this.#forecast.ms > largeMs && this.#forecast.puzzles > 1 ? TOO_LONG : undefined;
  }

  #decided(error: FileError | undefined): FileError | undefined {
    this.isExceeded ||= error !== undefined;
    return error;
  }

  #projected(progress: JobProgress): FileError | undefined {
    const { storedBytes, timeMs, largeMs } = this.#file;
    const puzzles = this.#forecast?.puzzles;
    const size = { storedBytes, puzzles };
    if (largeMs === undefined) return tooLargeByEstimate(progress, size, timeMs);
    const functionMs = timeMs * HAND_OVER_MARGIN;
    // The last puzzle of a file cannot be split off.
    return puzzles === undefined || progress.puzzles >= puzzles
      ? tooLargeByEstimate(progress, size, timeMs, functionMs)
      : tooLargeByEstimate(progress, size, timeMs, Math.min(functionMs, largeMs * LARGE_MARGIN), largeMs);
  }

  /** Whether the search of the current exact-cover problem is for many functions. */
  #isSearchTooLong(progress: JobProgress): boolean {
    const { largeMs, options, timeMs } = this.#file;
    if (largeMs === undefined) return false;
    if (progress.problem === undefined) {
      this.#problemStartMs = progress.elapsedMs;
      return false;
    }
    const { solutions: maxSolutions, maxNodes } = options;
    return searchTooLong(progress, { startMs: this.#problemStartMs, maxNodes, maxSolutions }, timeMs);
  }
}
