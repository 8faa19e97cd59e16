/** Messages of the queue of uploads. */
import {
  parseMessage,
  UnknownMessageError,
  uploadInMessage,
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
  ],
  tokens: ['"key":', '"object":', '"source":"aws.s3"', '"runId":', 'null', '[]', '{}'],
  maxBytes: 1000,
  maxWork: { base: 50_000, perByte: 1_000 },
  async run(input) {
    const { value } = await documented(
      () => uploadInMessage(parseMessage(input.toString())),
      (error) => error instanceof UnknownMessageError,
    );
    if (value === undefined) return;
    const { bucket, key } = value;
    check(typeof bucket === 'string' && typeof key === 'string', 'an upload has a bucket and a key');
  },
};
