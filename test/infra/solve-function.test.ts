import { describe, expect, it } from 'vitest';
import { MAX_RECEIVES } from '../../lib/batch/limits.ts';
import { ENVIRONMENT, WORK_PREFIX } from '../../lib/batch/names.ts';
import { allows, statementsOfSolver } from './role-permissions.ts';
import { outputLogicalId, resourceOf, templateWith } from './synthesised.ts';

const template = templateWith({
  'dlx:memoryMb': 3008,
  'dlx:timeoutSeconds': 300,
  'dlx:maxConcurrency': 7,
  'dlx:logRetentionDays': 90,
  'dlx:defaultOptions': { engine: 'dlx', 'max-nodes': 1000 },
  'dlx:maxUnpackedMb': 100,
  'dlx:maxWritten': 50,
});
const solve = resourceOf(template, 'SolveFunctionName').Properties;

describe('the function that solves', () => {
  it.each([
    {
      what: 'runs on the Node version of the project',
      property: 'Runtime',
      expected: 'nodejs24.x',
    },
    { what: 'runs on arm64', property: 'Architectures', expected: ['arm64'] },
    { what: 'starts at the handler in the bundle', property: 'Handler', expected: 'solve-batch.handler' },
    { what: 'has the configured memory', property: 'MemorySize', expected: 3008 },
    { what: 'has the configured timeout', property: 'Timeout', expected: 300 },
    { what: 'reserves no concurrency', property: 'ReservedConcurrentExecutions', expected: undefined },
    { what: 'has no fixed name', property: 'FunctionName', expected: undefined },
    { what: 'keeps the loop detection of Lambda on', property: 'RecursiveLoop', expected: undefined },
  ])('$what', ({ property, expected }) => {
    expect(solve[property]).toEqual(expected);
  });

  it.each([
    {
      what: 'the results bucket',
      name: ENVIRONMENT.resultsBucket,
      expected: { Ref: outputLogicalId(template, 'ResultsBucketName') },
    },
    {
      what: 'the default options as texts',
      name: ENVIRONMENT.defaultOptions,
      expected: '{"engine":"dlx","max-nodes":"1000"}',
    },
    { what: 'the number of receives', name: ENVIRONMENT.maxReceives, expected: String(MAX_RECEIVES) },
    {
      what: 'the queue of its messages',
      name: ENVIRONMENT.queueUrl,
      expected: { Ref: outputLogicalId(template, 'QueueUrl') },
    },
    {
      what: 'the state machine for large files',
      name: ENVIRONMENT.stateMachine,
      expected: { Ref: outputLogicalId(template, 'SolveLargeArn') },
    },
    {
      what: 'the ceilings that are set, and the budget of a puzzle',
      name: ENVIRONMENT.ceilings,
      expected: '{"max-unpacked-mb":"100","max-written":"50","max-nodes":"1000"}',
    },
    { what: 'the flag for source maps', name: 'NODE_OPTIONS', expected: '--enable-source-maps' },
  ])('has in its environment $what', ({ name, expected }) => {
    expect(solve.Environment.Variables[name]).toEqual(expected);
  });

  it('finds every variable that it requires in its environment', () => {
    const { resultsBucket, defaultOptions, maxReceives, queueUrl, stateMachine } = ENVIRONMENT;
    expect(Object.keys(solve.Environment.Variables)).toEqual(
      expect.arrayContaining([resultsBucket, defaultOptions, maxReceives, queueUrl, stateMachine]),
    );
  });

  it('writes to a log group of the stack, with the configured retention', () => {
    const logGroup = outputLogicalId(template, 'SolveLogGroupName');
    expect(solve.LoggingConfig.LogGroup).toEqual({ Ref: logGroup });
    expect(resourceOf(template, 'SolveLogGroupName').Properties.RetentionInDays).toBe(90);
  });
});

describe('the event source', () => {
  const [source, ...others] = Object.values(template.findResources('AWS::Lambda::EventSourceMapping')).map(
    (mapping) => mapping.Properties,
  );

  it('is the only one', () => {
    expect(others).toEqual([]);
  });

  it('connects the queue of uploads to the function', () => {
    expect(source.EventSourceArn).toEqual({ 'Fn::GetAtt': [outputLogicalId(template, 'QueueUrl'), 'Arn'] });
    expect(source.FunctionName).toEqual({ Ref: outputLogicalId(template, 'SolveFunctionName') });
  });

  it.each([
    {
      what: 'retries only the failed messages of a batch',
      property: 'FunctionResponseTypes',
      expected: ['ReportBatchItemFailures'],
    },
    {
      what: 'limits the files that are solved concurrently',
      property: 'ScalingConfig',
      expected: { MaximumConcurrency: 7 },
    },
    {
      what: 'passes one file to an invocation, so that no file waits for another',
      property: 'BatchSize',
      expected: 1,
    },
  ])('$what', ({ property, expected }) => {
    expect(source[property]).toEqual(expected);
  });
});

describe('the role of the function', () => {
  const statements = statementsOfSolver(template);
  const input = `<${outputLogicalId(template, 'InputBucketName')}>`;
  const results = `<${outputLogicalId(template, 'ResultsBucketName')}>`;
  const queue = `<${outputLogicalId(template, 'QueueUrl')}>`;
  const machine = `<${outputLogicalId(template, 'SolveLargeArn')}>`;
  const execution = `arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${machine}:a`;

  it.each([
    { may: 'read an upload', action: 's3:GetObject', resource: `${input}/inbox/a b.txt` },
    { may: 'read a version of an upload', action: 's3:GetObjectVersion', resource: `${input}/inbox/a/b.txt` },
    { may: 'list the input bucket, or a missing key is a 403', action: 's3:ListBucket', resource: input },
    { may: 'list the versions of uploads, to order them', action: 's3:ListBucketVersions', resource: input },
    { may: 'list the results bucket, or a missing key is a 403', action: 's3:ListBucket', resource: results },
    { may: 'list the versions of results', action: 's3:ListBucketVersions', resource: results },
    ...['results/', 'rejects/', 'done/', 'status/'].flatMap((prefix) => [
      { may: `read under ${prefix}`, action: 's3:GetObject', resource: `${results}/${prefix}inbox/a.txt` },
      { may: `write under ${prefix}`, action: 's3:PutObject', resource: `${results}/${prefix}inbox/a.txt` },
    ]),
    ...['results/', 'rejects/'].map((prefix) => ({
      may: `delete under ${prefix}`,
      action: 's3:DeleteObject',
      resource: `${results}/${prefix}inbox/a.txt`,
    })),
    {
      may: 'abort a multipart upload of a result',
      action: 's3:AbortMultipartUpload',
      resource: `${results}/results/inbox/a.txt`,
    },
    { may: 'read pieces of large jobs', action: 's3:GetObject', resource: `${results}/${WORK_PREFIX}a` },
    { may: 'start large jobs', action: 'states:StartExecution', resource: machine },
    { may: 'describe large jobs', action: 'states:DescribeExecution', resource: execution },
    { may: 'redrive large jobs', action: 'states:RedriveExecution', resource: execution },
    { may: 'receive messages', action: 'sqs:ReceiveMessage', resource: queue },
    { may: 'delete messages', action: 'sqs:DeleteMessage', resource: queue },
    { may: 'hide messages that failed', action: 'sqs:ChangeMessageVisibility', resource: queue },
    {
      may: 'write its log',
      action: 'logs:PutLogEvents',
      resource: `<${outputLogicalId(template, 'SolveLogGroupName')}>`,
    },
  ])('may $may', ({ action, resource }) => {
    expect(allows(statements, action, resource)).toBe(true);
  });

  it.each([
    { not: 'write an upload', action: 's3:PutObject', resource: `${input}/inbox/a.txt` },
    { not: 'delete an upload', action: 's3:DeleteObject', resource: `${input}/inbox/a.txt` },
    { not: 'read objects outside inbox/', action: 's3:GetObject', resource: `${input}/inboxes/a.txt` },
    { not: 'write at the top of the results bucket', action: 's3:PutObject', resource: `${results}/a.txt` },
    { not: 'write pieces of large jobs', action: 's3:PutObject', resource: `${results}/${WORK_PREFIX}a` },
    { not: 'write records of runs', action: 's3:PutObject', resource: `${results}/runs/a/report.json` },
    { not: 'delete a done marker', action: 's3:DeleteObject', resource: `${results}/done/inbox/a.txt/1` },
    { not: 'delete a version', action: 's3:DeleteObjectVersion', resource: `${results}/results/a` },
    { not: 'make anything public', action: 's3:PutObjectAcl', resource: `${results}/results/a` },
    { not: 'change a bucket', action: 's3:PutBucketNotification', resource: results },
    { not: 'send a message, which could become a loop', action: 'sqs:SendMessage', resource: queue },
    { not: 'stop a large job', action: 'states:StopExecution', resource: execution },
    { not: 'use a key', action: 'kms:Decrypt', resource: 'arn:aws:kms:eu-west-1:111122223333:key/1' },
    {
      not: 'write to other log groups',
      action: 'logs:PutLogEvents',
      resource: 'arn:aws:logs:*:*:log-group:a:*',
    },
  ])('may not $not', ({ action, resource }) => {
    expect(allows(statements, action, resource)).toBe(false);
  });

  it('has no wildcard actions', () => {
    expect(statements.flatMap(({ actions }) => actions).filter((action) => action.includes('*'))).toEqual([]);
  });

  it('can be assumed by Lambda only', () => {
    const role = template.toJSON().Resources[solve.Role['Fn::GetAtt'][0]];
    expect(role.Properties.AssumeRolePolicyDocument.Statement).toEqual([
      { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } },
    ]);
  });
});
