import { RootConstruct } from 'constructs';
import { describe, expect, it } from 'vitest';
import { readStackContext, SettingError, type StackContext } from '../../lib/infra/settings.ts';
import { cdkJsonContext } from './synthesised.ts';

/** Reads a context. */
function read(context: Record<string, unknown>): StackContext {
  const { node } = new RootConstruct();
  for (const [key, value] of Object.entries(context)) node.setContext(key, value);
  return readStackContext(node);
}

describe('the context', () => {
  it('may be empty, as every setting has a default', () => {
    expect(read({})).toEqual({ stackName: 'DlxBatch', props: {} });
  });

  it.each<[context: Record<string, unknown>, props: object]>([
    [{ 'dlx:memoryMb': 3008 }, { memoryMb: 3008 }],
    [{ 'dlx:memoryMb': '3008' }, { memoryMb: 3008 }],
    [{ 'dlx:memoryMb': 128 }, { memoryMb: 128 }],
    [{ 'dlx:memoryMb': 10_240 }, { memoryMb: 10_240 }],
    [{ 'dlx:timeoutSeconds': 900 }, { timeoutSeconds: 900 }],
    [{ 'dlx:maxConcurrency': '2' }, { maxConcurrency: 2 }],
    [{ 'dlx:shardMemoryMb': '3538' }, { shardMemoryMb: 3538 }],
    [{ 'dlx:shardConcurrency': 10_000 }, { shardConcurrency: 10_000 }],
    [{ 'dlx:accountConcurrency': '10' }, { accountConcurrency: 10 }],
    [{ 'dlx:logRetentionDays': '365' }, { logRetentionDays: 365 }],
    [
      { 'dlx:defaultOptions': { engine: 'dlx', solutions: 1, records: true } },
      { defaultOptions: { engine: 'dlx', solutions: '1', records: 'true' } },
    ],
    [{ 'dlx:defaultOptions': '{"max-nodes":"1000"}' }, { defaultOptions: { 'max-nodes': '1000' } }],
    [
      { 'dlx:alarmTopicArn': 'arn:aws-cn:sns:cn-north-1:111122223333:on-call' },
      { alarmTopicArn: 'arn:aws-cn:sns:cn-north-1:111122223333:on-call' },
    ],
    [
      { 'dlx:tags': { team: 'puzzles', 'cost-centre': 4711 } },
      { tags: { team: 'puzzles', 'cost-centre': '4711' } },
    ],
    [{ 'dlx:tags': '{"team":"puzzles + games"}' }, { tags: { team: 'puzzles + games' } }],
    [
      { 'dlx:eventBus': 'arn:aws:events:eu-west-1:111122223333:event-bus/mine' },
      { eventBus: 'arn:aws:events:eu-west-1:111122223333:event-bus/mine' },
    ],
    [{ 'dlx:eventBus': 'mine' }, { eventBus: 'mine' }],
    [
      { 'dlx:eventEmails': ['a@example.com', "o'b+x@mail.example.org"] },
      { eventEmails: ['a@example.com', "o'b+x@mail.example.org"] },
    ],
    [
      { 'dlx:eventEmails': 'a@example.com, b@example.com', 'dlx:eventEmailTypes': '["JobFailed"]' },
      { eventEmails: ['a@example.com', 'b@example.com'], eventEmailTypes: ['JobFailed'] },
    ],
    [{ memoryMb: 'much', 'other:memoryMb': 1 }, {}],
  ])('%j is read as %j', (context, props) => {
    expect(read(context).props).toEqual(props);
  });

  it('names the stack', () => {
    expect(read({ 'dlx:stackName': 'puzzles-test' }).stackName).toBe('puzzles-test');
  });

  it.each<[key: string, found: unknown, expected: string]>([
    ['dlx:memoryMb', 127, 'a whole number of MiB from 128 to 10240'],
    ['dlx:memoryMb', '10241', 'a whole number of MiB from 128 to 10240'],
    ['dlx:memoryMb', 1769.5, 'a whole number of MiB'],
    ['dlx:memoryMb', '2GB', 'a whole number of MiB'],
    ['dlx:memoryMb', '', 'a whole number of MiB'],
    ['dlx:timeoutSeconds', 59, 'seconds from 60 to 900'],
    ['dlx:timeoutSeconds', 901, 'seconds from 60 to 900'],
    ['dlx:maxConcurrency', '1', 'from 2 to 1000'],
    ['dlx:maxConcurrency', 1001, 'from 2 to 1000'],
    ['dlx:shardConcurrency', 0, 'a whole number of concurrent shards from 1 to 10000'],
    ['dlx:accountConcurrency', 9, 'concurrent executions from 10 to 100000'],
    ['dlx:shardMemoryMb', '0', 'a whole number of MiB'],
    ['dlx:uploadVersionDays', 20, 'a whole number of days from 21'],
    ['dlx:noncurrentVersionDays', 0, 'a whole number of days from 1'],
    ['dlx:logRetentionDays', 100, 'a retention of CloudWatch in days: 1, 3, 5, 7'],
    ['dlx:inputExpiryDays', 20, 'a whole number of days from 21'],
    ['dlx:encryptionKey', 'alias/mine', 'create, or the ARN of a KMS key'],
    ['dlx:permissionsBoundaryArn', 'boundary', 'the ARN of a managed policy'],
    ['dlx:puzzleBucketName', 'arn:aws:s3:::mine', 'the name of a bucket'],
    ['dlx:tracing', 'some', 'true or false'],
    ['dlx:logRetentionDays', 9999, 'a retention of CloudWatch in days'],
    ['dlx:defaultOptions', 'engine=dlx', 'a JSON object of options by name'],
    ['dlx:defaultOptions', ['dlx'], 'a JSON object of options by name'],
    ['dlx:defaultOptions', { box: [2, 3] }, 'a JSON object of options by name'],
    ['dlx:eventBus', 'https://example.com', 'the name or the ARN of an event bus'],
    ['dlx:eventEmails', [], 'different e-mail addresses'],
    ['dlx:eventEmails', 'a@b.de,a@b.de', 'different e-mail'],
    ['dlx:eventEmails', 'ops', 'e-mail addresses'],
    ['dlx:eventEmailTypes', 'JobDone', 'one or more of JobCompleted'],
    ['dlx:tags', ['team'], 'a JSON object of up to 50 tags'],
    ['dlx:tags', { '': 'a' }, 'names of 1 to 128'],
    ['dlx:tags', { ['a'.repeat(129)]: 'a' }, 'names of 1 to 128'],
    ['dlx:tags', { 'AWS:team': 'a' }, 'not beginning with aws:'],
    ['dlx:tags', { team: 'puzzles & games' }, 'letters, digits, spaces and _ . : / = + - @'],
    ['dlx:tags', { team: 'a'.repeat(257) }, 'values of 1 to 256'],
    ['dlx:tags', { team: '' }, 'values of 1 to 256'],
    [
      'dlx:tags',
      Object.fromEntries(Array.from({ length: 51 }, (_, k) => [`tag${k}`, 'a'])),
      'a JSON object of up to 50 tags',
    ],
    ['dlx:alarmTopicArn', 'on-call', 'the ARN of an SNS topic'],
    ['dlx:stackName', 'my stack', 'a stack name: letters'],
    ['dlx:schedule', 'cron(0 2 * * *)', 'cron with six fields'],
    ['dlx:schedule', 'every night', 'cron(0 2 * * ? *), rate(12 hours) or at(2026-12-24T18:00:00)'],
    ['dlx:schedule', 'cron(0 25 * * ? *)', '0-23 , - * /'],
    ['dlx:scheduleTimeZone', 'Berlin', 'a name of the IANA time zone database'],
    ['dlx:scheduleFlexibleMinutes', '1441', 'a whole number of minutes from 0 to 1440'],
    ['dlx:scheduleEnabled', 'maybe', 'true or false'],
    ['dlx:graceMinutes', '-1', 'a whole number of minutes from 0 to 10080'],
    ['dlx:runOverdueHours', 169, 'a whole number of hours from 2 to 168'],
  ])(
    'refuses %s of %j, and names the values expected, and where to change it: %s',
    (key, found, expected) => {
      const message = messageOf({ [key]: found });
      expect(message).toContain(`context ${key} is ${JSON.stringify(found)}: expected `);
      expect(message).toContain(expected);
      expect(message).toContain(`change it in cdk.json, or pass -c ${key}=...`);
    },
  );

  it.each(['dlx:memoryMB', 'dlx:', 'dlx:toString', 'dlx:__proto__', 'dlx:constructor'])(
    'refuses the unknown setting %s, and lists the known ones',
    (key) => {
      const message = messageOf({ [key]: 1769 });
      expect(message).toContain(`context ${key} is unknown: expected one of dlx:stackName, dlx:memoryMb, `);
    },
  );

  it.each(['engin', '__proto__', 'constructor'])(
    'refuses the default option %s, which no job accepts',
    (name) => {
      expect(messageOf({ 'dlx:defaultOptions': `{"${name}":"dlx"}` })).toMatch(
        new RegExp(
          `^context dlx:defaultOptions: option "${name}" is unknown: expected one of engine, .*; change it in cdk\\.json`,
        ),
      );
    },
  );
});

describe('cdk.json', () => {
  it('can be read', () => {
    expect(read(cdkJsonContext).props.memoryMb).toBeTypeOf('number');
  });
});

function messageOf(context: Record<string, unknown>): string {
  try {
    read(context);
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(context)}`);
}
