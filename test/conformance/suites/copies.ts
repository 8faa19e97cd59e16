/** CopyObject. */

import { createHash } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  type CopyObjectCommandInput,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { expectError, type Target } from '../target.ts';

export function copySuite(target: () => Target): void {
  const putSource = async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const prefix = newPrefix();
    const Key = `${prefix}source +%\u6570`;
    const stored = { ContentType: 'text/csv', Metadata: { 'dlx-engine': 'dlx' } };
    const { VersionId, ETag } = await client.send(
      new PutObjectCommand({ Bucket, Key, Body: 'source', ...stored }),
    );
    const CopySource = `${Bucket}/${encodeURIComponent(Key)}`;
    const copy = (input: Partial<CopyObjectCommandInput> = {}) =>
      client.send(new CopyObjectCommand({ Bucket, Key: `${prefix}copy`, CopySource, ...input }));
    const read = async () => {
      const { Body, ...got } = await client.send(new GetObjectCommand({ Bucket, Key: `${prefix}copy` }));
      return { ...got, text: await Body?.transformToString() };
    };
    return { client, Bucket, Key, CopySource, VersionId, ETag, stored, copy, read };
  };

  test('a copy has the bytes, the headers and the metadata of its source', async () => {
    const { copy, read, stored, VersionId, ETag } = await putSource();
    const { CopyObjectResult, CopySourceVersionId } = await copy();
    expect(CopyObjectResult?.ETag).toBe(ETag);
    expect(CopySourceVersionId).toBe(VersionId);
    expect(await read()).toMatchObject({ text: 'source', ETag, ...stored });
  });

  test('a copy with REPLACE gets the metadata of the request', async () => {
    const { copy, read } = await putSource();
    await copy({ MetadataDirective: 'REPLACE', ContentType: 'text/plain', Metadata: { other: 'value' } });
    const { ContentType, Metadata } = await read();
    expect({ ContentType, Metadata }).toEqual({ ContentType: 'text/plain', Metadata: { other: 'value' } });
  });

  test('a copy reads the version that it names', async () => {
    const { client, Bucket, Key, CopySource, VersionId, copy, read } = await putSource();
    await client.send(new PutObjectCommand({ Bucket, Key, Body: 'newer' }));
    await copy({ CopySource: `${CopySource}?versionId=${VersionId}` });
    expect((await read()).text).toBe('source');
  });

  test('a copy succeeds only if its source has the ETag that it names', async () => {
    const { copy, ETag } = await putSource();
    await copy({ CopySourceIfMatch: ETag });
    await expectError(copy({ CopySourceIfMatch: `"${'0'.repeat(32)}"` }), '412 PreconditionFailed');
    await expectError(copy({ CopySourceIfNoneMatch: ETag }), '412 PreconditionFailed');
  });

  test('a source may be encoded completely, including its slashes', async () => {
    const { copy, read, Bucket, Key } = await putSource();
    await copy({ CopySource: encodeURIComponent(`${Bucket}/${Key}`) });
    expect((await read()).text).toBe('source');
  });

  test('a copy of a missing object is 404', async () => {
    const { copy, CopySource } = await putSource();
    await expectError(copy({ CopySource: `${CopySource}-missing` }), '404 NoSuchKey');
  });

  test('a copy of an object to itself without changes is 400', async () => {
    const { copy, Key } = await putSource();
    await expectError(copy({ Key }), '400 InvalidRequest');
  });

  test('a copy of a multipart object has the ETag of a single put', async () => {
    const { client, Bucket, Key: base, copy } = await putSource();
    const Key = `${base}-parts`;
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    const { ETag } = await client.send(
      new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: 'part' }),
    );
    const Parts = [{ PartNumber: 1, ETag }];
    await client.send(
      new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
    );
    const { CopyObjectResult } = await copy({ CopySource: `${Bucket}/${encodeURIComponent(Key)}` });
    expect(CopyObjectResult?.ETag).toBe(`"${createHash('md5').update('part').digest('hex')}"`);
  });
}
