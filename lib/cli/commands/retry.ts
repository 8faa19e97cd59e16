/**
 * Repeats what has failed or was lost. Each message names the same job as the event of its upload.
 *
 *     nothing, or a prefix   a bulk run of the uploads without an outcome
 *     --rejected, --code     a bulk run of the uploads that were rejected
 *     --run ID               a bulk run of what that run has not solved; or that run goes on, if it has stopped
 *     keys                   their messages are sent now: their files were rejected, their events were lost, or no attempt
 *                            has finished them
 *
 * A large file goes on where its execution has failed, as with each delivery. At the end of such a run, the dead letters go
 * back to the queue.
 */
import { messageFor } from '../../batch/bulk-run/planned-version.ts';
import { isSweepable } from '../../batch/bulk-run/sweep/sweep.ts';
import type { InputVersion } from '../../batch/delivery/manifest.ts';
import { FILE_ERROR_CODES } from '../../batch/job/file-error.ts';
import { INBOX_PREFIX, SCHEDULED_PREFIX } from '../../batch/names.ts';
import type { MessageQueue, ObjectVersion } from '../../batch/ports.ts';
import { visibleText } from '../../formats/bytes/visible-text.ts';
import { CommandError, EXIT_FAILED, EXIT_SOLVED } from '../exit.ts';
import { readChoice } from '../option-values.ts';
import { commandText } from '../remote/command-text.ts';
import { type Connection, type ConnectionFlags, withConnection } from '../remote/connection.ts';
import { inputIdentity, type Job, JobList } from '../remote/jobs.ts';
import { isTemporary, remoteError } from '../remote/remote-error.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import { complain, print, printJson } from '../terminal/output.ts';
import { startBulkRun } from './run.ts';

interface RetryFlags extends ConnectionFlags {
  /** Id of a bulk run. */
  readonly run?: string;
  readonly rejected?: boolean;
  /** Only uploads that were rejected with this code. */
  readonly code?: string;
  readonly dryRun?: boolean;
  readonly wait?: boolean;
}

/** What was done with an upload. */
interface Done {
  readonly outcome: 'repeated' | 'would be repeated' | 'skipped' | 'failed';
  /** One sentence. */
  readonly message: string;
}

/** @param keys of uploads, or one prefix that ends in a slash; none: all @returns the exit status */
export async function run(keys: readonly string[], flags: RetryFlags): Promise<number> {
  const { run: rerunOf, code } = flags;
  const isRejected = flags.rejected === true || code !== undefined;
  if (code !== undefined) readChoice('code', code, FILE_ERROR_CODES);
  if (rerunOf !== undefined) {
    if (keys.length > 0) throw new CommandError('--run repeats a whole run: omit the keys');
    return startBulkRun({ ...flags, rejected: undefined, rerunOf, retry: true });
  }
  const wrong = keys.find((key) => !isSweepable(key));
  if (wrong !== undefined) {
    throw new CommandError(
      `${wrong}: expected a key or a prefix under ${INBOX_PREFIX} or ${SCHEDULED_PREFIX}, such as ${isSweepable(`${wrong}/`) ? `${wrong}/` : INBOX_PREFIX + wrong}`,
    );
  }
  const prefix = keys.find((key) => key.endsWith('/'));
  if (keys.length === 0 || (prefix !== undefined && keys.length === 1)) {
    const rejected = isRejected ? { ...(code !== undefined && { code }) } : undefined;
    return startBulkRun({ ...flags, prefix, rejected, retry: true });
  }
  if (prefix !== undefined)
    throw new CommandError(
      `${prefix} is a prefix, and the other operands are keys: give either one prefix, or only keys`,
    );
  if (isRejected)
    throw new CommandError('--rejected and --code choose among all uploads, or those of a prefix: omit keys');
  if (flags.wait === true)
    throw new CommandError(
      `--wait waits for a bulk run, and keys need none: omit --wait, and follow the uploads with ${commandText('status --watch')}`,
    );
  return sendUploads(new Set(keys), flags);
}

function sendUploads(keys: ReadonlySet<string>, flags: RetryFlags): Promise<number> {
  return withConnection(flags, 'retrying', async (connection) => {
    const list = new JobList(connection);
    // First: buckets alone have no queue.
    const queue = flags.dryRun === true ? undefined : await connection.queue();
    const items: (Done & { readonly kind: 'upload'; readonly name: string })[] = [];
    using _ = onInterrupt({ left: () => ['interrupted; the same command again handles what is left'] });
    for (const name of keys) {
      const send = () => sendUpload(name, list, queue, connection);
      const done = await connection.retries.operation(send).catch((error: unknown): Done => {
        // A network that fails for one does not stop the others.
        const failure = remoteError(error, 'not repeated');
        if (!isTemporary(failure)) throw error;
        return { outcome: 'failed', message: (failure as Error).message };
      });
      items.push({ kind: 'upload', name, ...done });
      if (flags.json !== true) report(name, done);
    }
    if (flags.json === true) printJson({ items });
    return items.some(({ outcome }) => outcome === 'failed') ? EXIT_FAILED : EXIT_SOLVED;
  });
}

/** Sends the message of the newest version of a key. @param queue undefined: it is only said what would be done */
async function sendUpload(
  key: string,
  list: JobList,
  queue: MessageQueue | undefined,
  connection: Connection,
): Promise<Done> {
  const { inputBucket, retries } = connection;
  const jobs = await list.list({ prefix: key }, Date.now());
  const job = jobs.find((each) => each.key === key);
  if (job === undefined) {
    const similar = jobs[0] ?? (await underOtherPrefix(list, key));
    const hint = similar === undefined ? '' : ` (${similar.key} exists)`;
    const message = `no upload in ${inputBucket} has this key${hint}; see ${commandText('status')}`;
    return { outcome: 'failed', message };
  }
  const { state, updatedAt, error } = job;
  if (state === 'done') return { outcome: 'skipped', message: 'already solved' };
  if (state === 'running') return { outcome: 'skipped', message: `running since ${updatedAt}` };
  const version = await storedVersion(connection, job);
  if (version === undefined) {
    return { outcome: 'failed', message: 'the object no longer exists: upload it again' };
  }
  const why = error === undefined ? '' : ` (${error.message})`;
  if (queue === undefined) {
    return { outcome: 'would be repeated', message: `would be sent to the queue${why}` };
  }
  const refused = await retries.request(() => queue.send([messageFor(version, inputBucket)]));
  return refused.length === 0
    ? { outcome: 'repeated', message: `sent to the queue${why}` }
    : { outcome: 'failed', message: 'the queue did not accept the message: try again' };
}

/** The upload with the same name under the other prefix, if it exists. */
async function underOtherPrefix(list: JobList, key: string): Promise<Job | undefined> {
  const [from, to] = key.startsWith(INBOX_PREFIX)
    ? [INBOX_PREFIX, SCHEDULED_PREFIX]
    : [SCHEDULED_PREFIX, INBOX_PREFIX];
  const other = to + key.slice(from.length);
  return (await list.list({ prefix: other }, Date.now())).find((job) => job.key === other);
}

/** The version of a job in the input bucket. */
export async function storedVersion(
  { store, inputBucket }: Connection,
  { key, versionId }: InputVersion,
): Promise<ObjectVersion | undefined> {
  for await (const version of store.listVersions(inputBucket, key)) {
    if (version.key !== key) return undefined;
    if (inputIdentity(version) === versionId) return version;
  }
  return undefined;
}

function report(name: string, { outcome, message }: Done): void {
  const line = visibleText(`upload ${name}: ${message}`);
  if (outcome === 'failed' || outcome === 'skipped') complain(line);
  else print([line]);
}
