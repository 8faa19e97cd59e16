/** The plan of the job that a step belongs to. */
import { jobIdOf } from '../delivery/job-id.ts';
import { PROGRAM_VERSION_ERROR } from '../names.ts';
import type { Hashing, ObjectStore } from '../ports.ts';
import { readJson } from '../storage/read-json.ts';
import { PROGRAM_VERSION } from '../version.ts';
import type { ShardPlan } from './shard-plan.ts';
import type { StepInput } from './steps.ts';
import { type WorkKeys, workKeys } from './work-keys.ts';

/** Where a step's job keeps its work. */
export function stepKeys({ job, attempt }: StepInput, hashing: Hashing): { jobId: string; keys: WorkKeys } {
  const jobId = jobIdOf(job, hashing);
  return { jobId, keys: workKeys(jobId, attempt) };
}

/**
 * A plan, and the steps that follow it, are of one version of the program: shards of another one may be cut, counted or
 * written differently. Trying again does not help.
 */
export class ProgramVersionError extends Error {
  override readonly name = PROGRAM_VERSION_ERROR;

  constructor(key: string, planned: string | undefined) {
    super(
      `${key} was made by version ${planned ?? 'unknown'} of the program, and this is version ${PROGRAM_VERSION}: ` +
        'an execution and its redrives keep the versions of their functions; if those are gone, upload the file again with --force',
    );
  }
}

/**
 * The plan that is stored, if there is one.
 *
 * @throws ProgramVersionError if another version of the program made it
 */
export async function findPlan(
  store: ObjectStore,
  resultsBucket: string,
  { plan: key }: WorkKeys,
): Promise<ShardPlan | undefined> {
  const plan = (await readJson<ShardPlan>(store, resultsBucket, key))?.document;
  if (plan !== undefined && plan.program !== PROGRAM_VERSION)
    throw new ProgramVersionError(key, plan.program);
  return plan;
}

/**
 * @throws Error where there is no plan: the steps ran in another order than the state machine's
 * @throws ProgramVersionError if another version of the program made it
 */
export async function readPlan(
  input: StepInput,
  { store, resultsBucket, hashing }: { store: ObjectStore; resultsBucket: string; hashing: Hashing },
): Promise<{ readonly plan: ShardPlan; readonly keys: WorkKeys }> {
  const { keys } = stepKeys(input, hashing);
  const plan = await findPlan(store, resultsBucket, keys);
  if (plan === undefined) throw new Error(`${keys.plan} is not there: the job was never planned`);
  return { plan, keys };
}
