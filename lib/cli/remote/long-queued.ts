/** Uploads that have been queued for unusually long: the likely reasons, and the command that sends them again. */
import { INBOX_PREFIX } from '../../batch/names.ts';
import { numberText } from '../../batch/quantities.ts';
import { visibleText } from '../../formats/bytes/visible-text.ts';
import { commandText } from './command-text.ts';

/** Events normally arrive and functions start within seconds. */
const LONG_QUEUED_MS = 60_000;

/** Keys that the suggested command names; for more, it names their prefix. */
const MAX_NAMED_KEYS = 5;

/** Whether an upload has been queued for long. Scheduled uploads wait for their run. */
export function isLongQueued(key: string, queuedMs: number): boolean {
  return key.startsWith(INBOX_PREFIX) && queuedMs > LONG_QUEUED_MS;
}

/** Formats the hint as one line. @param keys at least one */
export function longQueuedLine(keys: readonly string[]): string {
  const one = keys.length === 1;
  const what = one
    ? `${keys[0]} has been queued for over a minute`
    : `${numberText(keys.length)} uploads are queued, some for over a minute`;
  const command = commandText('retry', keys.length > MAX_NAMED_KEYS ? [INBOX_PREFIX] : keys);
  return visibleText(
    `${what}: either the bucket is new (for 15 minutes after the deployment, EventBridge may send no events and S3 may not find uploads, which are tried again) or all functions are busy; to send ${one ? 'it' : 'them'} again: ${command}`,
  );
}
