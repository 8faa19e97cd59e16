/** The operations on buckets, and ListBuckets. */

import { readBodyText } from '../http/body/request-body.ts';
import { parseDocument, readDocument } from '../http/body/request-document.ts';
import { invalidArgument, S3Error } from '../http/errors.ts';
import { listingTime } from '../http/time-formats.ts';
import { childText, element, responseDocument } from '../http/xml.ts';
import { OWNER } from './listing/listing.ts';
import type { OperationCall, S3Response } from './operation.ts';
import { bucketArn } from './permissions.ts';

/** The region whose buckets have an empty location. */
const FIRST_REGION = 'us-east-1';
const MAX_CONFIGURATION_BYTES = 64 * 1024;

/** A page of the buckets, by name; all of them without `max-buckets`. */
export async function listBuckets(call: OperationCall): Promise<S3Response> {
  const { region } = call.settings;
  const { parameters } = call.request;
  const prefix = parameters.get('prefix');
  const after = Buffer.from(parameters.get('continuation-token') ?? '', 'base64url').toString();
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
      next === undefined ? undefined : element('ContinuationToken', Buffer.from(next).toString('base64url')),
      prefix === undefined ? undefined : element('Prefix', prefix),
    ]),
  };
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
  // The body may be empty.
  const region = locationIn(await readBodyText(call.body, MAX_CONFIGURATION_BYTES));
  if (region !== undefined && region !== settings.region) {
    throw new S3Error('InvalidArgument', `The region of this server is ${settings.region}, found ${region}`);
  }
  if (storage.buckets.has(bucketName)) {
    throw new S3Error(
      'BucketAlreadyOwnedByYou',
      'Your previous request to create the named bucket succeeded and you already own it.',
      { fields: { BucketName: bucketName } },
    );
  }
  storage.createBucket(bucketName);
  return { status: 200, headers: { location: `/${bucketName}` } };
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
  if (/^(?!\d+\.\d+\.\d+\.\d+$)(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name)) return;
  throw new S3Error('InvalidBucketName', 'The specified bucket is not valid.', {
    fields: { BucketName: name },
  });
}

function locationIn(text: string): string | undefined {
  if (text === '') return undefined;
  return childText(parseDocument(text, 'CreateBucketConfiguration'), 'LocationConstraint');
}
