/**
 * The manifest: the files of a result set, with their checksums. It is written last, so that a visible manifest means a
 * complete result set. It contains no times: two runs of one job differ in the attempt and in the timed files only.
 */
import { type JobTotals, jobTotals } from '../results/job-totals.ts';
import type { JobStats } from '../results/statistics.ts';
import { RESULT_SCHEMA, VERSION } from '../version.ts';

/** The object whose puzzles were solved. */
export interface InputIdentity {
  readonly bucket: string;
  /** The whole key, also if result keys truncate it. */
  readonly key: string;
  readonly versionId: string;
  readonly bytes?: number;
  readonly etag?: string;
  /** From the event; orders the versions of one key. */
  readonly sequencer?: string;
}

/** A local file whose puzzles were solved. */
export interface LocalInput {
  /** The file's name without its folder; `-` for standard input. */
  readonly file: string;
  readonly bytes: number;
}

/** A part of a file that was joined from parts. */
export interface FilePart {
  readonly bytes: number;
  readonly sha256: string;
}

export interface ManifestFile {
  readonly name: string;
  /** Its key in the results bucket; omitted for a local result set. */
  readonly key?: string;
  readonly bytes: number;
  /** Checksum of the whole file; a file that was joined from parts has `parts` instead. */
  readonly sha256?: string;
  /** In order; their bytes one after the other are the file. */
  readonly parts?: readonly FilePart[];
}

export interface Manifest extends JobTotals {
  readonly schema: typeof RESULT_SCHEMA;
  readonly jobId?: string;
  /** The attempt that wrote the files. */
  readonly attempt?: string;
  readonly input: InputIdentity | LocalInput;
  /** The options in their canonical form, under their command-line names. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Whether another run gives the same bytes (except times); false under a time budget. */
  readonly reproducible: boolean;
  readonly versions: { readonly dlxBatch: string; readonly engine: string; readonly engineVersion: number };
  readonly files: readonly ManifestFile[];
}

export interface ManifestFacts extends Omit<Manifest, 'schema' | 'options' | 'versions' | keyof JobTotals> {
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
