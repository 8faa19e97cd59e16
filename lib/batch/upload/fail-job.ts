/** The end of a job whose attempts have all failed. It may still be committed later: after a redrive, or by a bulk run. */

import {
  findManifest,
  finishCommitted,
  type JobStorage,
  rejectJob,
  type StoredJob,
  writeStatus,
} from '../delivery/commit.ts';
import { sendFailed } from '../delivery/outcome-events.ts';
import type { RejectDocument, StatusDocument } from '../delivery/status-document.ts';
import { readJson } from '../storage/read-json.ts';

/**
 * Writes the status `failed` and sends the event, unless the job has an outcome.
 *
 * @throws EventNotSentError if the status is written, and the event is not sent
 */
export async function failJob(
  job: StoredJob,
  failure: { readonly message: string; readonly attempt?: string },
  storage: JobStorage,
): Promise<void> {
  if ((await findManifest(job, storage)) !== undefined) return;
  const { message, attempt } = failure;
  const status = { state: 'failed', attempt, error: { message } } as const;
  const written = await writeStatus(job, storage, status);
  if (!written || storage.events === undefined) return;
  await sendFailed(job.jobId, job.input, job.keys.status, message, storage);
  await writeStatus(job, storage, { ...status, eventSent: true });
}

/** `ended`: it has an outcome. `crashed`: no attempt recorded the failure, which is new then. */
export type ReportedFailure = 'ended' | 'failed' | 'crashed';

/**
 * Reports a job after its last attempt, without another one: the attempt may have crashed, or the bus may not have accepted its
 * event. Repeats what follows an outcome, if the job has one.
 *
 * @throws EventNotSentError if the event is not sent
 */
export async function reportFailure(job: StoredJob, storage: JobStorage): Promise<ReportedFailure> {
  if ((await finishCommitted(job, storage)) !== undefined) return 'ended';
  const rejected = await readJson<RejectDocument>(storage, job.keys.reject);
  if (rejected !== undefined) {
    await rejectJob(job, rejected.error, rejected.options, true, storage);
    return 'ended';
  }
  const status = await readJson<StatusDocument>(storage, job.keys.status);
  const hasFailed = status?.state === 'failed';
  const message = hasFailed ? (status.error?.message ?? CRASHED) : CRASHED;
  if (!hasFailed || status.eventSent !== true) await failJob(job, { message }, storage);
  return hasFailed ? 'failed' : 'crashed';
}

const CRASHED =
  'the last attempt did not finish: its function crashed, ran out of memory or timed out; the log of the function has the cause';
