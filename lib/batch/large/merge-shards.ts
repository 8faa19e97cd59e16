/**
 * Finishes a large job: commits the results of all parts. Nothing is committed unless every part exists.
 *
 * The step can be repeated: a file that exists with its size is not joined again, and every write after the commit is
 * idempotent.
 */
import { finishCommitted, storedJob } from '../delivery/commit.ts';
import { rejectionOf } from '../job/rejection.ts';
import { isCoverPlan, type LargeDependencies, readPlan, rejectLarge } from './large-job.ts';
import { mergeCovers } from './merge-covers.ts';
import { mergeRecords } from './merge-records.ts';
import { type CursorInput, DONE, type StepProgress } from './steps.ts';

export async function mergeShards(
  input: CursorInput,
  dependencies: LargeDependencies,
): Promise<StepProgress> {
  const { plan, keys } = await readPlan(input, dependencies);
  const job = storedJob(plan.jobId, plan.input, dependencies.hashing);
  // An earlier invocation may have died after its commit, or could not send its event.
  if ((await finishCommitted(job, dependencies)) !== undefined) return DONE;
  try {
    if (!isCoverPlan(plan)) return await mergeRecords(plan, keys, job, input.cursor, dependencies);
    await mergeCovers(plan, keys, job, dependencies);
  } catch (error) {
    const rejection = rejectionOf(error);
    if (rejection === undefined) throw error;
    await rejectLarge(job, plan.options, rejection, dependencies);
  }
  return DONE;
}
