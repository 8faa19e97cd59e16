/**
 * Finishes a large job: joins the parts of all shards into files, merges their statistics and commits the manifest.
 * Nothing is committed unless every part exists. An exact-cover file is finished in another way (merge-covers.ts).
 *
 * The step can be repeated: a file that exists with its size is not joined again, and every write after the commit is
 * idempotent.
 */

import {
  attemptFiles,
  commitAttempt,
  findManifest,
  finishCommit,
  type StoredJob,
  storedJob,
} from '../../delivery/commit.ts';
import { createManifest, type ManifestFile } from '../../delivery/manifest.ts';
import type { FileError } from '../../job/file-error.ts';
import { DEFAULT_JOB_LIMITS, type JobLimits, jobLimitError } from '../../job-limits.ts';
import type { Hashing } from '../../ports.ts';
import { HTML_TYPE, JSON_TYPE } from '../../results/content-types.ts';
import { storeText, type WrittenFile } from '../../results/result-files.ts';
import type { JobStats, RuntimeInfo } from '../../results/statistics.ts';
import { readPlan } from '../read-plan.ts';
import { rejectPlanned } from '../reject-planned.ts';
import { isCoverPlan, type LargePlan, type ShardPlan } from '../shard-plan.ts';
import type { PartResult } from '../solve-shard.ts';
import type { MergeInput, StepProgress } from '../steps.ts';
import type { WorkKeys } from '../work-keys.ts';
import { type JoinDependencies, type JoinProgress, joinFile } from './join-file.ts';
import { joinedFiles } from './joined-files.ts';
import { type CoverMergeDependencies, mergeCovers } from './merge-covers.ts';
import { mergedReport } from './merged-report.ts';
import { mergedStatistics, mergedStats } from './merged-statistics.ts';
import { readParts } from './read-parts.ts';

export interface MergeDependencies extends JoinDependencies, CoverMergeDependencies {
  readonly hashing: Hashing;
  readonly runtime: RuntimeInfo;
  /** @default the limits for which no operator has set others */
  readonly jobLimits?: JobLimits;
  /** Called when the file is rejected; the execution itself succeeds, so nothing else reports it. */
  onReject?(error: FileError): void;
  /**
   * Called after this merge commits a job, so that the job is counted: once, because a merge that finds a manifest does
   * not call it. It is never called if the function dies between the commit and the call, and called twice only if two
   * invocations of one execution merge at the same time.
   */
  onCommit?(stats: JobStats): void;
}

/** The place at which the next invocation continues. */
interface MergeCursor extends JoinProgress {
  /** Index of the file being joined. */
  readonly file: number;
}

export async function mergeShards(input: MergeInput, dependencies: MergeDependencies): Promise<StepProgress> {
  const { plan, keys } = await readPlan(input, dependencies);
  const { hashing } = dependencies;
  const job = storedJob(plan.jobId, plan.input, hashing);
  // An earlier invocation may have died after its commit, or could not send its event.
  const committed = await findManifest(job, dependencies);
  if (committed !== undefined) {
    await finishCommit(job, committed, dependencies);
    return { done: true, cursor: null };
  }
  if (isCoverPlan(plan)) {
    const rejected = await mergeCovers(plan, keys, job, dependencies);
    if (rejected !== undefined) return rejectMerged(job, plan, rejected, dependencies);
    return { done: true, cursor: null };
  }
  const parts = await readParts(plan, keys, dependencies);
  const error = parts.find(({ rejected }) => rejected !== undefined)?.rejected;
  if (error !== undefined) return rejectMerged(job, plan, error, dependencies);
  const joined = joinedFiles(plan, keys, parts, hashing);
  const excess = totalError(plan, parts, joined, dependencies.jobLimits);
  if (excess !== undefined) return rejectMerged(job, plan, excess, dependencies);
  const cursor = input.cursor as MergeCursor | null;
  const files: ManifestFile[] = [];
  for (const [index, file] of joined.entries()) {
    const key = `${job.keys.attempt(plan.attempt)}${file.name}`;
    const from = cursor?.file === index ? cursor : undefined;
    const progress = await joinFile(file, key, from, dependencies);
    if (progress !== undefined) return { done: false, cursor: { file: index, ...progress } };
    files.push({ name: file.name, key, bytes: file.bytes, ...file.checksum });
  }
  await commitMerged(job, plan, keys, parts, files, dependencies);
  return { done: true, cursor: null };
}

/** Why the shards together exceed a limit that none of them exceeds; undefined if they do not. */
function totalError(
  { source }: ShardPlan,
  parts: readonly PartResult[],
  joined: readonly Pick<WrittenFile, 'name' | 'bytes'>[],
  jobLimits = DEFAULT_JOB_LIMITS,
): FileError | undefined {
  const bytesOf = (file: string) => joined.find(({ name }) => name.startsWith(file))?.bytes ?? 0;
  const work = {
    nodes: parts.reduce((sum, { statistics }) => sum + statistics.nodes, 0),
    solutionBytes: bytesOf('solutions.'),
    exceptionBytes: bytesOf('exceptions.'),
  };
  return jobLimitError(work, source.bytes, jobLimits);
}

async function rejectMerged(
  job: StoredJob,
  plan: LargePlan,
  error: FileError,
  dependencies: MergeDependencies,
): Promise<StepProgress> {
  await rejectPlanned(job, plan.options, error, dependencies);
  return { done: true, cursor: null };
}

/** @param files the joined files, without statistics and report */
async function commitMerged(
  job: StoredJob,
  plan: ShardPlan,
  keys: WorkKeys,
  parts: readonly PartResult[],
  files: readonly ManifestFile[],
  dependencies: MergeDependencies,
): Promise<void> {
  const { hashing } = dependencies;
  const statistics = mergedStatistics(plan, parts);
  const stats = mergedStats(statistics, plan, parts, dependencies);
  const hardest = statistics.hardestRecords();
  const report = await mergedReport(plan, keys, parts, stats, hardest, dependencies);
  // A repeated step writes the same files again.
  const attempt = attemptFiles(job, plan.attempt, dependencies, false);
  const statsText = `${JSON.stringify(stats, undefined, 2)}\n`;
  const documents = [
    await storeText('stats.json', JSON_TYPE, statsText, attempt, hashing),
    await storeText('report.html', HTML_TYPE, report, attempt, hashing),
  ];
  const folder = job.keys.attempt(plan.attempt);
  const manifest = createManifest({
    jobId: plan.jobId,
    attempt: plan.attempt,
    input: plan.input,
    canonicalOptions: plan.options,
    reproducible: true,
    stats,
    files: [...files, ...documents.map((file) => ({ ...file, key: `${folder}${file.name}` }))],
  });
  await commitAttempt(job, manifest, dependencies, () => dependencies.onCommit?.(stats));
}
