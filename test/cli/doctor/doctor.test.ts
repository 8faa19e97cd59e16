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

test('the state of the stack', async () => {
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
  await expect(printed(states, check)).toMatchFileSnapshot('findings/stack.txt');
});

test('resources that could not be created', async () => {
  const failed = (ResourceStatusReason?: string) => ({
    LogicalResourceId: 'Solve',
    ResourceType: 'T',
    ResourceStatus: 'CREATE_FAILED' as const,
    LastUpdatedTimestamp: undefined,
    ResourceStatusReason,
  });
  const reasons = [undefined, "'MemorySize' value failed: less than or equal to 3008", 'quota'];
  await expect(printed(reasons, (reason) => checkResources([failed(reason)]))).toMatchFileSnapshot(
    'findings/resources.txt',
  );
});

test('differences from the deployed template, property by property', async () => {
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
  await expect(linesOf(checkDrifts({ drifts })).join('\n')).toMatchFileSnapshot('findings/template.txt');
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

test('functions that cannot run', async () => {
  const changes = [
    {},
    { Concurrency: { ReservedConcurrentExecutions: 0 } },
    { Configuration: { ...FUNCTION.Configuration, State: 'Pending' as const } },
    { Configuration: { ...FUNCTION.Configuration, State: 'Failed' as const, StateReason: 'no image' } },
    { Configuration: { ...FUNCTION.Configuration, LastUpdateStatus: 'Failed' as const } },
  ];
  await expect(
    printed(changes, (change) => checkFunctions([{ ...FUNCTION, ...change }])),
  ).toMatchFileSnapshot('findings/functions.txt');
  expect(checkFunctions([])[0]!.status).toBe('FAIL');
});

test('the quotas against the settings', async () => {
  const mapping = { ...metadata, ScalingConfig: { MaximumConcurrency: 10 } };
  const limits = [
    { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: 900 },
    { ConcurrentExecutions: 50 },
    { ConcurrentExecutions: 8 },
  ];
  const check = (limit: object) => checkQuotas([FUNCTION], [mapping], limit, '{"MaxConcurrency": 100}');
  await expect(printed(limits, check)).toMatchFileSnapshot('findings/quotas.txt');
});

test('the buckets: one of another owner needs versions and events, and a new one time', async () => {
  const nowMs = Date.parse('2026-11-22T20:00:00Z');
  const check = (state: object, isOwn: boolean, changed?: Date) =>
    linesOf(checkBucket({ name: 'in', state }, { has: () => isOwn, changed: () => changed }, nowMs));
  expect(check({ Status: 'Enabled', EventBridgeConfiguration: {} }, false)).toEqual([
    'ok buckets: in has versions and sends events',
  ]);
  expect(check({}, true)).toHaveLength(1);
  await expect(check({}, false).join('\n')).toMatchFileSnapshot('findings/buckets.txt');
  await expect(check({}, true, new Date(nowMs - 60_000)).join('\n')).toMatchFileSnapshot(
    'findings/new-bucket.txt',
  );
});

test('the event source mapping', async () => {
  const mappings = [
    { State: 'Enabled', LastProcessingResult: 'OK' },
    { State: 'Disabled' },
    { State: 'Updating' },
    { State: 'Enabled', LastProcessingResult: 'PROBLEM: Function call failed' },
    { State: 'Enabled', LastProcessingResult: 'PROBLEM: access denied' },
  ];
  await expect(
    printed(mappings, (mapping) => checkMappings([{ ...metadata, ...mapping }])),
  ).toMatchFileSnapshot('findings/mapping.txt');
});

test('the messages of the queues', async () => {
  const queue = (name: string, ApproximateNumberOfMessages: string, oldestSeconds?: number) => ({
    url: `https://sqs/1/${name}`,
    oldestSeconds,
    attributes: { ApproximateNumberOfMessages, VisibilityTimeout: '60' },
  });
  const parts = { output: () => 'https://sqs/1/uploads' };
  const check = (...queues: ReturnType<typeof queue>[]) => linesOf(checkQueues(queues, parts)).join('\n');
  await expect(check(queue('uploads', '3', 20), queue('dead', '0'))).toMatchFileSnapshot(
    'findings/queues.txt',
  );
  await expect(check(queue('uploads', '3', 7200), queue('dead', '2'))).toMatchFileSnapshot(
    'findings/queues-late.txt',
  );
});

test('alarms, and whether they reach somebody', async () => {
  const alarm = (changes: object) => ({
    AlarmName: 'Dead',
    AlarmDescription: 'Retry.',
    AlarmActions: ['arn:sns'],
    ...changes,
  });
  const changes = [{}, { StateValue: 'ALARM' }, { ActionsEnabled: false }, { AlarmActions: [] }];
  await expect(printed(changes, (change) => checkAlarms([alarm(change)], []))).toMatchFileSnapshot(
    'findings/alarms.txt',
  );
  const counts: Record<string, string>[] = [
    { SubscriptionsConfirmed: '1' },
    { SubscriptionsPending: '1' },
    {},
  ];
  const topics = counts.map((attributes) => ({ arn: 'arn:sns', attributes }));
  await expect(linesOf(checkAlarms([alarm({})], topics)).join('\n')).toMatchFileSnapshot(
    'findings/topics.txt',
  );
});

describe('the permissions', () => {
  test('are asked for once for each role and its resources', async () => {
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

  test('that are denied, by the policies of the role or by the organisation', async () => {
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
    await expect(
      linesOf(checkPermissions({ calls, unknown: ['Role sns:Publish {Topic}'] })).join('\n'),
    ).toMatchFileSnapshot('findings/permissions.txt');
  });
});

test('the parts of a construct in a stack of others', async () => {
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
  await expect(stdout).toMatchFileSnapshot('findings/command.txt');
  expect(status).toBe(1);
});
