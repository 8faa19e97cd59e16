/**
 * Repeats what has failed or was lost, each thing where it stopped:
 *
 *     dead letter          sent to the queue of uploads, then deleted; a command that is killed in between leaves both,
 *                          which are one job
 *     failed execution     redriven within AWS's limits (14 days, 1,000 redrives, 25,000 events), else started again
 *     upload of the user   sent to the queue: it was rejected, its event was lost, or no attempt has finished it
 *     bulk run             a new run of what it has not solved; also of the rejected uploads under a prefix
 *
 * Without keys: all dead letters and failed executions. Each message names the same job as the event of its upload.
 */
import type { DeadMessage, DeadMessages } from '../../aws/sqs-queue.ts';
import {
  describeFailed,
  type FailedExecution,
  failedExecutions,
  stepFunctions,
} from '../../aws/step-functions.ts';
import { messageFor } from '../../batch/bulk-run/planned-version.ts';
import { runKeys } from '../../batch/bulk-run/run-keys.ts';
import type { BulkRun } from '../../batch/bulk-run/steps.ts';
import { isSweepable } from '../../batch/bulk-run/sweep/sweep.ts';
import { handOver } from '../../batch/delivery/executions.ts';
import { jobKeys } from '../../batch/delivery/result-keys.ts';
import { parseMessage, UnknownMessageError, uploadInMessage } from '../../batch/delivery/upload-event.ts';
import { inParallel } from '../../batch/in-parallel.ts';
import type { LargeJob } from '../../batch/large/steps.ts';
import { INBOX_PREFIX, SCHEDULED_PREFIX } from '../../batch/names.ts';
import type { MessageQueue, ObjectVersion } from '../../batch/ports.ts';
import { executionFailureIn } from '../../batch/upload/execution-failure.ts';
import { visibleText } from '../../formats/bytes/visible-text.ts';
import { systemHashing } from '../../node/system.ts';
import { CommandError, EXIT_FAILED, EXIT_SOLVED } from '../exit.ts';
import { commandText } from '../remote/command-text.ts';
import {
  type Connection,
  type ConnectionFlags,
  type StateMachine,
  withConnection,
} from '../remote/connection.ts';
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
}

/** What was done with a message, an execution or an upload, in one sentence. */
interface Done {
  readonly outcome: 'repeated' | 'would be repeated' | 'skipped' | 'failed';
  readonly message: string;
}

interface RetryItem extends Done {
  readonly kind: 'dead letter' | 'execution' | 'upload';
  /** Key of the upload, or id of the message or of the run. */
  readonly name: string;
}

interface Context {
  readonly connection: Connection;
  readonly queue: MessageQueue;
  readonly keys: readonly string[];
  readonly isDryRun: boolean;
}

/** @param keys of uploads, or prefixes that end in a slash; none: all @returns the exit status */
export async function retry(keys: readonly string[], flags: RetryFlags): Promise<number> {
  const { run, code, json } = flags;
  const isRejected = flags.rejected === true || code !== undefined;
  if (run !== undefined) {
    if (keys.length > 0 || isRejected)
      throw new CommandError('--run repeats a whole run: omit keys, --rejected and --code');
    return startBulkRun({ ...flags, rejected: undefined, rerunOf: run });
  }
  const isBroad = keys.length === 0 || (keys.length === 1 && keys[0]!.endsWith('/'));
  if (isRejected && isBroad) {
    return startBulkRun({ ...flags, prefix: keys[0], rejected: code === undefined ? {} : { code } });
  }
  const wrong = keys.find((key) => !isSweepable(key));
  if (wrong !== undefined) {
    throw new CommandError(
      `${wrong}: expected a key or a prefix under ${INBOX_PREFIX} or ${SCHEDULED_PREFIX}, such as ${INBOX_PREFIX}${wrong}`,
    );
  }
  return withConnection(flags, 'retrying', async (connection) => {
    const context = { connection, keys, queue: await connection.queue(), isDryRun: flags.dryRun === true };
    const items: RetryItem[] = [];
    using _ = onInterrupt({ left: () => ['interrupted; the same command again handles what is left'] });
    const found = isRejected
      ? uploads(
          context,
          ({ state, error }) => state === 'rejected' && (code === undefined || error?.code === code),
        )
      : failures(context);
    for await (const item of found) {
      items.push(item);
      if (json !== true) report(item);
    }
    if (json === true) printJson({ items });
    else if (items.length === 0) print(['nothing to retry']);
    return items.some(({ outcome }) => outcome === 'failed') ? EXIT_FAILED : EXIT_SOLVED;
  });
}

async function* failures(context: Context): AsyncGenerator<RetryItem> {
  const repeated = new Set<string>();
  for await (const item of stopped(context)) {
    repeated.add(item.name);
    yield item;
  }
  // What was repeated where it stopped needs no message.
  const isLeft = (job: Job) => !repeated.has(job.key) && (context.keys.includes(job.key) || isStuck(job));
  if (context.keys.length > 0) yield* uploads(context, isLeft);
}

/** Whether a job under a prefix has failed or was lost: one that waits for its scheduled run was not. */
function isStuck({ state, key }: Job): boolean {
  if (state === 'queued') return !key.startsWith(SCHEDULED_PREFIX);
  return state !== 'done' && state !== 'running';
}

async function* stopped(context: Context): AsyncGenerator<RetryItem> {
  const { connection } = context;
  for (const letters of await connection.deadLetters()) yield* deadLetters(letters, context);
  yield* executions(await connection.machine('SolveLargeArn'), largeJobOf, context);
  yield* executions(await connection.machine('BulkRunArn'), bulkRunOf, context);
}

/** Whether the user has named a key, or has named none at all. */
function isWanted({ keys }: Context, key: string): boolean {
  return (
    keys.length === 0 || keys.some((each) => key === each || (each.endsWith('/') && key.startsWith(each)))
  );
}

/** Does the work for one item. A network that fails for one does not stop the others. */
async function itemOf(
  { connection }: Context,
  item: Pick<RetryItem, 'kind' | 'name'>,
  work: () => Promise<Done>,
): Promise<RetryItem> {
  try {
    return { ...item, ...(await connection.retries.operation(work)) };
  } catch (error) {
    const failure = remoteError(error, 'not repeated');
    if (!isTemporary(failure)) throw error;
    return { ...item, outcome: 'failed', message: (failure as Error).message };
  }
}

/** Sends the message of an upload. */
async function sendAgain({ connection, queue, isDryRun }: Context, body: string): Promise<Done> {
  if (isDryRun) return { outcome: 'would be repeated', message: 'would be sent to the queue' };
  const refused = await connection.retries.request(() => queue.send([body]));
  return refused.length === 0
    ? { outcome: 'repeated', message: 'sent to the queue' }
    : { outcome: 'failed', message: 'the queue did not accept the message: try again' };
}

async function* deadLetters(letters: DeadMessages, context: Context): AsyncGenerator<RetryItem> {
  const { retries } = context.connection;
  // Hidden until the end, so that none is received twice.
  const kept: DeadMessage[] = [];
  try {
    for (;;) {
      const received = await retries.request(() => letters.receive());
      if (received.length === 0) return;
      for (const letter of received) {
        const { messageId, body, receiptHandle } = letter;
        const keys = keysIn(body);
        if (keys === undefined && context.keys.length === 0) {
          const message = `it names no upload, so no try can succeed: found ${body.slice(0, 80)}; delete it`;
          yield { kind: 'dead letter', name: messageId, outcome: 'skipped', message };
        }
        if (keys?.some((key) => isWanted(context, key)) !== true) kept.push(letter);
        else {
          yield await itemOf(context, { kind: 'dead letter', name: keys.join(', ') }, async () => {
            const sent = await sendAgain(context, body);
            if (sent.outcome === 'repeated') await retries.request(() => letters.delete(receiptHandle));
            else kept.push(letter);
            return sent;
          });
        }
      }
    }
  } finally {
    for (const { receiptHandle } of kept) await retries.request(() => letters.release(receiptHandle));
  }
}

/** The keys of the uploads that a message names, or the name of their execution; undefined if it is no event. */
function keysIn(body: string): string[] | undefined {
  try {
    const message = parseMessage(body);
    const failure = executionFailureIn(message);
    return failure === undefined
      ? [uploadInMessage(message)].flatMap((upload) => upload?.key ?? [])
      : [failure.job?.key ?? failure.attempt];
  } catch (error) {
    if (error instanceof UnknownMessageError) return undefined;
    throw error;
  }
}

/** What an execution works on. */
interface ExecutionWork {
  /** Name of its first execution; those that start later have `-2`, `-3` after it. */
  readonly first: string;
  /** Key of the upload, or id of the run. */
  readonly name: string;
  /** Object in the results bucket that exists if it is finished. */
  readonly outcome: string;
}

const PARALLEL_READS = 8;

function largeJobOf({ name, input }: FailedExecution): ExecutionWork {
  const { key, versionId } = JSON.parse(input) as LargeJob;
  const first = name.replace(/-\d+$/, '');
  return { first, name: key, outcome: jobKeys(key, versionId, first, systemHashing).done };
}

function bulkRunOf({ input }: FailedExecution): ExecutionWork {
  const { runId } = JSON.parse(input) as BulkRun;
  return { first: runId, name: `run ${runId}`, outcome: runKeys(runId).report };
}

async function* executions(
  { arn, sfn }: StateMachine,
  workOf: (execution: FailedExecution) => ExecutionWork,
  context: Context,
): AsyncGenerator<RetryItem> {
  const { store, resultsBucket, retries } = context.connection;
  const names = await retries.request(() => failedExecutions(arn, sfn));
  const described = await inParallel(names, PARALLEL_READS, (name) =>
    retries.request(() => describeFailed(arn, name, sfn)),
  );
  const failed = described.filter((each) => each !== undefined);
  for (const each of Map.groupBy(failed, (execution) => workOf(execution).first).values()) {
    const byName = each.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
    const execution = byName.at(-1)!;
    const { first, name, outcome } = workOf(execution);
    if (!isWanted(context, name)) continue;
    const isFinished = async () => (await store.head(resultsBucket, outcome)) !== undefined;
    yield await itemOf(context, { kind: 'execution', name }, async () => {
      if (await isFinished()) return { outcome: 'skipped', message: 'has an outcome by now' };
      if (context.isDryRun) {
        const { status, redrivable, reason = 'it cannot be redriven' } = execution;
        const how = redrivable ? 'redriven' : `started again (${reason})`;
        const message = `${execution.name}, which is ${status}, would be ${how}`;
        return { outcome: 'would be repeated', message };
      }
      const handed = await handOver(stepFunctions(arn, sfn), first, execution.input, isFinished);
      return { outcome: 'repeated', message: `${handed.execution} is ${HANDED_OVER[handed.how]}` };
    });
  }
}

const HANDED_OVER = { started: 'started', running: 'running already', redriven: 'redriven', ended: 'ended' };

/** The newest version of each upload that the user names; of all uploads if there are no keys. */
async function* uploads(context: Context, isChosen: (job: Job) => boolean): AsyncGenerator<RetryItem> {
  const { connection, keys } = context;
  const list = new JobList(connection);
  for (const prefix of keys.length > 0 ? new Set(keys) : ['']) {
    const jobs = await connection.retries.operation(() => list.list({ prefix }, Date.now()));
    const newest = jobs.filter(({ key }, k) => jobs[k - 1]?.key !== key);
    const wanted = newest.filter((job) => isWanted(context, job.key));
    if (wanted.length === 0 && keys.length > 0) {
      const similar = newest[0] ?? (await underOtherPrefix(list, prefix));
      const hint = similar === undefined ? '' : ` (${similar.key} exists)`;
      const message = `no upload in ${connection.inputBucket} has this key${hint}; see ${commandText('status')}`;
      yield { kind: 'upload', name: prefix, outcome: 'failed', message };
    }
    for (const job of wanted) {
      if (isChosen(job))
        yield await itemOf(context, { kind: 'upload', name: job.key }, () => sendUpload(job, context));
    }
  }
}

/** The upload with the same name under the other prefix, if it exists. */
async function underOtherPrefix(list: JobList, key: string): Promise<Job | undefined> {
  const [from, to] = key.startsWith(INBOX_PREFIX)
    ? [INBOX_PREFIX, SCHEDULED_PREFIX]
    : [SCHEDULED_PREFIX, INBOX_PREFIX];
  const other = to + key.slice(from.length);
  return (await list.list({ prefix: other }, Date.now())).find((job) => job.key === other);
}

async function sendUpload(job: Job, context: Context): Promise<Done> {
  const { state, updatedAt, error } = job;
  if (state === 'done') return { outcome: 'skipped', message: 'already solved' };
  if (state === 'running') return { outcome: 'skipped', message: `running since ${updatedAt}` };
  const version = await storedVersion(context.connection, job);
  if (version === undefined) {
    return { outcome: 'failed', message: 'the object no longer exists: upload it again' };
  }
  const sent = await sendAgain(context, messageFor(version, context.connection.inputBucket));
  return { ...sent, message: sent.message + (error === undefined ? '' : ` (${error.message})`) };
}

/** The version of a job in the input bucket. */
export async function storedVersion(
  { store, inputBucket }: Connection,
  { key, versionId }: Pick<Job, 'key' | 'versionId'>,
): Promise<ObjectVersion | undefined> {
  for await (const version of store.listVersions(inputBucket, key)) {
    if (version.key !== key) return undefined;
    if (inputIdentity(version) === versionId) return version;
  }
  return undefined;
}

function report({ kind, name, outcome, message }: RetryItem): void {
  const line = visibleText(`${kind} ${name}: ${message}`);
  if (outcome === 'failed' || outcome === 'skipped') complain(line);
  else print([line]);
}
