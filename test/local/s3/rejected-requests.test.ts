import { describe, expect, test } from 'vitest';
import { type RawRequest, sendRaw, sha256 } from './raw-request.ts';
import { startTestServer } from './test-server.ts';
import { BUCKET } from './test-server-names.ts';

describe('an unsupported request returns 501', () => {
  const rows: [row: string, request: RawRequest][] = [
    ['GetBucketPolicy', { method: 'GET', path: `/${BUCKET}?policy` }],
    ['PutBucketNotificationConfiguration', { method: 'PUT', path: `/${BUCKET}?notification` }],
    ['SelectObjectContent', { method: 'POST', path: `/${BUCKET}/a?select&select-type=2` }],
    ['PutObject with tags', { method: 'PUT', path: `/${BUCKET}/a`, headers: { 'x-amz-tagging': 'a=b' } }],
    [
      'PutObject with an encryption key',
      { method: 'PUT', path: `/${BUCKET}/a`, headers: { 'x-amz-server-side-encryption': 'aws:kms' } },
    ],
    [
      'PutObject with an archive storage class',
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
      'a body signed with another algorithm',
      { method: 'PUT', path: `/${BUCKET}/a`, payloadHash: 'STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD' },
    ],
    [
      'suspending versioning',
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
    const response = await sendRaw(server, request);
    expect(response).toMatchObject({ status: 501, code: 'NotImplemented' });
    expect(response.text).toContain('<RequestId>');
    expect(server.events).toEqual([]);
  });
});

describe('an invalid request is rejected', () => {
  const rows: [row: string, request: RawRequest, status: number, code: string][] = [
    ['a path that is not UTF-8', { method: 'GET', path: `/${BUCKET}/%FF` }, 400, 'InvalidURI'],
    ['a path with a truncated escape', { method: 'GET', path: `/${BUCKET}/%2` }, 400, 'InvalidURI'],
    [
      'max-keys that is not a number',
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
      'a list of deletes that is not XML',
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
      'a body that differs from the signed one',
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
      501,
      'NotImplemented',
    ],
    [
      'an aws-chunked body without its length',
      { method: 'PUT', path: `/${BUCKET}/a`, payloadHash: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER' },
      411,
      'MissingContentLength',
    ],
    [
      'a declared checksum that is missing',
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
      'an invalid copy source',
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
