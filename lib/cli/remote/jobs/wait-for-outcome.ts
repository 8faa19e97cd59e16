/** Polls until an uploaded version has an outcome. */
import { setTimeout as sleep } from 'node:timers/promises';
import { findStatus } from '../../../batch/delivery/find-status.ts';
import { findOutcome, type VersionOutcome } from '../../../batch/delivery/result-set.ts';
import type { StatusDocument } from '../../../batch/delivery/status-document.ts';
import { systemHashing } from '../../../node/system.ts';
import type { Connection } from '../connection.ts';

export type PolledOutcome =
  | { readonly kind: 'outcome'; readonly outcome: VersionOutcome }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'pending'; readonly status?: StatusDocument };

/** Delay between polls: short at first, for files that are solved at once. */
const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 5_000;

export async function pollOutcome(
  { store, resultsBucket }: Connection,
  key: string,
  versionId: string,
): Promise<PolledOutcome> {
  const outcome = await findOutcome(store, resultsBucket, key, versionId, systemHashing);
  if (outcome !== undefined) return { kind: 'outcome', outcome };
  const status = await findStatus(store, resultsBucket, key, versionId, systemHashing);
  if (status?.state === 'failed') {
    return { kind: 'failed', message: status.error?.message ?? 'the job failed' };
  }
  return { kind: 'pending', status };
}

/** Polls until the version has an outcome or its job has failed. @throws the reason if the connection is aborted */
export async function waitForOutcome(
  connection: Connection,
  key: string,
  versionId: string,
  onPending: (status: StatusDocument | undefined) => Promise<void>,
): Promise<Exclude<PolledOutcome, { kind: 'pending' }>> {
  const { retries } = connection;
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 1.5, MAX_DELAY_MS)) {
    const found = await retries.operation(async () => {
      const polled = await pollOutcome(connection, key, versionId);
      if (polled.kind === 'pending') await onPending(polled.status);
      return polled;
    });
    if (found.kind !== 'pending') return found;
    await sleep(delayMs, undefined, { signal: retries.signal });
  }
}
