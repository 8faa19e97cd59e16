/** Buckets: their list, and their region. */
import { GetBucketLocationCommand, ListBucketsCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import type { Target } from '../target.ts';

export function bucketSuite(target: () => Target): void {
  test('buckets are listed', async () => {
    const { client, versionedBucket, plainBucket } = target();
    const { Buckets = [] } = await client.send(new ListBucketsCommand({}));
    expect(Buckets.map(({ Name }) => Name)).toEqual(expect.arrayContaining([versionedBucket, plainBucket]));
  });

  test('a bucket is in the region of the server', async () => {
    const { client, plainBucket: Bucket, region } = target();
    const { LocationConstraint } = await client.send(new GetBucketLocationCommand({ Bucket }));
    expect(LocationConstraint ?? 'us-east-1').toBe(region);
  });
}
