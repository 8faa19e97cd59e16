/** What other S3 clients ask for, and the SDK cannot send or has in no one answer: the AWS command line, boto3, rclone. */
import { CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { objectText } from '../../local/s3/object-text.ts';
import { requestOutcome, type Target } from '../target.ts';

export function clientsSuite(target: () => Target): void {
  const put = async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const object = { Bucket, Key: `${newPrefix()}a` };
    await client.send(new PutObjectCommand({ ...object, Body: 'text' }));
    return { client, object };
  };

  test('an ACL that is empty, as rclone sends it, is none', async () => {
    const { client, object } = await put();
    const command = new PutObjectCommand({ ...object, Body: 'b' });
    command.middlewareStack.add(
      (next) => (args) => {
        Object.assign((args.request as { headers: object }).headers, { 'x-amz-acl': '' });
        return next(args);
      },
      { step: 'build' },
    );
    await client.send(command);
    expect(await objectText(client, object)).toBe('b');
  });

  test('a bucket of the same owner is created again', async () => {
    const { client, plainBucket: Bucket } = target();
    const outcome = await requestOutcome(client.send(new CreateBucketCommand({ Bucket })));
    expect(outcome).toBe('accepted');
  });
}
