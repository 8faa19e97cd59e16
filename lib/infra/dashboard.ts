import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  MathExpression,
  Row,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { JOB_S3_DOLLARS, PRICES } from '../batch/estimate/prices.ts';
import { METRICS, STATUS_METRICS } from '../batch/names.ts';
import type { Alarms } from './alarms.ts';
import type { BatchFunction } from './batch-function.ts';
import { jobMetric } from './job-metrics.ts';
import type { RunSchedule } from './run-schedule.ts';
import type { BulkRunMachine } from './state-machines/bulk-run.ts';
import type { SolveLarge } from './state-machines/solve-large.ts';
import type { UploadQueue } from './upload-queue.ts';

const PERIOD = Duration.minutes(5);
const SUM = { statistic: Stats.SUM, period: PERIOD };
const MAXIMUM = { statistic: Stats.MAXIMUM, period: PERIOD };
const COST_PERIOD = Duration.hours(1);

export interface BatchDashboardProps {
  /** Value of the dimension of metrics that separates instances. */
  readonly metricsName: string;
  readonly uploads: UploadQueue;
  /** All functions. */
  readonly functions: readonly BatchFunction[];
  readonly large: SolveLarge;
  readonly bulkRun: BulkRunMachine;
  readonly schedule: RunSchedule;
  readonly alarms: Alarms;
}

/** The state of an instance on one page: alarms, puzzles, files, queues, shards, functions, cost. */
export class BatchDashboard extends Construct {
  readonly dashboard: Dashboard;

  constructor(scope: Construct, id: string, props: BatchDashboardProps) {
    super(scope, id);
    this.dashboard = new Dashboard(this, 'Dashboard', { defaultInterval: Duration.days(1) });
    const { metricsName, uploads, functions, large, bulkRun, schedule, alarms } = props;
    const job = (name: string, label: string, statistic: string = Stats.SUM) =>
      jobMetric(name, metricsName, { label, statistic, period: PERIOD });

    this.row(
      new AlarmStatusWidget({
        title: `Alarms of ${metricsName}`,
        alarms: [...alarms.all],
        width: 24,
        height: 4,
      }),
    );
    this.row(
      graph(
        'Puzzles by status',
        Object.entries(STATUS_METRICS).map(([status, name]) => job(name, status)),
        true,
      ),
      graph('Files', [
        job(METRICS.jobsCompleted, 'completed'),
        job(METRICS.jobsRejected, 'rejected'),
        job(METRICS.jobsFailed, 'failed'),
        job(METRICS.jobsFailing, 'failing'),
        job(METRICS.jobsHandedOver, 'handed over as large'),
        job(METRICS.jobsDuplicate, 'delivered again'),
      ]),
    );
    this.row(
      graph('Puzzles per second of a file', [
        job(METRICS.puzzlesPerSecond, 'median', Stats.p(50)),
        job(METRICS.puzzlesPerSecond, 'slowest', Stats.MINIMUM),
      ]),
      graph('Solve time of a puzzle, microseconds', [
        job(METRICS.puzzleTimeP50, 'p50, average of the files', Stats.AVERAGE),
        job(METRICS.puzzleTimeP99, 'p99, average of the files', Stats.AVERAGE),
        job(METRICS.puzzleTimeP99, 'p99, slowest file', Stats.MAXIMUM),
      ]),
    );
    this.row(
      graph('Age of the oldest upload in the queue, seconds', [
        uploads.queue.metricApproximateAgeOfOldestMessage({ ...MAXIMUM, label: 'oldest' }),
      ]),
      graph('Messages', [
        uploads.queue.metricApproximateNumberOfMessagesVisible({ ...MAXIMUM, label: 'waiting' }),
        uploads.queue.metricApproximateNumberOfMessagesNotVisible({ ...MAXIMUM, label: 'in work' }),
        uploads.deadLetters.metricApproximateNumberOfMessagesVisible({ ...MAXIMUM, label: 'dead letters' }),
        schedule.undelivered.metricApproximateNumberOfMessagesVisible({
          ...MAXIMUM,
          label: 'runs not started',
        }),
      ]),
    );
    this.row(
      graph('Shards', [
        large.functions.solve.function.metric('ConcurrentExecutions', {
          ...MAXIMUM,
          label: 'solved at a time',
        }),
        job(METRICS.shards, 'of files committed'),
      ]),
      graph('Executions', [
        ...[
          { machine: large.machine, of: 'large files' },
          { machine: bulkRun.machine, of: 'bulk runs' },
        ].flatMap(({ machine, of }) => [
          machine.metricStarted({ ...SUM, label: `${of} started` }),
          machine.metricSucceeded({ ...SUM, label: `${of} succeeded` }),
          machine.metricFailed({ ...SUM, label: `${of} failed` }),
          machine.metricTimedOut({ ...SUM, label: `${of} timed out` }),
          machine.metricAborted({ ...SUM, label: `${of} stopped` }),
        ]),
      ]),
    );
    this.row(
      graph(
        'Longest invocation, milliseconds',
        functions.map(({ name, function: lambda }) => lambda.metricDuration({ ...MAXIMUM, label: name })),
      ),
      graph(
        'Errors and throttles of functions',
        functions.flatMap(({ name, function: lambda }) => [
          lambda.metricErrors({ ...SUM, label: `${name} errors` }),
          lambda.metricThrottles({ ...SUM, label: `${name} throttles` }),
        ]),
      ),
    );
    this.row(
      graph(
        `Estimated cost an hour, dollars (functions, and requests of small files to S3; prices of ${PRICES.date} in ${PRICES.region})`,
        [...functions.map((each, index) => functionCost(each, index)), requestCost(metricsName)],
        true,
        24,
      ),
    );
  }

  private row(...widgets: IWidget[]): void {
    this.dashboard.addWidgets(new Row(...widgets));
  }
}

/** A graph from 0. */
function graph(title: string, left: IMetric[], stacked = false, width = 12): GraphWidget {
  return new GraphWidget({ title, left, stacked, width, leftYAxis: { min: 0, showUnits: false } });
}

/** Dollars for a function: one line each, as a sum has no data if one function was not invoked. */
function functionCost({ name, memoryMb, function: lambda }: BatchFunction, index: number): MathExpression {
  const hourly = { statistic: Stats.SUM, period: COST_PERIOD };
  const dollarsPerMs = (memoryMb / 1024 / 1000) * PRICES.lambdaGbSecond;
  return new MathExpression({
    label: name,
    expression: `duration${index} * ${plain(dollarsPerMs)} + invocations${index} * ${plain(PRICES.lambdaRequest)}`,
    usingMetrics: {
      [`duration${index}`]: lambda.metricDuration(hourly),
      [`invocations${index}`]: lambda.metricInvocations(hourly),
    },
    period: COST_PERIOD,
  });
}

function requestCost(metricsName: string): MathExpression {
  return new MathExpression({
    label: 'S3 requests',
    expression: `completed * ${plain(JOB_S3_DOLLARS)}`,
    usingMetrics: { completed: jobMetric(METRICS.jobsCompleted, metricsName, { statistic: Stats.SUM }) },
    period: COST_PERIOD,
  });
}

/** A small number without an exponent. */
function plain(dollars: number): string {
  return dollars.toFixed(15);
}
