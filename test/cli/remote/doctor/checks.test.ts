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

test('identity and region are shown', () => {
  const identity = {
    account: '111122223333',
    arn: 'arn:aws:iam::111122223333:user/jane',
    region: 'eu-west-1',
  };
  expect(lines(checkIdentity(identity))).toEqual([
    'ok identity: arn:aws:iam::111122223333:user/jane, account 111122223333',
    'ok region: eu-west-1',
  ]);
});

describe('the stack', () => {
  test.each([
    ['CREATE_COMPLETE', /^ok stack: DlxBatch is CREATE_COMPLETE since 2026-11-22 20:00 UTC$/],
    ['UPDATE_COMPLETE_CLEANUP_IN_PROGRESS', /^ok /],
    ['UPDATE_IN_PROGRESS', /^warn .*; wait until the deployment has finished/],
    [
      'UPDATE_ROLLBACK_COMPLETE',
      /^warn .*the last deployment failed and was undone, a reason; fix the cause/,
    ],
    ['ROLLBACK_COMPLETE', /^FAIL .*, a reason; .*npx cdk destroy and npx cdk deploy$/],
    ['UPDATE_ROLLBACK_FAILED', /^FAIL .*; fix the cause in the events of the stack, then npx cdk deploy$/],
    ['CREATE_FAILED', /^FAIL /],
    ['DELETE_COMPLETE', /^FAIL /],
  ])('%s', (status, expected) => {
    const state = { status, statusReason: 'a reason', changed: new Date(NOW), outputs: new Map() };
    expect(lines(checkStack('DlxBatch', state))).toEqual([expect.stringMatching(expected)]);
  });

  test('without an output', () => {
    const state = { status: 'CREATE_COMPLETE', outputs: new Map([['InputBucketName', 'in']]) };
    expect(lines(checkOutputs(state))).toEqual([
      expect.stringMatching(
        /^FAIL outputs: missing ResultsBucketName, QueueUrl, .*; deploy with npx cdk deploy/,
      ),
    ]);
  });

  test.each([
    ['Resource handler returned message: "no"', /; fix the cause, then deploy with npx cdk deploy$/],
    [
      "'MemorySize' value failed to satisfy constraint: Member must have value less than or equal to 3008",
      /; this account allows functions of 3008 MiB: deploy with -c dlx:memoryMb=3008 -c dlx:shardMemoryMb=3008/,
    ],
  ])('with a resource that failed: %s', (statusReason, advice) => {
    const failed = { ...RESOURCE, status: 'CREATE_FAILED', statusReason };
    expect(lines(checkResources([RESOURCE]))).toEqual(['ok resources: 1 resource']);
    const [line, ...others] = lines(checkResources([RESOURCE, failed]));
    expect(line).toContain(`FAIL resources: SolveBatchFunction07631115 is CREATE_FAILED: ${statusReason}`);
    expect(line).toMatch(advice);
    expect(others).toEqual([]);
  });

  test.each([
    ['21', 'ok bootstrap: version 21'],
    ['5', 'FAIL bootstrap: version 5, expected 6 or newer; run npx cdk bootstrap'],
    [undefined, /^warn bootstrap: there is no stack CDKToolkit in this region; run npx cdk bootstrap/],
  ])('bootstrapped with version %s', (version, expected) => {
    expect(lines(checkBootstrap(version))).toEqual([expect.stringMatching(expected)]);
  });
});

describe('the functions', () => {
  test.each([
    [{}, /^ok functions: active: 1 function$/],
    [{ state: 'Inactive' }, /^ok /],
    [{ state: 'Pending' }, /^warn functions: solve is Pending; wait/],
    [{ state: 'Failed', reason: 'EniLimit' }, /^FAIL functions: solve is Failed, EniLimit; npx cdk deploy$/],
    [{ lastUpdate: 'Failed' }, /^FAIL functions: the last change of solve failed; fix the cause/],
    [
      { reservedConcurrency: 0 },
      /^FAIL functions: .*never runs; aws lambda delete-function-concurrency --function-name solve$/,
    ],
    [{ reservedConcurrency: 5 }, /^ok /],
  ])('%j', (change, expected) => {
    expect(lines(checkFunctions([{ ...FUNCTION, ...change }]))).toEqual([expect.stringMatching(expected)]);
  });

  test('that do not exist', () => {
    expect(lines(checkFunctions([]))).toEqual(['FAIL functions: the stack has no function; npx cdk deploy']);
  });

  test.each([
    [
      1000,
      1000,
      { files: 10, shards: 100 },
      /^ok concurrency: 10 files and 100 shards .*; the account allows 1000$/,
    ],
    [112, 112, { files: 10, shards: 100 }, /^ok /],
    [111, 111, { files: 10, shards: 100 }, /^warn .*; deploy with -c dlx:accountConcurrency=111, or ask AWS/],
    [
      1000,
      870,
      { files: 10, shards: 1000, reserved: true },
      /^ok concurrency: 10 files and 1000 shards of all large files at the same time; .*, 870 unreserved$/,
    ],
    [
      1000,
      50,
      { files: 10, shards: 100 },
      /^warn .*the account allows 1000, 50 unreserved; deploy with .*=50,/,
    ],
    [10, 10, { files: 11, shards: 4 }, /^FAIL .*; deploy with -c dlx:accountConcurrency=10, or ask AWS/],
    [
      9,
      9,
      { files: 10, shards: 4 },
      /^FAIL .*; ask AWS for more concurrent executions of Lambda \(10 at least\)$/,
    ],
  ])(
    'with %i concurrent executions, %i unreserved, and settings %j',
    (total, unreserved, settings, expected) => {
      expect(lines(checkConcurrency({ total, unreserved }, { reserved: false, ...settings }))).toEqual([
        expect.stringMatching(expected),
      ]);
    },
  );

  test('their memory and the shards of the definition are read', () => {
    expect(lines(checkMemory([FUNCTION, FUNCTION, { ...FUNCTION, memoryMb: 256 }]))).toEqual([
      'ok memory: functions: 2 of 1769 MiB, 1 of 256 MiB, which the account allows',
    ]);
    expect(shardConcurrency('{"States":{"A":{"MaxConcurrency":4},"B":{"MaxConcurrency": 100}}}')).toBe(100);
  });

  test('with other code', () => {
    const own = new Map([
      ['solve-batch', 'a'],
      ['run-step', 'b'],
    ]);
    expect(lines(checkCode(own, own, '1.0.0'))).toEqual(["ok code: this program's: 2 functions"]);
    const deployed = new Map([...own, ['run-step', 'c']]);
    expect(lines(checkCode(deployed, own, '1.0.0'))).toEqual([
      expect.stringMatching(/^warn code: other code than this program \(1.0.0\): run-step; npx cdk deploy/),
    ]);
  });
});

describe('the bucket for uploads', () => {
  const on = { sendsEvents: true, versioning: 'Enabled' };

  test.each([
    [on, undefined, /^ok events: in sends them to EventBridge$/],
    [on, '2026-11-22T19:45:00Z', /^ok events: .*, since 2026-11-22 19:45 UTC or before$/],
    [on, '2026-11-22T19:46:00Z', /^warn events: .*; wait until 2026-11-22 20:02 UTC; dlx-batch resend KEY/],
    [
      { ...on, sendsEvents: false },
      undefined,
      /^FAIL events: in sends none .*; npx cdk deploy, or turn on Amazon EventBridge/,
    ],
  ])('%j, changed %s', (state, since, expected) => {
    const found = checkInputBucket('in', state, since === undefined ? undefined : new Date(since), NOW);
    expect(lines(found)).toEqual([expect.stringMatching(expected), 'ok versioning: on in in']);
  });

  test.each(['off', 'Suspended'])('with versioning %s', (versioning) => {
    expect(lines(checkInputBucket('in', { ...on, versioning }, undefined, NOW))[1]).toMatch(
      /^FAIL versioning: \w+ in in: each version .*; aws s3api put-bucket-versioning --bucket in /,
    );
  });

  test('with public access', () => {
    expect(lines(checkPublicAccess('in', true))).toEqual(['ok public: in blocks public access']);
    for (const blocks of [false, undefined]) {
      expect(lines(checkPublicAccess('in', blocks))[0]).toMatch(
        /^FAIL public: in does not block public access; aws s3api put-public-access-block --bucket in /,
      );
    }
  });
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
  const OWN = rule('own', 'in', 'inbox/');

  test.each<[string, ListedRule, RegExp]>([
    [
      'in the same folder',
      rule('twin', 'in', 'inbox/'),
      /^FAIL shared: another stack .*: its rule is twin; give each/,
    ],
    ['in a folder of it', rule('part', 'in', 'inbox/a/'), /^FAIL shared: .*: its rule is part;/],
    [
      'in another folder',
      rule('far', 'in', 'later/'),
      /^ok shared: no other stack solves the uploads of in$/,
    ],
    ['in another bucket', rule('else', 'out', 'inbox/'), /^ok shared/],
    ['that is off', rule('off', 'in', 'inbox/', { state: 'DISABLED' }), /^ok shared/],
    ['of another program', rule('audit', 'in', 'inbox/', { description: 'Audit' }), /^ok shared/],
    ['with a schedule', { ...rule('timer', 'in', ''), pattern: undefined }, /^ok shared/],
  ])('%s', (_, other, expected) => {
    expect(lines([checkSharing([OWN, other], ['own'], 'in')])[0]).toMatch(expected);
  });
});

describe('the rules', () => {
  test.each<[string, Partial<RuleState>, (string | RegExp)[]]>([
    ['that sends uploads', {}, ['ok rule: created is enabled and sends to jobs']],
    [
      'that is off',
      { state: 'DISABLED' },
      ['FAIL rule: created is DISABLED; aws events enable-rule --name created'],
    ],
    [
      'without a target',
      { targets: [] },
      [/^FAIL rule: created has no target/, /^FAIL rule: no rule sends events of in/],
    ],
    [
      'to another queue',
      { targets: [{ arn: 'arn:other' }] },
      [/^ok /, /^FAIL rule: no rule sends events of in to jobs/],
    ],
    [
      'of another bucket',
      { pattern: RULE.pattern!.replace('"in"', '"other"') },
      [/^ok /, /^FAIL rule: no rule sends .*, so only scheduled runs solve uploads; npx cdk deploy$/],
    ],
    ['with a schedule', { pattern: undefined }, [/^ok /, /^FAIL rule: no rule/]],
  ])('one %s', (_what, change, expected) => {
    const found = lines(checkRules([{ ...RULE, ...change }], 'in', QUEUE_ARN));
    expect(found).toEqual(expected.map((line) => expect.stringMatching(line)));
  });

  test('none', () => {
    expect(lines(checkRules([], 'in', QUEUE_ARN))[0]).toMatch(/^FAIL rule: no rule sends/);
  });
});

describe('the event source mapping', () => {
  test.each<[string, readonly MappingState[], RegExp]>([
    ['enabled', [MAPPING], /^ok mapping: jobs to solve is Enabled, at most 10 at once; last result: OK$/],
    ['missing', [], /^FAIL mapping: no function receives messages of jobs; npx cdk deploy$/],
    ['of another queue', [{ ...MAPPING, queueArn: 'arn:other' }], /^FAIL mapping: no function receives/],
    [
      'off',
      [{ ...MAPPING, state: 'Disabled' }],
      /^FAIL mapping: .* is Disabled, .*; enable the event source mapping/,
    ],
    ['new', [{ ...MAPPING, state: 'Creating' }], /^warn mapping: .*; wait a minute/],
    [
      'after a failure',
      [{ ...MAPPING, lastResult: 'PROBLEM: Function call failed' }],
      /^warn mapping: .*; the message is retried/,
    ],
    [
      'without permission',
      [{ ...MAPPING, lastResult: 'PROBLEM: access denied' }],
      /^FAIL mapping: .*; fix what/,
    ],
  ])('%s', (_what, mappings, expected) => {
    expect(lines(checkMapping(mappings, QUEUE_ARN))).toEqual([expect.stringMatching(expected)]);
  });
});

describe('the queues', () => {
  test.each([
    [5400, /^ok visibility: visibility timeout 5400 s, function timeout 900 s$/],
    [5399, /^warn visibility: .*; set the visibility timeout to 5400 s: npx cdk deploy$/],
    [899, /^FAIL visibility: .*: a message is delivered again while it is solved; set/],
  ])('with a visibility timeout of %i s', (visibilitySeconds, expected) => {
    expect(lines(checkVisibility({ ...QUEUE, visibilitySeconds }, 900))).toEqual([
      expect.stringMatching(expected),
    ]);
  });

  test.each([
    [undefined, /^ok queue: jobs: 1,234 waiting, 2 in progress or hidden$/],
    [5400, /^ok queue: .*, the oldest for 90 min$/],
    [5401, /^warn queue: .*; the function crashed \(its log has the cause\), or uploads arrive faster/],
  ])('with an oldest message of %s s', (seconds, expected) => {
    expect(lines(checkQueue({ ...QUEUE, visible: 1234, hidden: 2 }, seconds))).toEqual([
      expect.stringMatching(expected),
    ]);
  });

  test('with dead letters', () => {
    expect(lines(checkDeadLetters([QUEUE, QUEUE], QUEUE_ARN))).toEqual([
      'ok dead: no dead letters in 2 queues',
    ]);
    const filled = [QUEUE, { ...QUEUE, visible: 3, hidden: 1 }];
    expect(lines(checkDeadLetters(filled, QUEUE_ARN))).toEqual([
      expect.stringMatching(/^FAIL dead: 4 in jobs; fix the cause.*then dlx-batch redrive$/),
    ]);
    expect(lines(checkDeadLetters(filled, undefined))).toEqual([
      expect.stringMatching(
        /^FAIL dead: 4 in jobs; each message names what was not delivered: dlx-batch redrive sends/,
      ),
    ]);
  });
});

describe('the schedule', () => {
  test.each([
    [
      'ENABLED',
      'cron(0 2 * * ? *)',
      'Europe/Berlin',
      'ok schedule: cron(0 2 * * ? *) Europe/Berlin, next run 2026-11-23 01:00 UTC',
    ],
    ['ENABLED', 'rate(12 hours)', 'UTC', 'ok schedule: rate(12 hours) is enabled'],
    [
      'ENABLED',
      'at(2026-01-01T00:00:00)',
      'UTC',
      /^warn schedule: .* never fires again; dlx-batch run starts a run now/,
    ],
    [
      'DISABLED',
      'cron(0 2 * * ? *)',
      'UTC',
      /^warn schedule: .* is DISABLED: .* wait; dlx-batch run starts a run now/,
    ],
  ])('%s %s %s', (state, expression, timeZone, expected) => {
    const found = lines(checkSchedule({ state, expression, timeZone }, NOW));
    expect(found).toEqual([typeof expected === 'string' ? expected : expect.stringMatching(expected)]);
  });
});

describe('the alarms', () => {
  test.each<[string, readonly AlarmState[], (string | RegExp)[]]>([
    ['quiet', [ALARM], ['ok alarms: 1 alarm, none raised']],
    ['raised', [{ ...ALARM, state: 'ALARM' }], ['warn alarms: DeadLetters is raised; Redrive.']],
    ['removed', [], ['FAIL alarms: DeadLetters does not exist; npx cdk deploy']],
    [
      'off',
      [{ ...ALARM, enabled: false }],
      [/^warn alarms: actions are off: DeadLetters; aws cloudwatch/, /^ok /],
    ],
  ])('%s', (_what, alarms, expected) => {
    const found = lines(checkAlarms(['DeadLetters'], alarms));
    expect(found).toEqual(expected.map((line) => expect.stringMatching(line)));
  });

  test('notify topics with subscriptions', () => {
    const topic = 'arn:aws:sns:eu-west-1:111122223333:ops';
    const actions = [topic, 'arn:aws:lambda:eu-west-1:111122223333:function:pager'];
    expect(alarmTopics([ALARM, { ...ALARM, actions }, { ...ALARM, actions }])).toEqual({
      topics: [topic],
      silent: 1,
    });
    expect(lines(checkSilence(0))).toEqual([]);
    expect(lines(checkSilence(2))).toEqual([
      expect.stringMatching(/^warn notified: no action: 2 alarms; deploy with -c dlx:alarmEmails=/),
    ]);
    expect(lines(checkTopic(topic, { confirmed: 2, pending: 0 }))).toEqual([
      `ok notified: ${topic} has 2 subscriptions`,
    ]);
    expect(lines(checkTopic(topic, { confirmed: 0, pending: 1 }))[0]).toMatch(
      /^warn .*no subscription, 1 not confirmed; confirm it/,
    );
    expect(lines(checkTopic(topic, { confirmed: 0, pending: 0 }))[0]).toMatch(
      /^warn .*no subscription; aws sns subscribe/,
    );
  });
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

  test.each([
    ['implicitDeny', 'npx cdk deploy'],
    ['implicitDeny by the organisation', 'ask the administrators of the account to allow it'],
  ])('%s', (decision, todo) => {
    const call = {
      roleArn: 'arn:aws:iam::1:role/Solve',
      action: 's3:GetObject',
      resource: 'arn:aws:s3:::in/a',
    };
    const allowed = { ...call, isAllowed: true, decision: 'allowed' };
    expect(lines(checkPermissions([allowed], []))).toEqual(['ok permissions: allowed: 1 call of 1 role']);
    const denied = { ...call, isAllowed: false, decision };
    expect(lines(checkPermissions([allowed, denied], ['Role sns:Publish {Topic}']))).toEqual([
      `FAIL permissions: Solve may not call s3:GetObject on arn:aws:s3:::in/a (${decision}); ${todo}`,
      'FAIL permissions: the stack does not have what "Role sns:Publish {Topic}" names; npx cdk deploy from this version',
    ]);
  });
});
