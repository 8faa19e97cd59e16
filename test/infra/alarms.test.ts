import { describe, expect, it } from 'vitest';
import { expectTable } from '../support/text-table.ts';
import { templateWith } from './synthesised.ts';

describe('the alarm for an overdue run', () => {
  const alarms = Object.entries(templateWith().findResources('AWS::CloudWatch::Alarm'));
  const [[, { Properties: overdue }]] = alarms.filter(([id]) => id.includes('RunMissing')) as [
    (typeof alarms)[0],
  ];
  it('is raised in the hours of alarms.txt', () =>
    expectTable(new URL('alarms.txt', import.meta.url), {
      'the state of a stack of some hours, by the hours since each of its runs': ({ hours, runs }) =>
        stateAfter(hours, runs),
    }));

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
