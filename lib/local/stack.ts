/**
 * The whole stack on one machine, with local implementations of the AWS services:
 *
 *     upload --> embedded S3 --event relay--> queue --event source mapping--> function host --> results in S3
 *                    |                          ^                          |       |
 *               data folder                     |                          |  functions/ (the bundle)
 *                                        event of a failure                v
 *                                               +--------------- state machines (large files)
 *                                               +--------------- state machine of bulk runs <-- schedule
 *
 *     function host, state machines --events of outcomes--> event bus --> webhook, rules
 *
 * All persistent state is in the data folder. However the process ends, a start with the same folder continues with the
 * unfinished messages and executions.
 */
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import type { SQSRecord } from 'aws-lambda';
import type { FunctionName } from '../../functions/bundle.ts';
import { s3ClientFor } from '../aws/s3-client.ts';
import { s3Store } from '../aws/s3-store.ts';
import { MAX_RECEIVES, REPORT_RECEIVES, VISIBILITY_TIMEOUT_FACTOR } from '../batch/limits.ts';
import { ENVIRONMENT, EVENT_SOURCE } from '../batch/names.ts';
import type { OptionTexts } from '../batch/options.ts';
import type { ObjectStore } from '../batch/ports.ts';
import { systemHashing } from '../node/system.ts';
import { policyNames } from './access/policy-names.ts';
import { StackAccess } from './access/stack-access.ts';
import { controlPlane } from './control-plane.ts';
import { openDataFolder } from './data-folder.ts';
import { type EventRule, eventBusService } from './events/event-bus.ts';
import { Webhook } from './events/webhook.ts';
import { bundleFunctions } from './functions/bundle.ts';
import type { LogLine } from './functions/execution-environment.ts';
import { FunctionHost, type FunctionHostOptions, type FunctionRunner } from './functions/function-host.ts';
import type { InvocationResult } from './functions/invocation-result.ts';
import type { Credentials } from './functions/lambda-environment.ts';
import { functionIn, type HostSettings, hostOptions } from './functions/template-function.ts';
import { type JsonService, respondJson } from './json-api.ts';
import { eventRelay } from './queue/event-relay.ts';
import { EventSourceMapping } from './queue/event-source-mapping.ts';
import { sendMissedUploads } from './queue/missed-uploads.ts';
import { LocalQueue } from './queue/queue.ts';
import { type DeadLetter, QueueJournal } from './queue/queue-journal.ts';
import { queueService } from './queue/queue-service.ts';
import { type S3Server, startS3Server } from './s3/http/server.ts';
import { lifecycleOf } from './s3/lifecycle.ts';
import { LocalSchedule } from './schedule.ts';
import { isServiceRequest } from './service-request.ts';
import { openStackKeys } from './stack-keys.ts';
import { LOCAL_STACK } from './stack-names.ts';
import { StateMachines, serviceAddresses } from './states/machines.ts';
import { type StackTemplate, synthesise } from './states/template.ts';
import type { TimerClock } from './timer-clock.ts';
import { writeFault } from './write-fault.ts';

const FUNCTION: FunctionName = 'solve-batch';
const { region: REGION, inputBucket: INPUT_BUCKET, resultsBucket: RESULTS_BUCKET } = LOCAL_STACK;
/** Reports of jobs and of bulk runs; only the stack writes to the results bucket. */
const REPORT_KEY = /^(results|runs)\/.*\/report\.html$/;

export interface LocalStackOptions {
  /** Folder of all persistent state; created if missing. One stack at a time may use it. */
  readonly dataDir: string;
  /** Port of the S3 endpoint; 0 takes a free one. @default 0 */
  readonly port?: number;
  /** Timeout of one invocation. @default as in the stack */
  readonly functionTimeoutMs?: number;
  /** Maximum number of concurrent invocations, if the stack allows as many. @default the number of processors */
  readonly concurrency?: number;
  /** Tries of a message before its failure is reported, and it becomes a dead letter. @default as in the stack */
  readonly maxReceives?: number;
  /** The queue's clock; one with `skip` skips when no message is visible or in progress. @default the system's */
  readonly queueClock?: TimerClock;
  /** Fraction, from 0 to 1, of the maximum delay of a state machine's retry. @default random */
  readonly jitter?: () => number;
  /**
   * When bulk runs start: an EventBridge Scheduler expression, in UTC, or `true` for the schedule of the stack.
   *
   * @default never automatically
   */
  readonly schedule?: string | true;
  /** Additional variables of all functions; they override the stack's. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Limits that override those of the stack, one by one. */
  readonly jobLimits?: OptionTexts;
  /** The origins of the pages that may send forms to S3. @default none */
  readonly origins?: () => readonly string[];
  /** Folder with the functions' code, `solve-batch.mjs` and so on. @default they are bundled to the data folder */
  readonly codeDir?: string;
  /** Runs the functions. @default child processes */
  readonly startFunction?: (options: FunctionHostOptions) => FunctionRunner;
  /** The template of the stack; `outDir` is a folder for its work. @default that of `bin/app.ts` */
  readonly synthesise?: (outDir: string) => Promise<StackTemplate>;
  /** Takes the event of an upload, before S3 answers the upload. @default it is sent to the queue */
  readonly onEvent?: (body: string) => void;
  /** Rules for the events about outcomes. @default none */
  readonly rules?: readonly EventRule[];
  /** A URL to which the events about outcomes are posted. @default none; events that an earlier run did not post wait */
  readonly webhook?: {
    readonly url: string;
    /** Called with a sentence if the receiver does not accept events, and when it accepts them again. */
    readonly onTrouble: (message: string) => void;
  };
  /** Called for each line that a function writes. */
  readonly onLog?: (entry: LogLine) => void;
  /** Called after each batch of messages, with the ids of those that failed. */
  readonly onBatch?: (
    records: readonly SQSRecord[],
    result: InvocationResult,
    failed: readonly string[],
  ) => void;
  /** Called for each new dead letter. */
  readonly onDeadLetter?: (letter: DeadLetter) => void;
}

export interface LocalStack {
  /** URL of the S3 endpoint. */
  readonly endpoint: string;
  /** URL of the Step Functions endpoint. */
  readonly statesEndpoint: string;
  readonly region: string;
  /** Keys of this data folder. */
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly inputBucket: string;
  readonly resultsBucket: string;
  /** The objects of the stack, for this process. */
  readonly store: ObjectStore;
  /** Dead letters, oldest first, including those of earlier runs with the same folder. */
  readonly deadLetters: readonly DeadLetter[];
  /** Sends a message with this body to the queue of uploads. */
  send(body: string): void;
  /**
   * Resolves when no message is visible or hidden, and no state machine runs. Includes every upload that was answered
   * before the call.
   *
   * @throws Error if a function cannot run, or the stack is closed first
   */
  idle(): Promise<void>;
  /** Stops everything, including running work; the next start with the same folder repeats that work. */
  close(): Promise<void>;
}

/**
 * Starts the stack, and continues unfinished work of earlier runs with the same folder.
 *
 * @throws Error if the function does not build, the port is in use, or the folder is in use or unreadable
 */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const dataDir = resolve(options.dataDir);
  const startFunction = options.startFunction ?? ((host) => new FunctionHost(host));
  openDataFolder(dataDir);
  const keys = openStackKeys(dataDir);
  // Uploads may arrive as soon as the server listens, but the queue's journal opens later: the server locks the folder.
  const early: string[] = [];
  let send = (body: string): void => void early.push(body);
  let services: readonly JsonService[] = [];
  let access: StackAccess | undefined;
  // Before the policies are read, no role has keys.
  const isAllowed = (...call: Parameters<StackAccess['isAllowed']>) => access?.isAllowed(...call) ?? true;
  const server = await startS3Server({
    dataDir: join(dataDir, 's3'),
    port: options.port ?? 0,
    region: REGION,
    ...keys,
    buckets: [INPUT_BUCKET, RESULTS_BUCKET].map((name) => ({ name, versioned: true })),
    get roles() {
      return access?.keys;
    },
    isAllowed,
    origins: options.origins,
    isReport: (bucket, key) => bucket === RESULTS_BUCKET && REPORT_KEY.test(key),
    sendsEvents: (bucket) => bucket === INPUT_BUCKET,
    // Clients need only one URL for all services.
    otherService(incoming, response) {
      if (!isServiceRequest(incoming)) return false;
      respondJson(services, { ...keys, region: REGION, roles: access?.keys, isAllowed }, incoming, response);
      return true;
    },
    onObjectCreated: eventRelay({
      inputBucket: INPUT_BUCKET,
      region: REGION,
      send: options.onEvent ?? ((body) => send(body)),
    }),
  });
  let journal: QueueJournal | undefined;
  let machines: StateMachines | undefined;
  let webhook: Webhook | undefined;
  const s3 = s3ClientFor({ endpoint: server.endpoint, region: REGION, ...keys });
  try {
    const codeDir = options.codeDir ?? join(dataDir, 'functions', FUNCTION);
    const [template] = await Promise.all([
      (options.synthesise ?? synthesise)(join(dataDir, 'cdk.out')),
      options.codeDir ?? bundleFunctions([FUNCTION], codeDir),
    ]);
    const solve = functionIn(template, FUNCTION);
    const timeoutMs = options.functionTimeoutMs ?? 1000 * solve.properties.Timeout;
    journal = new QueueJournal(join(dataDir, 'queue.jsonl'));
    const queue = jobQueue(options, timeoutMs, journal);
    // The SDK sends requests to the host of the queue's URL, not to its configured endpoint.
    const queueUrl = server.endpoint + LOCAL_STACK.queuePath;
    send = (body) => void queue.send(body);
    for (const body of early) send(body);
    const outputs = { InputBucketName: INPUT_BUCKET, ResultsBucketName: RESULTS_BUCKET, QueueUrl: queueUrl };
    const names = policyNames(template, { region: REGION, outputs }, queue.arn);
    access = new StackAccess(template, names, keys);
    webhook =
      options.webhook &&
      new Webhook({ ...options.webhook, journal: join(dataDir, 'webhook.jsonl'), region: REGION });
    const { concurrency = availableParallelism(), functionTimeoutMs, onLog } = options;
    const hosts: HostSettings = {
      region: REGION,
      access,
      environment: { AWS_ENDPOINT_URL_S3: server.endpoint, ...options.environment },
      jobLimits: options.jobLimits,
      concurrency,
      functionTimeoutMs,
      onLog,
    };
    machines = await StateMachines.start({
      ...hosts,
      dataDir,
      credentials: keys,
      outputs,
      template,
      otherServices: [
        queueService(queue, queueUrl),
        eventBusService(rulesOf(options, webhook), { region: REGION }),
      ],
      store: s3Store(s3),
      codeDir: options.codeDir,
      startFunction,
      jitter: options.jitter,
      send,
    });
    let lastResult = 'No records processed';
    const mapping = mappingIn(template, solve.logicalId, concurrency);
    const consumer = {
      concurrency: mapping.maxConcurrency,
      timeoutSeconds: timeoutMs / 1000,
      lastResult: () => lastResult,
    };
    const schedule = scheduleOf(options, template);
    services = [
      ...machines.services,
      ...controlPlane({
        ...{ template, names, access, queue, queueUrl, schedule, consumer },
      }),
    ];
    const store = server.withDirectReads(s3Store(s3));
    // With another receiver, events do not end with this process.
    if (options.onEvent === undefined) {
      const buckets = { inputBucket: INPUT_BUCKET, resultsBucket: RESULTS_BUCKET };
      const work = [...queue.bodies(), ...machines.inputs];
      await sendMissedUploads(work, { store, ...buckets, hashing: systemHashing }, send);
    }
    const running = startSchedule(schedule, options, machines);
    const stopLifecycle = startLifecycle(server, template);
    const onBatch: LocalStackOptions['onBatch'] = (records, result, failed) => {
      lastResult = failed.length === 0 ? 'OK' : 'PROBLEM: Function call failed';
      options.onBatch?.(records, result, failed);
    };
    const host = hostOptions(
      template,
      solve,
      names,
      { codeDir },
      {
        ...hosts,
        environment: {
          ...(options.maxReceives !== undefined && {
            [ENVIRONMENT.maxReceives]: String(options.maxReceives),
          }),
          ...hosts.environment,
          ...serviceAddresses(machines.url),
        },
      },
    );
    const consuming = startConsumer(startFunction(host), queue, mapping, { ...options, onBatch });
    return runningStack(
      server,
      store,
      keys,
      journal,
      queue,
      consuming,
      machines,
      running,
      webhook,
      stopLifecycle,
    );
  } catch (error) {
    await machines?.close();
    await webhook?.close();
    s3.destroy();
    await server.close();
    journal?.close();
    throw error;
  }
}

function runningStack(
  server: S3Server,
  store: ObjectStore,
  keys: Credentials,
  journal: QueueJournal,
  queue: LocalQueue,
  consumer: Consumer,
  machines: StateMachines,
  schedule: LocalSchedule | undefined,
  webhook: Webhook | undefined,
  stopLifecycle: () => Promise<void>,
): LocalStack {
  const closed = Promise.withResolvers<never>();
  // Rejects pending `idle` calls; without one, the rejection is not an error.
  closed.promise.catch(() => {});
  const closeAll = async () => {
    closed.reject(new Error('the local stack was closed before it finished all messages'));
    schedule?.stop();
    await Promise.all([consumer.stop(), machines.close(), stopLifecycle()]);
    await webhook?.close();
    queue.close();
    // The server closes before the journal, so that every accepted upload has its message there.
    await server.close();
    journal.close();
  };
  let closing: Promise<void> | undefined;
  // A message may start an execution, and an execution that fails sends a message.
  const allIdle = async () => {
    do {
      await queue.idle();
      // The last try of a message may end after the message is a dead letter.
      await consumer.idle();
      await machines.idle();
    } while (queue.size > 0);
  };
  return {
    endpoint: server.endpoint,
    statesEndpoint: machines.url,
    region: REGION,
    ...keys,
    inputBucket: INPUT_BUCKET,
    resultsBucket: RESULTS_BUCKET,
    store,
    deadLetters: queue.deadLetters,
    send: (body) => void queue.send(body),
    idle: () => Promise.race([allIdle(), consumer.failure, machines.failure, closed.promise]),
    close: () => {
      closing ??= closeAll();
      return closing;
    },
  };
}

/** When bulk runs start. */
interface RunTimes {
  readonly expression: string;
  readonly timeZone?: string;
}

/** The schedule of the caller, or that of the stack, if it is enabled. A run starts at the beginning of its window. */
export function scheduleOf(
  { schedule }: Pick<LocalStackOptions, 'schedule'>,
  template: StackTemplate,
): RunTimes | undefined {
  if (schedule !== true) return schedule === undefined ? undefined : { expression: schedule };
  const found = Object.values(template.Resources).find(({ Type }) => Type === 'AWS::Scheduler::Schedule');
  const { ScheduleExpression, ScheduleExpressionTimezone, State } = found!.Properties;
  if (State === 'DISABLED') return undefined;
  return { expression: String(ScheduleExpression), timeZone: String(ScheduleExpressionTimezone) };
}

/** Starts the schedule of bulk runs; errors of its function go to the log. */
function startSchedule(
  times: RunTimes | undefined,
  { onLog }: LocalStackOptions,
  machines: StateMachines,
): LocalSchedule | undefined {
  if (times === undefined) return undefined;
  const logError = (message: string) =>
    onLog?.({ line: `sweep-inbox: ${message}`, stream: 'stderr', environment: 0 });
  return new LocalSchedule({
    ...times,
    fire: (scheduledTime) => {
      machines.invoke('sweep-inbox', { scheduledTime }).then(
        (result) => result.ok || logError(result.error.errorMessage),
        (error: unknown) => logError(String(error)),
      );
    },
  });
}

/** The rules of the event bus: those of the caller, and one for the webhook. */
function rulesOf({ rules = [] }: LocalStackOptions, webhook: Webhook | undefined): readonly EventRule[] {
  const receive = (event: string) => webhook!.send(event);
  return webhook === undefined ? rules : [...rules, { pattern: { source: [EVENT_SOURCE] }, receive }];
}

/** How the template connects the queue with its function, as far as this machine allows. */
function mappingIn(
  { Resources }: StackTemplate,
  functionId: string,
  concurrency: number,
): { readonly batchSize: number; readonly maxConcurrency: number } {
  const mappings = Object.values(Resources).filter(({ Type }) => Type === 'AWS::Lambda::EventSourceMapping');
  const found = mappings.find(
    ({ Properties }) => (Properties.FunctionName as { readonly Ref?: string }).Ref === functionId,
  );
  const { BatchSize, ScalingConfig } = found!.Properties as {
    readonly BatchSize: number;
    readonly ScalingConfig: { readonly MaximumConcurrency: number };
  };
  return { batchSize: BatchSize, maxConcurrency: Math.min(concurrency, ScalingConfig.MaximumConcurrency) };
}

function jobQueue(options: LocalStackOptions, timeoutMs: number, journal: QueueJournal): LocalQueue {
  return new LocalQueue({
    name: 'dlx-batch-jobs',
    region: REGION,
    visibilityTimeoutMs: VISIBILITY_TIMEOUT_FACTOR * timeoutMs,
    maxReceives: (options.maxReceives ?? MAX_RECEIVES) + REPORT_RECEIVES,
    clock: options.queueClock,
    journal,
    onDeadLetter: options.onDeadLetter,
  });
}

/**
 * Applies the lifecycle rules of the buckets now and at each midnight in UTC.
 *
 * @returns a function that stops it
 * @throws Error if a rule is not implemented
 */
function startLifecycle(server: S3Server, template: StackTemplate): () => Promise<void> {
  const buckets = [
    [INPUT_BUCKET, lifecycleOf(template, 'InputBucketName')],
    [RESULTS_BUCKET, lifecycleOf(template, 'ResultsBucketName')],
  ] as const;
  let running = Promise.resolve();
  const apply = () => {
    running = running
      .then(async () => {
        for (const [bucket, rules] of buckets) await server.applyLifecycle(bucket, rules, Date.now());
      })
      // On a full disk: the next day removes more.
      .catch((error) => writeFault('lifecycle rules', error));
  };
  apply();
  const daily = new LocalSchedule({ expression: 'cron(0 0 * * ? *)', fire: apply });
  return () => {
    daily.stop();
    return running;
  };
}

/** The function that processes the queue's messages. */
interface Consumer {
  /** Never resolves; rejects if the function cannot run. */
  readonly failure: Promise<never>;
  /** Resolves when no invocation runs. */
  idle(): Promise<void>;
  /** Kills the function's processes. */
  stop(): Promise<void>;
}

function startConsumer(
  host: FunctionRunner,
  queue: LocalQueue,
  limits: ReturnType<typeof mappingIn>,
  { queueClock, onBatch }: LocalStackOptions,
): Consumer {
  const mapping = new EventSourceMapping({
    ...limits,
    queue,
    invoke: (event) => host.invoke(event),
    skipWait: () => queueClock?.skip?.() === true,
    onBatch,
  });
  return {
    failure: mapping.failure,
    idle: () => mapping.idle(),
    stop: async () => {
      const stopped = mapping.stop();
      await host.close();
      await stopped;
    },
  };
}
