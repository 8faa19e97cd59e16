import { describe, expect, it } from 'vitest';
import {
  parseMessage,
  UnknownMessageError,
  uploadInMessage,
} from '../../../lib/batch/delivery/upload-event.ts';
import { eventBridgeBody } from '../../support/message-factory.ts';

const uploadOf = (body: string) => uploadInMessage(parseMessage(body));

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
    expect(uploadOf(body)).toEqual({ ...UPLOAD, createdAt: '2025-03-01T12:00:00Z', runId: undefined });
  });

  it('may have a key that cannot be decoded', () => {
    expect(uploadOf(eventBridgeBody({ ...OBJECT, key: 'inbox/100%.txt' }))).toMatchObject({
      key: 'inbox/100%.txt',
    });
  });

  it('of a bucket without versions names none', () => {
    const { versionId, ...unversioned } = OBJECT;
    expect(uploadOf(eventBridgeBody(unversioned))!.versionId).toBeUndefined();
  });

  it('of a bulk run has its id', () => {
    const body = JSON.stringify({ ...JSON.parse(eventBridgeBody(OBJECT)), runId: 'run-7' });
    expect(uploadOf(body)).toMatchObject({ runId: 'run-7' });
  });

  it('of another type is not an upload', () => {
    expect(uploadOf(eventBridgeBody(OBJECT, 'Object Deleted'))).toBeUndefined();
  });
});

describe('any other message', () => {
  for (const [name, body] of [
    ['no JSON', 'hello'],
    ['an empty body', ''],
    ['a JSON value', '42'],
    ['an event of another service', JSON.stringify({ source: 'aws.ec2', 'detail-type': 'x', detail: {} })],
    ['a notification of a bucket', JSON.stringify({ Records: [{ eventName: 'ObjectCreated:Put' }] })],
    ['an event without its object', JSON.stringify({ source: 'aws.s3', 'detail-type': 'Object Created' })],
  ] as const) {
    it(`throws an error that quotes it: ${name}`, () => {
      expect(() => uploadOf(body)).toThrow(UnknownMessageError);
      expect(() => uploadOf(body)).toThrow(`found ${body}`);
    });
  }
});
