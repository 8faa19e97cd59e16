/** Requests from browsers, and the names by which clients reach the server. */
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { GetObjectCommand, PutObjectCommand, S3 } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { expect, onTestFinished, test } from 'vitest';
import { REPORT_POLICY } from '../../../../lib/batch/report/report-policy.ts';
import { expectTable } from '../../../support/text-table.ts';
import { sendRaw } from '../raw-request.ts';
import { startTestServer } from '../test-server.ts';
import { BUCKET, TEST_CREDENTIALS } from '../test-server-names.ts';

const PAGE = 'http://127.0.0.1:9';
const OBJECT = { Bucket: BUCKET, Key: 'a/b.html' };

/** Sends a request to a port of this machine, whatever name its URL has. */
async function ask(url: string, method = 'GET', headers: Readonly<Record<string, string>> = {}) {
  const { host, port, pathname, search } = new URL(url);
  const sent = request({
    host: '127.0.0.1',
    port,
    path: `${pathname}${search}`,
    method,
    headers: { host, ...headers },
    agent: false,
  });
  sent.end();
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, headers: response.headers, text: await text(response) };
}

test('a bucket may be in the name of the host, as S3 clients address it by default', async () => {
  const server = await startTestServer();
  await server.client.putObject({ ...OBJECT, Body: 'four' });
  const { region, ...credentials } = TEST_CREDENTIALS;
  const endpoint = server.endpoint.replace('127.0.0.1', 'localhost');
  const client = new S3({ endpoint, region, credentials });
  onTestFinished(() => client.destroy());
  const url = await getSignedUrl(client, new GetObjectCommand(OBJECT));
  expect(new URL(url).hostname).toBe(`${BUCKET}.localhost`);
  expect(await ask(url)).toMatchObject({ status: 200, text: 'four' });
  expect((await ask(url.replace(BUCKET, 'other.bucket'))).status).toBe(421);
});

test('a bucket may be created by the name of its host, where rclone and the SDKs send it', async () => {
  const server = await startTestServer();
  const headers = { host: new URL(server.endpoint).host.replace('127.0.0.1', 'other-bucket.localhost') };
  const missing = await sendRaw(server, { method: 'GET', path: '/a', headers });
  expect([missing.status, missing.code]).toEqual([404, 'NoSuchBucket']);
  expect((await sendRaw(server, { method: 'PUT', path: '/', headers })).status).toBe(200);
  expect((await sendRaw(server, { method: 'GET', path: '/', headers })).status).toBe(200);
});

test('no page of another origin may send requests, or read answers', async () => {
  const server = await startTestServer();
  const bucket = `${server.endpoint}/${BUCKET}`;
  for (const origin of ['null', PAGE, 'http://127.0.0.1:8', 'https://127.0.0.1:9']) {
    for (const method of ['OPTIONS', 'GET', 'PUT']) {
      const refused = await ask(`${bucket}/a`, method, { origin, 'access-control-request-method': 'PUT' });
      expect([origin, method, refused.status]).toEqual([origin, method, 403]);
      expect(refused.headers).not.toHaveProperty('access-control-allow-origin');
    }
  }
  expect((await ask(bucket)).headers).not.toHaveProperty('access-control-allow-origin');
});

test('a link is refused to other sites as browser-requests.txt says', async () => {
  const server = await startTestServer();
  await server.client.putObject({ ...OBJECT, Body: 'four' });
  const url = await getSignedUrl(server.client, new GetObjectCommand(OBJECT));
  await expectTable(new URL('browser-requests.txt', import.meta.url), {
    'the answers to requests for an object by a link, with headers of a browser': async (headers) => {
      const { status, text } = await ask(url, 'GET', headers);
      return `${status} ${/<Message>([^<]*)/.exec(text)?.[1] ?? text}`;
    },
  });
});

test('a browser saves an object with the name that was stored, and never shows it', async () => {
  const server = await startTestServer();
  const disposition = 'inline; filename="b;1.html"';
  await server.client.putObject({
    ...OBJECT,
    Body: '<p>',
    ContentType: 'text/html',
    ContentDisposition: disposition,
  });
  const { headers } = await ask(await getSignedUrl(server.client, new GetObjectCommand(OBJECT)));
  expect(headers).toMatchObject({
    'content-disposition': 'attachment; filename="b;1.html"',
    'content-security-policy': 'sandbox',
    'x-content-type-options': 'nosniff',
  });
  const overrides = { ResponseContentType: 'image/svg+xml', ResponseContentDisposition: 'inline' };
  const other = await ask(
    await getSignedUrl(server.client, new GetObjectCommand({ ...OBJECT, ...overrides })),
  );
  expect(other.headers).toMatchObject({
    'content-disposition': 'attachment',
    'content-security-policy': 'sandbox',
  });
  // Programs get what was stored.
  const got = await server.client.getObject(OBJECT);
  expect(got.ContentDisposition).toBe(disposition);
});

test('a report is shown, in a sandbox', async () => {
  const server = await startTestServer({
    policyOf: (bucket, key) => (bucket === BUCKET && key === OBJECT.Key ? REPORT_POLICY : undefined),
  });
  await server.client.putObject({ ...OBJECT, Body: '<p>', ContentType: 'text/html' });
  const { headers } = await ask(await getSignedUrl(server.client, new GetObjectCommand(OBJECT)));
  expect(headers['content-type']).toBe('text/html');
  expect(headers).not.toHaveProperty('content-disposition');
  expect(headers['content-security-policy']).toMatch(
    /^sandbox allow-scripts allow-downloads; default-src 'none'/,
  );
});

test('an error is not run as a page', async () => {
  const server = await startTestServer();
  const { headers } = await ask(`${server.endpoint}/${BUCKET}/%3Cscript%3E`);
  expect(headers).toMatchObject({
    'content-security-policy': 'sandbox',
    'x-content-type-options': 'nosniff',
  });
});

test('a refused upload is not stored, also if the client waits for 100 Continue', async () => {
  const server = await startTestServer();
  const url = await getSignedUrl(server.client, new PutObjectCommand({ ...OBJECT }));
  const headers = { origin: PAGE, expect: '100-continue', 'content-length': '0' };
  expect((await ask(url, 'PUT', headers)).status).toBe(403);
  expect(server.events).toEqual([]);
});
