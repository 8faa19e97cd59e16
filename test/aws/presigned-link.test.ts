import { S3 } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PresignedLink, presignedLink } from '../../lib/aws/presigned-link.ts';
import { RESULTS_BUCKET } from '../support/dependencies.ts';
import { CREDENTIALS, type EmbeddedS3, REGION, startEmbeddedS3 } from '../support/embedded-s3.ts';

const NOW = new Date('2025-03-01T12:00:00Z');
const DAY_SECONDS = 86_400;

let embedded: EmbeddedS3;
beforeAll(async () => {
  embedded = await startEmbeddedS3();
  await embedded.s3.putObject({ Bucket: RESULTS_BUCKET, Key: 'results/ü +.txt', Body: 'solved\n' });
});
afterAll(() => embedded.stop());

describe('a link', () => {
  test('grants access to the object', async () => {
    const { url } = await presignedLink(embedded.s3, RESULTS_BUCKET, 'results/ü +.txt', 60);
    expect(await (await fetch(url)).text()).toBe('solved\n');
  });

  test('is rejected after its expiry, with the reason', async () => {
    const { url } = await presignedLink(embedded.s3, RESULTS_BUCKET, 'results/ü +.txt', 60, NOW);
    const answer = await fetch(url);
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('Request has expired');
  });
});

const TEMPORARY = { ...CREDENTIALS, sessionToken: 'token' };

describe('a link is valid', () => {
  test.each<[string, object, Omit<PresignedLink, 'url'>]>([
    [
      'for the requested lifetime, with permanent credentials',
      CREDENTIALS,
      { expiresAt: new Date('2025-03-02T12:00:00Z'), endsBy: 'lifetime' },
    ],
    [
      'for the requested lifetime, with temporary credentials that expire later',
      { ...TEMPORARY, expiration: new Date('2025-03-03T00:00:00Z') },
      { expiresAt: new Date('2025-03-02T12:00:00Z'), endsBy: 'lifetime' },
    ],
    [
      'until the temporary credentials that sign it expire',
      { ...TEMPORARY, expiration: new Date('2025-03-01T13:00:00Z') },
      { expiresAt: new Date('2025-03-01T13:00:00Z'), endsBy: 'credentials' },
    ],
    [
      'for an unknown time, with temporary credentials without an expiry date',
      TEMPORARY,
      { expiresAt: new Date('2025-03-02T12:00:00Z'), endsBy: 'unknown' },
    ],
  ])('%s', async (_name, credentials, lifetime) => {
    const s3 = new S3({ region: REGION, credentials: credentials as typeof CREDENTIALS });
    expect(await presignedLink(s3, 'bucket', 'key', DAY_SECONDS, NOW)).toMatchObject(lifetime);
    s3.destroy();
  });
});
