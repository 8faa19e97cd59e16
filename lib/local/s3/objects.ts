/** Reads, writes, copies and deletes of objects. */
import {
  bodyOf,
  MAX_BODY_BYTES,
  MeasuredBytes,
  parseDocument,
  readText,
  type StoredContent,
} from './body.ts';
import type { Bucket, DataFile, ObjectHeaders, StoredVersion } from './catalog.ts';
import {
  CHECKSUM_ALGORITHMS,
  type ChecksumAlgorithm,
  checksumHeader,
  checksumHeaders,
  parseChecksumAlgorithm,
} from './checksums.ts';
import { checkReadConditions, writeCondition } from './conditions.ts';
import {
  accessDenied,
  invalidArgument,
  invalidRequest,
  malformedXml,
  noSuchKey,
  notImplemented,
  S3Error,
} from './errors.ts';
import { timeElement } from './listings.ts';
import {
  actionFor,
  bucketArn,
  checkAllowed,
  type OperationCall,
  objectArn,
  type S3Response,
} from './operation.ts';
import { checkHeaderValue, checkKeyLength, type S3Request } from './request.ts';
import type { Deletion } from './storage.ts';
import { NULL_VERSION_ID, sequenceOfVersionId } from './versions.ts';
import { childText, element, responseDocument, type XmlElement, type XmlMarkup } from './xml.ts';

const METADATA_PREFIX = 'x-amz-meta-';
/** Maximum bytes of names and values of user metadata, inclusive. */
const MAX_METADATA_BYTES = 2048;
/** Headers that are stored unchanged. */
const STORED_HEADERS = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
];
/** Parameters of a read that override a header of its response: `response-content-type` and so on. */
export const OVERRIDES = STORED_HEADERS.map((name) => `response-${name}`);
/** As S3 encrypts every object. */
export const ENCRYPTION_HEADER = { 'x-amz-server-side-encryption': 'AES256' } as const;
/** Maximum keys of one DeleteObjects request, inclusive. */
const MAX_DELETED_KEYS = 1000;

/** Bytes from `start` to `end`, exclusive. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The object's bytes, or a range of them. */
export async function getObject(call: OperationCall): Promise<S3Response> {
  const { response, version, range } = describe(call);
  const { files } = call.storage;
  // Must happen in this turn of the event loop: a delete may follow in the next one.
  const release = files.hold(version.files);
  return { ...response, body: { bytes: files.read(version.files, range.start, range.end), release } };
}

/** The headers of GetObject's response. */
export async function headObject(call: OperationCall): Promise<S3Response> {
  return describe(call).response;
}

function describe(call: OperationCall): { response: S3Response; version: StoredVersion; range: ByteRange } {
  const { request } = call;
  const bucket = call.storage.bucket(request.bucket);
  const version = findVersion(call, bucket, request.key, request.parameters.get('versionId'));
  checkReadConditions(request, version);
  const part = parseRange(request.headers.get('range'), version.bytes);
  const range = part ?? { start: 0, end: version.bytes };
  const length = range.end - range.start;
  const wantsChecksum = request.headers.get('x-amz-checksum-mode')?.toUpperCase() === 'ENABLED';
  const headers: Record<string, string> = {
    'accept-ranges': 'bytes',
    ...ENCRYPTION_HEADER,
    etag: `"${version.etag}"`,
    'last-modified': new Date(version.lastModifiedMs).toUTCString(),
    ...version.system,
    ...versionHeader(bucket, version),
    'content-length': String(length),
    // The checksum covers the whole object.
    ...(wantsChecksum && length === version.bytes && checksumHeaders(version.checksum)),
    ...(part && { 'content-range': `bytes ${part.start}-${part.end - 1}/${version.bytes}` }),
  };
  for (const [name, value] of Object.entries(version.metadata)) headers[METADATA_PREFIX + name] = value;
  for (const name of STORED_HEADERS) {
    const override = request.parameters.get(`response-${name}`);
    if (override !== undefined) checkHeaderValue(name, override);
    headers[name] = override ?? headers[name] ?? '';
    if (headers[name] === '') delete headers[name];
  }
  Object.assign(headers, browserHeaders(call, headers['content-disposition'] ?? ''));
  return { response: { status: part === undefined ? 200 : 206, headers }, version, range };
}

/**
 * Headers for a browser: an object with a policy is shown under it, every other one is saved, whatever its type. Only a
 * link leads a browser to an object, so other clients get the headers that were stored.
 */
function browserHeaders({ request, policyOf }: OperationCall, disposition: string): Record<string, string> {
  const policy = policyOf(request.bucket, request.key);
  if (policy !== undefined) return { 'content-security-policy': policy };
  const isLink = request.query.some(([name]) => name === 'X-Amz-Signature');
  return isLink ? { 'content-disposition': disposition.replace(/^[^;]*/, 'attachment') } : {};
}

/**
 * Reads a `Range` header: `bytes=0-9`, `bytes=10-` or `bytes=-10`.
 *
 * @returns `undefined` without a header and for one that is ignored: another unit, several ranges, invalid syntax
 * @throws S3Error InvalidRange if the range has no byte of the object
 */
function parseRange(header: string | undefined, totalBytes: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if ((first === '' && last === '') || (first !== '' && last !== '' && Number(last) < Number(first))) {
    return undefined;
  }
  const start = first === '' ? Math.max(totalBytes - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? totalBytes : Math.min(Number(last) + 1, totalBytes);
  if (start < end) return { start, end };
  const message = 'The requested range is not satisfiable';
  throw new S3Error(416, 'InvalidRange', message, { 'content-range': `bytes */${totalBytes}` });
}

/**
 * Finds the version that a request reads.
 *
 * @param versionId `undefined` for the current version
 * @throws S3Error NoSuchKey, NoSuchVersion (both AccessDenied without ListBucket), MethodNotAllowed for a delete
 *   marker that is requested by its id, InvalidArgument for an invalid id
 */
function findVersion(
  { isAllowed }: OperationCall,
  bucket: Bucket,
  key: string,
  versionId: string | undefined,
): StoredVersion {
  if (versionId !== undefined) checkVersionId(versionId);
  const version =
    versionId === undefined ? bucket.versions.current(key) : bucket.versions.find(key, versionId);
  if (version?.deleteMarker === false) return version;
  const headers = version && { 'x-amz-delete-marker': 'true', ...versionHeader(bucket, version) };
  if (version !== undefined && versionId !== undefined) {
    const message = 'The specified method is not allowed against this resource.';
    throw new S3Error(405, 'MethodNotAllowed', message, { allow: 'DELETE', ...headers });
  }
  // Only who may list a bucket learns which keys are missing.
  if (!isAllowed('s3:ListBucket', bucketArn(bucket.name))) throw accessDenied();
  throw versionId === undefined
    ? noSuchKey(headers)
    : new S3Error(404, 'NoSuchVersion', 'The specified version does not exist.');
}

/** Whether the text can be a version id of such a server. */
function isVersionId(text: string): boolean {
  return text === NULL_VERSION_ID || sequenceOfVersionId(text) !== undefined;
}

function checkVersionId(versionId: string): void {
  if (!isVersionId(versionId)) throw invalidArgument('Invalid version id specified');
}

/** The version id header; none for a bucket that is not versioned. */
export function versionHeader({ versioned }: Bucket, { versionId }: StoredVersion): Record<string, string> {
  return versioned ? { 'x-amz-version-id': versionId } : {};
}

/** Headers of the object that a request creates. @throws S3Error MetadataTooLarge */
export function objectHeaders({ headers }: S3Request): ObjectHeaders {
  const system: Record<string, string> = { 'content-type': 'binary/octet-stream' };
  for (const name of STORED_HEADERS) {
    let value = headers.get(name) ?? '';
    // It describes the transfer, not the object. Another encoding is stored as it is sent.
    if (name === 'content-encoding' && value.includes('aws-chunked')) {
      const codings = value.split(',').map((coding) => coding.trim());
      value = codings.filter((coding) => coding !== 'aws-chunked').join(',');
    }
    if (value !== '') system[name] = value;
  }
  const metadata: [string, string][] = [];
  for (const [name, value] of headers) {
    if (name.startsWith(METADATA_PREFIX)) metadata.push([name.slice(METADATA_PREFIX.length), value]);
  }
  // Header values have one character per byte.
  if (metadata.flat().join('').length > MAX_METADATA_BYTES) {
    const message = 'Your metadata headers exceed the maximum allowed metadata size';
    throw new S3Error(400, 'MetadataTooLarge', message);
  }
  return { system, metadata: Object.fromEntries(metadata) };
}

export async function putObject(call: OperationCall): Promise<S3Response> {
  const { request, storage } = call;
  const bucket = storage.bucket(request.bucket);
  const headers = objectHeaders(request);
  const condition = writeCondition(request);
  const body = bodyOf(call);
  const version = await storage.files.write(body, (files) =>
    storage.put(bucket.name, request.key, { ...headers, ...body.content, files }, condition),
  );
  call.onCreated(bucket, request.key, version, 'PutObject');
  return {
    headers: {
      etag: `"${version.etag}"`,
      ...ENCRYPTION_HEADER,
      ...versionHeader(bucket, version),
      ...checksumHeaders(version.checksum),
    },
  };
}

/** Stores a copy of an object version as a new version, with the ETag of a single put. */
export async function copyObject(call: OperationCall): Promise<S3Response> {
  const { request, storage } = call;
  const bucket = storage.bucket(request.bucket);
  const source = findCopySource(call);
  const headers = copiedHeaders(request, source);
  const named = request.headers.get('x-amz-checksum-algorithm');
  const algorithm = named === undefined ? source.version.checksum?.algorithm : parseChecksumAlgorithm(named);
  const condition = writeCondition(request);
  const range = { start: 0, end: source.version.bytes };
  const version = await copyBytes(call, source, range, algorithm, (files, content) =>
    storage.put(bucket.name, request.key, { ...headers, ...content, files }, condition),
  );
  call.onCreated(bucket, request.key, version, 'CopyObject');
  return {
    headers: { ...ENCRYPTION_HEADER, ...versionHeader(bucket, version), ...copiedVersionHeader(source) },
    body: copyDocument('CopyObjectResult', version),
  };
}

/** The response document of both copy operations. */
export function copyDocument(
  name: 'CopyObjectResult' | 'CopyPartResult',
  { etag, lastModifiedMs, checksum }: Pick<StoredVersion, 'etag' | 'lastModifiedMs' | 'checksum'>,
): string {
  return responseDocument(name, [
    timeElement('LastModified', lastModifiedMs),
    element('ETag', `"${etag}"`),
    ...checksumElements(checksum),
    // A part has none.
    checksum && name === 'CopyObjectResult' ? element('ChecksumType', 'FULL_OBJECT') : undefined,
  ]);
}

/** A checksum in a document. */
export function checksumElements(checksum: StoredVersion['checksum']): XmlMarkup[] {
  return checksum === undefined ? [] : [element(`Checksum${checksum.algorithm}`, checksum.value)];
}

/** Those of the request, or of the source. */
function copiedHeaders(request: S3Request, source: CopySource): ObjectHeaders {
  const directive = request.headers.get('x-amz-metadata-directive') ?? 'COPY';
  if (directive === 'REPLACE') return objectHeaders(request);
  if (directive !== 'COPY') throw invalidArgument('Unknown metadata directive.');
  const isSame = source.bucket.name === request.bucket && source.key === request.key;
  const isChange = ['x-amz-storage-class', 'x-amz-server-side-encryption'].some((name) =>
    request.headers.has(name),
  );
  if (isSame && source.versionId === undefined && !isChange) {
    throw invalidRequest(
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
    );
  }
  const { system, metadata } = source.version;
  return { system, metadata };
}

/** The object to copy. */
export interface CopySource {
  readonly bucket: Bucket;
  readonly key: string;
  /** As in the request; `undefined` for the current version. */
  readonly versionId: string | undefined;
  readonly version: StoredVersion;
}

/**
 * Finds the object that `x-amz-copy-source` names, and checks the permission for it and the conditions on it.
 *
 * @throws S3Error InvalidArgument, and as a read of the source does
 */
export function findCopySource(call: OperationCall): CopySource {
  const { bucketName, key, versionId } = parseCopySource(call.request.headers.get('x-amz-copy-source') ?? '');
  checkAllowed(call, actionFor('s3:GetObject', versionId), objectArn(bucketName, key));
  const bucket = call.storage.bucket(bucketName);
  const version = findVersion(call, bucket, key, versionId);
  checkReadConditions(call.request, version, 'x-amz-copy-source-');
  return { bucket, key, versionId, version };
}

/**
 * `/bucket/key?versionId=id`, encoded as in a query; the leading slash and the version are optional. As in S3, an
 * unencoded `+` is a space, so that a client that does not encode fails here too.
 */
function parseCopySource(header: string) {
  const [, path = '', versionId] = /^(.*?)(?:\?versionId=([^?]*))?$/s.exec(header) ?? [];
  try {
    const decoded = decodeURIComponent(path.replaceAll('+', ' '));
    const [, bucketName, key] = /^\/?([^/]+)\/(.+)$/s.exec(decoded) ?? [];
    if (bucketName !== undefined && key !== undefined) return { bucketName, key, versionId };
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
  }
  throw invalidArgument('Invalid copy source object key');
}

/**
 * Copies a range of the source into a new file.
 *
 * @param keep stores the copy; its result is returned
 * @throws S3Error InvalidRequest past 5 GiB
 */
export async function copyBytes<Result>(
  { storage }: OperationCall,
  { version }: CopySource,
  { start, end }: ByteRange,
  algorithm: ChecksumAlgorithm | undefined,
  keep: (files: readonly DataFile[], content: StoredContent) => Result,
): Promise<Result> {
  if (end - start > MAX_BODY_BYTES) {
    throw invalidRequest(
      `The specified copy source is larger than the maximum allowable size for a copy source: ${MAX_BODY_BYTES}`,
    );
  }
  const release = storage.files.hold(version.files);
  try {
    const measured = new MeasuredBytes(storage.files.read(version.files, start, end), { algorithm });
    return await storage.files.write(measured, (files) => keep(files, measured.content));
  } finally {
    release();
  }
}

/** The header with the version id of the source. */
export function copiedVersionHeader({ bucket, version }: CopySource): Record<string, string> {
  return bucket.versioned ? { 'x-amz-copy-source-version-id': version.versionId } : {};
}

/** Deletes a key, or permanently removes one of its versions. */
export async function deleteObject(call: OperationCall): Promise<S3Response> {
  const { key, parameters } = call.request;
  const { versionId, deleteMarker } = deleteOne(call, key, parameters.get('versionId'));
  return {
    status: 204,
    headers: {
      ...(versionId !== undefined && { 'x-amz-version-id': versionId }),
      ...(deleteMarker && { 'x-amz-delete-marker': 'true' }),
    },
  };
}

function deleteOne({ request, storage }: OperationCall, key: string, versionId?: string): Deletion {
  if (versionId === undefined) return storage.delete(request.bucket, key);
  checkVersionId(versionId);
  return storage.deleteVersion(request.bucket, key, versionId);
}

/** Deletes up to 1,000 keys or versions; a failed one does not affect the others. */
export async function deleteObjects(call: OperationCall): Promise<S3Response> {
  const { request, storage } = call;
  // A corrupted list would delete the wrong objects.
  const digests = ['content-md5', 'x-amz-trailer', ...CHECKSUM_ALGORITHMS.map(checksumHeader)];
  if (!digests.some((name) => request.headers.has(name))) {
    throw invalidRequest('Missing required header for this request: Content-MD5 OR x-amz-checksum-*');
  }
  storage.bucket(request.bucket);
  const root = parseDocument(await readText(bodyOf(call)), 'Delete');
  const objects = root.children.filter(({ name }) => name === 'Object');
  if (objects.length === 0 || objects.length > MAX_DELETED_KEYS) {
    throw malformedXml(`Expected 1 to ${MAX_DELETED_KEYS} Object elements, found ${objects.length}`);
  }
  const isQuiet = childText(root, 'Quiet') === 'true';
  const results = objects.map((object) => deleteListed(call, object, isQuiet));
  return { body: responseDocument('DeleteResult', results) };
}

function deleteListed(call: OperationCall, object: XmlElement, isQuiet: boolean): XmlMarkup | undefined {
  const key = childText(object, 'Key') ?? '';
  const versionId = childText(object, 'VersionId');
  const named = [element('Key', key), versionId === undefined ? undefined : element('VersionId', versionId)];
  try {
    const unknown = object.children.find(({ name }) => !['Key', 'VersionId'].includes(name));
    if (unknown !== undefined) throw notImplemented(`${unknown.name} of a key`);
    if (key === '') throw invalidArgument('Expected a Key');
    checkKeyLength(key);
    checkAllowed(call, actionFor('s3:DeleteObject', versionId), objectArn(call.request.bucket, key));
    if (versionId !== undefined && !isVersionId(versionId)) {
      throw new S3Error(404, 'NoSuchVersion', 'The specified version does not exist.');
    }
    const deletion = deleteOne(call, key, versionId);
    if (isQuiet) return undefined;
    const marker = deletion.deleteMarker ? deletion.versionId : undefined;
    return element('Deleted', [
      ...named,
      marker && element('DeleteMarker', true),
      marker && element('DeleteMarkerVersionId', marker),
    ] as XmlMarkup[]);
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
    return element('Error', [...named, element('Code', error.code), element('Message', error.message)]);
  }
}

/** No object has a tag; the AWS CLI asks for those of an object that it copies in parts. @throws S3Error as a read does */
export async function getObjectTagging(call: OperationCall): Promise<S3Response> {
  const { bucket, key, parameters } = call.request;
  findVersion(call, call.storage.bucket(bucket), key, parameters.get('versionId'));
  return { body: responseDocument('Tagging', [element('TagSet', [])]) };
}
