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
import type { CompleteInstance } from './access-policies.ts';
import type { Alarms } from './alarms.ts';
import type { BatchFunction } from './batch-function.ts';
import { jobMetric } from './job-metrics.ts';

const PERIOD = Duration.minutes(5);
const COST_PERIOD = Duration.hours(1);

/** How executions end, and what that is called here. */
const EXECUTIONS = [
  ['Started', 'started'],
  ['Succeeded', 'succeeded'],
  ['Failed', 'failed'],
  ['TimedOut', 'timed out'],
  ['Aborted', 'stopped'],
];

/** The state of an instance on one page: alarms, puzzles, files, queues, shards, functions, cost. */
export class BatchDashboard extends Construct {
  readonly dashboard: Dashboard;

  constructor(scope: Construct, id: string, instance: CompleteInstance, alarms: Alarms) {
    super(scope, id);
    this.dashboard = new Dashboard(this, 'Dashboard', { defaultInterval: Duration.days(1) });
    const { metricsName, uploads, functions, large, bulkRun, runs } = instance;
    const sum = (label: string) => ({ statistic: Stats.SUM, period: PERIOD, label });
    const maximum = (label: string) => ({ statistic: Stats.MAXIMUM, period: PERIOD, label });
    const job = (name: string, label: string, statistic: string = Stats.SUM) =>
      jobMetric(name, metricsName, { label, statistic, period: PERIOD });
    const machines = [
      { machine: large.machine, of: 'large files' },
      { machine: bulkRun.machine, of: 'bulk runs' },
    ];
    const title = `Alarms of ${metricsName}`;
    this.#row(new AlarmStatusWidget({ title, alarms: [...alarms.all], width: 24, height: 4 }));
    this.#row(
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
    this.#row(
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
    this.#row(
      graph('Age of the oldest upload in the queue, seconds', [
        uploads.queue.metricApproximateAgeOfOldestMessage(maximum('oldest')),
      ]),
      graph('Messages', [
        uploads.queue.metricApproximateNumberOfMessagesVisible(maximum('waiting')),
        uploads.queue.metricApproximateNumberOfMessagesNotVisible(maximum('in work')),
        uploads.deadLetters.metricApproximateNumberOfMessagesVisible(maximum('dead letters')),
        runs.undelivered.metricApproximateNumberOfMessagesVisible(maximum('runs not started')),
      ]),
    );
    this.#row(
      graph('Shards', [
        large.solve.function.metric('ConcurrentExecutions', maximum('solved at a time')),
        job(METRICS.shards, 'of files committed'),
      ]),
      graph(
        'Executions',
        machines.flatMap(({ machine, of }) =>
          EXECUTIONS.map(([name, word]) => machine.metric(`Executions${name}`, sum(`${of} ${word}`))),
        ),
      ),
    );
    this.#row(
      graph(
        'Longest invocation, milliseconds',
        functions.map(({ name, function: lambda }) => lambda.metricDuration(maximum(name))),
      ),
      graph(
        'Errors and throttles of functions',
        functions.flatMap(({ name, function: lambda }) => [
          lambda.metricErrors(sum(`${name} errors`)),
          lambda.metricThrottles(sum(`${name} throttles`)),
        ]),
      ),
    );
    this.#row(
      graph(
        `Estimated cost an hour, dollars (functions, and requests of small files to S3; prices of ${PRICES.date} in ${PRICES.region})`,
        [
          ...functions.map(functionCost),
          cost('S3 requests', `completed * ${plain(JOB_S3_DOLLARS)}`, {
            completed: jobMetric(METRICS.jobsCompleted, metricsName, { statistic: Stats.SUM }),
          }),
        ],
        true,
        24,
      ),
    );
  }

  #row(...widgets: IWidget[]): void {
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
  return cost(
    name,
    `duration${index} * ${plain(dollarsPerMs)} + invocations${index} * ${plain(PRICES.lambdaRequest)}`,
    {
      [`duration${index}`]: lambda.metricDuration(hourly),
      [`invocations${index}`]: lambda.metricInvocations(hourly),
    },
  );
}

function cost(label: string, expression: string, usingMetrics: Record<string, IMetric>): MathExpression {
  return new MathExpression({ label, expression, usingMetrics, period: COST_PERIOD });
}

/** A small number without an exponent. */
function plain(dollars: number): string {
  return dollars.toFixed(15);
}
