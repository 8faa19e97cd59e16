/** Uploads that are sent to the queue again: with the message of a bulk run, so each is the job that its event names. */
import { sqsQueue, sqsQueueAt } from '../../../aws/sqs-queue.ts';
import { messageFor } from '../../../batch/bulk-run/planned-version.ts';
import { isSweepable } from '../../../batch/bulk-run/sweep.ts';
import { INBOX_PREFIX, SCHEDULED_PREFIX } from '../../../batch/names.ts';
import type { MessageQueue, ObjectVersion } from '../../../batch/ports.ts';
import { LOCAL_STACK } from '../../../local/stack-names.ts';
import type { ResendFlags } from '../../commands/resend.ts';
import { CommandError, EXIT_FAILED, EXIT_SOLVED } from '../../exit.ts';
import { printable } from '../../terminal/terminal.ts';
import { commandText } from '../command-text.ts';
import { type Connection, connect, stackOutput } from '../connection.ts';
import { remoteError } from '../remote-error.ts';
import { inputIdentity, stateAt } from './job-list.ts';
import { lookAt, type Waiting } from './wait-for-outcome.ts';

interface Resent {
  readonly key: string;
  /** Of the newest version that has content. */
  readonly versionId?: string;
  readonly outcome: 'sent' | 'solved' | 'running' | 'rejected' | 'refused' | 'unknown';
  /** For the user, without the key. */
  readonly message: string;
}

/**
 * Sends the newest version of each key, unless it needs no message.
 *
 * @returns the exit status
 */
export async function resend(keys: readonly string[], flags: ResendFlags): Promise<number> {
  for (const key of keys) {
    if (isSweepable(key)) continue;
    throw new CommandError(
      `${printable(key)}: expected a key under ${INBOX_PREFIX} or ${SCHEDULED_PREFIX}, such as ${INBOX_PREFIX}${printable(key)}`,
    );
  }
  const connection = await connect(flags);
  try {
    const queue = await uploadQueue(connection, flags);
    const resent: Resent[] = [];
    for (const key of new Set(keys)) {
      const one = await resendOne(connection, queue, key, flags);
      resent.push(one);
      if (flags.json !== true) print(one);
    }
    if (flags.json === true) process.stdout.write(`${JSON.stringify({ resent })}\n`);
    return resent.some(isError) ? EXIT_FAILED : EXIT_SOLVED;
  } catch (error) {
    throw remoteError(error, 'resending');
  } finally {
    connection.s3.destroy();
  }
}

/** The queue of the stack, or of the endpoint. */
async function uploadQueue({ s3 }: Connection, flags: ResendFlags): Promise<MessageQueue> {
  const { endpoint } = flags;
  if (endpoint !== undefined) {
    return sqsQueueAt(endpoint, new URL(LOCAL_STACK.queuePath, endpoint).href, s3);
  }
  return sqsQueue(await stackOutput(flags, 'QueueUrl'));
}

async function resendOne(
  connection: Connection,
  queue: MessageQueue,
  key: string,
  flags: ResendFlags,
): Promise<Resent> {
  const { inputBucket } = connection;
  const version = await firstUpload(connection, key);
  if (version?.key !== key) {
    const similar = version?.key ?? (await underOtherPrefix(connection, key));
    const hint = similar === undefined ? '' : ` (${similar} is there)`;
    const message = `no upload in ${inputBucket} has this key${hint}: dlx-batch status lists all of them`;
    return { key, outcome: 'unknown', message };
  }
  const versionId = inputIdentity(version);
  const notSent = reasonNotToSend(await lookAt(connection, key, versionId));
  if (notSent !== undefined) return { key, versionId, ...notSent };
  const refused = await queue.send([messageFor(version, inputBucket)]);
  if (refused.length > 0) {
    return { key, versionId, outcome: 'refused', message: 'the queue did not take the message: try again' };
  }
  const message = `sent to the queue; to follow it: ${commandText('status --watch', [key], flags)}`;
  return { key, versionId, outcome: 'sent', message };
}

/** Why a version needs no message; undefined where it needs one. */
function reasonNotToSend(found: Waiting): Pick<Resent, 'outcome' | 'message'> | undefined {
  if (found.kind === 'outcome') {
    if (found.outcome.kind === 'completed') {
      return { outcome: 'solved', message: 'already solved; nothing sent' };
    }
    const reason = found.outcome.reject.error.message;
    return {
      outcome: 'rejected',
      message: `rejected, nothing sent (${reason}): fix the file and upload it again`,
    };
  }
  const status = found.kind === 'pending' ? found.status : undefined;
  if (status === undefined || stateAt(status, Date.now()) !== 'running') return undefined;
  return { outcome: 'running', message: `running since ${status.updatedAt}; nothing sent` };
}

/** The newest version of a key; where there is none, that of the next key that begins with it. */
async function firstUpload(
  { store, inputBucket }: Connection,
  key: string,
): Promise<ObjectVersion | undefined> {
  for await (const version of store.listVersions(inputBucket, key)) {
    if (version.bytes > 0 || !version.key.endsWith('/')) return version;
  }
  return undefined;
}

/** The same name under the other prefix, if there is an upload of it. */
async function underOtherPrefix(connection: Connection, key: string): Promise<string | undefined> {
  const [from, to] = key.startsWith(INBOX_PREFIX)
    ? [INBOX_PREFIX, SCHEDULED_PREFIX]
    : [SCHEDULED_PREFIX, INBOX_PREFIX];
  const other = to + key.slice(from.length);
  return (await firstUpload(connection, other))?.key === other ? other : undefined;
}

function isError({ outcome }: Resent): boolean {
  return outcome === 'unknown' || outcome === 'rejected' || outcome === 'refused';
}

function print(one: Resent): void {
  const line = printable(`${one.key}: ${one.message}`);
  if (isError(one)) process.stderr.write(`dlx-batch: ${line}\n`);
  else process.stdout.write(`${line}\n`);
}
