/**
 * Listings: keys in order, page by page; keys that share a prefix up to a delimiter are grouped.
 *
 * ```
 * keys a/1 a/2 b c/1, delimiter "/":   prefix a/ | key b | prefix c/
 * ```
 *
 * A common prefix costs one search, not one step for each of its keys.
 */

import { compareUtf8 } from '../../../../batch/storage/key-order.ts';
import { encodeStrictly } from '../../http/auth/canonical-request.ts';
import { invalidArgument } from '../../http/errors.ts';
import { integerParameter } from '../../http/parameters.ts';
import { element, type XmlMarkup } from '../../http/xml.ts';
import type { Bucket, MultipartUpload, StoredVersion } from '../../storage/catalog.ts';
import type { SortedKeys } from '../../storage/key-versions.ts';
import type { OperationCall } from '../operation.ts';

const MAX_PAGE_ENTRIES = 1000;

/** Every object has the same owner. */
export const OWNER_ID = '0'.repeat(64);
export const OWNER: XmlMarkup = element('Owner', [element('ID', OWNER_ID), element('DisplayName', 'local')]);

/** A key, or a prefix for several keys. */
export type ListingEntry = { readonly key: string } | { readonly commonPrefix: string };

/** The keys to list. */
export interface ListingScope {
  /** Empty for all keys. */
  readonly prefix: string;
  /** Empty for no grouping. */
  readonly delimiter: string;
}

/** Where a listing continues: after a key, or after all keys with a prefix. */
export type ListingPosition = { readonly afterKey: string } | { readonly afterPrefix: string };

/**
 * The entries of a listing in UTF-8 order, found lazily.
 *
 * @param isListed whether the listing contains a key: not if its current version is a delete marker, for example; a
 *   prefix is listed only if one of its keys is
 */
export function* listEntries(
  keys: SortedKeys,
  scope: ListingScope,
  position: ListingPosition | undefined,
  isListed: (key: string) => boolean,
): Generator<ListingEntry> {
  let key = firstKey(keys, scope, position);
  while (key?.startsWith(scope.prefix) === true) {
    const listed = isListed(key);
    const commonPrefix = listed ? commonPrefixOf(key, scope) : undefined;
    if (commonPrefix !== undefined) yield { commonPrefix };
    else if (listed) yield { key };
    key = commonPrefix === undefined ? keys.firstAfter(key) : keys.firstAfterPrefix(commonPrefix);
  }
}

/** The prefix up to and including the first delimiter after the scope's prefix; `undefined` if there is none. */
export function commonPrefixOf(key: string, scope: ListingScope): string | undefined {
  if (scope.delimiter === '') return undefined;
  const at = key.indexOf(scope.delimiter, scope.prefix.length);
  return at < 0 ? undefined : key.slice(0, at + scope.delimiter.length);
}

/** After a marker with a common prefix, a listing continues after all keys with that prefix. */
export function positionAfterMarker(marker: string, scope: ListingScope): ListingPosition | undefined {
  if (marker === '') return undefined;
  const afterPrefix = marker.startsWith(scope.prefix) ? commonPrefixOf(marker, scope) : undefined;
  return afterPrefix === undefined ? { afterKey: marker } : { afterPrefix };
}

/** The first key at or after the scope's prefix, and after the position. */
function firstKey(
  keys: SortedKeys,
  { prefix }: ListingScope,
  position: ListingPosition | undefined,
): string | undefined {
  if (position === undefined) return keys.firstFrom(prefix);
  const key =
    'afterKey' in position ? keys.firstAfter(position.afterKey) : keys.firstAfterPrefix(position.afterPrefix);
  return key !== undefined && compareUtf8(key, prefix) < 0 ? keys.firstFrom(prefix) : key;
}

/** Writes an element with a key, encoded if the request requires it. */
export type KeyElementWriter = (name: string, key: string) => XmlMarkup;

/**
 * How keys are written: unchanged, or with `encoding-type=url` in form encoding, in which a space is `+` and `/` is not
 * encoded.
 *
 * @throws S3Error InvalidArgument for another encoding type
 */
function keyElementWriter(encodingType: string | undefined): KeyElementWriter {
  if (encodingType === undefined) return element;
  if (encodingType === 'url') return (name, key) => element(name, formEncode(key));
  throw invalidArgument('Invalid Encoding Method specified in Request', 'encoding-type', encodingType);
}

function formEncode(key: string): string {
  return encodeStrictly(key)
    .replaceAll('%2F', '/')
    .replaceAll('%20', '+')
    .replaceAll('%2A', '*')
    .replaceAll('~', '%7E');
}

/** The common part of the requests of both listings. */
export interface ListingRequest {
  readonly bucket: Bucket;
  readonly parameters: ReadonlyMap<string, string>;
  readonly scope: ListingScope;
  /** Maximum entries of the page, at most 1,000, inclusive. */
  readonly maxKeys: number;
  readonly writeKey: KeyElementWriter;
}

/** @throws S3Error NoSuchBucket, InvalidArgument */
export function readListingRequest({ request, storage, bucketName }: OperationCall): ListingRequest {
  const { parameters } = request;
  return {
    bucket: storage.bucket(bucketName),
    parameters,
    scope: { prefix: parameters.get('prefix') ?? '', delimiter: parameters.get('delimiter') ?? '' },
    maxKeys: Math.min(integerParameter(parameters, 'max-keys', MAX_PAGE_ENTRIES), MAX_PAGE_ENTRIES),
    writeKey: keyElementWriter(parameters.get('encoding-type')),
  };
}

/** The first elements of both listings. */
export function scopeElements({ bucket, scope, writeKey }: ListingRequest): (XmlMarkup | undefined)[] {
  return [
    element('Name', bucket.name),
    writeKey('Prefix', scope.prefix),
    scope.delimiter === '' ? undefined : writeKey('Delimiter', scope.delimiter),
  ];
}

/** How an object was checked, without the checksum itself. */
export function listedChecksum({ checksum }: Pick<StoredVersion | MultipartUpload, 'checksum'>): XmlMarkup[] {
  if (checksum === undefined) return [];
  return [element('ChecksumAlgorithm', checksum.algorithm), element('ChecksumType', checksum.type)];
}

/** An element with the value of a request's parameter, if the request has it. */
export function parameterElement(
  name: string,
  value: string | undefined,
  write: KeyElementWriter = element,
): XmlMarkup | undefined {
  return value === undefined ? undefined : write(name, value);
}

/** The first entries, and whether there are more; reads one more entry to know. */
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
