/**
 * Requests to the local S3 server: the request line, headers, a blank line and the body. `@UPLOAD@` and `@VERSION@`
 * in a request stand for the ids of what is stored.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Error } from '../../../lib/local/s3/errors.ts';
import type { S3Response } from '../../../lib/local/s3/operation.ts';
import { runOperation } from '../../../lib/local/s3/operations.ts';
import { parseRequest, type S3Request } from '../../../lib/local/s3/request.ts';
import { errorResponse } from '../../../lib/local/s3/server.ts';
import { verifySignature } from '../../../lib/local/s3/signature.ts';
import { Storage } from '../../../lib/local/s3/storage.ts';
import { parseXml } from '../../../lib/local/s3/xml.ts';
import { RandomSource } from '../../../lib/sudoku/generator/random-source.ts';
import { pieces } from '../../support/run-job.ts';
import { byKey } from '../../support/version-groups.ts';
import { check, checkSame, digest, documented, type Target } from '../target.ts';

const CREDENTIALS = { accessKeyId: 'test', secretAccessKey: 'secret', region: 'eu-west-1' };
const SCOPE = '20260301/eu-west-1/s3/aws4_request';
const NOW_MS = Date.UTC(2026, 2, 1, 12);
const SIGNED = `authorization: AWS4-HMAC-SHA256 Credential=test/${SCOPE}, SignedHeaders=host, Signature=ab\nx-amz-date: 20260301T120000Z\nx-amz-content-sha256: UNSIGNED-PAYLOAD\n`;

const XML =
  '<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Part><PartNumber>1</PartNumber><ETag>&quot;5d41402abc4b2a76b9719d911017c592&quot;</ETag></Part></CompleteMultipartUpload>';
export const s3Requests: Target = {
  name: 's3-requests',
  seeds: () => [
    `GET /in/a HTTP\n${SIGNED}range: bytes=1-2\nif-none-match: "x"\n\n`,
    'GET /in/a?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=test%2F20260301%2Feu-west-1%2Fs3%2Faws4_request&X-Amz-Date=20260301T120000Z&X-Amz-Expires=600&X-Amz-SignedHeaders=host&X-Amz-Signature=ab&X-Amz-Meta-a=b HTTP\n\n',
    'GET /in/a?versionId=@VERSION@&response-content-type=text%2Fplain HTTP\nif-modified-since: Sun, 01 Mar 2026 12:00:00 GMT\nx-amz-checksum-mode: ENABLED\n\n',
    'GET /in?list-type=2&prefix=a&delimiter=%2F&max-keys=1&encoding-type=url&start-after=a HTTP\n\n',
    'GET /in?versions&key-marker=a&version-id-marker=@VERSION@ HTTP\n\n',
    'HEAD /in/a HTTP\nrange: bytes=-3\n\n',
    'GET / HTTP\n\n',
    'PUT /new HTTP\n\n',
    'PUT /in?versioning HTTP\n\n<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>',
    'PUT /in/b%20c HTTP\ncontent-type: text/plain\ncontent-md5: XUFAKrxLKna5cZ2REBfFkg==\nx-amz-meta-a: b\nif-none-match: *\ncontent-length: 5\n\nhello',
    'PUT /in/d HTTP\nx-amz-checksum-crc32c: mnG7TA==\ncontent-length: 5\n\nhello',
    'PUT /in/e HTTP\nx-amz-content-sha256: STREAMING-UNSIGNED-PAYLOAD-TRAILER\nx-amz-decoded-content-length: 5\nx-amz-trailer: x-amz-checksum-crc32\ncontent-encoding: aws-chunked\n\n5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n',
    'PUT /in/e HTTP\nx-amz-content-sha256: STREAMING-AWS4-HMAC-SHA256-PAYLOAD\nx-amz-decoded-content-length: 5\n\n5;chunk-signature=ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648\r\nhello\r\n0;chunk-signature=ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648\r\n\r\n',
    'PUT /in/f HTTP\nx-amz-copy-source: /in/a%20b?versionId=null\nx-amz-metadata-directive: REPLACE\n\n',
    'PUT /in/f HTTP\nx-amz-copy-source: in/a\nx-amz-copy-source-if-match: "x"\n\n',
    'PUT /in/u?partNumber=1&uploadId=@UPLOAD@ HTTP\ncontent-length: 5\n\nhello',
    'PUT /in/u?partNumber=2&uploadId=@UPLOAD@ HTTP\nx-amz-copy-source: /in/a\nx-amz-copy-source-range: bytes=0-3\n\n',
    `POST /in/u?uploadId=@UPLOAD@ HTTP\n\n${XML}`,
    'POST /in/v?uploads HTTP\nx-amz-checksum-algorithm: CRC32\nx-amz-checksum-type: FULL_OBJECT\n\n',
    'GET /in/u?uploadId=@UPLOAD@&max-parts=1&part-number-marker=0 HTTP\n\n',
    'POST /in?delete HTTP\ncontent-md5: x\n\n<?xml version="1.0"?><Delete><Object><Key>a&amp;&#x41;<![CDATA[<]]></Key><VersionId>@VERSION@</VersionId></Object><Quiet>true</Quiet></Delete>',
    'DELETE /in/a?versionId=@VERSION@ HTTP\n\n',
    'DELETE /in/u?uploadId=@UPLOAD@ HTTP\n\n',
    'DELETE /in HTTP\n\n',
  ],
  tokens: [
    'x-amz-meta-a: b\n',
    'range: bytes=0-',
    'if-match: ',
    'x-amz-copy-source: ',
    '%2F',
    '%00',
    '%0A',
    '%ff',
    '+',
    '&amp;',
    '&#x0;',
    '&#xD800;',
    '&lt;',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '<?x?>',
    '<!DOCTYPE',
    '<Key>',
    '</Key>',
    '<Object>',
    'versionId=null',
    'partNumber=',
    'uploadId=@UPLOAD@',
    '@VERSION@',
    'max-keys=',
    'encoding-type=url',
    'continuation-token=',
    'list-type=2',
    'prefix=',
    'delimiter=',
    '0\r\n\r\n',
    '5\r\nhello\r\n',
    ';chunk-signature=',
    'content-length: ',
    'x-amz-trailer: ',
    'x-amz-checksum-sha256: ',
    'X-Amz-Signature=',
    'X-Amz-Meta-',
    'Credential=',
    'SignedHeaders=',
    'HTTP\n',
    'GET ',
    'PUT ',
    'POST ',
    'DELETE ',
    'HEAD ',
    '..',
    '//',
    'response-content-disposition=',
  ], // prettier-ignore
  maxBytes: 3000,
  maxWork: { base: 1_500_000, perByte: 5_000 },
  async run(input) {
    const server = await openServer();
    const text = fillIn(input.toString('latin1'), server);
    const headEnd = text.indexOf('\n\n');
    const [requestLine = '', ...lines] = text.slice(0, headEnd < 0 ? text.length : headEnd).split('\n');
    const body = Buffer.from(headEnd < 0 ? '' : text.slice(headEnd + 2), 'latin1');
    const [method = '', url = ''] = requestLine.split(' ');
    const rawHeaders = lines.flatMap((line) => {
      const colon = line.indexOf(':');
      const [name, value] = colon < 1 ? ['x', line] : [line.slice(0, colon), line.slice(colon + 1)];
      return isHeader(name, value.trim()) ? [name, value] : [];
    });
    const random = new RandomSource(digest(input));
    const cuts = Array.from({ length: random.below(5) }, () => random.below(body.length + 1)).sort(
      (a, b) => a - b,
    );
    const { value: request } = await documented(() => parseRequest(method, url, rawHeaders), isS3Error);
    if (request === undefined) return;
    await documented(() => verifySignature(request, CREDENTIALS, NOW_MS), isS3Error);
    const { error } = await documented(async () => {
      await checkResponse(await respond(server.storage, request, body, cuts), request);
    }, isS3Error);
    if (error !== undefined) await checkResponse(errorResponse(error as S3Error, url, 'id'), request);
    await checkStored(server.storage);
    if (method !== 'GET' && method !== 'HEAD') await restore(server);
  },
};

const isS3Error = (error: unknown) => error instanceof S3Error;

/** Node's HTTP server accepts no others. */
function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

function respond(
  storage: Storage,
  request: S3Request,
  body: Buffer,
  cuts: readonly number[],
): Promise<S3Response> {
  return runOperation({
    request,
    incoming: pieces(body, cuts),
    payloadHash: request.headers.get('x-amz-content-sha256') ?? 'UNSIGNED-PAYLOAD',
    storage,
    region: 'eu-west-1',
    isAllowed: () => true,
    policyOf: () => undefined,
    onCreated: () => {},
  });
}

/** The response can be sent: its headers are headers, its document is XML, its bytes have the length that it names. */
async function checkResponse(
  { status = 200, headers = {}, body }: S3Response,
  { method }: S3Request,
): Promise<void> {
  check(status >= 200 && status < 600, 'a status of HTTP', () => status);
  for (const [name, value] of Object.entries(headers)) {
    check(isHeader(name, value), 'a response has valid headers', () => [name, value]);
  }
  if (typeof body === 'string') parseXml(body);
  if (typeof body !== 'object') return;
  let bytes = 0;
  if (method !== 'HEAD') for await (const piece of body.bytes) bytes += piece.length;
  body.release();
  check(
    method === 'HEAD' || Number(headers['content-length']) === bytes,
    'a response has its declared length',
  );
}

/** Every stored object can be listed and read. */
async function checkStored(storage: Storage): Promise<void> {
  for (const bucket of storage.buckets.values()) {
    const ask = async (target: string) => {
      const request = parseRequest('GET', target, []);
      const response = await respond(storage, request, Buffer.alloc(0), []);
      const document = typeof response.body === 'string' ? parseXml(response.body) : undefined;
      await checkResponse(response, request);
      return document;
    };
    const listed = await ask(`/${bucket.name}?list-type=2&encoding-type=url`);
    const keys = listed!.children
      .filter(({ name }) => name === 'Contents')
      .map(({ children }) => children[0]!.text);
    for (const key of keys) await ask(`/${bucket.name}/${key.replaceAll('+', '%20')}`);
    const plain = await ask(`/${bucket.name}?list-type=2`);
    checkSame(
      plain!.children.filter(({ name }) => name === 'Contents').map(({ children }) => children[0]!.text),
      keys.map((key) => decodeURIComponent(key.replaceAll('+', ' '))),
      'a listing has the same keys in both encodings',
    );
  }
}

interface Server {
  readonly storage: Storage;
  uploadId: string;
  versionId: string;
}

let opening: Promise<Server> | undefined;

/** One folder for all inputs, which is removed when the process exits. */
function openServer(): Promise<Server> {
  opening ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dlx-batch-fuzz-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const storage = await Storage.open(join(folder, 'data'), (error) => {
      throw error;
    });
    const server = { storage, uploadId: '', versionId: '' };
    await restore(server);
    return server;
  })();
  return opening;
}

/** Restores what every input finds: a bucket with two objects and an unfinished upload. */
async function restore(server: Server): Promise<void> {
  const { storage } = server;
  for (const { name, versions } of [...storage.buckets.values()]) {
    for (const [key, each] of [...byKey(versions)]) {
      for (const { versionId } of [...each]) storage.deleteVersion(name, key, versionId);
    }
    storage.deleteBucket(name);
  }
  storage.createBucket('in');
  storage.enableVersioning('in');
  for (const key of ['a%20b/%C3%BC&', 'a']) {
    const request = parseRequest('PUT', `/in/${key}`, ['content-length', '5', 'x-amz-meta-a', 'b']);
    const { headers } = await respond(storage, request, Buffer.from('hello'), []);
    server.versionId = headers!['x-amz-version-id']!;
  }
  const headers = { system: {}, metadata: {} };
  server.uploadId = storage.createUpload({ bucket: 'in', key: 'u', ...headers });
}

function fillIn(text: string, { uploadId, versionId }: Server): string {
  return text.replaceAll('@UPLOAD@', uploadId).replaceAll('@VERSION@', versionId);
}
