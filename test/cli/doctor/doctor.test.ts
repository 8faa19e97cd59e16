/**
 * What doctor says about the facts that AWS reports: `findings.txt`. Nothing here was run on AWS: the facts have the types of its
 * SDK. The whole command: `test/cli/transcripts/aws.txt`.
 */
import { expect, test } from 'vitest';
import { OPTION_NAMES } from '../../../lib/batch/options.ts';
import { StackParts, simulations } from '../../../lib/cli/doctor/facts.ts';
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
import { expectTable, type Shown } from '../../support/text-table.ts';

const NOW = Date.parse('2026-11-22T20:00:00Z');
/** JSON has no dates. */
const date = (text: string | undefined) => (text === undefined ? undefined : new Date(text));

const found =
  (check: (...facts: Parameters<Shown>) => readonly Finding[]): Shown =>
  (facts) =>
    check(facts).map(({ check, status, text, todo }) => {
      const parts = [text, todo].filter((each) => each !== undefined);
      return `${status} ${check}: ${parts.join('; ')}`;
    });

test('findings are as findings.txt says', () =>
  expectTable(new URL('findings.txt', import.meta.url), {
    'the state of the stack': found(({ CreationTime, ...stack }) =>
      checkStack({ ...stack, CreationTime: date(CreationTime) }),
    ),
    'resources that could not be created': found(checkResources),
    'differences from the deployed template, property by property': found(({ drifts, problem }) =>
      checkDrifts({ drifts: drifts.map(driftOf), problem }),
    ),
    'functions that cannot run': found(checkFunctions),
    'the quotas against the settings': found(([functions, settings, limit]) =>
      checkQuotas(functions, settings, limit),
    ),
    'the buckets: one of another owner needs versions and events, and a new one time': found(
      ({ state, own }) =>
        checkBucket('in', state, own && { LastUpdatedTimestamp: date(own.LastUpdatedTimestamp) }, NOW),
    ),
    'the event source mapping': found(checkMappings),
    'the messages of the queues': found((queues) => checkQueues(queues, 'uploads')),
    'alarms, and whether they reach somebody': found(([alarms, topics]) => checkAlarms(alarms, topics)),
    'permissions that are denied, by the policies of the role or by the organisation':
      found(checkPermissions),
  }));

/** A difference of a resource `It` as CloudFormation reports it. */
function driftOf({ type, status, ...difference }: Parameters<Shown>[0]) {
  return {
    ...{ StackId: 's', LogicalResourceId: 'It', ResourceType: type, Timestamp: undefined },
    StackResourceDriftStatus: status ?? 'MODIFIED',
    PropertyDifferences: status === undefined ? [difference] : [],
  };
}

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
