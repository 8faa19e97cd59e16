/** Buckets. */

import {
  CreateBucketCommand,
  DeleteBucketCommand,
  GetBucketLocationCommand,
  GetBucketVersioningCommand,
  HeadBucketCommand,
  ListBucketsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { expectError, type Target } from '../target.ts';

export function bucketSuite(target: () => Target): void {
  test('buckets are listed', async () => {
    const { client, versionedBucket, plainBucket } = target();
    const { Buckets = [] } = await client.send(new ListBucketsCommand({}));
    expect(Buckets.map(({ Name }) => Name)).toEqual(expect.arrayContaining([versionedBucket, plainBucket]));
  });

  test('HEAD returns whether a bucket exists', async () => {
    const { client, plainBucket } = target();
    const { $metadata } = await client.send(new HeadBucketCommand({ Bucket: plainBucket }));
    expect($metadata.httpStatusCode).toBe(200);
    await expectError(
      client.send(new HeadBucketCommand({ Bucket: `${plainBucket}-missing` })),
      '404 NotFound',
    );
  });

  test('a bucket is in the region of the server', async () => {
    const { client, plainBucket: Bucket, region } = target();
    const { LocationConstraint } = await client.send(new GetBucketLocationCommand({ Bucket }));
    expect(LocationConstraint ?? 'us-east-1').toBe(region);
  });

  test('a bucket reports whether it is versioned', async () => {
    const { client, versionedBucket, plainBucket } = target();
    const versioned = await client.send(new GetBucketVersioningCommand({ Bucket: versionedBucket }));
    const plain = await client.send(new GetBucketVersioningCommand({ Bucket: plainBucket }));
    expect(versioned.Status).toBe('Enabled');
    expect(plain.Status).toBeUndefined();
  });

  test('a bucket that is not empty cannot be deleted', async () => {
    const { client, plainBucket: Bucket, newPrefix } = target();
    await client.send(new PutObjectCommand({ Bucket, Key: newPrefix(), Body: 'x' }));
    await expectError(client.send(new DeleteBucketCommand({ Bucket })), '409 BucketNotEmpty');
  });

  test.each(['Not_A_Bucket', 'ab', 'a..b', 'a.-b', 'a-.b', '-ab', 'ab.', '1.2.3.4', 'a'.repeat(64)])(
    'the bucket name %s is rejected',
    async (Bucket) => {
      const { client } = target();
      await expectError(client.send(new CreateBucketCommand({ Bucket })), '400 InvalidBucketName');
    },
  );
}
