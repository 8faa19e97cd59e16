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

/** What accounts have unless they ask for more, or are new. */
const DEFAULT_ACCOUNT_CONCURRENCY = 1000;

/** A tenth of an account's functions: room for the queue's own, for other large files and for whatever else runs. */
const DEFAULT_SHARD_CONCURRENCY = 100;

/** MiB that a function of a new account may have. */
const NEW_ACCOUNT_MEMORY_MB = 3008;

/** Every night, when most have gone to bed. */
const DEFAULT_SCHEDULE = 'cron(0 2 * * ? *)';

/** A day, and two hours for a night that is long. */
const DEFAULT_RUN_OVERDUE_HOURS = 26;

/** `cdk deploy` prints the values of outputs, and not their descriptions. */
const FIRST_UPLOADS =
  'Uploads in the first five minutes after the first deployment may get no event, as EventBridge takes that long to deliver the events of a new bucket. dlx-batch resend KEY sends such an upload to the queue; otherwise the next bulk run (nightly by default) solves it.';

export interface DlxBatchStackProps extends StackProps {
  /**
   * Memory of the function in MiB, 128 to 10,240; 1,769 is one whole vCPU.
   * @default 1769
   */
  readonly memoryMb?: number;

  /**
   * Seconds that the function may take for one file, 60 to 900.
   * @default 900
   */
  readonly timeoutSeconds?: number;

  /**
   * Functions that the account may run at one time, 10 to 100,000: its Lambda quota "Concurrent executions", less what
   * other stacks need. New accounts often have 10. `maxConcurrency` and `shardConcurrency` are lowered to fit.
   * @default 1000
   */
  readonly accountConcurrency?: number;

  /**
   * Most files solved at one time, 2 to 1,000; at most half of `accountConcurrency`.
   * @default 10
   */
  readonly maxConcurrency?: number;

  /**
   * Memory in MiB of the function that solves a shard of a large file, 128 to 10,240. What a puzzle costs is the same
   * from one vCPU up, as the price grows with the memory too; more of them end a shard sooner.
   * @default 1769
   */
  readonly shardMemoryMb?: number;

  /**
   * Most shards of one large file solved at one time, 1 to 10,000; at most what `maxConcurrency` leaves of
   * `accountConcurrency`. Several large files at one time share that, and their shards wait for free functions.
   * @default 100
   */
  readonly shardConcurrency?: number;

  /**
   * When bulk runs start: `cron(...)`, `rate(...)` or `at(...)`, as EventBridge Scheduler has them.
   * @default cron(0 2 * * ? *) - every night at two
   */
  readonly schedule?: string;

  /**
   * Time zone of `cron` and `at`, by its name in the IANA database.
   * @default UTC
   */
  readonly scheduleTimeZone?: string;

  /**
   * Minutes after its time within which a run may start, 0 to 1,440.
   * @default 0
   */
  readonly scheduleFlexibleMinutes?: number;

  /**
   * Whether the schedule fires; `dlx-batch run` works in any case.
   * @default true
   */
  readonly scheduleEnabled?: boolean;

  /**
   * Minutes for which a bulk run leaves an upload under `inbox/` to its event, 0 to 10,080.
   * @default 120
   */
  readonly graceMinutes?: number;

  /**
   * Hours without a completed bulk run after which an alarm goes off, 2 to 168; more than lies between two runs.
   * @default 26
   */
  readonly runOverdueHours?: number;

  /**
   * Options of every job, where its upload does not ask for others: texts by name, `{ engine: 'dlx' }`.
   * @default - the program's own defaults
   */
  readonly defaultOptions?: Readonly<Record<string, string>>;

  /**
   * Days for which a replaced or deleted object of the results bucket can still be had back.
   * @default 30
   */
  readonly noncurrentVersionDays?: number;

  /**
   * How long the function's log is kept.
   * @default RetentionDays.ONE_MONTH
   */
  readonly logRetentionDays?: RetentionDays;

  /**
   * ARN of an SNS topic of yours that hears of every alarm.
   * @default - alarms are only seen in CloudWatch
   */
  readonly alarmTopicArn?: string;
}

/**
 * Puzzle files in, result sets out.
 *
 *     input bucket --EventBridge, inbox/--> queue --> function --> results bucket (which triggers nothing)
 *                                                        |               ^
 *                                                        +--> SolveLarge-+   files that outgrow one function
 *     schedule --> sweep-inbox --> BulkRun --> the same queue
 *
 * The ids of the outputs are a contract: the command-line tool finds a stack's parts by them.
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
    this.warnOfMemory({ memoryMb, shardMemoryMb });

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
      // One run alone is overdue for ever after.
      runOverdueHours:
        enabled && !expression.startsWith('at(')
          ? (props.runOverdueHours ?? DEFAULT_RUN_OVERDUE_HOURS)
          : undefined,
      action: this.alarmAction(props.alarmTopicArn),
    });

    // Of the stack alone they would be left out of the template, and of what is deployed by other tools than `cdk`.
    for (const [name, value] of Object.entries(props.tags ?? {})) Tags.of(this).add(name, value);

    this.output('InputBucketName', buckets.input.bucketName, 'Upload puzzle files here, under inbox/');
    this.output('FirstUploads', FIRST_UPLOADS, 'What to know in the first five minutes');
    this.output('ResultsBucketName', buckets.results.bucketName, 'Result sets appear here, under results/');
    this.output('QueueUrl', uploads.queue.queueUrl, 'Uploads that wait to be solved');
    this.output('DeadLetterQueueUrl', uploads.deadLetters.queueUrl, 'Uploads that failed in every try');
    this.output(
      'UndeliveredEventsQueueUrl',
      uploads.undeliveredEvents.queueUrl,
      'Events that never reached the queue',
    );
    this.output('SolveLargeArn', large.machine.stateMachineArn, 'The state machine for large files');
    this.output('BulkRunArn', bulkRun.machine.stateMachineArn, 'The state machine for bulk runs');
    this.output('SolveFunctionName', solve.function.functionName, 'The function that solves');
    this.output('SolveLogGroupName', solve.logGroup.logGroupName, 'Its log');
  }

  /** What fits in the account; reports it if that is less than the settings. */
  private concurrency(settings: ConcurrencySettings): ReturnType<typeof shareConcurrency> {
    const { files, shards } = shareConcurrency(settings);
    if (files < settings.maxConcurrency || shards < settings.shardConcurrency) {
      Annotations.of(this).addInfoV2(
        'dlx-batch:accountConcurrency',
        `dlx:accountConcurrency is ${settings.accountConcurrency}: ${files} files are solved at one time, and ` +
          `${shards} shards of a large file (dlx:maxConcurrency is ${settings.maxConcurrency}, ` +
          `dlx:shardConcurrency ${settings.shardConcurrency})`,
      );
    }
    return { files, shards };
  }

  private warnOfMemory(settings: Readonly<Record<'memoryMb' | 'shardMemoryMb', number>>): void {
    for (const [name, memoryMb] of Object.entries(settings)) {
      if (memoryMb <= NEW_ACCOUNT_MEMORY_MB) continue;
      Validations.of(this).addWarning(
        `dlx-batch:${name}`,
        `dlx:${name} is ${memoryMb}: new accounts refuse functions of more than 3,008 MiB until AWS raises their quota`,
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
