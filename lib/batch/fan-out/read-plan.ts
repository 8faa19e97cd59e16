/** Reads the plan of the job to which a step belongs. */
import { jobIdOf } from '../delivery/job-id.ts';
import { PROGRAM_VERSION_ERROR } from '../names.ts';
import type { Hashing, ObjectStore } from '../ports.ts';
import { readJson } from '../storage/read-json.ts';
import { PROGRAM_VERSION } from '../version.ts';
import type { LargePlan } from './shard-plan.ts';
import type { StepInput } from './steps.ts';
import { type WorkKeys, workKeys } from './work-keys.ts';

export function stepKeys({ job, attempt }: StepInput, hashing: Hashing): { jobId: string; keys: WorkKeys } {
  const jobId = jobIdOf(job, hashing);
  return { jobId, keys: workKeys(jobId, attempt) };
}

/**
 * The plan was made by another version of the program, which may cut, count or write shards differently. A retry does
 * not help.
 */
export class ProgramVersionError extends Error {
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
  store: ObjectStore,
  resultsBucket: string,
  { plan: key }: WorkKeys,
): Promise<LargePlan | undefined> {
  const plan = (await readJson<LargePlan>(store, resultsBucket, key))?.document;
  if (plan !== undefined && plan.program !== PROGRAM_VERSION)
    throw new ProgramVersionError(key, plan.program);
  return plan;
}

/**
 * @throws Error if there is no plan: the steps ran in the wrong order
 * @throws ProgramVersionError if another version of the program made it
 */
export async function readPlan(
  input: StepInput,
  { store, resultsBucket, hashing }: { store: ObjectStore; resultsBucket: string; hashing: Hashing },
): Promise<{ readonly plan: LargePlan; readonly keys: WorkKeys }> {
  const { keys } = stepKeys(input, hashing);
  const plan = await findPlan(store, resultsBucket, keys);
  if (plan === undefined) throw new Error(`${keys.plan} is missing: the job was not planned`);
  return { plan, keys };
}
