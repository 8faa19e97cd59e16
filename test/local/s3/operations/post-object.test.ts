import { S3 } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { presignedPost } from '../../../../lib/aws/presigned-post.ts';
import { startTestServer } from '../test-server.ts';
import { BUCKET } from '../test-server-names.ts';

test.for([
  ['a value with a line end', { a: 'b\nc' }],
  ['a value with a zero', { a: 'b\0' }],
  ['a name with a space', { 'a b': 'c' }],
] as const)('a form with metadata that no header can have is rejected: %s', async ([, metadata]) => {
  const server = await startTestServer();
  const { endpoint, region, accessKeyId, secretAccessKey } = server;
  const s3 = new S3({ endpoint, region, credentials: { accessKeyId, secretAccessKey } });
  const { fields } = await presignedPost(s3, { bucket: BUCKET, key: 'a', metadata, maxBytes: 9 }, 60);
  const parts = [...Object.entries(fields), ['file', 'text']].map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const response = await fetch(`${endpoint}/${BUCKET}`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: `${parts.join('')}--b--\r\n`,
  });
  expect(`${response.status} ${await response.text()}`).toMatch(/^400 .*InvalidArgument/s);
  expect(server.events).toEqual([]);
  expect(server.faults).toEqual([]);
});
