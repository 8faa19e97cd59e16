/** The table of docs/explanation/costs.md with what an idle stack costs has the counts of the template and the prices of `prices.ts` and below. */
import { readFileSync } from 'node:fs';
import type { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { lambdaDollars, PRICES, s3Dollars } from '../../lib/batch/estimate/prices.ts';
import { MB_PER_VCPU } from '../../lib/batch/limits.ts';
import { numberText } from '../../lib/batch/quantities.ts';
import { templateWith } from './synthesised.ts';

const COSTS = readFileSync(new URL('../../docs/explanation/costs.md', import.meta.url), 'utf8');

/**
 * Prices of what an idle stack has, by the month. Source: copies of the price pages of CloudWatch and KMS for us-east-1.
 */
const MONTHLY_PRICES = {
  /** The day on which the copies were read. */
  date: '2026-11-22',
  /** Each metric of an alarm; ten are free. */
  alarmMetric: 0.1,
  /** A dashboard; three are free. */
  dashboard: 3,
  /** A customer-managed key. */
  kmsKey: 1,
} as const;

const HOURS = 730;
const NIGHTS = HOURS / 24;
/** Long polls of Lambda for one empty queue: five at a time, of 20 seconds each. */
const POLLS = (5 * HOURS * 3600) / 20;
/** A run that finds nothing: steps of two seconds, state transitions, listings and small objects. */
const RUN = { steps: 6, seconds: 12, transitions: 15, requests: 30 };

function countOf(template: Template, type: string): number {
  return Object.keys(template.findResources(type)).length;
}

/** An alarm on an expression counts each metric of the expression. */
function alarmMetrics(template: Template): number {
  const alarms = Object.values(template.findResources('AWS::CloudWatch::Alarm'));
  return alarms.reduce((sum, { Properties: { Metrics } }) => {
    const metrics = (Metrics as { MetricStat?: object }[] | undefined)?.filter(
      ({ MetricStat }) => MetricStat,
    );
    return sum + (metrics?.length ?? 1);
  }, 0);
}

function idleTable(template: Template): string {
  const alarms = alarmMetrics(template);
  const dashboards = countOf(template, 'AWS::CloudWatch::Dashboard');
  const keys = countOf(template, 'AWS::KMS::Key');
  const polls = POLLS * countOf(template, 'AWS::Lambda::EventSourceMapping');
  const run =
    lambdaDollars(RUN.seconds * (MB_PER_VCPU / 1024), RUN.steps) +
    RUN.transitions * PRICES.stateTransition +
    s3Dollars(RUN.requests, 0);
  const rows: [item: string, amount: string, dollars: number][] = [
    [
      'alarms of CloudWatch',
      `${alarms} metrics at $${MONTHLY_PRICES.alarmMetric.toFixed(2)}`,
      alarms * MONTHLY_PRICES.alarmMetric,
    ],
    [
      'dashboards of CloudWatch',
      `${dashboards} at $${MONTHLY_PRICES.dashboard.toFixed(2)}`,
      dashboards * MONTHLY_PRICES.dashboard,
    ],
    ['polls of the empty queue by Lambda', `${numberText(polls)} requests of SQS`, polls * PRICES.sqsRequest],
    [
      'a run each night that finds nothing',
      `${RUN.steps} invocations, ${RUN.transitions} transitions, ${RUN.requests} requests of S3`,
      NIGHTS * run,
    ],
    ['keys of KMS', `${keys} at $${MONTHLY_PRICES.kmsKey.toFixed(2)}`, keys * MONTHLY_PRICES.kmsKey],
  ];
  const total = rows.reduce((sum, [, , dollars]) => sum + dollars, 0);
  return [
    '| item | amount | dollars a month |',
    '|---|---|---:|',
    ...rows.map(([item, amount, dollars]) => `| ${item} | ${amount} | ${dollars.toFixed(2)} |`),
    `| total | | ${total.toFixed(2)} |`,
  ].join('\n');
}

it('is in docs/explanation/costs.md, with the days of the prices', () => {
  const idle = /## What an idle stack costs\n([\s\S]*)/.exec(COSTS)?.[1] ?? '';
  expect(idle).toContain(idleTable(templateWith({})));
  for (const { date } of [PRICES, MONTHLY_PRICES]) expect(idle).toContain(date);
});

it('leaves out no resource that has a price of its own while it is idle', () => {
  const types = Object.values(templateWith({}).toJSON().Resources as Record<string, { Type: string }>).map(
    ({ Type }) => Type,
  );
  // Billed by use alone, or not at all.
  const free =
    /^AWS::(IAM::(Role|Policy|ManagedPolicy)|S3::(Bucket|BucketPolicy)|SQS::(Queue|QueuePolicy)|SNS::(Topic|TopicPolicy|Subscription)|Events::(Rule|EventBus)|Lambda::(Function|Version|Permission|EventInvokeConfig)|Logs::(LogGroup|QueryDefinition)|StepFunctions::StateMachine|Scheduler::Schedule|CDK::Metadata)$/;
  const counted = /^AWS::(CloudWatch::(Alarm|Dashboard)|Lambda::EventSourceMapping|KMS::(Key|Alias))$/;
  expect([...new Set(types)].filter((type) => !free.test(type) && !counted.test(type))).toEqual([]);
});
