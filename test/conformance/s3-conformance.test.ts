/**
 * What the project asks of an S3, row by row, with the SDK as it comes.
 *
 * By default the embedded server is asked. Any other one takes its place with
 * `S3_ENDPOINT=http://... AWS_ACCESS_KEY_ID=... AWS_SECRET_ACCESS_KEY=... [AWS_REGION=...] npx vitest run test/conformance`;
 * two buckets with new names are made there, and removed at the end.
 */

import { afterAll, beforeAll, describe } from 'vitest';
import { accessSuite } from './suites/access.ts';
import { bucketSuite } from './suites/buckets.ts';
import { conditionSuite } from './suites/conditions.ts';
import { copySuite } from './suites/copies.ts';
import { keySuite } from './suites/keys.ts';
import { listingSuite } from './suites/listing.ts';
import { multipartSuite } from './suites/multipart.ts';
import { objectSuite } from './suites/objects.ts';
import { rangeSuite } from './suites/ranges.ts';
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
