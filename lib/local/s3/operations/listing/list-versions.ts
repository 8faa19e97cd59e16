/** ListObjectVersions. */

import { invalidArgument } from '../../http/errors.ts';
import { listingTime } from '../../http/time-formats.ts';
import { element, responseDocument, type XmlMarkup } from '../../http/xml.ts';
import type { Bucket, StoredVersion } from '../../storage/catalog.ts';
import { NULL_VERSION_ID, sequenceOfVersionId } from '../../storage/versions.ts';
import type { OperationCall, S3Response } from '../operation.ts';
import {
  commonPrefixOf,
  type KeyElementWriter,
  type ListingScope,
  listEntries,
  listedChecksum,
  OWNER,
  parameterElement,
  positionAfterMarker,
  readListingRequest,
  scopeElements,
  takePage,
} from './listing.ts';

type VersionEntry =
  | { readonly commonPrefix: string }
  | { readonly key: string; readonly version: StoredVersion; readonly latest: boolean };

/** A page of all versions and delete markers: keys in order, for each key the newest first. */
export async function listObjectVersions(call: OperationCall): Promise<S3Response> {
  const request = readListingRequest(call);
  const { bucket, parameters, scope, maxKeys, writeKey } = request;
  const keyMarker = parameters.get('key-marker') ?? '';
  const versionIdMarker = parameters.get('version-id-marker') ?? '';
  const { page, truncated } = takePage(listVersions(bucket, scope, keyMarker, versionIdMarker), maxKeys);
  const last = page.at(-1);
  return {
    status: 200,
    body: responseDocument('ListVersionsResult', [
      ...scopeElements(request),
      writeKey('KeyMarker', keyMarker),
      element('VersionIdMarker', versionIdMarker),
      ...(truncated && last !== undefined ? nextMarkers(last, writeKey) : []),
      element('MaxKeys', maxKeys),
      element('IsTruncated', truncated),
      parameterElement('EncodingType', parameters.get('encoding-type')),
      ...page.map((entry) => versionElement(entry, writeKey)),
    ]),
  };
}

function* listVersions(
  bucket: Bucket,
  scope: ListingScope,
  keyMarker: string,
  versionIdMarker: string,
): Generator<VersionEntry> {
  if (versionIdMarker !== '') {
    if (keyMarker === '') {
      throw invalidArgument(
        'A version-id marker cannot be specified without a key marker.',
        'version-id-marker',
        versionIdMarker,
      );
    }
    const sequence = sequenceOfMarker(bucket, keyMarker, versionIdMarker);
    const isListed = keyMarker.startsWith(scope.prefix) && commonPrefixOf(keyMarker, scope) === undefined;
    if (isListed) yield* versionsOf(bucket, keyMarker, sequence);
  }
  for (const entry of listEntries(
    bucket.versions,
    scope,
    positionAfterMarker(keyMarker, scope),
    () => true,
  )) {
    if ('commonPrefix' in entry) yield entry;
    else yield* versionsOf(bucket, entry.key, Number.POSITIVE_INFINITY);
  }
}

/** The versions of a key that are older than a sequence, newest first. */
function* versionsOf(bucket: Bucket, key: string, olderThan: number): Generator<VersionEntry> {
  const latest = bucket.versions.current(key)?.sequence;
  for (const version of bucket.versions.newestFirst(key, olderThan)) {
    yield { key, version, latest: version.sequence === latest };
  }
}

/** A version removed since the last page still has its sequence in its id; a removed `null` ends its key. */
function sequenceOfMarker(bucket: Bucket, key: string, versionId: string): number {
  const sequence = bucket.versions.find(key, versionId)?.sequence ?? sequenceOfVersionId(versionId);
  if (sequence !== undefined) return sequence;
  if (versionId === NULL_VERSION_ID) return 0;
  throw invalidArgument('Invalid version id specified', 'version-id-marker', versionId);
}

function nextMarkers(last: VersionEntry, writeKey: KeyElementWriter): XmlMarkup[] {
  if ('commonPrefix' in last) return [writeKey('NextKeyMarker', last.commonPrefix)];
  return [writeKey('NextKeyMarker', last.key), element('NextVersionIdMarker', last.version.versionId)];
}

function versionElement(entry: VersionEntry, writeKey: KeyElementWriter): XmlMarkup {
  if ('commonPrefix' in entry) return element('CommonPrefixes', [writeKey('Prefix', entry.commonPrefix)]);
  const { key, version, latest } = entry;
  const identity = [
    writeKey('Key', key),
    element('VersionId', version.versionId),
    element('IsLatest', latest),
    element('LastModified', listingTime(version.lastModifiedMs)),
  ];
  if (version.deleteMarker) return element('DeleteMarker', [...identity, OWNER]);
  return element('Version', [
    ...identity,
    element('ETag', `"${version.etag}"`),
    ...listedChecksum(version),
    element('Size', version.bytes),
    OWNER,
    element('StorageClass', 'STANDARD'),
  ]);
}
