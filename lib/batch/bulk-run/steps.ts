/**
 * What the steps of a bulk run say to one another: the contract between `run-step` and the state machine BulkRun.
 *
 *     BulkRun   { runId, prefix?, rerunOf?, graceMinutes? }                     input of the execution
 *        |
 *        v
 *      Plan    sweeps a stretch of the listings, again until they end; then freezes plan.jsonl
 *        |
 *      Send    puts what is planned into the queue of uploads, at a bounded rate, again until all is sent
 *        |
 *      Wait -> Look    again until every planned version is done, has failed, or a day has passed
 *        |
 *      Report  reads what became of each, again until all is read; then writes report.json and report.html
 *
 * Each step is told { run, startedAt, step, cursor } and answers { next, cursor, waitSeconds }; the state machine does
 * what `next` says. A cursor is opaque to it: null at first, then whatever was answered last. Every step may be run
 * twice with the same input.
 */
import { deadlineReserveMs } from '../limits.ts';
import type { Clock, Hashing, MessageQueue, ObjectStore } from '../ports.ts';

/** The input of an execution; for a schedule it follows from the scheduled time alone. */
export interface BulkRun {
  /** Also the execution's name, which keeps a schedule that fires twice from running twice. */
  readonly runId: string;
  /** Only input keys that begin so; all of `inbox/` and `scheduled/` where it is left out. */
  readonly prefix?: string;
  /** A run of which only what failed, stalled or was rejected is taken. */
  readonly rerunOf?: string;
  /** Versions under `inbox/` that are younger are left to their event; the stack's setting where it is left out. */
  readonly graceMinutes?: number;
}

export type RunStepName = 'plan' | 'send' | 'poll' | 'report';

export interface RunStepInput {
  readonly run: BulkRun;
  /** When the execution began: ISO 8601 in UTC. Ages are counted from there, in every retry. */
  readonly startedAt: string;
  readonly step: RunStepName;
  readonly cursor: RunCursor;
}

/** JSON that only its step understands; null at first. */
export type RunCursor = { readonly [name: string]: unknown } | null;

export interface RunStepOutput {
  readonly next: RunStepName | 'end';
  readonly cursor: RunCursor;
  /** How long to wait before a look, 1 or more. */
  readonly waitSeconds: number;
}

/** What a bulk run has to do with. */
export interface RunDependencies {
  readonly store: ObjectStore;
  readonly inputBucket: string;
  readonly resultsBucket: string;
  readonly clock: Clock;
  readonly hashing: Hashing;
  readonly queue: MessageQueue;
  /** The stack's setting. */
  readonly graceMinutes: number;
  /** Milliseconds until this process is stopped. */
  remainingMs(): number;
  /** Waits. */
  pause(ms: number): Promise<void>;
}

/** What a sweep has counted: versions, and bytes of those that are planned. */
export interface SweepCounts {
  /** Versions with content, folder markers not counted. */
  readonly found: number;
  /** Some job of them is committed or rejected. */
  readonly alreadyDone: number;
  /** Left to their event. */
  readonly tooYoung: number;
  /** Left to another run, which has sent them and waits for them. */
  readonly underWay: number;
  readonly planned: number;
  readonly plannedBytes: number;
}

export const ZERO_COUNTS: SweepCounts = {
  found: 0,
  alreadyDone: 0,
  tooYoung: 0,
  underWay: 0,
  planned: 0,
  plannedBytes: 0,
};

/** Time that is kept for what ends a step, as far as there is so much. */
const RESERVE_MS = 30_000;

/** A question: is it time to stop, and go on in another invocation? Asked first when a step begins. */
export function deadlineCheck({ remainingMs }: Pick<RunDependencies, 'remainingMs'>): () => boolean {
  const reserveMs = deadlineReserveMs(remainingMs(), RESERVE_MS);
  return () => remainingMs() < reserveMs;
}
