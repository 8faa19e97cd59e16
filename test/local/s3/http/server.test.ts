import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { disconnect, openRaw, sendRaw } from '../raw-request.ts';
import { countDataFiles, startTestServer } from '../test-server.ts';
import { BUCKET } from '../test-server-names.ts';

describe('an interrupted request', () => {
  const cuts: [row: string, headers: Record<string, string>, payloadHash: string, begin: string][] = [
    ['with a plain body', { 'content-length': '1000' }, 'UNSIGNED-PAYLOAD', 'x'.repeat(500)],
    [
      'with a chunked body',
      {
        'content-length': '1100',
        'x-amz-decoded-content-length': '1000',
        'x-amz-trailer': 'x-amz-checksum-crc32',
      },
      'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
      `3e8\r\n${'x'.repeat(500)}`,
    ],
    [
      'with a chunked body, after its last data byte',
      {
        'content-length': '1100',
        'x-amz-decoded-content-length': '1000',
        'x-amz-trailer': 'x-amz-checksum-crc32',
      },
      'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
      `3e8\r\n${'x'.repeat(1000)}\r\n0\r\n`,
    ],
  ];
  test.for(cuts)('%s stores nothing', async ([, headers, payloadHash, begin]) => {
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
    await disconnect(opened);
    await server.stop();
    expect(await countDataFiles(server.dataDir)).toBe(0);
    expect(server.events).toEqual([]);
    expect(server.faults).toEqual([]);
    await server.restart();
    const head = server.client.headObject({ Bucket: BUCKET, Key: 'cut' });
    await expect(head).rejects.toMatchObject({ name: 'NotFound' });
  });

  test('during the response is not an error of the server', async () => {
    const server = await startTestServer();
    await server.client.putObject({ Bucket: BUCKET, Key: 'long', Body: new Uint8Array(32 * 2 ** 20) });
    const opened = openRaw(server, { method: 'GET', path: `/${BUCKET}/long` });
    opened.end();
    const [response] = await once(opened, 'response');
    await once(response, 'readable');
    await disconnect(opened);
    await server.stop();
    expect(server.faults).toEqual([]);
  });

  test('to upload a part does not change the upload', async () => {
    const server = await startTestServer();
    const upload = { Bucket: BUCKET, Key: 'a' };
    const { UploadId } = await server.client.createMultipartUpload(upload);
    await server.client.uploadPart({ ...upload, UploadId, PartNumber: 1, Body: 'whole' });
    const opened = openRaw(server, {
      method: 'PUT',
      path: `/${BUCKET}/a?partNumber=1&uploadId=${UploadId}`,
      headers: { 'content-length': '10', expect: '100-continue' },
      payloadHash: 'UNSIGNED-PAYLOAD',
    });
    opened.flushHeaders();
    await once(opened, 'continue');
    await disconnect(opened);
    await server.restart();
    const { Parts } = await server.client.listParts({ ...upload, UploadId });
    expect(Parts?.map(({ Size }) => Size)).toEqual([5]);
    expect(await countDataFiles(server.dataDir)).toBe(1);
  });
});

describe('a connection', () => {
  test.each([
    ['a rejected body', 'localhost', /HTTP\/1\.1 403 Forbidden/g],
    ['a body for another host', 'x', /HTTP\/1\.1 421 Misdirected Request/g],
  ])('stays usable after %s', async (_name, host, status) => {
    const server = await startTestServer();
    const { hostname, port } = new URL(server.endpoint);
    const socket = connect(Number(port), hostname);
    const body = 'x'.repeat(300_000);
    // Unsigned, so rejected before the body is read; the second request follows that body.
    socket.write(
      `PUT /${BUCKET}/a HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    socket.write(`GET /${BUCKET}/a HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    let text = '';
    for await (const piece of socket) text += piece;
    expect(text.match(status)).toHaveLength(2);
  });

  test('stays usable after a body that was rejected while it was read', async () => {
    const server = await startTestServer();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const rejected = await sendRaw(
      { ...server, agent },
      {
        method: 'PUT',
        path: `/${BUCKET}/a`,
        headers: { 'x-amz-decoded-content-length': '300000' },
        payloadHash: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
        body: `5\r\n12345${'no chunk '.repeat(100_000)}`,
      },
    );
    expect(rejected).toMatchObject({ status: 400, code: 'InvalidRequest' });
    const read = await sendRaw({ ...server, agent }, { method: 'GET', path: `/${BUCKET}/a` });
    expect(read).toMatchObject({ status: 404, code: 'NoSuchKey' });
    await server.stop();
    expect(await countDataFiles(server.dataDir)).toBe(0);
  });
});
