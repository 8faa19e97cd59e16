/** The metrics of the alarms and dashboards in a template of CloudFormation. */
import type { StackTemplate } from '../../lib/local/template.ts';

export interface FoundMetric {
  readonly namespace: string;
  readonly name: string;
  /** Values as text; for a resource of the template, its logical id. */
  readonly dimensions: Readonly<Record<string, string>>;
  readonly isOnDashboard: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of CloudFormation, whose shape the type of the resource decides.
type Json = any;

export function metricsIn(resources: StackTemplate['Resources']): FoundMetric[] {
  return Object.values(resources).flatMap(({ Type, Properties }) => {
    if (Type === 'AWS::CloudWatch::Alarm') return ofAlarm(Properties);
    if (Type === 'AWS::CloudWatch::Dashboard') return ofDashboard(Properties.DashboardBody);
    return [];
  });
}

function ofAlarm({ Metrics, ...alarm }: Json): FoundMetric[] {
  const metrics = Metrics?.flatMap(({ MetricStat }: Json) => MetricStat?.Metric ?? []) ?? [alarm];
  return metrics.map(({ Namespace: namespace, MetricName: name, Dimensions = [] }: Json) => ({
    namespace,
    name,
    dimensions: Object.fromEntries(Dimensions.map(({ Name, Value }: Json) => [Name, logicalId(Value)])),
    isOnDashboard: false,
  }));
}

/** A metric of a widget is a list: namespace, name, then names and values of dimensions, then its rendering. */
function ofDashboard(body: Json): FoundMetric[] {
  const text = body['Fn::Join'][1]
    .map((part: Json) => (typeof part === 'string' ? part : logicalId(part)))
    .join('');
  const lists = JSON.parse(text).widgets.flatMap(({ properties }: Json) => properties.metrics ?? []);
  return lists
    .filter(([namespace]: Json) => typeof namespace === 'string')
    .map(([namespace, name, ...rest]: Json) => {
      const pairs: string[] = rest.filter((part: Json) => typeof part === 'string');
      const dimensions = Object.fromEntries(
        pairs.flatMap((part, index) => (index % 2 === 0 ? [[part, pairs[index + 1]!]] : [])),
      );
      return { namespace, name, dimensions, isOnDashboard: true };
    });
}

function logicalId(value: Json): string {
  return typeof value === 'string' ? value : (value.Ref ?? value['Fn::GetAtt'][0]);
}
