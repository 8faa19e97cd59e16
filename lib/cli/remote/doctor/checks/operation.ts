/** Checks of the operation: schedule, alarms, and whether they notify a subscriber. */

import type { AlarmState, ScheduleState } from '../../../../aws/stack-inspection.ts';
import { nextDue, parseSchedule } from '../../../../batch/bulk-run/schedule-expression.ts';
import { counted } from '../../../../batch/quantities.ts';
import { type Finding, fail, ok, warn } from '../../../terminal/finding.ts';
import { commandText } from '../../command-text.ts';
import { timeText } from './deployment.ts';

const startNow = () => `${commandText('run')} starts a run now`;

export function checkSchedule({ state, expression, timeZone }: ScheduleState, nowMs: number): Finding {
  if (state !== 'ENABLED') {
    const text = `${expression} is ${state}: uploads under scheduled/, and those whose event was lost, wait`;
    return warn('schedule', text, `${startNow()}; dlx:scheduleEnabled=true enables the schedule`);
  }
  const schedule = parseSchedule(expression);
  if (schedule.kind === 'rate') return ok('schedule', `${expression} is enabled`);
  const next = nextDue(schedule, nowMs, timeZone);
  if (next === undefined) {
    return warn(
      'schedule',
      `${expression} ${timeZone} never fires again`,
      `${startNow()}; set another dlx:schedule`,
    );
  }
  return ok('schedule', `${expression} ${timeZone}, next run ${timeText(new Date(next))}`);
}

/** @param names of all alarms of the stack */
export function checkAlarms(names: readonly string[], alarms: readonly AlarmState[]): Finding[] {
  const missing = names.filter((name) => !alarms.some((alarm) => alarm.name === name));
  const raised = alarms.filter(({ state }) => state === 'ALARM');
  const disabled = alarms.filter(({ enabled }) => !enabled).map(({ name }) => name);
  const unknown = alarms.filter(({ state }) => state === 'INSUFFICIENT_DATA').length;
  const text = `${counted(alarms.length, 'alarm')}, none raised${unknown === 0 ? '' : `, ${unknown} without data`}`;
  return [
    ...missing.map((name) => fail('alarms', `${name} does not exist`, 'npx cdk deploy')),
    ...raised.map(({ name, description }) => warn('alarms', `${name} is raised`, description)),
    ...(disabled.length === 0
      ? []
      : [warn('alarms', `actions are off: ${disabled.join(', ')}`, 'aws cloudwatch enable-alarm-actions')]),
    ...(raised.length + missing.length > 0 ? [] : [ok('alarms', text)]),
  ];
}

/** The topics that alarms notify, and the number of alarms that notify none. */
export function alarmTopics(alarms: readonly AlarmState[]): {
  readonly topics: string[];
  readonly silent: number;
} {
  const topics = new Set(alarms.flatMap(({ actions }) => actions.filter((arn) => arn.includes(':sns:'))));
  return { topics: [...topics], silent: alarms.filter(({ actions }) => actions.length === 0).length };
}

/** @param silent number of alarms without an action */
export function checkSilence(silent: number): Finding[] {
  if (silent === 0) return [];
  const todo =
    'deploy with -c dlx:alarmEmails=ADDRESS, or with -c dlx:alarmTopicArn=ARN of an SNS topic with a subscription';
  return [warn('notified', `no action: ${counted(silent, 'alarm')}`, todo)];
}

export function checkTopic(
  arn: string,
  { confirmed, pending }: { readonly confirmed: number; readonly pending: number },
): Finding {
  if (confirmed > 0) return ok('notified', `${arn} has ${counted(confirmed, 'subscription')}`);
  const waiting = pending > 0 ? `, ${pending} not confirmed` : '';
  const todo =
    pending > 0
      ? 'confirm it: the link is in the e-mail that SNS sent'
      : `aws sns subscribe --topic-arn ${arn} --protocol email --notification-endpoint ADDRESS`;
  return warn('notified', `${arn} has no subscription${waiting}`, todo);
}
