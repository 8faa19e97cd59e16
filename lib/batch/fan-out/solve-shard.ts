/**
 * Solves one shard in one or more parts: each part is a run of consecutive records with its own files and counts. Its
 * output is final: indexes and line numbers are those of the whole file.
 *
 * A function stops near the end of its time, and the next one continues after the last record written. It reads the
 * shard from its beginning again and skips those records: reading takes a hundredth of the time of solving.
 *
 * The number of records in a part depends on time, so two attempts of one part differ. Each attempt writes its own files; the
 * first attempt to store `parts/<shard>-<part>.json` (`If-None-Match: *`) decides which files count.
 */

import type { WriterState } from '../../formats/reader.ts';
import type { FileError } from '../job/file-error.ts';
import { formatHints } from '../job/format-hints.ts';
import { FileRejection } from '../job/input.ts';
import type { JobDependencies } from '../job/job-run.ts';
import { rejectionOf } from '../job/rejection.ts';
import { DEFAULT_JOB_LIMITS, type JobLimits, jobLimitError } from '../job-limits.ts';
import { deadlineReserveMs } from '../limits.ts';
import { optionsFromCanonical, type SolveOptions } from '../options.ts';
import type { ObjectStore, RandomIds, ResultFiles } from '../ports.ts';
import type { WrittenFile } from '../results/result-files.ts';
import type { FilePosition } from '../results/result-writer.ts';
import type { EngineInfo, PhaseTimes, StatisticsSnapshot } from '../results/statistics.ts';
import { BlockPipeline } from '../solving/block-pipeline.ts';
import { OutOfTimeError } from '../solving/solve-block.ts';
import { putIfAbsent } from '../storage/put-if-absent.ts';
import { readJson } from '../storage/read-json.ts';
import type { CoverRange } from './covers/cover-ranges.ts';
import { searchRange } from './covers/search-range.ts';
import { readPlan } from './read-plan.ts';
import { isCoverPlan, type Shard, type ShardPlan } from './shard-plan.ts';
import { type ReadingTimes, shardBlocks } from './shard-reader.ts';
import type { SolveShardInput, StepProgress } from './steps.ts';
import type { WorkKeys } from './work-keys.ts';

export interface ShardDependencies extends Omit<JobDependencies, 'solver' | 'engine'> {
  readonly store: ObjectStore;
  readonly resultsBucket: string;
  readonly ids: RandomIds;
  /** @default the limits for which no operator has set others */
  readonly jobLimits?: JobLimits;
  /** @param storedBytes size of the shard, if known */
  openSolver(
    options: SolveOptions,
    storedBytes?: number,
  ): Pick<JobDependencies, 'engine' | 'solver'> & { close(): Promise<void> };
  /** Milliseconds until this process is stopped. */
  remainingMs(): number;
}

/** `parts/<shard>-<part>.json`: the result of a part, written after all of its files. */
export interface PartResult {
  readonly shard: number;
  readonly part: number;
  /** Id of the attempt that wrote it; part of the keys of its files. */
  readonly attemptId: string;
  /** Index of its first record in the file, from 1. */
  readonly firstIndex: number;
  readonly records: number;
  /** Whether it is the last part of the shard. */
  readonly last: boolean;
  readonly files: readonly WrittenFile[];
  /** Lines of its `exceptions.jsonl`. */
  readonly exceptions: number;
  /** Those whose result differs from the one that the file expects. */
  readonly unexpectedResults: number;
  /** Those with more solutions than may be written. A part of an earlier version has no such number. */
  readonly cutResults?: number;
  /** Layout of its first and last solution, for the separators; undefined if it has no solution. */
  readonly writer?: WriterState;
  readonly statistics: StatisticsSnapshot;
  readonly times: PhaseTimes;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly engine: EngineInfo;
  readonly memoryMb: number;
  /** The shard alone exceeds a limit of the whole file, which is rejected: the part has no files. */
  readonly rejected?: FileError;
}

/** Share of the time after which no new block starts; the rest is for the blocks in progress. */
const LAST_BLOCK_SHARE = 0.85;

/** Progress of a shard, and how to continue it. */
interface ShardCursor {
  /** Records in the parts so far. */
  readonly done: number;
  readonly part: number;
  /** Maximum records of the next part: an enumeration ran out of time in the record after them. */
  readonly atMost?: number;
  /** Whether blocks have one record each, because a larger block exceeded the time of a function. */
  readonly singly?: boolean;
}

export async function solveShard(
  input: SolveShardInput,
  dependencies: ShardDependencies,
): Promise<StepProgress> {
  const { plan, keys } = await readPlan(input, dependencies);
  if (isCoverPlan(plan)) {
    return searchRange(plan, keys, input.shard as CoverRange, input.cursor, dependencies);
  }
  const cursor = (input.cursor ?? { done: 0, part: 0 }) as unknown as ShardCursor;
  const shard = input.shard as Shard;
  const { store, resultsBucket } = dependencies;
  // An earlier attempt may have stored its result.
  const stored = await readJson<PartResult>(store, resultsBucket, keys.part(shard.shard, cursor.part));
  const part = stored?.document ?? (await new PartAttempt(plan, keys, shard, cursor, dependencies).solve());
  if ('retry' in part) return { done: false, cursor: { ...part.retry } };
  if (part.last) return { done: true, cursor: null };
  const { done, singly } = cursor;
  return { done: false, cursor: { done: done + part.records, part: cursor.part + 1, singly } };
}

class PartAttempt {
  readonly #plan: ShardPlan;
  readonly #keys: WorkKeys;
  readonly #shard: Shard;
  readonly #cursor: ShardCursor;
  readonly #dependencies: ShardDependencies;
  readonly #options: SolveOptions;
  readonly #attemptId: string;
  readonly #place: FilePosition;
  readonly #times: ReadingTimes = { readMs: 0, parseMs: 0 };

  constructor(
    plan: ShardPlan,
    keys: WorkKeys,
    shard: Shard,
    cursor: ShardCursor,
    dependencies: ShardDependencies,
  ) {
    this.#plan = plan;
    this.#keys = keys;
    this.#shard = shard;
    this.#cursor = cursor;
    this.#dependencies = dependencies;
    this.#options = optionsFromCanonical(plan.options);
    this.#attemptId = dependencies.ids.next();
    this.#place = { first: shard.shard === 0 && cursor.part === 0, last: false };
  }

  async solve(): Promise<PartResult | { readonly retry: ShardCursor }> {
    const { clock, hashing, remainingMs } = this.#dependencies;
    const { from, to } = this.#shard;
    const { engine, solver, close } = this.#dependencies.openSolver(this.#options, to - from);
    const startedAt = clock.timeOfDay();
    const startMs = clock.monotonicMs();
    const timeMs = remainingMs();
    const usableMs = timeMs - deadlineReserveMs(timeMs);
    const { jobLimits = DEFAULT_JOB_LIMITS } = this.#dependencies;
    const pipeline = new BlockPipeline(
      {
        options: this.#options,
        jobLimits,
        onWork: (work) => {
          const error = jobLimitError(work, this.#plan.source.bytes, jobLimits);
          if (error !== undefined) throw new FileRejection(error);
        },
        detection: this.#plan.detection,
        files: this.#files(),
        deadlineMs: startMs + usableMs,
        firstIndex: this.#shard.firstIndex + this.#cursor.done,
        position: this.#place,
        maxBlockRecords: this.#maxBlockRecords(),
      },
      { engine, solver, clock, hashing },
    );
    const { results } = pipeline;
    const store = (files: readonly WrittenFile[], end: Pick<PartResult, 'last' | 'writer' | 'rejected'>) =>
      this.#store({
        records: pipeline.written,
        files,
        exceptions: results.exceptions.total,
        unexpectedResults: results.exceptions.unexpected,
        cutResults: results.exceptions.cut,
        times: { wallMs: clock.monotonicMs() - startMs, writeMs: pipeline.writeMs, ...this.#times },
        startedAt,
        engine: { name: engine.name, version: engine.version, workers: solver.workers },
        statistics: pipeline.statistics.snapshot(),
        ...end,
      });
    try {
      const last = await this.#solveBlocks(pipeline, startMs + usableMs * LAST_BLOCK_SHARE);
      if (typeof last !== 'boolean') {
        await results.abort();
        return last;
      }
      this.#place.last = last && this.#shard.last;
      if (last) pipeline.statistics.commentLines = this.#shard.commentLines;
      const { state } = results;
      return await store(await results.close(), { last, writer: state });
    } catch (error) {
      await pipeline.settle();
      await results.abort();
      const rejected = rejectionOf(error);
      if (rejected !== undefined) return await store([], { last: true, rejected });
      throw error;
    } finally {
      await close();
    }
  }

  /** An enumeration may take any time, so each puzzle is its own block. */
  #maxBlockRecords(): number {
    return this.#cursor.singly === true || this.#enumerates ? 1 : Number.POSITIVE_INFINITY;
  }

  get #enumerates(): boolean {
    return this.#options.solutions > 2;
  }

  /**
   * Solves until the shard ends or the time runs out.
   *
   * @returns whether the shard ended, or a cursor for another attempt
   */
  async #solveBlocks(
    pipeline: BlockPipeline,
    lastBlockMs: number,
  ): Promise<boolean | { readonly retry: ShardCursor }> {
    try {
      const ended = await this.#takeBlocks(pipeline, lastBlockMs);
      await pipeline.drain();
      return ended;
    } catch (error) {
      if (!(error instanceof OutOfTimeError)) throw error;
      await pipeline.settle();
      if (pipeline.written === 0) return this.#retrySingly();
      // The files already have solutions of the record that ran out of time.
      if (this.#enumerates) return { retry: { ...this.#cursor, atMost: pipeline.written } };
      return false;
    }
  }

  /** @returns whether the shard ended */
  async #takeBlocks(pipeline: BlockPipeline, lastBlockMs: number): Promise<boolean> {
    const { clock } = this.#dependencies;
    const { pool } = pipeline;
    const { done, atMost = Number.POSITIVE_INFINITY } = this.#cursor;
    const { records } = this.#shard;
    const end = Math.min(records, done + atMost);
    const hints = formatHints(this.#options);
    const reading = { ...this.#dependencies, pool, times: this.#times };
    let taken = 0;
    for await (const block of shardBlocks(this.#plan, hints, this.#shard, reading, done, end)) {
      if (taken > 0 && clock.monotonicMs() > lastBlockMs) {
        pool.release(block);
        return false;
      }
      taken += block.count;
      await pipeline.take(block);
    }
    return end === records;
  }

  /** @throws Error if a single record exceeds the time of a function */
  #retrySingly(): { readonly retry: ShardCursor } {
    if (this.#maxBlockRecords() > 1) return { retry: { ...this.#cursor, singly: true } };
    const { shard, firstIndex } = this.#shard;
    const index = firstIndex + this.#cursor.done;
    throw new Error(
      `shard ${shard}: puzzle ${index} exceeds the time of one function; lower max-nodes or solutions`,
    );
  }

  /** @returns the stored result: the one of another attempt if that stored it first */
  async #store(
    solved: Omit<PartResult, 'shard' | 'part' | 'attemptId' | 'firstIndex' | 'memoryMb'>,
  ): Promise<PartResult> {
    const { store, resultsBucket, runtime } = this.#dependencies;
    const { shard, firstIndex } = this.#shard;
    const { part, done } = this.#cursor;
    const result: PartResult = {
      shard,
      part,
      attemptId: this.#attemptId,
      firstIndex: firstIndex + done,
      ...solved,
      memoryMb: runtime.memoryMb,
    };
    return putIfAbsent(store, resultsBucket, this.#keys.part(shard, part), result);
  }

  #files(): ResultFiles {
    const { store, resultsBucket } = this.#dependencies;
    const place = { shard: this.#shard.shard, part: this.#cursor.part, attemptId: this.#attemptId };
    return {
      open: (name, contentType) => store.writer(resultsBucket, this.#keys.partFile(place, name), contentType),
    };
  }
}
