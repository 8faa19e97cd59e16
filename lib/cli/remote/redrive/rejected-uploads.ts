/** Sends rejected uploads to the queue again: the newest version of each key, after the cause was removed. */
import { messageFor } from '../../../batch/bulk-run/planned-version.ts';
import { inputIdentity, JobList, type RemoteJob } from '../jobs/job-list.ts';
import {
  type RedriveContext,
  type RedriveItem,
  redriveItem,
  sendAgain,
  WOULD_BE_SENT,
} from './redrive-item.ts';

/**
 * @param prefixes of keys
 * @param isWanted by the state and the error of a job
 */
export async function* redriveUploads(
  prefixes: readonly string[],
  isWanted: (job: RemoteJob) => boolean,
  context: RedriveContext,
): AsyncGenerator<RedriveItem> {
  const { connection } = context;
  const list = new JobList(connection);
  for (const prefix of prefixes) {
    const jobs = await connection.retries.operation(() => list.list(prefix, Date.now()));
    const newest = jobs.filter(({ key }, index) => jobs[index - 1]?.key !== key);
    for (const job of newest) {
      if (context.matches(job.key) && isWanted(job)) yield await redriveUpload(job, context);
    }
  }
}

function redriveUpload({ key, versionId, error }: RemoteJob, context: RedriveContext): Promise<RedriveItem> {
  const { store, inputBucket } = context.connection;
  return redriveItem(context, { kind: 'upload', name: key }, async () => {
    for await (const version of store.listVersions(inputBucket, key)) {
      if (version.key !== key) break;
      if (inputIdentity(version) !== versionId) continue;
      const reason = error === undefined ? '' : ` (${error.message})`;
      const sent = context.isDryRun
        ? WOULD_BE_SENT
        : await sendAgain(context, messageFor(version, inputBucket));
      return { ...sent, message: `${sent.message}${reason}` };
    }
    return { outcome: 'failed', message: 'the object no longer exists: upload it again' };
  });
}
