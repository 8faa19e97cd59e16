/**
 * The S3 behaviour that the project relies on, tested with the unmodified SDK. `s3-recorded.slow.test.ts` has the answers
 * that others recorded.
 *
 * By default the embedded server is tested; for any other one run the following, which creates buckets with new names there
 * and removes them at the end:
 *
 *     S3_ENDPOINT=http://... AWS_ACCESS_KEY_ID=... AWS_SECRET_ACCESS_KEY=... [AWS_REGION=...] npx vitest run test/conformance
 *
 * The tests expect what S3 documents or was observed to do. Other servers differ; moto 5.2.1 fails 29 tests:
 *
 * - it accepts bodies with a wrong checksum, Content-MD5 or signature, unknown access keys, and expired or changed
 *   presigned URLs (the tests of checksums and access);
 * - it accepts metadata over 2 KB, keys over 1,024 bytes, invalid bucket names, tokens and version ids, parts out of
 *   order, parts 0 and 10,001, and part copies beyond the end of their source;
 * - a delete of a key that never existed adds no marker, a read of a marker by its id is 404, the removal of a marker is
 *   not reported, keys with a marker form a common prefix, and a listing of versions stops at a removed marker;
 * - it omits `-N` in composite checksums, `response-*` parameters, conditions on copy sources, paging of parts, and
 *   range units.
 */

import { afterAll, beforeAll, describe } from 'vitest';
import { accessSuite } from './suites/access.ts';
import { bucketSuite } from './suites/buckets.ts';
import { clientsSuite } from './suites/clients.ts';
import { conditionSuite } from './suites/conditions.ts';
import { copySuite } from './suites/copies.ts';
import { keySuite } from './suites/keys.ts';
import { listingSuite } from './suites/listing.ts';
import { multipartSuite } from './suites/multipart.ts';
import { objectSuite } from './suites/objects.ts';
import { rangeSuite } from './suites/ranges.ts';
import { recordedLinksSuite } from './suites/recorded-links.ts';
import { versionSuite } from './suites/versions.ts';
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
describe('ranges', () => rangeSuite(target));
describe('keys', () => keySuite(target));
describe('conditions', () => conditionSuite(target));
describe('versions', () => versionSuite(target));
describe('listings', () => listingSuite(target));
describe('multipart uploads', () => multipartSuite(target));
describe('copies', () => copySuite(target));
describe('access', () => accessSuite(target));
describe('buckets', () => bucketSuite(target));
describe('other clients', () => clientsSuite(target));
describe('recorded errors of links', () => recordedLinksSuite(target));
