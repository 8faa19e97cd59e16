/** `report.json` and `unsolved.jsonl` of a bulk run. */
import type { ObjectVersion } from '../../ports.ts';
import type { PuzzleCounts } from '../../results/job-totals.ts';
import type { BulkRun, PlanCounts } from '../steps.ts';

/** `stalled`: no attempt has had an outcome for a day; `missing`: a key of a manifest that has no upload. */
type PlannedOutcome = 'solved' | 'rejected' | 'failed' | 'stalled' | 'missing';

/** A line of `unsolved.jsonl`. */
export interface UnsolvedVersion extends ObjectVersion {
  /** `failed` in every attempt, `rejected`, `stalled` for a day, or `missing`: the list names no upload. */
  readonly outcome: Exclude<PlannedOutcome, 'solved'>;
  /** The job that failed or was rejected, if one had begun. */
  readonly jobId?: string;
  /** The reason, if known. */
  readonly message: string;
}

/** Sums over the solved versions of a run. */
export interface RunTotals {
  /** Uploads with a result set. */
  readonly solved: number;
  /** Uploads that cannot be read as puzzles. */
  readonly rejected: number;
  /** Uploads that failed in every attempt. */
  readonly failed: number;
  /** Uploads without an outcome for a day. */
  readonly stalled: number;
  /** Keys of a list that have no upload. */
  readonly missing: number;
  /** Puzzles of all solved uploads, by status. */
  readonly puzzles: PuzzleCounts;
  /** Seconds of the solving functions. */
  readonly solveSeconds: number;
  /** Their memory times their time. */
  readonly gbSeconds: number;
}

export interface RunReport {
  readonly schema: 'dlx-batch/run@2';
  /** What was asked for: its id, and which uploads. */
  readonly run: Omit<BulkRun, 'continues'>;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  /** ISO 8601 in UTC. */
  readonly endedAt: string;
  /** From its start to its end. */
  readonly wallSeconds: number;
  /** Ids of the runs that held prefixes of this one, which it left out. */
  readonly heldBy: readonly string[];
  /** A user has ended it. */
  readonly cancelled: boolean;
  /** Counts of uploads. */
  readonly versions: PlanCounts &
    Omit<RunTotals, 'puzzles' | 'solveSeconds' | 'gbSeconds'> & {
      /** Planned uploads that were sent to the queue. */
      readonly sent: number;
      /** Sent uploads that had no outcome when the run was cancelled. */
      readonly open: number;
    };
  /** Puzzles of all solved uploads, by status. */
  readonly puzzles: PuzzleCounts;
  /** Seconds of the solving functions. */
  readonly solveSeconds: number;
  /** Approximate cost of solving, by `PRICES`. */
  readonly dollars: {
    /** Time and requests of functions. */
    readonly lambda: number;
    /** Requests of S3. */
    readonly s3: number;
    /** Requests of the queue. */
    readonly sqs: number;
    /** All of these. */
    readonly total: number;
    /** The day and the region of the prices. */
    readonly prices: {
      /** The day of the prices. */
      readonly date: string;
      /** The region of the prices. */
      readonly region: string;
    };
  };
  /** The first lines of `unsolved.jsonl`. */
  readonly unsolved: readonly UnsolvedVersion[];
  /** Of these, the versions without an outcome that the lifecycle rules of their bucket will delete. */
  readonly expiring: Expiring;
}

/** Versions without an outcome that were replaced or deleted: they are kept for `uploadVersionDays` since then. */
interface Expiring {
  /** How many there are. */
  readonly versions: number;
  /** Up to `MAX_REPORTED_UNSOLVED`. */
  readonly first: readonly UnsolvedVersion[];
}

/** Planned uploads with an outcome, whichever it is. */
export function settledOf({
  solved,
  rejected,
  failed,
  stalled,
  missing,
}: Omit<RunTotals, 'puzzles'>): number {
  return solved + rejected + failed + stalled + missing;
}

/** Whether a version without an outcome will be deleted; a rejected one has an outcome. */
export function isExpiring({ latest, outcome }: UnsolvedVersion): boolean {
  return !latest && outcome !== 'rejected' && outcome !== 'missing';
}

/** Unsolved versions listed in the report itself. */
export const MAX_REPORTED_UNSOLVED = 1000;
