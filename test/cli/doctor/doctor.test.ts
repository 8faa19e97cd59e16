/** What doctor says about the facts that AWS reports. Nothing here was run on AWS: the facts have the types of its SDK. */
import { describe, expect, test } from 'vitest';
import type { StackResourceDrift } from '../../../lib/aws/stack-reader.ts';
import { type SimulatedCall, StackParts, simulations } from '../../../lib/cli/doctor/facts.ts';
import type { Finding } from '../../../lib/cli/doctor/finding.ts';
import {
  checkAlarms,
  checkBucket,
  checkDrifts,
  checkFunctions,
  checkMappings,
  checkPermissions,
  checkQueues,
  checkQuotas,
  checkResources,
  checkStack,
} from '../../../lib/cli/doctor/verdicts.ts';
import { scriptedServer } from '../../support/scripted-server.ts';
import { folderWith, runProgram } from '../program.ts';

const linesOf = (findings: readonly Finding[]) =>
  findings.map(
    ({ check, status, text, todo }) => `${status} ${check}: ${text}${todo === undefined ? '' : `; ${todo}`}`,
  );

/** The findings about each fact. */
function printed<Facts>(facts: readonly Facts[], check: (facts: Facts) => readonly Finding[]): string {
  return facts
    .map((each) =>
      [`${JSON.stringify(each)}:`, ...linesOf(check(each)).map((line) => `  ${line}`)].join('\n'),
    )
    .join('\n');
}

const metadata = { $metadata: {} };

test('the state of the stack', () => {
  const states = [
    'UPDATE_COMPLETE',
    'UPDATE_ROLLBACK_COMPLETE',
    'UPDATE_IN_PROGRESS',
    'ROLLBACK_COMPLETE',
    'UPDATE_FAILED',
  ];
  const CreationTime = new Date('2026-11-22T20:15:00Z');
  const check = (StackStatus: string) =>
    checkStack({
      StackName: 'S',
      StackStatus: StackStatus as 'CREATE_COMPLETE',
      StackStatusReason: 'why',
      CreationTime,
    });
  expect(printed(states, check)).toMatchInlineSnapshot(`
    ""UPDATE_COMPLETE":
      ok stack: S is UPDATE_COMPLETE since 2026-11-22 20:15 UTC
    "UPDATE_ROLLBACK_COMPLETE":
      warn stack: S is UPDATE_ROLLBACK_COMPLETE since 2026-11-22 20:15 UTC: the last deployment failed and was undone, why; fix the cause in the events of the stack, then npx cdk deploy
    "UPDATE_IN_PROGRESS":
      warn stack: S is UPDATE_IN_PROGRESS since 2026-11-22 20:15 UTC; wait until the deployment has finished, then run doctor again
    "ROLLBACK_COMPLETE":
      FAIL stack: S is ROLLBACK_COMPLETE since 2026-11-22 20:15 UTC, why; fix the cause in the events of the stack, then npx cdk destroy and npx cdk deploy
    "UPDATE_FAILED":
      FAIL stack: S is UPDATE_FAILED since 2026-11-22 20:15 UTC, why; fix the cause in the events of the stack, then npx cdk deploy"
  `);
});

test('resources that could not be created', () => {
  const failed = (ResourceStatusReason?: string) => ({
    LogicalResourceId: 'Solve',
    ResourceType: 'T',
    ResourceStatus: 'CREATE_FAILED' as const,
    LastUpdatedTimestamp: undefined,
    ResourceStatusReason,
  });
  const reasons = [undefined, "'MemorySize' value failed: less than or equal to 3008", 'quota'];
  expect(printed(reasons, (reason) => checkResources([failed(reason)]))).toMatchInlineSnapshot(`
    "undefined:
      FAIL resources: Solve is CREATE_FAILED: no reason; fix the cause, then npx cdk deploy
    "'MemorySize' value failed: less than or equal to 3008":
      FAIL resources: Solve is CREATE_FAILED: 'MemorySize' value failed: less than or equal to 3008; this account allows functions of 3008 MiB: deploy with -c dlx:memoryMb=3008 -c dlx:shardMemoryMb=3008, or ask AWS for more
    "quota":
      FAIL resources: Solve is CREATE_FAILED: quota; fix the cause, then npx cdk deploy"
  `);
});

test('differences from the deployed template, property by property', () => {
  const drift = (type: string, changes: Partial<StackResourceDrift>): StackResourceDrift => ({
    StackId: 's',
    LogicalResourceId: 'It',
    ResourceType: type,
    StackResourceDriftStatus: 'MODIFIED',
    Timestamp: undefined,
    ...changes,
  });
  const difference = (
    PropertyPath: string,
    ExpectedValue: string,
    ActualValue: string,
    DifferenceType = 'NOT_EQUAL',
  ) => ({
    PropertyDifferences: [
      { PropertyPath, ExpectedValue, ActualValue, DifferenceType: DifferenceType as 'ADD' },
    ],
  });
  const drifts = [
    drift('AWS::SQS::Queue', difference('/VisibilityTimeout', '5400', '30')),
    drift(
      'AWS::Lambda::EventSourceMapping',
      difference('/FunctionResponseTypes/0', 'ReportBatchItemFailures', 'null', 'REMOVE'),
    ),
    drift('AWS::IAM::Policy', difference('/PolicyDocument/Statement/3', 'null', '{"Effect":"Deny"}', 'ADD')),
    drift('AWS::CloudWatch::Alarm', difference('/Threshold', '1', '5')),
    drift('AWS::Events::Rule', { StackResourceDriftStatus: 'DELETED' }),
    drift('AWS::S3::Bucket', { StackResourceDriftStatus: 'IN_SYNC' }),
  ];
  expect(linesOf(checkDrifts({ drifts })).join('\n')).toMatchInlineSnapshot(`
    "FAIL template: It (AWS::SQS::Queue): /VisibilityTimeout is 30, the template has 5400; set it back, or change it in the app and deploy; a deployment without changes leaves it
    FAIL template: It (AWS::Lambda::EventSourceMapping): /FunctionResponseTypes/0 is missing, the template has ReportBatchItemFailures; set it back, or change it in the app and deploy; a deployment without changes leaves it
    FAIL template: It (AWS::IAM::Policy): /PolicyDocument/Statement/3 is {"Effect":"Deny"}, the template has nothing; set it back, or change it in the app and deploy; a deployment without changes leaves it
    warn template: It (AWS::CloudWatch::Alarm): /Threshold is 5, the template has 1; set it back, or change it in the app and deploy; a deployment without changes leaves it
    FAIL template: It (AWS::Events::Rule) was deleted; remove it from the app, deploy, and add it again"
  `);
  const unchecked = drift('AWS::Lambda::Version', { StackResourceDriftStatus: 'NOT_CHECKED' });
  expect(linesOf(checkDrifts({ drifts: [drifts[5]!, unchecked] }))).toEqual([
    'ok template: 1 resource compared with the deployed template; CloudFormation cannot compare AWS::Lambda::Version',
  ]);
  expect(checkDrifts({ drifts: [], problem: 'no s3:GetBucketPolicy' }).at(-1)).toMatchObject({
    status: 'warn',
  });
});

const FUNCTION = {
  ...metadata,
  Configuration: {
    FunctionName: 'solve',
    Handler: 'solve-batch.handler',
    State: 'Active' as const,
    MemorySize: 1769,
  },
};

test('functions that cannot run', () => {
  const changes = [
    {},
    { Concurrency: { ReservedConcurrentExecutions: 0 } },
    { Configuration: { ...FUNCTION.Configuration, State: 'Pending' as const } },
    { Configuration: { ...FUNCTION.Configuration, State: 'Failed' as const, StateReason: 'no image' } },
    { Configuration: { ...FUNCTION.Configuration, LastUpdateStatus: 'Failed' as const } },
  ];
  expect(printed(changes, (change) => checkFunctions([{ ...FUNCTION, ...change }]))).toMatchInlineSnapshot(`
    "{}:
      ok functions: active: 1 function
    {"Concurrency":{"ReservedConcurrentExecutions":0}}:
      FAIL functions: solve has a reserved concurrency of 0, so it never runs; aws lambda delete-function-concurrency --function-name solve
    {"Configuration":{"FunctionName":"solve","Handler":"solve-batch.handler","State":"Pending","MemorySize":1769}}:
      FAIL functions: solve is Pending; wait a minute; if it stays so, npx cdk deploy
    {"Configuration":{"FunctionName":"solve","Handler":"solve-batch.handler","State":"Failed","MemorySize":1769,"StateReason":"no image"}}:
      FAIL functions: solve is Failed: no image; wait a minute; if it stays so, npx cdk deploy
    {"Configuration":{"FunctionName":"solve","Handler":"solve-batch.handler","State":"Active","MemorySize":1769,"LastUpdateStatus":"Failed"}}:
      FAIL functions: solve is Active, and its last change failed; wait a minute; if it stays so, npx cdk deploy"
  `);
  expect(checkFunctions([])[0]!.status).toBe('FAIL');
});

test('the quotas against the settings', () => {
  const mapping = { ...metadata, ScalingConfig: { MaximumConcurrency: 10 } };
  const limits = [
    { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: 900 },
    { ConcurrentExecutions: 50 },
    { ConcurrentExecutions: 8 },
  ];
  const check = (limit: object) => checkQuotas([FUNCTION], [mapping], limit, '{"MaxConcurrency": 100}');
  expect(printed(limits, check)).toMatchInlineSnapshot(`
    "{"ConcurrentExecutions":1000,"UnreservedConcurrentExecutions":900}:
      ok concurrency: 10 files and 100 shards of a large file at the same time; the account allows 1000, 900 unreserved
    {"ConcurrentExecutions":50}:
      warn concurrency: 10 files and 100 shards of a large file at the same time; the account allows 50; deploy with -c dlx:accountConcurrency=50, or ask AWS for more concurrent executions of Lambda
    {"ConcurrentExecutions":8}:
      FAIL concurrency: 10 files and 100 shards of a large file at the same time; the account allows 8; ask AWS for more concurrent executions of Lambda (10 at least)"
  `);
});

test('the buckets: one of another owner needs versions and events, and a new one time', () => {
  const nowMs = Date.parse('2026-11-22T20:00:00Z');
  const check = (state: object, isOwn: boolean, changed?: Date) =>
    linesOf(checkBucket({ name: 'in', state }, { has: () => isOwn, changed: () => changed }, nowMs));
  expect(check({ Status: 'Enabled', EventBridgeConfiguration: {} }, false)).toEqual([
    'ok buckets: in has versions and sends events',
  ]);
  expect(check({}, true)).toHaveLength(1);
  expect(check({}, false).join('\n')).toMatchInlineSnapshot(`
    "FAIL buckets: in has no versions, but each version of an upload is a job; aws s3api put-bucket-versioning --bucket in --versioning-configuration Status=Enabled
    FAIL buckets: in sends no events to EventBridge, so only scheduled runs solve uploads; turn on Amazon EventBridge in the notifications of the bucket"
  `);
  expect(check({}, true, new Date(nowMs - 60_000)).join('\n')).toMatchInlineSnapshot(
    `"warn buckets: in is new: events and versions may be late; wait until 2026-11-22 20:15 UTC; dlx-batch retry KEY sends an upload whose event was lost"`,
  );
});

test('the event source mapping', () => {
  const mappings = [
    { State: 'Enabled', LastProcessingResult: 'OK' },
    { State: 'Disabled' },
    { State: 'Updating' },
    { State: 'Enabled', LastProcessingResult: 'PROBLEM: Function call failed' },
    { State: 'Enabled', LastProcessingResult: 'PROBLEM: access denied' },
  ];
  expect(printed(mappings, (mapping) => checkMappings([{ ...metadata, ...mapping }]))).toMatchInlineSnapshot(`
    "{"State":"Enabled","LastProcessingResult":"OK"}:
      ok mapping: of : Enabled; last result: OK
    {"State":"Disabled"}:
      FAIL mapping: of : Disabled; last result: none; enable it: aws lambda update-event-source-mapping --enabled --uuid ID
    {"State":"Updating"}:
      FAIL mapping: of : Updating; last result: none; enable it: aws lambda update-event-source-mapping --enabled --uuid ID
    {"State":"Enabled","LastProcessingResult":"PROBLEM: Function call failed"}:
      warn mapping: of : Enabled; last result: PROBLEM: Function call failed; fix what the last result names; the log of the function has more
    {"State":"Enabled","LastProcessingResult":"PROBLEM: access denied"}:
      warn mapping: of : Enabled; last result: PROBLEM: access denied; fix what the last result names; the log of the function has more"
  `);
});

test('the messages of the queues', () => {
  const queue = (name: string, ApproximateNumberOfMessages: string, oldestSeconds?: number) => ({
    url: `https://sqs/1/${name}`,
    oldestSeconds,
    attributes: { ApproximateNumberOfMessages, VisibilityTimeout: '60' },
  });
  const parts = { output: () => 'https://sqs/1/uploads' };
  const check = (...queues: ReturnType<typeof queue>[]) => linesOf(checkQueues(queues, parts)).join('\n');
  expect(check(queue('uploads', '3', 20), queue('dead', '0'))).toMatchInlineSnapshot(`
    "ok queue: uploads: 3 waiting, 0 in progress or hidden, the oldest for 20 s
    ok dead: no dead letters in 1 queue"
  `);
  expect(check(queue('uploads', '3', 7200), queue('dead', '2'))).toMatchInlineSnapshot(`
    "warn queue: uploads: 3 waiting, 0 in progress or hidden, the oldest for 2.0 h; the function crashed (its log has the cause), or uploads arrive faster than dlx:maxConcurrency allows
    FAIL dead: 2 in dead; fix the cause, which the log and status/ have, then dlx-batch retry"
  `);
});

test('alarms, and whether they reach somebody', () => {
  const alarm = (changes: object) => ({
    AlarmName: 'Dead',
    AlarmDescription: 'Retry.',
    AlarmActions: ['arn:sns'],
    ...changes,
  });
  const changes = [{}, { StateValue: 'ALARM' }, { ActionsEnabled: false }, { AlarmActions: [] }];
  expect(printed(changes, (change) => checkAlarms([alarm(change)], []))).toMatchInlineSnapshot(`
    "{}:
      ok alarms: 1 alarm, none raised
    {"StateValue":"ALARM"}:
      warn alarms: Dead is raised; Retry.
    {"ActionsEnabled":false}:
      warn alarms: actions are off: Dead; aws cloudwatch enable-alarm-actions
      ok alarms: 1 alarm, none raised
    {"AlarmActions":[]}:
      ok alarms: 1 alarm, none raised
      warn notified: no action: 1 alarm; deploy with -c dlx:alarmEmails=ADDRESS, or with -c dlx:alarmTopicArn=ARN of an SNS topic with a subscription"
  `);
  const counts: Record<string, string>[] = [
    { SubscriptionsConfirmed: '1' },
    { SubscriptionsPending: '1' },
    {},
  ];
  const topics = counts.map((attributes) => ({ arn: 'arn:sns', attributes }));
  expect(linesOf(checkAlarms([alarm({})], topics)).join('\n')).toMatchInlineSnapshot(`
    "ok alarms: 1 alarm, none raised
    ok notified: arn:sns has 1 subscription
    warn notified: arn:sns has no subscription, 1 not confirmed; confirm it: the link is in the e-mail that SNS sent
    warn notified: arn:sns has no subscription, 0 not confirmed; aws sns subscribe --topic-arn arn:sns --protocol email --notification-endpoint ADDRESS"
  `);
});

describe('the permissions', () => {
  test('are asked for once for each role and its resources', () => {
    const parts = {
      arnNamed: (name: string) => (name === 'Missing' ? undefined : `arn:${name}:stateMachine:x`),
      bucketArn: (output: string) => `arn:${output}`,
    };
    const variables = { RESULTS_PREFIX: 'mine/', INBOX_PREFIX: 'in/' };
    const { requests, unknown } = simulations(parts, variables, [
      'Role s3:GetObject {Input}:inbox/KEY',
      'Role s3:GetObjectVersion {Input}:inbox/KEY',
      'Role s3:GetObject {Input}:scheduled/KEY',
      'Role s3:PutObject {Results}:done/KEY',
      'Role s3:ListBucket {Input}',
      'Role lambda:InvokeFunction {Function}:VERSION',
      'Role states:DescribeExecution {Machine}:EXECUTION',
      'Role sns:Publish {Missing}',
    ]);
    expect(requests.map(({ action, resources }) => [action, ...resources].join(' '))).toEqual([
      's3:GetObject arn:InputBucketName/in/KEY arn:InputBucketName/scheduled/KEY',
      's3:GetObjectVersion arn:InputBucketName/in/KEY',
      's3:PutObject arn:ResultsBucketName/mine/done/KEY',
      's3:ListBucket arn:InputBucketName',
      'lambda:InvokeFunction arn:Function:stateMachine:x:1',
      'states:DescribeExecution arn:Machine:execution:x:doctor',
    ]);
    expect(unknown).toEqual(['Role sns:Publish {Missing}']);
  });

  test('that are denied, by the policies of the role or by the organisation', () => {
    const call = (EvalDecision: string, changes: object = {}): SimulatedCall => ({
      roleArn: 'arn:aws:iam::1:role/Solve',
      result: {
        EvalActionName: 's3:GetObject',
        EvalResourceName: 'in/a',
        EvalDecision: EvalDecision as 'allowed',
        ...changes,
      },
    });
    expect(linesOf(checkPermissions({ calls: [call('allowed')], unknown: [] }))).toEqual([
      'ok permissions: allowed: 1 call of 1 role',
    ]);
    const organisation = { OrganizationsDecisionDetail: { AllowedByOrganizations: false } };
    const resource = { EvalResourceName: 'in/b', EvalResourceDecision: 'explicitDeny' as const };
    const calls = [
      call('implicitDeny'),
      call('implicitDeny', organisation),
      call('allowed', { ResourceSpecificResults: [resource] }),
    ];
    expect(
      linesOf(checkPermissions({ calls, unknown: ['Role sns:Publish {Topic}'] })).join('\n'),
    ).toMatchInlineSnapshot(`
      "FAIL permissions: Solve may not call s3:GetObject on in/a (implicitDeny); npx cdk deploy
      FAIL permissions: Solve may not call s3:GetObject on in/a (implicitDeny by the organisation); ask the administrators of the account to allow it
      FAIL permissions: Solve may not call s3:GetObject on in/b (explicitDeny); npx cdk deploy
      FAIL permissions: the stack does not have the resources of 1 call of this version, such as Role sns:Publish {Topic}; npx cdk deploy from this version"
    `);
  });
});

test('the parts of a construct in a stack of others', () => {
  const resource = (LogicalResourceId: string, ResourceType: string, PhysicalResourceId: string) => ({
    ...{ LogicalResourceId, ResourceType, PhysicalResourceId },
    ResourceStatus: 'CREATE_COMPLETE' as const,
    LastUpdatedTimestamp: undefined,
  });
  const parts = new StackParts(
    { account: '1', arn: 'arn:aws-cn:iam::1:user/me', region: 'cn-north-1' },
    {
      StackName: 'S',
      StackStatus: 'CREATE_COMPLETE',
      CreationTime: undefined,
      Outputs: [
        { OutputKey: 'QueueUrl', OutputValue: 'https://sqs/1/mine' },
        { OutputKey: 'InputBucketName', OutputValue: 'in' },
      ],
    },
    [
      resource('AppPuzzlesUploadsQueue12345678', 'AWS::SQS::Queue', 'https://sqs/1/mine'),
      resource('AppPuzzlesSolveRole12345678', 'AWS::IAM::Role', 'S-role'),
      resource('OtherQueue12345678', 'AWS::SQS::Queue', 'https://sqs/1/other'),
    ],
  );
  expect(parts.idsOf('AWS::SQS::Queue')).toEqual(['https://sqs/1/mine']);
  expect(parts.arnNamed('UploadsQueue')).toBe('arn:aws-cn:sqs:cn-north-1:1:mine');
  expect(parts.arnNamed('SolveRole')).toBe('arn:aws-cn:iam::1:role/S-role');
  expect(parts.bucketArn('InputBucketName')).toBe('arn:aws-cn:s3:::in');
  expect(() => parts.output('BulkRunArn')).toThrow('the output BulkRunArn is missing');
});

test('the command reads all it may, names what it may not, and says what to do', async () => {
  const xml = (action: string, result: string) =>
    `<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`;
  const answers: Readonly<Record<string, string>> = {
    GetCallerIdentity: '<Account>1</Account><Arn>arn:aws:iam::1:user/me</Arn>',
    DescribeStacks:
      '<Stacks><member><StackName>DlxBatch</StackName><StackStatus>ROLLBACK_COMPLETE</StackStatus></member></Stacks>',
    ListStackResources: '<StackResourceSummaries></StackResourceSummaries>',
  };
  const { endpoint } = await scriptedServer(async (response, request) => {
    let body = '';
    for await (const part of request) body += part;
    const action = /Action=(\w+)/.exec(body)?.[1] ?? '';
    if (answers[action] !== undefined) response.end(xml(action, answers[action]));
    else {
      const error = '<Error><Code>AccessDenied</Code><Message>not you</Message></Error>';
      response.writeHead(403, { 'x-amzn-errortype': 'AccessDenied' });
      response.end(
        request.headers['content-type']?.includes('json')
          ? '{"message":"not you"}'
          : `<ErrorResponse>${error}</ErrorResponse>`,
      );
    }
  });
  const environment = {
    ...process.env,
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
    AWS_REGION: 'eu-west-1',
  };
  const { status, stdout, stderr } = await runProgram(
    folderWith({}),
    ['doctor', '--endpoint', endpoint],
    '',
    environment,
  );
  expect(stderr).toBe('');
  expect(stdout).toMatchInlineSnapshot(`
    "ok    identity       arn:aws:iam::1:user/me, account 1
    ok    region         eu-west-1
    FAIL  stack          DlxBatch is ROLLBACK_COMPLETE; fix the cause in the events of the stack, then npx cdk destroy and npx cdk deploy
    ok    resources      0 resources
    warn  template       not checked: not you; use credentials that may read it, such as the policy ReadOnlyAccess
    FAIL  functions      the stack has no function; npx cdk deploy
    FAIL  quotas         the server answered 403, but not as S3 does; check --endpoint
    FAIL  buckets        the output InputBucketName is missing; deploy this version with npx cdk deploy
    FAIL  mapping        no function receives messages of the queue; npx cdk deploy
    FAIL  queue          the output QueueUrl is missing; deploy this version with npx cdk deploy
    warn  alarms         not checked: not you; use credentials that may read it, such as the policy ReadOnlyAccess
    FAIL  permissions    the stack does not have the resources of 109 calls of this version, such as BulkRunRole lambda:InvokeFunction {BulkRunStepFunction}:VERSION; npx cdk deploy from this version

    3 ok, 2 warn, 7 FAIL
    "
  `);
  expect(status).toBe(1);
});
