/** A large job: its plan, which every step reads, and what the steps need. */
import type { CoverDetection, PuzzleDetection } from '../../formats/formats.ts';
import type { ReaderState } from '../../formats/reader.ts';
import { type JobStorage, rejectJob, type StoredJob } from '../delivery/commit.ts';
import { jobIdOf } from '../delivery/job-id.ts';
import type { InputIdentity } from '../delivery/manifest.ts';
import type { FileError } from '../job/file-error.ts';
import type { JobOpening } from '../job/job-run.ts';
import { PROGRAM_VERSION_ERROR } from '../names.ts';
import { optionTexts } from '../options.ts';
import type { RemainingTime } from '../storage/function-time.ts';
import type { ObjectSource } from '../storage/object-source.ts';
import { type ResultStorage, readJson } from '../storage/read-json.ts';
import { PROGRAM_VERSION } from '../version.ts';
import { type WorkKeys, workKeys } from './keys.ts';
import type { ShardItem, StepInput } from './steps.ts';

/** What the functions of a large job need. */
export interface LargeDependencies extends JobStorage, RemainingTime, JobOpening {
  /** Bytes of a shard. @default chosen by the cost of a sample */
  readonly shardBytes?: number;
  /** A file that takes one function more seconds than this is large. @default `LARGE_JOB_SECONDS` */
  readonly largeSeconds?: number;
  /** Minimum size of every part of a joined object but the last. @default 5 MiB, the limit of S3 */
  readonly minPartBytes?: number;
  /** Called when the file is rejected; the execution itself succeeds, so nothing else reports it. */
  onReject?(error: FileError): void;
}

/** What all plans have. A plan is decided before solving and stored, so that every step and every retry uses the same. */
interface JobPlan {
  readonly schema: 'dlx-batch/plan@1';
  readonly jobId: string;
  readonly attempt: string;
  /** `PROGRAM_VERSION` of the planning function; every step must have the same. Older programs omitted it. */
  readonly program?: string;
  /** Time of day, ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly input: InputIdentity;
  /** Canonical form. */
  readonly options: string;
  readonly source: ObjectSource;
}

/** The plan of a file of puzzles, whose shards are ranges of the file. */
export interface ShardPlan extends JobPlan {
  readonly detection: PuzzleDetection;
  /** Approximate, because shards end between puzzles. */
  readonly shardBytes: number;
}

/** The plan of an exact-cover file, whose shards are subproblems of its long searches (covers.ts). */
export interface CoverPlan extends JobPlan {
  readonly detection: CoverDetection;
}

/** `plan.json`. */
export type LargePlan = ShardPlan | CoverPlan;

export function isCoverPlan(plan: LargePlan): plan is CoverPlan {
  return plan.detection.kind === 'exact-cover';
}

/** A range to count: bytes `from` (inclusive) to `to` (exclusive), which may cut puzzles. */
export interface RangeItem extends ShardItem {
  readonly from: number;
  readonly to: number;
}

/** A range of the file that begins and ends between two puzzles. */
export interface Shard extends ShardItem {
  /** First byte, and end (exclusive); bytes after `to` are read only if the last puzzle needs them. */
  readonly from: number;
  readonly to: number;
  /** Reader state at `from`; omitted at the beginning of the file. */
  readonly state?: ReaderState;
  /** From 1. */
  readonly firstIndex: number;
  readonly records: number;
  readonly commentLines: number;
  /** Whether it is the last shard of the file. */
  readonly last: boolean;
}

/** Splits a file into ranges of `shardBytes`. */
export function ranges(bytes: number, shardBytes: number): RangeItem[] {
  return Array.from({ length: Math.ceil(bytes / shardBytes) }, (_, shard) => ({
    shard,
    from: shard * shardBytes,
    to: Math.min((shard + 1) * shardBytes, bytes),
  }));
}

/**
 * The plan was made by another version of the program, which may cut, count or write shards differently. A retry does
 * not help.
 */
class ProgramVersionError extends Error {
  override readonly name = PROGRAM_VERSION_ERROR;

  constructor(key: string, planned: string | undefined) {
    super(
      `${key} was made by version ${planned ?? 'unknown'} of the program, but this is version ${PROGRAM_VERSION}: ` +
        'an execution and its redrives need the function versions they started with; if these were deleted, upload the file again with --force',
    );
  }
}

/**
 * @returns undefined if there is no plan
 * @throws ProgramVersionError if another version of the program made it
 */
export async function findPlan(
  storage: ResultStorage,
  { plan: key }: WorkKeys,
): Promise<LargePlan | undefined> {
  const plan = await readJson<LargePlan>(storage, key);
  if (plan !== undefined && plan.program !== PROGRAM_VERSION)
    throw new ProgramVersionError(key, plan.program);
  return plan;
}

/**
 * The plan of the job to which a step belongs.
 *
 * @throws Error if there is no plan: the steps ran in the wrong order
 * @throws ProgramVersionError if another version of the program made it
 */
export async function readPlan(
  { job, attempt }: StepInput,
  dependencies: JobStorage,
): Promise<{ readonly plan: LargePlan; readonly keys: WorkKeys }> {
  const keys = workKeys(jobIdOf(job, dependencies.hashing), attempt);
  const plan = await findPlan(dependencies, keys);
  if (plan === undefined) throw new Error(`${keys.plan} is missing: the job was not planned`);
  return { plan, keys };
}

/** Rejects a large job in one of its steps. @param canonical the options of the job */
export async function rejectLarge(
  job: StoredJob,
  canonical: string,
  error: FileError,
  dependencies: JobStorage & Pick<LargeDependencies, 'onReject'>,
): Promise<void> {
  const existing = await rejectJob(job, error, optionTexts(JSON.parse(canonical)), false, dependencies);
  if (existing === undefined) dependencies.onReject?.(error);
}
