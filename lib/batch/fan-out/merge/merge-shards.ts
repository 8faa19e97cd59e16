/**
 * The end of a large job: the pieces of all shards become one file each, their counts one set of statistics, and the
 * manifest commits them. Nothing is committed unless every piece is there.
 *
 * Every step may be done again: a file that stands with its size is not joined once more, and whatever follows the
 * commit is idempotent.
 */
import {
  attemptFiles,
  commitAttempt,
  findManifest,
  type JobStorage,
  type StoredJob,
} from '../../delivery/commit.ts';
import { createManifest, type ManifestFile } from '../../delivery/manifest.ts';
import { jobKeys } from '../../delivery/result-keys.ts';
import type { Hashing } from '../../ports.ts';
import { HTML_TYPE, JSON_TYPE } from '../../results/content-types.ts';
import { storeText } from '../../results/result-files.ts';
import type { JobStats, RuntimeInfo } from '../../results/statistics.ts';
import { readPlan } from '../read-plan.ts';
import type { ShardPlan } from '../shard-plan.ts';
import type { PieceResult } from '../solve-shard.ts';
import type { MergeInput, StepProgress } from '../steps.ts';
import type { WorkKeys } from '../work-keys.ts';
import { type JoinDependencies, type JoinProgress, joinFile } from './join-file.ts';
import { joinedFiles } from './joined-files.ts';
import { mergedReport } from './merged-report.ts';
import { mergedStatistics, mergedStats } from './merged-statistics.ts';
import { readPieces } from './read-pieces.ts';

export interface MergeDependencies extends JobStorage, JoinDependencies {
  readonly hashing: Hashing;
  readonly runtime: RuntimeInfo;
  /**
   * Hears of a job that this merge commits, so that it can be counted: once for each job, since a merge that finds a
   * manifest says nothing. It is never heard where a function dies between its commit and this call, and twice only
   * where two invocations of one execution commit at the same moment.
   */
  onCommit?(stats: JobStats): void;
}

/** Where a merge stands that ran out of time. */
interface MergeCursor extends JoinProgress {
  /** The file that is being joined. */
  readonly file: number;
}

/** Joins, counts and commits. */
export async function mergeShards(input: MergeInput, machinery: MergeDependencies): Promise<StepProgress> {
  const { plan, keys } = await readPlan(input, machinery);
  const pieces = await readPieces(plan, keys, machinery);
  const { jobId, input: identity } = plan;
  const { hashing } = machinery;
  const job = { jobId, input: identity, keys: jobKeys(identity.key, identity.versionId, jobId, hashing) };
  const cursor = input.cursor as MergeCursor | null;
  const files: ManifestFile[] = [];
  for (const [index, file] of joinedFiles(plan, keys, pieces, hashing).entries()) {
    const key = `${job.keys.attempt(plan.attempt)}${file.name}`;
    const begun = cursor?.file === index ? cursor : undefined;
    const progress = await joinFile(file, key, begun, machinery);
    if (progress !== undefined) return { done: false, cursor: { file: index, ...progress } };
    files.push({ name: file.name, key, bytes: file.bytes, ...file.checksum });
  }
  await commitMerged(job, plan, keys, pieces, files, machinery);
  return { done: true, cursor: null };
}

/** @param files those that are joined; statistics and report come to them */
async function commitMerged(
  job: StoredJob,
  plan: ShardPlan,
  keys: WorkKeys,
  pieces: readonly PieceResult[],
  files: readonly ManifestFile[],
  machinery: MergeDependencies,
): Promise<void> {
  const { hashing } = machinery;
  const statistics = mergedStatistics(pieces);
  const stats = mergedStats(statistics, plan, pieces, machinery);
  const slowest = statistics.slowestRecords();
  const report = await mergedReport(plan, keys, pieces, stats, slowest, machinery);
  const attempt = attemptFiles(job, plan.attempt, machinery);
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
    puzzles: stats.puzzles,
    engine: stats.engine,
    files: [...files, ...documents.map((file) => ({ ...file, key: `${folder}${file.name}` }))],
  });
  // An earlier invocation of this execution may have committed, and was cut off in what follows.
  const standing = await findManifest(job, machinery);
  await commitAttempt(job, manifest, machinery, () => {
    if (standing === undefined) machinery.onCommit?.(stats);
  });
}
