/** Uploads in parts, as the SDK sends them. */
import { Readable } from 'node:stream';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { expect, test } from 'vitest';
import type { Target } from '../target.ts';

export function multipartSuite(target: () => Target): void {
  test("the SDK's Upload sends a stream of unknown length", async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}a`;
    const pieces = Array.from({ length: 120 }, (_, i) => Buffer.alloc(100_000, `piece ${i} `));
    const Body = Readable.from(pieces, { objectMode: false });
    const { ETag } = await new Upload({ client, params: { Bucket, Key, Body } }).done();
    const got = await client.send(new GetObjectCommand({ Bucket, Key }));
    const bytes = Buffer.from((await got.Body?.transformToByteArray()) ?? []);
    expect(bytes.equals(Buffer.concat(pieces))).toBe(true);
    expect(ETag).toMatch(/-3"$/);
  });
}
