/** The end of a job whose attempts have all failed. It may still be committed later: after a redrive, or by a bulk run. */

import {
  AttemptMayRunError,
  findManifest,
  finishCommit,
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
  const updatedAt = storage.clock.timeOfDay();
  const status = { state: 'failed', attempt, updatedAt, error: { message } } as const;
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
  const manifest = await findManifest(job, storage);
  if (manifest !== undefined) {
    await finishCommit(job, manifest, storage);
    return 'ended';
  }
  const rejected = await readJson<RejectDocument>(storage, job.keys.reject);
  if (rejected !== undefined) {
    const { error, options } = rejected;
    try {
      const existing = await rejectJob(job, error, options, storage);
      if (existing !== undefined) await finishCommit(job, existing, storage);
    } catch (mayRun) {
      // As after a last attempt: files of a killed attempt matter less than a message in the dead-letter queue.
      if (!(mayRun instanceof AttemptMayRunError)) throw mayRun;
    }
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
