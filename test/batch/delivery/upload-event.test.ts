import { describe, expect, it } from 'vitest';
import {
  parseMessage,
  UnknownMessageError,
  uploadsInMessage,
} from '../../../lib/batch/delivery/upload-event.ts';
import { eventBridgeBody, notificationBody, S3_TEST_EVENT } from '../../support/message-factory.ts';

const uploadsOf = (body: string) => uploadsInMessage(parseMessage(body));

const OBJECT = {
  bucket: 'puzzles',
  key: 'inbox/a+b %20.txt',
  size: 164,
  etag: '7e4cf97a7a0753bcb2b59745cc1cbbae',
  versionId: 'IYV3p45BT0ac8hjHg1houSdS1a.Mro8e',
  sequencer: '00617F08299329D189',
};
const UPLOAD = {
  bucket: 'puzzles',
  key: 'inbox/a+b %20.txt',
  versionId: OBJECT.versionId,
  bytes: 164,
  etag: OBJECT.etag,
  sequencer: OBJECT.sequencer,
};

describe("EventBridge's event", () => {
  it('has the key verbatim', () => {
    const body = eventBridgeBody(OBJECT);
    expect(body).toContain('"key":"inbox/a+b %20.txt"');
    expect(uploadsOf(body)).toEqual([{ ...UPLOAD, createdAt: '2025-03-01T12:00:00Z', runId: undefined }]);
  });

  it('may have a key that cannot be decoded', () => {
    expect(uploadsOf(eventBridgeBody({ ...OBJECT, key: 'inbox/100%.txt' }))).toMatchObject([
      { key: 'inbox/100%.txt' },
    ]);
  });

  it('of a bucket without versions names none', () => {
    const { versionId, ...unversioned } = OBJECT;
    expect(uploadsOf(eventBridgeBody(unversioned))[0]!.versionId).toBeUndefined();
  });

  it('of a bulk run has its id', () => {
    const body = JSON.stringify({ ...JSON.parse(eventBridgeBody(OBJECT)), runId: 'run-7' });
    expect(uploadsOf(body)).toMatchObject([{ runId: 'run-7' }]);
  });

  it('of another type is not an upload', () => {
    expect(uploadsOf(eventBridgeBody(OBJECT, 'Object Deleted'))).toEqual([]);
  });
});

describe('a plain S3 notification', () => {
  it('has the key form-encoded', () => {
    const body = notificationBody([OBJECT]);
    expect(body).toContain('"key":"inbox/a%2Bb+%2520.txt"');
    expect(uploadsOf(body)).toEqual([UPLOAD]);
  });

  it('decodes characters outside ASCII', () => {
    const key = 'inbox/sø du+1 &.txt';
    const body = notificationBody([{ ...OBJECT, key }]);
    expect(body).toContain('s%C3%B8+du%2B1+%26.txt');
    expect(uploadsOf(body)).toMatchObject([{ key }]);
  });

  it('may have several objects', () => {
    const keys = ['inbox/1.txt', 'inbox/2.txt', 'inbox/3.txt'];
    const uploads = uploadsOf(notificationBody(keys.map((key) => ({ ...OBJECT, key }))));
    expect(uploads.map(({ key }) => key)).toEqual(keys);
  });

  it('may have s3: before the name of its event', () => {
    expect(uploadsOf(notificationBody([OBJECT], 's3:ObjectCreated:CompleteMultipartUpload'))).toHaveLength(1);
  });

  it('about a removed object is not an upload', () => {
    expect(uploadsOf(notificationBody([OBJECT], 'ObjectRemoved:Delete'))).toEqual([]);
  });
});

describe('a notification with a key that is not encoded', () => {
  it.each(['50%', '%E2%82', 'a/%zz'])('throws an error that quotes it: %s', (key) => {
    const object = { bucket: { name: 'b' }, object: { key } };
    const body = JSON.stringify({ Records: [{ eventName: 'ObjectCreated:Put', s3: object }] });
    expect(() => uploadsOf(body)).toThrow(UnknownMessageError);
    expect(() => uploadsOf(body)).toThrow(`found ${key}`);
  });
});

describe("S3's test event", () => {
  it('is not an upload', () => {
    expect(uploadsOf(S3_TEST_EVENT)).toEqual([]);
  });
});

describe('any other message', () => {
  for (const [name, body] of [
    ['no JSON', 'hello'],
    ['an empty body', ''],
    ['a JSON value', '42'],
    ['an event of another service', JSON.stringify({ source: 'aws.ec2', 'detail-type': 'x', detail: {} })],
    ['an event without its object', JSON.stringify({ source: 'aws.s3', 'detail-type': 'Object Created' })],
  ] as const) {
    it(`throws an error that quotes it: ${name}`, () => {
      expect(() => uploadsOf(body)).toThrow(UnknownMessageError);
      expect(() => uploadsOf(body)).toThrow(`found ${body}`);
    });
  }
});
