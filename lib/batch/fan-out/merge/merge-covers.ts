/**
 * Finishes a large exact-cover file: runs the job as one function does, with the stored answers for searches that are split
 * (covers/stored-answers.ts). So its results are those of one function.
 */

import { attemptFiles, commitAttempt, type JobStorage, type StoredJob } from '../../delivery/commit.ts';
import { createManifest } from '../../delivery/manifest.ts';
import type { FileError } from '../../job/file-error.ts';
import { runJob } from '../../job/job.ts';
import type { JobDependencies } from '../../job/job-run.ts';
import type { JobLimits } from '../../job-limits.ts';
import { deadlineReserveMs } from '../../limits.ts';
import { optionsFromCanonical, type SolveOptions } from '../../options.ts';
import type { RandomIds } from '../../ports.ts';
import type { JobStats } from '../../results/statistics.ts';
import type { BlockSolver } from '../../solving/block-solver.ts';
import { openCoverText } from '../covers/cover-problems.ts';
import { readRangeParts } from '../covers/range-part.ts';
import { StoredSearches } from '../covers/stored-answers.ts';
import type { CoverPlan } from '../shard-plan.ts';
import type { WorkKeys } from '../work-keys.ts';
import { usedResources } from './used-resources.ts';

export interface CoverMergeDependencies extends Omit<JobDependencies, 'solver' | 'engine'>, JobStorage {
  readonly ids: RandomIds;
  readonly jobLimits?: JobLimits;
  openSolver(options: SolveOptions): Pick<JobDependencies, 'engine'> & { close(): Promise<void> };
  /** Milliseconds until this process is stopped. */
  remainingMs(): number;
  onCommit?(stats: JobStats): void;
}

/** @returns why the file is rejected; undefined if it is committed */
export async function mergeCovers(
  plan: CoverPlan,
  keys: WorkKeys,
  job: StoredJob,
  dependencies: CoverMergeDependencies,
): Promise<FileError | undefined> {
  const { clock, jobLimits, openSolver, remainingMs, ids } = dependencies;
  const timeMs = remainingMs();
  const deadlineMs = clock.monotonicMs() + timeMs - deadlineReserveMs(timeMs);
  const problems = await readRangeParts(keys, dependencies);
  const options = optionsFromCanonical(plan.options);
  const used = usedResources(problems.flatMap(({ parts }) => parts));
  const wallMs = Math.max(0, Date.parse(clock.timeOfDay()) - Date.parse(plan.startedAt));
  const { engine, close } = openSolver(options);
  const solver: BlockSolver = {
    workers: 1,
    depth: 1,
    sharedMemory: false,
    subproblems: new StoredSearches(problems, keys, dependencies),
    solve: () => Promise.reject(new Error('an exact-cover file has no blocks')),
  };
  // The files have times, so each attempt has its own.
  const attempt = `${tryPrefix(plan)}${ids.next()}`;
  const outcome = await runJob(
    {
      input: await openCoverText(plan, dependencies),
      fileName: plan.input.key,
      options,
      files: attemptFiles(job, attempt, dependencies, true),
      deadlineMs,
      jobLimits,
      storedBytes: plan.source.bytes,
      before: { wallMs, used },
    },
    { ...dependencies, engine, solver },
  ).finally(close);
  if (outcome.kind === 'rejected') {
    await removeTries(plan, job, dependencies);
    return outcome.outOfTime === true ? mergeTooLong(problems.length) : outcome.error;
  }
  const { stats, files } = outcome;
  const folder = job.keys.attempt(attempt);
  const manifest = createManifest({
    jobId: plan.jobId,
    attempt,
    input: plan.input,
    canonicalOptions: plan.options,
    reproducible: true,
    stats,
    files: files.map((file) => ({ ...file, key: `${folder}${file.name}` })),
  });
  await commitAttempt(job, manifest, dependencies, () => dependencies.onCommit?.(stats));
  return undefined;
}

/** The attempts of an execution's merges; no other execution has one of these names. */
function tryPrefix({ attempt }: CoverPlan): string {
  return `${attempt}-try-`;
}

/** Removes the files of attempts that were killed. */
async function removeTries(
  plan: CoverPlan,
  job: StoredJob,
  { store, resultsBucket }: JobStorage,
): Promise<void> {
  for await (const key of store.list(resultsBucket, `${job.keys.folder}${tryPrefix(plan)}`)) {
    await store.delete(resultsBucket, key);
  }
}

function mergeTooLong(split: number): FileError {
  return {
    code: 'too_large',
    message:
      `the searches of ${split} problems were split across functions, but the rest of the file exceeds the time of one ` +
      'function: split the file, lower max-nodes, or use the command-line tool',
  };
}
