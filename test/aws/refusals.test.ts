/** Answers that refuse a part of what was asked, although their requests succeed. */
import { expect, test } from 'vitest';
import { eventBridgeBus } from '../../lib/aws/event-bus.ts';
import { deadLetters, sqsQueue } from '../../lib/aws/sqs-queue.ts';

test('a queue that refuses some messages of a batch: their indexes', async () => {
  const sqs = { sendMessageBatch: async () => ({ Failed: [{ Id: '1' }, { Id: '4' }] }) };
  expect(await sqsQueue('http://q', sqs as never).send(['a', 'b', 'c', 'd', 'e'])).toEqual([1, 4]);
  expect(await sqsQueue('http://q', {} as never).send([])).toEqual([]);
});

test('dead letters that are moving already move once', async () => {
  const message =
    'There is already a task running. Only one active task is allowed for a source queue arn at a given time.';
  const answers = [new Error(message), new Error('denied')];
  const startMessageMoveTask = () => Promise.reject(answers.shift());
  const letters = deadLetters('arn:from', 'arn:to', { startMessageMoveTask } as never);
  await letters.moveBack();
  await expect(letters.moveBack()).rejects.toThrow('denied');
});

test('an event that is not accepted is an error', async () => {
  const Entries = [{ ErrorCode: 'InternalFailure', ErrorMessage: 'x' }];
  const bus = eventBridgeBus('b', { send: async () => ({ FailedEntryCount: 1, Entries }) } as never);
  await expect(bus.send('JobFailed', {})).rejects.toThrow('InternalFailure: x');
});
