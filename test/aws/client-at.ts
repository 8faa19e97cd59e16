/** Clients of servers in place of S3, until the end of the test. */
import type { S3 } from '@aws-sdk/client-s3';
import { onTestFinished } from 'vitest';
import type { Retries } from '../../lib/aws/retries.ts';
import { s3ClientFor } from '../../lib/aws/s3-client.ts';
import { s3Store } from '../../lib/aws/s3-store.ts';
import { TIMEOUTS } from '../../lib/aws/timeouts.ts';
import type { ObjectStore } from '../../lib/batch/ports.ts';
import { CREDENTIALS, REGION } from '../support/embedded-s3.ts';

export function clientAt(endpoint: string, timeouts = TIMEOUTS, retries?: Retries): S3 {
  const s3 = s3ClientFor({ endpoint, region: REGION, ...CREDENTIALS }, timeouts, retries);
  onTestFinished(() => s3.destroy());
  return s3;
}

export function storeAt(endpoint: string, timeouts = TIMEOUTS): ObjectStore {
  return s3Store(clientAt(endpoint, timeouts), timeouts);
}
