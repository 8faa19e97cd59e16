import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answerTo, cutOff, openRaw, type RawRequest, sendRaw, sha256 } from './raw-request.ts';
import { countDataFiles, startTestServer } from './test-server.ts';
import { BUCKET, PLAIN_BUCKET } from './test-server-names.ts';

describe('what the server does not implement is 501, and says what it is', () => {
  const rows: [row: string, request: RawRequest][] = [
    ['ListObjects of version 1', { method: 'GET', path: `/${BUCKET}` }],
    ['GetObjectAcl', { method: 'GET', path: `/${BUCKET}/a?acl` }],
    ['PutObjectTagging', { method: 'PUT', path: `/${BUCKET}/a?tagging` }],
    ['GetBucketPolicy', { method: 'GET', path: `/${BUCKET}?policy` }],
    ['PutBucketNotificationConfiguration', { method: 'PUT', path: `/${BUCKET}?notification` }],
    ['ListMultipartUploads', { method: 'GET', path: `/${BUCKET}?uploads` }],
    ['SelectObjectContent', { method: 'POST', path: `/${BUCKET}/a?select&select-type=2` }],
    ['a form upload', { method: 'POST', path: `/${BUCKET}` }],
    ['GetObject of one part', { method: 'GET', path: `/${BUCKET}/a?partNumber=1` }],
    [
      'PutObject with an ACL',
      { method: 'PUT', path: `/${BUCKET}/a`, headers: { 'x-amz-acl': 'public-read' } },
    ],
    ['PutObject with tags', { method: 'PUT', path: `/${BUCKET}/a`, headers: { 'x-amz-tagging': 'a=b' } }],
    [
      'PutObject with a key for its encryption',
      { method: 'PUT', path: `/${BUCKET}/a`, headers: { 'x-amz-server-side-encryption': 'aws:kms' } },
    ],
    [
      'PutObject into an archive',
      { method: 'PUT', path: `/${BUCKET}/a`, headers: { 'x-amz-storage-class': 'GLACIER' } },
    ],
    [
      'PutObject with If-None-Match and an ETag',
      { method: 'PUT', path: `/${BUCKET}/a`, headers: { 'if-none-match': '"a"' } },
    ],
    ['PutObject with If-Match: *', { method: 'PUT', path: `/${BUCKET}/a`, headers: { 'if-match': '*' } }],
    [
      'PutObject with If-Unmodified-Since',
      { method: 'PUT', path: `/${BUCKET}/a`, headers: { 'if-unmodified-since': 'x' } },
    ],
    [
      'DeleteObject with If-Match',
      { method: 'DELETE', path: `/${BUCKET}/a`, headers: { 'if-match': '"a"' } },
    ],
    [
      'a body signed with another kind of key',
      { method: 'PUT', path: `/${BUCKET}/a`, payloadHash: 'STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD' },
    ],
    [
      'turning versioning off',
      {
        method: 'PUT',
        path: `/${BUCKET}?versioning`,
        body: '<VersioningConfiguration><Status>Suspended</Status></VersioningConfiguration>',
      },
    ],
    ['OPTIONS', { method: 'OPTIONS', path: `/${BUCKET}/a` }],
  ];
  test.for(rows)('%s', async ([, request]) => {
    const server = await startTestServer();
    const answer = await sendRaw(server, request);
    expect(answer).toMatchObject({ status: 501, code: 'NotImplemented' });
    expect(answer.text).toContain('<RequestId>');
    expect(server.events).toEqual([]);
  });
});

describe('a request that cannot be understood is refused', () => {
  const rows: [row: string, request: RawRequest, status: number, code: string][] = [
    ['a path that is no UTF-8', { method: 'GET', path: `/${BUCKET}/%FF` }, 400, 'InvalidURI'],
    ['a path with a cut escape', { method: 'GET', path: `/${BUCKET}/%2` }, 400, 'InvalidURI'],
    [
      'max-keys that is no number',
      { method: 'GET', path: `/${BUCKET}?list-type=2&max-keys=x` },
      400,
      'InvalidArgument',
    ],
    [
      'an unknown encoding type',
      { method: 'GET', path: `/${BUCKET}?encoding-type=x&list-type=2` },
      400,
      'InvalidArgument',
    ],
    ['an empty version id', { method: 'GET', path: `/${BUCKET}/a?versionId=` }, 400, 'InvalidArgument'],
    [
      'a version marker without a key',
      { method: 'GET', path: `/${BUCKET}?version-id-marker=null&versions=` },
      400,
      'InvalidArgument',
    ],
    [
      'a list of deletes that is no XML',
      {
        method: 'POST',
        path: `/${BUCKET}?delete`,
        body: '<Delete>',
        headers: { 'content-md5': '/EnmkgKQhMNPFS6ZsryUag==' },
      },
      400,
      'MalformedXML',
    ],
    [
      'a list of deletes without a digest',
      { method: 'POST', path: `/${BUCKET}?delete`, body: '<Delete/>' },
      400,
      'InvalidRequest',
    ],
    [
      'a body that is not the one that was signed',
      { method: 'PUT', path: `/${BUCKET}/a`, body: 'x', payloadHash: sha256('y') },
      400,
      'XAmzContentSHA256Mismatch',
    ],
    [
      'a body of more than 5 GiB',
      {
        method: 'PUT',
        path: `/${BUCKET}/a`,
        payloadHash: 'UNSIGNED-PAYLOAD',
        headers: { 'content-length': '5368709121', expect: '100-continue' },
      },
      400,
      'EntityTooLarge',
    ],
    [
      'a body without a length',
      {
        method: 'PUT',
        path: `/${BUCKET}/a`,
        payloadHash: 'UNSIGNED-PAYLOAD',
        headers: { 'transfer-encoding': 'chunked' },
      },
      411,
      'MissingContentLength',
    ],
    [
      'an aws-chunked body without its length',
      { method: 'PUT', path: `/${BUCKET}/a`, payloadHash: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER' },
      411,
      'MissingContentLength',
    ],
    [
      'a checksum that is announced and not there',
      { method: 'PUT', path: `/${BUCKET}/a`, headers: { 'x-amz-sdk-checksum-algorithm': 'CRC32' } },
      400,
      'InvalidRequest',
    ],
    [
      'two checksums',
      {
        method: 'PUT',
        path: `/${BUCKET}/a`,
        headers: { 'x-amz-checksum-crc32': 'AAAAAA==', 'x-amz-checksum-crc32c': 'AAAAAA==' },
      },
      400,
      'InvalidRequest',
    ],
    [
      'a copy from nowhere',
      { method: 'PUT', path: `/${BUCKET}/a`, headers: { 'x-amz-copy-source': 'nowhere' } },
      400,
      'InvalidArgument',
    ],
  ];
  test.for(rows)('%s', async ([, request, status, code]) => {
    const server = await startTestServer();
    expect(await sendRaw(server, request)).toMatchObject({ status, code });
    expect(server.faults).toEqual([]);
  });
});

describe('a body that is cut off', () => {
  const cuts: [row: string, headers: Record<string, string>, payloadHash: string, begin: string][] = [
    ['a plain one', { 'content-length': '1000' }, 'UNSIGNED-PAYLOAD', 'x'.repeat(500)],
    [
      'one in chunks',
      {
        'content-length': '1100',
        'x-amz-decoded-content-length': '1000',
        'x-amz-trailer': 'x-amz-checksum-crc32',
      },
      'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
      `3e8\r\n${'x'.repeat(500)}`,
    ],
    [
      'one in chunks, after its last byte of data',
      {
        'content-length': '1100',
        'x-amz-decoded-content-length': '1000',
        'x-amz-trailer': 'x-amz-checksum-crc32',
      },
      'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
      `3e8\r\n${'x'.repeat(1000)}\r\n0\r\n`,
    ],
  ];
  test.for(cuts)('%s, leaves nothing behind', async ([, headers, payloadHash, begin]) => {
    const server = await startTestServer();
    const opened = openRaw(server, {
      method: 'PUT',
      path: `/${BUCKET}/cut`,
      headers: { ...headers, expect: '100-continue' },
      payloadHash,
    });
    opened.flushHeaders();
    await once(opened, 'continue');
    await new Promise((resolve) => opened.write(begin, resolve));
    await cutOff(opened);
    await server.stop();
    expect(await countDataFiles(server.dataDir)).toBe(0);
    expect(server.events).toEqual([]);
    expect(server.faults).toEqual([]);
    await server.restart();
    const head = new HeadObjectCommand({ Bucket: BUCKET, Key: 'cut' });
    await expect(server.client.send(head)).rejects.toMatchObject({ name: 'NotFound' });
  });

  test('in the middle of an answer is no fault of the server', async () => {
    const server = await startTestServer();
    await server.client.send(
      new PutObjectCommand({ Bucket: BUCKET, Key: 'long', Body: new Uint8Array(32 * 2 ** 20) }),
    );
    const opened = openRaw(server, { method: 'GET', path: `/${BUCKET}/long` });
    opened.end();
    const [answer] = await once(opened, 'response');
    await once(answer, 'readable');
    await cutOff(opened);
    await server.stop();
    expect(server.faults).toEqual([]);
  });

  test('as a part, leaves the upload as it was', async () => {
    const server = await startTestServer();
    const upload = { Bucket: BUCKET, Key: 'a' };
    const { UploadId } = await server.client.send(new CreateMultipartUploadCommand(upload));
    await server.client.send(new UploadPartCommand({ ...upload, UploadId, PartNumber: 1, Body: 'whole' }));
    const opened = openRaw(server, {
      method: 'PUT',
      path: `/${BUCKET}/a?partNumber=1&uploadId=${UploadId}`,
      headers: { 'content-length': '10', expect: '100-continue' },
      payloadHash: 'UNSIGNED-PAYLOAD',
    });
    opened.flushHeaders();
    await once(opened, 'continue');
    await cutOff(opened);
    await server.restart();
    const { Parts } = await server.client.send(new ListPartsCommand({ ...upload, UploadId }));
    expect(Parts?.map(({ Size }) => Size)).toEqual([5]);
    expect(await countDataFiles(server.dataDir)).toBe(1);
  });
});

describe('a connection', () => {
  test('goes on after a body that was refused', async () => {
    const server = await startTestServer();
    const { hostname, port } = new URL(server.endpoint);
    const socket = connect(Number(port), hostname);
    const body = 'x'.repeat(300_000);
    // Unsigned, so refused before the body is read; the second request must still be found behind that body.
    socket.write(`PUT /${BUCKET}/a HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    socket.write(`GET /${BUCKET}/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    let text = '';
    for await (const piece of socket) text += piece;
    expect(text.match(/HTTP\/1\.1 403 Forbidden/g)).toHaveLength(2);
  });

  test('goes on after a body that was refused in the middle', async () => {
    const server = await startTestServer();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const refused = await sendRaw(
      { ...server, agent },
      {
        method: 'PUT',
        path: `/${BUCKET}/a`,
        headers: { 'x-amz-decoded-content-length': '300000' },
        payloadHash: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
        body: `5\r\n12345${'no chunk '.repeat(100_000)}`,
      },
    );
    expect(refused).toMatchObject({ status: 400, code: 'InvalidRequest' });
    const read = await sendRaw({ ...server, agent }, { method: 'GET', path: `/${BUCKET}/a` });
    expect(read).toMatchObject({ status: 404, code: 'NoSuchKey' });
    await server.stop();
    expect(await countDataFiles(server.dataDir)).toBe(0);
  });

  test('that waits for leave to send is refused without it', async () => {
    const server = await startTestServer();
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const opened = openRaw(
      { ...server, secretAccessKey: 'wrong', agent },
      {
        method: 'PUT',
        path: `/${BUCKET}/a`,
        headers: { 'content-length': '1000000', expect: '100-continue' },
        payloadHash: 'UNSIGNED-PAYLOAD',
      },
    );
    let continued = false;
    opened.on('continue', () => {
      continued = true;
    });
    opened.flushHeaders();
    const answer = await answerTo(opened);
    expect(answer).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' });
    expect(answer.headers.connection).toBe('close');
    expect(continued).toBe(false);
  });
});

describe('a write that is overtaken', () => {
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

  test('by a delete is 409 under If-None-Match: *', async () => {
    const { server, begin } = await openConditional({ 'if-none-match': '*' });
    const opened = await begin();
    await server.client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'a' }));
    opened.end('second');
    expect(await answerTo(opened)).toMatchObject({ status: 409, code: 'ConditionalRequestConflict' });
  });

  test('by the removal of its version is 409 under If-None-Match: *', async () => {
    const { server, begin, VersionId } = await openConditional({ 'if-none-match': '*' });
    const opened = await begin();
    await server.client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'a', VersionId }));
    opened.end('second');
    expect(await answerTo(opened)).toMatchObject({ status: 409, code: 'ConditionalRequestConflict' });
  });

  test('by a delete is 404 under If-Match', async () => {
    const { server, begin } = await openConditional({ 'if-match': 'ETAG' });
    const opened = await begin();
    await server.client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'a' }));
    opened.end('second');
    expect(await answerTo(opened)).toMatchObject({ status: 404, code: 'NoSuchKey' });
  });

  test('by another write is 412 under If-Match', async () => {
    const { server, begin } = await openConditional({ 'if-match': 'ETAG' });
    const opened = await begin();
    await server.client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'a', Body: 'other' }));
    opened.end('second');
    expect(await answerTo(opened)).toMatchObject({ status: 412, code: 'PreconditionFailed' });
    // Two versions and nothing of the third.
    await server.stop();
    expect(await countDataFiles(server.dataDir)).toBe(2);
  });
});

describe('without ListBucket', () => {
  const missing = [
    ['GET', new GetObjectCommand({ Bucket: BUCKET, Key: 'missing' })],
    ['HEAD', new HeadObjectCommand({ Bucket: BUCKET, Key: 'missing' })],
  ] as const;
  for (const [method, command] of missing) {
    test(`${method} of a missing key is 403`, async () => {
      const { client } = await startTestServer({ missingKeyIsForbidden: true });
      const read = command instanceof GetObjectCommand ? client.send(command) : client.send(command);
      await expect(read).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
    });
  }

  test('a deleted key and a removed version are 403, and what is there is read', async () => {
    const { client } = await startTestServer({ missingKeyIsForbidden: true });
    const { VersionId } = await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'a', Body: 'text' }));
    const { Body } = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key: 'a' }));
    expect(await Body?.transformToString()).toBe('text');
    await client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'a', VersionId }));
    await client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'a' }));
    for (const version of [undefined, VersionId]) {
      const read = client.send(new GetObjectCommand({ Bucket: BUCKET, Key: 'a', VersionId: version }));
      await expect(read).rejects.toMatchObject({ name: 'AccessDenied', $metadata: { httpStatusCode: 403 } });
    }
  });
});

test('an object that is overwritten while it is read is read to its end', async () => {
  const server = await startTestServer();
  const at = { Bucket: PLAIN_BUCKET, Key: 'a' };
  // Several files, most of which are not open yet when the object is overwritten.
  const bytes = Buffer.alloc(21 << 20, 'the first object ');
  await new Upload({ client: server.client, params: { ...at, Body: bytes } }).done();
  const { Body } = await server.client.send(new GetObjectCommand(at));
  await server.client.send(new PutObjectCommand({ ...at, Body: 'second' }));
  const read = Buffer.from((await Body?.transformToByteArray()) ?? []);
  expect(read.equals(bytes)).toBe(true);
  await server.stop();
  expect(await countDataFiles(server.dataDir)).toBe(1);
});

test('a checksum is shown only where it is asked for', async () => {
  const server = await startTestServer();
  await server.client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'a', Body: '123456789' }));
  const get = (headers: Record<string, string>) =>
    sendRaw(server, { method: 'GET', path: `/${BUCKET}/a`, headers });
  const asked = await get({ 'x-amz-checksum-mode': 'ENABLED' });
  expect(asked.headers['x-amz-checksum-crc32']).toBe('y/Q5Jg==');
  expect((await get({})).headers['x-amz-checksum-crc32']).toBeUndefined();
  const ranged = await get({ 'x-amz-checksum-mode': 'ENABLED', range: 'bytes=0-3' });
  expect(ranged.headers['x-amz-checksum-crc32']).toBeUndefined();
});

test('a plus that is not encoded in the name of a copy source is a blank', async () => {
  const { client } = await startTestServer();
  const copy = (CopySource: string) =>
    client.send(new CopyObjectCommand({ Bucket: BUCKET, Key: 'copy', CopySource }));
  await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'a+b', Body: 'plus' }));
  await expect(copy(`${BUCKET}/a+b`)).rejects.toMatchObject({ name: 'NoSuchKey' });
  await copy(`${BUCKET}/a%2Bb`);
});

test('what cannot be deleted is named, and what can be is deleted', async () => {
  const { client } = await startTestServer();
  await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'a', Body: 'x' }));
  const Objects = [
    { Key: 'x'.repeat(1025) },
    { Key: 'a', VersionId: 'none' },
    { Key: 'a', ETag: '"0"' },
    { Key: 'a' },
  ];
  const { Deleted, Errors } = await client.send(
    new DeleteObjectsCommand({ Bucket: BUCKET, Delete: { Objects } }),
  );
  expect(Errors?.map(({ Code }) => Code)).toEqual(['KeyTooLongError', 'InvalidArgument', 'NotImplemented']);
  expect(Deleted?.map(({ Key }) => Key)).toEqual(['a']);
});

describe('a link whose parameters could not stand in a header is refused', () => {
  test('to read', async () => {
    const { client } = await startTestServer();
    await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'a', Body: 'x' }));
    const get = new GetObjectCommand({
      Bucket: BUCKET,
      Key: 'a',
      ResponseContentType: 'text/x\r\nx-other: y',
    });
    const answer = await fetch(await getSignedUrl(client, get));
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('<Code>InvalidArgument</Code>');
  });

  test('to write', async () => {
    const { client } = await startTestServer();
    const put = new PutObjectCommand({ Bucket: BUCKET, Key: 'a', Metadata: { note: 'two\nlines' } });
    const answer = await fetch(await getSignedUrl(client, put), { method: 'PUT' });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('<Code>InvalidArgument</Code>');
  });
});

test('an upload that was completed cannot be completed again, as the documentation says', async () => {
  const { client } = await startTestServer();
  const at = { Bucket: BUCKET, Key: 'a' };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(at));
  const { ETag, ChecksumCRC32 } = await client.send(
    new UploadPartCommand({ ...at, UploadId, PartNumber: 1, Body: 'x' }),
  );
  const Parts = [{ PartNumber: 1, ETag, ChecksumCRC32 }];
  const complete = () =>
    client.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts } }));
  await complete();
  await expect(complete()).rejects.toMatchObject({
    name: 'NoSuchUpload',
    $metadata: { httpStatusCode: 404 },
  });
});
