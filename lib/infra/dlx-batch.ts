/**
 * The construct for CDK apps: `import { DlxBatch } from 'dlx-batch/cdk'`.
 *
 * Its names are not fixed, so that a stack may have several.
 */
import { Annotations, Names, Tags, Validations } from 'aws-cdk-lib';
import type { Alarm, Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { type Grant, type IGrantable, ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { BATCH_SIZE, type JobLimitName, MAX_RECEIVES, type RunSettings } from '../batch/limits.ts';
import { ENVIRONMENT, INBOX_PREFIX, SCHEDULED_PREFIX } from '../batch/names.ts';
import { AccessPolicies } from './access-policies.ts';
import { type SharedConcurrency, shareConcurrency } from './account-concurrency.ts';
import { Alarms } from './alarms.ts';
import { BatchFunction, type BatchInstance, jobVariables } from './batch-function.ts';
import { allowServices, grantQueueKey } from './customer-key.ts';
import { BatchDashboard } from './dashboard.ts';
import { metricsName } from './instance.ts';
import { LogQueries } from './log-queries.ts';
import { OutcomeEvents } from './outcome-events.ts';
import { PuzzleBuckets } from './puzzle-buckets.ts';
import { RunSchedule } from './run-schedule.ts';
import { readSettings, type Settings, type StackSetting } from './settings.ts';
import { BulkRunMachine } from './state-machines/bulk-run.ts';
import { SolveLarge } from './state-machines/solve-large.ts';
import { UploadQueue } from './upload-queue.ts';

/** Maximum MiB of a function in a new account. */
const NEW_ACCOUNT_MEMORY_MB = 3008;

/** The library's flag for `ResultWriterV2`, which new apps set and old ones may lack; without it, maps write no results. */
const RESULT_WRITER_FLAG = '@aws-cdk/aws-stepfunctions:useDistributedMapResultWriterV2';

/** Of the function that solves. The first three are for Lambda, which receives and deletes messages with its role. */
const CONSUMER_ACTIONS = [
  'sqs:ReceiveMessage',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
  'sqs:ChangeMessageVisibility',
];

type LimitSettings = ReturnType<typeof readSettings>;

/**
 * The settings, each with a default; a value out of its range is an error of the synthesis.
 *
 * @example
 * const settings: DlxBatchSettings = { memoryMb: 3008, schedule: 'rate(12 hours)', defaultOptions: { engine: 'dlx' } };
 */
export type DlxBatchSettings = Partial<Omit<Settings, StackSetting>>;

/**
 * Properties of {@link DlxBatch}: the settings, and resources of the app that it uses.
 *
 * @example
 * const props: DlxBatchProps = {
 *   puzzleBucket: Bucket.fromBucketAttributes(stack, 'Uploads', { bucketName: 'my-uploads', encryptionKey: key }),
 *   inboxPrefix: 'sudoku/new/',
 *   scheduledPrefix: 'sudoku/tonight/',
 *   alarmTopic: topic,
 * };
 */
export interface DlxBatchProps extends DlxBatchSettings {
  /**
   * Bucket for uploads, in the account and region of the stack, with versioning. Its key (`encryptionKey`) is used if it
   * has one. A bucket of the app then sends its events to EventBridge. For an imported bucket, its owner turns that on,
   * or the app calls `enableEventBridgeNotification()` on it.
   * @default - a private bucket that outlives the stack
   */
  readonly puzzleBucket?: IBucket;

  /**
   * Bucket for results, another one than that for uploads. Its owner adds lifecycle rules: expire objects under `work/`
   * after 21 days, and abort incomplete multipart uploads.
   * @default - a private bucket that outlives the stack
   */
  readonly resultsBucket?: IBucket;

  /**
   * KMS key of all data that the construct stores: in buckets that it creates, queues, logs, state machines and the topic of e-mails. Services
   * that need it are added to its policy; for an imported key, a warning lists what its policy must allow.
   * @default - keys of AWS
   */
  readonly encryptionKey?: IKey;

  /**
   * Folder of the bucket for uploads whose new objects are solved at once, with a final slash.
   * @default inbox/
   */
  readonly inboxPrefix?: string;

  /**
   * Folder of the bucket for uploads whose new objects are solved by the next bulk run, with a final slash.
   * @default scheduled/
   */
  readonly scheduledPrefix?: string;

  /**
   * Folder of the results bucket that has `results/`, `rejects/`, `status/` and all other keys, with a final slash. Keys
   * in manifests and other documents are relative to it.
   * @default - the whole bucket
   */
  readonly resultsPrefix?: string;

  /**
   * Topic notified of every alarm, in the region of the stack. If it is encrypted, its key must allow `cloudwatch.amazonaws.com` to use it.
   * @default - alarms are visible in CloudWatch only
   */
  readonly alarmTopic?: ITopic;

  /**
   * Bus that receives an event for each completed, rejected or failed job, and for each completed bulk run, in the region
   * of the stack. With `eventEmails`, one of its account too.
   * @default - the default bus of the account
   */
  readonly eventBus?: IEventBus;

  /**
   * Tags of every resource of the construct.
   * @default - those of the stack
   */
  readonly tags?: { readonly [name: string]: string };
}

/**
 * Puzzle files in, result sets out.
 *
 *     puzzle bucket --EventBridge, inbox/--> queue --> function --> results bucket (which triggers nothing)
 *                                                         |               ^
 *                                                         +--> SolveLarge-+   files too large for one function
 *     schedule --> sweep-inbox --> BulkRun --> the same queue
 *
 * @example
 * const puzzles = new DlxBatch(stack, 'Puzzles', { memoryMb: 3008 });
 * puzzles.grantUpload(uploader);
 * puzzles.grantRead(reader);
 */
export class DlxBatch extends Construct {
  /** Puzzle files are uploaded here, under `inbox/` or `scheduled/`. */
  readonly puzzleBucket: IBucket;
  /** Result sets appear here, under `results/`. */
  readonly resultsBucket: IBucket;
  /** Uploads waiting to be solved. */
  readonly queue: Queue;
  /** Uploads that failed in every attempt, and events that EventBridge could not deliver to the queue. */
  readonly deadLetterQueue: Queue;
  /** Undelivered events of version 0.1, whose uploads the next bulk run sends; the next release has none. */
  readonly undeliveredEventsQueue: Queue;
  /** The function that solves. */
  readonly solveFunction: LambdaFunction;
  /** The log of the function that solves. */
  readonly solveLogGroup: LogGroup;
  /** All functions, with that one. */
  readonly functions: readonly LambdaFunction[];
  /** The state machine for files that are too large for one function. */
  readonly solveLarge: StateMachine;
  /** The state machine for bulk runs. */
  readonly bulkRun: StateMachine;
  /** The settings on which the time and the cost of bulk runs depend, as they fit the account. */
  readonly runSettings: RunSettings;
  /** The schedule of bulk runs. */
  readonly schedule: CfnSchedule;
  /** The topic of the e-mails about alarms; undefined without `alarmEmails`. */
  readonly alarmEmailTopic: ITopic | undefined;
  /** One alarm for each thing about which an operator does something different; the id of each names it (`node.id`, such as `WorkFailed`). */
  readonly alarms: readonly Alarm[];
  /** The state at a glance; undefined unless `dashboard` is true. */
  readonly dashboard?: Dashboard;
  /** For uploaders: to attach to their roles or groups. */
  readonly uploadPolicy: ManagedPolicy;
  /** For readers of results, statuses and reports. */
  readonly readPolicy: ManagedPolicy;
  /** For operators, who run and repeat jobs, in addition to `readPolicy`. */
  readonly operatePolicy: ManagedPolicy;
  /** For operators who check the stack with `dlx-batch doctor`, in addition to both. */
  readonly examinePolicy: ManagedPolicy;
  /** Events about outcomes are sent to this bus, with the source `dlx-batch`. */
  readonly eventBus: IEventBus;
  /** The topic of the e-mails about outcomes; undefined without `eventEmails`. */
  readonly eventTopic: ITopic | undefined;
  readonly #buckets: PuzzleBuckets;

  /** @throws Error if a property is invalid, naming the property and the values that are valid */
  constructor(scope: Construct, id: string, props: DlxBatchProps = {}) {
    super(scope, id);
    this.node.setContext(RESULT_WRITER_FLAG, true);
    const settings = readSettings(props);
    const { encryptionKey } = props;
    if (encryptionKey !== undefined) allowServices(this, encryptionKey);
    const concurrency = shareConcurrency(settings);
    this.#tellLimits(settings, concurrency);

    const base = { ...settings, metricsName: metricsName(this), encryptionKey };
    const buckets = new PuzzleBuckets(this, 'Buckets', base, {
      ...props,
      prefixes: {
        inbox: props.inboxPrefix ?? INBOX_PREFIX,
        scheduled: props.scheduledPrefix ?? SCHEDULED_PREFIX,
        results: props.resultsPrefix ?? '',
      },
    });
    const uploads = new UploadQueue(this, 'Uploads', base, buckets);
    const instance = { ...base, buckets, uploads, jobLimits: jobLimitTexts(settings) };
    const large = new SolveLarge(this, 'SolveLarge', instance, concurrency);
    const solve = this.#createSolve(instance, large, concurrency.files);
    const bulkRun = new BulkRunMachine(this, 'BulkRun', instance);
    const runs = new RunSchedule(this, 'Schedule', base, bulkRun.machine);
    const functions = [solve, ...large.functions, bulkRun.step, runs.sweep];
    const complete = { ...instance, large, solve, bulkRun, runs, functions };
    const senders = [solve, large.plan, large.merge, bulkRun.step];
    const events = new OutcomeEvents(this, 'Events', base, senders, props.eventBus);
    const alarms = new Alarms(this, 'Alarms', complete, props.alarmTopic);
    if (settings.dashboard) {
      this.dashboard = new BatchDashboard(this, 'Dashboard', complete, alarms).dashboard;
    }
    new LogQueries(this, 'LogQueries', complete);
    const policies = new AccessPolicies(this, 'Policies', complete, alarms.topics, events.undelivered);
    if (settings.permissionsBoundaryArn !== undefined) {
      const boundary = ManagedPolicy.fromManagedPolicyArn(
        this,
        'PermissionsBoundary',
        settings.permissionsBoundaryArn,
      );
      PermissionsBoundary.of(this).apply(boundary);
    }

    // Tags of the stack alone are not in the template, so deployments by tools other than `cdk` would lack them.
    // The resource type of dashboards has none in every region.
    for (const [name, value] of Object.entries(settings.tags)) {
      Tags.of(this).add(name, value, { excludeResourceTypes: ['AWS::CloudWatch::Dashboard'] });
    }

    this.puzzleBucket = buckets.input;
    this.resultsBucket = buckets.results;
    this.queue = uploads.queue;
    this.deadLetterQueue = uploads.deadLetters;
    this.undeliveredEventsQueue = uploads.formerUndelivered;
    this.solveFunction = solve.function;
    this.solveLogGroup = solve.logGroup;
    this.functions = functions.map((each) => each.function);
    this.solveLarge = large.machine;
    this.bulkRun = bulkRun.machine;
    const { memoryMb, graceMinutes } = settings;
    const { files, shards: shardConcurrency } = concurrency;
    this.runSettings = { memoryMb, concurrency: files, shardConcurrency, graceMinutes };
    this.schedule = runs.schedule;
    this.alarms = alarms.all;
    this.alarmEmailTopic = alarms.emailTopic;
    this.uploadPolicy = policies.upload;
    this.readPolicy = policies.read;
    this.operatePolicy = policies.operate;
    this.examinePolicy = policies.examine;
    this.eventBus = events.bus;
    this.eventTopic = events.topic;
    this.#buckets = buckets;
  }

  /**
   * The function that solves: for each message it commits a result set, or starts a large job.
   *
   * The event source limits concurrency (`maxConcurrency`), not the function: with reserved concurrency the poller
   * would continue to fetch, be throttled, and waste the receives of messages.
   */
  #createSolve(instance: BatchInstance, large: SolveLarge, maxConcurrency: number): BatchFunction {
    const { queue } = instance.uploads;
    const solve = new BatchFunction(this, 'SolveBatch', instance, {
      name: 'solve-batch',
      description: 'Solves the puzzles of one uploaded file and writes the result set',
      memoryMb: instance.memoryMb,
      environment: {
        ...jobVariables(instance),
        [ENVIRONMENT.defaultOptions]: JSON.stringify(instance.defaultOptions),
        [ENVIRONMENT.maxReceives]: String(MAX_RECEIVES),
        [ENVIRONMENT.queueUrl]: queue.queueUrl,
        [ENVIRONMENT.stateMachine]: large.machine.stateMachineArn,
      },
    });
    // Not the library's own event source, which also lets the function look up the queue's URL; the id is the same.
    solve.function.addEventSourceMapping(`SqsEventSource:${Names.nodeUniqueId(queue.node)}`, {
      eventSourceArn: queue.queueArn,
      batchSize: BATCH_SIZE,
      maxConcurrency,
      reportBatchItemFailures: true,
    });
    queue.grant(solve.role, ...CONSUMER_ACTIONS);
    grantQueueKey(queue, solve.role);
    instance.buckets.grant(solve.role, 'solve-batch').assertSuccess();
    large.grantStart(solve.role);
    return solve;
  }

  /**
   * Lets a principal upload files under the two prefixes of uploads, and use the key of the bucket. It may neither read
   * nor delete uploads.
   *
   * @example
   * puzzles.grantUpload(uploader).assertSuccess();
   */
  grantUpload(grantee: IGrantable): Grant {
    return this.#buckets.grant(grantee, 'uploaders');
  }

  /**
   * Lets a principal read results, rejects, statuses and reports, and use the key of the bucket. It may also list the
   * whole results bucket, because otherwise a result that does not exist yet is answered as forbidden.
   *
   * @example
   * puzzles.grantRead(reader).assertSuccess();
   */
  grantRead(grantee: IGrantable): Grant {
    return this.#buckets.grant(grantee, 'readers');
  }

  /** A note if the concurrency that fits the account is below the settings, and warnings about memory. */
  #tellLimits(settings: LimitSettings, { files, shards }: SharedConcurrency): void {
    if (files < settings.maxConcurrency || shards < settings.shardConcurrency) {
      Annotations.of(this).addInfoV2(
        'dlx-batch:accountConcurrency',
        `accountConcurrency is ${settings.accountConcurrency}, so ${files} files and ${shards} shards of a large ` +
          `file are solved concurrently (maxConcurrency is ${settings.maxConcurrency}, shardConcurrency ` +
          `is ${settings.shardConcurrency})`,
      );
    }
    for (const name of ['memoryMb', 'shardMemoryMb'] as const) {
      if (settings[name] <= NEW_ACCOUNT_MEMORY_MB) continue;
      Validations.of(this).addWarning(
        `dlx-batch:${name}`,
        `${name} is ${settings[name]}: in new accounts, functions over 3,008 MiB are refused until AWS raises the quota`,
      );
    }
  }
}

/** The limits that the operator sets, by their names in the functions; the budget of a puzzle changes that of a file. */
function jobLimitTexts(settings: LimitSettings): Readonly<Record<string, string>> {
  const values = {
    'max-unpacked-mb': settings.maxUnpackedMb,
    'max-written': settings.maxWritten,
    'max-output-mb': settings.maxOutputMb,
    'max-job-nodes': settings.maxJobNodes,
    'max-nodes': settings.defaultOptions['max-nodes'],
  } satisfies Record<JobLimitName | 'max-nodes', unknown>;
  const texts = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(texts.map(([name, value]) => [name, String(value)]));
}
