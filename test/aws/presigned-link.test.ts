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
  test('gives the object to whoever has it', async () => {
    const { url } = await presignedLink(embedded.s3, RESULTS_BUCKET, 'results/ü +.txt', 60);
    expect(await (await fetch(url)).text()).toBe('solved\n');
  });

  test('gives nothing when its time is over, and says why', async () => {
    const { url } = await presignedLink(embedded.s3, RESULTS_BUCKET, 'results/ü +.txt', 60, NOW);
    const answer = await fetch(url);
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('Request has expired');
  });
});

const TEMPORARY = { ...CREDENTIALS, sessionToken: 'token' };

describe('a link lives', () => {
  test.each<[string, object, Omit<PresignedLink, 'url'>]>([
    [
      'as long as was asked for, by lasting credentials',
      CREDENTIALS,
      { expiresAt: new Date('2025-03-02T12:00:00Z'), endsBy: 'lifetime' },
    ],
    [
      'as long as was asked for, by temporary credentials that outlast it',
      { ...TEMPORARY, expiration: new Date('2025-03-03T00:00:00Z') },
      { expiresAt: new Date('2025-03-02T12:00:00Z'), endsBy: 'lifetime' },
    ],
    [
      'as long as the temporary credentials that sign it',
      { ...TEMPORARY, expiration: new Date('2025-03-01T13:00:00Z') },
      { expiresAt: new Date('2025-03-01T13:00:00Z'), endsBy: 'credentials' },
    ],
    [
      'nobody knows how long, by temporary credentials that do not say',
      TEMPORARY,
      { expiresAt: new Date('2025-03-02T12:00:00Z'), endsBy: 'unknown' },
    ],
  ])('%s', async (_name, credentials, lifetime) => {
    const s3 = new S3({ region: REGION, credentials: credentials as typeof CREDENTIALS });
    expect(await presignedLink(s3, 'bucket', 'key', DAY_SECONDS, NOW)).toMatchObject(lifetime);
    s3.destroy();
  });
});
