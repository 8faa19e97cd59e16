/** Each line of `dlx-batch doctor` that can fail, broken once. */
import { describe, expect, test } from 'vitest';
import type {
  AlarmState,
  FunctionState,
  ListedRule,
  MappingState,
  QueueState,
  RuleState,
  StackResource,
} from '../../../../lib/aws/stack-inspection.ts';
import { uploadRuleDescription } from '../../../../lib/batch/names.ts';
import {
  checkBootstrap,
  checkIdentity,
  checkOutputs,
  checkResources,
  checkStack,
} from '../../../../lib/cli/remote/doctor/checks/deployment.ts';
import {
  checkCode,
  checkConcurrency,
  checkFunctions,
  checkMemory,
  shardConcurrency,
} from '../../../../lib/cli/remote/doctor/checks/functions.ts';
import {
  alarmTopics,
  checkAlarms,
  checkSchedule,
  checkSilence,
  checkTopic,
} from '../../../../lib/cli/remote/doctor/checks/operation.ts';
import { checkPermissions, simulations } from '../../../../lib/cli/remote/doctor/checks/permissions.ts';
import {
  checkDeadLetters,
  checkInputBucket,
  checkMapping,
  checkPublicAccess,
  checkQueue,
  checkRules,
  checkSharing,
  checkVisibility,
} from '../../../../lib/cli/remote/doctor/checks/uploads.ts';
import { exitStatus } from '../../../../lib/cli/remote/doctor/run-doctor.ts';
import type { Finding } from '../../../../lib/cli/terminal/finding.ts';

const NOW = Date.parse('2026-11-22T20:00:00Z');
const QUEUE_ARN = 'arn:aws:sqs:eu-west-1:111122223333:jobs';

/** `FAIL check: text; what to do`, or without what to do for `ok`. */
function lines(found: Finding | readonly Finding[]): string[] {
  return [found]
    .flat()
    .map(
      ({ status, check, text, todo }) =>
        `${status} ${check}: ${text}${todo === undefined ? '' : `; ${todo}`}`,
    );
}

const FUNCTION: FunctionState = {
  name: 'solve',
  handler: 'solve-batch.handler',
  memoryMb: 1769,
  timeoutSeconds: 900,
  state: 'Active',
  lastUpdate: 'Successful',
  environment: {},
};
const MAPPING: MappingState = {
  state: 'Enabled',
  lastResult: 'OK',
  queueArn: QUEUE_ARN,
  functionArn: 'arn:aws:lambda:eu-west-1:111122223333:function:solve',
  maxConcurrency: 10,
};
const RULE: RuleState = {
  name: 'created',
  state: 'ENABLED',
  pattern: JSON.stringify({ source: ['aws.s3'], detail: { bucket: { name: ['in'] } } }),
  targets: [{ arn: QUEUE_ARN }],
};
const QUEUE: QueueState = { arn: QUEUE_ARN, visible: 0, hidden: 0, visibilitySeconds: 5400 };
const ALARM: AlarmState = {
  name: 'DeadLetters',
  description: 'Redrive.',
  state: 'OK',
  enabled: true,
  actions: [],
};
const RESOURCE: StackResource = {
  logicalId: 'SolveBatchFunction07631115',
  physicalId: 'solve',
  type: 'AWS::Lambda::Function',
  status: 'CREATE_COMPLETE',
};

/** Each case and what the check finds. */
function printed<Given>(
  cases: readonly Given[],
  check: (given: Given) => Finding | readonly Finding[],
): string {
  return cases
    .map((given) => [`${JSON.stringify(given) ?? 'nothing'}:`, ...lines(check(given))].join('\n  '))
    .join('\n');
}

test('identity and region', () => {
  const arn = 'arn:aws:iam::111122223333:user/jane';
  const found = checkIdentity({ account: '111122223333', arn, region: 'eu-west-1' });
  expect(lines(found).join('\n')).toMatchInlineSnapshot(`
    "ok identity: arn:aws:iam::111122223333:user/jane, account 111122223333
    ok region: eu-west-1"
  `);
});

test('the status of the stack', () => {
  const statuses = [
    'CREATE_COMPLETE',
    'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS',
    'UPDATE_IN_PROGRESS',
    'UPDATE_ROLLBACK_COMPLETE',
    'ROLLBACK_COMPLETE',
    'UPDATE_ROLLBACK_FAILED',
    'CREATE_FAILED',
    'DELETE_COMPLETE',
  ];
  const found = printed(statuses, (status) =>
    checkStack('DlxBatch', { status, statusReason: 'a reason', changed: new Date(NOW), outputs: new Map() }),
  );
  expect(found).toMatchInlineSnapshot(`
    ""CREATE_COMPLETE":
      ok stack: DlxBatch is CREATE_COMPLETE since 2026-11-22 20:00 UTC
    "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS":
      ok stack: DlxBatch is UPDATE_COMPLETE_CLEANUP_IN_PROGRESS since 2026-11-22 20:00 UTC
    "UPDATE_IN_PROGRESS":
      warn stack: DlxBatch is UPDATE_IN_PROGRESS since 2026-11-22 20:00 UTC; wait until the deployment has finished, then run doctor again
    "UPDATE_ROLLBACK_COMPLETE":
      warn stack: DlxBatch is UPDATE_ROLLBACK_COMPLETE since 2026-11-22 20:00 UTC: the last deployment failed and was undone, a reason; fix the cause in the events of the stack, then npx cdk deploy
    "ROLLBACK_COMPLETE":
      FAIL stack: DlxBatch is ROLLBACK_COMPLETE since 2026-11-22 20:00 UTC, a reason; fix the cause in the events of the stack, then npx cdk destroy and npx cdk deploy
    "UPDATE_ROLLBACK_FAILED":
      FAIL stack: DlxBatch is UPDATE_ROLLBACK_FAILED since 2026-11-22 20:00 UTC, a reason; fix the cause in the events of the stack, then npx cdk deploy
    "CREATE_FAILED":
      FAIL stack: DlxBatch is CREATE_FAILED since 2026-11-22 20:00 UTC, a reason; fix the cause in the events of the stack, then npx cdk deploy
    "DELETE_COMPLETE":
      FAIL stack: DlxBatch is DELETE_COMPLETE since 2026-11-22 20:00 UTC, a reason; fix the cause in the events of the stack, then npx cdk deploy"
  `);
});

test('missing outputs', () => {
  const outputs = new Map([['InputBucketName', 'in']]);
  const found = lines(checkOutputs({ status: 'CREATE_COMPLETE', outputs }));
  expect(found.join('\n')).toMatchInlineSnapshot(
    `"FAIL outputs: missing ResultsBucketName, QueueUrl, DeadLetterQueueUrl, SolveLargeArn, BulkRunArn, SolveFunctionName; deploy with npx cdk deploy from this version, or add them to your app"`,
  );
});

test('a resource that failed, by the reason of its status', () => {
  const reasons = [
    undefined,
    'Resource handler returned message: "no"',
    "'MemorySize' value failed to satisfy constraint: Member must have value less than or equal to 3008",
  ];
  const found = printed(reasons, (statusReason) => {
    const failed = { ...RESOURCE, status: 'CREATE_FAILED', statusReason };
    return checkResources(statusReason === undefined ? [RESOURCE] : [RESOURCE, failed]);
  });
  expect(found).toMatchInlineSnapshot(`
    "nothing:
      ok resources: 1 resource
    "Resource handler returned message: \\"no\\"":
      FAIL resources: SolveBatchFunction07631115 is CREATE_FAILED: Resource handler returned message: "no"; fix the cause, then deploy with npx cdk deploy
    "'MemorySize' value failed to satisfy constraint: Member must have value less than or equal to 3008":
      FAIL resources: SolveBatchFunction07631115 is CREATE_FAILED: 'MemorySize' value failed to satisfy constraint: Member must have value less than or equal to 3008; this account allows functions of 3008 MiB: deploy with -c dlx:memoryMb=3008 -c dlx:shardMemoryMb=3008, or ask AWS for more"
  `);
});

test('the version of the bootstrap stack', () => {
  expect(printed(['21', '5', undefined], checkBootstrap)).toMatchInlineSnapshot(`
    ""21":
      ok bootstrap: version 21
    "5":
      FAIL bootstrap: version 5, expected 6 or newer; run npx cdk bootstrap
    nothing:
      warn bootstrap: there is no stack CDKToolkit in this region; run npx cdk bootstrap before the next deployment, unless yours has another name"
  `);
});

test('the state of a function', () => {
  const changes: readonly Partial<FunctionState>[] = [
    {},
    { state: 'Inactive' },
    { state: 'Pending' },
    { state: 'Failed', reason: 'EniLimit' },
    { lastUpdate: 'Failed' },
    { reservedConcurrency: 0 },
    { reservedConcurrency: 5 },
  ];
  expect(printed(changes, (change) => checkFunctions([{ ...FUNCTION, ...change }]))).toMatchInlineSnapshot(`
    "{}:
      ok functions: active: 1 function
    {"state":"Inactive"}:
      ok functions: active: 1 function
    {"state":"Pending"}:
      warn functions: solve is Pending; wait a minute, then run doctor again
    {"state":"Failed","reason":"EniLimit"}:
      FAIL functions: solve is Failed, EniLimit; npx cdk deploy
    {"lastUpdate":"Failed"}:
      FAIL functions: the last change of solve failed; fix the cause, then npx cdk deploy
    {"reservedConcurrency":0}:
      FAIL functions: solve has a reserved concurrency of 0, so it never runs; aws lambda delete-function-concurrency --function-name solve
    {"reservedConcurrency":5}:
      ok functions: active: 1 function"
  `);
  expect(lines(checkFunctions([])).join('\n')).toMatchInlineSnapshot(
    `"FAIL functions: the stack has no function; npx cdk deploy"`,
  );
});

test('concurrent executions of the account, unreserved ones, files and shards', () => {
  const cases = [
    { total: 1000, unreserved: 1000, files: 10, shards: 100 },
    { total: 112, unreserved: 112, files: 10, shards: 100 },
    { total: 111, unreserved: 111, files: 10, shards: 100 },
    { total: 1000, unreserved: 870, files: 10, shards: 1000, reserved: true },
    { total: 1000, unreserved: 50, files: 10, shards: 100 },
    { total: 10, unreserved: 10, files: 11, shards: 4 },
    { total: 9, unreserved: 9, files: 10, shards: 4 },
  ];
  const found = printed(cases, ({ total, unreserved, ...settings }) =>
    checkConcurrency({ total, unreserved }, { reserved: false, ...settings }),
  );
  expect(found).toMatchInlineSnapshot(`
    "{"total":1000,"unreserved":1000,"files":10,"shards":100}:
      ok concurrency: 10 files and 100 shards of a large file at the same time; the account allows 1000
    {"total":112,"unreserved":112,"files":10,"shards":100}:
      ok concurrency: 10 files and 100 shards of a large file at the same time; the account allows 112
    {"total":111,"unreserved":111,"files":10,"shards":100}:
      warn concurrency: 10 files and 100 shards of a large file at the same time; the account allows 111; deploy with -c dlx:accountConcurrency=111, or ask AWS for more concurrent executions of Lambda
    {"total":1000,"unreserved":870,"files":10,"shards":1000,"reserved":true}:
      ok concurrency: 10 files and 1000 shards of all large files at the same time; the account allows 1000, 870 unreserved
    {"total":1000,"unreserved":50,"files":10,"shards":100}:
      warn concurrency: 10 files and 100 shards of a large file at the same time; the account allows 1000, 50 unreserved; deploy with -c dlx:accountConcurrency=50, or ask AWS for more concurrent executions of Lambda
    {"total":10,"unreserved":10,"files":11,"shards":4}:
      FAIL concurrency: 11 files and 4 shards of a large file at the same time; the account allows 10; deploy with -c dlx:accountConcurrency=10, or ask AWS for more concurrent executions of Lambda
    {"total":9,"unreserved":9,"files":10,"shards":4}:
      FAIL concurrency: 10 files and 4 shards of a large file at the same time; the account allows 9; ask AWS for more concurrent executions of Lambda (10 at least)"
  `);
});

test('memory, and the shards of the definition', () => {
  const found = lines(checkMemory([FUNCTION, FUNCTION, { ...FUNCTION, memoryMb: 256 }]));
  expect(found.join('\n')).toMatchInlineSnapshot(
    `"ok memory: functions: 2 of 1769 MiB, 1 of 256 MiB, which the account allows"`,
  );
  expect(shardConcurrency('{"States":{"A":{"MaxConcurrency":4},"B":{"MaxConcurrency": 100}}}')).toBe(100);
});

test('code that is deployed, this program with a for solve-batch and b for run-step', () => {
  const own = { 'solve-batch': 'a', 'run-step': 'b' };
  const found = printed([own, { ...own, 'run-step': 'c' }], (deployed) =>
    checkCode(new Map(Object.entries(deployed)), new Map(Object.entries(own)), '1.0.0'),
  );
  expect(found).toMatchInlineSnapshot(`
    "{"solve-batch":"a","run-step":"b"}:
      ok code: this program's: 2 functions
    {"solve-batch":"a","run-step":"c"}:
      warn code: other code than this program (1.0.0): run-step; npx cdk deploy, or use the version of the program that deployed the stack"
  `);
});

test('the bucket for uploads: events, when they were turned on, and versions', () => {
  const on = { sendsEvents: true, versioning: 'Enabled' };
  const cases: readonly { sendsEvents: boolean; versioning: string; since?: string }[] = [
    on,
    { ...on, since: '2026-11-22T19:45:00Z' },
    { ...on, since: '2026-11-22T19:46:00Z' },
    { ...on, sendsEvents: false },
    { ...on, versioning: 'off' },
    { ...on, versioning: 'Suspended' },
  ];
  const found = printed(cases, ({ since, ...state }) =>
    checkInputBucket('in', state, since === undefined ? undefined : new Date(since), NOW),
  );
  expect(found).toMatchInlineSnapshot(`
    "{"sendsEvents":true,"versioning":"Enabled"}:
      ok events: in sends them to EventBridge
      ok versioning: on in in
    {"sendsEvents":true,"versioning":"Enabled","since":"2026-11-22T19:45:00Z"}:
      ok events: in sends them to EventBridge, since 2026-11-22 19:45 UTC or before
      ok versioning: on in in
    {"sendsEvents":true,"versioning":"Enabled","since":"2026-11-22T19:46:00Z"}:
      warn events: in sends them to EventBridge, since 2026-11-22 19:46 UTC or before; wait until 2026-11-22 20:02 UTC; dlx-batch resend KEY sends an upload whose event was lost
      ok versioning: on in in
    {"sendsEvents":false,"versioning":"Enabled"}:
      FAIL events: in sends none to EventBridge, so only scheduled runs solve uploads; npx cdk deploy, or turn on Amazon EventBridge in the notifications of the bucket
      ok versioning: on in in
    {"sendsEvents":true,"versioning":"off"}:
      ok events: in sends them to EventBridge
      FAIL versioning: off in in: each version of an upload is a job; aws s3api put-bucket-versioning --bucket in --versioning-configuration Status=Enabled
    {"sendsEvents":true,"versioning":"Suspended"}:
      ok events: in sends them to EventBridge
      FAIL versioning: Suspended in in: each version of an upload is a job; aws s3api put-bucket-versioning --bucket in --versioning-configuration Status=Enabled"
  `);
  expect(
    printed([true, false, undefined], (blocks) => checkPublicAccess('in', blocks)),
  ).toMatchInlineSnapshot(`
    "true:
      ok public: in blocks public access
    false:
      FAIL public: in does not block public access; aws s3api put-public-access-block --bucket in --public-access-block-configuration BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true
    nothing:
      FAIL public: in does not block public access; aws s3api put-public-access-block --bucket in --public-access-block-configuration BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true"
  `);
});

describe('other stacks with the same uploads', () => {
  const rule = (
    name: string,
    bucket: string,
    prefix: string,
    change: Partial<ListedRule> = {},
  ): ListedRule => ({
    name,
    state: 'ENABLED',
    description: uploadRuleDescription(prefix),
    pattern: JSON.stringify({
      source: ['aws.s3'],
      detail: { bucket: { name: [bucket] }, object: { key: [{ prefix }] } },
    }),
    ...change,
  });

  test('are found by their rules', () => {
    const OWN = rule('own', 'in', 'inbox/');
    const others = {
      'in the same folder': rule('twin', 'in', 'inbox/'),
      'in a folder of it': rule('part', 'in', 'inbox/a/'),
      'in another folder': rule('far', 'in', 'later/'),
      'in another bucket': rule('else', 'out', 'inbox/'),
      'that is off': rule('off', 'in', 'inbox/', { state: 'DISABLED' }),
      'of another program': rule('audit', 'in', 'inbox/', { description: 'Audit' }),
      'with a schedule': rule('timer', 'in', '', { pattern: undefined }),
    };
    const found = printed(Object.keys(others) as (keyof typeof others)[], (what) =>
      [checkSharing([OWN, others[what]], ['own'], 'in')].flat(),
    );
    expect(found).toMatchInlineSnapshot(`
      ""in the same folder":
        FAIL shared: another stack solves the same uploads of in, so each is solved and billed twice: its rule is twin; give each stack its own inboxPrefix and scheduledPrefix, or destroy one
      "in a folder of it":
        FAIL shared: another stack solves the same uploads of in, so each is solved and billed twice: its rule is part; give each stack its own inboxPrefix and scheduledPrefix, or destroy one
      "in another folder":
        ok shared: no other stack solves the uploads of in
      "in another bucket":
        ok shared: no other stack solves the uploads of in
      "that is off":
        ok shared: no other stack solves the uploads of in
      "of another program":
        ok shared: no other stack solves the uploads of in
      "with a schedule":
        ok shared: no other stack solves the uploads of in"
    `);
  });
});

test('the rules of uploads', () => {
  const changes: Readonly<Record<string, Partial<RuleState>>> = {
    'that sends uploads': {},
    'that is off': { state: 'DISABLED' },
    'without a target': { targets: [] },
    'to another queue': { targets: [{ arn: 'arn:other' }] },
    'of another bucket': { pattern: RULE.pattern!.replace('"in"', '"other"') },
    'with a schedule': { pattern: undefined },
  };
  const found = printed(Object.keys(changes), (what) =>
    checkRules([{ ...RULE, ...changes[what] }], 'in', QUEUE_ARN),
  );
  expect(found).toMatchInlineSnapshot(`
    ""that sends uploads":
      ok rule: created is enabled and sends to jobs
    "that is off":
      FAIL rule: created is DISABLED; aws events enable-rule --name created
    "without a target":
      FAIL rule: created has no target; npx cdk deploy
      FAIL rule: no rule sends events of in to jobs, so only scheduled runs solve uploads; npx cdk deploy
    "to another queue":
      ok rule: created is enabled and sends to other
      FAIL rule: no rule sends events of in to jobs, so only scheduled runs solve uploads; npx cdk deploy
    "of another bucket":
      ok rule: created is enabled and sends to jobs
      FAIL rule: no rule sends events of in to jobs, so only scheduled runs solve uploads; npx cdk deploy
    "with a schedule":
      ok rule: created is enabled and sends to jobs
      FAIL rule: no rule sends events of in to jobs, so only scheduled runs solve uploads; npx cdk deploy"
  `);
  expect(lines(checkRules([], 'in', QUEUE_ARN)).join('\n')).toMatchInlineSnapshot(
    `"FAIL rule: no rule sends events of in to jobs, so only scheduled runs solve uploads; npx cdk deploy"`,
  );
});

test('the event source mapping', () => {
  const changes: readonly (Partial<MappingState> | undefined)[] = [
    {},
    undefined,
    { queueArn: 'arn:other' },
    { state: 'Disabled' },
    { state: 'Creating' },
    { lastResult: 'PROBLEM: Function call failed' },
    { lastResult: 'PROBLEM: access denied' },
  ];
  const found = printed(changes, (change) =>
    checkMapping(change === undefined ? [] : [{ ...MAPPING, ...change }], QUEUE_ARN),
  );
  expect(found).toMatchInlineSnapshot(`
    "{}:
      ok mapping: jobs to solve is Enabled, at most 10 at once; last result: OK
    nothing:
      FAIL mapping: no function receives messages of jobs; npx cdk deploy
    {"queueArn":"arn:other"}:
      FAIL mapping: no function receives messages of jobs; npx cdk deploy
    {"state":"Disabled"}:
      FAIL mapping: jobs to solve is Disabled, at most 10 at once; last result: OK; enable the event source mapping of the function (aws lambda update-event-source-mapping)
    {"state":"Creating"}:
      warn mapping: jobs to solve is Creating, at most 10 at once; last result: OK; wait a minute, then run doctor again
    {"lastResult":"PROBLEM: Function call failed"}:
      warn mapping: jobs to solve is Enabled, at most 10 at once; last result: PROBLEM: Function call failed; the message is retried; the log of the function has the cause
    {"lastResult":"PROBLEM: access denied"}:
      FAIL mapping: jobs to solve is Enabled, at most 10 at once; last result: PROBLEM: access denied; fix what the last result names"
  `);
});

test('the queues: visibility timeout in seconds, age of the oldest message, dead letters', () => {
  const visibility = printed([5400, 5399, 899], (visibilitySeconds) =>
    checkVisibility({ ...QUEUE, visibilitySeconds }, 900),
  );
  expect(visibility).toMatchInlineSnapshot(`
    "5400:
      ok visibility: visibility timeout 5400 s, function timeout 900 s
    5399:
      warn visibility: visibility timeout 5399 s, function timeout 900 s; set the visibility timeout to 5400 s: npx cdk deploy
    899:
      FAIL visibility: visibility timeout 899 s, function timeout 900 s: a message is delivered again while it is solved; set the visibility timeout to 5400 s: npx cdk deploy"
  `);
  const waiting = { ...QUEUE, visible: 1234, hidden: 2 };
  expect(printed([undefined, 5400, 5401], (seconds) => checkQueue(waiting, seconds))).toMatchInlineSnapshot(`
    "nothing:
      ok queue: jobs: 1,234 waiting, 2 in progress or hidden
    5400:
      ok queue: jobs: 1,234 waiting, 2 in progress or hidden, the oldest for 90 min
    5401:
      warn queue: jobs: 1,234 waiting, 2 in progress or hidden, the oldest for 90 min; the function crashed (its log has the cause), or uploads arrive faster than dlx:maxConcurrency allows"
  `);
  const filled = [QUEUE, { ...QUEUE, visible: 3, hidden: 1 }];
  const dead = [
    checkDeadLetters([QUEUE, QUEUE], QUEUE_ARN),
    checkDeadLetters(filled, QUEUE_ARN),
    checkDeadLetters(filled, undefined),
  ];
  expect(lines(dead.flat()).join('\n')).toMatchInlineSnapshot(`
    "ok dead: no dead letters in 2 queues
    FAIL dead: 4 in jobs; fix the cause, which the log and status/ have, then dlx-batch redrive
    FAIL dead: 4 in jobs; each message names what was not delivered: dlx-batch redrive sends uploads, dlx-batch run starts a bulk run"
  `);
});

test('the schedule', () => {
  const cases = [
    { state: 'ENABLED', expression: 'cron(0 2 * * ? *)', timeZone: 'Europe/Berlin' },
    { state: 'ENABLED', expression: 'rate(12 hours)', timeZone: 'UTC' },
    { state: 'ENABLED', expression: 'at(2026-01-01T00:00:00)', timeZone: 'UTC' },
    { state: 'DISABLED', expression: 'cron(0 2 * * ? *)', timeZone: 'UTC' },
  ];
  expect(printed(cases, (schedule) => checkSchedule(schedule, NOW))).toMatchInlineSnapshot(`
    "{"state":"ENABLED","expression":"cron(0 2 * * ? *)","timeZone":"Europe/Berlin"}:
      ok schedule: cron(0 2 * * ? *) Europe/Berlin, next run 2026-11-23 01:00 UTC
    {"state":"ENABLED","expression":"rate(12 hours)","timeZone":"UTC"}:
      ok schedule: rate(12 hours) is enabled
    {"state":"ENABLED","expression":"at(2026-01-01T00:00:00)","timeZone":"UTC"}:
      warn schedule: at(2026-01-01T00:00:00) UTC never fires again; dlx-batch run starts a run now; set another dlx:schedule
    {"state":"DISABLED","expression":"cron(0 2 * * ? *)","timeZone":"UTC"}:
      warn schedule: cron(0 2 * * ? *) is DISABLED: uploads under scheduled/, and those whose event was lost, wait; dlx-batch run starts a run now; dlx:scheduleEnabled=true enables the schedule"
  `);
});

test('the alarms', () => {
  const changes: readonly (Partial<AlarmState> | undefined)[] = [
    {},
    { state: 'ALARM' },
    undefined,
    { enabled: false },
  ];
  const found = printed(changes, (change) =>
    checkAlarms(['DeadLetters'], change === undefined ? [] : [{ ...ALARM, ...change }]),
  );
  expect(found).toMatchInlineSnapshot(`
    "{}:
      ok alarms: 1 alarm, none raised
    {"state":"ALARM"}:
      warn alarms: DeadLetters is raised; Redrive.
    nothing:
      FAIL alarms: DeadLetters does not exist; npx cdk deploy
    {"enabled":false}:
      warn alarms: actions are off: DeadLetters; aws cloudwatch enable-alarm-actions
      ok alarms: 1 alarm, none raised"
  `);
});

test('the topics of alarms', () => {
  const topic = 'arn:aws:sns:eu-west-1:111122223333:ops';
  const actions = [topic, 'arn:aws:lambda:eu-west-1:111122223333:function:pager'];
  expect(alarmTopics([ALARM, { ...ALARM, actions }, { ...ALARM, actions }])).toEqual({
    topics: [topic],
    silent: 1,
  });
  expect(printed([0, 2], checkSilence)).toMatchInlineSnapshot(`
    "0:
    2:
      warn notified: no action: 2 alarms; deploy with -c dlx:alarmEmails=ADDRESS, or with -c dlx:alarmTopicArn=ARN of an SNS topic with a subscription"
  `);
  const subscriptions = [
    { confirmed: 2, pending: 0 },
    { confirmed: 0, pending: 1 },
    { confirmed: 0, pending: 0 },
  ];
  expect(printed(subscriptions, (counts) => checkTopic(topic, counts))).toMatchInlineSnapshot(`
    "{"confirmed":2,"pending":0}:
      ok notified: arn:aws:sns:eu-west-1:111122223333:ops has 2 subscriptions
    {"confirmed":0,"pending":1}:
      warn notified: arn:aws:sns:eu-west-1:111122223333:ops has no subscription, 1 not confirmed; confirm it: the link is in the e-mail that SNS sent
    {"confirmed":0,"pending":0}:
      warn notified: arn:aws:sns:eu-west-1:111122223333:ops has no subscription; aws sns subscribe --topic-arn arn:aws:sns:eu-west-1:111122223333:ops --protocol email --notification-endpoint ADDRESS"
  `);
});

describe('the permissions', () => {
  const names = {
    arnNamed: (name: string) => (name === 'Missing' ? undefined : `arn:${name}:stateMachine:x`),
    keyOf: (_bucket: string, key: string) => `folder/${key}`,
  };

  test('are asked for once for each role and its resources', () => {
    const { requests, unknown } = simulations(names, [
      'Role s3:GetObject {Input}:inbox/KEY',
      'Role s3:GetObjectVersion {Input}:inbox/KEY',
      'Role s3:ListBucket {Input}',
      'Role lambda:InvokeFunction {Function}:VERSION',
      'Role states:DescribeExecution {Machine}:EXECUTION',
      'Role sns:Publish {Missing}',
    ]);
    const roleArn = 'arn:Role:stateMachine:x';
    expect(requests).toEqual([
      {
        roleArn,
        actions: ['s3:GetObject', 's3:GetObjectVersion'],
        resources: ['arn:Input:stateMachine:x/folder/inbox/KEY'],
      },
      { roleArn, actions: ['s3:ListBucket'], resources: ['arn:Input:stateMachine:x'] },
      { roleArn, actions: ['lambda:InvokeFunction'], resources: ['arn:Function:stateMachine:x:1'] },
      { roleArn, actions: ['states:DescribeExecution'], resources: ['arn:Machine:execution:x:doctor'] },
    ]);
    expect(unknown).toEqual(['Role sns:Publish {Missing}']);
  });

  test('that are denied, by the policies of the role or by the organisation', () => {
    const allowed = {
      roleArn: 'arn:aws:iam::1:role/Solve',
      action: 's3:GetObject',
      resource: 'arn:aws:s3:::in/a',
      isAllowed: true,
      decision: 'allowed',
    };
    expect(lines(checkPermissions([allowed], [])).join('\n')).toMatchInlineSnapshot(
      `"ok permissions: allowed: 1 call of 1 role"`,
    );
    const found = printed(['implicitDeny', 'implicitDeny by the organisation'], (decision) =>
      checkPermissions([allowed, { ...allowed, isAllowed: false, decision }], ['Role sns:Publish {Topic}']),
    );
    expect(found).toMatchInlineSnapshot(`
      ""implicitDeny":
        FAIL permissions: Solve may not call s3:GetObject on arn:aws:s3:::in/a (implicitDeny); npx cdk deploy
        FAIL permissions: the stack does not have what "Role sns:Publish {Topic}" names; npx cdk deploy from this version
      "implicitDeny by the organisation":
        FAIL permissions: Solve may not call s3:GetObject on arn:aws:s3:::in/a (implicitDeny by the organisation); ask the administrators of the account to allow it
        FAIL permissions: the stack does not have what "Role sns:Publish {Topic}" names; npx cdk deploy from this version"
    `);
  });
});

test('the exit status is 1 if a check failed, and 0 if checks only warned', () => {
  const warned: Finding = { check: 'queue', status: 'warn', text: 'slow', todo: 'wait' };
  expect(exitStatus([warned])).toBe(0);
  expect(exitStatus([warned, { ...warned, status: 'FAIL' }])).toBe(1);
});
