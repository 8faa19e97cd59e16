/**
 * Finishes a large exact-cover file: runs the job as one function does, with the stored answers for searches that are split
 * (stored-answers.ts). So its results are those of one function.
 */
import { attemptFiles, commitResults, type StoredJob } from '../delivery/commit.ts';
import { FileRejection } from '../job/input.ts';
import { runJob } from '../job/job.ts';
import { optionsFromCanonical } from '../options.ts';
import type { BlockSolver } from '../solving/block-solver.ts';
import { FunctionTime } from '../storage/function-time.ts';
import { deleteUnder } from '../storage/write-json.ts';
import { type CoverRange, openCoverText } from './covers.ts';
import type { WorkKeys } from './keys.ts';
import type { CoverPlan, LargeDependencies } from './large-job.ts';
import { listParts, readParts, readShards, requireAll, usedResources } from './parts.ts';
import { storedSearches } from './stored-answers.ts';
import type { SubproblemsPart } from './subproblems.ts';

/** @throws FileRejection; Error that names the subproblems that no part has */
export async function mergeCovers(
  plan: CoverPlan,
  keys: WorkKeys,
  job: StoredJob,
  dependencies: LargeDependencies,
): Promise<void> {
  const { clock, jobLimits, openSolver, ids } = dependencies;
  const deadlineMs = clock.monotonicMs() + new FunctionTime(dependencies).usableMs;
  const parts = await readParts<SubproblemsPart>(await listParts(keys, dependencies), dependencies);
  const shards = await readShards<CoverRange>(keys, dependencies);
  // Subproblems after the last part of a shard are not needed: those before reach a limit.
  requireAll(
    shards,
    parts,
    true,
    ({ from, to }) => to - from,
    ({ shard, problem, from }, begin, end) =>
      `subproblems ${from + begin} to ${from + end - 1} of problem ${problem} (shard ${shard})`,
  );
  const options = optionsFromCanonical(plan.options);
  const wallMs = Math.max(0, Date.parse(clock.timeOfDay()) - Date.parse(plan.startedAt));
  const { engine, close } = openSolver(options);
  const solver: BlockSolver = {
    workers: 1,
    depth: 1,
    sharedMemory: false,
    subproblems: storedSearches(shards, parts, keys, dependencies),
    solve: () => Promise.reject(new Error('an exact-cover file has no blocks')),
  };
  // The files have times, so each attempt has its own. No other execution has one of these names.
  const prefix = `${plan.attempt}-merge-`;
  const attempt = `${prefix}${ids.next()}`;
  const outcome = await runJob(
    {
      input: await openCoverText(plan, dependencies),
      fileName: plan.input.key,
      options,
      files: attemptFiles(job, attempt, dependencies, true),
      deadlineMs,
      jobLimits,
      storedBytes: plan.source.bytes,
      before: { wallMs, used: usedResources(parts) },
    },
    { ...dependencies, engine, solver },
  ).finally(close);
  if (outcome.kind === 'rejected') {
    // The files of attempts that were killed.
    await deleteUnder(dependencies, `${job.keys.folder}${prefix}`);
    const split = shards.filter(({ shard, firstShard }) => shard === firstShard).length;
    throw new FileRejection(
      outcome.outOfTime === true
        ? {
            code: 'too_large',
            message:
              `the searches of ${split} problems were split across functions, but the rest of the file exceeds the time of one ` +
              'function: split the file, lower max-nodes, or use the command-line tool',
          }
        : outcome.error,
    );
  }
  await commitResults(job, attempt, plan.options, outcome.stats, outcome.files, dependencies);
}
