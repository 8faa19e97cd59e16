/** Waits until a stack has finished all work of a run. */
import { INBOX_PREFIX } from '../../../batch/names.ts';
import { readRun } from '../runs/run-records.ts';
import { damagedKey } from './checks/retry.ts';
import { runIdOf } from './smoke-objects.ts';
import { smokeSettings } from './smoke-settings.ts';
import type { SmokeStack } from './smoke-stack.ts';

/**
 * Waits for all jobs and the bulk run, which would otherwise write after the removal.
 *
 * @returns what has not finished
 */
export async function settle(stack: SmokeStack): Promise<string[]> {
  const { connection, id, messaged, startedRun } = stack;
  const { store, inputBucket, resultsBucket } = connection;
  // An interrupted check may have left it, and then no retry would finish.
  await store.delete(resultsBucket, damagedKey(id));
  const unfinished = new Map(messaged.map((each) => [each.versionId, each.key]));
  // Listed, as an upload may be stored whose answer was lost.
  for await (const { key, versionId } of store.listVersions(inputBucket, `${INBOX_PREFIX}${id}/`)) {
    unfinished.set(versionId, key);
  }
  let isRunning = startedRun;
  await stack.until(smokeSettings.settleSeconds, async () => {
    for (const [versionId, key] of unfinished) {
      const state = (await stack.status({ key, versionId }))?.state;
      if (state === 'done' || state === 'rejected') unfinished.delete(versionId);
    }
    if (isRunning) isRunning = (await readRun(connection, runIdOf(id))).status?.state !== 'done';
    return unfinished.size === 0 && !isRunning ? true : undefined;
  });
  return [...unfinished.values(), ...(isRunning ? [`bulk run ${runIdOf(id)}`] : [])];
}
