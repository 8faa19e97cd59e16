/**
 * The whole stack on one machine, with local implementations of the AWS services: README.md.
 *
 *     one port: S3, SQS, Step Functions, EventBridge
 *
 *     upload --> S3 --event--> rules of the template --> queue --event source mapping--> solve-batch --> results in S3
 *                                      ^                                                      |
 *                             event of a failure                                              v
 *                                      +------------------- state machines <---------- large files, bulk runs
 *
 *     events of outcomes --> event bus --> webhook, rules
 *
 * All persistent state is in the data folder. However the process ends, a start with the same folder continues with the
 * unfinished messages and executions.
 */
import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { s3ClientFor } from '../aws/s3-client.ts';
import { s3Store } from '../aws/s3-store.ts';
import { REPORT_RECEIVES } from '../batch/limits.ts';
import { ENVIRONMENT, EVENT_SOURCE } from '../batch/names.ts';
import type { OptionTexts } from '../batch/options.ts';
import type { ObjectStore } from '../batch/ports.ts';
import { REPORT_POLICY } from '../batch/report/report-policy.ts';
import { systemHashing } from '../node/system.ts';
import { StackAccess } from './access/stack-access.ts';
import { openDataFolder } from './data-folder.ts';
import { type Deployment, Deployments } from './deployments.ts';
import { type EventRule, eventBus, eventBusService, type Publish } from './events/event-bus.ts';
import { objectCreatedEvent, statusChangeEvent } from './events/service-events.ts';
import { Webhook, type WebhookOptions } from './events/webhook.ts';
import type { LogLine } from './functions/execution-environment.ts';
import { FunctionHost, type FunctionHostOptions, type FunctionRunner } from './functions/function-host.ts';
import { Functions } from './functions/functions.ts';
import { JournalFile } from './journal-file.ts';
import { type JsonService, respondJson } from './json-api.ts';
import { EventSourceMapping } from './queue/event-source-mapping.ts';
import { sendMissedUploads } from './queue/missed-uploads.ts';
import { LocalQueue, type Message, type QueueOptions } from './queue/queue.ts';
import { queueService } from './queue/queue-service.ts';
import type { RunningStack } from './running-stack.ts';
import { readText } from './s3/body.ts';
import { openS3Server } from './s3/server.ts';
import { LocalSchedule, type LocalScheduleOptions } from './schedule.ts';
import { openStackKeys } from './stack-keys.ts';
import { LOCAL_STACK } from './stack-names.ts';
import { loadDefinition } from './states/definition.ts';
import { type DeployedMachine, LocalExecutions } from './states/executions.ts';
import { statesService } from './states/states-service.ts';
import {
  logicalIdOf,
  namesOf,
  type ResourceNames,
  resolveText,
  resolveValue,
  resourcesOf,
  roleOf,
  type StackTemplate,
} from './template.ts';
import { systemTimerClock } from './timer-clock.ts';

const { region: REGION, inputBucket: INPUT_BUCKET, resultsBucket: RESULTS_BUCKET } = LOCAL_STACK;
/** Reports of jobs and of bulk runs; only the stack writes to the results bucket. */
const REPORT_KEY = /^(results|runs)\/.*\/report\.html$/;
/** The state machines, by the outputs of the stack that name them. */
const MACHINES = { SolveLargeArn: LOCAL_STACK.solveLargeArn, BulkRunArn: LOCAL_STACK.bulkRunArn };

export interface LocalStackOptions {
  /** Folder of all persistent state; created if missing. One stack at a time may use it. */
  readonly dataDir: string;
  /** Port of the endpoint; 0 takes a free one. @default 0 */
  readonly port?: number;
  /** Maximum number of concurrent invocations, if the stack allows as many. @default the number of processors */
  readonly concurrency?: number;
  /** Tries of a message before its failure is reported, and it becomes a dead letter. @default as in the stack */
  readonly maxReceives?: number;
  /** Whether a message that failed is tried again when no other is visible or in progress. @default after its delay */
  readonly fastRetries?: boolean;
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
  /** Folder with the functions' code, `solve-batch.mjs` and so on. @default that of this program */
  readonly codeDir?: string;
  /** Runs the functions. @default child processes */
  readonly startFunction?: (options: FunctionHostOptions) => FunctionRunner;
  /** The template of the stack. @default that of this program */
  readonly template?: StackTemplate;
  /** Takes the event of an upload, before S3 answers the upload. @default it is sent to the queue */
  readonly onEvent?: (body: string) => void;
  /** Rules for the events about outcomes. @default none */
  readonly rules?: readonly EventRule[];
  /** A URL to which the events about outcomes are posted. @default none; events that an earlier run did not post wait */
  readonly webhook?: Pick<WebhookOptions, 'url' | 'onTrouble'>;
  /** Called for each line that a function writes. */
  readonly onLog?: (entry: LogLine) => void;
}

/** With the keys of its data folder. */
export interface LocalStack extends RunningStack {
  readonly inputBucket: string;
  readonly resultsBucket: string;
  /** The objects of the stack, for this process. */
  readonly store: ObjectStore;
  /** Dead letters, oldest first, including those of earlier runs with the same folder. */
  readonly deadLetters: readonly Message[];
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

/** What closes the parts of a stack that have been started. */
type Parts = (() => unknown)[];

/**
 * Starts the stack, and continues unfinished work of earlier runs with the same folder.
 *
 * @throws Error if the program does not build, the port is in use, or the folder is in use or unreadable
 */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const dataDir = resolve(options.dataDir);
  openDataFolder(dataDir);
  const keys = openStackKeys(dataDir);
  // Set before the first request, as nothing is awaited between the start of the server and the last of them.
  let services: readonly JsonService[] = [];
  let access!: StackAccess;
  let publish!: Publish;
  const caller = {
    ...keys,
    region: REGION,
    roles: () => access.keys,
    isAllowed: (...call: Parameters<StackAccess['isAllowed']>) => access.isAllowed(...call),
  };
  const server = await openS3Server({
    ...caller,
    dataDir: join(dataDir, 's3'),
    buckets: [INPUT_BUCKET, RESULTS_BUCKET].map((name) => ({ name, versioned: true })),
    policyOf: (bucket, key) =>
      bucket === RESULTS_BUCKET && REPORT_KEY.test(key) ? REPORT_POLICY : undefined,
    otherService: (request, incoming) => respondJson(services, caller, request, incoming),
    onObjectCreated: (created) => void publish(objectCreatedEvent(created)),
  });
  let queues: readonly LocalQueue[] = [];
  let mapping: EventSourceMapping | undefined;
  // Closed in the opposite order, also if the start fails.
  const parts: Parts = [];
  const closeParts = async () => {
    for (const close of parts.splice(0).reverse()) await close();
  };
  parts.push(async () => {
    // Before the queues, so that every accepted upload has its message there.
    await server.close();
    for (const queue of queues) queue.close();
  });
  try {
    const deployments = new Deployments(join(dataDir, 'deployments'));
    const newest = await deployments.newest(options);
    const endpoint = await server.listen(options.port ?? 0);
    const names = namesOf(newest.template, endpoint, newest.id);
    access = new StackAccess(newest.template, names, keys);
    const { uploads, dead } = openQueues(options, dataDir, newest.template);
    queues = [uploads, dead];
    const rules = [...templateRules(newest.template, names, uploads, options), ...(options.rules ?? [])];
    if (options.webhook !== undefined) {
      const webhook = new Webhook({ ...options.webhook, journal: join(dataDir, 'webhook.jsonl') });
      parts.push(() => webhook.close());
      rules.push({ pattern: { source: [EVENT_SOURCE] }, receive: (event) => webhook.send(event) });
    }
    publish = eventBus(rules);
    const { concurrency = availableParallelism(), maxReceives } = options;
    const functions = new Functions({
      endpoint,
      access,
      deployment: (version) => (version === undefined ? newest : deployments.get(version)),
      environment: {
        ...(maxReceives !== undefined && { [ENVIRONMENT.maxReceives]: String(maxReceives) }),
        ...options.environment,
      },
      jobLimits: options.jobLimits,
      concurrency,
      start: options.startFunction ?? ((host) => new FunctionHost(host)),
      onLog: options.onLog,
    });
    const s3 = s3ClientFor({ endpoint, region: REGION, ...keys });
    parts.push(() => s3.destroy());
    const s3Objects = s3Store(s3);
    const executions = new LocalExecutions({
      journal: new JournalFile(join(dataDir, 'executions.jsonl'), 'execution journal'),
      machineArns: Object.values(MACHINES),
      load: (arn, id) => loadMachine(arn, id === undefined ? newest : deployments.get(id), endpoint, access),
      onEnd: (execution) => void publish(statusChangeEvent(execution)),
      dependencies: {
        invoke: (arn, payload) => functions.invoke(arn, payload),
        async readText(bucket, key) {
          const found = await s3Objects.get(bucket, key);
          return found && readText(found.body, Number.POSITIVE_INFINITY);
        },
        clock: systemTimerClock,
        random: options.jitter ?? Math.random,
        newId: randomUUID,
        concurrency,
      },
    });
    // Their running work ends with the functions.
    parts.push(() => Promise.all([mapping?.stop(), functions.close(), executions.close()]));
    deployments.retain(new Set([newest.id, ...executions.deploymentsInUse]));
    services = [
      statesService(executions),
      queueService({ [LOCAL_STACK.queuePath]: uploads, [LOCAL_STACK.deadLetterPath]: dead }),
      eventBusService(publish),
    ];
    const store = server.withDirectReads(s3Objects);
    // With another receiver, events do not end with this process.
    if (options.onEvent === undefined) {
      const work = [...[...uploads.messages, ...dead.messages].map(({ body }) => body), ...executions.inputs];
      const buckets = { inputBucket: INPUT_BUCKET, resultsBucket: RESULTS_BUCKET };
      await sendMissedUploads(
        work,
        { store, ...buckets, hashing: systemHashing },
        (body) => void uploads.send(body),
      );
    }
    startSchedule(options, newest.template, functions, parts);
    const polling = new EventSourceMapping({
      ...mappingIn(newest.template, concurrency),
      queue: uploads,
      invoke: (event) => functions.invokeNewest('solve-batch', event),
      fastRetries: options.fastRetries,
    });
    mapping = polling;
    const closed = Promise.withResolvers<never>();
    // Rejects pending `idle` calls; without one, the rejection is not an error.
    closed.promise.catch(() => {});
    parts.push(() => closed.reject(new Error('the local stack was closed before it finished all messages')));
    let closing: Promise<void> | undefined;
    // A message may start an execution, and an execution that fails sends a message.
    const allIdle = async () => {
      do {
        await uploads.idle();
        // The last attempt of a message may end after the message is a dead letter.
        await polling.work.idle();
        await executions.work.idle();
      } while (uploads.size > 0);
    };
    return {
      endpoint,
      region: REGION,
      ...keys,
      inputBucket: INPUT_BUCKET,
      resultsBucket: RESULTS_BUCKET,
      store,
      get deadLetters() {
        return dead.messages;
      },
      send: (body) => void uploads.send(body),
      idle: () => Promise.race([allIdle(), polling.work.failure, executions.work.failure, closed.promise]),
      close: () => {
        closing ??= closeParts();
        return closing;
      },
    };
  } catch (error) {
    await closeParts();
    throw error;
  }
}

/** The queue of uploads and its dead letters. */
function openQueues({ maxReceives }: LocalStackOptions, dataDir: string, template: StackTemplate) {
  const { RedrivePolicy, VisibilityTimeout } =
    template.Resources[logicalIdOf(template, 'QueueUrl')]!.Properties;
  const open = (path: string, file: string, further: Partial<QueueOptions> = {}) =>
    new LocalQueue({
      name: path.split('/').at(-1)!,
      visibilityTimeoutMs: 1000 * VisibilityTimeout,
      journal: join(dataDir, file),
      ...further,
    });
  const dead = open(LOCAL_STACK.deadLetterPath, 'dead-letters.jsonl');
  const uploads = open(LOCAL_STACK.queuePath, 'queue.jsonl', {
    maxReceives: maxReceives === undefined ? RedrivePolicy.maxReceiveCount : maxReceives + REPORT_RECEIVES,
    deadLetters: dead,
  });
  return { uploads, dead };
}

/** The rules of the template that send events to the queue of uploads. */
function templateRules(
  template: StackTemplate,
  names: ResourceNames,
  queue: LocalQueue,
  { onEvent }: LocalStackOptions,
): EventRule[] {
  return resourcesOf(template, 'AWS::Events::Rule').flatMap(([, { EventPattern, State, Targets = [] }]) => {
    const arns = Targets.map(({ Arn }: { readonly Arn: unknown }) => resolveText(Arn, names));
    if (State === 'DISABLED' || !arns.includes(queue.arn)) return [];
    const pattern = resolveValue(EventPattern, names) as EventRule['pattern'];
    const receive: EventRule['receive'] = (text, { source }) => {
      if (onEvent !== undefined && source === 'aws.s3') onEvent(text);
      else queue.send(text);
    };
    return [{ pattern, receive }];
  });
}

function loadMachine(
  arn: string,
  { id, template }: Deployment,
  endpoint: string,
  access: StackAccess,
): DeployedMachine {
  const [output] = Object.entries(MACHINES).find(([, each]) => each === arn)!;
  const logicalId = logicalIdOf(template, output);
  const { DefinitionString } = template.Resources[logicalId]!.Properties;
  const role = roleOf(template, logicalId);
  return {
    deployment: id,
    machine: loadDefinition(resolveText(DefinitionString, namesOf(template, endpoint, id))),
    isAllowed: (action, resource) => access.isAllowed(role, action, resource),
  };
}

/** The schedule of the caller, or that of the stack, if it is enabled. A run starts at the beginning of its window. */
export function scheduleOf(
  { schedule }: Pick<LocalStackOptions, 'schedule'>,
  template: StackTemplate,
): Pick<LocalScheduleOptions, 'expression' | 'timeZone'> | undefined {
  if (schedule !== true) return schedule === undefined ? undefined : { expression: schedule };
  const [[, properties] = []] = resourcesOf(template, 'AWS::Scheduler::Schedule');
  const { ScheduleExpression: expression, ScheduleExpressionTimezone: timeZone, State } = properties!;
  return State === 'DISABLED' ? undefined : { expression, timeZone };
}

/** Starts the schedule of bulk runs; errors of its function go to the log. */
function startSchedule(
  options: LocalStackOptions,
  template: StackTemplate,
  functions: Functions,
  parts: Parts,
): void {
  const times = scheduleOf(options, template);
  if (times === undefined) return;
  const logError = (message: unknown) =>
    options.onLog?.({ line: `sweep-inbox: ${message}`, stream: 'stderr' });
  const fire = (scheduledTime: string) => {
    functions
      .invokeNewest('sweep-inbox', { scheduledTime })
      .then((result) => result.ok || logError(result.error.errorMessage), logError);
  };
  const schedule = new LocalSchedule({ ...times, fire });
  parts.push(() => schedule.stop());
}

/** How the template connects the queue with its function, as far as this machine allows. */
function mappingIn(template: StackTemplate, concurrency: number) {
  const [[, properties] = []] = resourcesOf(template, 'AWS::Lambda::EventSourceMapping');
  const { BatchSize, ScalingConfig } = properties!;
  return {
    batchSize: BatchSize as number,
    maxConcurrency: Math.min(concurrency, ScalingConfig.MaximumConcurrency),
  };
}
