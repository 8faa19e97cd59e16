/**
 * Solves records of a shard. The output of a part is final: indexes and line numbers are those of the whole file.
 *
 * A function reads the shard from its beginning and skips the records of earlier parts: reading takes a hundredth of the
 * time of solving. A part whose records exceed the time of its function has no results, and the next one takes fewer.
 */
import type { WriterState } from '../../formats/reader.ts';
import { formatHints } from '../job/format-hints.ts';
import { recordPipeline } from '../job/pipeline.ts';
import { DEFAULT_JOB_LIMITS, jobLimitError } from '../job-limits.ts';
import { optionsFromCanonical } from '../options.ts';
import type { SampleSnapshot } from '../results/record-sample.ts';
import type { WrittenFile } from '../results/result-files.ts';
import type { EngineInfo, PhaseTimes, StatisticsSnapshot } from '../results/statistics.ts';
import { OutOfTimeError } from '../solving/drive.ts';
import type { LargeDependencies, Shard, ShardPlan } from './large-job.ts';
import type { Part } from './parts.ts';
import { shardBlocks } from './shard-reader.ts';
import type { PartAttempt } from './solve-shard.ts';

/** A part with records. */
export interface RecordsPart extends Part {
  /** Omitted if its records exceeded the time of the function. */
  readonly results?: RecordResults;
}

interface RecordResults {
  readonly files: readonly WrittenFile[];
  /** Search nodes, with those of a record that is not finished. */
  readonly nodes: number;
  /** Counts of the lines of its `exceptions.jsonl`, and the first records of the job. */
  readonly sample: SampleSnapshot;
  /** Layout of its first and last solution, for the separators; undefined if it has no solution. */
  readonly writer?: WriterState;
  readonly statistics: StatisticsSnapshot;
  readonly times: PhaseTimes;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly engine: EngineInfo;
}

/** Share of the time after which no new block starts; the rest is for the blocks in progress. */
const LAST_BLOCK_SHARE = 0.85;

/** @throws Error if a single record exceeds the time of a function */
export async function solveRecords(
  plan: ShardPlan,
  { item: shard, how, time, keys, head }: PartAttempt<Shard>,
  dependencies: LargeDependencies,
): Promise<RecordsPart> {
  const { clock, hashing, store, resultsBucket, jobLimits = DEFAULT_JOB_LIMITS } = dependencies;
  const options = optionsFromCanonical(plan.options);
  const enumerates = options.solutions > 2;
  const { singly, atMost = Number.POSITIVE_INFINITY } = how;
  // An enumeration may take any time, so each puzzle is its own block.
  const isSingly = singly === true || enumerates;
  const { from: done } = head;
  const end = Math.min(shard.records, done + atMost);
  const startedAt = clock.timeOfDay();
  const startMs = clock.monotonicMs();
  const lastBlockMs = startMs + time.usableMs * LAST_BLOCK_SHARE;
  // Parts before it may have no results: the opening of the file is in the first one with records.
  const begins = shard.shard === 0 && done === 0;
  const reading = { readMs: 0, parseMs: 0 };
  const { engine, solver, close } = dependencies.openSolver(options, shard.to - shard.from);
  const pipeline = recordPipeline(
    {
      options,
      jobLimits,
      detection: plan.detection,
      files: { open: (name, type) => store.writer(resultsBucket, keys.partFile(head, name), type) },
      deadlineMs: startMs + time.usableMs,
      firstIndex: shard.firstIndex + done,
      begins,
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

  /** Solves until one of the two, or until the results exceed a limit of the whole file: Merge rejects it then. */
  const solveBlocks = async (): Promise<Pick<Part, 'last' | 'next'> & { isEmpty?: true }> => {
    try {
      for await (const _ of pipeline.solve(blocks())) {
        if (jobLimitError(pipeline.work, plan.source.bytes, jobLimits) !== undefined) return { last: true };
      }
      return { last: !isLate && end === shard.records, next: { singly } };
    } catch (error) {
      if (!(error instanceof OutOfTimeError)) throw error;
    }
    const { puzzles } = pipeline;
    if (puzzles > 0 && !enumerates) return { last: false, next: { singly } };
    // The files already have solutions of the record that ran out of time.
    if (puzzles > 0) return { last: false, isEmpty: true, next: { singly, atMost: puzzles } };
    if (!isSingly) return { last: false, isEmpty: true, next: { singly: true } };
    throw new Error(
      `shard ${shard.shard}: puzzle ${shard.firstIndex + done} exceeds the time of one function; lower max-nodes or solutions`,
    );
  };

  try {
    const { isEmpty, ...outcome } = await solveBlocks();
    const part = { ...head, ...outcome, count: 0 };
    if (isEmpty === true) return { ...part, wallMs: clock.monotonicMs() - startMs };
    if (outcome.last) statistics.addComments(shard.commentLines);
    const { nodes } = pipeline.work;
    const { state, sample } = results;
    const files = await results.close(outcome.last && shard.last);
    const wallMs = clock.monotonicMs() - startMs;
    return {
      ...part,
      count: pipeline.puzzles,
      wallMs,
      results: {
        files,
        nodes,
        sample: sample.snapshot(),
        writer: state,
        statistics: statistics.snapshot(),
        times: { wallMs, writeMs: pipeline.writeMs, ...reading },
        startedAt,
        engine: { name: engine.name, version: engine.version, workers: solver.workers },
      },
    };
  } finally {
    // Files that are closed stay.
    await results.abort();
    await close();
  }
}
