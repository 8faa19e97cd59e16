import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type IAlarmAction,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { TOLERATED_OUTAGE_SECONDS } from '../batch/limits.ts';
import { METRIC_NAMESPACE, METRIC_STACK_DIMENSION, METRICS, SERVICE_NAME } from '../batch/names.ts';
import type { RunSchedule } from './run-schedule.ts';
import type { UploadQueue } from './upload-queue.ts';

const PERIOD = Duration.minutes(5);

export interface AlarmsProps {
  /** Value of the dimension of metrics that separates instances. */
  readonly metricsName: string;
  readonly uploads: UploadQueue;
  readonly solve: IFunction;
  readonly large: IStateMachine;
  readonly bulkRun: IStateMachine;
  readonly schedule: RunSchedule;
  /** Hours without a completed bulk run after which an alarm is raised; undefined if no run is expected. */
  readonly runOverdueHours?: number;
  /**
   * Action of every alarm.
   * @default - none: alarms are visible in CloudWatch only
   */
  readonly action?: IAlarmAction;
}

/** One alarm for each cause that leaves an upload unsolved. */
export class Alarms extends Construct {
  readonly #all: Alarm[] = [];
  private readonly action?: IAlarmAction;

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.action = props.action;
    const { metricsName, uploads, solve, large, bulkRun, schedule, runOverdueHours } = props;

    this.alarmOnAny('DeadLetters', {
      metric: queueLength(uploads.deadLetters),
      alarmDescription:
        'Every try to solve a file failed. Read the log and the status/ objects, fix the cause, then start a redrive of this dead-letter queue.',
    });
    this.alarmOnAny('ThirdFailures', {
      metric: solverMetric(METRICS.thirdFailures, metricsName),
      alarmDescription: `A file failed for the third time. It is retried for at least ${TOLERATED_OUTAGE_SECONDS / 3600} hours after its first try, then moved to the dead-letter queue. The log has the error of each try.`,
    });
    this.alarmOnAny('UndeliveredEvents', {
      metric: queueLength(uploads.undeliveredEvents),
      alarmDescription:
        'EventBridge could not send events to the upload queue, so their files are not solved. Check the policy of that queue. Each message here names its object: upload it again, or run dlx-batch resend KEY.',
    });
    this.alarmOnAny('FunctionErrors', {
      metric: solve.metricErrors({ period: PERIOD, statistic: Stats.SUM }),
      alarmDescription:
        'The function crashed, ran out of memory or timed out. Its messages are retried when their visibility timeout ends. The log has the cause.',
    });
    this.alarmOnAny('JobsRejected', {
      metric: solverMetric(METRICS.jobsRejected, metricsName),
      alarmDescription:
        'Files were rejected as a whole. The objects under rejects/ in the results bucket name the reason and the line.',
    });
    this.alarmOnAny('CeilingsReached', {
      metric: solverMetric(METRICS.ceilingsReached, metricsName),
      alarmDescription:
        'Uploads were rejected because they would exceed a ceiling of the day (maxDayDollars, maxDayMb, maxFolderDollars, maxFolderMb). The objects under rejects/ name it and what is used; usage/ has the jobs of each day. Find out who uploads so much. Raise the ceiling or wait until midnight in UTC, then run dlx-batch redrive --rejected --code ceiling_reached.',
    });
    this.alarmOnAny('LargeJobsFailed', {
      metric: large.metricFailed({ period: PERIOD, statistic: Stats.SUM }),
      alarmDescription:
        'A large file failed: every try of a shard failed. The status/ object names the shard. Fix the cause, then redrive the execution, which continues from that shard.',
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
        'Every try of the function that starts bulk runs failed. Its log has the cause; dlx-batch run starts a run manually.',
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
      // The message failed, its function crashed, or it waited that long for its first try. SQS omits messages that
      // were received three times or more: those have the alarm ThirdFailures.
      threshold: uploads.visibilityTimeout.toSeconds(),
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      alarmDescription:
        'An upload has waited longer than the visibility timeout: its function crashed, or uploads arrive faster than maxConcurrency allows.',
    });
  }

  /** All alarms; the id of each is its cause. */
  get all(): readonly Alarm[] {
    return this.#all;
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

  private alarm(id: string, props: AlarmProps): void {
    // Missing data is normal: idle queues and functions that are not invoked report nothing.
    const alarm = new Alarm(this, id, { treatMissingData: TreatMissingData.NOT_BREACHING, ...props });
    if (this.action !== undefined) alarm.addAlarmAction(this.action);
    this.#all.push(alarm);
  }
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

/** A metric that the functions write themselves; Powertools adds the dimension `service` to each. */
function solverMetric(metricName: string, metricsName: string): Metric {
  return new Metric({
    namespace: METRIC_NAMESPACE,
    metricName,
    dimensionsMap: { service: SERVICE_NAME, [METRIC_STACK_DIMENSION]: metricsName },
    statistic: Stats.SUM,
    period: PERIOD,
  });
}
