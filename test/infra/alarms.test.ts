import { describe, expect, it, vi } from 'vitest';
import { jobMetrics } from '../../functions/job-metrics.ts';
import { ENVIRONMENT, METRICS } from '../../lib/batch/names.ts';
import { DayClock, RUN, runBulk, runReport, SentMessages, STARTED_AT } from '../support/bulk-run.ts';
import { MemoryBuckets } from '../support/memory-store.ts';
import { EASY } from '../support/puzzles.ts';
import { deliver, upload } from '../support/uploads.ts';
import { type resourceOf, templateWith } from './synthesised.ts';

const template = templateWith();
const alarms = alarmsOf(template);
describe('the alarm for an overdue run', () => {
  const [overdue] = alarms.filter(({ id }) => id.includes('RunMissing'));

  it.each([
    { of: 'a stack of 1 hour', hours: 1, state: 'OK' },
    { of: 'a stack of 25 hours without a run', hours: 25, state: 'OK' },
    { of: 'a stack of 26 hours without a run', hours: 26, state: 'ALARM' },
    { of: 'a stack of a week without a run', hours: 168, state: 'ALARM' },
    { of: 'a stack of 30 hours with a run in the first night', hours: 30, lastRun: 10, state: 'OK' },
    { of: 'an old stack with a run 26 hours ago', hours: 500, lastRun: 26, state: 'OK' },
    { of: 'an old stack with a run 27 hours ago', hours: 500, lastRun: 27, state: 'ALARM' },
  ])('is $state for $of', ({ hours, lastRun, state }) => {
    expect(stateAfter(hours, lastRun === undefined ? [] : [lastRun])).toBe(state);
  });

  it('is OK while a backfill takes days, as the nightly runs find everything held and are completed', async () => {
    const buckets = new MemoryBuckets();
    for (let k = 0; k < 40; k++) upload(buckets, `scheduled/${k}.txt`, EASY);
    const clock = new DayClock();
    const hourOf = () => Math.floor((clock.dayMs - Date.parse(STARTED_AT)) / 3_600_000);
    const nights: number[] = [];
    const queue = new SentMessages();
    let solved = 0;
    await runBulk(buckets, RUN, {
      queue,
      clock,
      async whileWaiting() {
        // A file takes two hours.
        for (const uploaded of queue.uploads.slice(solved, hourOf() / 2)) {
          await deliver(buckets, uploaded);
          solved++;
        }
        if (hourOf() < 24 * (nights.length + 1) - 2) return;
        const night = { runId: `night-${nights.length}` };
        const sent = new SentMessages();
        await runBulk(buckets, night, { queue: sent, clock });
        expect(sent.bodies).toEqual([]);
        expect(runReport(buckets, night).heldBy).toEqual([RUN.runId]);
        nights.push(hourOf());
      },
    });
    expect(runReport(buckets).versions).toMatchObject({ planned: 40, solved: 40 });
    expect(nights).toHaveLength(3);
    const states = (completed: readonly number[]) =>
      Array.from({ length: hourOf() }, (_, hour) =>
        stateAfter(
          500,
          completed.filter((each) => each < hour).map((each) => hour - each),
        ),
      );
    // The run of the night before.
    expect(states([-2, ...nights])).not.toContain('ALARM');
    expect(states([-2])).toContain('ALARM');
  });

  /**
   * The alarm state by the rules of CloudWatch ("How alarm state is evaluated when data is missing").
   *
   * @param hours since the stack was deployed
   * @param runs hours since each of its runs was completed
   */
  function stateAfter(hours: number, runs: readonly number[]): string {
    const { EvaluationPeriods: periods, Threshold, TreatMissingData, ComparisonOperator } = overdue!;
    expect([ComparisonOperator, overdue!.DatapointsToAlarm ?? periods]).toEqual([
      'LessThanThreshold',
      periods,
    ]);
    // Newest first: one data point for each hour of the stack, up to two more than are evaluated.
    const range = Array.from({ length: Math.min(hours, periods + 2) }, (_, age) =>
      Number(runs.includes(age + 1)),
    );
    const breaching = range.slice(0, periods).map((completed) => completed < Threshold);
    while (breaching.length < periods) breaching.push(TreatMissingData === 'breaching');
    return breaching.every(Boolean) ? 'ALARM' : 'OK';
  }
});

describe('a metric of the functions', () => {
  const stackName = 'Puzzles';
  const named = alarmsOf(templateWith({ 'dlx:stackName': stackName }));
  const alarm = named
    .flatMap(({ Metrics = [] }) => Metrics)
    .map(({ MetricStat }: { MetricStat?: { Metric: ReturnType<typeof resourceOf> } }) => MetricStat?.Metric)
    .find((metric?: ReturnType<typeof resourceOf>) => metric?.MetricName === METRICS.jobsFailing);

  it('has in the log the dimensions of the alarm, with the name of its stack', () => {
    vi.stubEnv(ENVIRONMENT.stackName, stackName);
    const metrics = jobMetrics();
    metrics.addMetric(METRICS.jobsFailing, 'Count', 1);
    const written: Record<string, unknown> & ReturnType<typeof metrics.serializeMetrics> =
      metrics.serializeMetrics();
    metrics.clearMetrics();
    vi.unstubAllEnvs();

    const names: string[] = alarm?.Dimensions.map(({ Name }: { Name: string }) => Name);
    expect(written._aws.CloudWatchMetrics).toEqual([
      expect.objectContaining({ Namespace: alarm?.Namespace, Dimensions: [names] }),
    ]);
    expect(alarm?.Dimensions).toEqual(names.map((Name) => ({ Name, Value: written[Name] })));
  });
});

function alarmsOf(from: typeof template): ReturnType<typeof resourceOf>[] {
  return Object.entries(from.findResources('AWS::CloudWatch::Alarm')).map(([id, alarm]) => ({
    id,
    ...alarm.Properties,
  }));
}
