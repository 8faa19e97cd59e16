import { Duration } from 'aws-cdk-lib';
import { AlarmWidget, Dashboard, GraphWidget, type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { METRICS, STATUS_METRICS } from '../batch/names.ts';
import type { CompleteInstance } from './access-policies.ts';
import { type Alarms, jobMetric, PERIOD } from './alarms.ts';

/** Graphs of the metrics that the functions write. */
const GRAPHS: readonly (readonly [title: string, statistic: string, metrics: readonly string[]])[] = [
  ['Puzzles by status', Stats.SUM, Object.values(STATUS_METRICS)],
  [
    'Files',
    Stats.SUM,
    [
      METRICS.jobsCompleted,
      METRICS.jobsRejected,
      METRICS.jobsFailed,
      METRICS.jobsHandedOver,
      METRICS.jobsDuplicate,
      METRICS.shards,
    ],
  ],
  ['Puzzles per second of a file, median', Stats.p(50), [METRICS.puzzlesPerSecond]],
  [
    'Solve time of a puzzle in microseconds, average of the files',
    Stats.AVERAGE,
    [METRICS.puzzleTimeP50, METRICS.puzzleTimeP99],
  ],
];

/** The state of an instance on one page: the metrics of its alarms with their thresholds, files, puzzles and functions. */
export class BatchDashboard extends Construct {
  readonly dashboard: Dashboard;

  constructor(scope: Construct, id: string, instance: CompleteInstance, alarms: Alarms) {
    super(scope, id);
    const { metricsName, functions } = instance;
    const graph = (title: string, left: IMetric[]) =>
      new GraphWidget({ title, left, width: 12, leftYAxis: { min: 0, showUnits: false } });
    const widgets = [
      ...alarms.all.map((alarm) => new AlarmWidget({ alarm, title: alarm.node.id, width: 12 })),
      ...GRAPHS.map(([title, statistic, names]) =>
        graph(
          title,
          names.map((name) => jobMetric(name, metricsName, { statistic, period: PERIOD })),
        ),
      ),
      graph(
        'Longest invocation, milliseconds',
        functions.map(({ name, function: lambda }) =>
          lambda.metricDuration({ statistic: Stats.MAXIMUM, period: PERIOD, label: name }),
        ),
      ),
      graph(
        'Errors of functions',
        functions.map(({ name, function: lambda }) => lambda.metricErrors({ period: PERIOD, label: name })),
      ),
    ];
    this.dashboard = new Dashboard(this, 'Dashboard', {
      defaultInterval: Duration.days(1),
      widgets: [widgets],
    });
  }
}
