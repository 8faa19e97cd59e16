/**
 * One job: a stream of bytes becomes a result set.
 *
 *     stored bytes -> plain bytes -> blocks of records -> solver -> solutions, exceptions, records -> stats
 *                     (input.ts)     (lib/formats)        (block-solver.ts)  (result-writer.ts)
 *
 * Nothing holds a whole file: the first MiB decides the format, then blocks of a few hundred records pass through,
 * as many at once as the solver takes, written in input order.
 */
import { type CoverDetection, openWriter } from '../../formats/formats.ts';
import type { FormatHints } from '../../formats/reader.ts';
import type { Engine } from '../../sudoku/engine.ts';
import { CoverJob, type CoverProgress, coverRefusal } from '../covers/cover-job.ts';
import { canonicalOptions, type SolveOptions } from '../options.ts';
import { type Clock, CorruptInputError, type Hashing, type ResultFiles, type Unpacking } from '../ports.ts';
import type { ExceptionSample } from '../report/exception-sample.ts';
import { Throughput } from '../report/throughput.ts';
import { HTML_TYPE, JSON_TYPE } from '../results/content-types.ts';
import { storeText, type WrittenFile } from '../results/result-files.ts';
import { ResultWriter } from '../results/result-writer.ts';
import { JobStatistics, type JobStats, type RuntimeInfo } from '../results/statistics.ts';
import { BlockPipeline } from '../solving/block-pipeline.ts';
import { BlockPool } from '../solving/block-pool.ts';
import type { BlockSolver } from '../solving/block-solver.ts';
import { OutOfTimeError, type PuzzleLimits } from '../solving/solve-block.ts';
import type { FileError } from './file-error.ts';
import { FileRejection, type InputProgress } from './input.ts';
import { RecordSource } from './record-source.ts';

/** What a job runs on. */
export interface JobMachinery {
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

export type JobOutcome =
  | {
      readonly kind: 'completed';
      readonly stats: JobStats;
      /** Every file of the result set but the manifest. */
      readonly files: readonly WrittenFile[];
    }
  /** The file as a whole cannot be solved; nothing of it stays in `files`. */
  | {
      readonly kind: 'rejected';
      readonly error: FileError;
      /** Whether it was only the time that was too short. */
      readonly outOfTime?: boolean;
    };

/**
 * Runs a job.
 *
 * A puzzle's trouble is a value in the results, a file's trouble is the outcome `rejected`; infrastructure trouble
 * and our own defects throw, and then nothing of the files stays either.
 */
export async function runJob(request: JobRequest, machinery: JobMachinery): Promise<JobOutcome> {
  const job = new Job(request, machinery);
  try {
    return await job.run();
  } catch (error) {
    await job.abort();
    if (error instanceof OutOfTimeError) return { kind: 'rejected', error: job.outOfTime(), outOfTime: true };
    if (error instanceof FileRejection) return { kind: 'rejected', error: error.error };
    if (error instanceof CorruptInputError) {
      return { kind: 'rejected', error: { code: 'corrupt', message: error.message } };
    }
    throw error;
  }
}

class Job {
  readonly #request: JobRequest;
  readonly #machinery: JobMachinery;
  readonly #limits: PuzzleLimits;
  readonly #pool: BlockPool;
  readonly #statistics = new JobStatistics();
  readonly #throughput = new Throughput();
  readonly #source: RecordSource;
  readonly #startMs: number;
  #results: ResultWriter | undefined;
  #pipeline: BlockPipeline | undefined;
  #covers: CoverJob | undefined;
  #puzzles = 0;
  #writeMs = 0;

  constructor(request: JobRequest, machinery: JobMachinery) {
    const { options, maxMs = Number.POSITIVE_INFINITY, deadlineMs = Number.POSITIVE_INFINITY } = request;
    this.#request = request;
    this.#machinery = machinery;
    this.#limits = { maxSolutions: options.solutions, maxNodes: options.maxNodes, maxMs, deadlineMs };
    this.#pool = new BlockPool(machinery.solver.sharedMemory);
    const { unpacking, clock } = machinery;
    const hints = { ...formatHints(options), fileName: request.fileName };
    this.#source = new RecordSource(request.input, hints, unpacking, clock);
    this.#startMs = machinery.clock.monotonicMs();
  }

  async run(): Promise<JobOutcome> {
    const { options, files } = this.#request;
    const source = this.#source;
    try {
      const detection = await source.detect();
      if (detection.kind === 'unreadable') throw new FileRejection(detection.error);
      if (detection.kind === 'exact-cover') return await this.#solveCovers(detection);
      const writer = openWriter(options.output, detection);
      this.#results = new ResultWriter(writer, options, files, this.#machinery.hashing);
      if (detection.kind === 'puzzles') {
        const pipeline = this.#openPipeline(this.#results);
        this.#pipeline = pipeline;
        for await (const block of source.blocks(detection, this.#pool)) await pipeline.take(block);
        await pipeline.drain();
        this.#writeMs += pipeline.writeMs;
      }
      return await this.#finish(this.#results);
    } finally {
      await source.close();
    }
  }

  async abort(): Promise<void> {
    await this.#pipeline?.settle();
    await (this.#results ?? this.#covers)?.abort();
  }

  outOfTime(): FileError {
    const elapsedSeconds = Math.round((this.#nowMs() - this.#startMs) / 1000);
    return {
      code: 'too_large',
      message:
        `the file does not fit in one function's time: ${this.#puzzles} puzzles were solved in ` +
        `${elapsedSeconds} s, and not all were; split the file, lower max-nodes, or solve it with the command-line tool`,
    };
  }

  #openPipeline(results: ResultWriter): BlockPipeline {
    const pipeline = new BlockPipeline(this.#machinery, {
      limits: this.#limits,
      pool: this.#pool,
      results,
      statistics: this.#statistics,
      countOnly: this.#request.countOnly === true,
      firstIndex: 1,
      onBlock: () => {
        this.#puzzles = pipeline.written;
        this.#progress();
      },
    });
    return pipeline;
  }

  #nowMs(): number {
    return this.#machinery.clock.monotonicMs();
  }

  async #solveCovers(detection: CoverDetection): Promise<JobOutcome> {
    const { options, files, countOnly = false } = this.#request;
    const { hashing, clock } = this.#machinery;
    const refusal = coverRefusal(options);
    if (refusal !== undefined) throw new FileRejection(refusal);
    const covers = new CoverJob(options, this.#limits, countOnly, files, hashing, clock);
    this.#covers = covers;
    for await (const record of this.#source.covers(detection)) {
      const index = this.#puzzles + 1;
      const answer = await covers.solve(record, index, (problem) => this.#progress(problem));
      this.#statistics.addCover(record, answer, index);
      this.#puzzles = index;
      this.#writeMs = covers.writeMs;
      this.#progress();
    }
    return this.#finish(covers);
  }

  #progress(problem?: CoverProgress): void {
    const { storedBytes, plainBytes } = this.#source.progress;
    const elapsedMs = this.#nowMs() - this.#startMs;
    const puzzles = this.#puzzles;
    if (problem === undefined) this.#throughput.add(puzzles, elapsedMs);
    const reason = this.#request.stopReason?.({ storedBytes, plainBytes, puzzles, elapsedMs, problem });
    if (reason !== undefined) throw new FileRejection(reason);
  }

  async #finish(results: ResultWriter | CoverJob): Promise<JobOutcome> {
    const { solver, engine, runtime } = this.#machinery;
    const startMs = this.#nowMs();
    const files = await results.close();
    const endMs = this.#nowMs();
    this.#writeMs += endMs - startMs;
    const { readMs, parseMs } = this.#source;
    const times = { wallMs: endMs - this.#startMs, readMs, parseMs, writeMs: this.#writeMs };
    const workers = results === this.#covers ? 1 : solver.workers;
    const info = { name: engine.name, version: engine.version, workers };
    const stats = this.#statistics.stats(times, info, runtime);
    const statsText = `${JSON.stringify(stats, undefined, 2)}\n`;
    files.push(await this.#store('stats.json', JSON_TYPE, statsText));
    if (this.#request.report !== false) files.push(await this.#report(stats, results.exceptions));
    return { kind: 'completed', stats, files };
  }

  async #report(stats: JobStats, exceptions: ExceptionSample): Promise<WrittenFile> {
    // Loaded only where it is wanted: most of a small job's time would go there.
    const { reportPage } = await import('../report/report-page.ts');
    const { fileName, options } = this.#request;
    const page = reportPage({
      inputName: fileName,
      finishedAt: this.#machinery.clock.timeOfDay(),
      canonicalOptions: canonicalOptions(options),
      stats,
      slowest: this.#statistics.slowestRecords(),
      exceptions,
      throughput: this.#throughput.samples(),
    });
    return this.#store('report.html', HTML_TYPE, page);
  }

  /** A file that is written at once. */
  #store(name: string, contentType: string, text: string): Promise<WrittenFile> {
    return storeText(name, contentType, text, this.#request.files, this.#machinery.hashing);
  }
}

/** What the options say about the file's format. */
export function formatHints({ format, alphabet, variant, box }: SolveOptions): FormatHints {
  return { format, alphabet, variant, box };
}
