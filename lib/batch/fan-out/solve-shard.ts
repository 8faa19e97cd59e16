/**
 * Solving one shard, in as many pieces as its time takes: each piece is a run of the shard's records, with files and
 * counts of its own. What is written is final: indexes and lines are those of the whole file.
 *
 * Near its end of time a function stops between two blocks, and the next one goes on there. It reads the shard from its
 * front again and passes over what is done, since reading takes a hundredth of the time of solving.
 */

import { openWriter } from '../../formats/formats.ts';
import type { WriterState } from '../../formats/reader.ts';
import { BlockPipeline } from '../block-pipeline.ts';
import { BlockPool } from '../block-pool.ts';
import { JSON_TYPE } from '../content-types.ts';
import { formatHints, type JobMachinery } from '../job.ts';
import { deadlineReserveMs } from '../limits.ts';
import { jsonBytes } from '../manifest.ts';
import { optionsFromCanonical, type SolveOptions } from '../options.ts';
import type { ObjectStore, ResultFiles } from '../ports.ts';
import { readJson } from '../read-json.ts';
import type { WrittenFile } from '../result-files.ts';
import { type FilePlace, ResultWriter } from '../result-writer.ts';
import { OutOfTimeError } from '../solve-block.ts';
import { type EngineInfo, JobStatistics, type PhaseTimes, type StatisticsSnapshot } from '../statistics.ts';
import type { Shard, ShardPlan } from './plan.ts';
import { readPlan } from './read-plan.ts';
import { type ReadingTimes, shardBlocks } from './shard-reader.ts';
import type { SolveShardInput, StepProgress } from './steps.ts';
import type { WorkKeys } from './work-keys.ts';

/** What solving shards needs. */
export interface ShardMachinery extends Omit<JobMachinery, 'solver' | 'engine'> {
  readonly store: ObjectStore;
  readonly resultsBucket: string;
  /** @param storedBytes the size of what it solves, as far as it is known */
  openSolver(
    options: SolveOptions,
    storedBytes?: number,
  ): Pick<JobMachinery, 'engine' | 'solver'> & { close(): Promise<void> };
  /** Milliseconds until this process is stopped. */
  remainingMs(): number;
}

/** `pieces/<shard>-<piece>.json`: what came of a piece, written when its files are all there. */
export interface PieceResult {
  readonly shard: number;
  readonly piece: number;
  /** Records from `firstIndex` on. */
  readonly firstIndex: number;
  readonly records: number;
  /** Whether the shard is over with it. */
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

/** Where a shard stands. */
interface ShardCursor {
  /** Records solved by the pieces before. */
  readonly done: number;
  readonly piece: number;
  /** Where the piece must end: an enumeration ran out of time in the puzzle behind it. */
  readonly upTo?: number;
}

/** Solves a piece of a shard. */
export async function solveShard(input: SolveShardInput, machinery: ShardMachinery): Promise<StepProgress> {
  const { plan, keys } = await readPlan(input, machinery);
  const cursor = (input.cursor ?? { done: 0, piece: 0 }) as unknown as ShardCursor;
  const shard = input.shard as Shard;
  const { store, resultsBucket } = machinery;
  // A retry whose first try had come to its end has nothing left to do.
  const standing = await readJson<PieceResult>(store, resultsBucket, keys.piece(shard.shard, cursor.piece));
  const piece = standing?.document ?? (await new PieceAttempt(plan, keys, shard, cursor, machinery).solve());
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
  readonly #statistics = new JobStatistics();
  readonly #place: FilePlace;
  readonly #times: ReadingTimes = { readMs: 0, parseMs: 0 };

  constructor(plan: ShardPlan, keys: WorkKeys, shard: Shard, cursor: ShardCursor, machinery: ShardMachinery) {
    this.#plan = plan;
    this.#keys = keys;
    this.#shard = shard;
    this.#cursor = cursor;
    this.#machinery = machinery;
    this.#options = optionsFromCanonical(plan.options);
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
    const deadlineMs = startMs + usableMs;
    const pool = new BlockPool(solver.sharedMemory, this.#plan.blockRecords);
    const writer = openWriter(this.#options.output, this.#plan.detection, formatHints(this.#options));
    const results = new ResultWriter(writer, this.#options, this.#files(), hashing, this.#place);
    const pipeline = new BlockPipeline(
      { engine, solver, clock },
      {
        limits: {
          maxSolutions: this.#options.solutions,
          maxNodes: this.#options.maxNodes,
          maxMs: Number.POSITIVE_INFINITY,
          deadlineMs,
        },
        pool,
        results,
        statistics: this.#statistics,
        countOnly: false,
        firstIndex: this.#shard.firstIndex + this.#cursor.done,
        onBlock: () => {},
      },
    );
    try {
      const last = await this.#solveBlocks(pipeline, pool, startMs + usableMs * LAST_BLOCK_SHARE);
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
      });
    } catch (error) {
      await pipeline.settle();
      await results.abort();
      if (!(error instanceof OutOfTimeError)) throw error;
      if (pipeline.written > 0) return { retry: { ...this.#cursor, upTo: pipeline.written } };
      throw new Error(this.#endless());
    } finally {
      await close();
    }
  }

  /** Solves until the shard is over, or no block may begin any more; whether it was the shard. */
  async #solveBlocks(pipeline: BlockPipeline, pool: BlockPool, lastBlockMs: number): Promise<boolean> {
    const { clock } = this.#machinery;
    const { done, upTo = Number.POSITIVE_INFINITY } = this.#cursor;
    const hints = formatHints(this.#options);
    let passed = 0;
    const reading = { ...this.#machinery, pool, times: this.#times };
    for await (const block of shardBlocks(this.#plan, hints, this.#shard, reading)) {
      if (passed < done) {
        // Blocks are cut alike each time the shard is read, so none is done in part.
        passed += block.count;
        pool.release(block);
        continue;
      }
      if (passed - done >= upTo || (passed > done && clock.monotonicMs() > lastBlockMs)) {
        pool.release(block);
        await pipeline.drain();
        return false;
      }
      passed += block.count;
      await pipeline.take(block);
    }
    await pipeline.drain();
    return true;
  }

  async #store(
    solved: Omit<PieceResult, 'shard' | 'piece' | 'firstIndex' | 'statistics' | 'memoryMb'>,
  ): Promise<PieceResult> {
    const { store, resultsBucket, runtime } = this.#machinery;
    const { shard, firstIndex } = this.#shard;
    const { piece, done } = this.#cursor;
    const result: PieceResult = {
      shard,
      piece,
      firstIndex: firstIndex + done,
      ...solved,
      statistics: this.#statistics.snapshot(),
      memoryMb: runtime.memoryMb,
    };
    await store.put(resultsBucket, this.#keys.piece(shard, piece), jsonBytes(result), JSON_TYPE);
    return result;
  }

  #files(): ResultFiles {
    const { store, resultsBucket } = this.#machinery;
    const { shard } = this.#shard;
    return {
      open: (name, contentType) =>
        store.writer(resultsBucket, this.#keys.pieceFile(shard, this.#cursor.piece, name), contentType),
    };
  }

  #endless(): string {
    const { shard, firstIndex } = this.#shard;
    const index = firstIndex + this.#cursor.done;
    return (
      `shard ${shard}: the puzzles from ${index} on take longer than one function has; ` +
      'lower max-nodes, or the number of solutions that are looked for'
    );
  }
}
