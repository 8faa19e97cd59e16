/** Conditional writes at the same time, which commits rely on. */

import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { objectText } from '../../local/s3/object-text.ts';
import { requestOutcome, type Target } from '../target.ts';

export function conditionSuite(target: () => Target): void {
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
