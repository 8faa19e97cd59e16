/** Uploads that are queued for unusually long: why that may be, and the command that sends them again. */
import { INBOX_PREFIX } from '../../../batch/names.ts';
import { numberText } from '../../../batch/quantities.ts';
import { printable } from '../../terminal/terminal.ts';
import { commandText } from '../command-text.ts';
import type { ConnectionFlags } from '../connection-flags.ts';
import type { RemoteJob } from './job-list.ts';

/** An event arrives within seconds, and a function starts within seconds. */
const LONG_QUEUED_MS = 60_000;

/** Keys that the command names; a bulk run takes more. */
const NAMED_KEYS = 5;

/**
 * Keys of the uploads that have been queued for long; what is scheduled waits for its run. An older version has no part
 * in it: only the newest is sent again.
 *
 * @param jobs of each key the newest version first
 */
export function longQueuedKeys(jobs: readonly RemoteJob[], nowMs: number): string[] {
  const newest = new Map<string, RemoteJob>();
  for (const job of jobs) if (!newest.has(job.key)) newest.set(job.key, job);
  return [...newest.values()]
    .filter(
      ({ key, state, uploadedAt }) =>
        key.startsWith(INBOX_PREFIX) &&
        state === 'queued' &&
        uploadedAt !== undefined &&
        nowMs - Date.parse(uploadedAt) > LONG_QUEUED_MS,
    )
    .map(({ key }) => key);
}

/** The one line. @param keys at least one */
export function longQueuedLine(keys: readonly string[], flags: ConnectionFlags): string {
  const one = keys.length === 1;
  const what = one
    ? `${keys[0]} has been queued for over a minute`
    : `${numberText(keys.length)} uploads are queued, some for over a minute`;
  const command =
    keys.length > NAMED_KEYS
      ? commandText(`run --prefix ${INBOX_PREFIX} --grace 0`, [], flags)
      : commandText('resend', keys, flags);
  return printable(
    `${what}: the bucket may be new (EventBridge takes about five minutes after the deployment to deliver its events), or all functions are busy; to send ${one ? 'it' : 'them'} again: ${command}`,
  );
}

/** The uploads that are waited for; reports once that some are queued for long. */
export class QueueWatch {
  readonly #report: (keys: readonly string[]) => void;
  readonly #queuedSince = new Map<string, number>();
  #isReported = false;

  /** @param report called at most once, with the keys of all that are queued then */
  constructor(report: (keys: readonly string[]) => void) {
    this.#report = report;
  }

  /** An upload was polled. */
  polled(key: string, isQueued: boolean, nowMs: number = performance.now()): void {
    if (!isQueued || !key.startsWith(INBOX_PREFIX)) {
      this.#queuedSince.delete(key);
      return;
    }
    const sinceMs = this.#queuedSince.get(key) ?? nowMs;
    this.#queuedSince.set(key, sinceMs);
    if (this.#isReported || nowMs - sinceMs <= LONG_QUEUED_MS) return;
    this.#isReported = true;
    this.#report([...this.#queuedSince.keys()]);
  }
}
