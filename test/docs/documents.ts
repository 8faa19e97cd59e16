/**
 * The documents that a user's program may read. `schemas.ts` makes of each member its JSON Schema in `schemas`, and the table of
 * its fields in the pages of the reference, of the types and comments of the program.
 */
import type { RunReport, UnsolvedVersion } from '../../lib/batch/bulk-run/report/run-report.ts';
import type { LatestPointer } from '../../lib/batch/delivery/latest.ts';
import type { InputIdentity, Manifest } from '../../lib/batch/delivery/manifest.ts';
import type {
  DoneMarker,
  FileRejectDocument,
  StatusDocument,
} from '../../lib/batch/delivery/status-document.ts';
import type { JobRecord } from '../../lib/batch/results/job-record.ts';
import type { JobTotals, PuzzleCounts } from '../../lib/batch/results/job-totals.ts';
import type { JobStats } from '../../lib/batch/results/statistics.ts';

export interface Documents {
  /** A line of `exceptions.jsonl`, of `records.jsonl`, and with `--output jsonl` of `solutions.jsonl`. */
  record: JobRecord;
  /** `stats.json`: what is in the file, and how its puzzles were solved. */
  stats: JobStats;
  /** `manifest.json`: the files of a result set. It is written last, so a result set that has it is complete. */
  manifest: Manifest;
  /** `latest.json`: the outcome of the newest version of an upload. */
  latest: LatestPointer;
  /** `status/KEY/JOB.json`: the state of a job, for people. */
  status: StatusDocument;
  /** `done/KEY/VERSION`: a job of that version is committed or rejected. */
  done: DoneMarker;
  /** `rejects/KEY/JOB/error.json`, or `error.json` in a folder: why a whole file could not be solved. */
  reject: FileRejectDocument;
  /** `runs/RUN/report.json`: the outcome of a bulk run. */
  run: RunReport;
  /** A line of `runs/RUN/unsolved.jsonl`: a version that the run did not solve. */
  unsolved: UnsolvedVersion;
  /** The `detail` of an event. */
  event: EventDetail;
}

/** A document of the results bucket. */
interface StoredObject {
  /** The results bucket. */
  readonly bucket: string;
  /** The complete key. */
  readonly key: string;
}

export interface EventDetail extends Partial<JobTotals> {
  /** The number changes if a field is removed or changes its meaning; new fields do not change it. */
  readonly schema: 'dlx-batch/event@1';
  /** The name of the stack; of a construct in another stack, with its path there: `Shop/Puzzles`. */
  readonly stack: string;
  /** One line for people; its wording may change. */
  readonly summary: string;
  /** Events of jobs: the same for each delivery of an upload. */
  readonly jobId?: string;
  /** Events of jobs: the upload. */
  readonly input?: InputIdentity;
  /** `JobCompleted`: the manifest, which lists the files. */
  readonly manifest?: StoredObject;
  /** `JobRejected`: the document with the reason. */
  readonly reject?: StoredObject;
  /** `JobFailed`: the document with the state of the job. */
  readonly status?: StoredObject;
  /** `RunCompleted`: the report of the run. */
  readonly report?: StoredObject;
  /** `JobCompleted` and `RunCompleted`: puzzles by status. */
  readonly puzzles?: PuzzleCounts;
  /** `JobRejected` and `JobFailed`: the reason. */
  readonly error?: {
    /** `JobRejected`: the code of the error. */
    readonly code?: string;
    /** The reason in one sentence, at most 1,000 characters. */
    readonly message: string;
    /** `JobRejected`: the line in the file, from 1, if the reason has one. */
    readonly line?: number;
    /** `JobRejected`: the character in the line, from 1, if the reason has one. */
    readonly column?: number;
  };
  /** `RunCompleted`: the id of the run. */
  readonly runId?: string;
  /** `RunCompleted`: the start, ISO 8601 in UTC. */
  readonly startedAt?: string;
  /** `RunCompleted`: the end, ISO 8601 in UTC. */
  readonly endedAt?: string;
  /** `RunCompleted`: uploads by outcome, as in the report. */
  readonly versions?: RunReport['versions'];
}
