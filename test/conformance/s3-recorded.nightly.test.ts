/** The answers that other projects recorded from S3, compared with those of the same target as in `s3-conformance.slow.test.ts`. */
import { afterAll, beforeAll } from 'vitest';
import { recordedSuite } from './recorded/s3.ts';
import { openTarget, type Target } from './target.ts';

let target: Target | undefined;

beforeAll(async () => {
  target = await openTarget(process.env);
});
afterAll(() => target?.close());

recordedSuite(() => target!);
