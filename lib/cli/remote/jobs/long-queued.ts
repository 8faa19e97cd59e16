/** Uploads that have been queued for unusually long: the likely reasons, and the command that sends them again. */
import { INBOX_PREFIX } from '../../../batch/names.ts';
import { numberText } from '../../../batch/quantities.ts';
import { visibleText } from '../../../formats/bytes/visible-text.ts';
import { commandText } from '../command-text.ts';
import type { RemoteJob } from './job-list.ts';

/** Events normally arrive and functions start within seconds. */
const LONG_QUEUED_MS = 60_000;

/** Maximum number of keys in the suggested `resend` command; for more, the suggestion is a bulk run. */
const MAX_NAMED_KEYS = 5;

/**
 * Returns the keys of uploads that have been queued for long. Scheduled uploads wait for their run and are omitted, and
 * so are older versions, because `resend` sends only the newest.
 *
 * @param jobs newest version first for each key
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

/** Formats the hint as one line. @param keys at least one */
export function longQueuedLine(keys: readonly string[]): string {
  const one = keys.length === 1;
  const what = one
    ? `${keys[0]} has been queued for over a minute`
    : `${numberText(keys.length)} uploads are queued, some for over a minute`;
  const command =
    keys.length > MAX_NAMED_KEYS
      ? commandText(`run --prefix ${INBOX_PREFIX} --grace 0`)
      : commandText('resend', keys);
  return visibleText(
    `${what}: either the bucket is new (for 15 minutes after the deployment, EventBridge may send no events and S3 may not find uploads, which are tried again) or all functions are busy; to send ${one ? 'it' : 'them'} again: ${command}`,
  );
}

/** Tracks the uploads that a command waits for, and reports once if some have been queued for long. */
export class QueueWatch {
  readonly #report: (keys: readonly string[]) => void;
  readonly #queuedSince = new Map<string, number>();
  #isReported = false;

  /** @param report called at most once, with all keys queued at that time */
  constructor(report: (keys: readonly string[]) => void) {
    this.#report = report;
  }

  /** Records the result of a poll. */
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
