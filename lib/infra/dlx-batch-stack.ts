import { Annotations, CfnOutput, Duration, Stack, type StackProps, Tags, Validations } from 'aws-cdk-lib';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { DEFAULT_GRACE_MINUTES, DEFAULT_MEMORY_MB, DEFAULT_TIMEOUT_SECONDS } from '../batch/limits.ts';
import { type ConcurrencySettings, shareConcurrency } from './account-concurrency.ts';
import { Alarms } from './alarms.ts';
import { PuzzleBuckets } from './puzzle-buckets.ts';
import { RunSchedule } from './run-schedule.ts';
import { SolveFunction } from './solve-function.ts';
import { BulkRunMachine } from './state-machines/bulk-run.ts';
import { SolveLarge } from './state-machines/solve-large.ts';
import { UploadQueue } from './upload-queue.ts';

/** The default Lambda quota; new accounts often have less. */
const DEFAULT_ACCOUNT_CONCURRENCY = 1000;

/** A tenth of the default quota: the rest is for uploads, other large files and other stacks. */
const DEFAULT_SHARD_CONCURRENCY = 100;

/** Maximum MiB of a function in a new account. */
const NEW_ACCOUNT_MEMORY_MB = 3008;

const DEFAULT_SCHEDULE = 'cron(0 2 * * ? *)';

/** A day, and two hours for a long run. */
const DEFAULT_RUN_OVERDUE_HOURS = 26;

/** An output's value: `cdk deploy` prints values, not descriptions. */
const FIRST_UPLOADS =
  'EventBridge may deliver no events for uploads in the first five minutes after the first deployment. dlx-batch resend KEY sends such an upload to the queue; otherwise the next bulk run (nightly by default) solves it.';

export interface DlxBatchStackProps extends StackProps {
  /**
   * Memory of the function in MiB, 128 to 10,240; 1,769 is one vCPU.
   * @default 1769
   */
  readonly memoryMb?: number;

  /**
   * Timeout of the function for one file, in seconds, 60 to 900.
   * @default 900
   */
  readonly timeoutSeconds?: number;

  /**
   * Concurrent executions available to this stack, 10 to 100,000: the account's Lambda quota "Concurrent executions"
   * minus the need of other stacks. New accounts often have 10. `maxConcurrency` and `shardConcurrency` are lowered to fit.
   * @default 1000
   */
  readonly accountConcurrency?: number;

  /**
   * Maximum number of files solved concurrently, 2 to 1,000; at most half of `accountConcurrency`.
   * @default 10
   */
  readonly maxConcurrency?: number;

  /**
   * Memory in MiB of the function that solves a shard of a large file, 128 to 10,240. From one vCPU up, the cost of a
   * puzzle stays the same, as price and speed both grow with memory; more vCPUs only finish a shard sooner.
   * @default 1769
   */
  readonly shardMemoryMb?: number;

  /**
   * Maximum number of shards of one large file solved concurrently, 1 to 10,000; at most what `maxConcurrency` leaves
   * of `accountConcurrency`. Several large files share that; their shards wait for free executions.
   * @default 100
   */
  readonly shardConcurrency?: number;

  /**
   * When bulk runs start: `cron(...)`, `rate(...)` or `at(...)` of EventBridge Scheduler.
   * @default cron(0 2 * * ? *) - every night at two
   */
  readonly schedule?: string;

  /**
   * Time zone of `cron` and `at`, an IANA name.
   * @default UTC
   */
  readonly scheduleTimeZone?: string;

  /**
   * Start window of a run after its scheduled time, in minutes, 0 to 1,440.
   * @default 0
   */
  readonly scheduleFlexibleMinutes?: number;

  /**
   * Whether the schedule is enabled; `dlx-batch run` works either way.
   * @default true
   */
  readonly scheduleEnabled?: boolean;

  /**
   * Bulk runs skip uploads under `inbox/` newer than this, in minutes, 0 to 10,080.
   * @default 120
   */
  readonly graceMinutes?: number;

  /**
   * Hours without a completed bulk run after which an alarm is raised, 2 to 168; longer than the interval between runs.
   * @default 26
   */
  readonly runOverdueHours?: number;

  /**
   * Options of every job unless its upload sets others: texts by name, `{ engine: 'dlx' }`.
   * @default - the program's own defaults
   */
  readonly defaultOptions?: Readonly<Record<string, string>>;

  /**
   * Days for which replaced or deleted objects of the results bucket can be restored.
   * @default 30
   */
  readonly noncurrentVersionDays?: number;

  /**
   * Retention of all logs.
   * @default RetentionDays.ONE_MONTH
   */
  readonly logRetentionDays?: RetentionDays;

  /**
   * ARN of an SNS topic notified of every alarm.
   * @default - alarms are visible in CloudWatch only
   */
  readonly alarmTopicArn?: string;
}

/**
 * Puzzle files in, result sets out.
 *
 *     input bucket --EventBridge, inbox/--> queue --> function --> results bucket (which triggers nothing)
 *                                                        |               ^
 *                                                        +--> SolveLarge-+   files too large for one function
 *     schedule --> sweep-inbox --> BulkRun --> the same queue
 *
 * The ids of the outputs are a contract: the command-line tool finds the stack's resources by them.
 */
export class DlxBatchStack extends Stack {
  constructor(scope: Construct, id: string, props: DlxBatchStackProps = {}) {
    super(scope, id, {
      description: 'dlx-batch: puzzle files in an S3 bucket come back solved, with timing stats',
      ...props,
    });
    const timeout = Duration.seconds(props.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS);

    const { files, shards } = this.concurrency({
      accountConcurrency: props.accountConcurrency ?? DEFAULT_ACCOUNT_CONCURRENCY,
      maxConcurrency: props.maxConcurrency ?? 10,
      shardConcurrency: props.shardConcurrency ?? DEFAULT_SHARD_CONCURRENCY,
    });
    const { memoryMb = DEFAULT_MEMORY_MB, shardMemoryMb = DEFAULT_MEMORY_MB } = props;
    this.warnAboutMemory({ memoryMb, shardMemoryMb });

    const buckets = new PuzzleBuckets(this, 'Buckets', {
      noncurrentVersionDays: props.noncurrentVersionDays ?? 30,
    });
    const uploads = new UploadQueue(this, 'Uploads', {
      inputBucket: buckets.input,
      functionTimeout: timeout,
    });
    const settings = { timeout, logRetention: props.logRetentionDays ?? RetentionDays.ONE_MONTH };
    const large = new SolveLarge(this, 'SolveLarge', {
      ...settings,
      buckets,
      queue: uploads.queue,
      undeliveredEvents: uploads.undeliveredEvents,
      shardMemoryMb,
      shardConcurrency: shards,
    });
    const solve = new SolveFunction(this, 'SolveBatch', {
      ...settings,
      buckets,
      queue: uploads.queue,
      large,
      memoryMb,
      maxConcurrency: files,
      defaultOptions: props.defaultOptions ?? {},
    });
    const bulkRun = new BulkRunMachine(this, 'BulkRun', {
      ...settings,
      buckets,
      queue: uploads.queue,
      graceMinutes: props.graceMinutes ?? DEFAULT_GRACE_MINUTES,
    });
    const expression = props.schedule ?? DEFAULT_SCHEDULE;
    const enabled = props.scheduleEnabled ?? true;
    const schedule = new RunSchedule(this, 'Schedule', {
      ...settings,
      machine: bulkRun.machine,
      expression,
      timeZone: props.scheduleTimeZone ?? 'UTC',
      flexibleMinutes: props.scheduleFlexibleMinutes ?? 0,
      enabled,
    });
    new Alarms(this, 'Alarms', {
      uploads,
      solve: solve.function,
      large: large.machine,
      bulkRun: bulkRun.machine,
      schedule,
      // A schedule that fires once would be overdue forever.
      runOverdueHours:
        enabled && !expression.startsWith('at(')
          ? (props.runOverdueHours ?? DEFAULT_RUN_OVERDUE_HOURS)
          : undefined,
      action: this.alarmAction(props.alarmTopicArn),
    });

    // Tags of the stack alone are not in the template, so deployments by tools other than `cdk` would lack them.
    for (const [name, value] of Object.entries(props.tags ?? {})) Tags.of(this).add(name, value);

    this.output('InputBucketName', buckets.input.bucketName, 'Upload puzzle files here, under inbox/');
    this.output('FirstUploads', FIRST_UPLOADS, 'Note about the first five minutes');
    this.output('ResultsBucketName', buckets.results.bucketName, 'Result sets appear here, under results/');
    this.output('QueueUrl', uploads.queue.queueUrl, 'Uploads waiting to be solved');
    this.output('DeadLetterQueueUrl', uploads.deadLetters.queueUrl, 'Uploads that failed every try');
    this.output(
      'UndeliveredEventsQueueUrl',
      uploads.undeliveredEvents.queueUrl,
      'Events that EventBridge could not deliver to the queue',
    );
    this.output('SolveLargeArn', large.machine.stateMachineArn, 'The state machine for large files');
    this.output('BulkRunArn', bulkRun.machine.stateMachineArn, 'The state machine for bulk runs');
    this.output('SolveFunctionName', solve.function.functionName, 'The function that solves');
    this.output('SolveLogGroupName', solve.logGroup.logGroupName, 'The log of the function that solves');
  }

  /** The concurrency that fits the account, with a note if it is below the settings. */
  private concurrency(settings: ConcurrencySettings): ReturnType<typeof shareConcurrency> {
    const { files, shards } = shareConcurrency(settings);
    if (files < settings.maxConcurrency || shards < settings.shardConcurrency) {
      Annotations.of(this).addInfoV2(
        'dlx-batch:accountConcurrency',
        `dlx:accountConcurrency is ${settings.accountConcurrency}, so ${files} files and ${shards} shards of a large ` +
          `file are solved concurrently (dlx:maxConcurrency is ${settings.maxConcurrency}, dlx:shardConcurrency ` +
          `is ${settings.shardConcurrency})`,
      );
    }
    return { files, shards };
  }

  private warnAboutMemory(settings: Readonly<Record<'memoryMb' | 'shardMemoryMb', number>>): void {
    for (const [name, memoryMb] of Object.entries(settings)) {
      if (memoryMb <= NEW_ACCOUNT_MEMORY_MB) continue;
      Validations.of(this).addWarning(
        `dlx-batch:${name}`,
        `dlx:${name} is ${memoryMb}: in new accounts, functions over 3,008 MiB are refused until AWS raises the quota`,
      );
    }
  }

  private alarmAction(topicArn: string | undefined): SnsAction | undefined {
    return topicArn === undefined
      ? undefined
      : new SnsAction(Topic.fromTopicArn(this, 'AlarmTopic', topicArn));
  }

  private output(id: string, value: string, description: string): void {
    new CfnOutput(this, id, { value, description });
  }
}
