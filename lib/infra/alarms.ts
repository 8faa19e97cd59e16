import { Duration, Stack } from 'aws-cdk-lib';
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
  readonly uploads: UploadQueue;
  readonly solve: IFunction;
  readonly large: IStateMachine;
  readonly bulkRun: IStateMachine;
  readonly schedule: RunSchedule;
  /** Hours without a completed bulk run that are too many; left out where none is expected. */
  readonly runOverdueHours?: number;
  /**
   * What else happens when an alarm goes off.
   * @default - nothing: the alarm is only seen in CloudWatch
   */
  readonly action?: IAlarmAction;
}

/** One alarm for each way in which an upload does not come back solved. */
export class Alarms extends Construct {
  private readonly action?: IAlarmAction;

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.action = props.action;
    const { uploads, solve, large, bulkRun, schedule, runOverdueHours } = props;

    this.whenAny('DeadLetters', {
      metric: queueLength(uploads.deadLetters),
      alarmDescription:
        'Files could not be solved, in every try. Read the log and the status/ objects, mend the cause, then start the redrive of this dead-letter queue.',
    });
    this.whenAny('ThirdFailures', {
      metric: solverMetric(METRICS.thirdFailures, Stack.of(this).stackName),
      alarmDescription: `A file failed for the third time. It is tried again for at least ${TOLERATED_OUTAGE_SECONDS / 3600} hours after its first try, then it goes to the dead-letter queue; the log says why each try failed.`,
    });
    this.whenAny('UndeliveredEvents', {
      metric: queueLength(uploads.undeliveredEvents),
      alarmDescription:
        'EventBridge could not put events into the queue: their files wait unsolved. Look at the policy of the queue; each message here names its object, which can be uploaded again.',
    });
    this.whenAny('FunctionErrors', {
      metric: solve.metricErrors({ period: PERIOD, statistic: Stats.SUM }),
      alarmDescription:
        'The function crashed, ran out of memory or time. Its messages are tried again when their visibility timeout ends; the log says why.',
    });
    this.whenAny('JobsRejected', {
      metric: solverMetric(METRICS.jobsRejected, Stack.of(this).stackName),
      alarmDescription:
        'Whole files could not be read as puzzles. The objects under rejects/ in the results bucket say why and where.',
    });
    this.whenAny('LargeJobsFailed', {
      metric: large.metricFailed({ period: PERIOD, statistic: Stats.SUM }),
      alarmDescription:
        'A large file could not be solved: a shard failed in every try. The status/ object names it; mend the cause, then redrive the execution, which goes on from there.',
    });
    this.whenAny('LargeJobsTimedOut', {
      metric: large.metricTimedOut({ period: PERIOD, statistic: Stats.SUM }),
      alarmDescription:
        'A large file took longer than the state machine may. Raise shardConcurrency, then redrive the execution, which goes on from where it was.',
    });
    this.whenAny('LargeJobsAborted', {
      metric: large.metricAborted({ period: PERIOD, statistic: Stats.SUM }),
      alarmDescription:
        'Somebody stopped the execution of a large file, which has no result now. Redrive the execution, which goes on from where it was.',
    });
    this.whenAny('UndeliveredSchedules', {
      metric: queueLength(schedule.undelivered),
      alarmDescription:
        'The scheduler could not call the function that starts bulk runs. Look at its role and at the function; dlx-batch run starts a run by hand.',
    });
    this.whenAny('RunsNotStarted', {
      metric: queueLength(schedule.failures),
      alarmDescription:
        'The function that starts bulk runs failed in every try. Its log says why; dlx-batch run starts a run by hand.',
    });
    for (const [id, metric] of [
      ['BulkRunsFailed', bulkRun.metricFailed({ period: PERIOD, statistic: Stats.SUM })],
      ['BulkRunsTimedOut', bulkRun.metricTimedOut({ period: PERIOD, statistic: Stats.SUM })],
      ['BulkRunsAborted', bulkRun.metricAborted({ period: PERIOD, statistic: Stats.SUM })],
    ] as const) {
      this.whenAny(id, {
        metric,
        alarmDescription:
          'A bulk run did not come to its end. Its history says why; redrive the execution, which goes on from where it was.',
      });
    }
    if (runOverdueHours !== undefined) {
      this.alarm('RunOverdue', {
        metric: completedRuns(bulkRun, uploads.queue),
        threshold: 1,
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        evaluationPeriods: runOverdueHours,
        alarmDescription: `No bulk run was completed in ${runOverdueHours} hours. Check the schedule and the executions of BulkRun; dlx-batch run starts a run by hand, and its end ends the alarm.`,
      });
    }
    this.alarm('OldestMessage', {
      metric: uploads.queue.metricApproximateAgeOfOldestMessage({ period: PERIOD, statistic: Stats.MAXIMUM }),
      // A message this old has failed, its function has crashed, or it has waited that long for its first try. SQS
      // leaves out messages that were received three times and more: those have the alarm ThirdFailures.
      threshold: uploads.visibilityTimeout.toSeconds(),
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      alarmDescription:
        'An upload has waited longer than the visibility timeout: its function crashed, or more comes in than maxConcurrency lets through.',
    });
  }

  private whenAny(id: string, props: { metric: IMetric; alarmDescription: string }): void {
    this.alarm(id, {
      ...props,
      threshold: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
    });
  }

  private alarm(id: string, props: AlarmProps): void {
    // No data is the good case: idle queues and functions that are not called report nothing.
    const alarm = new Alarm(this, id, { treatMissingData: TreatMissingData.NOT_BREACHING, ...props });
    if (this.action !== undefined) alarm.addAlarmAction(this.action);
  }
}

/**
 * Completed runs in each hour since the stack was deployed: 0 for an hour without one, no data before.
 *
 * An hour without a run reports nothing, and nor do the hours before the first deployment. Treated as breaching, missing
 * data would start the alarm with the stack, a day before its first run is due; treated as not breaching, it would never
 * start the alarm. So the hours of the stack are those in which its queue has metrics: SQS reports them as long as the
 * queue is polled, which the event source mapping does from its creation on. Data points of 0 fill the evaluation
 * periods only after that many hours.
 *
 * A schedule that is switched on in an old stack has no such hours of its own: the alarm starts at once, and ends with
 * the first run.
 */
function completedRuns(bulkRun: IStateMachine, polled: IQueue): MathExpression {
  const period = Duration.hours(1);
  return new MathExpression({
    label: 'Completed bulk runs',
    // IF drops the hours that the condition has no data for.
    expression: 'IF(polled, FILL(runs, 0))',
    usingMetrics: {
      // The number of samples is never 0; the number of messages mostly is.
      polled: polled.metricApproximateNumberOfMessagesVisible({ period, statistic: Stats.SAMPLE_COUNT }),
      runs: bulkRun.metricSucceeded({ period, statistic: Stats.SUM }),
    },
    period,
  });
}

/** Messages that wait in a queue. */
function queueLength(queue: IQueue): Metric {
  return queue.metricApproximateNumberOfMessagesVisible({ period: PERIOD, statistic: Stats.MAXIMUM });
}

/** A metric that the functions write themselves; `service` is the dimension that Powertools gives every one. */
function solverMetric(metricName: string, stackName: string): Metric {
  return new Metric({
    namespace: METRIC_NAMESPACE,
    metricName,
    dimensionsMap: { service: SERVICE_NAME, [METRIC_STACK_DIMENSION]: stackName },
    statistic: Stats.SUM,
    period: PERIOD,
  });
}
