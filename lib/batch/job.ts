/**
 * One job: a stream of bytes becomes a result set.
 *
 *     stored bytes -> plain bytes -> blocks of records -> solver -> solutions, exceptions, records -> stats
 *                     (input.ts)     (lib/formats)        (block-solver.ts)  (result-writer.ts)
 *
 * Nothing holds a whole file: the first MiB decides the format, then blocks of a few hundred records pass through,
 * as many at once as the solver takes, written in input order.
 */
import { detectFormat, openReader, openWriter, type PuzzleDetection } from '../formats/formats.ts';
import { type FormatHints, HEAD_BYTES } from '../formats/reader.ts';
import type { RecordBlock } from '../formats/record-block.ts';
import type { Engine } from '../sudoku/engine.ts';
import { BlockPool, type BlockSolver } from './block-solver.ts';
import { enumerateBlock } from './enumerate-block.ts';
import type { FileError } from './file-error.ts';
import { FileRejection, type InputProgress, joined, plainBytes } from './input.ts';
import type { SolveOptions } from './options.ts';
import { type Clock, CorruptInputError, type Hashing, type ResultFiles, type Unpacking } from './ports.ts';
import { ResultFile, type WrittenFile } from './result-files.ts';
import { ResultWriter } from './result-writer.ts';
import { OutOfTimeError, type PuzzleLimits } from './solve-block.ts';
import { JobStatistics, type JobStats, type PhaseTimes, type RuntimeInfo } from './statistics.ts';

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
}

export interface JobRequest {
  /** The file as it is stored, compressed or not. */
  readonly input: AsyncIterable<Uint8Array>;
  readonly options: SolveOptions;
  readonly files: ResultFiles;
  /** Time for one puzzle in milliseconds. @default Infinity: a time budget is not reproducible */
  readonly maxMs?: number;
  /** When the job must have stopped, on the clock's monotonic time. @default Infinity */
  readonly deadlineMs?: number;
  /** Counts the solutions of an enumeration without writing them. @default false */
  readonly countOnly?: boolean;
  /** Looked at after each block; a sentence stops the job between puzzles. @default never stops */
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
  | { readonly kind: 'rejected'; readonly error: FileError };

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
    if (error instanceof OutOfTimeError) return { kind: 'rejected', error: job.outOfTime() };
    if (error instanceof FileRejection) return { kind: 'rejected', error: error.error };
    if (error instanceof CorruptInputError) {
      return { kind: 'rejected', error: { code: 'corrupt', message: error.message } };
    }
    throw error;
  }
}

/** A block under way: its answers are there once `solved` resolves. */
interface BlockUnderWay {
  readonly block: RecordBlock;
  readonly solved: Promise<void>;
}

class Job {
  readonly #request: JobRequest;
  readonly #machinery: JobMachinery;
  readonly #limits: PuzzleLimits;
  readonly #pool: BlockPool;
  readonly #statistics = new JobStatistics();
  readonly #progress: InputProgress = { storedBytes: 0, plainBytes: 0 };
  readonly #times: PhaseTimes = { wallMs: 0, readMs: 0, parseMs: 0, writeMs: 0 };
  readonly #startMs: number;
  readonly #underWay: BlockUnderWay[] = [];
  #results: ResultWriter | undefined;
  #puzzles = 0;

  constructor(request: JobRequest, machinery: JobMachinery) {
    const { options, maxMs = Number.POSITIVE_INFINITY, deadlineMs = Number.POSITIVE_INFINITY } = request;
    this.#request = request;
    this.#machinery = machinery;
    this.#limits = { maxSolutions: options.solutions, maxNodes: options.maxNodes, maxMs, deadlineMs };
    this.#pool = new BlockPool(machinery.solver.sharedMemory);
    this.#startMs = machinery.clock.monotonicMs();
  }

  async run(): Promise<JobOutcome> {
    const { input, options, files } = this.#request;
    const { unpacking, hashing } = this.#machinery;
    const hints = formatHints(options);
    const source = new TimedSource(plainBytes(input, unpacking, this.#progress), this);
    try {
      const { head, complete } = await readHead(source);
      const detection = detectFormat(head.subarray(0, HEAD_BYTES), complete, hints);
      if (detection.kind === 'unreadable') throw new FileRejection(detection.error);
      const writer = openWriter(options.output, detection, hints);
      this.#results = new ResultWriter(writer, options, files, hashing);
      if (detection.kind === 'puzzles') await this.#solveAll(detection, hints, head, complete, source);
      return await this.#finish(this.#results);
    } finally {
      await source.close();
    }
  }

  async abort(): Promise<void> {
    await Promise.allSettled(this.#underWay.map(({ solved }) => solved));
    await this.#results?.abort();
  }

  outOfTime(): FileError {
    const elapsedSeconds = Math.round((this.nowMs() - this.#startMs) / 1000);
    return {
      code: 'too_large',
      message:
        `the file does not fit in one function's time: ${this.#puzzles} puzzles were solved in ` +
        `${elapsedSeconds} s, and not all were; split the file, lower max-nodes, or solve it with the command-line tool`,
    };
  }

  nowMs(): number {
    return this.#machinery.clock.monotonicMs();
  }

  countReadMs(ms: number): void {
    this.#times.readMs += ms;
  }

  async #solveAll(
    detection: PuzzleDetection,
    hints: FormatHints,
    head: Uint8Array,
    complete: boolean,
    source: TimedSource,
  ): Promise<void> {
    const reader = openReader(detection, hints, this.#pool);
    await this.#solveBlocks(reader.push(head));
    if (!complete) {
      for (let bytes = await source.next(); bytes !== undefined; bytes = await source.next()) {
        await this.#solveBlocks(reader.push(bytes));
      }
    }
    await this.#solveBlocks(reader.end());
    while (this.#underWay.length > 0) await this.#writeOldest();
  }

  /** Passes the blocks that a reader gives on to the solver, and writes what comes out of it. */
  async #solveBlocks(blocks: Iterable<RecordBlock>): Promise<void> {
    const { solver } = this.#machinery;
    const iterator = blocks[Symbol.iterator]();
    for (;;) {
      const startMs = this.nowMs();
      const next = iterator.next();
      this.#times.parseMs += this.nowMs() - startMs;
      if (next.done === true) return;
      const block = next.value;
      const { geometry } = block;
      const refusal = this.#machinery.engine.refuses(geometry);
      if (refusal !== undefined)
        throw new FileRejection(refusedPuzzle(block, this.#machinery.engine, refusal));
      if (this.#limits.maxSolutions > 2) {
        await this.#enumerate(block);
        continue;
      }
      const solved = solver.solve(block, this.#limits, this.#pool.answersOf(block));
      // A failure is met where the block is awaited; until then it must not count as unhandled.
      solved.catch(() => {});
      this.#underWay.push({ block, solved });
      if (this.#underWay.length >= solver.depth) await this.#writeOldest();
    }
  }

  async #writeOldest(): Promise<void> {
    const { block, solved } = this.#underWay[0]!;
    await solved;
    this.#underWay.shift();
    const answers = this.#pool.answersOf(block);
    const startMs = this.nowMs();
    await this.#results!.writeBlock(block, answers, this.#puzzles + 1);
    this.#times.writeMs += this.nowMs() - startMs;
    this.#finishBlock(block);
  }

  async #enumerate(block: RecordBlock): Promise<void> {
    const { engine, clock } = this.#machinery;
    const written = this.#request.countOnly === true ? undefined : this.#results!;
    const answers = this.#pool.answersOf(block);
    for (const found of enumerateBlock(engine, block, this.#limits, clock, answers)) {
      const index = this.#puzzles + found.record + 1;
      if (found.kind === 'solution') {
        await written?.writeSolution(block, answers, found.record, index, found.ordinal);
      } else {
        await this.#results!.writeEnumerated(block, answers, found.record, index);
      }
    }
    this.#finishBlock(block);
  }

  #finishBlock(block: RecordBlock): void {
    this.#statistics.addBlock(block, this.#pool.answersOf(block), this.#puzzles + 1);
    this.#puzzles += block.count;
    this.#pool.release(block);
    const { storedBytes, plainBytes } = this.#progress;
    const elapsedMs = this.nowMs() - this.#startMs;
    const reason = this.#request.stopReason?.({ storedBytes, plainBytes, puzzles: this.#puzzles, elapsedMs });
    if (reason !== undefined) throw new FileRejection(reason);
  }

  async #finish(results: ResultWriter): Promise<JobOutcome> {
    const { solver, engine, runtime, hashing } = this.#machinery;
    const startMs = this.nowMs();
    const files = await results.close();
    const endMs = this.nowMs();
    this.#times.writeMs += endMs - startMs;
    this.#times.wallMs = endMs - this.#startMs;
    const info = { name: engine.name, version: engine.version, workers: solver.workers };
    const stats = this.#statistics.stats(this.#times, info, runtime);
    const statsFile = new ResultFile('stats.json', 'application/json', this.#request.files, hashing);
    statsFile.out.text(`${JSON.stringify(stats, undefined, 2)}\n`);
    files.push(await statsFile.close());
    return { kind: 'completed', stats, files };
  }
}

/** A stream that is read step by step, with the time spent waiting for it. */
class TimedSource {
  readonly #iterator: AsyncIterator<Uint8Array>;
  readonly #job: Job;

  constructor(bytes: AsyncIterable<Uint8Array>, job: Job) {
    this.#iterator = bytes[Symbol.asyncIterator]();
    this.#job = job;
  }

  /** The next piece; undefined at the end. */
  async next(): Promise<Uint8Array | undefined> {
    const startMs = this.#job.nowMs();
    const next = await this.#iterator.next();
    this.#job.countReadMs(this.#job.nowMs() - startMs);
    return next.done === true ? undefined : next.value;
  }

  async close(): Promise<void> {
    await this.#iterator.return?.();
  }
}

/** The first bytes of a file, at least `HEAD_BYTES` of them, or all of a smaller one. */
async function readHead(source: TimedSource): Promise<{ head: Uint8Array; complete: boolean }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  while (length < HEAD_BYTES) {
    const bytes = await source.next();
    if (bytes === undefined) return { head: joined(pieces), complete: true };
    pieces.push(bytes.slice());
    length += bytes.length;
  }
  return { head: joined(pieces), complete: false };
}

function formatHints(options: SolveOptions): FormatHints {
  const { format, alphabet, variant, box } = options;
  return { format, alphabet, variant, box };
}

function refusedPuzzle(block: RecordBlock, engine: Engine, refusal: string): FileError {
  return {
    code: 'unsupported_variant',
    message: `engine ${engine.name} does not take the puzzle at line ${block.line[0]}: ${refusal}; engine dlx takes every puzzle`,
    line: block.line[0],
  };
}
