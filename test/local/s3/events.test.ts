import { expect, test } from 'vitest';
import type { ObjectCreated } from '../../../lib/local/s3/server.ts';
import { objectText } from './object-text.ts';
import { startTestServer } from './test-server.ts';
import { BUCKET, PLAIN_BUCKET } from './test-server-names.ts';

const KEY = 'inbox/a+b %20.txt';

test('each operation that creates an object sends one event, with the key not encoded', async () => {
  const { client, events } = await startTestServer();
  const at = { Bucket: BUCKET, Key: KEY };
  const put = await client.putObject({ ...at, Body: 'four' });
  const CopySource = `${BUCKET}/${encodeURIComponent(KEY)}?versionId=${put.VersionId}`;
  const copy = await client.copyObject({ ...at, CopySource });
  const { UploadId } = await client.createMultipartUpload(at);
  const { ETag } = await client.uploadPart({ ...at, UploadId, PartNumber: 1, Body: 'part' });
  const Parts = [{ PartNumber: 1, ETag }];
  const joined = await client.completeMultipartUpload({ ...at, UploadId, MultipartUpload: { Parts } });
  await client.deleteObject(at);
  const unquoted = (etag = '') => etag.replaceAll('"', '');
  expect(events).toEqual([
    expected('PutObject', put.VersionId, unquoted(put.ETag)),
    expected('CopyObject', copy.VersionId, unquoted(copy.CopyObjectResult?.ETag)),
    expected('CompleteMultipartUpload', joined.VersionId, unquoted(joined.ETag)),
  ]);
});

function expected(
  reason: ObjectCreated['reason'],
  versionId: string | undefined,
  etag: string,
): ObjectCreated {
  return {
    bucket: BUCKET,
    key: KEY,
    size: 4,
    etag,
    versionId,
    sequencer: expect.stringMatching(/^[0-9A-F]{18}$/),
    reason,
  };
}

test('events of a bucket that is not versioned have no version id', async () => {
  const { client, events } = await startTestServer();
  await client.putObject({ Bucket: PLAIN_BUCKET, Key: KEY, Body: 'text' });
  expect(events[0].versionId).toBeUndefined();
});

test('a rejected write sends no event', async () => {
  const { client, events } = await startTestServer();
  const put = client.putObject({ Bucket: BUCKET, Key: KEY, Body: 'text', IfMatch: '"0"' });
  await expect(put).rejects.toThrow();
  expect(events).toEqual([]);
});

test('sequencers of a key increase with its writes, also across restarts, and version ids are unique', async () => {
  const server = await startTestServer();
  const put = () => server.client.putObject({ Bucket: BUCKET, Key: KEY, Body: 'text' });
  for (let round = 0; round < 3; round++) {
    await put();
    await put();
    await server.client.deleteObject({ Bucket: PLAIN_BUCKET, Key: 'other' });
    await server.restart();
  }
  const sequencers = server.events.map(({ sequencer }) => sequencer);
  expect(sequencers).toEqual([...new Set(sequencers)].sort());
  expect(new Set(server.events.map(({ versionId }) => versionId)).size).toBe(6);
});

test('an error of the listener fails the request, and is reported', async () => {
  const failure = new Error('the queue is full');
  const onObjectCreated = () => {
    throw failure;
  };
  const { client, faults } = await startTestServer({ onObjectCreated });
  const put = client.putObject({ Bucket: BUCKET, Key: KEY, Body: 'text' });
  await expect(put).rejects.toMatchObject({ name: 'InternalError', $metadata: { httpStatusCode: 500 } });
  expect(faults).toEqual([failure]);
  expect(await objectText(client, { Bucket: BUCKET, Key: KEY })).toBe('text');
});
