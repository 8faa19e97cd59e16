/**
 * Solving one shard, in as many pieces as its time takes: each piece is a run of the shard's records, with files and
 * counts of its own. What is written is final: indexes and lines are those of the whole file.
 *
 * Near the end of its time a function stops, and the next one continues after the last record that was written. It reads
 * the shard from its front again and skips those records: reading takes a hundredth of the time of solving.
 *
 * How many records a piece has depends on time, so two tries of one piece differ. Each try writes files of its own, and
 * `pieces/<shard>-<piece>.json`, written on the condition that there is none, decides which of them count.
 */

import type { WriterState } from '../../formats/reader.ts';
import { formatHints } from '../job/format-hints.ts';
import type { JobDependencies } from '../job/job-run.ts';
import { deadlineReserveMs } from '../limits.ts';
import { optionsFromCanonical, type SolveOptions } from '../options.ts';
import type { ObjectStore, RandomIds, ResultFiles } from '../ports.ts';
import type { WrittenFile } from '../results/result-files.ts';
import type { FilePosition } from '../results/result-writer.ts';
import type { EngineInfo, PhaseTimes, StatisticsSnapshot } from '../results/statistics.ts';
import type { BlockPipeline } from '../solving/block-pipeline.ts';
import type { BlockPool } from '../solving/block-pool.ts';
import { openPipeline } from '../solving/open-pipeline.ts';
import { OutOfTimeError } from '../solving/solve-block.ts';
import { putFirst } from '../storage/put-first.ts';
import { readJson } from '../storage/read-json.ts';
import type { Shard, ShardPlan } from './plan.ts';
import { readPlan } from './read-plan.ts';
import { type ReadingTimes, shardBlocks } from './shard-reader.ts';
import type { SolveShardInput, StepProgress } from './steps.ts';
import type { WorkKeys } from './work-keys.ts';

/** What solving shards needs. */
export interface ShardMachinery extends Omit<JobDependencies, 'solver' | 'engine'> {
  readonly store: ObjectStore;
  readonly resultsBucket: string;
  readonly ids: RandomIds;
  /** @param storedBytes the size of what it solves, as far as it is known */
  openSolver(
    options: SolveOptions,
    storedBytes?: number,
  ): Pick<JobDependencies, 'engine' | 'solver'> & { close(): Promise<void> };
  /** Milliseconds until this process is stopped. */
  remainingMs(): number;
}

/** `pieces/<shard>-<piece>.json`: the result of a piece, written when its files are all there. */
export interface PieceResult {
  readonly shard: number;
  readonly piece: number;
  /** Which try wrote it: its files have this id in their keys. */
  readonly tryId: string;
  /** Records from `firstIndex` on. */
  readonly firstIndex: number;
  readonly records: number;
  /** Whether the shard ends with it. */
  readonly last: boolean;
  readonly files: readonly WrittenFile[];
  /** Lines of its `exceptions.jsonl`. */
  readonly exceptions: number;
  /** How its first and last solution stand; undefined where it has none. */
  readonly writer?: WriterState;
  readonly statistics: StatisticsSnapshot;
  readonly times: PhaseTimes;
  /** When it began, ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly engine: EngineInfo;
  readonly memoryMb: number;
}

/** Share of the time after which no further block is begun; those under way have the rest. */
const LAST_BLOCK_SHARE = 0.85;

/** What is solved of a shard, and how to continue. */
interface ShardCursor {
  /** Records in the pieces so far. */
  readonly done: number;
  readonly piece: number;
  /** Most records of the next piece: an enumeration ran out of time in the record after them. */
  readonly atMost?: number;
  /** Whether blocks have one record each: a block of several took longer than a function has. */
  readonly singly?: boolean;
}

/** Solves a piece of a shard. */
export async function solveShard(input: SolveShardInput, machinery: ShardMachinery): Promise<StepProgress> {
  const { plan, keys } = await readPlan(input, machinery);
  const cursor = (input.cursor ?? { done: 0, piece: 0 }) as unknown as ShardCursor;
  const shard = input.shard as Shard;
  const { store, resultsBucket } = machinery;
  // A retry whose first try stored its result has nothing left to do.
  const stored = await readJson<PieceResult>(store, resultsBucket, keys.piece(shard.shard, cursor.piece));
  const piece = stored?.document ?? (await new PieceAttempt(plan, keys, shard, cursor, machinery).solve());
  if ('retry' in piece) return { done: false, cursor: { ...piece.retry } };
  if (piece.last) return { done: true, cursor: null };
  return { done: false, cursor: { done: cursor.done + piece.records, piece: cursor.piece + 1 } };
}

class PieceAttempt {
  readonly #plan: ShardPlan;
  readonly #keys: WorkKeys;
  readonly #shard: Shard;
  readonly #cursor: ShardCursor;
  readonly #machinery: ShardMachinery;
  readonly #options: SolveOptions;
  readonly #tryId: string;
  readonly #place: FilePosition;
  readonly #times: ReadingTimes = { readMs: 0, parseMs: 0 };

  constructor(plan: ShardPlan, keys: WorkKeys, shard: Shard, cursor: ShardCursor, machinery: ShardMachinery) {
    this.#plan = plan;
    this.#keys = keys;
    this.#shard = shard;
    this.#cursor = cursor;
    this.#machinery = machinery;
    this.#options = optionsFromCanonical(plan.options);
    this.#tryId = machinery.ids.next();
    this.#place = { first: shard.shard === 0 && cursor.piece === 0, last: false };
  }

  async solve(): Promise<PieceResult | { readonly retry: ShardCursor }> {
    const { clock, hashing, remainingMs } = this.#machinery;
    const { from, to } = this.#shard;
    const { engine, solver, close } = this.#machinery.openSolver(this.#options, to - from);
    const startedAt = clock.timeOfDay();
    const startMs = clock.monotonicMs();
    const timeMs = remainingMs();
    const usableMs = timeMs - deadlineReserveMs(timeMs);
    const { pool, pipeline, results, statistics } = openPipeline(
      {
        options: this.#options,
        detection: this.#plan.detection,
        files: this.#files(),
        deadlineMs: startMs + usableMs,
        firstIndex: this.#shard.firstIndex + this.#cursor.done,
        position: this.#place,
        maxBlockRecords: this.#maxBlockRecords(),
      },
      { engine, solver, clock, hashing },
    );
    try {
      const last = await this.#solveBlocks(pipeline, pool, startMs + usableMs * LAST_BLOCK_SHARE);
      if (typeof last !== 'boolean') {
        await results.abort();
        return last;
      }
      this.#place.last = last && this.#shard.last;
      const { state } = results;
      const files = await results.close();
      const info = { name: engine.name, version: engine.version, workers: solver.workers };
      return await this.#store({
        records: pipeline.written,
        last,
        files,
        exceptions: results.exceptions.total,
        writer: state,
        times: { wallMs: clock.monotonicMs() - startMs, writeMs: pipeline.writeMs, ...this.#times },
        startedAt,
        engine: info,
        statistics: statistics.snapshot(),
      });
    } catch (error) {
      await pipeline.settle();
      await results.abort();
      throw error;
    } finally {
      await close();
    }
  }

  /** Puzzles of an enumeration may take any time, so each is a block of its own. */
  #maxBlockRecords(): number {
    return this.#cursor.singly === true || this.#enumerates ? 1 : Number.POSITIVE_INFINITY;
  }

  get #enumerates(): boolean {
    return this.#options.solutions > 2;
  }

  /**
   * Solves until the shard or the time ends.
   *
   * @returns whether the shard ended, or how to try again
   */
  async #solveBlocks(
    pipeline: BlockPipeline,
    pool: BlockPool,
    lastBlockMs: number,
  ): Promise<boolean | { readonly retry: ShardCursor }> {
    try {
      const ended = await this.#takeBlocks(pipeline, pool, lastBlockMs);
      await pipeline.drain();
      return ended;
    } catch (error) {
      if (!(error instanceof OutOfTimeError)) throw error;
      await pipeline.settle();
      if (pipeline.written === 0) return this.#retrySingly();
      // Solutions of the record that ran out of time are in the files already.
      if (this.#enumerates) return { retry: { ...this.#cursor, atMost: pipeline.written } };
      return false;
    }
  }

  /** @returns whether the shard ended */
  async #takeBlocks(pipeline: BlockPipeline, pool: BlockPool, lastBlockMs: number): Promise<boolean> {
    const { clock } = this.#machinery;
    const { done, atMost = Number.POSITIVE_INFINITY } = this.#cursor;
    const { records } = this.#shard;
    const end = Math.min(records, done + atMost);
    const hints = formatHints(this.#options);
    const reading = { ...this.#machinery, pool, times: this.#times };
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

  /** @throws Error where a single record takes longer than a function has */
  #retrySingly(): { readonly retry: ShardCursor } {
    if (this.#maxBlockRecords() > 1) return { retry: { ...this.#cursor, singly: true } };
    const { shard, firstIndex } = this.#shard;
    const index = firstIndex + this.#cursor.done;
    throw new Error(
      `shard ${shard}: puzzle ${index} takes longer than one function has; ` +
        'lower max-nodes, or the number of solutions to find',
    );
  }

  /** @returns the result that counts: that of another try if it was stored first */
  async #store(
    solved: Omit<PieceResult, 'shard' | 'piece' | 'tryId' | 'firstIndex' | 'memoryMb'>,
  ): Promise<PieceResult> {
    const { store, resultsBucket, runtime } = this.#machinery;
    const { shard, firstIndex } = this.#shard;
    const { piece, done } = this.#cursor;
    const result: PieceResult = {
      shard,
      piece,
      tryId: this.#tryId,
      firstIndex: firstIndex + done,
      ...solved,
      memoryMb: runtime.memoryMb,
    };
    return putFirst(store, resultsBucket, this.#keys.piece(shard, piece), result);
  }

  #files(): ResultFiles {
    const { store, resultsBucket } = this.#machinery;
    const place = { shard: this.#shard.shard, piece: this.#cursor.piece, tryId: this.#tryId };
    return {
      open: (name, contentType) =>
        store.writer(resultsBucket, this.#keys.pieceFile(place, name), contentType),
    };
  }
}
