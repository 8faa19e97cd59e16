import type { S3 } from '@aws-sdk/client-s3';
import { onTestFinished } from 'vitest';
import { type S3Endpoint, s3ClientFor } from '../../lib/aws/s3-client.ts';
import type { AtEnd } from '../local/fixture-function.ts';

/** A client of a stack or server, until the end of the test. */
export function clientOf(endpoint: S3Endpoint, atEnd: AtEnd = onTestFinished): S3 {
  const s3 = s3ClientFor(endpoint);
  atEnd(() => s3.destroy());
  return s3;
}
