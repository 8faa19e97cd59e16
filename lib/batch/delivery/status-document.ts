/** The documents in addition to a result set: the status, the done marker, and the `error.json` of a rejected file. */
import type { FileError } from '../job/file-error.ts';
import type { JobTotals } from '../results/job-totals.ts';
import type { InputIdentity } from './manifest.ts';

/** `status/<input key>/<jobId>.json`: informative only; after its deadline, `running` is displayed as `stalled`. */
export interface StatusDocument extends Partial<JobTotals> {
  readonly schema: 'dlx-batch/status@1';
  readonly state: 'running' | 'done' | 'failed' | 'rejected';
  readonly jobId: string;
  readonly input: InputIdentity;
  readonly attempt?: string;
  /** Times of day, ISO 8601 in UTC. */
  readonly updatedAt: string;
  readonly deadline?: string;
  readonly progress?: { readonly puzzles: number; readonly storedBytes: number; readonly totalBytes: number };
  /** Why the job failed or was rejected. */
  readonly error?: { readonly code?: string; readonly message: string };
  /** Whether the event of a failure was sent. */
  readonly eventSent?: boolean;
}

/** `done/<input key>/<version id>`: some job of that version is committed or rejected. */
export interface DoneMarker {
  readonly schema: 'dlx-batch/done@1';
  readonly jobId: string;
  readonly outcome: 'completed' | 'rejected';
}

/** `rejects/<input key>/<jobId>/error.json`. */
export interface RejectDocument {
  readonly schema: 'dlx-batch/reject@1';
  readonly jobId: string;
  readonly input: InputIdentity;
  /** The options as given, under their command-line names. */
  readonly options: Readonly<Record<string, string>>;
  readonly error: FileError;
}
