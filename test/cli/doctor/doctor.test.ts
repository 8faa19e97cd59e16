/**
 * What doctor says about the facts that AWS reports: `findings.txt`, which `--update` rewrites. Nothing here was run on AWS: the
 * facts have the types of its SDK. The whole command: `test/cli/transcripts/aws.txt`.
 */
import { expect, test } from 'vitest';
import type { StackResourceDrift } from '../../../lib/aws/stack-reader.ts';
import { OPTION_NAMES } from '../../../lib/batch/options.ts';
import { type CallFacts, StackParts, simulations } from '../../../lib/cli/doctor/facts.ts';
import type { Finding } from '../../../lib/cli/doctor/finding.ts';
import { optionFiles } from '../../../lib/cli/doctor/live-files.ts';
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

const metadata = { $metadata: {} };
const FUNCTION = {
  ...metadata,
  Configuration: {
    ...{ FunctionName: 'solve', Handler: 'solve-batch.handler', MemorySize: 1769 },
    State: 'Active' as const,
  },
};
const SETTINGS = { memoryMb: 1769, concurrency: 10, shardConcurrency: 100, graceMinutes: 0 };
const withConfiguration = (changes: object) => ({ Configuration: { ...FUNCTION.Configuration, ...changes } });

const stackWith = (StackStatus: string) =>
  checkStack({
    ...{ StackName: 'S', StackStatus: StackStatus as 'CREATE_COMPLETE', StackStatusReason: 'why' },
    CreationTime: new Date('2026-11-22T20:15:00Z'),
  });

const resourceFailed = (ResourceStatusReason: string | undefined) =>
  checkResources([
    {
      ...{ LogicalResourceId: 'Solve', ResourceType: 'T', ResourceStatus: 'CREATE_FAILED' as const },
      ...{ LastUpdatedTimestamp: undefined, ResourceStatusReason },
    },
  ]);

const drift = (type: string, changes: Partial<StackResourceDrift>): StackResourceDrift => ({
  ...{ StackId: 's', LogicalResourceId: 'It', ResourceType: type, Timestamp: undefined },
  StackResourceDriftStatus: 'MODIFIED',
  ...changes,
});
const difference = (
  PropertyPath: string,
  ExpectedValue: string,
  ActualValue: string,
  DifferenceType: 'ADD' | 'REMOVE' | 'NOT_EQUAL' = 'NOT_EQUAL',
) => ({ PropertyDifferences: [{ PropertyPath, ExpectedValue, ActualValue, DifferenceType }] });
const IN_SYNC = drift('AWS::S3::Bucket', { StackResourceDriftStatus: 'IN_SYNC' });
/** What people change in a running stack: type, property, as deployed, and now. */
const CHANGES: readonly (readonly [type: string, ...change: Parameters<typeof difference>])[] = [
  ['Events::Rule', '/EventPattern/detail/object/key/0/prefix', 'inbox/', 'other/'],
  ['Events::Rule', '/Targets/0/DeadLetterConfig', '{"Arn":"dead"}', 'null', 'REMOVE'],
  ['Events::Rule', '/State', 'ENABLED', 'DISABLED'],
  ['Lambda::EventSourceMapping', '/FunctionResponseTypes/0', 'ReportBatchItemFailures', 'null', 'REMOVE'],
  ['Lambda::EventSourceMapping', '/ScalingConfig/MaximumConcurrency', '10', '2'],
  ['Lambda::EventSourceMapping', '/BatchSize', '1', '10'],
  ['Lambda::Function', '/Environment/Variables/RESULTS_BUCKET', 'results', 'other'],
  ['Lambda::Function', '/Timeout', '900', '3'],
  ['Lambda::Function', '/MemorySize', '1769', '128'],
  ['Lambda::Function', '/Handler', 'solve-batch.handler', 'index.handler'],
  ['Lambda::Function', '/Role', 'arn:solve', 'arn:other'],
  ['SQS::Queue', '/VisibilityTimeout', '5400', '30'],
  ['SQS::Queue', '/RedrivePolicy/maxReceiveCount', '5', '1'],
  ['SQS::Queue', '/KmsMasterKeyId', 'key', 'null', 'REMOVE'],
  ['SQS::QueuePolicy', '/PolicyDocument/Statement/0', '{"Effect":"Allow"}', 'null', 'REMOVE'],
  ['S3::Bucket', '/VersioningConfiguration/Status', 'Enabled', 'Suspended'],
  ['S3::Bucket', '/LifecycleConfiguration/Rules/0/ExpirationInDays', '21', '1'],
  ['S3::BucketPolicy', '/PolicyDocument/Statement/1', 'null', '{"Effect":"Deny"}', 'ADD'],
  ['KMS::Key', '/KeyPolicy/Statement/0', '{"Effect":"Allow"}', 'null', 'REMOVE'],
  ['IAM::Policy', '/PolicyDocument/Statement/3', 'null', '{"Effect":"Deny"}', 'ADD'],
  ['StepFunctions::StateMachine', '/DefinitionString', '{"StartAt":"Plan"}', '{}'],
  ['Scheduler::Schedule', '/State', 'ENABLED', 'DISABLED'],
  ['CloudWatch::Alarm', '/Threshold', '1', '5'],
];
const DRIFTS = [
  ...CHANGES.map(([type, ...change]) => drift(`AWS::${type}`, difference(...change))),
  drift('AWS::Events::Rule', { StackResourceDriftStatus: 'DELETED' }),
  IN_SYNC,
];
const unchecked = drift('AWS::Lambda::Version', { StackResourceDriftStatus: 'NOT_CHECKED' });

const NOW = Date.parse('2026-11-22T20:00:00Z');
const bucket = (state: object, isOwn: boolean, changed?: Date) =>
  checkBucket('in', state, isOwn ? { LastUpdatedTimestamp: changed } : undefined, NOW);

const queue = (name: string, ApproximateNumberOfMessages: string, oldestSeconds?: number) => ({
  url: `https://sqs/1/${name}`,
  oldestSeconds,
  attributes: { ApproximateNumberOfMessages, VisibilityTimeout: '60' },
});
const queues = (...all: ReturnType<typeof queue>[]) => checkQueues(all, 'uploads');

const alarm = (changes: object) => ({
  ...{ AlarmName: 'Dead', AlarmDescription: 'Retry.', AlarmActions: ['arn:sns'] },
  ...changes,
});
const topic = (attributes: Record<string, string>) => ({ arn: 'arn:sns', attributes });

const call = (EvalDecision: string, changes: object = {}): CallFacts['calls'][number] => ({
  roleArn: 'arn:aws:iam::1:role/Solve',
  result: {
    ...{ EvalActionName: 's3:GetObject', EvalResourceName: 'in/a' },
    EvalDecision: EvalDecision as 'allowed',
    ...changes,
  },
});
const ORGANISATION = { OrganizationsDecisionDetail: { AllowedByOrganizations: false } };
const RESOURCE = { EvalResourceName: 'in/b', EvalResourceDecision: 'explicitDeny' as const };

/** A section for each check: facts, and what it finds in each. */
const SECTIONS: Readonly<Record<string, readonly (readonly [facts: unknown, found: readonly Finding[]])[]>> =
  {
    'the state of the stack': [
      'UPDATE_COMPLETE',
      'UPDATE_ROLLBACK_COMPLETE',
      'UPDATE_IN_PROGRESS',
      'ROLLBACK_COMPLETE',
      'UPDATE_FAILED',
    ].map((state) => [state, stackWith(state)]),
    'resources that could not be created': [
      undefined,
      "'MemorySize' value failed: less than or equal to 3008",
      'quota',
    ].map((reason) => [reason, resourceFailed(reason)]),
    'differences from the deployed template, property by property': [
      ['all kinds', checkDrifts({ drifts: DRIFTS, problem: undefined })],
      [
        'a type that CloudFormation cannot compare',
        checkDrifts({ drifts: [IN_SYNC, unchecked], problem: undefined }),
      ],
      ['a comparison that failed', checkDrifts({ drifts: [], problem: 'no s3:GetBucketPolicy' })],
    ],
    'functions that cannot run': [
      ...[
        {},
        { Concurrency: { ReservedConcurrentExecutions: 0 } },
        withConfiguration({ State: 'Pending' }),
        withConfiguration({ State: 'Failed', StateReason: 'no image' }),
        withConfiguration({ LastUpdateStatus: 'Failed' }),
      ].map((change) => [change, checkFunctions([{ ...FUNCTION, ...change }])] as const),
      ['no function', checkFunctions([])],
    ],
    'the quotas against the settings': [
      { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: 900 },
      { ConcurrentExecutions: 50 },
      { ConcurrentExecutions: 8 },
    ].map((limit) => [limit, checkQuotas([FUNCTION], SETTINGS, limit)]),
    'the buckets: one of another owner needs versions and events, and a new one time': [
      ['of another owner, complete', bucket({ Status: 'Enabled', EventBridgeConfiguration: {} }, false)],
      ['of another owner, with nothing', bucket({}, false)],
      ['own', bucket({}, true)],
      ['own, a minute old', bucket({}, true, new Date(NOW - 60_000))],
    ],
    'the event source mapping': [
      { State: 'Enabled', LastProcessingResult: 'OK' },
      { State: 'Disabled' },
      { State: 'Updating' },
      { State: 'Enabled', LastProcessingResult: 'PROBLEM: Function call failed' },
      { State: 'Enabled', LastProcessingResult: 'PROBLEM: access denied' },
    ].map((mapping) => [mapping, checkMappings([{ ...metadata, ...mapping }])]),
    'the messages of the queues': [
      ['on time', queues(queue('uploads', '3', 20), queue('dead', '0'))],
      ['late, and dead letters', queues(queue('uploads', '3', 7200), queue('dead', '2'))],
    ],
    'alarms, and whether they reach somebody': [
      ...[{}, { StateValue: 'ALARM' }, { ActionsEnabled: false }, { AlarmActions: [] }].map(
        (change) => [change, checkAlarms([alarm(change)], [])] as const,
      ),
      [
        'topics',
        checkAlarms(
          [alarm({})],
          [topic({ SubscriptionsConfirmed: '1' }), topic({ SubscriptionsPending: '1' }), topic({})],
        ),
      ],
    ],
    'permissions that are denied, by the policies of the role or by the organisation': [
      ['all allowed', checkPermissions({ calls: [call('allowed')], unknown: [] })],
      [
        'denied',
        checkPermissions({
          calls: [
            call('implicitDeny'),
            call('implicitDeny', ORGANISATION),
            call('allowed', { ResourceSpecificResults: [RESOURCE] }),
          ],
          unknown: ['Role sns:Publish {Topic}'],
        }),
      ],
    ],
  };

test('findings are as findings.txt says', async () => {
  const written = Object.entries(SECTIONS).map(([title, cases]) => {
    const lines = cases.flatMap(([facts, found]) => [
      `  ${typeof facts === 'string' ? facts : (JSON.stringify(facts) ?? 'without a reason')}:`,
      ...found.map(({ check, status, text, todo }) => {
        const parts = [text, todo].filter((each) => each !== undefined);
        return `    ${status} ${check}: ${parts.join('; ')}`;
      }),
    ]);
    return [title, ...lines, ''].join('\n');
  });
  await expect(written.join('\n')).toMatchFileSnapshot('findings.txt');
});

test('permissions are asked for once for each role and its resources', async () => {
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
  expect(() => parts.output('BulkRunArn')).toThrow('BulkRunArn');
});

test('doctor --live tries every option of an upload, each under a key of its own', () => {
  const files = optionFiles('odd/');
  expect(files.map(({ option }) => option).sort()).toEqual([...OPTION_NAMES].sort());
  expect(new Set(files.map(({ name }) => name)).size).toBe(files.length);
  expect(files.filter(({ name }) => name.endsWith('undefined'))).toEqual([]);
});
