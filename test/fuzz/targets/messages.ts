/** Messages of the queue of uploads. */
import {
  parseMessage,
  UnknownMessageError,
  uploadsInMessage,
} from '../../../lib/batch/delivery/upload-event.ts';
import { check, documented, type Target } from '../target.ts';

const EVENT = {
  source: 'aws.s3',
  'detail-type': 'Object Created',
  detail: {
    bucket: { name: 'in' },
    object: { key: 'inbox/a b', size: 5, etag: 'e', 'version-id': 'v', sequencer: '00' },
  },
};

/** Bodies of queue messages. */
export const messages: Target = {
  name: 'messages',
  seeds: () => [
    JSON.stringify(EVENT),
    JSON.stringify({ ...EVENT, runId: '2026-03-01T12:00:00Z' }),
    JSON.stringify({ ...EVENT, 'detail-type': 'Object Deleted' }),
    '{"Records":[{"eventName":"ObjectCreated:Put","s3":{"bucket":{"name":"in"},"object":{"key":"a+b%20%C3%BC","size":1,"eTag":"e","versionId":"v","sequencer":"0A"}}}]}',
    '{"Service":"Amazon S3","Event":"s3:TestEvent"}',
  ],
  tokens: [
    '"Records":',
    '"s3":',
    '"key":',
    '"%"',
    '%E2%82',
    '+',
    '"eventName":',
    'ObjectRemoved:Delete',
    '"source":"aws.s3"',
    '"runId":',
    'null',
    '[]',
    '{}',
  ],
  maxBytes: 1000,
  maxWork: { base: 50_000, perByte: 1_000 },
  async run(input) {
    const { value } = await documented(
      () => uploadsInMessage(parseMessage(input.toString())),
      (error) => error instanceof UnknownMessageError,
    );
    for (const { bucket, key } of value ?? []) {
      check(typeof bucket === 'string' && typeof key === 'string', 'an upload has a bucket and a key');
      check(Buffer.from(key).toString() === key, 'a key is text', () => key);
    }
  },
};
