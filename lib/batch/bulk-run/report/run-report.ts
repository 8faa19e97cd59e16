/** `report.json` and `unsolved.jsonl` of a bulk run. */
import type { ObjectVersion } from '../../ports.ts';
import type { PuzzleCounts } from '../../results/job-totals.ts';
import type { BulkRun, SweepCounts } from '../steps.ts';

export type PlannedOutcome = 'solved' | 'rejected' | 'failed' | 'stalled';

/** A line of `unsolved.jsonl`. */
export interface UnsolvedVersion extends ObjectVersion {
  /** `failed`: in every attempt; `stalled`: not finished in time. */
  readonly outcome: Exclude<PlannedOutcome, 'solved'>;
  readonly jobId?: string;
  /** The reason, if known. */
  readonly message: string;
}

/** Sums over the solved versions of a run. */
export interface RunTotals {
  readonly solved: number;
  readonly rejected: number;
  readonly failed: number;
  readonly stalled: number;
  readonly puzzles: PuzzleCounts;
  /** Seconds of the solving functions; and their GB-seconds. */
  readonly solveSeconds: number;
  readonly gbSeconds: number;
}

export interface RunReport {
  readonly schema: 'dlx-batch/run@1';
  readonly run: BulkRun;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly wallSeconds: number;
  readonly versions: SweepCounts & Omit<RunTotals, 'puzzles' | 'solveSeconds' | 'gbSeconds'>;
  readonly puzzles: PuzzleCounts;
  readonly solveSeconds: number;
  /** Approximate cost of solving, by `PRICES`. */
  readonly dollars: {
    readonly lambda: number;
    readonly s3: number;
    readonly sqs: number;
    readonly total: number;
    readonly prices: { readonly date: string; readonly region: string };
  };
  /** The first lines of `unsolved.jsonl`. */
  readonly unsolved: readonly UnsolvedVersion[];
  /** Of these, the versions without an outcome that the lifecycle rules of their bucket will delete. */
  readonly expiring: Expiring;
}

/** Versions without an outcome that were replaced or deleted: they are kept for `uploadVersionDays` since then. */
export interface Expiring {
  readonly versions: number;
  /** Up to `MAX_REPORTED_UNSOLVED`. */
  readonly first: readonly UnsolvedVersion[];
}

/** Whether a version without an outcome will be deleted; a rejected one has an outcome. */
export function isExpiring({ latest, outcome }: UnsolvedVersion): boolean {
  return !latest && outcome !== 'rejected';
}

/** Unsolved versions listed in the report itself. */
export const MAX_REPORTED_UNSOLVED = 100;
