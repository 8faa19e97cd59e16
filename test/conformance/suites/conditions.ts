/** Conditional writes, which commits rely on, and conditional reads. */

import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { objectText } from '../../local/s3/object-text.ts';
import { expectError, requestOutcome, type Target } from '../target.ts';

const LONG_AGO = new Date('2001-01-01T00:00:00Z');
const OTHER_ETAG = `"${'0'.repeat(32)}"`;

export function conditionSuite(target: () => Target): void {
  for (const kind of ['versionedBucket', 'plainBucket'] as const) createRows(target, kind);
  replaceRows(target);
  raceRows(target);
  readRows(target);
}

function createRows(target: () => Target, kind: 'versionedBucket' | 'plainBucket'): void {
  test(`If-None-Match: * writes a new object, and rejects an existing one (${kind})`, async () => {
    const { client, [kind]: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}manifest.json`;
    const put = (Body: string) => client.send(new PutObjectCommand({ Bucket, Key, Body, IfNoneMatch: '*' }));
    await put('first');
    await expectError(put('second'), '412 PreconditionFailed');
    expect(await objectText(client, { Bucket, Key })).toBe('first');
  });

  test(`If-None-Match: * writes a deleted object again (${kind})`, async () => {
    const { client, [kind]: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}manifest.json`;
    const put = (Body: string) => client.send(new PutObjectCommand({ Bucket, Key, Body, IfNoneMatch: '*' }));
    await put('first');
    await client.send(new DeleteObjectCommand({ Bucket, Key }));
    await put('second');
    expect(await objectText(client, { Bucket, Key })).toBe('second');
  });
}

function replaceRows(target: () => Target): void {
  test('If-Match overwrites only the ETag that it names', async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}latest.json`;
    const { ETag: first } = await client.send(new PutObjectCommand({ Bucket, Key, Body: 'first' }));
    const { ETag: second } = await client.send(
      new PutObjectCommand({ Bucket, Key, Body: 'second', IfMatch: first }),
    );
    await expectError(
      client.send(new PutObjectCommand({ Bucket, Key, Body: 'third', IfMatch: first })),
      '412 PreconditionFailed',
    );
    const head = await client.send(new HeadObjectCommand({ Bucket, Key }));
    expect(head.ETag).toBe(second);
  });

  test('If-Match accepts an ETag without quotes', async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}latest.json`;
    const { ETag } = await client.send(new PutObjectCommand({ Bucket, Key, Body: 'first' }));
    const IfMatch = ETag?.replaceAll('"', '');
    expect(
      await requestOutcome(client.send(new PutObjectCommand({ Bucket, Key, Body: 'second', IfMatch }))),
    ).toBe('accepted');
  });

  test('If-Match on a key that never existed is 404', async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const put = new PutObjectCommand({ Bucket, Key: newPrefix(), Body: 'x', IfMatch: OTHER_ETAG });
    await expectError(client.send(put), '404 NoSuchKey');
  });

  test('If-Match on a deleted key is 404', async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}latest.json`;
    const { ETag } = await client.send(new PutObjectCommand({ Bucket, Key, Body: 'first' }));
    await client.send(new DeleteObjectCommand({ Bucket, Key }));
    const put = new PutObjectCommand({ Bucket, Key, Body: 'second', IfMatch: ETag });
    await expectError(client.send(put), '404 NoSuchKey');
  });
}

function raceRows(target: () => Target): void {
  const writers = Array.from({ length: 12 }, (_, writer) => `writer ${writer}`);

  test('of concurrent writers of a new key exactly one succeeds, and the others get an error', async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}manifest.json`;
    const outcomes = await Promise.all(
      writers.map((Body) =>
        requestOutcome(client.send(new PutObjectCommand({ Bucket, Key, Body, IfNoneMatch: '*' }))),
      ),
    );
    const winners = writers.filter((_, writer) => outcomes[writer] === 'accepted');
    expect(winners).toHaveLength(1);
    // S3 may return 409 for concurrent writes; the writer then retries.
    const losers = outcomes.filter((outcome) => outcome !== 'accepted');
    expect(
      losers.filter((outcome) => !/^(412 PreconditionFailed|409 ConditionalRequestConflict)$/.test(outcome)),
    ).toEqual([]);
    expect(await objectText(client, { Bucket, Key })).toBe(winners[0]);
  });

  test('a counter that is only replaced with If-Match loses no increment', async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}counter`;
    await client.send(new PutObjectCommand({ Bucket, Key, Body: '0' }));
    const increment = async (): Promise<void> => {
      const { Body, ETag } = await client.send(new GetObjectCommand({ Bucket, Key }));
      const next = String(Number(await Body?.transformToString()) + 1);
      const outcome = await requestOutcome(
        client.send(new PutObjectCommand({ Bucket, Key, Body: next, IfMatch: ETag })),
      );
      if (outcome !== 'accepted') await increment();
    };
    await Promise.all(writers.map(increment));
    expect(await objectText(client, { Bucket, Key })).toBe(String(writers.length));
  });
}

/** Conditions of a read of an object whose ETag is `etag`, and their outcome. */
const READS: [row: string, condition: (etag: string) => Partial<GetObjectCommandInput>, outcome: string][] = [
  ['If-Match with its ETag', (etag) => ({ IfMatch: etag }), 'accepted'],
  ['If-Match with another ETag', () => ({ IfMatch: OTHER_ETAG }), '412 PreconditionFailed'],
  ['If-None-Match with its ETag', (etag) => ({ IfNoneMatch: etag }), '304'],
  ['If-None-Match with another ETag', () => ({ IfNoneMatch: OTHER_ETAG }), 'accepted'],
  ['If-Modified-Since long ago', () => ({ IfModifiedSince: LONG_AGO }), 'accepted'],
  ['If-Unmodified-Since long ago', () => ({ IfUnmodifiedSince: LONG_AGO }), '412 PreconditionFailed'],
  [
    'If-Match with its ETag, with a date before its modification',
    (etag) => ({ IfMatch: etag, IfUnmodifiedSince: LONG_AGO }),
    'accepted',
  ],
  [
    'If-None-Match with its ETag, with a date before its modification',
    (etag) => ({ IfNoneMatch: etag, IfModifiedSince: LONG_AGO }),
    '304',
  ],
];

function readRows(target: () => Target): void {
  test.for(READS)('a read with %s', async ([, condition, outcome]) => {
    const { client, plainBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}a`;
    const { ETag = '' } = await client.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));
    const read = client.send(new GetObjectCommand({ Bucket, Key, ...condition(ETag) }));
    // The SDK has no error name for a 304.
    expect((await requestOutcome(read)).slice(0, outcome.length)).toBe(outcome);
  });

  test('a read with If-Modified-Since equal to the time of the object is 304', async () => {
    const { client, plainBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}a`;
    await client.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));
    const { LastModified } = await client.send(new HeadObjectCommand({ Bucket, Key }));
    const read = client.send(new GetObjectCommand({ Bucket, Key, IfModifiedSince: LastModified }));
    expect((await requestOutcome(read)).slice(0, 3)).toBe('304');
  });
}
