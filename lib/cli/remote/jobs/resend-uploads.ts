/** Sends uploads to the queue again. The message is that of a bulk run, so it names the same job as the event. */
import { sqsQueue, sqsQueueAt } from '../../../aws/sqs-queue.ts';
import { messageFor } from '../../../batch/bulk-run/planned-version.ts';
import { isSweepable } from '../../../batch/bulk-run/sweep/sweep.ts';
import { INBOX_PREFIX, SCHEDULED_PREFIX } from '../../../batch/names.ts';
import type { MessageQueue, ObjectVersion } from '../../../batch/ports.ts';
import { LOCAL_STACK } from '../../../local/stack-names.ts';
import { CommandError, EXIT_FAILED, EXIT_SOLVED } from '../../exit.ts';
import { onInterrupt } from '../../terminal/interrupt.ts';
import { complain, print, printJson } from '../../terminal/output.ts';
import { commandText } from '../command-text.ts';
import { type Connection, stackOutput, withConnection } from '../connection.ts';
import type { ConnectionFlags } from '../connection-flags.ts';
import { networkSettings } from '../network-settings.ts';
import { RemoteError, remoteError } from '../remote-error.ts';
import { inputIdentity, stateAt } from './job-list.ts';
import { type PolledOutcome, pollOutcome } from './wait-for-outcome.ts';

export interface ResendFlags extends ConnectionFlags {
  readonly json?: boolean;
}

interface Resent {
  readonly key: string;
  /** Newest version. */
  readonly versionId?: string;
  readonly outcome: 'sent' | 'solved' | 'running' | 'rejected' | 'refused' | 'unknown' | 'failed';
  /** For the user, without the key. */
  readonly message: string;
}

/**
 * Sends the newest version of each key that is not running or finished.
 *
 * @returns the exit status
 */
export async function resendUploads(keys: readonly string[], flags: ResendFlags): Promise<number> {
  for (const key of keys) {
    if (isSweepable(key)) continue;
    throw new CommandError(
      `${key}: expected a key under ${INBOX_PREFIX} or ${SCHEDULED_PREFIX}, such as ${INBOX_PREFIX}${key}`,
    );
  }
  return withConnection(flags, 'resending', async (connection) => {
    const queue = await uploadQueue(connection, flags);
    const resent: Resent[] = [];
    const all = [...new Set(keys)];
    using _ = onInterrupt({
      left: () => ['interrupted', `to continue: ${commandText('resend', all.slice(resent.length))}`],
    });
    for (const key of all) {
      const one = await resendKey(connection, queue, key);
      resent.push(one);
      if (flags.json !== true) report(one);
    }
    if (flags.json === true) printJson({ resent });
    const left = resent.filter(({ outcome }) => outcome === 'failed').map(({ key }) => key);
    if (left.length > 0) print([`to continue: ${commandText('resend', left)}`], process.stderr);
    return resent.some(isError) ? EXIT_FAILED : EXIT_SOLVED;
  });
}

/** The queue of the stack, or of the endpoint. */
export async function uploadQueue(
  { s3, retries }: Connection,
  flags: ConnectionFlags,
): Promise<MessageQueue> {
  const { endpoint } = flags;
  if (endpoint !== undefined) {
    const queueUrl = new URL(LOCAL_STACK.queuePath, endpoint).href;
    return sqsQueueAt(endpoint, queueUrl, s3, networkSettings.timeouts);
  }
  return sqsQueue(await stackOutput(flags, 'QueueUrl', retries));
}

/** A network that fails for one key does not stop the others. */
async function resendKey(connection: Connection, queue: MessageQueue, key: string): Promise<Resent> {
  try {
    return await connection.retries.operation(() => resendOne(connection, queue, key));
  } catch (error) {
    const failure = remoteError(error, 'not sent');
    if (!(failure instanceof RemoteError && failure.isTemporary)) throw error;
    return { key, outcome: 'failed', message: failure.message };
  }
}

async function resendOne(connection: Connection, queue: MessageQueue, key: string): Promise<Resent> {
  const { inputBucket } = connection;
  const version = await firstUpload(connection, key);
  if (version?.key !== key) {
    const similar = version?.key ?? (await underOtherPrefix(connection, key));
    const hint = similar === undefined ? '' : ` (${similar} exists)`;
    const message = `no upload in ${inputBucket} has this key${hint}; see ${commandText('status')}`;
    return { key, outcome: 'unknown', message };
  }
  const versionId = inputIdentity(version);
  const notSent = reasonNotToSend(await pollOutcome(connection, key, versionId));
  if (notSent !== undefined) return { key, versionId, ...notSent };
  const message = messageFor(version, inputBucket);
  const refused = await connection.retries.request(() => queue.send([message]));
  if (refused.length > 0) {
    return { key, versionId, outcome: 'refused', message: 'the queue did not accept the message: try again' };
  }
  const watch = commandText('status --watch', [key]);
  return { key, versionId, outcome: 'sent', message: `sent to the queue; to watch it: ${watch}` };
}

/** Why a version is not sent; undefined if it is. */
function reasonNotToSend(found: PolledOutcome): Pick<Resent, 'outcome' | 'message'> | undefined {
  if (found.kind === 'outcome') {
    if (found.outcome.kind === 'completed') {
      return { outcome: 'solved', message: 'already solved; nothing sent' };
    }
    const reason = found.outcome.reject.error.message;
    return {
      outcome: 'rejected',
      message: `rejected, nothing sent (${reason}): fix the file and upload it again, or see ${commandText('redrive')}`,
    };
  }
  const status = found.kind === 'pending' ? found.status : undefined;
  if (status === undefined || stateAt(status, Date.now()) !== 'running') return undefined;
  return { outcome: 'running', message: `running since ${status.updatedAt}; nothing sent` };
}

/** The newest version of a key, or of the next key with this prefix. */
async function firstUpload(
  { store, inputBucket }: Connection,
  key: string,
): Promise<ObjectVersion | undefined> {
  for await (const version of store.listVersions(inputBucket, key)) {
    if (version.bytes > 0 || !version.key.endsWith('/')) return version;
  }
  return undefined;
}

/** The key with the same name under the other prefix, if it exists. */
async function underOtherPrefix(connection: Connection, key: string): Promise<string | undefined> {
  const [from, to] = key.startsWith(INBOX_PREFIX)
    ? [INBOX_PREFIX, SCHEDULED_PREFIX]
    : [SCHEDULED_PREFIX, INBOX_PREFIX];
  const other = to + key.slice(from.length);
  return (await firstUpload(connection, other))?.key === other ? other : undefined;
}

function isError({ outcome }: Resent): boolean {
  return ['unknown', 'rejected', 'refused', 'failed'].includes(outcome);
}

function report(one: Resent): void {
  const line = `${one.key}: ${one.message}`;
  if (isError(one)) complain(line);
  else print([line]);
}
