/** The deployed schedule of bulk runs, and their state machine. */
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { ENVIRONMENT, WORK_PREFIX } from '../../../lib/batch/names.ts';
import { allows, statementsOf } from '../role-permissions.ts';
import { outputLogicalId, resourceOf, templateWith } from '../synthesised.ts';

// CommonJS without types for ES modules.
const validate = createRequire(import.meta.url)('asl-validator') as (
  definition: object,
) => Promise<{ isValid: boolean }>;

const template = templateWith();
const functions = Object.fromEntries(
  Object.entries(template.findResources('AWS::Lambda::Function')).map(([id, { Properties }]) => [
    Properties.Handler.replace('.handler', ''),
    { id, ...Properties },
  ]),
);
const definition = JSON.parse(
  resourceOf(template, 'BulkRunArn')
    .Properties.DefinitionString['Fn::Join'][1].map(
      (part: string | { Ref?: string; 'Fn::GetAtt'?: string[] }) =>
        typeof part === 'string' ? part : `<${part.Ref ?? part['Fn::GetAtt']?.[0]}>`,
    )
    .join(''),
);

function schedule(context: Record<string, unknown> = {}) {
  const [found] = Object.values(templateWith(context).findResources('AWS::Scheduler::Schedule'));
  return found!.Properties;
}

describe('the schedule', () => {
  it('fires every night at two, on time, and is on', () => {
    expect(schedule()).toMatchObject({
      ScheduleExpression: 'cron(0 2 * * ? *)',
      ScheduleExpressionTimezone: 'UTC',
      FlexibleTimeWindow: { Mode: 'OFF' },
      State: 'ENABLED',
    });
  });

  it('takes its settings from the context', () => {
    const context = {
      'dlx:schedule': 'at(2027-01-01T00:00:00)',
      'dlx:scheduleTimeZone': 'Europe/Berlin',
      'dlx:scheduleFlexibleMinutes': '15',
      'dlx:scheduleEnabled': 'false',
    };
    expect(schedule(context)).toMatchObject({
      ScheduleExpression: 'at(2027-01-01T00:00:00)',
      ScheduleExpressionTimezone: 'Europe/Berlin',
      FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 15 },
      State: 'DISABLED',
    });
  });

  it('passes its scheduled time to the function, and has a queue for undelivered invocations', () => {
    const { Target } = schedule();
    expect(Target.Arn).toEqual({ 'Fn::GetAtt': [functions['sweep-inbox']!.id, 'Arn'] });
    expect(JSON.parse(Target.Input)).toEqual({ scheduledTime: '<aws.scheduler.scheduled-time>' });
    expect(Target.DeadLetterConfig.Arn['Fn::GetAtt'][0]).toMatch(/^ScheduleUndelivered/);
  });

  it('may call that function and send to its queue, nothing else', () => {
    const { Target } = schedule();
    const statements = statementsOf(template, Target.RoleArn['Fn::GetAtt'][0]);
    expect(statements.flatMap(({ resources }) => resources).sort()).toEqual([
      `<${functions['sweep-inbox']!.id}>`,
      `<${Target.DeadLetterConfig.Arn['Fn::GetAtt'][0]}>`,
    ]);
  });

  it.each([
    ['dlx:schedule', 'cron(0 2 * * *)', 'cron with six fields'],
    ['dlx:schedule', 'every night', 'cron(0 2 * * ? *), rate(12 hours) or at(2026-12-24T18:00:00)'],
    ['dlx:schedule', 'cron(0 25 * * ? *)', '0-23 , - * /'],
    ['dlx:scheduleTimeZone', 'Berlin', 'a name of the IANA time zone database'],
    ['dlx:scheduleFlexibleMinutes', '1441', 'a whole number of minutes from 0 to 1440'],
    ['dlx:scheduleEnabled', 'maybe', 'true or false'],
    ['dlx:graceMinutes', '-1', 'a whole number of minutes from 0 to 10080'],
    ['dlx:runOverdueHours', 169, 'a whole number of hours from 2 to 168'],
  ])('is refused at synthesis if %s is %s', (key, value, expected) => {
    expect(() => templateWith({ [key]: value })).toThrow(expected);
  });
});

describe('the function that the schedule calls', () => {
  it('has the name of no bucket, and no permission for any', () => {
    const { Environment, Role } = functions['sweep-inbox']!;
    expect(Object.keys(Environment.Variables).sort()).toEqual([
      ENVIRONMENT.bulkRun,
      'NODE_OPTIONS',
      ENVIRONMENT.stackName,
    ]);
    const actions = statementsOf(template, Role['Fn::GetAtt'][0]).flatMap((statement) => statement.actions);
    expect(actions.filter((action) => action.startsWith('s3:'))).toEqual([]);
  });

  it('is the only one without the name of the results bucket', () => {
    const others = Object.keys(functions).filter(
      (name) => ENVIRONMENT.resultsBucket in functions[name]!.Environment.Variables,
    );
    const names = ['count-shard', 'merge-shards', 'plan-shards', 'run-step', 'solve-batch', 'solve-shard'];
    expect(others.sort()).toEqual(names);
  });

  it('may start bulk runs, and sends failed invocations to a queue', () => {
    const statements = statementsOf(template, functions['sweep-inbox']!.Role['Fn::GetAtt'][0]);
    const machine = outputLogicalId(template, 'BulkRunArn');
    expect(allows(statements, 'states:StartExecution', `<${machine}>`)).toBe(true);
    expect(
      allows(statements, 's3:GetObject', `<${outputLogicalId(template, 'InputBucketName')}>/inbox/a`),
    ).toBe(false);
    const [config] = Object.values(template.findResources('AWS::Lambda::EventInvokeConfig'));
    expect(config!.Properties).toMatchObject({
      FunctionName: { Ref: functions['sweep-inbox']!.id },
      DestinationConfig: {
        OnFailure: { Destination: { 'Fn::GetAtt': [expect.stringMatching(/^ScheduleFailures/), 'Arn'] } },
      },
    });
  });
});

describe('the state machine for bulk runs', () => {
  it('is valid for an independent validator', async () => {
    const whole = JSON.parse(JSON.stringify(definition).replaceAll('<AWS::Partition>', 'aws'));
    expect(await validate(whole)).toMatchObject({ isValid: true, errors: [] });
  });

  it('has a state for each step, and a choice of the next one', () => {
    const { States: states } = definition;
    const names = ['Begin', 'End', 'Plan', 'Poll', 'Report', 'Send', 'Wait', 'WhatNext'];
    expect(Object.keys(states).sort()).toEqual(names);
    for (const name of ['Plan', 'Send', 'Poll', 'Report']) {
      expect(states[name].Next).toBe('WhatNext');
      expect(states[name].Parameters.Payload).toEqual({
        'run.$': '$.run',
        'startedAt.$': '$.startedAt',
        step: name.toLowerCase(),
        'cursor.$': '$.step.cursor',
      });
    }
    expect(states.Wait).toEqual({ Type: 'Wait', SecondsPath: '$.step.waitSeconds', Next: 'Poll' });
    const choices = states.WhatNext.Choices.map(
      ({ StringEquals, Next }: { StringEquals: string; Next: string }) => `${StringEquals} ${Next}`,
    );
    expect(choices).toEqual(['plan Plan', 'send Send', 'poll Wait', 'report Report', 'end End']);
  });

  const statements = statementsOf(template, functions['run-step']!.Role['Fn::GetAtt'][0]);
  const [input, results] = ['InputBucketName', 'ResultsBucketName'].map((name) =>
    outputLogicalId(template, name),
  );

  it.each([
    ['s3:ListBucketVersions', `<${input}>`],
    ['s3:ListBucket', `<${results}>`],
    ['s3:PutObject', `<${results}>/runs/a`],
    ['s3:PutObject', `<${results}>/${WORK_PREFIX}a`],
    ['s3:GetObject', `<${results}>/done/a`],
    ['s3:GetObject', `<${results}>/status/a`],
    ['s3:GetObject', `<${results}>/results/a`],
    ['s3:GetObject', `<${results}>/rejects/a`],
    ['sqs:SendMessage', `<${outputLogicalId(template, 'QueueUrl')}>`],
  ])('has a function that may %s on %s', (action, resource) => {
    expect(allows(statements, action, resource)).toBe(true);
  });

  it.each([
    ['s3:GetObject', `<${input}>/scheduled/a`],
    ['s3:PutObject', `<${results}>/done/a`],
    ['s3:DeleteObject', `<${results}>/runs/a`],
  ])('has a function that may not %s on %s', (action, resource) => {
    expect(allows(statements, action, resource)).toBe(false);
  });
});

describe('an upload under scheduled/', () => {
  it.each(['solve-batch', 'plan-shards', 'count-shard', 'solve-shard'])('may be read by %s', (name) => {
    const statements = statementsOf(template, functions[name]!.Role['Fn::GetAtt'][0]);
    const bucket = outputLogicalId(template, 'InputBucketName');
    expect(allows(statements, 's3:GetObjectVersion', `<${bucket}>/scheduled/a`)).toBe(true);
  });
});
