/** The documents in addition to a result set: the status, the done marker, and the `error.json` of a rejected file. */
import type { FileError } from '../job/file-error.ts';
import type { JobTotals, PuzzleCounts } from '../results/job-totals.ts';
import type { InputIdentity, LocalInput } from './manifest.ts';

/** `status/<input key>/<jobId>.json`: informative only; after its deadline, `running` is displayed as `stalled`. */
export interface StatusDocument extends Partial<JobTotals> {
  readonly schema: 'dlx-batch/status@1';
  /** `running`; `done` if it is committed; `failed` if an attempt failed, which is repeated; `rejected` if the whole file cannot be solved. */
  readonly state: 'running' | 'done' | 'failed' | 'rejected';
  /** The job. */
  readonly jobId: string;
  /** The upload. */
  readonly input: InputIdentity;
  /** The attempt that wrote the document. */
  readonly attempt?: string;
  /** Time of the last change, ISO 8601 in UTC. */
  readonly updatedAt: string;
  /** Past this time, `running` means stalled. */
  readonly deadline?: string;
  /** While it is running: how far it is. */
  readonly progress?: {
    /** Puzzles so far. */
    readonly puzzles: number;
    /** Bytes of the upload that were read. */
    readonly storedBytes: number;
    /** Bytes of the upload. */
    readonly totalBytes: number;
  };
  /** Why the job failed or was rejected. */
  readonly error?: {
    /** The code of the error, for a rejected file. */
    readonly code?: string;
    /** The reason in one sentence. */
    readonly message: string;
  };
  /** Whether the event of a failure was sent. */
  readonly eventSent?: boolean;
}

/**
 * `done/<input key>/<version id>`: some job of that version is committed or rejected. It has what a bulk run reports of the
 * version, so that a run reads one object for each; markers of earlier versions have the outcome alone.
 */
export interface DoneMarker {
  readonly schema: 'dlx-batch/done@1';
  /** The job that finished. */
  readonly jobId: string;
  /** Whether it is committed or rejected. */
  readonly outcome: 'completed' | 'rejected';
  /** Puzzles of a committed job by status. */
  readonly puzzles?: PuzzleCounts;
  /** Seconds of all functions of the job; omitted if it has no statistics. */
  readonly seconds?: number;
  /** GB-seconds of these functions. */
  readonly gbSeconds?: number;
  /** Why it was rejected. */
  readonly message?: string;
}

/** `error.json` of a file on this computer, or of an upload. */
export interface FileRejectDocument {
  readonly schema: 'dlx-batch/reject@1';
  /** The job that was rejected; a file on this computer has none. */
  readonly jobId?: string;
  /** The upload, or the file. */
  readonly input: InputIdentity | LocalInput;
  /** The options of an upload as given, under their command-line names. */
  readonly options?: Readonly<Record<string, string>>;
  /** The reason. */
  readonly error: FileError;
}

/** `rejects/<input key>/<jobId>/error.json`. */
export interface RejectDocument extends FileRejectDocument {
  readonly jobId: string;
  readonly input: InputIdentity;
  readonly options: Readonly<Record<string, string>>;
}
