/** An attempt that fails, and its retry. */
import { setTimeout as sleep } from 'node:timers/promises';
import { jobKeys } from '../../../../batch/delivery/result-keys.ts';
import { RESULTS_PREFIX, SCHEDULED_PREFIX } from '../../../../batch/names.ts';
import { JSON_TYPE } from '../../../../batch/results/content-types.ts';
import { systemHashing } from '../../../../node/system.ts';
import { CommandError } from '../../../exit.ts';
import type { Finding } from '../../../terminal/finding.ts';
import type { SmokeFile } from '../smoke-files.ts';
import { smokeSettings } from '../smoke-settings.ts';
import type { SmokeStack } from '../smoke-stack.ts';
import { difference, solveLike } from '../solve-here.ts';
import { retryFinding } from '../verdicts.ts';
import { KNOWN_FILE } from './known.ts';

const RETRY_FILE: SmokeFile = { ...KNOWN_FILE, name: 'retry/known.txt' };

/** Key of the object that makes an attempt fail after its commit: `latest.json` of the upload, which is not JSON. */
export function damagedKey(id: string): string {
  return `${RESULTS_PREFIX}${SCHEDULED_PREFIX}${id}/${RETRY_FILE.name}/latest.json`;
}

/**
 * Makes an attempt fail: it commits, then cannot read `latest.json`, and its message returns to the queue. After
 * `latest.json` is deleted, the retry does the rest.
 */
export async function checkRetry(stack: SmokeStack): Promise<Finding> {
  const { store, resultsBucket } = stack.connection;
  const damaged = damagedKey(stack.id);
  const sent = await stack.schedule(RETRY_FILE);
  const { done } = jobKeys(sent.key, sent.versionId, '', systemHashing);
  const isDone = async () => (await store.head(resultsBucket, done)) !== undefined;
  await store.put(
    resultsBucket,
    damaged,
    new TextEncoder().encode('damaged by dlx-batch smoke\n'),
    JSON_TYPE,
  );
  await stack.send(sent);
  const committed = await stack.until(smokeSettings.outcomeSeconds, async () => {
    for await (const key of store.list(resultsBucket, `${RESULTS_PREFIX}${sent.key}/`)) {
      if (key.endsWith('/manifest.json')) return key;
    }
    return undefined;
  });
  if (committed === undefined) throw new CommandError(`${sent.key} has no result`);
  await sleep(smokeSettings.failureSeconds * 1000, undefined, { signal: stack.connection.retries.signal });
  const failed = !(await isDone());
  await store.delete(resultsBucket, damaged);
  const startMs = performance.now();
  const finished = await stack.until(smokeSettings.retrySeconds, async () => {
    return (await isDone()) && (await stack.status(sent))?.state === 'done' ? performance.now() : undefined;
  });
  if (finished === undefined) return retryFinding({ failed, seconds: undefined, difference: undefined });
  const { outcome } = await stack.outcome(sent);
  const seconds = smokeSettings.failureSeconds + (finished - startMs) / 1000;
  return retryFinding({
    failed,
    seconds,
    difference: difference(await solveLike(RETRY_FILE, outcome), outcome),
  });
}
