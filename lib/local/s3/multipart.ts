/**
 * Uploads in parts: each part is stored, then the listed parts become one object, without copying bytes.
 *
 * The ETag of such an object is the MD5 of the MD5s of its parts, a hyphen, and their number.
 */
import { createHash } from 'node:crypto';
import { bodyOf, parseDocument, readText } from './body.ts';
import type { MultipartUpload, StoredVersion, UploadedPart } from './catalog.ts';
import { checksumHeaders } from './checksums.ts';
import { writeCondition } from './conditions.ts';
import { invalidArgument, invalidRequest, malformedXml, S3Error } from './errors.ts';
import { takePage, timeElement } from './listings.ts';
import {
  checksumElements,
  copiedVersionHeader,
  copyBytes,
  copyDocument,
  ENCRYPTION_HEADER,
  findCopySource,
  objectHeaders,
  versionHeader,
} from './objects.ts';
import type { OperationCall, S3Response } from './operation.ts';
import { integerParameter } from './request.ts';
import { childText, element, responseDocument, type XmlElement } from './xml.ts';

/** Parts are numbered from 1 to this, inclusive. */
const MAX_PART_NUMBER = 10_000;
const MAX_LISTED_PARTS = 1000;
/** Minimum bytes of every part except the last one, inclusive. */
const MIN_PART_BYTES = 5 * 2 ** 20;

/** Starts an upload, and sets the headers of the resulting object. */
export async function createMultipartUpload({ request, storage }: OperationCall): Promise<S3Response> {
  const { bucket, key } = request;
  const uploadId = storage.createUpload({ bucket, key, ...objectHeaders(request) });
  return {
    headers: ENCRYPTION_HEADER,
    body: responseDocument('InitiateMultipartUploadResult', [
      element('Bucket', bucket),
      element('Key', key),
      element('UploadId', uploadId),
    ]),
  };
}

export async function uploadPart(call: OperationCall): Promise<S3Response> {
  const { storage } = call;
  const upload = uploadOf(call);
  const number = partNumberOf(call);
  const body = bodyOf(call);
  const part = await storage.files.write(body, (files) =>
    storage.putPart(upload, { number, ...body.content, files }),
  );
  return {
    headers: { etag: `"${part.etag}"`, ...ENCRYPTION_HEADER, ...checksumHeaders(part.checksum) },
  };
}

export async function uploadPartCopy(call: OperationCall): Promise<S3Response> {
  const upload = uploadOf(call);
  const number = partNumberOf(call);
  const source = findCopySource(call);
  const range = copyRange(call.request.headers.get('x-amz-copy-source-range'), source.version.bytes);
  const part = await copyBytes(call, source, range, undefined, (files, content) =>
    call.storage.putPart(upload, { number, ...content, files }),
  );
  return {
    headers: { ...ENCRYPTION_HEADER, ...copiedVersionHeader(source) },
    body: copyDocument('CopyPartResult', part),
  };
}

/** Reads `bytes=FIRST-LAST`, which must be within the source: S3 returns 416 only for reads. */
function copyRange(header: string | undefined, totalBytes: number) {
  if (header === undefined) return { start: 0, end: totalBytes };
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(header) ?? [];
  if (Number(first) <= Number(last) && Number(last) < totalBytes) {
    return { start: Number(first), end: Number(last) + 1 };
  }
  throw invalidArgument(
    `Expected x-amz-copy-source-range as bytes=FIRST-LAST within the source of ${totalBytes} bytes, found ${header}`,
  );
}

/** Ends an upload without creating an object. */
export async function abortMultipartUpload(call: OperationCall): Promise<S3Response> {
  call.storage.abortUpload(uploadOf(call));
  return { status: 204 };
}

/** The uploaded parts, by number. */
export async function listParts(call: OperationCall): Promise<S3Response> {
  const { bucket, key, uploadId, parts } = uploadOf(call);
  const maxParts = Math.min(integerParameter(call.request, 'max-parts', MAX_LISTED_PARTS), MAX_LISTED_PARTS);
  const marker = integerParameter(call.request, 'part-number-marker', 0);
  const rest = [...parts.values()]
    .filter(({ number }) => number > marker)
    .sort((a, b) => a.number - b.number);
  const { page, truncated } = takePage(rest, maxParts);
  const body = responseDocument('ListPartsResult', [
    element('Bucket', bucket),
    element('Key', key),
    element('UploadId', uploadId),
    element('PartNumberMarker', marker),
    element('NextPartNumberMarker', page.at(-1)?.number ?? 0),
    element('MaxParts', maxParts),
    element('IsTruncated', truncated),
    element('StorageClass', 'STANDARD'),
    ...page.map((part) =>
      element('Part', [
        element('PartNumber', part.number),
        timeElement('LastModified', part.lastModifiedMs),
        element('ETag', `"${part.etag}"`),
        element('Size', part.bytes),
        ...checksumElements(part.checksum),
      ]),
    ),
  ]);
  return { body };
}

/** The upload that a request names. @throws S3Error NoSuchUpload */
function uploadOf({ request, storage }: OperationCall): MultipartUpload {
  return storage.upload(request.bucket, request.key, request.parameters.get('uploadId') ?? '');
}

/** @throws S3Error InvalidArgument */
function partNumberOf({ request }: OperationCall): number {
  const text = request.parameters.get('partNumber') ?? '';
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= MAX_PART_NUMBER) return number;
  throw invalidArgument(`Part number must be an integer between 1 and ${MAX_PART_NUMBER}, inclusive`);
}

/** Joins the parts and ends the upload; if that fails, the upload is unchanged. */
export async function completeMultipartUpload(call: OperationCall): Promise<S3Response> {
  const { request, storage } = call;
  const completed = completedVersion(call);
  if (completed !== undefined) {
    // The response was lost, and the client sends the request again.
    if (joinedEtag(await readParts(call)) !== completed.etag) uploadOf(call);
    return completion(call, completed);
  }
  uploadOf(call);
  const condition = writeCondition(request);
  const listed = await readParts(call);
  // Read again: while the document arrived, parts may have been added, or the upload may have ended.
  const upload = uploadOf(call);
  const parts = listed.map((part) => findPart(upload, part));
  checkSizes(call, parts);
  const files = parts.flatMap((part) => part.files);
  const { system, metadata, uploadId } = upload;
  const joined = {
    system,
    metadata,
    files,
    bytes: totalBytes(parts),
    etag: joinedEtag(parts),
    upload: { id: uploadId },
  };
  const version = storage.put(request.bucket, request.key, joined, condition, uploadId);
  call.onCreated(storage.bucket(request.bucket), request.key, version, 'CompleteMultipartUpload');
  return completion(call, version);
}

/** The version that an earlier request with this upload has made. */
function completedVersion({ storage, request }: OperationCall): StoredVersion | undefined {
  const uploadId = request.parameters.get('uploadId');
  const { versions } = storage.bucket(request.bucket);
  for (const version of versions.newestFirst(request.key))
    if (version.upload?.id === uploadId) return version;
  return undefined;
}

function completion({ request, storage }: OperationCall, version: StoredVersion): S3Response {
  return {
    headers: { ...ENCRYPTION_HEADER, ...versionHeader(storage.bucket(request.bucket), version) },
    body: responseDocument('CompleteMultipartUploadResult', [
      element('Location', `http://${request.headers.get('host')}${request.rawPath}`),
      element('Bucket', request.bucket),
      element('Key', request.key),
      element('ETag', `"${version.etag}"`),
    ]),
  };
}

/** A part listed in the request. */
interface ListedPart {
  readonly number: number;
  readonly etag: string;
  readonly element: XmlElement;
}

async function readParts(call: OperationCall): Promise<ListedPart[]> {
  const text = await readText(bodyOf(call));
  if (text === '') throw invalidRequest('You must specify at least one part');
  const elements = parseDocument(text, 'CompleteMultipartUpload').children.filter(
    ({ name }) => name === 'Part',
  );
  if (elements.length === 0 || elements.length > MAX_PART_NUMBER) {
    throw malformedXml(`Expected 1 to ${MAX_PART_NUMBER} Part elements, found ${elements.length}`);
  }
  const parts = elements.map((part) => ({
    number: Number(childText(part, 'PartNumber')),
    etag: (childText(part, 'ETag') ?? '').replace(/^"(.*)"$/, '$1'),
    element: part,
  }));
  if (parts.every(({ number }, index) => index === 0 || number > parts[index - 1]!.number)) return parts;
  const message = 'The list of parts was not in ascending order. Parts must be ordered by part number.';
  throw new S3Error(400, 'InvalidPartOrder', message);
}

function findPart({ parts }: MultipartUpload, listed: ListedPart): UploadedPart {
  const part = parts.get(listed.number);
  const { algorithm, value } = part?.checksum ?? {};
  const isSame = (childText(listed.element, `Checksum${algorithm}`) ?? value) === value;
  if (part?.etag === listed.etag && isSame) return part;
  throw new S3Error(
    400,
    'InvalidPart',
    "One or more of the specified parts could not be found.  The part may not have been uploaded, or the specified entity tag may not match the part's entity tag.",
  );
}

function checkSizes({ request }: OperationCall, parts: readonly UploadedPart[]): void {
  if (parts.slice(0, -1).some(({ bytes }) => bytes < MIN_PART_BYTES)) {
    const message = 'Your proposed upload is smaller than the minimum allowed size';
    throw new S3Error(400, 'EntityTooSmall', message);
  }
  const bytes = totalBytes(parts);
  const declared = request.headers.get('x-amz-mp-object-size') ?? bytes;
  if (Number(declared) === bytes) return;
  throw invalidRequest(
    `The provided 'x-amz-mp-object-size' header value ${declared} does not match what was computed: ${bytes}`,
  );
}

function totalBytes(parts: readonly UploadedPart[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}

function joinedEtag(parts: readonly { readonly etag: string }[]): string {
  const md5 = createHash('md5');
  for (const { etag } of parts) md5.update(Buffer.from(etag, 'hex'));
  return `${md5.digest('hex')}-${parts.length}`;
}
