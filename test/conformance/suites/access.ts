/** Authentication: signatures in headers, and presigned URLs. */

import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { expect, test } from 'vitest';
import { objectText } from '../../local/s3/object-text.ts';
import { expectError, type Target } from '../target.ts';

const HOUR_MS = 3_600_000;

export function accessSuite(target: () => Target): void {
  const putText = async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}a+b %20/\u6570.txt`;
    const { VersionId } = await client.send(new PutObjectCommand({ Bucket, Key, Body: 'text' }));
    return { client, Bucket, Key, VersionId };
  };

  test('an unknown access key is 403 InvalidAccessKeyId', async () => {
    const { Bucket, Key } = await putText();
    const credentials = { ...target().credentials, accessKeyId: 'AKIAIOSFODNN7EXAMPLE' };
    const unauthorized = target().otherClient({ credentials });
    await expectError(unauthorized.send(new GetObjectCommand({ Bucket, Key })), '403 InvalidAccessKeyId');
  });

  test('a wrong secret is 403 SignatureDoesNotMatch', async () => {
    const { Bucket, Key } = await putText();
    const credentials = { ...target().credentials, secretAccessKey: 'wrong' };
    const unauthorized = target().otherClient({ credentials });
    await expectError(unauthorized.send(new GetObjectCommand({ Bucket, Key })), '403 SignatureDoesNotMatch');
    const put = new PutObjectCommand({ Bucket, Key, Body: Buffer.alloc(3_000_000) });
    await expectError(unauthorized.send(put), '403 SignatureDoesNotMatch');
  });

  test('a request without a signature is 403', async () => {
    const { Bucket, Key } = await putText();
    const path = Key.split('/').map(encodeURIComponent).join('/');
    const response = await fetch(`${target().endpoint}/${Bucket}/${path}`);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('<Code>AccessDenied</Code>');
  });

  test('a presigned URL reads its object', async () => {
    const { client, Bucket, Key, VersionId } = await putText();
    await client.send(new PutObjectCommand({ Bucket, Key, Body: 'newer' }));
    const current = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key }), { expiresIn: 60 });
    const older = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key, VersionId }), {
      expiresIn: 60,
    });
    expect(await (await fetch(current)).text()).toBe('newer');
    expect(await (await fetch(older)).text()).toBe('text');
    expect(await (await fetch(current, { headers: { range: 'bytes=1-2' } })).text()).toBe('ew');
  });

  test('a presigned URL sets the headers of its response', async () => {
    const { client, Bucket, Key } = await putText();
    const ResponseContentDisposition = 'attachment; filename="solutions.txt"';
    const get = new GetObjectCommand({ Bucket, Key, ResponseContentDisposition });
    const response = await fetch(await getSignedUrl(client, get, { expiresIn: 60 }));
    expect(response.headers.get('content-disposition')).toBe(ResponseContentDisposition);
  });

  test('an expired presigned URL is 403', async () => {
    const { client, Bucket, Key } = await putText();
    const signingDate = new Date(Date.now() - 2 * HOUR_MS);
    const url = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key }), {
      expiresIn: 3600,
      signingDate,
    });
    const response = await fetch(url);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('expired');
  });

  test('a changed presigned URL is 403', async () => {
    const { client, Bucket, Key } = await putText();
    const url = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key }), { expiresIn: 60 });
    const changes = [
      url.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'),
      url.replace('.txt?', '.csv?'),
      `${url}&versionId=null`,
    ];
    for (const changed of changes) {
      const response = await fetch(changed);
      expect(response.status).toBe(403);
      expect(await response.text()).toContain('<Code>SignatureDoesNotMatch</Code>');
    }
  });

  test('a presigned URL for a write stores the body', async () => {
    const { client, Bucket, Key } = await putText();
    const signer = target().otherClient({ requestChecksumCalculation: 'WHEN_REQUIRED' });
    const url = await getSignedUrl(signer, new PutObjectCommand({ Bucket, Key }), { expiresIn: 60 });
    expect((await fetch(url, { method: 'PUT', body: 'sent' })).status).toBe(200);
    expect(await objectText(client, { Bucket, Key })).toBe('sent');
  });
}
