/** ListObjectsV2, and ListObjects, its older form. */

import { S3Error } from '../../http/errors.ts';
import { listingTime } from '../../http/time-formats.ts';
import { element, responseDocument, type XmlMarkup } from '../../http/xml.ts';
import { type Bucket, currentObject } from '../../storage/catalog.ts';
import type { OperationCall, S3Response } from '../operation.ts';
import {
  type KeyElementWriter,
  type ListingEntry,
  type ListingPosition,
  type ListingRequest,
  listEntries,
  listedChecksum,
  OWNER,
  parameterElement,
  positionAfterMarker,
  readListingRequest,
  scopeElements,
  takePage,
} from './listing.ts';

/** A page of the keys that have a current object. */
export async function listObjectsV2(call: OperationCall): Promise<S3Response> {
  const request = readListingRequest(call);
  const { bucket, parameters, maxKeys, writeKey } = request;
  const token = parameters.get('continuation-token');
  const { page, truncated } = currentPage(request, startOf(parameters));
  const last = page.at(-1);
  const owner = parameters.get('fetch-owner') === 'true' ? OWNER : undefined;
  return {
    status: 200,
    body: responseDocument('ListBucketResult', [
      ...scopeElements(request),
      element('MaxKeys', maxKeys),
      element('KeyCount', page.length),
      element('IsTruncated', truncated),
      parameterElement('EncodingType', parameters.get('encoding-type')),
      token === undefined
        ? parameterElement('StartAfter', parameters.get('start-after'), writeKey)
        : undefined,
      parameterElement('ContinuationToken', token),
      truncated && last !== undefined ? element('NextContinuationToken', tokenAfter(last)) : undefined,
      ...page.map((entry) => entryElement(bucket, entry, writeKey, owner)),
    ]),
  };
}

/** The same page, with the last key or prefix of the page before instead of a token. */
export async function listObjects(call: OperationCall): Promise<S3Response> {
  const request = readListingRequest(call);
  const { bucket, parameters, scope, maxKeys, writeKey } = request;
  const marker = parameters.get('marker') ?? '';
  const { page, truncated } = currentPage(request, positionAfterMarker(marker, scope));
  const last = page.at(-1);
  // Without a delimiter, clients continue after the last key themselves.
  const next = truncated && scope.delimiter !== '' && last !== undefined ? nameOf(last) : undefined;
  return {
    status: 200,
    body: responseDocument('ListBucketResult', [
      ...scopeElements(request),
      writeKey('Marker', marker),
      parameterElement('NextMarker', next, writeKey),
      element('MaxKeys', maxKeys),
      element('IsTruncated', truncated),
      parameterElement('EncodingType', parameters.get('encoding-type')),
      ...page.map((entry) => entryElement(bucket, entry, writeKey, OWNER)),
    ]),
  };
}

function currentPage({ bucket, scope, maxKeys }: ListingRequest, start: ListingPosition | undefined) {
  const isListed = (key: string) => bucket.versions.hasObject(key);
  return takePage(listEntries(bucket.versions, scope, start, isListed), maxKeys);
}

function nameOf(entry: ListingEntry): string {
  return 'key' in entry ? entry.key : entry.commonPrefix;
}

function entryElement(
  bucket: Bucket,
  entry: ListingEntry,
  writeKey: KeyElementWriter,
  owner: XmlMarkup | undefined,
): XmlMarkup | undefined {
  if ('commonPrefix' in entry) return element('CommonPrefixes', [writeKey('Prefix', entry.commonPrefix)]);
  const version = currentObject(bucket, entry.key);
  return (
    version &&
    element('Contents', [
      writeKey('Key', entry.key),
      element('LastModified', listingTime(version.lastModifiedMs)),
      element('ETag', `"${version.etag}"`),
      ...listedChecksum(version),
      element('Size', version.bytes),
      owner,
      element('StorageClass', 'STANDARD'),
    ])
  );
}

/** A continuation token takes precedence over `start-after`, which a client repeats on every page. */
function startOf(parameters: ReadonlyMap<string, string>): ListingPosition | undefined {
  const token = parameters.get('continuation-token');
  if (token !== undefined) return positionOf(token);
  const startAfter = parameters.get('start-after');
  return startAfter === undefined ? undefined : { afterKey: startAfter };
}

/** A token, opaque to clients: `k` or `p`, and the last key or prefix. */
function tokenAfter(entry: ListingEntry): string {
  const text = 'key' in entry ? `k${entry.key}` : `p${entry.commonPrefix}`;
  return Buffer.from(text).toString('base64url');
}

function positionOf(token: string): ListingPosition {
  const text = Buffer.from(token, 'base64url').toString();
  if (text.startsWith('k')) return { afterKey: text.slice(1) };
  if (text.startsWith('p')) return { afterPrefix: text.slice(1) };
  throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect', {
    fields: { ArgumentName: 'continuation-token' },
  });
}
