/** The operations on buckets, and ListBuckets. */
import { bodyOf, parseDocument, readText } from './body.ts';
import { invalidArgument, malformedXml, notImplemented, S3Error } from './errors.ts';
import { timeElement } from './listings.ts';
import { bucketArn, type OperationCall, type S3Response } from './operation.ts';
import { childText, element, responseDocument } from './xml.ts';

/** The region whose buckets have an empty location. */
const FIRST_REGION = 'us-east-1';

/** The buckets, by name. */
export async function listBuckets({ storage, region }: OperationCall): Promise<S3Response> {
  const buckets = [...storage.buckets.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const elements = buckets.map(({ name, createdMs }) =>
    element('Bucket', [
      element('Name', name),
      timeElement('CreationDate', createdMs),
      element('BucketRegion', region),
      element('BucketArn', bucketArn(name)),
    ]),
  );
  return {
    body: responseDocument('ListAllMyBucketsResult', [element('Buckets', elements)]),
  };
}

/** Creates a bucket; a region in the request must be the server's. */
export async function createBucket(call: OperationCall): Promise<S3Response> {
  const { request, storage, region } = call;
  const name = request.bucket;
  checkBucketName(name);
  const text = await readText(bodyOf(call));
  const location =
    text === ''
      ? undefined
      : childText(parseDocument(text, 'CreateBucketConfiguration'), 'LocationConstraint');
  if (location !== undefined && location !== region) {
    throw invalidArgument(`The region of this server is ${region}, found ${location}`);
  }
  // In the oldest region of S3, an existing bucket is no error.
  if (!storage.buckets.has(name)) storage.createBucket(name);
  return { headers: { location: `/${name}` } };
}

export async function headBucket({ request, storage, region }: OperationCall): Promise<S3Response> {
  storage.bucket(request.bucket);
  return { headers: { 'x-amz-bucket-region': region } };
}

export async function deleteBucket({ request, storage }: OperationCall): Promise<S3Response> {
  storage.deleteBucket(request.bucket);
  return { status: 204 };
}

export async function getBucketLocation({ request, storage, region }: OperationCall): Promise<S3Response> {
  storage.bucket(request.bucket);
  return { body: responseDocument('LocationConstraint', region === FIRST_REGION ? '' : region) };
}

export async function getBucketVersioning({ request, storage }: OperationCall): Promise<S3Response> {
  const { versioned } = storage.bucket(request.bucket);
  const status = versioned ? [element('Status', 'Enabled')] : [];
  return { body: responseDocument('VersioningConfiguration', status) };
}

/** Enables versioning; suspending it is not implemented. */
export async function putBucketVersioning(call: OperationCall): Promise<S3Response> {
  const status = childText(parseDocument(await readText(bodyOf(call)), 'VersioningConfiguration'), 'Status');
  if (status === 'Suspended') throw notImplemented('suspended versioning');
  if (status !== 'Enabled') throw malformedXml(`Expected the Status Enabled, found ${status}`);
  call.storage.enableVersioning(call.request.bucket);
  return { status: 200 };
}

/** @throws S3Error InvalidBucketName if S3 would reject the name */
export function checkBucketName(name: string): void {
  const isAddress = /^\d+\.\d+\.\d+\.\d+$/.test(name);
  const areLabels = name.split('.').every((label) => /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label));
  if (name.length >= 3 && name.length <= 63 && areLabels && !isAddress) return;
  throw new S3Error(400, 'InvalidBucketName', 'The specified bucket is not valid.');
}
