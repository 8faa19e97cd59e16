/** Settings of `cdk.json` have the same effect in the local stack as in AWS. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FunctionName } from '../../functions/bundle.ts';
import { ENVIRONMENT } from '../../lib/batch/names.ts';
import { StackAccess } from '../../lib/local/access/stack-access.ts';
import type { FunctionHostOptions } from '../../lib/local/functions/function-host.ts';
import { Functions } from '../../lib/local/functions/functions.ts';
import { type LocalStack, scheduleOf, startLocalStack } from '../../lib/local/stack.ts';
import { namesOf, type StackTemplate } from '../../lib/local/template.ts';
import { templateWith } from '../infra/synthesised.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from './fixture-function.ts';

/** A value of each setting that is not its default. */
const SET = {
  stackName: 'Puzzles',
  memoryMb: 1234,
  timeoutSeconds: 321,
  accountConcurrency: 300,
  maxConcurrency: 3,
  shardMemoryMb: 2345,
  shardConcurrency: 7,
  schedule: 'cron(30 4 * * ? *)',
  scheduleTimeZone: 'Asia/Tokyo',
  graceMinutes: 11,
  maxUnpackedMb: 12,
  maxWritten: 13,
  maxOutputMb: 14,
  maxJobNodes: 15_000,
  defaultOptions: { strict: 'true' },
  eventBus: 'my-bus',
};

/** What has no counterpart on one machine, and why. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  scheduleFlexibleMinutes: 'a run starts at the beginning of its window',
  runOverdueHours: 'there are no alarms',
  alarmEmails: 'there are no alarms',
  alarmTopicArn: 'there are no alarms',
  eventEmails: 'no e-mails are sent',
  eventEmailTypes: 'no e-mails are sent',
  logRetentionDays: 'the log is that of the process',
  noncurrentVersionDays: 'nothing expires',
  uploadVersionDays: 'nothing expires',
  inputExpiryDays: 'nothing expires',
  resultExpiryDays: 'nothing expires',
  dashboard: 'there is none',
  tracing: 'there is no X-Ray',
  tags: 'there are no tags',
  permissionsBoundaryArn: 'its policy is in an account',
  encryptionKey: 'there is no KMS',
  puzzleBucketName: 'the bucket is in an account',
  puzzleBucketKeyArn: 'the bucket is in an account',
  resultsBucketName: 'the bucket is in an account',
  resultsBucketKeyArn: 'the bucket is in an account',
};

let template: StackTemplate;
let stack: LocalStack;
let running = 0;
/** Rejects the invocations, which do not end before. */
const closed = Promise.withResolvers<never>();
closed.promise.catch(() => {});

beforeAll(async () => {
  template = templateOf(SET);
  stack = await startLocalStack({
    dataDir: temporaryFolder(afterAll),
    codeDir: temporaryFolder(afterAll),
    template,
    concurrency: SET.maxConcurrency + 2,
    schedule: true,
    jobLimits: { 'max-written': '99' },
    startFunction: () => ({
      invoke: () => {
        running++;
        return closed.promise;
      },
      close: async () => closed.reject(new Error('closed')),
    }),
  });
});

afterAll(() => stack.close());

function templateOf(settings: Readonly<Record<string, unknown>>): StackTemplate {
  const context = Object.entries(settings).map(([name, value]) => [`dlx:${name}`, value]);
  return templateWith(Object.fromEntries(context)).toJSON() as StackTemplate;
}

/** How a function of the template runs here. */
function hostOf(name: FunctionName): FunctionHostOptions {
  let host: FunctionHostOptions | undefined;
  const functions = new Functions({
    endpoint: stack.endpoint,
    access: new StackAccess(template, namesOf(template, stack.endpoint, 'd'), stack),
    deployment: () => ({ id: 'd', template, codeDir: '' }),
    environment: {},
    jobLimits: { 'max-written': '99' },
    concurrency: 50,
    start(options) {
      host = options;
      return { invoke: async () => ({ requestId: '', ok: true, payload: null }), close: async () => {} };
    },
  });
  void functions.invokeNewest(name, {});
  return host!;
}

test('every setting has its effect here, or a reason why it has none', () => {
  const unknown = (() => {
    try {
      templateOf({ '?': 1 });
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  })();
  const known = Array.from(unknown.matchAll(/dlx:(\w+)/g), ([, name]) => name!);
  expect(known.length).toBeGreaterThan(30);
  const tested = [...Object.keys(SET), 'scheduleEnabled', ...Object.keys(WITHOUT_EFFECT)];
  expect(tested.sort()).toEqual([...new Set(known)].sort());
});

test('memory, timeout and variables of the function that solves', () => {
  const { configuration, timeoutMs } = hostOf('solve-batch');
  const { environment } = configuration;
  expect([configuration.memoryMb, timeoutMs]).toEqual([SET.memoryMb, 1000 * SET.timeoutSeconds]);
  expect(JSON.parse(environment[ENVIRONMENT.defaultOptions]!)).toEqual(SET.defaultOptions);
  expect(environment[ENVIRONMENT.stackName]).toBe(SET.stackName);
  expect(environment[ENVIRONMENT.eventBus]).toMatch(new RegExp(`/${SET.eventBus}$`));
});

test('limits of every function that solves; an option of the local stack overrides its own alone', () => {
  const expected = {
    'max-unpacked-mb': '12',
    'max-written': '99',
    'max-output-mb': '14',
    'max-job-nodes': '15000',
  };
  for (const { configuration } of [hostOf('solve-batch'), hostOf('solve-shard')]) {
    expect(JSON.parse(configuration.environment[ENVIRONMENT.jobLimits]!)).toEqual(expected);
  }
});

test('the functions of the state machines, and the shards that are solved at the same time', () => {
  expect(hostOf('solve-shard').configuration.memoryMb).toBe(SET.shardMemoryMb);
  expect(hostOf('solve-shard').concurrency).toBe(SET.shardConcurrency);
  expect(hostOf('solve-shard').timeoutMs).toBe(1000 * SET.timeoutSeconds);
  const { environment } = hostOf('run-step').configuration;
  expect(environment[ENVIRONMENT.graceMinutes]).toBe(String(SET.graceMinutes));
  expect(JSON.stringify(template.Resources)).toContain(`\\"MaxConcurrency\\":${SET.shardConcurrency}`);
});

test('no more files are solved at the same time', async () => {
  for (let k = 0; k <= SET.maxConcurrency; k++) stack.send(`message ${k}`);
  await eventually(() => expect(running).toBe(SET.maxConcurrency));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(running).toBe(SET.maxConcurrency);
});

test('the schedule with its time zone, unless it is disabled', () => {
  expect(scheduleOf({ schedule: true }, template)).toEqual({
    expression: SET.schedule,
    timeZone: SET.scheduleTimeZone,
  });
  expect(scheduleOf({ schedule: true }, templateOf({ scheduleEnabled: false }))).toBeUndefined();
});
