/** The request of a job, what it depends on, and what it tells its caller. */
import type { SolutionCount } from '../../exact-cover/solution-count.ts';
import type { SplitRule } from '../../exact-cover/split/split-search.ts';
import type { Detection } from '../../formats/reader.ts';
import type { Engine } from '../../sudoku/engine.ts';
import type { JobLimits } from '../job-limits.ts';
import type { SolveOptions } from '../options.ts';
import type { Clock, Hashing, RandomIds, ResultFiles, Unpacking } from '../ports.ts';
import type { WrittenFile } from '../results/result-files.ts';
import type { JobStats, RuntimeInfo, UsedResources } from '../results/statistics.ts';
import type { BlockSolver } from '../solving/block-solver.ts';
import type { SubproblemsDone } from '../solving/elsewhere.ts';
import type { FileError } from './file-error.ts';
import type { InputProgress } from './input.ts';
import type { RecordSource } from './record-source.ts';

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

/** What runs jobs with any options has instead of a solver and an engine. */
export interface JobOpening extends Omit<JobDependencies, 'solver' | 'engine'> {
  readonly ids: RandomIds;
  /** @default the limits for which no operator has set others */
  readonly jobLimits?: JobLimits;
  /**
   * Opens engine and solver for one job; close them after it.
   *
   * @param storedBytes the size of its file or shard, if known
   */
  openSolver(
    options: SolveOptions,
    storedBytes?: number,
  ): Pick<JobDependencies, 'engine' | 'solver'> & { close(): Promise<void> };
}

/** What a file is that can be read. */
export type ReadableDetection = Exclude<Detection, { readonly kind: 'unreadable' }>;

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
}

/** Progress of a long search of one record. */
export interface SearchProgress {
  /** Puzzles of its block before it. */
  readonly puzzles: number;
  readonly solutions: SolutionCount;
  readonly nodes: number;
  /** Estimates the nodes of the whole search, once; undefined if that is not possible. */
  readonly treeNodes?: (() => number | undefined) | undefined;
  /** Undefined if the search is not split. */
  readonly subproblems?: SubproblemsDone | undefined;
}

export interface JobProgress extends Readonly<InputProgress> {
  /** Puzzles solved, and those of the current block before the one that is searched. */
  readonly puzzles: number;
  /** Milliseconds since the job began. */
  readonly elapsedMs: number;
  /** The search of the current exact-cover problem, or of a puzzle that is split. */
  readonly problem?: SearchProgress | undefined;
}

/** What a job tells its caller between two steps; the caller may end it. */
export type JobEvent =
  /** The first MiB of a file that can be read is here; nothing is solved yet. */
  | {
      readonly kind: 'head';
      readonly source: RecordSource;
      readonly detection: ReadableDetection;
    }
  /** After each block, and during a long exact-cover problem. */
  | ({ readonly kind: 'progress' } & JobProgress)
  /** During the search of a puzzle in cells. */
  | ({ readonly kind: 'search' } & JobProgress);

export type JobOutcome =
  | {
      readonly kind: 'completed';
      readonly stats: JobStats;
      /** All files of the result set except the manifest. */
      readonly files: readonly WrittenFile[];
    }
  /** The whole file cannot be solved; its result files are removed. */
  | {
      readonly kind: 'rejected';
      readonly error: FileError;
      /** Whether time is the only reason. */
      readonly outOfTime?: boolean;
    };
