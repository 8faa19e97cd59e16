/** The request of a job, its dependencies, and the progress that both kinds of jobs report. */
import type { SolutionCount } from '../../exact-cover/solution-count.ts';
import type { SplitRule } from '../../exact-cover/split/split-search.ts';
import type { Detection } from '../../formats/reader.ts';
import type { Engine } from '../../sudoku/engine.ts';
import { DEFAULT_JOB_LIMITS, type JobLimits, type JobWork, jobLimitError } from '../job-limits.ts';
import type { SolveOptions } from '../options.ts';
import type { Clock, Hashing, ResultFiles, Unpacking } from '../ports.ts';
import { Throughput } from '../report/throughput.ts';
import type { ExceptionSample } from '../results/exception-sample.ts';
import type { WrittenFile } from '../results/result-files.ts';
import type { JobStatistics, RuntimeInfo, UsedResources } from '../results/statistics.ts';
import type { BlockSolver } from '../solving/block-solver.ts';
import type { SplitProgress } from '../solving/elsewhere.ts';
import type { FileError } from './file-error.ts';
import { formatHints } from './format-hints.ts';
import { FileRejection, type InputProgress } from './input.ts';
import { RecordSource } from './record-source.ts';

export interface JobDependencies {
  readonly clock: Clock;
  readonly hashing: Hashing;
  readonly unpacking: Unpacking;
  readonly runtime: RuntimeInfo;
  /** Solves blocks with the engine that the options name. */
  readonly solver: BlockSolver;
  /** The same engine, for enumerations. */
  readonly engine: Engine;
  /** Checks each solution that is only counted, not a sample: for tests. @default false */
  readonly checkAll?: boolean;
  /** When the search of an exact cover is split: for tests. */
  readonly splitRule?: SplitRule;
}

/** What a file is that can be read. */
export type ReadableDetection = Exclude<Detection, { readonly kind: 'unreadable' }>;

/** Progress of the search of an exact-cover problem. */
interface CoverProgress {
  readonly solutions: SolutionCount;
  readonly nodes: number;
  /** Estimates the nodes of the whole search, once; undefined if that is not possible. */
  readonly treeNodes?: () => number | undefined;
  /** Subproblems that are done, and all of them; undefined if the search is not split. */
  readonly subproblems?: { readonly done: number; readonly all: number } | undefined;
}

/** Progress of a job, reported after each block. */
export interface JobProgress extends Readonly<InputProgress> {
  readonly puzzles: number;
  /** Milliseconds since the job began. */
  readonly elapsedMs: number;
  /** Progress of the search of the current exact-cover problem or, on the command line, of a puzzle that is split. */
  readonly problem?: CoverProgress;
}

/** Random solutions of each puzzle: independent draws, in which all solutions have the same probability. */
export interface RandomRequest {
  /** Draws for each puzzle. */
  readonly count: number;
  /** From 0 to 2^53 - 1; it determines the draws for all puzzles of a file. */
  readonly seed: number;
}

export interface JobRequest {
  /** The stored file, compressed or not; it may reuse an array once the next is requested. */
  readonly input: AsyncIterable<Uint8Array>;
  /** The file's name, for the report's title and to detect the format of an exact-cover file. @default none */
  readonly fileName?: string;
  readonly options: SolveOptions;
  readonly files: ResultFiles;
  /** Time budget of one puzzle in milliseconds. @default Infinity: results under a time budget are not reproducible */
  readonly maxMs?: number;
  /** @default the limits for which no operator has set others */
  readonly jobLimits?: JobLimits;
  /** Size of the stored file, if it is known. */
  readonly storedBytes?: number;
  /** Deadline of the job, in the clock's monotonic milliseconds. @default Infinity */
  readonly deadlineMs?: number;
  /** Counts the solutions of an enumeration without writing them. @default false */
  readonly countOnly?: boolean;
  /** The functions that have worked on the job before. @default none */
  readonly before?: {
    /** Milliseconds since its beginning. */
    readonly wallMs: number;
    /** What they have used. */
    readonly used: UsedResources;
  };
  /** Draws random solutions of each puzzle, instead of those that `solutions` requests. @default none */
  readonly random?: RandomRequest | undefined;
  /** Whether `report.html` is written. @default true */
  readonly report?: boolean;
  /**
   * Called with the first MiB of a file that can be read, before it is solved; an error rejects the file.
   *
   * @default not called
   */
  readonly checkHead?: (source: RecordSource, detection: ReadableDetection) => Promise<FileError | undefined>;
  /**
   * Called after each block, and during a long exact-cover problem; an error stops the job and rejects the file.
   *
   * @default never stops
   */
  readonly stopReason?: (progress: JobProgress) => FileError | undefined;
  /**
   * Called between two steps of the work: other events may have their turn until it resolves, if it returns a promise.
   *
   * @default they wait for the next read or write
   */
  readonly pause?: () => Promise<void> | undefined;
  /**
   * Called during the search for more than two solutions of a puzzle in cells that is split. Its block begins after the puzzles of
   * the latest `stopReason`.
   *
   * @default not called
   */
  readonly onSearch?: (search: SplitProgress) => void;
}

/** The job of one kind of file: puzzles in cells, or exact-cover problems. */
export interface FileJob {
  readonly statistics: JobStatistics;
  /** The first exceptions, for the report. */
  readonly exceptions: ExceptionSample;
  /** Number of solving threads. */
  readonly workers: number;
  /** Milliseconds spent on writing. */
  readonly writeMs: number;
  /** Solves all records of the file. */
  solve(): Promise<void>;
  /** Stores the result files and returns them in the order of the manifest. */
  close(): Promise<WrittenFile[]>;
  /** Removes the result files. */
  abort(): Promise<void>;
}

/** A job in progress: its input, its progress and its time. */
export class JobRun {
  readonly request: JobRequest;
  readonly dependencies: JobDependencies;
  readonly source: RecordSource;
  readonly jobLimits: JobLimits;
  readonly throughput = new Throughput();
  /** Records solved so far. */
  puzzles = 0;
  readonly #startMs: number;

  constructor(request: JobRequest, dependencies: JobDependencies) {
    const { unpacking, clock } = dependencies;
    this.request = request;
    this.dependencies = dependencies;
    this.jobLimits = request.jobLimits ?? DEFAULT_JOB_LIMITS;
    const hints = { ...formatHints(request.options), fileName: request.fileName };
    const limits = { maxBytes: this.jobLimits.unpackedBytes, storedBytes: request.storedBytes };
    this.source = new RecordSource(request.input, hints, unpacking, clock, false, limits);
    this.source.canReadAhead = true;
    this.#startMs = clock.monotonicMs() - (request.before?.wallMs ?? 0);
  }

  /** Milliseconds since the job began. */
  get elapsedMs(): number {
    return this.dependencies.clock.monotonicMs() - this.#startMs;
  }

  /** Reports progress to the caller. @throws FileRejection if the caller stops the job */
  report(problem?: CoverProgress): void {
    const { storedBytes, plainBytes } = this.source.progress;
    const { elapsedMs, puzzles } = this;
    if (problem === undefined) this.throughput.add(puzzles, elapsedMs);
    const reason = this.request.stopReason?.({ storedBytes, plainBytes, puzzles, elapsedMs, problem });
    if (reason !== undefined) throw new FileRejection(reason);
  }

  /**
   * Lets other events have their turn, and compares the work so far with the limits, which grow with the file: text of unknown size is read ahead before it is
   * rejected. What is read ahead is at most a part of the results that were written.
   *
   * @throws FileRejection above one
   */
  async checkWork(work: JobWork): Promise<void> {
    await this.request.pause?.();
    for (;;) {
      const error = jobLimitError(work, this.#textBytes, this.jobLimits);
      if (error === undefined) return;
      if (!(await this.source.readAhead())) throw new FileRejection(error);
    }
  }

  /** Bytes of the whole text; of a file whose text has an unknown size, those that were read so far. */
  get #textBytes(): number {
    const { knowsSize, progress } = this.source;
    return Math.max(progress.plainBytes, knowsSize ? this.request.storedBytes! : 0);
  }
}
