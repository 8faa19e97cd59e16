/**
 * The whole stack on this machine, every part of it real but the cloud:
 *
 *     upload --> embedded S3 --event relay--> queue --event source mapping--> function host --> results in S3
 *                    |                          ^                          |       |
 *               data folder                     |                          |  functions/ (the bundle)
 *                                    what failed, as an event              v
 *                                               +--------------- state machines (large files)
 *                                               +--------------- state machine of bulk runs <-- schedule
 *
 * All that must outlive the process is in the data folder. Whatever ends the process, a start with the same
 * folder goes on with the messages that were not done with.
 */
import { mkdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import type { SQSRecord } from 'aws-lambda';
import type { FunctionName } from '../../functions/bundle.ts';
import { s3ClientFor } from '../aws/s3-client.ts';
import { s3Store } from '../aws/s3-store.ts';
import {
  BATCH_SIZE,
  DEFAULT_MEMORY_MB,
  DEFAULT_TIMEOUT_SECONDS,
  MAX_RECEIVES,
  VISIBILITY_TIMEOUTS,
} from '../batch/limits.ts';
import { ENVIRONMENT } from '../batch/names.ts';
import { bundleFunction } from './functions/bundle.ts';
import type { LogLine } from './functions/execution-environment.ts';
import { FunctionHost } from './functions/function-host.ts';
import type { InvocationResult } from './functions/invocation-result.ts';
import { answerJson, isJsonRequest, type JsonService } from './json-api.ts';
import { eventRelay } from './queue/event-relay.ts';
import { EventSourceMapping } from './queue/event-source-mapping.ts';
import { LocalQueue } from './queue/queue.ts';
import { type DeadLetter, QueueJournal } from './queue/queue-journal.ts';
import { queueService } from './queue/queue-service.ts';
import { type S3Server, startS3Server } from './s3/http/server.ts';
import { LocalSchedule } from './schedule.ts';
import { LOCAL_STACK } from './stack-names.ts';
import { machineArn, StateMachines } from './states/machines.ts';
import type { TimerClock } from './timer-clock.ts';

const FUNCTION: FunctionName = 'solve-batch';
const { region: REGION, inputBucket: INPUT_BUCKET, resultsBucket: RESULTS_BUCKET } = LOCAL_STACK;
const CREDENTIALS = {
  accessKeyId: LOCAL_STACK.accessKeyId,
  secretAccessKey: LOCAL_STACK.secretAccessKey,
};

export interface LocalStackOptions {
  /** Folder of all that is kept; made if missing. One stack at a time may use it. */
  readonly dataDir: string;
  /** Port of the S3 endpoint; 0 takes any free one. @default 0 */
  readonly port?: number;
  /** Address to listen on. @default 127.0.0.1 */
  readonly host?: string;
  /** Time for one invocation. @default Lambda's own maximum, as in the stack */
  readonly functionTimeoutMs?: number;
  /** Memory of one child. @default as in the stack */
  readonly memoryMb?: number;
  /** Most invocations at once. @default the number of processors */
  readonly concurrency?: number;
  /** Most messages in one invocation. @default as in the stack */
  readonly batchSize?: number;
  /** Deliveries before a message becomes a dead letter. @default as in the stack */
  readonly maxReceives?: number;
  /** Time for the queue. One that can `skip` does so whenever no message is visible or in work. @default the machine's */
  readonly queueClock?: TimerClock;
  /** The share, from 0 to 1, that a retry in a state machine waits of its longest delay. @default random */
  readonly jitter?: () => number;
  /** When bulk runs start, as EventBridge Scheduler has it, in UTC. @default never by themselves */
  readonly schedule?: string;
  /** Answers 403 for a missing key, as S3 does to a role without ListBucket. @default false */
  readonly missingKeyIsForbidden?: boolean;
  /** Further variables of all functions, over those that the stack sets. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Answers what comes to the S3 endpoint and is no request to a service of AWS, and says whether it did. */
  readonly otherService?: (incoming: IncomingMessage, response: ServerResponse) => boolean;
  /** Folder with the functions' code, `solve-batch.mjs` and so on. @default they are bundled into the data folder */
  readonly codeDir?: string;
  /** Gets each line that the function writes. */
  readonly onLog?: (entry: LogLine) => void;
  /** Told of each batch of messages, and which message ids of it failed. */
  readonly onBatch?: (
    records: readonly SQSRecord[],
    result: InvocationResult,
    failed: readonly string[],
  ) => void;
  /** Told of each message that is given up. */
  readonly onDeadLetter?: (letter: DeadLetter) => void;
}

/** A running stack. */
export interface LocalStack {
  /** URL of the S3 endpoint. */
  readonly endpoint: string;
  /** URL of the Step Functions endpoint. */
  readonly statesEndpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly inputBucket: string;
  readonly resultsBucket: string;
  /** Messages that were given up, those of earlier runs with the same folder first. */
  readonly deadLetters: readonly DeadLetter[];
  /**
   * Resolves when no message waits, is in flight or is to be retried, and no large job runs. An upload that was
   * answered is counted.
   *
   * @throws Error where the function cannot be run at all, or the stack is closed before
   */
  idle(): Promise<void>;
  /** Ends everything, what is under way included; the next start with the same folder does it again. */
  close(): Promise<void>;
}

/**
 * Starts the stack, and goes on with what an earlier run with the same folder left.
 *
 * @throws Error where the function does not build, the port is taken, or the folder is in use or unreadable
 */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true });
  // An upload may come as soon as the server listens; the journal may be opened only when the folder is ours, which
  // is when the server has it.
  const early: string[] = [];
  let send = (body: string): void => void early.push(body);
  let services: readonly JsonService[] = [];
  const server = await startS3Server({
    dataDir: join(dataDir, 's3'),
    port: options.port ?? 0,
    host: options.host,
    region: REGION,
    ...CREDENTIALS,
    buckets: [INPUT_BUCKET, RESULTS_BUCKET].map((name) => ({ name, versioned: true })),
    missingKeyIsForbidden: options.missingKeyIsForbidden,
    // One URL is enough for whoever talks to the stack.
    otherService(incoming, response) {
      if (!isJsonRequest(incoming)) return options.otherService?.(incoming, response) === true;
      answerJson(services, CREDENTIALS, incoming, response);
      return true;
    },
    onObjectCreated: eventRelay({ inputBucket: INPUT_BUCKET, region: REGION, send: (body) => send(body) }),
  });
  let journal: QueueJournal | undefined;
  let machines: StateMachines | undefined;
  const s3 = s3ClientFor({ endpoint: server.endpoint, region: REGION, ...CREDENTIALS });
  try {
    journal = new QueueJournal(join(dataDir, 'queue.jsonl'));
    const queue = jobQueue(options, journal);
    // The SDK calls the host of a queue's URL, whatever endpoint it is given.
    const queueUrl = server.endpoint + LOCAL_STACK.queuePath;
    send = (body) => void queue.send(body);
    for (const body of early) send(body);
    const codeDir = options.codeDir ?? join(dataDir, 'functions', FUNCTION);
    if (options.codeDir === undefined) await bundleFunction(FUNCTION, codeDir);
    machines = await StateMachines.start({
      dataDir,
      region: REGION,
      credentials: CREDENTIALS,
      outputs: { InputBucketName: INPUT_BUCKET, ResultsBucketName: RESULTS_BUCKET, QueueUrl: queueUrl },
      queueService: queueService(queue, queueUrl),
      store: s3Store(s3),
      environment: { AWS_ENDPOINT_URL_S3: server.endpoint, ...options.environment },
      concurrency: concurrencyOf(options),
      functionTimeoutMs: options.functionTimeoutMs,
      codeDir: options.codeDir,
      jitter: options.jitter,
      onLog: options.onLog,
      send,
    });
    services = machines.services;
    const schedule = startSchedule(options, machines);
    const consumer = startConsumer(options, queue, codeDir, {
      AWS_ENDPOINT_URL_S3: server.endpoint,
      AWS_ENDPOINT_URL_SFN: machines.url,
      AWS_ENDPOINT_URL_SQS: machines.url,
      [ENVIRONMENT.queueUrl]: queueUrl,
    });
    return runningStack(server, journal, queue, consumer, machines, schedule);
  } catch (error) {
    await machines?.close();
    s3.destroy();
    await server.close();
    journal?.close();
    throw error;
  }
}

function runningStack(
  server: S3Server,
  journal: QueueJournal,
  queue: LocalQueue,
  consumer: Consumer,
  machines: StateMachines,
  schedule: LocalSchedule | undefined,
): LocalStack {
  const closed = Promise.withResolvers<never>();
  // Whoever waits in `idle` hears of it; where nobody waits it is no fault.
  closed.promise.catch(() => {});
  const closeAll = async () => {
    closed.reject(new Error('The local stack was closed before all its messages were done with'));
    schedule?.stop();
    await Promise.all([consumer.stop(), machines.close()]);
    queue.close();
    // The server goes before the journal: what was uploaded until now has its message in there.
    await server.close();
    journal.close();
  };
  let closing: Promise<void> | undefined;
  // A message may start an execution, and an execution that fails sends a message.
  const allIdle = async () => {
    do {
      await queue.idle();
      await machines.idle();
    } while (queue.size > 0);
  };
  return {
    endpoint: server.endpoint,
    statesEndpoint: machines.url,
    region: REGION,
    ...CREDENTIALS,
    inputBucket: INPUT_BUCKET,
    resultsBucket: RESULTS_BUCKET,
    deadLetters: queue.deadLetters,
    idle: () => Promise.race([allIdle(), consumer.failure, machines.failure, closed.promise]),
    close: () => {
      closing ??= closeAll();
      return closing;
    },
  };
}

/** The schedule calls the function that the stack's one calls; what goes wrong there is told as its log is. */
function startSchedule(options: LocalStackOptions, machines: StateMachines): LocalSchedule | undefined {
  const { schedule: expression, onLog } = options;
  if (expression === undefined) return undefined;
  const tell = (trouble: string) =>
    onLog?.({ line: `sweep-inbox: ${trouble}`, stream: 'stderr', environment: 0 });
  return new LocalSchedule({
    expression,
    fire: (scheduledTime) => {
      machines.invoke('sweep-inbox', { scheduledTime }).then(
        (result) => result.ok || tell(result.error.errorMessage),
        (error: unknown) => tell(String(error)),
      );
    },
  });
}

function concurrencyOf(options: LocalStackOptions): number {
  return options.concurrency ?? availableParallelism();
}

function functionTimeoutMs(options: LocalStackOptions): number {
  return options.functionTimeoutMs ?? DEFAULT_TIMEOUT_SECONDS * 1000;
}

function jobQueue(options: LocalStackOptions, journal: QueueJournal): LocalQueue {
  return new LocalQueue({
    name: 'dlx-batch-jobs',
    region: REGION,
    visibilityTimeoutMs: VISIBILITY_TIMEOUTS * functionTimeoutMs(options),
    maxReceives: options.maxReceives ?? MAX_RECEIVES,
    clock: options.queueClock,
    journal,
    onDeadLetter: options.onDeadLetter,
  });
}

/** What takes messages from the queue. */
interface Consumer {
  /** Rejects when the function cannot be run at all. */
  readonly failure: Promise<never>;
  /** Ends the function, whatever it is doing. */
  stop(): Promise<void>;
}

function startConsumer(
  options: LocalStackOptions,
  queue: LocalQueue,
  codeDir: string,
  addresses: Readonly<Record<string, string>>,
): Consumer {
  const { maxReceives = MAX_RECEIVES } = options;
  const concurrency = concurrencyOf(options);
  const host = new FunctionHost({
    configuration: {
      name: FUNCTION,
      codeDir,
      handler: `${FUNCTION}.handler`,
      memoryMb: options.memoryMb ?? DEFAULT_MEMORY_MB,
      region: REGION,
      credentials: CREDENTIALS,
      environment: {
        ...addresses,
        [ENVIRONMENT.resultsBucket]: RESULTS_BUCKET,
        [ENVIRONMENT.defaultOptions]: '{}',
        [ENVIRONMENT.maxReceives]: String(maxReceives),
        [ENVIRONMENT.stateMachine]: machineArn('SolveLarge', REGION),
        ...options.environment,
      },
    },
    timeoutMs: functionTimeoutMs(options),
    concurrency,
    onLog: options.onLog,
  });
  const mapping = new EventSourceMapping({
    queue,
    invoke: (event) => host.invoke(event),
    batchSize: options.batchSize ?? BATCH_SIZE,
    maxConcurrency: concurrency,
    skipWait: () => options.queueClock?.skip?.() === true,
    onBatch: options.onBatch,
  });
  return {
    failure: mapping.failure,
    stop: async () => {
      const stopped = mapping.stop();
      await host.close();
      await stopped;
    },
  };
}
