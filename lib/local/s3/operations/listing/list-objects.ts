/** ListObjectsV2. */

import { S3Error } from '../../http/errors.ts';
import { integerParameter } from '../../http/parameters.ts';
import { listingTime } from '../../http/time-formats.ts';
import { element, responseDocument, type XmlMarkup } from '../../http/xml.ts';
import { type Bucket, currentVersion, type StoredVersion } from '../../storage/catalog.ts';
import type { OperationCall, S3Response } from '../operation.ts';
import {
  type KeyElementWriter,
  keyElementWriter,
  type ListingEntry,
  type ListingPosition,
  listEntries,
  MAX_PAGE_ENTRIES,
} from './listing.ts';

/** A page of the keys that have a current object. */
export async function listObjectsV2(call: OperationCall): Promise<S3Response> {
  const { parameters } = call.request;
  const bucket = call.storage.bucket(call.bucketName);
  const scope = { prefix: parameters.get('prefix') ?? '', delimiter: parameters.get('delimiter') ?? '' };
  const maxKeys = Math.min(integerParameter(parameters, 'max-keys', MAX_PAGE_ENTRIES), MAX_PAGE_ENTRIES);
  const writeKey = keyElementWriter(parameters.get('encoding-type'));
  const { page, truncated } = takePage(
    listEntries(bucket.keys, scope, startOf(parameters), (key) => currentObject(bucket, key) !== undefined),
    maxKeys,
  );
  const last = page.at(-1);
  return {
    status: 200,
    body: responseDocument('ListBucketResult', [
      element('Name', bucket.name),
      writeKey('Prefix', scope.prefix),
      scope.delimiter === '' ? undefined : writeKey('Delimiter', scope.delimiter),
      element('MaxKeys', maxKeys),
      element('KeyCount', page.length),
      element('IsTruncated', truncated),
      optional('EncodingType', parameters.get('encoding-type'), element),
      optional('StartAfter', parameters.get('start-after'), writeKey),
      optional('ContinuationToken', parameters.get('continuation-token'), element),
      truncated && last !== undefined ? element('NextContinuationToken', tokenAfter(last)) : undefined,
      ...page.map((entry) => entryElement(bucket, entry, writeKey, parameters.get('fetch-owner') === 'true')),
    ]),
  };
}

/** The first entries, and whether there are more; one more is looked for, since only an entry makes another page. */
export function takePage<Entry>(
  entries: Iterable<Entry>,
  maxEntries: number,
): { page: Entry[]; truncated: boolean } {
  const page: Entry[] = [];
  if (maxEntries === 0) return { page, truncated: false };
  for (const entry of entries) {
    if (page.length === maxEntries) return { page, truncated: true };
    page.push(entry);
  }
  return { page, truncated: false };
}

/** Every object here has the same owner. */
export const OWNER: XmlMarkup = element('Owner', [
  element('ID', '0'.repeat(64)),
  element('DisplayName', 'local'),
]);

function currentObject(bucket: Bucket, key: string): StoredVersion | undefined {
  const version = currentVersion(bucket, key);
  return version?.deleteMarker === true ? undefined : version;
}

function entryElement(
  bucket: Bucket,
  entry: ListingEntry,
  writeKey: KeyElementWriter,
  withOwner: boolean,
): XmlMarkup | undefined {
  if ('commonPrefix' in entry) return element('CommonPrefixes', [writeKey('Prefix', entry.commonPrefix)]);
  const version = currentObject(bucket, entry.key);
  return (
    version &&
    element('Contents', [
      writeKey('Key', entry.key),
      element('LastModified', listingTime(version.lastModifiedMs)),
      element('ETag', `"${version.etag}"`),
      version.checksum && element('ChecksumAlgorithm', version.checksum.algorithm),
      version.checksum && element('ChecksumType', version.checksum.type),
      element('Size', version.bytes),
      element('StorageClass', 'STANDARD'),
      withOwner ? OWNER : undefined,
    ])
  );
}

function optional(name: string, value: string | undefined, write: KeyElementWriter): XmlMarkup | undefined {
  return value === undefined ? undefined : write(name, value);
}

/** A continuation token goes before `start-after`, which a client repeats on every page. */
function startOf(parameters: ReadonlyMap<string, string>): ListingPosition | undefined {
  const token = parameters.get('continuation-token');
  if (token !== undefined) return positionOf(token);
  const startAfter = parameters.get('start-after');
  return startAfter === undefined ? undefined : { afterKey: startAfter };
}

/** A token is opaque to clients: `k` or `p`, and the key or the prefix that came last. */
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
