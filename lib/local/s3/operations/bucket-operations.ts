/** The operations on buckets, and ListBuckets. */

import { readBodyText } from '../http/body/request-body.ts';
import { parseDocument, readDocument } from '../http/body/request-document.ts';
import { invalidArgument, S3Error } from '../http/errors.ts';
import { ACL_HEADERS, setsAcl } from '../http/object-headers.ts';
import type { S3Request } from '../http/request.ts';
import { listingTime } from '../http/time-formats.ts';
import { childText, element, responseDocument } from '../http/xml.ts';
import { OWNER } from './listing/listing.ts';
import type { OperationCall, S3Response } from './operation.ts';
import { bucketArn } from './permissions.ts';

/** The region whose buckets have an empty location. */
const FIRST_REGION = 'us-east-1';
const OWNERSHIP_HEADER = 'x-amz-object-ownership';
/** Headers of CreateBucket. */
export const BUCKET_SETTING_HEADERS: readonly string[] = [OWNERSHIP_HEADER, ...ACL_HEADERS];
const MAX_CONFIGURATION_BYTES = 64 * 1024;

/** A page of the buckets, by name; all of them without `max-buckets`. */
export async function listBuckets(call: OperationCall): Promise<S3Response> {
  const { region } = call.settings;
  const { parameters } = call.request;
  const prefix = parameters.get('prefix');
  const token = parameters.get('continuation-token') ?? '';
  const after = Buffer.from(token, 'base64url').toString();
  if (tokenAfter(after) !== token) {
    throw invalidArgument('The continuation token provided is incorrect', 'continuation-token', token);
  }
  const inRegion = (parameters.get('bucket-region') ?? region) === region;
  const found = [...call.storage.buckets.values()]
    .filter(({ name }) => inRegion && name.startsWith(prefix ?? '') && name > after)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const page = found.slice(0, maxBuckets(parameters));
  const elements = page.map(({ name, createdMs }) =>
    element('Bucket', [
      element('Name', name),
      element('CreationDate', listingTime(createdMs)),
      element('BucketRegion', region),
      element('BucketArn', bucketArn(name)),
    ]),
  );
  const next = page.length < found.length ? page.at(-1)?.name : undefined;
  return {
    status: 200,
    body: responseDocument('ListAllMyBucketsResult', [
      OWNER,
      element('Buckets', elements),
      next === undefined ? undefined : element('ContinuationToken', tokenAfter(next)),
      prefix === undefined ? undefined : element('Prefix', prefix),
    ]),
  };
}

function tokenAfter(bucket: string): string {
  return Buffer.from(bucket).toString('base64url');
}

function maxBuckets(parameters: ReadonlyMap<string, string>): number | undefined {
  const text = parameters.get('max-buckets');
  if (text === undefined) return undefined;
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= 10_000) return count;
  throw invalidArgument('Argument max-buckets must be an integer between 1 and 10000', 'max-buckets', text);
}

/** Creates a bucket; a region in the request must be the server's. */
export async function createBucket(call: OperationCall): Promise<S3Response> {
  const { bucketName, storage, settings } = call;
  checkBucketName(bucketName);
  checkSettings(call.request);
  // The body may be empty.
  const region = locationIn(await readBodyText(call.body, MAX_CONFIGURATION_BYTES));
  if (region !== undefined && region !== settings.region) {
    throw new S3Error('InvalidArgument', `The region of this server is ${settings.region}, found ${region}`);
  }
  const headers = { location: `/${bucketName}` };
  if (storage.buckets.has(bucketName)) {
    // As in the oldest region of S3, and in no other.
    if (settings.region === FIRST_REGION) return { status: 200, headers };
    throw new S3Error(
      'BucketAlreadyOwnedByYou',
      'Your previous request to create the named bucket succeeded and you already own it.',
      { fields: { BucketName: bucketName } },
    );
  }
  storage.createBucket(bucketName);
  return { status: 200, headers };
}

/** Only what every bucket has. @throws S3Error InvalidBucketAclWithObjectOwnership, NotImplemented */
function checkSettings({ headers }: S3Request): void {
  if (setsAcl(headers)) {
    throw new S3Error(
      'InvalidBucketAclWithObjectOwnership',
      "Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting",
    );
  }
  const ownership = headers.get(OWNERSHIP_HEADER) ?? 'BucketOwnerEnforced';
  if (ownership === 'BucketOwnerEnforced') return;
  throw new S3Error('NotImplemented', `Object ownership ${ownership} is not implemented`);
}

export async function headBucket(call: OperationCall): Promise<S3Response> {
  call.storage.bucket(call.bucketName);
  return { status: 200, headers: { 'x-amz-bucket-region': call.settings.region } };
}

export async function deleteBucket(call: OperationCall): Promise<S3Response> {
  call.storage.deleteBucket(call.bucketName);
  return { status: 204 };
}

export async function getBucketLocation(call: OperationCall): Promise<S3Response> {
  call.storage.bucket(call.bucketName);
  const { region } = call.settings;
  return { status: 200, body: responseDocument('LocationConstraint', region === FIRST_REGION ? '' : region) };
}

export async function getBucketVersioning(call: OperationCall): Promise<S3Response> {
  const { versioned } = call.storage.bucket(call.bucketName);
  return {
    status: 200,
    body: responseDocument('VersioningConfiguration', versioned ? [element('Status', 'Enabled')] : []),
  };
}

/** Enables versioning; suspending it is not implemented. */
export async function putBucketVersioning(call: OperationCall): Promise<S3Response> {
  const status = childText(await readDocument(call.body, 'VersioningConfiguration'), 'Status');
  if (status === 'Suspended') throw new S3Error('NotImplemented', 'Suspended versioning is not implemented');
  if (status !== 'Enabled') throw new S3Error('MalformedXML', `Expected the Status Enabled, found ${status}`);
  call.storage.enableVersioning(call.bucketName);
  return { status: 200 };
}

/** @throws S3Error InvalidBucketName if S3 would reject the name */
export function checkBucketName(name: string): void {
  const isAddress = /^\d+\.\d+\.\d+\.\d+$/.test(name);
  const areLabels = name.split('.').every((label) => /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label));
  if (name.length >= 3 && name.length <= 63 && areLabels && !isAddress) return;
  throw new S3Error('InvalidBucketName', 'The specified bucket is not valid.', {
    fields: { BucketName: name },
  });
}

function locationIn(text: string): string | undefined {
  if (text === '') return undefined;
  return childText(parseDocument(text, 'CreateBucketConfiguration'), 'LocationConstraint');
}
