import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  type Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { DEADLINE_RESERVE_MS, TOLERATED_OUTAGE_SECONDS } from '../batch/limits.ts';
import { METRICS } from '../batch/names.ts';
import type { BatchFunction } from './batch-function.ts';
import { emailTopic } from './email-topic.ts';
import { jobMetric } from './job-metrics.ts';
import type { RunSchedule } from './run-schedule.ts';
import type { UploadQueue } from './upload-queue.ts';

const PERIOD = Duration.minutes(5);

/** Files are rejected one at a time for reasons of their own; the alarm is for a cause that many share. */
const REJECTS_PERIOD = Duration.hours(1);
const MIN_REJECTS = 3;
const MAX_REJECTS_PERCENT = 10;

/** Periods with a throttle before an alarm: a retry a few seconds later has no other effect. */
const THROTTLED_PERIODS = 3;

/** Functions stop on their own with `DEADLINE_RESERVE_MS` left; with half of it used, they are close to a timeout. */
const MIN_LEFT_MS = DEADLINE_RESERVE_MS / 2;

/** The runbook, with one entry for each alarm. It is in the package, as the project has no address on the web. */
const RUNBOOK = 'docs/runbook.md';

export interface AlarmsProps {
  /** Value of the dimension of metrics that separates instances. */
  readonly metricsName: string;
  readonly uploads: UploadQueue;
  /** All functions. */
  readonly functions: readonly BatchFunction[];
  readonly large: IStateMachine;
  readonly bulkRun: IStateMachine;
  readonly schedule: RunSchedule;
  /** Hours without a completed bulk run after which an alarm is raised; undefined if no run is expected. */
  readonly runOverdueHours?: number;
  /** Events that could not be sent to the topic of e-mails; undefined if there is none. */
  readonly undeliveredEmails?: IQueue;
  /**
   * Notified of every alarm, as the addresses are.
   * @default - without both, alarms are visible in CloudWatch only
   */
  readonly topic?: ITopic;
  readonly emails?: readonly string[];
  /** Of the topic of the addresses. @default - keys of AWS */
  readonly encryptionKey?: IKey;
}

/**
 * One alarm for each cause that leaves an upload unsolved, or will.
 *
 * The id of an alarm is that of its entry in `docs/runbook.md`; alarms of functions share an entry, and the name of the
 * function follows: `FunctionErrors-solve-batch`.
 */
export class Alarms extends Construct {
  readonly #all: Alarm[] = [];
  /** Of the addresses; undefined without any. */
  readonly emailTopic: ITopic | undefined;
  /** All topics that every alarm notifies. */
  readonly topics: readonly ITopic[];

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    if (props.emails !== undefined && props.emails.length > 0)
      this.emailTopic = this.createEmailTopic(props, props.emails);
    this.topics = [props.topic, this.emailTopic].filter((topic) => topic !== undefined);
    const { metricsName, uploads, large, bulkRun, schedule, runOverdueHours } = props;

    this.alarmOnAny('DeadLetters', {
      metric: queueLength(uploads.deadLetters),
      alarmDescription:
        'Every attempt to solve a file failed. Read the log and the status/ objects, fix the cause, then start a redrive of this dead-letter queue.',
    });
    this.alarmOnAny('ThirdFailures', {
      metric: jobMetric(METRICS.thirdFailures, metricsName, { statistic: Stats.SUM, period: PERIOD }),
      alarmDescription: `A file failed for the third time. It is retried for at least ${TOLERATED_OUTAGE_SECONDS / 3600} hours after its first attempt, then moved to the dead-letter queue. The log has the error of each attempt.`,
    });
    this.alarmOnAny('EventsNotSent', {
      metric: jobMetric(METRICS.eventsNotSent, metricsName, { statistic: Stats.SUM, period: PERIOD }),
      alarmDescription:
        'The event bus did not accept an event about an outcome. The results are stored, and the event is sent again with each retry of its message or step. The log has the error.',
    });
    this.alarmOnAny('UndeliveredEvents', {
      metric: queueLength(uploads.undeliveredEvents),
      alarmDescription:
        'EventBridge could not send events to the upload queue, so their files are not solved. Check the policy of that queue. Each message here names its object: upload it again, or run dlx-batch resend KEY.',
    });
    if (props.undeliveredEmails !== undefined) {
      this.alarmOnAny('UndeliveredEmails', {
        metric: queueLength(props.undeliveredEmails),
        alarmDescription:
          'EventBridge could not send events about outcomes to the topic of eventEmails, so no address got an e-mail about them. Check the policies of that topic and of its key.',
      });
    }
    for (const each of props.functions) this.watchFunction(each);
    this.alarm('JobsRejected', {
      metric: rejectedPercent(metricsName),
      threshold: MAX_REJECTS_PERCENT,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      alarmDescription: `Of the files that finished in an hour, ${MIN_REJECTS} or more and over ${MAX_REJECTS_PERCENT} % were rejected as a whole. The objects under rejects/ in the results bucket name the reason and the line.`,
    });
    this.alarmOnAny('LargeJobsFailed', {
      metric: large.metricFailed({ period: PERIOD, statistic: Stats.SUM }),
      alarmDescription:
        'A large file failed: every attempt of a shard failed. The status/ object names the shard. Fix the cause, then redrive the execution, which continues from that shard.',
    });
    this.alarmOnAny('LargeJobsTimedOut', {
      metric: large.metricTimedOut({ period: PERIOD, statistic: Stats.SUM }),
      alarmDescription:
        'A large file exceeded the timeout of the state machine. Raise shardConcurrency, then redrive the execution, which continues where it stopped.',
    });
    this.alarmOnAny('LargeJobsAborted', {
      metric: large.metricAborted({ period: PERIOD, statistic: Stats.SUM }),
      alarmDescription:
        'The execution of a large file was stopped, so the file has no result. Redrive the execution, which continues where it stopped.',
    });
    this.alarmOnAny('UndeliveredSchedules', {
      metric: queueLength(schedule.undeliveredEvents),
      alarmDescription:
        'The scheduler could not invoke the function that starts bulk runs. Check its role and that function; dlx-batch run starts a run manually.',
    });
    this.alarmOnAny('RunsNotStarted', {
      metric: queueLength(schedule.failures),
      alarmDescription:
        'Every attempt of the function that starts bulk runs failed. Its log has the cause; dlx-batch run starts a run manually.',
    });
    for (const [id, metric] of [
      ['BulkRunsFailed', bulkRun.metricFailed({ period: PERIOD, statistic: Stats.SUM })],
      ['BulkRunsTimedOut', bulkRun.metricTimedOut({ period: PERIOD, statistic: Stats.SUM })],
      ['BulkRunsAborted', bulkRun.metricAborted({ period: PERIOD, statistic: Stats.SUM })],
    ] as const) {
      this.alarmOnAny(id, {
        metric,
        alarmDescription:
          'A bulk run did not finish. The history of its execution has the cause. Redrive the execution, which continues where it stopped.',
      });
    }
    if (runOverdueHours !== undefined) {
      this.alarm('RunOverdue', {
        metric: completedRuns(bulkRun, uploads.queue),
        threshold: 1,
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        evaluationPeriods: runOverdueHours,
        alarmDescription: `No bulk run finished in ${runOverdueHours} hours. Check the schedule and the executions of BulkRun. dlx-batch run starts a run manually; the alarm ends when a run finishes.`,
      });
    }
    this.alarm('OldestMessage', {
      metric: uploads.queue.metricApproximateAgeOfOldestMessage({ period: PERIOD, statistic: Stats.MAXIMUM }),
      // The message failed, its function crashed, or it waited that long for its first attempt. SQS omits messages that
      // were received three times or more: those have the alarm ThirdFailures.
      threshold: uploads.visibilityTimeout.toSeconds(),
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      alarmDescription:
        'An upload has waited longer than the visibility timeout: its function crashed, or uploads arrive faster than maxConcurrency allows.',
    });
  }

  private createEmailTopic({ encryptionKey }: AlarmsProps, emails: readonly string[]): ITopic {
    const publisher = 'cloudwatch.amazonaws.com';
    const topic = emailTopic(this, { setting: 'alarmEmails', emails, publisher, encryptionKey });
    const sourceArn = Stack.of(this).formatArn({
      service: 'cloudwatch',
      resource: 'alarm',
      resourceName: '*',
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal(publisher)],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { ArnLike: { 'aws:SourceArn': sourceArn } },
      }),
    );
    return topic;
  }

  /** All alarms; the id of each is its cause. */
  get all(): readonly Alarm[] {
    return this.#all;
  }

  /**
   * Alarms of one function. Not one expression over all functions: an alarm then would not name the function, and costs
   * as much, as each metric in it is paid.
   */
  private watchFunction({ name, function: lambda, timeout, isReserved }: BatchFunction): void {
    this.alarmOnAny(`FunctionErrors-${name}`, {
      metric: lambda.metricErrors({ period: PERIOD, statistic: Stats.SUM }),
      alarmDescription: `The function ${name} failed, crashed, ran out of memory or timed out. Its caller tries again. The log has the cause.`,
    });
    if (!isReserved) {
      this.alarm(`FunctionThrottles-${name}`, {
        metric: lambda.metricThrottles({ period: PERIOD, statistic: Stats.SUM }),
        threshold: 1,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: THROTTLED_PERIODS,
        alarmDescription: `Lambda has refused invocations of the function ${name} for ${THROTTLED_PERIODS * PERIOD.toMinutes()} minutes: the account's concurrent executions are in use. Files wait. Compare dlx:accountConcurrency with the quota of the account.`,
      });
    }
    this.alarm(`FunctionDurations-${name}`, {
      metric: lambda.metricDuration({ period: PERIOD, statistic: Stats.MAXIMUM }),
      threshold: timeout.toMilliseconds() - MIN_LEFT_MS,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      alarmDescription: `An invocation of the function ${name} ended less than ${MIN_LEFT_MS / 1000} s before its timeout of ${timeout.toSeconds()} s. A slower one is killed and repeated from the start.`,
    });
  }

  /** An alarm that is raised when the metric is 1 or more. */
  private alarmOnAny(id: string, props: { metric: IMetric; alarmDescription: string }): void {
    this.alarm(id, {
      ...props,
      threshold: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
    });
  }

  private alarm(id: string, props: AlarmProps & { readonly alarmDescription: string }): void {
    const alarm = new Alarm(this, id, {
      // Missing data is normal: idle queues and functions that are not invoked report nothing.
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...props,
      alarmDescription: `${props.alarmDescription} Runbook in the package dlx-batch: ${RUNBOOK}#${id.split('-')[0]!.toLowerCase()}`,
    });
    alarm.addAlarmAction(...this.topics.map((topic) => new SnsAction(topic)));
    this.#all.push(alarm);
  }
}

/**
 * The percentage of files rejected in an hour, of those committed or rejected; 0 with fewer than `MIN_REJECTS`.
 *
 * Each job writes 1 or 0 into the metric, so its average is the rate. Both statistics of one metric have data at the same
 * times, so no missing data has to be filled.
 */
function rejectedPercent(metricsName: string): MathExpression {
  return new MathExpression({
    label: 'Rejected files, percent',
    expression: `IF(rejected >= ${MIN_REJECTS}, 100 * share, 0)`,
    usingMetrics: {
      rejected: jobMetric(METRICS.jobsRejected, metricsName, { statistic: Stats.SUM }),
      share: jobMetric(METRICS.jobsRejected, metricsName, { statistic: Stats.AVERAGE }),
    },
    period: REJECTS_PERIOD,
  });
}

/**
 * Completed runs in each hour since the stack was deployed: 0 for an hour without a run, no data before.
 *
 * Step Functions reports nothing for an hour without a run, nor for the hours before the first deployment. If missing
 * data were treated as breaching, the alarm would be raised by the deployment, a day before the first run is due; as
 * not breaching, it would never be raised. So an hour counts if the queue of the stack has metrics: SQS reports them
 * while the queue is polled, and the event source mapping polls it from its creation on. Data points of 0 fill all
 * evaluation periods only after that many hours.
 *
 * If a schedule is enabled in an old stack, the alarm is raised at once, and ends with the first run.
 */
function completedRuns(bulkRun: IStateMachine, polled: IQueue): MathExpression {
  const period = Duration.hours(1);
  return new MathExpression({
    label: 'Completed bulk runs',
    // IF drops the hours for which the condition has no data.
    expression: 'IF(polled, FILL(runs, 0))',
    usingMetrics: {
      // The number of samples is never 0; the number of messages usually is.
      polled: polled.metricApproximateNumberOfMessagesVisible({ period, statistic: Stats.SAMPLE_COUNT }),
      runs: bulkRun.metricSucceeded({ period, statistic: Stats.SUM }),
    },
    period,
  });
}

/** The number of visible messages in a queue. */
function queueLength(queue: IQueue): Metric {
  return queue.metricApproximateNumberOfMessagesVisible({ period: PERIOD, statistic: Stats.MAXIMUM });
}
