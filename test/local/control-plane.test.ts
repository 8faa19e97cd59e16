/** The local stack's answers about itself, with the real SDK; `test/cli/commands/doctor.slow.test.ts` reads all of them. */
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, GetMetricStatisticsCommand } from '@aws-sdk/client-cloudwatch';
import { IAMClient, ListRolesCommand } from '@aws-sdk/client-iam';
import { GetFunctionCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { policyNames } from '../../lib/local/access/policy-names.ts';
import { StackAccess } from '../../lib/local/access/stack-access.ts';
import type { InvocationResult } from '../../lib/local/functions/invocation-result.ts';
import { type LocalStack, startLocalStack } from '../../lib/local/stack.ts';
import { LOCAL_STACK } from '../../lib/local/stack-names.ts';
import { type StackTemplate, synthesise } from '../../lib/local/states/template.ts';
import { temporaryFolder } from './fixture-function.ts';

let stack: LocalStack;
let template: StackTemplate;
/** Ends the invocations of the function; until then, their messages are in progress. */
const released = Promise.withResolvers<InvocationResult>();

beforeAll(async () => {
  template = await synthesise(temporaryFolder(afterAll));
  stack = await startLocalStack({
    dataDir: temporaryFolder(afterAll),
    codeDir: temporaryFolder(afterAll),
    synthesise: async () => template,
    startFunction: () => ({ invoke: () => released.promise, close: async () => {} }),
    concurrency: 1,
    functionTimeoutMs: 60_000,
  });
}, 120_000);

afterAll(async () => {
  const facts = { requestId: '', durationMs: 0, coldStart: false, maxMemoryBytes: 0 };
  released.resolve({ ok: true, payload: null, ...facts });
  await stack.close();
});

const settings = (keys: { accessKeyId: string; secretAccessKey: string } = stack) => ({
  endpoint: stack.endpoint,
  region: stack.region,
  credentials: { accessKeyId: keys.accessKeyId, secretAccessKey: keys.secretAccessKey },
});

test('the depth of the queue and the age of its oldest message', async () => {
  const sqs = new SQSClient(settings());
  stack.send('first');
  stack.send('second');
  const QueueUrl = stack.endpoint.replace('127.0.0.1', 'localhost') + LOCAL_STACK.queuePath;
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
  expect(Attributes).toMatchObject({
    QueueArn: 'arn:aws:sqs:us-east-1:000000000000:dlx-batch-jobs',
    ApproximateNumberOfMessages: '1',
    ApproximateNumberOfMessagesNotVisible: '1',
    VisibilityTimeout: '360',
  });
  const { Datapoints } = await new CloudWatchClient(settings()).send(
    new GetMetricStatisticsCommand({
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateAgeOfOldestMessage',
      StartTime: new Date(0),
      EndTime: new Date(),
      Period: 300,
    }),
  );
  expect(Datapoints?.[0]?.Maximum).toBeGreaterThanOrEqual(0);
});

test('outputs with the URLs of the queues, as clients use them', async () => {
  const { Stacks } = await new CloudFormationClient(settings()).send(
    new DescribeStacksCommand({ StackName: LOCAL_STACK.name }),
  );
  const outputs = new Map(
    Stacks?.[0]?.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
  );
  expect(outputs.get('InputBucketName')).toBe(LOCAL_STACK.inputBucket);
  expect(outputs.get('QueueUrl')).toBe(stack.endpoint + LOCAL_STACK.queuePath);
  expect(outputs.get('DeadLetterQueueUrl')).toBe(stack.endpoint + LOCAL_STACK.deadLetterPath);
  expect(outputs.get('SolveLargeArn')).toBe(LOCAL_STACK.solveLargeArn);
});

test('the settings of a function, as they are here', async () => {
  const { Configuration } = await new LambdaClient(settings()).send(
    new GetFunctionCommand({ FunctionName: 'solve-batch' }),
  );
  expect(Configuration).toMatchObject({ Handler: 'solve-batch.handler', Timeout: 60, State: 'Active' });
});

test.each([
  [
    'a stack',
    () => new CloudFormationClient(settings()).send(new DescribeStacksCommand({ StackName: 'Other' })),
    'ValidationError',
  ],
  [
    'a function',
    () => new LambdaClient(settings()).send(new GetFunctionCommand({ FunctionName: 'other' })),
    'ResourceNotFoundException',
  ],
  [
    'an operation with a form',
    () => new IAMClient(settings()).send(new ListRolesCommand({})),
    'UnknownOperationException',
  ],
  [
    'an operation with a path',
    () => new LambdaClient(settings()).send(new ListFunctionsCommand({})),
    'UnknownOperationException',
  ],
] as const)('%s that does not exist', async (_what, request, name) => {
  await expect(request()).rejects.toMatchObject({ name });
});

test('the role of a function may read nothing', async () => {
  const outputs = { InputBucketName: 'in', ResultsBucketName: 'out', QueueUrl: stack.endpoint };
  const names = policyNames(template, { region: stack.region, outputs }, 'arn:queue');
  const [role] = new StackAccess(template, names, stack).keys;
  const sts = new STSClient(settings(role));
  await expect(sts.send(new GetCallerIdentityCommand({}))).rejects.toMatchObject({
    name: 'AccessDeniedException',
  });
});
