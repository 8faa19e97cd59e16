import { expect, test } from 'vitest';
import { eventRelay, matchesInboxRule, objectCreatedEvent } from '../../../lib/local/queue/event-relay.ts';
import type { ObjectCreated } from '../../../lib/local/s3/http/server.ts';

const CREATED: ObjectCreated = {
  bucket: 'dlx-batch-input',
  key: 'inbox/a+b %20.txt',
  size: 5,
  etag: 'b1946ac92492d2347c6235b4d2611184',
  versionId: 'IYV3p45BT0ac8hjHg1houSdS1a.Mro8e',
  sequencer: '617f08299329d189',
  reason: 'PutObject',
};

const METADATA = {
  region: 'ca-central-1',
  time: new Date('2021-11-12T00:00:00.987Z'),
  eventId: '17793124-05d4-b198-2fde-7ededc63b103',
  requestId: 'N4N7GDK58NMKJ12R',
};

test('the event of an upload is byte-identical to the one in the S3 User Guide, with the key not encoded', () => {
  expect(JSON.stringify(objectCreatedEvent(CREATED, METADATA))).toBe(
    '{"version":"0","id":"17793124-05d4-b198-2fde-7ededc63b103","detail-type":"Object Created",' +
      '"source":"aws.s3","account":"000000000000","time":"2021-11-12T00:00:00Z","region":"ca-central-1",' +
      '"resources":["arn:aws:s3:::dlx-batch-input"],"detail":{"version":"0","event-version":"1.0",' +
      '"bucket":{"name":"dlx-batch-input"},"object":{"key":"inbox/a+b %20.txt","size":5,' +
      '"etag":"b1946ac92492d2347c6235b4d2611184","version-id":"IYV3p45BT0ac8hjHg1houSdS1a.Mro8e",' +
      '"sequencer":"617f08299329d189"},"request-id":"N4N7GDK58NMKJ12R","requester":"000000000000",' +
      '"source-ip-address":"127.0.0.1","reason":"PutObject"}}',
  );
});

test('without versioning the event has no version id', () => {
  const event = JSON.stringify(objectCreatedEvent({ ...CREATED, versionId: undefined }, METADATA));
  expect(event).toContain('"etag":"b1946ac92492d2347c6235b4d2611184","sequencer"');
});

test.each([
  ['in the inbox', {}, true],
  ['in a folder of the inbox', { key: 'inbox/2026/a.txt' }, true],
  ['a folder marker', { key: 'inbox/' }, true],
  ['outside the inbox', { key: 'scheduled/a.txt' }, false],
  ['named like the inbox', { key: 'inbox' }, false],
  ['in the inbox of another bucket', { bucket: 'dlx-batch-results' }, false],
])('the rule treats an object that is %s as the stack does', (_name, change, expected) => {
  expect(matchesInboxRule({ ...CREATED, ...change }, 'dlx-batch-input')).toBe(expected);
});

test('only objects that match the rule are sent, each as a message with its own ids', () => {
  const sent: string[] = [];
  const relay = eventRelay({
    inputBucket: 'dlx-batch-input',
    region: 'ca-central-1',
    send: (body) => sent.push(body),
    now: () => METADATA.time,
  });
  relay(CREATED);
  relay({ ...CREATED, key: 'scheduled/a.txt' });
  relay(CREATED);
  expect(sent.length).toBe(2);
  const [first, second] = sent.map((body) => JSON.parse(body));
  const { id, detail } = first;
  expect(first).toEqual(
    objectCreatedEvent(CREATED, { ...METADATA, eventId: id, requestId: detail['request-id'] }),
  );
  expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(detail['request-id']).toMatch(/^[0-9A-Z]{16}$/);
  expect(second.id).not.toBe(id);
  expect(second.detail['request-id']).not.toBe(detail['request-id']);
});
