/**
 * The S3 behaviour that the project relies on, tested with the unmodified SDK. `s3-recorded.nightly.test.ts` has the answers
 * that others recorded.
 *
 * By default the embedded server is tested; for any other one run the following, which creates buckets with new names there
 * and removes them at the end:
 *
 *     S3_ENDPOINT=http://... AWS_ACCESS_KEY_ID=... AWS_SECRET_ACCESS_KEY=... [AWS_REGION=...] npx vitest run test/conformance
 *
 * Requests one after the other, and their answers, are rows: `rows.slow.test.ts`.
 */

import { afterAll, beforeAll, describe } from 'vitest';
import { accessSuite } from './suites/access.ts';
import { bucketSuite } from './suites/buckets.ts';
import { clientsSuite } from './suites/clients.ts';
import { conditionSuite } from './suites/conditions.ts';
import { keySuite } from './suites/keys.ts';
import { multipartSuite } from './suites/multipart.ts';
import { objectSuite } from './suites/objects.ts';
import { recordedLinksSuite } from './suites/recorded-links.ts';
import { openTarget, type Target } from './target.ts';

let opened: Target | undefined;

function target(): Target {
  if (opened === undefined) throw new Error('the target is not open yet');
  return opened;
}

beforeAll(async () => {
  opened = await openTarget(process.env);
});

afterAll(async () => {
  await opened?.close();
});

describe('objects', () => objectSuite(target));
describe('keys', () => keySuite(target));
describe('conditions', () => conditionSuite(target));
describe('multipart uploads', () => multipartSuite(target));
describe('access', () => accessSuite(target));
describe('buckets', () => bucketSuite(target));
describe('other clients', () => clientsSuite(target));
describe('recorded errors of links', () => recordedLinksSuite(target));
