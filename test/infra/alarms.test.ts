import { describe, expect, it } from 'vitest';
import { templateWith } from './synthesised.ts';

describe('the alarm for an overdue run', () => {
  const alarms = Object.entries(templateWith().findResources('AWS::CloudWatch::Alarm'));
  const [[, { Properties: overdue }]] = alarms.filter(([id]) => id.includes('RunMissing')) as [
    (typeof alarms)[0],
  ];
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

  /**
   * The alarm state by the rules of CloudWatch ("How alarm state is evaluated when data is missing").
   *
   * @param hours since the stack was deployed
   * @param runs hours since each of its runs was completed
   */
  function stateAfter(hours: number, runs: readonly number[]): string {
    const { EvaluationPeriods: periods, Threshold, TreatMissingData, ComparisonOperator } = overdue;
    expect([ComparisonOperator, overdue.DatapointsToAlarm ?? periods]).toEqual([
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
