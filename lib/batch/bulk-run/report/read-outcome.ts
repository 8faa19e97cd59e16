/** Reads the outcome of one planned version, with the statistics of its job. */
import { findStatus } from '../../delivery/find-status.ts';
import { findOutcome } from '../../delivery/result-set.ts';
import type { StatusDocument } from '../../delivery/status-document.ts';
import type { JobStats } from '../../results/statistics.ts';
import { readJson } from '../../storage/read-json.ts';
import type { PlannedVersion } from '../planned-version.ts';
import type { RunDependencies } from '../steps.ts';
import { UNVERSIONED } from '../sweep/version-markers.ts';
import type { UnsolvedVersion } from './run-report.ts';

export type ReadOutcome =
  | { readonly outcome: 'solved'; readonly stats: JobStats | undefined }
  | Pick<UnsolvedVersion, 'outcome' | 'jobId' | 'message'>;

export async function readOutcome(
  version: PlannedVersion,
  { store, resultsBucket, hashing, clock }: RunDependencies,
): Promise<ReadOutcome> {
  const { key, versionId, etag } = version;
  // The job of an object written without versions has either name.
  const names = versionId === UNVERSIONED ? [UNVERSIONED, `etag-${etag}`] : [versionId];
  for (const name of names) {
    const found = await findOutcome(store, resultsBucket, key, name, hashing);
    if (found?.kind === 'rejected') {
      const { jobId, error } = found.reject;
      return { outcome: 'rejected', jobId, message: error.message };
    }
    if (found === undefined) continue;
    const stats = found.manifest.files.find((file) => file.name === 'stats.json');
    const read = stats?.key && (await readJson<JobStats>(store, resultsBucket, stats.key));
    return { outcome: 'solved', stats: read ? read.document : undefined };
  }
  for (const name of names) {
    const status = await findStatus(store, resultsBucket, key, name, hashing);
    if (status !== undefined) return unfinished(status, clock.timeOfDay());
  }
  return { outcome: 'stalled', message: 'no job has started: its message waits in the queue or was lost' };
}

function unfinished(status: StatusDocument, now: string): ReadOutcome {
  const { jobId, state, error, deadline, updatedAt } = status;
  if (state === 'failed') {
    return { outcome: 'failed', jobId, message: error?.message ?? 'the job failed' };
  }
  const overdue = deadline !== undefined && deadline < now ? `, with deadline ${deadline}` : '';
  return { outcome: 'stalled', jobId, message: `its job was ${state} at ${updatedAt}${overdue}` };
}
