/**
 * The contract between the function `run-step` and the state machine BulkRun.
 *
 *     BulkRun   { runId, prefix?, manifest?, rerunOf?, rejected?, retry?, graceMinutes? }     input of the execution
 *        |
 *        v
 *      Plan      writes the versions to solve, in slices, repeated until there are no more
 *        |
 *      Follow    reads the outcomes of versions that were sent, and sends as many more
 *        |  ^
 *        v  |    Wait    repeated until every planned version has an outcome
 *      Report    writes unsolved.jsonl, report.html and report.json, and sends the event
 *
 * Each step takes { run, startedAt, step, cursor } and returns { next, cursor, waitSeconds }; the state machine continues
 * with the step `next`. A cursor is opaque to it: null at first, then the one returned last. Every step may run twice
 * with the same input. After `MAX_STEPS` another execution goes on, so that no run reaches the limit of 25,000 events.
 */
import type { Executions } from '../delivery/executions.ts';
import type { EventStorage } from '../delivery/outcome-events.ts';
import type { UploadPrefixes } from '../names.ts';
import type { Clock, DeadLetters, Hashing, MessageQueue, RandomIds } from '../ports.ts';
import type { RemainingTime } from '../storage/function-time.ts';
import type { ResultStorage } from '../storage/read-json.ts';

/** The input of an execution; for a schedule it depends only on the scheduled time. */
export interface BulkRun {
  /** Also the name of the first execution, so a schedule that fires twice starts one run. */
  readonly runId: string;
  /** Prefix of the input keys. @default all of `inbox/` and `scheduled/` */
  readonly prefix?: string;
  /** Only the newest versions of the keys in `runs/<runId>/keys.txt`, one a line. */
  readonly manifest?: true;
  /** Id of another run: only its versions that were not solved. */
  readonly rerunOf?: string;
  /** Only uploads whose newest version was rejected; with a code, for that reason. */
  readonly rejected?: {
    /** The code of the error. */
    readonly code?: string;
  };
  /**
   * Repeats what has failed: without a prefix, all under `inbox/`, as a schedule sends what is under `scheduled/`. At its end,
   * the dead letters go back to the queue: a delivery that finds an outcome ends there, others are tried once more.
   */
  readonly retry?: true;
  /** Newer versions under `inbox/` are skipped, because their event may still arrive. @default the stack's setting */
  readonly graceMinutes?: number;
  /** Where an earlier execution of the run has stopped. */
  readonly continues?: Pick<RunStepInput, 'step' | 'cursor' | 'startedAt'> & { readonly execution: number };
}

export type RunStepName = 'plan' | 'follow' | 'report';

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
  /** Seconds to wait before the next step follows the run, 1 or more. */
  readonly waitSeconds: number;
}

export interface RunDependencies extends EventStorage, ResultStorage, RemainingTime {
  readonly inputBucket: string;
  readonly clock: Clock;
  readonly hashing: Hashing;
  readonly queue: MessageQueue;
  readonly deadLetters: DeadLetters;
  readonly ids: RandomIds;
  /** Those of the state machine of bulk runs. */
  readonly executions: Pick<Executions, 'start'>;
  /** The stack's setting. */
  readonly graceMinutes: number;
  /** @default `inbox/` and `scheduled/` */
  readonly uploadPrefixes?: UploadPrefixes;
  pause(ms: number): Promise<void>;
}

/** Counts of versions in a plan, and the bytes of the planned ones. */
export interface PlanCounts {
  /** All versions, without delete markers and folder markers; keys of a manifest. */
  readonly found: number;
  /** Committed or rejected by some job. */
  readonly alreadyDone: number;
  /** Skipped, because their event may still arrive. */
  readonly tooYoung: number;
  /** Sent, one after the other. */
  readonly planned: number;
  /** Bytes of the planned ones. */
  readonly plannedBytes: number;
}

export const ZERO_COUNTS: PlanCounts = {
  found: 0,
  alreadyDone: 0,
  tooYoung: 0,
  planned: 0,
  plannedBytes: 0,
};

/** Requests in parallel. */
export const READS_AT_ONCE = 32;
