/**
 * Listings, page by page, in UTF-8 order; keys that share a prefix up to a delimiter are grouped.
 *
 * ```
 * keys a/1 a/2 b c/1, delimiter "/":   prefix a/ | key b | prefix c/
 * ```
 */
import { compareUtf8 } from '../../batch/storage/key-order.ts';
import type { Bucket } from './catalog.ts';
import { invalidArgument, notImplemented } from './errors.ts';
import type { OperationCall, S3Response } from './operation.ts';
import { integerParameter } from './request.ts';
import type { VersionEntry } from './version-index.ts';
import { NULL_VERSION_ID, sequenceOfVersionId } from './versions.ts';
import { element, responseDocument, type XmlMarkup } from './xml.ts';

const MAX_PAGE = 1000;

const STORAGE_CLASS = element('StorageClass', 'STANDARD');

/** A version and its key, or a prefix of several keys. */
type ListedEntry = (VersionEntry & { readonly isLatest: boolean }) | { readonly commonPrefix: string };

/** What a listing has. */
export interface ListingScope {
  /** Empty for all keys. */
  readonly prefix: string;
  /** Empty for no grouping. */
  readonly delimiter: string;
  /** Whether all versions and delete markers are listed, not only current objects. */
  readonly allVersions: boolean;
}

/** The position in a bucket after the last key, version or prefix of a page. */
export function positionAfter(
  { versions }: Bucket,
  scope: ListingScope,
  key: string,
  olderThan?: number,
): number {
  const commonPrefix = commonPrefixOf(key, scope);
  let position = versions.positionAfter(key);
  if (commonPrefix !== undefined) position = versions.positionAfterPrefix(commonPrefix);
  else if (olderThan !== undefined) position = versions.position(key, olderThan);
  return Math.max(position, versions.position(scope.prefix));
}

/**
 * The entries of a listing, found lazily; a prefix costs one search, not one step for each of its keys. There must be no
 * change before the next entry.
 */
export function* listEntries(
  { versions }: Bucket,
  scope: ListingScope,
  position = versions.position(scope.prefix),
): Generator<ListedEntry> {
  let at = position;
  let before = at === 0 ? undefined : versions.at(at - 1)!.key;
  for (let entry = versions.at(at); entry?.key.startsWith(scope.prefix) === true; entry = versions.at(at)) {
    const isLatest = entry.key !== before;
    before = entry.key;
    const isListed = scope.allVersions || (isLatest && !entry.version.deleteMarker);
    const commonPrefix = isListed ? commonPrefixOf(entry.key, scope) : undefined;
    if (commonPrefix !== undefined) yield { commonPrefix };
    else if (isListed) yield { ...entry, isLatest };
    at = commonPrefix === undefined ? at + 1 : versions.positionAfterPrefix(commonPrefix);
  }
}

/** The prefix up to and including the first delimiter after the scope's prefix; `undefined` if there is none. */
function commonPrefixOf(key: string, { prefix, delimiter }: ListingScope): string | undefined {
  if (delimiter === '' || !key.startsWith(prefix)) return undefined;
  const at = key.indexOf(delimiter, prefix.length);
  return at < 0 ? undefined : key.slice(0, at + delimiter.length);
}

/** The first entries, and whether there are more: if any are wanted, one more is read to know. */
export function takePage<Entry>(entries: Iterable<Entry>, maxEntries: number) {
  const page: Entry[] = [];
  for (const entry of entries) {
    if (page.length === maxEntries) return { page, truncated: maxEntries > 0 };
    page.push(entry);
  }
  return { page, truncated: false };
}

/** Modification times are in whole seconds, so two versions of one second have equal times. @param ms since 1970 */
export function timeElement(name: string, ms: number): XmlMarkup {
  return element(name, new Date(Math.floor(ms / 1000) * 1000).toISOString());
}

/** Writes the parts of a listing's document. */
class ListingWriter {
  readonly bucket: Bucket;
  readonly scope: ListingScope;
  readonly maxKeys: number;
  readonly #parameters: ReadonlyMap<string, string>;

  /** @throws S3Error NoSuchBucket, InvalidArgument */
  constructor({ request, storage }: OperationCall, allVersions: boolean) {
    this.#parameters = request.parameters;
    this.bucket = storage.bucket(request.bucket);
    this.scope = { prefix: this.parameter('prefix'), delimiter: this.parameter('delimiter'), allVersions };
    this.maxKeys = Math.min(integerParameter(request, 'max-keys', MAX_PAGE), MAX_PAGE);
  }

  /** A parameter of the request; empty if it is missing. */
  parameter(name: string): string {
    return this.#parameters.get(name) ?? '';
  }

  /** An element with a key: unchanged, or form-encoded if the request asks for it. */
  key(name: string, key: string): XmlMarkup {
    const isEncoded = this.parameter('encoding-type') === 'url';
    return element(name, isEncoded ? encodeURIComponent(key).replaceAll('%2F', '/') : key);
  }

  document(
    root: string,
    page: readonly ListedEntry[],
    truncated: boolean,
    own: readonly (XmlMarkup | undefined)[],
  ): S3Response {
    const { prefix, delimiter } = this.scope;
    const encoding = this.parameter('encoding-type');
    const entries = page.map((entry) => this.#entry(entry));
    const body = responseDocument(root, [
      element('Name', this.bucket.name),
      this.key('Prefix', prefix),
      delimiter === '' ? undefined : this.key('Delimiter', delimiter),
      element('MaxKeys', this.maxKeys),
      element('IsTruncated', truncated),
      encoding === '' ? undefined : element('EncodingType', encoding),
      ...own,
      ...entries,
    ]);
    return { body };
  }

  #entry(entry: ListedEntry): XmlMarkup {
    if ('commonPrefix' in entry) return element('CommonPrefixes', [this.key('Prefix', entry.commonPrefix)]);
    const { key, version, isLatest } = entry;
    const { deleteMarker, checksum, versionId, lastModifiedMs, etag, bytes } = version;
    const identity = [
      this.key('Key', key),
      ...(this.scope.allVersions ? [element('VersionId', versionId), element('IsLatest', isLatest)] : []),
      timeElement('LastModified', lastModifiedMs),
    ];
    if (deleteMarker) return element('DeleteMarker', identity);
    return element(this.scope.allVersions ? 'Version' : 'Contents', [
      ...identity,
      element('ETag', `"${etag}"`),
      checksum && element('ChecksumAlgorithm', checksum.algorithm),
      checksum && element('ChecksumType', 'FULL_OBJECT'),
      element('Size', bytes),
      STORAGE_CLASS,
    ]);
  }
}

function nameOf(entry: ListedEntry): string {
  return 'commonPrefix' in entry ? entry.commonPrefix : entry.key;
}

/** A page of the keys that have a current object. A token is the last key or prefix of the page before. */
export async function listObjectsV2(call: OperationCall): Promise<S3Response> {
  const listing = new ListingWriter(call, false);
  const token = listing.parameter('continuation-token');
  // A token takes precedence over `start-after`, which a client repeats on every page.
  const after = token === '' ? listing.parameter('start-after') : Buffer.from(token, 'base64url').toString();
  const given = call.request.parameters.get('continuation-token');
  if (given === '' || (token !== '' && tokenAfter(after) !== token)) {
    throw invalidArgument('The continuation token provided is incorrect');
  }
  // Of a common prefix, further keys may follow the key to start after, but none follows a token.
  const grouping = token === '' ? { ...listing.scope, delimiter: '' } : listing.scope;
  const { page, truncated } = pageAfter(listing, after, grouping);
  const next = truncated ? tokenAfter(nameOf(page.at(-1)!)) : undefined;
  const own = [
    element('KeyCount', page.length),
    token === '' && after !== '' ? listing.key('StartAfter', after) : undefined,
    token === '' ? undefined : element('ContinuationToken', token),
    next === undefined ? undefined : element('NextContinuationToken', next),
  ];
  return listing.document('ListBucketResult', page, truncated, own);
}

function tokenAfter(name: string): string {
  return Buffer.from(name).toString('base64url');
}

/** The same page, with the last key or prefix of the page before instead of a token. */
export async function listObjects(call: OperationCall): Promise<S3Response> {
  const listing = new ListingWriter(call, false);
  const marker = listing.parameter('marker');
  const { page, truncated } = pageAfter(listing, marker);
  // Without a delimiter, clients continue after the last key themselves.
  const hasNext = truncated && listing.scope.delimiter !== '';
  const own = [
    listing.key('Marker', marker),
    hasNext ? listing.key('NextMarker', nameOf(page.at(-1)!)) : undefined,
  ];
  return listing.document('ListBucketResult', page, truncated, own);
}

function pageAfter(
  { bucket, scope, maxKeys }: ListingWriter,
  after: string,
  grouping = scope,
  olderThan?: number,
) {
  const position = after === '' ? undefined : positionAfter(bucket, grouping, after, olderThan);
  return takePage(listEntries(bucket, scope, position), maxKeys);
}

/** A page of all versions and delete markers: keys in order, for each key the newest first. */
export async function listObjectVersions(call: OperationCall): Promise<S3Response> {
  const listing = new ListingWriter(call, true);
  const keyMarker = listing.parameter('key-marker');
  const idMarker = listing.parameter('version-id-marker');
  if (idMarker !== '' && keyMarker === '') {
    throw invalidArgument('A version-id marker cannot be specified without a key marker.');
  }
  const olderThan = idMarker === '' ? undefined : sequenceOfMarker(listing.bucket, keyMarker, idMarker);
  const { page, truncated } = pageAfter(listing, keyMarker, listing.scope, olderThan);
  const last = truncated ? page.at(-1) : undefined;
  const own = [
    listing.key('KeyMarker', keyMarker),
    element('VersionIdMarker', idMarker),
    last && listing.key('NextKeyMarker', nameOf(last)),
    last && 'version' in last ? element('NextVersionIdMarker', last.version.versionId) : undefined,
  ];
  return listing.document('ListVersionsResult', page, truncated, own);
}

/** A version removed since the last page still has its sequence in its id; a removed `null` ends its key. */
function sequenceOfMarker({ versions }: Bucket, key: string, versionId: string): number {
  const sequence = versions.find(key, versionId)?.sequence ?? sequenceOfVersionId(versionId);
  if (sequence !== undefined) return sequence;
  if (versionId === NULL_VERSION_ID) return 0;
  throw invalidArgument('Invalid version id specified');
}

/** All uploads in parts that have neither been completed nor aborted, by key and start. */
export async function listMultipartUploads(call: OperationCall): Promise<S3Response> {
  const listing = new ListingWriter(call, false);
  const { bucket, scope } = listing;
  const uploads = [...call.storage.uploads.values()]
    .filter((upload) => upload.bucket === bucket.name && upload.key.startsWith(scope.prefix))
    .sort((a, b) => compareUtf8(a.key, b.key) || (a.startedMs ?? 0) - (b.startedMs ?? 0));
  const maxUploads = integerParameter(call.request, 'max-uploads', uploads.length);
  if (uploads.length > maxUploads) throw notImplemented('several pages of unfinished uploads');
  const body = responseDocument('ListMultipartUploadsResult', [
    element('Bucket', bucket.name),
    // Unlike in the other listings.
    scope.prefix === '' ? undefined : listing.key('Prefix', scope.prefix),
    element('IsTruncated', false),
    listing.parameter('encoding-type') === '' ? undefined : element('EncodingType', 'url'),
    ...uploads.map(({ key, uploadId, startedMs = 0 }) =>
      element('Upload', [
        listing.key('Key', key),
        element('UploadId', uploadId),
        STORAGE_CLASS,
        timeElement('Initiated', startedMs),
      ]),
    ),
  ]);
  return { body };
}
