/** What a job is given, and what all kinds of jobs count while they run. */
import type { Engine } from '../../sudoku/engine.ts';
import type { CoverProgress } from '../covers/cover-job.ts';
import type { SolveOptions } from '../options.ts';
import type { Clock, Hashing, ResultFiles, Unpacking } from '../ports.ts';
import type { ExceptionSample } from '../report/exception-sample.ts';
import { Throughput } from '../report/throughput.ts';
import type { WrittenFile } from '../results/result-files.ts';
import type { JobStatistics, RuntimeInfo } from '../results/statistics.ts';
import type { BlockSolver } from '../solving/block-solver.ts';
import type { FileError } from './file-error.ts';
import { formatHints } from './format-hints.ts';
import { FileRejection, type InputProgress } from './input.ts';
import { RecordSource } from './record-source.ts';

/** What a job runs on. */
export interface JobDependencies {
  readonly clock: Clock;
  readonly hashing: Hashing;
  readonly unpacking: Unpacking;
  readonly runtime: RuntimeInfo;
  /** Who solves blocks with the engine that the options name. */
  readonly solver: BlockSolver;
  /** That engine itself, for enumerations. */
  readonly engine: Engine;
}

/** How far a job has come, told after each block. */
export interface JobProgress extends Readonly<InputProgress> {
  readonly puzzles: number;
  /** Milliseconds since the job began. */
  readonly elapsedMs: number;
  /** The exact-cover problem under way; undefined for puzzles in cells. */
  readonly problem?: CoverProgress;
}

export interface JobRequest {
  /** The file as it is stored, compressed or not; the memory of its arrays may be used again once the next is asked for. */
  readonly input: AsyncIterable<Uint8Array>;
  /** The file's name: the report's title, and that of an exact-cover file may tell its format. @default none */
  readonly fileName?: string;
  readonly options: SolveOptions;
  readonly files: ResultFiles;
  /** Time for one puzzle in milliseconds. @default Infinity: a time budget is not reproducible */
  readonly maxMs?: number;
  /** When the job must have stopped, on the clock's monotonic time. @default Infinity */
  readonly deadlineMs?: number;
  /** Counts the solutions of an enumeration without writing them. @default false */
  readonly countOnly?: boolean;
  /** Whether `report.html` is written. @default true */
  readonly report?: boolean;
  /**
   * Looked at after each block, and in the midst of a long exact-cover problem; a sentence stops the job.
   *
   * @default never stops
   */
  readonly stopReason?: (progress: JobProgress) => FileError | undefined;
}

/** The solving of a file: of puzzles in cells, or of exact-cover problems. */
export interface FileJob {
  readonly statistics: JobStatistics;
  /** The exceptions so far, as many as the report shows. */
  readonly exceptions: ExceptionSample;
  /** Threads that solve. */
  readonly workers: number;
  /** Milliseconds spent on writing. */
  readonly writeMs: number;
  /** Solves all records of the file. */
  solve(): Promise<void>;
  /** Closes and stores every file, in the order in which the manifest names them. */
  close(): Promise<WrittenFile[]>;
  /** Removes every file. */
  abort(): Promise<void>;
}

/** A job in progress: its input, its progress and its time. */
export class JobRun {
  readonly request: JobRequest;
  readonly dependencies: JobDependencies;
  readonly source: RecordSource;
  readonly throughput = new Throughput();
  /** Records solved so far. */
  puzzles = 0;
  readonly #startMs: number;

  constructor(request: JobRequest, dependencies: JobDependencies) {
    const { unpacking, clock } = dependencies;
    this.request = request;
    this.dependencies = dependencies;
    const hints = { ...formatHints(request.options), fileName: request.fileName };
    this.source = new RecordSource(request.input, hints, unpacking, clock);
    this.#startMs = clock.monotonicMs();
  }

  /** Milliseconds since the job began. */
  get elapsedMs(): number {
    return this.dependencies.clock.monotonicMs() - this.#startMs;
  }

  /** Reports progress. @throws FileRejection if the caller stops the job */
  report(problem?: CoverProgress): void {
    const { storedBytes, plainBytes } = this.source.progress;
    const { elapsedMs, puzzles } = this;
    if (problem === undefined) this.throughput.add(puzzles, elapsedMs);
    const reason = this.request.stopReason?.({ storedBytes, plainBytes, puzzles, elapsedMs, problem });
    if (reason !== undefined) throw new FileRejection(reason);
  }
}
