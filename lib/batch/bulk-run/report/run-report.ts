/** `report.json` and `unsolved.jsonl` of a bulk run. */
import type { ObjectVersion } from '../../ports.ts';
import type { PuzzleCounts } from '../../results/job-totals.ts';
import type { BulkRun, PlanCounts } from '../steps.ts';

/** `stalled`: no attempt has had an outcome for a day; `missing`: a key of a manifest that has no upload. */
export type PlannedOutcome = 'solved' | 'rejected' | 'failed' | 'stalled' | 'missing';

/** A line of `unsolved.jsonl`. */
export interface UnsolvedVersion extends ObjectVersion {
  /** `failed`: in every attempt. */
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
  readonly missing: number;
  readonly puzzles: PuzzleCounts;
  /** Seconds of the solving functions; and their GB-seconds. */
  readonly solveSeconds: number;
  readonly gbSeconds: number;
}

export interface RunReport {
  readonly schema: 'dlx-batch/run@2';
  readonly run: Omit<BulkRun, 'continues'>;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly wallSeconds: number;
  /** Ids of the runs that held prefixes of this one, which it left out. */
  readonly heldBy: readonly string[];
  /** A user has ended it. */
  readonly cancelled: boolean;
  /** `sent` of the planned ones, of which `open` had no outcome when the run was cancelled. */
  readonly versions: PlanCounts &
    Omit<RunTotals, 'puzzles' | 'solveSeconds' | 'gbSeconds'> & {
      readonly sent: number;
      readonly open: number;
    };
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
  return !latest && outcome !== 'rejected' && outcome !== 'missing';
}

/** Unsolved versions listed in the report itself. */
export const MAX_REPORTED_UNSOLVED = 1000;
