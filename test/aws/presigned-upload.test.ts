import { S3 } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { presignedUpload } from '../../lib/aws/presigned-upload.ts';
import { INPUT_BUCKET } from '../support/dependencies.ts';
import { CREDENTIALS, type EmbeddedS3, REGION, startEmbeddedS3 } from '../support/embedded-s3.ts';

const KEY = 'inbox/ü "a" + b.txt';
const PERMISSION = {
  bucket: INPUT_BUCKET,
  key: KEY,
  metadata: { 'dlx-engine': 'bitboard', 'dlx-strict': 'true' },
  bytes: 4,
};
const NOON = new Date('2025-03-01T12:00:00Z');

let embedded: EmbeddedS3;
beforeAll(async () => {
  embedded = await startEmbeddedS3();
});
afterAll(() => embedded.stop());

async function put(url: string, body: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(url, { method: 'PUT', body, headers });
  return { status: answer.status, text: await answer.text() };
}

test('a file is stored under its key, with its metadata', async () => {
  expect((await put(await presignedUpload(embedded.s3, PERMISSION, 60), 'four')).status).toBe(200);
  const { Body, Metadata } = await embedded.s3.getObject({ Bucket: INPUT_BUCKET, Key: KEY });
  expect(await Body!.transformToString()).toBe('four');
  expect(Metadata).toEqual(PERMISSION.metadata);
});

describe('an upload is refused', () => {
  test.each<[string, (url: string) => string, string, Record<string, string>, RegExp]>([
    ['with another size', (url) => url, 'five!', {}, /SignatureDoesNotMatch/],
    ['with another key', (url) => url.replace('b.txt', 'c.txt'), 'four', {}, /SignatureDoesNotMatch/],
    ['with another option', (url) => url.replace('bitboard', 'dlx'), 'four', {}, /SignatureDoesNotMatch/],
    ['without an option', (url) => url.replace(/&x-amz-meta-dlx-strict=true/, ''), 'four', {}, /Signature/],
    ['with one more option', (url) => url, 'four', { 'x-amz-meta-dlx-box': '3x3' }, /were not signed/],
  ])('%s', async (_name, changed, body, headers, found) => {
    const url = changed(await presignedUpload(embedded.s3, PERMISSION, 60));
    const { status, text } = await put(url, body, headers);
    expect(status).toBe(403);
    expect(text).toMatch(found);
  });

  test('after its expiry', async () => {
    const { status, text } = await put(await presignedUpload(embedded.s3, PERMISSION, 60, NOON), 'four');
    expect(status).toBe(403);
    expect(text).toMatch(/Request has expired/);
  });
});

test('the URL has the token of temporary credentials, and not the secret key', async () => {
  const s3 = new S3({ region: REGION, credentials: { ...CREDENTIALS, sessionToken: 'token' } });
  const url = await presignedUpload(s3, PERMISSION, 60);
  s3.destroy();
  expect(new URL(url).searchParams.get('X-Amz-Security-Token')).toBe('token');
  expect(url).not.toContain(CREDENTIALS.secretAccessKey);
});
