/**
 * Answers of SQS, Step Functions, Lambda's event source mapping, S3's events and EventBridge Scheduler that LocalStack
 * recorded from AWS (validated snapshots of 23 March 2026, below tests/aws/services). Each row names the test.
 */

import { afterAll, describe, expect, test } from 'vitest';
import { parseSchedule } from '../../../lib/batch/bulk-run/schedule-expression.ts';
import type { InvocationResult } from '../../../lib/local/functions/invocation-result.ts';
import { JsonApiError, type JsonService } from '../../../lib/local/json-api.ts';
import { failedMessages } from '../../../lib/local/queue/event-source-mapping.ts';
import { queueService } from '../../../lib/local/queue/queue-service.ts';
import { loadDefinition } from '../../../lib/local/states/definition.ts';
import { LocalExecutions } from '../../../lib/local/states/executions.ts';
import { statesService } from '../../../lib/local/states/states-service.ts';
import { ManualClock } from '../../local/manual-clock.ts';
import { testQueue } from '../../local/test-queue.ts';
import { FullDisk } from '../../local/two-tasks.ts';
import { uploadEvent } from '../../support/built-program.ts';
import { differences } from './differences.ts';

/** The answer of an operation, or its error. */
function answerOf({ operations }: JsonService, operation: string, given: object): unknown {
  try {
    const { parameters, run } = operations[operation]!;
    return JSON.parse(JSON.stringify(run(parameters.parse(given))));
  } catch (error) {
    if (!(error instanceof JsonApiError)) throw error;
    return [error.name, error.message];
  }
}

describe('SQS answers as recorded from AWS', () => {
  const { queue, clock } = testQueue({ atEnd: afterAll });
  const QueueUrl = 'http://sqs/000000000000/q';
  const service = queueService({ '/000000000000/q': queue });
  /** The handle of a message that is visible again. */
  const returned = () => {
    queue.send('test');
    const [{ receiptHandle } = { receiptHandle: '' }] = queue.receive(10);
    clock.advance(2000);
    return receiptHandle;
  };

  test('test_change_message_visibility_after_visibility_timeout_expiration', () => {
    const given = { QueueUrl, ReceiptHandle: returned(), VisibilityTimeout: 2 };
    expect(answerOf(service, 'ChangeMessageVisibility', given)).toEqual({});
    expect(queue.receive(10)).toEqual([]);
  });

  test('test_delete_after_visibility_timeout', () => {
    const handle = returned();
    const others = queue.size;
    expect(queue.delete(handle)).toBe(true);
    expect(queue.size).toBe(others - 1);
  });
});

describe('an event source mapping acts as recorded from AWS', () => {
  const records = [1, 2].map((number) => ({ messageId: String(number) }) as never);
  const facts = { requestId: 'r' };
  const returns = (payload: unknown): InvocationResult => ({ ...facts, ok: true, payload });
  const failure = { ...facts, ok: false, error: { errorType: 'E', errorMessage: 'm' } } as const;

  test.each<[name: string, result: InvocationResult, failed: readonly string[]]>([
    ['test_report_batch_item_failures', returns({ batchItemFailures: [{ itemIdentifier: '2' }] }), ['2']],
    ['test_report_batch_item_failures_on_lambda_error', failure, ['1', '2']],
    [
      'test_report_batch_item_failures_invalid_result_json_batch_fails',
      returns({ batchItemFailures: [{ foo: 'notvalid' }] }),
      ['1', '2'],
    ],
    ['test_report_batch_item_failures_empty_json_batch_succeeds', returns({}), []],
  ])('%s', (_name, result, failed) => {
    expect([...failedMessages(records, result)]).toEqual(failed);
  });

  test('test_report_batch_item_failures_empty_json_batch_succeeds: the record', () => {
    const { queue } = testQueue();
    queue.send('body');
    const recorded = {
      messageId: '<uuid:1>',
      receiptHandle: '<receipt-handle:2>',
      body: 'body',
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: '<sent-timestamp>',
        SenderId: '<sender-id>',
        ApproximateFirstReceiveTimestamp: '<approximate-first-receive-timestamp>',
      },
      messageAttributes: {},
      md5OfBody: '<md5-of-body:1>',
      eventSource: 'aws:sqs',
      eventSourceARN: '<arn>',
      awsRegion: '<region>',
    };
    expect(differences([recorded], queue.receive(1), new Map())).toEqual([]);
  });
});

test('an event of S3 is as recorded from AWS: test_object_created_put', () => {
  const created = {
    bucket: 'b',
    key: 'k',
    size: 4,
    etag: '8d777f385d3dfec8815d20f7496026dc',
    sequencer: '0',
    reason: 'PutObject',
    versionId: undefined,
  } as const;
  const recorded = {
    account: '<account>',
    detail: {
      bucket: { name: 'b' },
      object: { etag: '8d777f385d3dfec8815d20f7496026dc', key: 'k', sequencer: '<sequencer>', size: 4 },
      reason: 'PutObject',
      'request-id': '<request-id>',
      requester: '<requester>',
      'source-ip-address': '<ip-address>',
      version: '0',
    },
    'detail-type': 'Object Created',
    id: '<uuid:1>',
    region: '<region>',
    resources: ['arn:aws:s3:::b'],
    source: 'aws.s3',
    time: '<time>',
    version: '0',
  };
  const event = JSON.parse(uploadEvent(created));
  // The recorded event, of January 2025, has none.
  delete event.detail['event-version'];
  expect(differences(recorded, event, new Map())).toEqual([]);
});

describe('Step Functions answers as recorded from AWS', () => {
  const stateMachineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:M';
  const executionArn = (name: string) => `${stateMachineArn.replace('stateMachine', 'execution')}:${name}`;
  const machine = loadDefinition(
    JSON.stringify({ StartAt: 'W', States: { W: { Type: 'Wait', Seconds: 99, End: true } } }),
  );
  const service = () =>
    statesService(
      new LocalExecutions({
        journal: new FullDisk(),
        machineArns: [stateMachineArn],
        load: () => ({ deployment: 'd', machine, isAllowed: () => true }),
        dependencies: { clock: new ManualClock() } as never,
      }),
    );
  const startDate = new ManualClock().nowEpochMs() / 1000;
  const started = { executionArn: executionArn('a'), startDate };

  test.each<
    [name: string, requests: readonly (readonly [operation: string, given: object])[], recorded: unknown]
  >([
    [
      'test_invalid_start_execution_arn',
      [['StartExecution', { stateMachineArn: `${stateMachineArn}x` }]],
      ['StateMachineDoesNotExist', `State Machine Does Not Exist: '${stateMachineArn}x'`],
    ],
    [
      'test_invalid_start_execution_input, empty',
      [['StartExecution', { stateMachineArn, input: '' }]],
      ['InvalidExecutionInput', "Invalid State Machine Execution Input: 'Invalid execution input.'"],
    ],
    ...['2', '"some text"', 'null'].map(
      (input) =>
        [
          `test_invalid_start_execution_input, ${input}`,
          [['StartExecution', { stateMachineArn, name: 'a', input }]],
          started,
        ] as [string, [string, object][], object],
    ),
    [
      'test_start_execution_idempotent',
      Array(2).fill(['StartExecution', { stateMachineArn, name: 'a', input: '{}' }]),
      started,
    ],
    [
      'test_start_execution_idempotent, other input',
      ['{}', '{"a":1}'].map((input) => ['StartExecution', { stateMachineArn, name: 'a', input }] as const),
      ['ExecutionAlreadyExists', `Execution Already Exists: '${executionArn('a')}'`],
    ],
    [
      'test_stop_execution',
      [
        ['StartExecution', { stateMachineArn, name: 'a' }],
        ['StopExecution', { executionArn: executionArn('a') }],
      ],
      { stopDate: startDate },
    ],
    [
      'test_describe_execution_no_such_state_machine',
      [['DescribeExecution', { executionArn: executionArn('none') }]],
      ['ExecutionDoesNotExist', `Execution Does Not Exist: '${executionArn('none')}'`],
    ],
    [
      'test_global_timeout',
      [
        ['StartExecution', { stateMachineArn, name: 'a', input: '{}' }],
        ['StopExecution', { executionArn: executionArn('a') }],
        ['DescribeExecution', { executionArn: executionArn('a') }],
      ],
      {
        executionArn: executionArn('a'),
        input: '{}',
        inputDetails: { included: true },
        name: 'a',
        redriveCount: 0,
        redriveStatus: 'REDRIVABLE',
        startDate,
        stateMachineArn,
        // There it had timed out.
        status: 'ABORTED',
        stopDate: startDate,
      },
    ],
  ])('%s', (_name, requests, recorded) => {
    const api = service();
    const answers = requests.map(([operation, given]) => answerOf(api, operation, given));
    expect(answers.at(-1)).toEqual(recorded);
  });
});

describe('schedules are accepted and rejected as recorded from AWS: test_scheduler', () => {
  test.each([
    'cron(0-15/1 8-8 ? * 2,3,4,5,6,7 *)',
    'cron(30-30 13-13 ? * 2,4,6 *)',
    'cron(1-31/30 1-1 ? * 1,7 *)',
    'cron(0 18 ? * MON-FRI *)',
    'cron(*/15 * * * ? *)',
    'cron(0-59/10 0-23/2 ? * * *)',
  ])('%s is accepted', (text) => {
    expect(() => parseSchedule(text)).not.toThrow();
  });

  test.each([
    'cron(0 1 * * * *)',
    'cron(7 20 * * NOT *)',
    'cron(INVALID)',
    'cron(0 dummy ? * MON-FRI *)',
    'cron(71 8 1 * ? *)',
    'cron()',
    'rate(10 seconds)',
    'rate(10 years)',
    'rate()',
    'rate(10)',
    'rate(10 minutess)',
    'rate(foo minutes)',
    'rate(-10 minutes)',
    'rate( 10 minutes )',
    ' rate(10 minutes)',
    'at(2021-12-31T23:59:59Z)',
    'at(2021-12-31)',
  ])('%s is rejected', (text) => {
    expect(() => parseSchedule(text)).toThrow('the schedule is');
  });
});
