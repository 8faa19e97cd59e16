/** Repeats what has failed: dead letters, failed executions, rejected uploads. */
import { type DeadMessages, deadMessages, sqsClient, sqsClientAt, sqsQueue } from '../../../aws/sqs-queue.ts';
import { type StatesClient, sfnClient, sfnClientAt } from '../../../aws/step-functions.ts';
import { isSweepable } from '../../../batch/bulk-run/sweep/sweep.ts';
import { INBOX_PREFIX, SCHEDULED_PREFIX } from '../../../batch/names.ts';
import { visibleText } from '../../../formats/bytes/visible-text.ts';
import { LOCAL_STACK } from '../../../local/stack-names.ts';
import { CommandError, EXIT_FAILED, EXIT_SOLVED } from '../../exit.ts';
import { onInterrupt } from '../../terminal/interrupt.ts';
import { complain, print, printJson } from '../../terminal/output.ts';
import { type Connection, stackOutput, withConnection } from '../connection.ts';
import type { ConnectionFlags } from '../connection-flags.ts';
import type { RemoteJob } from '../jobs/job-list.ts';
import { networkSettings } from '../network-settings.ts';
import { redriveDeadLetters } from './dead-letters.ts';
import { bulkRunOf, largeJobOf, redriveExecutions } from './executions.ts';
import type { RedriveContext, RedriveItem } from './redrive-item.ts';
import { redriveUploads } from './rejected-uploads.ts';

export interface RedriveFlags extends ConnectionFlags {
  readonly deadLetters?: boolean;
  readonly executions?: boolean;
  readonly rejected?: boolean;
  /** Only uploads that were rejected with this code. */
  readonly code?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** The services of a stack that have what failed. */
interface Services {
  readonly queue: RedriveContext['queue'];
  readonly deadLetters: readonly DeadMessages[];
  readonly sfn: StatesClient;
  readonly solveLargeArn: string;
  readonly bulkRunArn: string;
}

/** @param keys of uploads, or prefixes that end in a slash; none: all @returns the exit status */
export async function redrive(keys: readonly string[], flags: RedriveFlags): Promise<number> {
  for (const key of keys) {
    if (isSweepable(key)) continue;
    throw new CommandError(
      `${key}: expected a key or a prefix under ${INBOX_PREFIX} or ${SCHEDULED_PREFIX}, such as ${INBOX_PREFIX}${key}`,
    );
  }
  return withConnection(flags, 'redriving', async (connection) => {
    const services = await servicesOf(connection, flags);
    const { queue } = services;
    const isDryRun = flags.dryRun === true;
    const items: RedriveItem[] = [];
    const again = 'the same command again handles what is left';
    using _ = onInterrupt({ left: () => [`interrupted; ${again}`] });
    for await (const item of itemsOf(keys, flags, services, {
      connection,
      queue,
      isDryRun,
      matches: (key) => keys.length === 0 || keys.some((wanted) => isNamed(key, wanted)),
    })) {
      items.push(item);
      if (flags.json !== true) report(item);
    }
    if (flags.json === true) printJson({ items });
    else if (items.length === 0) print(['nothing to redrive']);
    return items.some(({ outcome }) => outcome === 'failed') ? EXIT_FAILED : EXIT_SOLVED;
  });
}

async function* itemsOf(
  keys: readonly string[],
  flags: RedriveFlags,
  { deadLetters, sfn, solveLargeArn, bulkRunArn }: Services,
  context: RedriveContext,
): AsyncGenerator<RedriveItem> {
  const isRejected = flags.rejected === true || flags.code !== undefined;
  const isChosen = flags.deadLetters === true || flags.executions === true || isRejected;
  if (flags.deadLetters === true || !isChosen) {
    for (const letters of deadLetters) yield* redriveDeadLetters(letters, context);
  }
  if (flags.executions === true || !isChosen) {
    yield* redriveExecutions(solveLargeArn, sfn, largeJobOf, context);
    yield* redriveExecutions(bulkRunArn, sfn, bulkRunOf, context);
  }
  if (isRejected || (!isChosen && keys.length > 0)) {
    const { code } = flags;
    const isWanted = ({ state, error }: RemoteJob) =>
      state === 'rejected' && (code === undefined || error?.code === code);
    yield* redriveUploads(keys.length > 0 ? keys : [''], isWanted, context);
  }
}

function isNamed(key: string, wanted: string): boolean {
  return key === wanted || (wanted.endsWith('/') && key.startsWith(wanted));
}

async function servicesOf({ s3, retries }: Connection, flags: RedriveFlags): Promise<Services> {
  const { timeouts } = networkSettings;
  const { endpoint } = flags;
  if (endpoint !== undefined) {
    const sqs = sqsClientAt(endpoint, s3, timeouts);
    const urlOf = (path: string) => new URL(path, endpoint).href;
    return {
      queue: sqsQueue(urlOf(LOCAL_STACK.queuePath), sqs),
      deadLetters: [deadMessages(urlOf(LOCAL_STACK.deadLetterPath), sqs)],
      sfn: sfnClientAt(endpoint, s3, timeouts),
      solveLargeArn: LOCAL_STACK.solveLargeArn,
      bulkRunArn: LOCAL_STACK.bulkRunArn,
    };
  }
  const output = (name: string) => stackOutput(flags, name, retries);
  const sqs = sqsClient(timeouts);
  return {
    queue: sqsQueue(await output('QueueUrl'), sqs),
    deadLetters: [
      deadMessages(await output('DeadLetterQueueUrl'), sqs),
      deadMessages(await output('UndeliveredEventsQueueUrl'), sqs),
    ],
    sfn: sfnClient(timeouts),
    solveLargeArn: await output('SolveLargeArn'),
    bulkRunArn: await output('BulkRunArn'),
  };
}

function report({ kind, name, outcome, message }: RedriveItem): void {
  const line = visibleText(`${kind} ${name}: ${message}`);
  if (outcome === 'failed' || outcome === 'skipped') complain(line);
  else print([line]);
}
