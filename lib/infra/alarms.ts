import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  MathExpression,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { TOLERATED_OUTAGE_SECONDS } from '../batch/limits.ts';
import { METRICS } from '../batch/names.ts';
import type { CompleteInstance } from './access-policies.ts';
import { emailTopic } from './email-topic.ts';
import { jobMetric } from './job-metrics.ts';
import { checkPlace } from './puzzle-buckets.ts';
import type { UploadQueue } from './upload-queue.ts';

const PERIOD = Duration.minutes(5);
const HOUR = Duration.hours(1);

/** Minutes of an hour in which too many files were rejected: one file alone has a reason of its own. */
const REJECTED_MINUTES = 3;
const MAX_REJECTED_PERCENT = 10;

/** Periods for which the metric of failures is looked at. */
const LATE_PERIODS = 3;

/** Periods with a throttle before an alarm: a retry a few seconds later has no other effect. */
const THROTTLED_PERIODS = 3;

/** The runbook, with one entry for each alarm. It is in the package, as the project has no address on the web. */
const RUNBOOK = 'docs/runbook.md';

const { GREATER_THAN_THRESHOLD, GREATER_THAN_OR_EQUAL_TO_THRESHOLD, LESS_THAN_THRESHOLD } =
  ComparisonOperator;

type AlarmRow = readonly [id: string, description: string, props: Omit<AlarmProps, 'alarmDescription'>];

/**
 * One alarm for each thing about which an operator does something different. The id of an alarm is that of its entry in
 * `docs/runbook.md`, which also has the table of everything that can stop work, and the alarm that says so.
 *
 * CloudWatch bills each metric of an alarm, those of an expression too: seven altogether, as an idle stack costs little.
 */
export class Alarms extends Construct {
  /** All alarms; the id of each is its cause. */
  readonly all: readonly Alarm[];
  /** Of the addresses; undefined without any. */
  readonly emailTopic?: ITopic;
  /** All topics that every alarm notifies. */
  readonly topics: readonly ITopic[];

  /** @param topic notified of every alarm, as the addresses are; without both, alarms are visible in CloudWatch only */
  constructor(scope: Construct, id: string, instance: CompleteInstance, topic: ITopic | undefined) {
    super(scope, id);
    if (topic !== undefined) checkPlace(Stack.of(this), 'alarmTopic', topic, ['region']);
    const { alarmEmails } = instance;
    if (alarmEmails !== undefined) this.emailTopic = this.#createEmailTopic(instance, alarmEmails);
    this.topics = [topic, this.emailTopic].filter((each) => each !== undefined);
    const actions = this.topics.map((each) => new SnsAction(each));
    this.all = alarmRows(instance).map(([alarmId, description, alarm]) => {
      const created = new Alarm(this, alarmId, {
        // Missing data is normal: idle queues and functions that are not invoked report nothing.
        treatMissingData: TreatMissingData.NOT_BREACHING,
        ...alarm,
        alarmDescription: `${description} Runbook in the package dlx-batch: ${RUNBOOK}#${alarmId.toLowerCase()}`,
      });
      created.addAlarmAction(...actions);
      return created;
    });
  }

  #createEmailTopic(instance: CompleteInstance, emails: readonly string[]): ITopic {
    const publisher = 'cloudwatch.amazonaws.com';
    const topic = emailTopic(this, emails, publisher, instance);
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
}

function alarmRows(instance: CompleteInstance): AlarmRow[] {
  const { metricsName, uploads, solve, bulkRun, runOverdueHours } = instance;
  const rows: AlarmRow[] = [
    [
      'WorkFailed',
      `A file failed for the third time and is retried for at least ${TOLERATED_OUTAGE_SECONDS / 3600} hours after its first attempt; or it failed in every attempt, or could not be sent to the queue, and is in the dead-letter queue; or a large file did not finish.`,
      {
        metric: failures(metricsName, uploads),
        threshold: 1,
        comparisonOperator: GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        // A metric that comes late was 0 when its period ended, see `failures`, and is looked at again.
        evaluationPeriods: LATE_PERIODS,
        datapointsToAlarm: 1,
      },
    ],
    [
      'WorkWaits',
      'An upload has waited longer than the visibility timeout of the queue: its function crashed, nothing reads the queue, or uploads arrive faster than maxConcurrency allows.',
      {
        metric: uploads.queue.metricApproximateAgeOfOldestMessage({
          period: PERIOD,
          statistic: Stats.MAXIMUM,
        }),
        // SQS omits messages that were received three times or more: those are counted by the alarm WorkFailed.
        threshold: uploads.visibilityTimeout.toSeconds(),
        comparisonOperator: GREATER_THAN_THRESHOLD,
        evaluationPeriods: 1,
      },
    ],
    [
      'TooManyRejected',
      `In ${REJECTED_MINUTES} or more minutes of an hour, over ${MAX_REJECTED_PERCENT} % of the files that finished were rejected as a whole. The objects under rejects/ in the results bucket name the reason and the line.`,
      {
        // Each job writes 1 or 0 into the metric, so its average is the share of rejects.
        metric: jobMetric(METRICS.jobsRejected, metricsName, {
          statistic: Stats.AVERAGE,
          period: Duration.minutes(1),
        }),
        threshold: MAX_REJECTED_PERCENT / 100,
        comparisonOperator: GREATER_THAN_THRESHOLD,
        evaluationPeriods: HOUR.toMinutes(),
        datapointsToAlarm: REJECTED_MINUTES,
      },
    ],
    [
      'Throttled',
      `Lambda has refused invocations of the function that solves for ${THROTTLED_PERIODS * PERIOD.toMinutes()} minutes: the account's concurrent executions are in use. Files wait. Compare dlx:accountConcurrency with the quota of the account.`,
      {
        metric: solve.function.metricThrottles({ period: PERIOD, statistic: Stats.SUM }),
        threshold: 1,
        comparisonOperator: GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: THROTTLED_PERIODS,
      },
    ],
  ];
  // A schedule that fires once would be overdue forever.
  if (instance.scheduleEnabled && !instance.schedule.startsWith('at(')) {
    rows.push([
      'RunMissing',
      `No bulk run finished in ${runOverdueHours} hours. Check the schedule and the executions of BulkRun. dlx-batch run starts a run manually; the alarm ends when a run finishes.`,
      {
        metric: completedRuns(bulkRun.machine, uploads),
        threshold: 1,
        comparisonOperator: LESS_THAN_THRESHOLD,
        evaluationPeriods: runOverdueHours,
      },
    ]);
  }
  return rows;
}

/**
 * Messages in the dead-letter queue, which stay until somebody repeats them, and jobs that fail. The functions count both
 * kinds of jobs in one metric: an upload that failed for the third time, and a large file that did not finish. Neither metric
 * has data while nothing happens, and a sum has none where one of them has none.
 */
function failures(metricsName: string, { deadLetters }: UploadQueue): MathExpression {
  return new MathExpression({
    label: 'Dead letters and failing jobs',
    expression: 'FILL(dead, 0) + FILL(failing, 0)',
    usingMetrics: {
      dead: deadLetters.metricApproximateNumberOfMessagesVisible({
        period: PERIOD,
        statistic: Stats.MAXIMUM,
      }),
      failing: jobMetric(METRICS.jobsFailing, metricsName, { statistic: Stats.SUM, period: PERIOD }),
    },
    period: PERIOD,
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
function completedRuns(bulkRun: IStateMachine, { queue }: UploadQueue): MathExpression {
  return new MathExpression({
    label: 'Completed bulk runs',
    // IF drops the hours for which the condition has no data.
    expression: 'IF(polled, FILL(runs, 0))',
    usingMetrics: {
      // The number of samples is never 0; the number of messages usually is.
      polled: queue.metricApproximateNumberOfMessagesVisible({
        period: HOUR,
        statistic: Stats.SAMPLE_COUNT,
      }),
      runs: bulkRun.metricSucceeded({ period: HOUR, statistic: Stats.SUM }),
    },
    period: HOUR,
  });
}
