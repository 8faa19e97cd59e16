/**
 * The contract between the function `run-step` and the state machine BulkRun.
 *
 *     BulkRun   { runId, prefix?, rerunOf?, graceMinutes? }                     input of the execution
 *        |
 *        v
 *      Plan    sweeps a slice of the listings, repeated until they end; then writes plan.jsonl
 *        |
 *      Send    sends the planned versions to the queue of uploads, at a bounded rate, repeated until all are sent
 *        |
 *      Wait -> Poll    repeated until every planned version is done or has failed, or a day has passed
 *        |
 *      Report  reads the outcome of each version, in slices; then writes report.json and report.html, and sends the event
 *
 * Each step takes { run, startedAt, step, cursor } and returns { next, cursor, waitSeconds }; the state machine continues
 * with the step `next`. A cursor is opaque to it: null at first, then the one returned last. Every step may run twice
 * with the same input.
 */

import type { EventStorage } from '../delivery/outcome-events.ts';
import type { UploadPrefixes } from '../names.ts';
import type { Clock, Hashing, MessageQueue, ObjectStore, RandomIds } from '../ports.ts';
import { FunctionTime, type RemainingTime } from '../storage/function-time.ts';

/** The input of an execution; for a schedule it depends only on the scheduled time. */
export interface BulkRun {
  /** Also the name of the execution, so a schedule that fires twice starts one run. */
  readonly runId: string;
  /** Prefix of the input keys. @default all of `inbox/` and `scheduled/` */
  readonly prefix?: string;
  /** Id of another run: only its failed, stalled and rejected versions are planned. */
  readonly rerunOf?: string;
  /** Newer versions under `inbox/` are skipped, because their event may still arrive. @default the stack's setting */
  readonly graceMinutes?: number;
}

export type RunStepName = 'plan' | 'send' | 'poll' | 'report';

export interface RunStepInput {
  readonly run: BulkRun;
  /** Start of the execution, ISO 8601 in UTC; ages are measured from it, also in a retry. */
  readonly startedAt: string;
  readonly step: RunStepName;
  readonly cursor: RunCursor;
}

/** JSON that only the step reads; null at first. */
export type RunCursor = { readonly [name: string]: unknown } | null;

export interface RunStepOutput {
  readonly next: RunStepName | 'end';
  readonly cursor: RunCursor;
  /** Seconds to wait before a poll, 1 or more. */
  readonly waitSeconds: number;
}

export interface RunDependencies extends EventStorage, RemainingTime {
  readonly store: ObjectStore;
  readonly inputBucket: string;
  readonly resultsBucket: string;
  readonly clock: Clock;
  readonly hashing: Hashing;
  readonly queue: MessageQueue;
  readonly ids: RandomIds;
  /** The stack's setting. */
  readonly graceMinutes: number;
  /** @default `inbox/` and `scheduled/` */
  readonly uploadPrefixes?: UploadPrefixes;
  pause(ms: number): Promise<void>;
}

/** Counts of versions in a sweep, and the bytes of the planned ones. */
export interface SweepCounts {
  /** All versions, without delete markers and folder markers. */
  readonly found: number;
  /** Committed or rejected by some job. */
  readonly alreadyDone: number;
  /** Skipped, because their event may still arrive. */
  readonly tooYoung: number;
  /** Skipped, because another run has sent them and waits for them. */
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

/** Versions whose outcomes are read in parallel, and between two checks of the remaining time. */
export const READS_AT_ONCE = 16;
export const READS_PER_CHECK = 160;

/** Time reserved for the end of a step. */
const RESERVE_MS = 30_000;

/** The time of a step, from its start. */
export function stepTime(dependencies: RunDependencies): FunctionTime {
  return new FunctionTime(dependencies, RESERVE_MS);
}
