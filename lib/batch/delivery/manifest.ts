/**
 * The manifest: the files of a result set, with their checksums. It is written last, so that a visible manifest means a
 * complete result set. It contains no times: two runs of one job differ in the attempt and in the timed files only.
 */
import { type JobTotals, jobTotals } from '../results/job-totals.ts';
import type { JobStats } from '../results/statistics.ts';
import { RESULT_SCHEMA, VERSION } from '../version.ts';

/** The object whose puzzles were solved. */
export interface InputIdentity {
  /** The bucket of the upload. */
  readonly bucket: string;
  /** The whole key, also if result keys truncate it. */
  readonly key: string;
  /** The version of the upload. */
  readonly versionId: string;
  /** The size of the upload. */
  readonly bytes?: number;
  /** The ETag of the upload, without quotes. */
  readonly etag?: string;
  /** From the event; orders the versions of one key. */
  readonly sequencer?: string;
}

/** A version of an upload. */
export type InputVersion = Pick<InputIdentity, 'key' | 'versionId'>;

/** A local file whose puzzles were solved. */
export interface LocalInput {
  /** The file's name without its folder; `-` for standard input. */
  readonly file: string;
  /** The size of the file. */
  readonly bytes: number;
}

/** A part of a file that was joined from parts. */
export interface FilePart {
  /** The size of the part. */
  readonly bytes: number;
  /** The SHA-256 of the part, in hexadecimal digits. */
  readonly sha256: string;
}

export interface ManifestFile {
  /** The name of the file in the result set. */
  readonly name: string;
  /** Its key in the results bucket; omitted for a local result set. */
  readonly key?: string;
  /** The size of the file. */
  readonly bytes: number;
  /** Checksum of the whole file; a file that was joined from parts has `parts` instead. */
  readonly sha256?: string;
  /** In order; their bytes one after the other are the file. */
  readonly parts?: readonly FilePart[];
}

export interface Manifest extends JobTotals {
  readonly schema: typeof RESULT_SCHEMA;
  /** A hash of bucket, key, version, options and result schema; omitted for a local result set. */
  readonly jobId?: string;
  /** The attempt that wrote the files. */
  readonly attempt?: string;
  /** The file whose puzzles were solved. */
  readonly input: InputIdentity | LocalInput;
  /** The options in their canonical form, under their command-line names. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Whether another run gives the same bytes (except times); false under a time budget. */
  readonly reproducible: boolean;
  /** The versions with which the file was solved. */
  readonly versions: {
    /** The version of the program. */
    readonly dlxBatch: string;
    /** The engine that solved. */
    readonly engine: string;
    /** The version of the engine. */
    readonly engineVersion: number;
  };
  /** The files of the result set. */
  readonly files: readonly ManifestFile[];
}

interface ManifestFacts extends Omit<Manifest, 'schema' | 'options' | 'versions' | keyof JobTotals> {
  /** From `canonicalOptions`. */
  readonly canonicalOptions: string;
  readonly stats: JobStats;
}

/** The fields are in the order in which they are stored. */
export function createManifest(facts: ManifestFacts): Manifest {
  const { jobId, attempt, input, canonicalOptions, reproducible, stats, files } = facts;
  const { engine } = stats;
  return {
    schema: RESULT_SCHEMA,
    jobId,
    attempt,
    input,
    options: JSON.parse(canonicalOptions),
    reproducible,
    ...jobTotals(stats),
    versions: { dlxBatch: VERSION, engine: engine.name, engineVersion: engine.version },
    files,
  };
}
