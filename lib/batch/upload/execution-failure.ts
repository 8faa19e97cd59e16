/** Records the failure of a large job's execution in the job's status, with the shard that failed. */
import * as z from 'zod';
import { findManifest, finishCommit, type JobStorage, removeAttempt, storedJob } from '../delivery/commit.ts';
import { type Executions, failureText } from '../delivery/executions.ts';
import { jobIdOf } from '../delivery/job-id.ts';
import type { InputIdentity } from '../delivery/manifest.ts';
import { goneError } from '../job/file-error.ts';
import { type WorkKeys, workKeys } from '../large/keys.ts';
import { rejectLarge } from '../large/large-job.ts';
import { lastParts, listParts, readParts, readShards } from '../large/parts.ts';
import type { LargeJob } from '../large/steps.ts';
import { failJob } from './fail-job.ts';

const event = z.object({
  source: z.literal('aws.states'),
  'detail-type': z.literal('Step Functions Execution Status Change'),
  detail: z.object({
    name: z.string(),
    status: z.enum(['FAILED', 'TIMED_OUT', 'ABORTED']),
    /** Events of encrypted executions have neither this nor the next two. */
    input: z.string().nullish(),
    error: z.string().nullish(),
    cause: z.string().nullish(),
  }),
});

/** A failed execution of a large job, as its event reports it. */
interface ExecutionFailure {
  /** Undefined if the event does not have it: the execution does. */
  readonly job: LargeJob | undefined;
  /** Name of the execution. */
  readonly attempt: string;
  readonly status: string;
  readonly cause: string;
}

/** Parses a message body. @returns undefined if it is not an event about a failed execution */
export function executionFailureIn(body: unknown): ExecutionFailure | undefined {
  const parsed = event.safeParse(body);
  if (!parsed.success) return undefined;
  const { name, status, input, error, cause } = parsed.data.detail;
  return { job: jobIn(input), attempt: name, status, cause: failureText(error, cause) };
}

function jobIn(input: string | null | undefined): LargeJob | undefined {
  return input === undefined || input === null ? undefined : JSON.parse(input);
}

/**
 * Ends the job of a failed execution. One that is committed is finished: the execution may have failed after its commit.
 * The job of an upload that no longer exists is rejected.
 *
 * @param executions has the job if the event does not
 * @throws EventNotSentError; Error if neither has the job
 */
export async function recordExecutionFailure(
  { attempt, status, ...reported }: ExecutionFailure,
  executions: Executions | undefined,
  storage: JobStorage,
): Promise<void> {
  const execution = reported.job === undefined ? await executions?.describe(attempt) : undefined;
  const large = reported.job ?? jobIn(execution?.input);
  if (large === undefined) {
    throw new Error(`the event of execution ${attempt} has no input, nor has the execution`);
  }
  const cause = execution?.cause ?? reported.cause;
  const { bucket, key, versionId } = large;
  const jobId = jobIdOf(large, storage.hashing);
  const job = storedJob(jobId, { bucket, key, versionId }, storage.hashing);
  const committed = await findManifest(job, storage);
  if (committed !== undefined) {
    return finishCommit({ ...job, input: committed.input as InputIdentity }, committed, storage);
  }
  if ((await storage.store.head(bucket, key, versionId)) === undefined) {
    await removeAttempt(job, attempt, storage);
    await rejectLarge(job, large.options, goneError(key, versionId), storage);
    return;
  }
  const shard = await unfinishedShard(workKeys(jobId, attempt), storage);
  const where = shard === undefined ? '' : ` at shard ${shard}`;
  const why = cause === '' ? '' : `: ${cause.slice(0, MAX_CAUSE)}`;
  const message = `execution ${attempt} ${status}${where}${why}; to continue it, redrive the execution or deliver the upload's message again`;
  await failJob(job, { message, attempt }, storage);
}

/** Characters kept of a cause, which may be a long stack trace. */
const MAX_CAUSE = 1000;

/** The first shard, from 0, that is not solved completely; undefined if no shard is planned or all are solved. */
async function unfinishedShard(keys: WorkKeys, storage: JobStorage): Promise<number | undefined> {
  if ((await storage.store.head(storage.resultsBucket, keys.shards)) === undefined) return undefined;
  const parts = await readParts(lastParts(await listParts(keys, storage)), storage);
  const solved = new Set(parts.filter(({ last }) => last).map(({ shard }) => shard));
  const shards = await readShards(keys, storage);
  return shards.find(({ shard }) => !solved.has(shard))?.shard;
}
