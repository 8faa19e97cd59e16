import { S3 } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PresignedPost, presignedPost } from '../../lib/aws/presigned-post.ts';
import { INPUT_BUCKET } from '../support/dependencies.ts';
import { CREDENTIALS, type EmbeddedS3, REGION, startEmbeddedS3 } from '../support/embedded-s3.ts';

const KEY = 'inbox/ü "a" + b.txt';
const PERMISSION = {
  bucket: INPUT_BUCKET,
  key: KEY,
  metadata: { 'dlx-engine': 'bitboard', 'dlx-strict': 'true' },
  maxBytes: 4,
};
const NOON = new Date('2025-03-01T12:00:00Z');

let embedded: EmbeddedS3;
beforeAll(async () => {
  embedded = await startEmbeddedS3();
});
afterAll(() => embedded.stop());

async function send({ fields }: Pick<PresignedPost, 'fields'>, body: string, bucket = INPUT_BUCKET) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([body]), 'file');
  const answer = await fetch(`${embedded.endpoint}/${bucket}`, { method: 'POST', body: form });
  return { status: answer.status, text: await answer.text() };
}

test('a form stores its file under its key, with its metadata', async () => {
  expect((await send(await presignedPost(embedded.s3, PERMISSION, 60), 'four')).status).toBe(204);
  const { Body, Metadata } = await embedded.s3.getObject({ Bucket: INPUT_BUCKET, Key: KEY });
  expect(await Body!.transformToString()).toBe('four');
  expect(Metadata).toEqual(PERMISSION.metadata);
});

describe('a form is rejected', () => {
  test.each<[string, Record<string, string>, string, RegExp]>([
    ['with a file that is too large', {}, 'five!', /EntityTooLarge/],
    ['with another key', { key: 'inbox/other.txt' }, '', /Policy Condition failed/],
    ['with another option', { 'x-amz-meta-dlx-engine': 'dlx' }, '', /Policy Condition failed/],
    [
      'with an additional option',
      { 'x-amz-meta-dlx-box': '3x3' },
      '',
      /Extra input fields: x-amz-meta-dlx-box/,
    ],
  ])('%s', async (_name, changes, body, found) => {
    const { fields } = await presignedPost(embedded.s3, PERMISSION, 60);
    const { status, text } = await send({ fields: { ...fields, ...changes } }, body);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).toMatch(found);
  });

  test('without one of its options', async () => {
    const { fields } = await presignedPost(embedded.s3, PERMISSION, 60);
    const { 'x-amz-meta-dlx-strict': _, ...rest } = fields;
    expect((await send({ fields: rest }, 'a')).text).toMatch(/Policy Condition failed/);
  });

  test('after its expiry', async () => {
    const form = await presignedPost(embedded.s3, PERMISSION, 60, NOON);
    expect(form.expiresAt).toEqual(new Date('2025-03-01T12:01:00Z'));
    expect((await send(form, 'a')).text).toMatch(/Policy expired/);
  });
});

test('a form does not contain the secret key', async () => {
  const { fields } = await presignedPost(embedded.s3, PERMISSION, 60);
  const text = JSON.stringify({ fields, policy: Buffer.from(fields.policy, 'base64').toString() });
  expect(text).not.toContain(CREDENTIALS.secretAccessKey);
});

test('a form signed with temporary credentials has their token, also in the policy', async () => {
  const credentials = { ...CREDENTIALS, sessionToken: 'token' };
  const s3 = new S3({ region: REGION, credentials });
  const { fields } = await presignedPost(s3, PERMISSION, 60);
  s3.destroy();
  expect(fields['x-amz-security-token']).toBe('token');
  const { conditions } = JSON.parse(Buffer.from(fields.policy, 'base64').toString());
  expect(conditions).toContainEqual({ 'x-amz-security-token': 'token' });
});
