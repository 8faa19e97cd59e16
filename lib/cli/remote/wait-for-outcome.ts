/** Waiting for what becomes of an uploaded version. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { StatusDocument } from '../../batch/job-report.ts';
import { STATUS_PREFIX } from '../../batch/names.ts';
import { readJson } from '../../batch/read-json.ts';
import { resultKeyPart } from '../../batch/result-keys.ts';
import { findOutcome, type VersionOutcome } from '../../batch/result-set.ts';
import { systemHashing } from '../../node/system.ts';
import type { Connection } from './connection.ts';

/** What is known of a version while it is waited for. */
export type Waiting =
  | { readonly kind: 'outcome'; readonly outcome: VersionOutcome }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'pending'; readonly status?: StatusDocument };

/** Between two looks: short at first, for files that are done at once. */
const FIRST_LOOK_MS = 200;
const LONGEST_LOOK_MS = 5_000;

/** Looks once. */
export async function lookAt(
  { store, resultsBucket }: Connection,
  key: string,
  versionId: string,
): Promise<Waiting> {
  const outcome = await findOutcome(store, resultsBucket, key, versionId, systemHashing);
  if (outcome !== undefined) return { kind: 'outcome', outcome };
  const prefix = `${STATUS_PREFIX}${resultKeyPart(key, systemHashing)}/`;
  for await (const statusKey of store.list(resultsBucket, prefix)) {
    if (!/^[0-9a-f]{16}\.json$/.test(statusKey.slice(prefix.length))) continue;
    const status = (await readJson<StatusDocument>(store, resultsBucket, statusKey))?.document;
    if (status?.input.versionId !== versionId) continue;
    if (status.state === 'failed') {
      return { kind: 'failed', message: status.error?.message ?? 'the job failed' };
    }
    return { kind: 'pending', status };
  }
  return { kind: 'pending' };
}

/** Looks again and again until the version has an outcome, or its job has failed. */
export async function waitForOutcome(
  connection: Connection,
  key: string,
  versionId: string,
  onLook: (status: StatusDocument | undefined) => void,
): Promise<Exclude<Waiting, { kind: 'pending' }>> {
  for (let delayMs = FIRST_LOOK_MS; ; delayMs = Math.min(delayMs * 1.5, LONGEST_LOOK_MS)) {
    const found = await lookAt(connection, key, versionId);
    if (found.kind !== 'pending') return found;
    onLook(found.status);
    await sleep(delayMs);
  }
}
