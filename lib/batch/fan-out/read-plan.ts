/** The plan of the job that a step belongs to. */
import { jobIdOf } from '../delivery/job-id.ts';
import type { Hashing, ObjectStore } from '../ports.ts';
import { readJson } from '../storage/read-json.ts';
import type { ShardPlan } from './plan.ts';
import type { StepInput } from './steps.ts';
import { type WorkKeys, workKeys } from './work-keys.ts';

/** Where a step's job keeps its work. */
export function stepKeys({ job, attempt }: StepInput, hashing: Hashing): { jobId: string; keys: WorkKeys } {
  const jobId = jobIdOf(job, hashing);
  return { jobId, keys: workKeys(jobId, attempt) };
}

/** @throws Error where there is no plan: the steps ran in another order than the state machine's */
export async function readPlan(
  input: StepInput,
  { store, resultsBucket, hashing }: { store: ObjectStore; resultsBucket: string; hashing: Hashing },
): Promise<{ readonly plan: ShardPlan; readonly keys: WorkKeys }> {
  const { keys } = stepKeys(input, hashing);
  const found = await readJson<ShardPlan>(store, resultsBucket, keys.plan);
  if (found === undefined) throw new Error(`${keys.plan} is not there: the job was never planned`);
  return { plan: found.document, keys };
}
