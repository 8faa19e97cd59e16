/** Rejects a large job in one of its steps. */
import { finishCommit, type JobStorage, rejectJob, type StoredJob } from '../delivery/commit.ts';
import type { FileError } from '../job/file-error.ts';

/** @param canonical the options of the job */
export async function rejectPlanned(
  job: StoredJob,
  canonical: string,
  error: FileError,
  dependencies: JobStorage & { onReject?(error: FileError): void },
): Promise<void> {
  const texts = JSON.parse(canonical) as Record<string, unknown>;
  const options = Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, String(value)]));
  const existing = await rejectJob(job, error, options, dependencies);
  if (existing === undefined) dependencies.onReject?.(error);
  else await finishCommit(job, existing, dependencies);
}
