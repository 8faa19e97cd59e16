/**
 * Uploads that nothing works on: the process was killed after S3 stored them, and before their event was in the queue.
 *
 *     versions in the inbox  -  done markers  -  versions that messages and executions name
 */

import { messageFor } from '../../batch/bulk-run/planned-version.ts';
import { BEGINNING, type SweepDependencies, sweep } from '../../batch/bulk-run/sweep/sweep.ts';
import { INBOX_PREFIX } from '../../batch/names.ts';

/** In messages of S3's events, and in inputs of executions. */
const VERSION_ID = /"version(?:-id|Id)":"([^"]+)"/g;
/** After every time: the versions of all ages. */
const END_OF_TIME = '~';

/**
 * Calls `send` with a message for each missed upload. A message too many changes nothing: both are one job.
 *
 * @param work texts of all messages and of the inputs of all executions
 */
export async function sendMissedUploads(
  work: Iterable<string>,
  dependencies: SweepDependencies,
  send: (body: string) => void,
): Promise<void> {
  const known = new Set<string>();
  for (const text of work) for (const [, versionId] of text.matchAll(VERSION_ID)) known.add(versionId!);
  await sweep(
    { prefixes: [INBOX_PREFIX], writtenBefore: END_OF_TIME },
    BEGINNING,
    dependencies,
    () => false,
    (outcome, version) => {
      if (outcome !== 'alreadyDone' && !known.has(version.versionId))
        send(messageFor(version, dependencies.inputBucket));
    },
  );
}
