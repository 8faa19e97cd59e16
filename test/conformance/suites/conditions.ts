/** Conditional writes, on which commits rest, and conditional reads. */

import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { expectRefused, refusal, type Target } from '../target.ts';

const LONG_AGO = new Date('2001-01-01T00:00:00Z');
const OTHER_ETAG = `"${'0'.repeat(32)}"`;

export function conditionSuite(target: () => Target): void {
  for (const kind of ['versionedBucket', 'plainBucket'] as const) createRows(target, kind);
  replaceRows(target);
  raceRows(target);
  readRows(target);
}

function createRows(target: () => Target, kind: 'versionedBucket' | 'plainBucket'): void {
  test(`If-None-Match: * writes what is absent, and refuses what is there (${kind})`, async () => {
    const { client, [kind]: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}manifest.json`;
    const put = (Body: string) => client.send(new PutObjectCommand({ Bucket, Key, Body, IfNoneMatch: '*' }));
    await put('first');
    await expectRefused(put('second'), '412 PreconditionFailed');
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    expect(await Body?.transformToString()).toBe('first');
  });

  test(`If-None-Match: * writes again what was deleted (${kind})`, async () => {
    const { client, [kind]: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}manifest.json`;
    const put = (Body: string) => client.send(new PutObjectCommand({ Bucket, Key, Body, IfNoneMatch: '*' }));
    await put('first');
    await client.send(new DeleteObjectCommand({ Bucket, Key }));
    await put('second');
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    expect(await Body?.transformToString()).toBe('second');
  });
}

function replaceRows(target: () => Target): void {
  test('If-Match writes over the ETag it names, and over no other', async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}latest.json`;
    const { ETag: first } = await client.send(new PutObjectCommand({ Bucket, Key, Body: 'first' }));
    const { ETag: second } = await client.send(
      new PutObjectCommand({ Bucket, Key, Body: 'second', IfMatch: first }),
    );
    await expectRefused(
      client.send(new PutObjectCommand({ Bucket, Key, Body: 'third', IfMatch: first })),
      '412 PreconditionFailed',
    );
    const head = await client.send(new HeadObjectCommand({ Bucket, Key }));
    expect(head.ETag).toBe(second);
  });

  test('If-Match takes an ETag without quotes', async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}latest.json`;
    const { ETag } = await client.send(new PutObjectCommand({ Bucket, Key, Body: 'first' }));
    const IfMatch = ETag?.replaceAll('"', '');
    expect(await refusal(client.send(new PutObjectCommand({ Bucket, Key, Body: 'second', IfMatch })))).toBe(
      'accepted',
    );
  });

  test('If-Match on a key that was never there is 404', async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const put = new PutObjectCommand({ Bucket, Key: newPrefix(), Body: 'x', IfMatch: OTHER_ETAG });
    await expectRefused(client.send(put), '404 NoSuchKey');
  });

  test('If-Match on a key that was deleted is 404', async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}latest.json`;
    const { ETag } = await client.send(new PutObjectCommand({ Bucket, Key, Body: 'first' }));
    await client.send(new DeleteObjectCommand({ Bucket, Key }));
    const put = new PutObjectCommand({ Bucket, Key, Body: 'second', IfMatch: ETag });
    await expectRefused(client.send(put), '404 NoSuchKey');
  });
}

function raceRows(target: () => Target): void {
  const writers = Array.from({ length: 12 }, (_, writer) => `writer ${writer}`);

  test('of writers that all want to be first, one is, and the others are told so', async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}manifest.json`;
    const outcomes = await Promise.all(
      writers.map((Body) =>
        refusal(client.send(new PutObjectCommand({ Bucket, Key, Body, IfNoneMatch: '*' }))),
      ),
    );
    const winners = writers.filter((_, writer) => outcomes[writer] === 'accepted');
    expect(winners).toHaveLength(1);
    // S3 may answer 409 where two writes meet; the writer then tries again.
    const losers = outcomes.filter((outcome) => outcome !== 'accepted');
    expect(
      losers.filter((outcome) => !/^(412 PreconditionFailed|409 ConditionalRequestConflict)$/.test(outcome)),
    ).toEqual([]);
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    expect(await Body?.transformToString()).toBe(winners[0]);
  });

  test('a counter that is only ever replaced under If-Match loses no step', async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}counter`;
    await client.send(new PutObjectCommand({ Bucket, Key, Body: '0' }));
    const step = async (): Promise<void> => {
      const { Body, ETag } = await client.send(new GetObjectCommand({ Bucket, Key }));
      const next = String(Number(await Body?.transformToString()) + 1);
      const outcome = await refusal(
        client.send(new PutObjectCommand({ Bucket, Key, Body: next, IfMatch: ETag })),
      );
      if (outcome !== 'accepted') await step();
    };
    await Promise.all(writers.map(step));
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    expect(await Body?.transformToString()).toBe(String(writers.length));
  });
}

/** The conditions of a read of an object whose ETag is `etag`, and what they come to. */
const READS: [row: string, condition: (etag: string) => Partial<GetObjectCommandInput>, outcome: string][] = [
  ['If-Match with its ETag', (etag) => ({ IfMatch: etag }), 'accepted'],
  ['If-Match with another ETag', () => ({ IfMatch: OTHER_ETAG }), '412 PreconditionFailed'],
  ['If-None-Match with its ETag', (etag) => ({ IfNoneMatch: etag }), '304'],
  ['If-None-Match with another ETag', () => ({ IfNoneMatch: OTHER_ETAG }), 'accepted'],
  ['If-Modified-Since long ago', () => ({ IfModifiedSince: LONG_AGO }), 'accepted'],
  ['If-Unmodified-Since long ago', () => ({ IfUnmodifiedSince: LONG_AGO }), '412 PreconditionFailed'],
  [
    'If-Match with its ETag, though modified since the date beside it',
    (etag) => ({ IfMatch: etag, IfUnmodifiedSince: LONG_AGO }),
    'accepted',
  ],
  [
    'If-None-Match with its ETag, though modified since the date beside it',
    (etag) => ({ IfNoneMatch: etag, IfModifiedSince: LONG_AGO }),
    '304',
  ],
];

function readRows(target: () => Target): void {
  test.for(READS)('a read under %s', async ([, condition, outcome]) => {
    const { client, plainBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}a`;
    const { ETag = '' } = await client.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));
    const read = client.send(new GetObjectCommand({ Bucket, Key, ...condition(ETag) }));
    // The SDK has no name for a 304.
    expect((await refusal(read)).slice(0, outcome.length)).toBe(outcome);
  });

  test('a read under If-Modified-Since with the very time of the object is 304', async () => {
    const { client, plainBucket: Bucket, newPrefix } = target();
    const Key = `${newPrefix()}a`;
    await client.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));
    const { LastModified } = await client.send(new HeadObjectCommand({ Bucket, Key }));
    const read = client.send(new GetObjectCommand({ Bucket, Key, IfModifiedSince: LastModified }));
    expect((await refusal(read)).slice(0, 3)).toBe('304');
  });
}
