/**
 * Solves records of a shard. The output of a part is final: indexes and line numbers are those of the whole file.
 *
 * A function reads the shard from its beginning and skips the records of earlier parts: reading takes a hundredth of the
 * time of solving.
 */
import type { WriterState } from '../../formats/reader.ts';
import { BlockPipeline } from '../job/block-pipeline.ts';
import type { FileError } from '../job/file-error.ts';
import { formatHints } from '../job/format-hints.ts';
import { FileRejection } from '../job/input.ts';
import { rejectionOf } from '../job/rejection.ts';
import { DEFAULT_JOB_LIMITS, jobLimitError } from '../job-limits.ts';
import { optionsFromCanonical } from '../options.ts';
import type { WrittenFile } from '../results/result-files.ts';
import type { EngineInfo, PhaseTimes, StatisticsSnapshot } from '../results/statistics.ts';
import { OutOfTimeError } from '../solving/drive.ts';
import { FunctionTime } from '../storage/function-time.ts';
import type { LargeDependencies, Shard, ShardPlan } from './large-job.ts';
import type { Part, PartCursor } from './parts.ts';
import { shardBlocks } from './shard-reader.ts';
import type { Attempted, PartAttempt } from './solve-shard.ts';

/** A part with records. */
export interface RecordsPart extends Part {
  readonly files: readonly WrittenFile[];
  /** Lines of its `exceptions.jsonl`, and those of two kinds. */
  readonly exceptions: { readonly total: number; readonly unexpected: number; readonly cut: number };
  /** Layout of its first and last solution, for the separators; undefined if it has no solution. */
  readonly writer?: WriterState;
  readonly statistics: StatisticsSnapshot;
  readonly times: PhaseTimes;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly engine: EngineInfo;
  /** The shard alone exceeds a limit of the whole file, which is rejected: the part has no files. */
  readonly rejected?: FileError;
}

interface RecordsCursor extends PartCursor {
  /** Maximum records of the part: an enumeration ran out of time in the record after them. */
  readonly atMost?: number;
  /** Whether blocks have one record each, because a larger block exceeded the time of a function. */
  readonly singly?: boolean;
}

/** Share of the time after which no new block starts; the rest is for the blocks in progress. */
const LAST_BLOCK_SHARE = 0.85;

/** @throws Error if a single record exceeds the time of a function */
export async function solveRecords(
  plan: ShardPlan,
  { item: shard, cursor, head, open }: PartAttempt<Shard, RecordsCursor>,
  dependencies: LargeDependencies,
): Promise<Attempted<RecordsPart>> {
  const { clock, hashing, jobLimits = DEFAULT_JOB_LIMITS } = dependencies;
  const options = optionsFromCanonical(plan.options);
  const enumerates = options.solutions > 2;
  // An enumeration may take any time, so each puzzle is its own block.
  const isSingly = cursor.singly === true || enumerates;
  const { done, atMost = Number.POSITIVE_INFINITY } = cursor;
  const end = Math.min(shard.records, done + atMost);
  const startedAt = clock.timeOfDay();
  const time = new FunctionTime(dependencies);
  const startMs = clock.monotonicMs();
  const lastBlockMs = startMs + time.usableMs * LAST_BLOCK_SHARE;
  const position = { first: shard.shard === 0 && cursor.part === 0, last: false };
  const reading = { readMs: 0, parseMs: 0 };
  const { engine, solver, close } = dependencies.openSolver(options, shard.to - shard.from);
  const pipeline = new BlockPipeline(
    {
      options,
      jobLimits,
      detection: plan.detection,
      files: { open },
      deadlineMs: startMs + time.usableMs,
      firstIndex: shard.firstIndex + done,
      position,
      maxBlockRecords: isSingly ? 1 : Number.POSITIVE_INFINITY,
    },
    { engine, solver, clock, hashing },
  );
  const { pool, results, statistics } = pipeline;

  let isLate = false;
  /** Blocks until the shard ends or the time is short. */
  async function* blocks() {
    let isFirst = true;
    const from = { ...dependencies, pool, times: reading };
    for await (const block of shardBlocks(plan, formatHints(options), shard, from, done, end)) {
      isLate = !isFirst && clock.monotonicMs() > lastBlockMs;
      if (isLate) {
        pool.release(block);
        return;
      }
      isFirst = false;
      yield block;
    }
  }

  const solveBlocks = async (): Promise<boolean | { readonly retry: RecordsCursor }> => {
    try {
      for await (const _ of pipeline.solve(blocks())) {
        const error = jobLimitError(pipeline.work, plan.source.bytes, jobLimits);
        if (error !== undefined) throw new FileRejection(error);
      }
      return !isLate && end === shard.records;
    } catch (error) {
      if (!(error instanceof OutOfTimeError)) throw error;
    }
    // The files already have solutions of the record that ran out of time.
    if (pipeline.puzzles > 0) return enumerates && { retry: { ...cursor, atMost: pipeline.puzzles } };
    if (!isSingly) return { retry: { ...cursor, singly: true } };
    throw new Error(
      `shard ${shard.shard}: puzzle ${shard.firstIndex + done} exceeds the time of one function; lower max-nodes or solutions`,
    );
  };

  const partWith = (
    files: readonly WrittenFile[],
    outcome: Pick<RecordsPart, 'last' | 'writer' | 'rejected'>,
  ): RecordsPart => {
    const { total, unexpected, cut } = results.exceptions;
    const wallMs = clock.monotonicMs() - startMs;
    return {
      ...head,
      count: pipeline.puzzles,
      files,
      exceptions: { total, unexpected, cut },
      statistics: statistics.snapshot(),
      wallMs,
      times: { wallMs, writeMs: pipeline.writeMs, ...reading },
      startedAt,
      engine: { name: engine.name, version: engine.version, workers: solver.workers },
      ...outcome,
    };
  };

  try {
    const last = await solveBlocks();
    if (typeof last !== 'boolean') {
      await results.abort();
      return last;
    }
    position.last = last && shard.last;
    if (last) statistics.commentLines = shard.commentLines;
    const { state } = results;
    return partWith(await results.close(), { last, writer: state });
  } catch (error) {
    await results.abort();
    const rejected = rejectionOf(error);
    if (rejected === undefined) throw error;
    return partWith([], { last: true, rejected });
  } finally {
    await close();
  }
}
