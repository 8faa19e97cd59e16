/** The connection of a command to its stack: by its name through CloudFormation outputs, by buckets, or at an endpoint. */
import { setTimeout as sleep } from 'node:timers/promises';
import { RETRY_LIMITS, Retries, type RetryLimits } from '../../aws/retries.ts';
import { type S3Client, type S3Endpoint, s3Client, s3ClientFor } from '../../aws/s3-client.ts';
import { s3Store } from '../../aws/s3-store.ts';
import { sqsClient, sqsClientAt, sqsQueue } from '../../aws/sqs-queue.ts';
import { stackOutputs } from '../../aws/stack-outputs.ts';
import { type StatesClient, sfnClient, sfnClientAt } from '../../aws/step-functions.ts';
import { TIMEOUTS, type Timeouts } from '../../aws/timeouts.ts';
import type { RunSettings } from '../../batch/limits.ts';
import type { MessageQueue, ObjectStore } from '../../batch/ports.ts';
import type { ResultStorage } from '../../batch/storage/read-json.ts';
import { runningStackAt } from '../../local/running-stack.ts';
import { LOCAL_STACK } from '../../local/stack-names.ts';
import { CommandError } from '../exit.ts';
import { readDuration } from '../option-values.ts';
import { DEFAULT_STACK } from '../options.ts';
import { complain } from '../terminal/output.ts';
import { outageText, remoteError } from './remote-error.ts';

/** The flags that name a stack. */
export interface ConnectionFlags {
  readonly stack?: string;
  readonly bucket?: string;
  readonly resultsBucket?: string;
  readonly endpoint?: string;
  /** How long a failing request is repeated, such as `5m`. */
  readonly retryFor?: string;
  readonly json?: boolean;
}

/** The buckets of a stack. */
export interface Buckets extends ResultStorage {
  readonly s3: S3Client;
  readonly inputBucket: string;
  /** Repeats what fails. The requests of `s3` and `store` are repeated already. */
  readonly retries: Retries;
}

/** A stack: its buckets, and the clients of its other services, which are made on use. */
export interface Connection extends Buckets {
  /** The queue of uploads. */
  queue(): Promise<MessageQueue>;
  machine(name: 'SolveLargeArn' | 'BulkRunArn'): Promise<StateMachine>;
  /** Undefined if they are not known: of a local stack, of buckets alone, or of a stack of an earlier version. */
  runSettings(): Promise<RunSettings | undefined>;
}

export interface StateMachine {
  readonly arn: string;
  readonly sfn: StatesClient;
}

/** How long commands wait for a network. Tests set shorter times. */
export const networkSettings: { timeouts: Timeouts; retries: Omit<RetryLimits, 'forMs'> } = {
  // Commands copy no objects, and may repeat the completion of an upload.
  timeouts: { ...TIMEOUTS, copyMs: TIMEOUTS.idleMs },
  retries: RETRY_LIMITS,
};

/** Longest value of `--retry-for`, in seconds. */
const MAX_RETRY_SECONDS = 7 * 86_400;

/** The retries of a command, which reports an outage in one line. */
export function retriesFor({ retryFor }: ConnectionFlags, signal?: AbortSignal): Retries {
  const expected = 'a duration such as 90s or 5m, 7d at most';
  const range = { min: 0, max: MAX_RETRY_SECONDS, expected };
  const forMs = retryFor === undefined ? {} : { forMs: readDuration('retry-for', retryFor, range) * 1000 };
  return new Retries({
    ...networkSettings.retries,
    ...forMs,
    signal,
    onOutage: (error, leftMs) => {
      complain(outageText(error, leftMs / 1000));
    },
  });
}

/**
 * Connects to a stack, runs work, and disconnects.
 *
 * @param doing the work for error messages, such as `reading jobs`
 * @param signal aborts requests and waits
 * @throws CommandError if the stack does not exist or AWS cannot be reached
 */
export async function withConnection<Result>(
  flags: ConnectionFlags,
  doing: string,
  work: (connection: Connection) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const retries = retriesFor(flags, signal);
  const connection = await connect(flags, retries);
  try {
    return await work(connection);
  } catch (error) {
    throw remoteError(error, doing);
  } finally {
    retries.close();
    connection.s3.destroy();
  }
}

/** The objects of all buckets that these credentials may read. */
export function objectStore(flags: ConnectionFlags): ObjectStore {
  const { timeouts } = networkSettings;
  return s3Store(s3Client(timeouts, retriesFor(flags)), timeouts);
}

async function connect(flags: ConnectionFlags, retries: Retries): Promise<Connection> {
  const { endpoint, bucket, resultsBucket } = flags;
  const { timeouts } = networkSettings;
  if (endpoint !== undefined) {
    const s3 = s3ClientFor(endpointSigner(endpoint), timeouts, retries);
    const queueUrl = new URL(LOCAL_STACK.queuePath, endpoint).href;
    const arns = { SolveLargeArn: LOCAL_STACK.solveLargeArn, BulkRunArn: LOCAL_STACK.bulkRunArn };
    return {
      ...{ s3, retries, store: s3Store(s3, timeouts) },
      inputBucket: bucket ?? LOCAL_STACK.inputBucket,
      resultsBucket: resultsBucket ?? LOCAL_STACK.resultsBucket,
      queue: async () => sqsQueue(queueUrl, sqsClientAt(endpoint, s3, timeouts)),
      machine: async (name) => ({ arn: arns[name], sfn: sfnClientAt(endpoint, s3, timeouts) }),
      runSettings: async () => undefined,
    };
  }
  if ((bucket === undefined) !== (resultsBucket === undefined)) {
    throw new CommandError('--bucket and --results-bucket must be given together: give both, or --stack');
  }
  const { output, outputs } = outputsOf(flags, retries);
  const names = {
    inputBucket: bucket ?? (await output('InputBucketName')),
    resultsBucket: resultsBucket ?? (await output('ResultsBucketName')),
  };
  const s3 = s3Client(timeouts, retries);
  return {
    ...{ s3, retries, store: s3Store(s3, timeouts), ...names },
    queue: async () => sqsQueue(await output('QueueUrl'), sqsClient(timeouts)),
    machine: async (name) => ({ arn: await output(name), sfn: sfnClient(timeouts) }),
    runSettings: async () => {
      if (bucket !== undefined && flags.stack === undefined) return undefined;
      const settings = (await outputs()).get('RunSettings');
      return settings === undefined ? undefined : JSON.parse(settings);
    },
  };
}

/** Reads the outputs of the stack, once. */
function outputsOf({ stack, bucket }: ConnectionFlags, retries: Retries) {
  const stackName = stack ?? DEFAULT_STACK;
  let found: Promise<ReadonlyMap<string, string>> | undefined;
  const outputs = () => {
    found ??= retries
      .request(() => stackOutputs(stackName))
      .catch((error: unknown) => {
        throw remoteError(error, `reading the stack ${stackName} from CloudFormation`);
      });
    return found;
  };
  const output = async (name: string): Promise<string> => {
    if (bucket !== undefined && stack === undefined) {
      throw new CommandError(`--bucket does not name the stack's ${name}: also give --stack`);
    }
    const value = (await outputs()).get(name);
    if (value !== undefined) return value;
    throw new CommandError(
      `the stack ${stackName} has no output ${name}: give another --stack, or deploy this version of it`,
    );
  };
  return { output, outputs };
}

/**
 * The credentials for a custom endpoint. A local stack that runs there has recorded its keys; other endpoints take them
 * from the environment.
 */
export function endpointSigner(endpoint: string): S3Endpoint {
  if (!/^https?:\/\/./.test(endpoint) || !URL.canParse(endpoint)) {
    throw new CommandError(
      `option "--endpoint" is "${endpoint}": expected a URL, such as http://127.0.0.1:9000`,
    );
  }
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_SESSION_TOKEN } = process.env;
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  const signer = runningStackAt(endpoint) ?? {
    region: AWS_REGION ?? AWS_DEFAULT_REGION ?? LOCAL_STACK.region,
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    sessionToken: AWS_SESSION_TOKEN,
  };
  if (signer.accessKeyId === '' || signer.secretAccessKey === '') {
    throw new CommandError(
      `no local stack of yours runs at ${endpoint}: start it with dlx-batch local --serve, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
    );
  }
  return { ...signer, endpoint };
}

const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 5_000;

interface PollLimits {
  readonly maxSeconds?: number | undefined;
  readonly maxDelayMs?: number;
}

/**
 * Polls until there is a value: often at first, for what is done at once.
 *
 * @returns undefined if there is none after the time
 * @throws the reason if the connection is aborted
 */
export async function polled<Value>(
  { retries }: Pick<Buckets, 'retries'>,
  poll: () => Promise<Value | undefined>,
  { maxSeconds = Number.POSITIVE_INFINITY, maxDelayMs = MAX_DELAY_MS }: PollLimits = {},
): Promise<Value | undefined> {
  const endMs = performance.now() + maxSeconds * 1000;
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 1.5, maxDelayMs)) {
    const value = await retries.operation(poll);
    if (value !== undefined || performance.now() > endMs) return value;
    await sleep(delayMs, undefined, { signal: retries.signal });
  }
}
