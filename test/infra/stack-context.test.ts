import { RootConstruct } from 'constructs';
import { describe, expect, it } from 'vitest';
import { ContextError, readStackContext, type StackContext } from '../../lib/infra/stack-context.ts';
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

  it.each([
    { how: 'a number, as in cdk.json', context: { 'dlx:memoryMb': 3008 }, props: { memoryMb: 3008 } },
    { how: 'text, as after -c', context: { 'dlx:memoryMb': '3008' }, props: { memoryMb: 3008 } },
    { how: 'the least memory', context: { 'dlx:memoryMb': 128 }, props: { memoryMb: 128 } },
    { how: 'the most memory', context: { 'dlx:memoryMb': 10_240 }, props: { memoryMb: 10_240 } },
    { how: 'the longest timeout', context: { 'dlx:timeoutSeconds': 900 }, props: { timeoutSeconds: 900 } },
    { how: 'the least concurrency', context: { 'dlx:maxConcurrency': '2' }, props: { maxConcurrency: 2 } },
    { how: 'memory of shards', context: { 'dlx:shardMemoryMb': '3538' }, props: { shardMemoryMb: 3538 } },
    {
      how: 'the most shards',
      context: { 'dlx:shardConcurrency': 10_000 },
      props: { shardConcurrency: 10_000 },
    },
    {
      how: 'the concurrency of a new account',
      context: { 'dlx:accountConcurrency': '10' },
      props: { accountConcurrency: 10 },
    },
    {
      how: 'a retention that CloudWatch knows',
      context: { 'dlx:logRetentionDays': '365' },
      props: { logRetentionDays: 365 },
    },
    {
      how: 'options as an object',
      context: { 'dlx:defaultOptions': { engine: 'dlx', solutions: 1, records: true } },
      props: { defaultOptions: { engine: 'dlx', solutions: '1', records: 'true' } },
    },
    {
      how: 'options as JSON text',
      context: { 'dlx:defaultOptions': '{"max-nodes":"1000"}' },
      props: { defaultOptions: { 'max-nodes': '1000' } },
    },
    {
      how: 'a topic in another partition',
      context: { 'dlx:alarmTopicArn': 'arn:aws-cn:sns:cn-north-1:111122223333:on-call' },
      props: { alarmTopicArn: 'arn:aws-cn:sns:cn-north-1:111122223333:on-call' },
    },
    {
      how: 'tags as an object',
      context: { 'dlx:tags': { team: 'puzzles', 'cost-centre': 4711 } },
      props: { tags: { team: 'puzzles', 'cost-centre': '4711' } },
    },
    {
      how: 'tags as JSON text',
      context: { 'dlx:tags': '{"team":"puzzles + games"}' },
      props: { tags: { team: 'puzzles + games' } },
    },
    {
      how: 'the ARN of an event bus',
      context: { 'dlx:eventBus': 'arn:aws:events:eu-west-1:111122223333:event-bus/mine' },
      props: { eventBus: 'arn:aws:events:eu-west-1:111122223333:event-bus/mine' },
    },
    { how: 'the name of an event bus', context: { 'dlx:eventBus': 'mine' }, props: { eventBus: 'mine' } },
    {
      how: 'e-mail addresses as a list',
      context: { 'dlx:eventEmails': ['a@example.com', "o'b+x@mail.example.org"] },
      props: { eventEmails: ['a@example.com', "o'b+x@mail.example.org"] },
    },
    {
      how: 'e-mail addresses and types of events as text',
      context: { 'dlx:eventEmails': 'a@example.com, b@example.com', 'dlx:eventEmailTypes': '["JobFailed"]' },
      props: { eventEmails: ['a@example.com', 'b@example.com'], eventEmailTypes: ['JobFailed'] },
    },
    {
      how: 'context of other tools, which is ignored',
      context: { memoryMb: 'much', 'other:memoryMb': 1 },
      props: {},
    },
  ])('accepts $how', ({ context, props }) => {
    expect(read(context).props).toEqual(props);
  });

  it('names the stack', () => {
    expect(read({ 'dlx:stackName': 'puzzles-test' }).stackName).toBe('puzzles-test');
  });

  it.each([
    {
      what: 'too little memory',
      key: 'dlx:memoryMb',
      found: 127,
      expected: 'a whole number of MiB from 128 to 10240',
    },
    {
      what: 'too much memory',
      key: 'dlx:memoryMb',
      found: '10241',
      expected: 'a whole number of MiB from 128 to 10240',
    },
    { what: 'memory with a fraction', key: 'dlx:memoryMb', found: 1769.5, expected: 'a whole number of MiB' },
    { what: 'memory with its unit', key: 'dlx:memoryMb', found: '2GB', expected: 'a whole number of MiB' },
    { what: 'memory left empty', key: 'dlx:memoryMb', found: '', expected: 'a whole number of MiB' },
    {
      what: 'a timeout that leaves no time',
      key: 'dlx:timeoutSeconds',
      found: 59,
      expected: 'seconds from 60 to 900',
    },
    {
      what: 'a timeout over the limit of Lambda',
      key: 'dlx:timeoutSeconds',
      found: 901,
      expected: 'seconds from 60 to 900',
    },
    { what: 'a concurrency of one', key: 'dlx:maxConcurrency', found: '1', expected: 'from 2 to 1000' },
    {
      what: 'a concurrency over the limit of SQS',
      key: 'dlx:maxConcurrency',
      found: 1001,
      expected: 'from 2 to 1000',
    },
    {
      what: 'no shard at a time',
      key: 'dlx:shardConcurrency',
      found: 0,
      expected: 'a whole number of concurrent shards from 1 to 10000',
    },
    {
      what: 'an account below the minimum of AWS',
      key: 'dlx:accountConcurrency',
      found: 9,
      expected: 'concurrent executions from 10 to 100000',
    },
    {
      what: 'a shard without memory',
      key: 'dlx:shardMemoryMb',
      found: '0',
      expected: 'a whole number of MiB',
    },
    {
      what: 'versions of uploads that a large job may still need',
      key: 'dlx:uploadVersionDays',
      found: 20,
      expected: 'a whole number of days from 21',
    },
    {
      what: 'no days',
      key: 'dlx:noncurrentVersionDays',
      found: 0,
      expected: 'a whole number of days from 1',
    },
    {
      what: 'a retention of a hundred days',
      key: 'dlx:logRetentionDays',
      found: 100,
      expected: 'a retention of CloudWatch in days: 1, 3, 5, 7',
    },
    {
      what: 'an expiry before a large file is solved',
      key: 'dlx:inputExpiryDays',
      found: 20,
      expected: 'a whole number of days from 21',
    },
    {
      what: 'a key by its alias',
      key: 'dlx:encryptionKey',
      found: 'alias/mine',
      expected: 'create, or the ARN of a KMS key',
    },
    {
      what: 'a boundary by its name',
      key: 'dlx:permissionsBoundaryArn',
      found: 'boundary',
      expected: 'the ARN of a managed policy',
    },
    {
      what: 'a bucket by its ARN',
      key: 'dlx:puzzleBucketName',
      found: 'arn:aws:s3:::mine',
      expected: 'the name of a bucket',
    },
    { what: 'some tracing', key: 'dlx:tracing', found: 'some', expected: 'true or false' },
    {
      what: 'an endless retention',
      key: 'dlx:logRetentionDays',
      found: 9999,
      expected: 'a retention of CloudWatch in days',
    },
    {
      what: 'options that are not JSON',
      key: 'dlx:defaultOptions',
      found: 'engine=dlx',
      expected: 'a JSON object of options by name',
    },
    {
      what: 'options in a list',
      key: 'dlx:defaultOptions',
      found: ['dlx'],
      expected: 'a JSON object of options by name',
    },
    {
      what: 'an option that is an object',
      key: 'dlx:defaultOptions',
      found: { box: [2, 3] },
      expected: 'a JSON object of options by name',
    },
    {
      what: 'an event bus that is a URL',
      key: 'dlx:eventBus',
      found: 'https://example.com',
      expected: 'the name or the ARN of an event bus',
    },
    { what: 'no address', key: 'dlx:eventEmails', found: [], expected: 'different e-mail addresses' },
    {
      what: 'an address twice',
      key: 'dlx:eventEmails',
      found: 'a@b.de,a@b.de',
      expected: 'different e-mail',
    },
    {
      what: 'a name instead of an address',
      key: 'dlx:eventEmails',
      found: 'ops',
      expected: 'e-mail addresses',
    },
    {
      what: 'an unknown event',
      key: 'dlx:eventEmailTypes',
      found: 'JobDone',
      expected: 'one or more of JobCompleted',
    },
    { what: 'tags in a list', key: 'dlx:tags', found: ['team'], expected: 'a JSON object of up to 50 tags' },
    { what: 'a tag without a name', key: 'dlx:tags', found: { '': 'a' }, expected: 'names of 1 to 128' },
    {
      what: 'a tag with a name that is too long',
      key: 'dlx:tags',
      found: { ['a'.repeat(129)]: 'a' },
      expected: 'names of 1 to 128',
    },
    {
      what: 'a tag with a name reserved by AWS',
      key: 'dlx:tags',
      found: { 'AWS:team': 'a' },
      expected: 'not beginning with aws:',
    },
    {
      what: 'a tag with a character that not every service accepts',
      key: 'dlx:tags',
      found: { team: 'puzzles & games' },
      expected: 'letters, digits, spaces and _ . : / = + - @',
    },
    {
      what: 'a tag with a value that is too long',
      key: 'dlx:tags',
      found: { team: 'a'.repeat(257) },
      expected: 'values of 1 to 256',
    },
    { what: 'a tag without a value', key: 'dlx:tags', found: { team: '' }, expected: 'values of 1 to 256' },
    {
      what: 'more tags than a resource can have',
      key: 'dlx:tags',
      found: Object.fromEntries(Array.from({ length: 51 }, (_, k) => [`tag${k}`, 'a'])),
      expected: 'a JSON object of up to 50 tags',
    },
    {
      what: 'a topic by its name',
      key: 'dlx:alarmTopicArn',
      found: 'on-call',
      expected: 'the ARN of an SNS topic',
    },
    {
      what: 'a stack name with a space',
      key: 'dlx:stackName',
      found: 'my stack',
      expected: 'a stack name: letters',
    },
  ])(
    'refuses $what, and names the value found, the values expected, and where to change it',
    ({ key, found, expected }) => {
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
    if (error instanceof ContextError) return error.message;
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(context)}`);
}
