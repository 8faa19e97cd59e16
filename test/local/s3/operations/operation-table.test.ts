import { once } from 'node:events';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, test } from 'vitest';
import { objectText } from '../object-text.ts';
import { openRaw, responseTo, sendRaw } from '../raw-request.ts';
import { countDataFiles, startTestServer } from '../test-server.ts';
import { BUCKET, PLAIN_BUCKET } from '../test-server-names.ts';

test('a bucket is created again in us-east-1 only', async () => {
  for (const [region, status] of [
    ['us-east-1', 200],
    ['eu-west-1', 409],
  ] as const) {
    const server = await startTestServer({ region });
    const again = await sendRaw({ ...server, region }, { method: 'PUT', path: `/${BUCKET}` });
    expect([region, again.status]).toEqual([region, status]);
  }
});

describe('a write that races', () => {
  const openConditional = async (headers: Record<string, string>) => {
    const server = await startTestServer();
    const put = new PutObjectCommand({ Bucket: BUCKET, Key: 'a', Body: 'first' });
    const { ETag = '', VersionId } = await server.client.send(put);
    const begin = async () => {
      const opened = openRaw(server, {
        method: 'PUT',
        path: `/${BUCKET}/a`,
        headers: { 'content-length': '6', expect: '100-continue', ...replaceEtag(headers, ETag) },
        payloadHash: 'UNSIGNED-PAYLOAD',
      });
      opened.flushHeaders();
      await once(opened, 'continue');
      return opened;
    };
    return { server, begin, VersionId };
  };
  const replaceEtag = (headers: Record<string, string>, etag: string) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('ETAG', etag)]));

  test('a delete is 409 with If-None-Match: *', async () => {
    const { server, begin } = await openConditional({ 'if-none-match': '*' });
    const opened = await begin();
    await server.client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'a' }));
    opened.end('second');
    expect(await responseTo(opened)).toMatchObject({ status: 409, code: 'ConditionalRequestConflict' });
  });

  test('the removal of a version is 409 with If-None-Match: *', async () => {
    const { server, begin, VersionId } = await openConditional({ 'if-none-match': '*' });
    const opened = await begin();
    await server.client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'a', VersionId }));
    opened.end('second');
    expect(await responseTo(opened)).toMatchObject({ status: 409, code: 'ConditionalRequestConflict' });
  });

  test('a delete is 404 with If-Match', async () => {
    const { server, begin } = await openConditional({ 'if-match': 'ETAG' });
    const opened = await begin();
    await server.client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'a' }));
    opened.end('second');
    expect(await responseTo(opened)).toMatchObject({ status: 404, code: 'NoSuchKey' });
  });

  test('another write is 412 with If-Match', async () => {
    const { server, begin } = await openConditional({ 'if-match': 'ETAG' });
    const opened = await begin();
    await server.client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'a', Body: 'other' }));
    opened.end('second');
    expect(await responseTo(opened)).toMatchObject({ status: 412, code: 'PreconditionFailed' });
    // Two versions, and no data of the third.
    await server.stop();
    expect(await countDataFiles(server.dataDir)).toBe(2);
  });
});

describe('without ListBucket', () => {
  const mayNotList = (_role: string | undefined, action: string) => action !== 's3:ListBucket';
  const missing = [
    ['GET', new GetObjectCommand({ Bucket: BUCKET, Key: 'missing' })],
    ['HEAD', new HeadObjectCommand({ Bucket: BUCKET, Key: 'missing' })],
  ] as const;
  for (const [method, command] of missing) {
    test(`${method} of a missing key is 403`, async () => {
      const { client } = await startTestServer({ isAllowed: mayNotList });
      const read = command instanceof GetObjectCommand ? client.send(command) : client.send(command);
      await expect(read).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
    });
  }

  test('a deleted key and a removed version are 403, and an existing object is readable', async () => {
    const { client } = await startTestServer({ isAllowed: mayNotList });
    const { VersionId } = await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'a', Body: 'text' }));
    expect(await objectText(client, { Bucket: BUCKET, Key: 'a' })).toBe('text');
    await client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'a', VersionId }));
    await client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'a' }));
    for (const version of [undefined, VersionId]) {
      const read = client.send(new GetObjectCommand({ Bucket: BUCKET, Key: 'a', VersionId: version }));
      await expect(read).rejects.toMatchObject({ name: 'AccessDenied', $metadata: { httpStatusCode: 403 } });
    }
  });
});

test('a read of an object that is overwritten completes', async () => {
  const server = await startTestServer();
  const at = { Bucket: PLAIN_BUCKET, Key: 'a' };
  // Several files, most of them not open yet at the overwrite.
  const bytes = Buffer.alloc(21 << 20, 'the first object ');
  await new Upload({ client: server.client, params: { ...at, Body: bytes } }).done();
  const { Body } = await server.client.send(new GetObjectCommand(at));
  await server.client.send(new PutObjectCommand({ ...at, Body: 'second' }));
  const read = Buffer.from((await Body?.transformToByteArray()) ?? []);
  expect(read.equals(bytes)).toBe(true);
  await server.stop();
  expect(await countDataFiles(server.dataDir)).toBe(1);
});

test('a checksum is returned only on request', async () => {
  const server = await startTestServer();
  await server.client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'a', Body: '123456789' }));
  const get = (headers: Record<string, string>) =>
    sendRaw(server, { method: 'GET', path: `/${BUCKET}/a`, headers });
  const requested = await get({ 'x-amz-checksum-mode': 'ENABLED' });
  expect(requested.headers['x-amz-checksum-crc32']).toBe('y/Q5Jg==');
  expect((await get({})).headers['x-amz-checksum-crc32']).toBeUndefined();
  const ranged = await get({ 'x-amz-checksum-mode': 'ENABLED', range: 'bytes=0-3' });
  expect(ranged.headers['x-amz-checksum-crc32']).toBeUndefined();
});

describe('a presigned URL with a parameter that is not a valid header value is rejected', () => {
  test('for a read', async () => {
    const { client } = await startTestServer();
    await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'a', Body: 'x' }));
    const get = new GetObjectCommand({
      Bucket: BUCKET,
      Key: 'a',
      ResponseContentType: 'text/x\r\nx-other: y',
    });
    const response = await fetch(await getSignedUrl(client, get));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('<Code>InvalidArgument</Code>');
  });

  test('for a write', async () => {
    const { client } = await startTestServer();
    const put = new PutObjectCommand({ Bucket: BUCKET, Key: 'a', Metadata: { note: 'two\nlines' } });
    const response = await fetch(await getSignedUrl(client, put), { method: 'PUT' });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('<Code>InvalidArgument</Code>');
  });
});
