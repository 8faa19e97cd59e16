/** A second delivery of a message. */
import { jobKeys } from '../../../../batch/delivery/result-keys.ts';
import { systemHashing } from '../../../../node/system.ts';
import type { Finding } from '../../../terminal/finding.ts';
import { smokeSettings } from '../smoke-settings.ts';
import type { SmokeStack } from '../smoke-stack.ts';
import { duplicateFinding } from '../verdicts.ts';
import type { Solved } from './known.ts';
import { manifestOf } from './outcomes.ts';

/**
 * Sends the message of a finished upload again. Its done marker is deleted before, as the delivery restores it, and the
 * time of its status changes last: so the delivery is known to be handled.
 */
export async function checkDuplicate(stack: SmokeStack, { sent, outcome }: Solved): Promise<Finding> {
  const { store, resultsBucket } = stack.connection;
  const { key, versionId } = sent;
  const { jobId = '' } = manifestOf(outcome);
  const keys = jobKeys(key, versionId, jobId, systemHashing);
  const final = await stack.until(smokeSettings.outcomeSeconds, async () => {
    const status = await stack.status(sent);
    return status?.state === 'done' ? status : undefined;
  });
  const before = await store.head(resultsBucket, keys.manifest);
  await store.delete(resultsBucket, keys.done);
  await stack.send(sent);
  const handled = await stack.until(smokeSettings.outcomeSeconds, async () => {
    const isBack = (await store.head(resultsBucket, keys.done)) !== undefined;
    return isBack && (await stack.status(sent))?.updatedAt !== final?.updatedAt ? true : undefined;
  });
  const after = await store.head(resultsBucket, keys.manifest);
  const attempts = new Set<string>();
  for await (const each of store.list(resultsBucket, keys.folder)) {
    const [attempt, file] = each.slice(keys.folder.length).split('/');
    if (file !== undefined) attempts.add(attempt!);
  }
  const sameManifest = before !== undefined && before.etag === after?.etag;
  return duplicateFinding({ handled: handled === true, sameManifest, attempts: attempts.size });
}
