/** Measures the functions of a stack: by the statistics of two jobs, and by the log if it may be read. */
import { type BilledInvocation, billedInvocations, readFunctionLog } from '../../../aws/function-logs.ts';
import { DEFAULT_JOB_LIMITS } from '../../../batch/job-limits.ts';
import { CommandError } from '../../exit.ts';
import { readSolveOptions } from '../../solve-options.ts';
import { stackOutput } from '../connection.ts';
import type { ConnectionFlags } from '../connection-flags.ts';
import { estimateStored } from '../estimate-files.ts';
import { remoteError } from '../remote-error.ts';
import type { Solved } from './checks/known.ts';
import { statsOf } from './checks/outcomes.ts';
import type { Measurements } from './measurements.ts';
import type { SolvedRate } from './rate-file.ts';
import { smokeSettings } from './smoke-settings.ts';
import type { SmokeStack } from './smoke-stack.ts';

/**
 * @param first the first upload of the run
 * @param firstSeconds until it began; undefined without an event
 */
export async function measure(
  stack: SmokeStack,
  flags: ConnectionFlags,
  first: Solved,
  firstSeconds: number | undefined,
  { sent, file, outcome }: SolvedRate,
): Promise<Measurements> {
  const [firstStats, stats] = await Promise.all([statsOf(stack, first.outcome), statsOf(stack, outcome)]);
  const { runtime, engine, timing, puzzles } = stats;
  const log = await readLog(stack, flags, [first.sent.key, sent.key]);
  const [firstBilled, billed] = log.billed;
  const estimate = await estimateStored(
    file.name,
    { bytes: file.bytes.length, stream: once(file.bytes) },
    readSolveOptions(file.options),
    DEFAULT_JOB_LIMITS,
    { memoryMb: runtime.memoryMb, concurrency: 1 },
  );
  if ('covers' in estimate) throw new Error(`${file.name} is an exact-cover file: expected puzzles in cells`);
  return {
    ...{ node: runtime.node, arch: runtime.arch, memoryMb: runtime.memoryMb, simd: runtime.simd },
    threads: engine.workers,
    coldStart: firstStats.runtime.coldStart,
    initMs: firstBilled?.initMs,
    firstSeconds,
    puzzles: puzzles.total,
    puzzlesPerSecond: timing.puzzlesPerSecond,
    functionSeconds: (billed?.billedMs ?? timing.wallMs) / 1000,
    source: billed === undefined ? 'statistics' : 'log',
    noLog: log.problem,
    estimatedSeconds: estimate.wallSeconds,
  };
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** The clock of this machine may be ahead of AWS's by as much as S3 accepts, a quarter of an hour. */
const CLOCK_SKEW_MS = 900_000;

interface ReadLog {
  /** The invocation for each key, if the log shows it. */
  readonly billed: readonly (BilledInvocation | undefined)[];
  /** Why it does not. */
  readonly problem?: string;
}

/** Reads the log of the function until it shows the invocations for all keys. */
async function readLog(stack: SmokeStack, flags: ConnectionFlags, keys: readonly string[]): Promise<ReadLog> {
  const { retries } = stack.connection;
  if (flags.endpoint !== undefined) return { billed: [], problem: 'an endpoint has no log' };
  try {
    const logGroup = await stackOutput(flags, 'SolveLogGroupName', retries);
    const found = await stack.until(smokeSettings.logSeconds, async () => {
      const sinceMs = stack.startedMs - CLOCK_SKEW_MS;
      const events = await readFunctionLog(logGroup, stack.id, sinceMs, retries.signal);
      const billed = keys.map((key) => billedInvocations(events, JSON.stringify(key)).at(0));
      return billed.includes(undefined) ? undefined : billed;
    });
    return found === undefined ? { billed: [], problem: 'the log shows no report yet' } : { billed: found };
  } catch (error) {
    retries.signal.throwIfAborted();
    const failure = remoteError(error, 'reading the log');
    if (!(failure instanceof CommandError)) throw failure;
    return { billed: [], problem: failure.message };
  }
}
