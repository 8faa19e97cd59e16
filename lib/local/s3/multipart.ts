/**
 * Uploads in parts: each part is stored, then the listed parts become one object, without copying bytes.
 *
 * The ETag of such an object is the MD5 of the MD5s of its parts, a hyphen, and their number.
 */
import { createHash } from 'node:crypto';
import { badDigest, bodyOf, declaredAlgorithm, parseDocument, readText } from './body.ts';
import type { MultipartUpload, StoredVersion, UploadedPart } from './catalog.ts';
import {
  CHECKSUM_ALGORITHMS,
  type Checksum,
  checksumHeader,
  checksumHeaders,
  checksumTypeOf,
  endDigest,
  parseChecksumAlgorithm,
  startDigest,
} from './checksums.ts';
import { writeCondition } from './conditions.ts';
import { invalidArgument, invalidRequest, malformedXml, S3Error } from './errors.ts';
import { checksumElements, takePage, timeElement } from './listings.ts';
import {
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
  const { bucket, key, headers } = request;
  const named = headers.get('x-amz-checksum-algorithm');
  const type = headers.get('x-amz-checksum-type');
  if (named === undefined && type !== undefined) {
    throw invalidRequest(
      'The x-amz-checksum-type header can only be used with the x-amz-checksum-algorithm header.',
    );
  }
  const algorithm = named === undefined ? undefined : parseChecksumAlgorithm(named);
  const checksum = algorithm && { algorithm, type: checksumTypeOf(algorithm, type) };
  const uploadId = storage.createUpload({ bucket, key, ...objectHeaders(request), checksum });
  return {
    status: 200,
    headers: {
      ...ENCRYPTION_HEADER,
      ...(checksum && {
        'x-amz-checksum-algorithm': checksum.algorithm,
        'x-amz-checksum-type': checksum.type,
      }),
    },
    body: responseDocument('InitiateMultipartUploadResult', [
      element('Bucket', bucket),
      element('Key', key),
      element('UploadId', uploadId),
    ]),
  };
}

export async function uploadPart(call: OperationCall): Promise<S3Response> {
  const { request, storage } = call;
  const upload = uploadOf(call);
  const number = partNumberOf(call);
  const { algorithm, type } = upload.checksum ?? {};
  const declared = declaredAlgorithm(request);
  // For the checksum of the whole object, S3 computes that of a part itself.
  const mayBeMissing = declared === undefined && type === 'FULL_OBJECT';
  if (algorithm !== undefined && declared !== algorithm && !mayBeMissing) {
    const [expected, actual] = [algorithm, declared ?? 'null'].map((name) => name.toLowerCase());
    throw invalidRequest(
      `Checksum Type mismatch occurred, expected checksum Type: ${expected}, actual checksum Type: ${actual}`,
    );
  }
  const body = bodyOf(call, { compute: algorithm });
  const part = await storage.files.write(body, (files) =>
    storage.putPart(upload, { number, ...body.content, files }),
  );
  return {
    status: 200,
    headers: { etag: `"${part.etag}"`, ...ENCRYPTION_HEADER, ...checksumHeaders(part.checksum) },
  };
}

export async function uploadPartCopy(call: OperationCall): Promise<S3Response> {
  const upload = uploadOf(call);
  const number = partNumberOf(call);
  const source = findCopySource(call);
  const range = copyRange(call.request.headers.get('x-amz-copy-source-range'), source.version.bytes);
  const part = await copyBytes(call, source, range, upload.checksum?.algorithm, (files, content) =>
    call.storage.putPart(upload, { number, ...content, files }),
  );
  return {
    status: 200,
    headers: { ...ENCRYPTION_HEADER, ...copiedVersionHeader(source) },
    body: copyDocument('CopyPartResult', part),
  };
}

/** Reads `bytes=FIRST-LAST`, which must be within the source: S3 returns 416 only for reads. */
function copyRange(header: string | undefined, totalBytes: number) {
  if (header === undefined) return { start: 0, end: totalBytes };
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(header) ?? [];
  if (last === undefined || Number(last) < Number(first)) {
    throw invalidArgument(
      'The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the zero-based offsets of the first and last bytes to copy',
    );
  }
  if (Number(first) >= totalBytes) {
    throw invalidRequest('The specified copy range is invalid for the source object size');
  }
  if (Number(last) < totalBytes) return { start: Number(first), end: Number(last) + 1 };
  throw invalidArgument(`Range specified is not valid for source object of size: ${totalBytes}`);
}

/** Ends an upload without creating an object. */
export async function abortMultipartUpload(call: OperationCall): Promise<S3Response> {
  call.storage.abortUpload(uploadOf(call));
  return { status: 204 };
}

/** The uploaded parts, by number. */
export async function listParts(call: OperationCall): Promise<S3Response> {
  const { bucket, key, uploadId, parts, checksum } = uploadOf(call);
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
    ...checksumElements(checksum),
    ...page.map((part) =>
      element('Part', [
        element('PartNumber', part.number),
        timeElement('LastModified', part.lastModifiedMs),
        element('ETag', `"${part.etag}"`),
        element('Size', part.bytes),
        checksum && part.checksum && element(`Checksum${checksum.algorithm}`, part.checksum.value),
      ]),
    ),
  ]);
  return { status: 200, body };
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
  const before = uploadOf(call);
  const type = request.headers.get('x-amz-checksum-type');
  if (type !== undefined && type !== before.checksum?.type) {
    throw invalidRequest(
      `The upload was created using the ${before.checksum?.type ?? 'null'} checksum mode. The complete request must use the same checksum mode.`,
    );
  }
  const condition = writeCondition(request, before.before ?? 0);
  const listed = await readParts(call);
  // Read again: while the document arrived, parts may have been added, or the upload may have ended.
  const upload = uploadOf(call);
  const parts = listed.map((part) => findPart(upload, part));
  checkSizes(call, parts);
  const files = parts.flatMap((part) => part.files);
  const release = storage.files.hold(files);
  let version: StoredVersion;
  try {
    const checksum = await joinedChecksum(call, upload, parts);
    const { system, metadata, uploadId } = upload;
    const bytes = totalBytes(parts);
    const joined = { system, metadata, files, bytes, etag: joinedEtag(parts), upload: { id: uploadId } };
    version = storage.put(
      request.bucket,
      request.key,
      { ...joined, ...(checksum && { checksum }) },
      condition,
      uploadId,
    );
  } finally {
    release();
  }
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
  const { checksum } = version;
  return {
    status: 200,
    headers: { ...ENCRYPTION_HEADER, ...versionHeader(storage.bucket(request.bucket), version) },
    body: responseDocument('CompleteMultipartUploadResult', [
      element('Location', `http://${request.headers.get('host')}${request.rawPath}`),
      element('Bucket', request.bucket),
      element('Key', request.key),
      element('ETag', `"${version.etag}"`),
      checksum && element(`Checksum${checksum.algorithm}`, checksum.value),
      checksum && element('ChecksumType', checksum.type),
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
  const text = await readText(bodyOf(call, { describesObject: true }));
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

function findPart({ parts, checksum }: MultipartUpload, listed: ListedPart): UploadedPart {
  const part = parts.get(listed.number);
  const named = CHECKSUM_ALGORITHMS.find(
    (name) => childText(listed.element, `Checksum${name}`) !== undefined,
  );
  const value = named && childText(listed.element, `Checksum${named}`);
  if (checksum !== undefined && named !== undefined && named !== checksum.algorithm) {
    throw badDigest(
      `The ${named.toLowerCase()} you specified for part ${listed.number} did not match what we received.`,
    );
  }
  if (checksum?.type === 'COMPOSITE' && value === undefined) {
    throw invalidRequest(
      `The upload was created using a ${checksum.algorithm.toLowerCase()} checksum. The complete request must include the checksum for each part. It was missing for part ${listed.number} in the request.`,
    );
  }
  const isSame = value === undefined || (checksum !== undefined && value === part?.checksum?.value);
  if (part !== undefined && part.etag === listed.etag && isSame) return part;
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

/** That of the parts' checksums, or of all bytes, which are read again: less than a second for a gigabyte. */
async function joinedChecksum(
  { request, storage }: OperationCall,
  { checksum }: MultipartUpload,
  parts: readonly UploadedPart[],
): Promise<Checksum | undefined> {
  if (checksum === undefined) return undefined;
  const { algorithm, type } = checksum;
  const digest = startDigest(algorithm);
  if (type === 'COMPOSITE') {
    for (const part of parts) digest.update(Buffer.from(part.checksum?.value ?? '', 'base64'));
  } else {
    const files = parts.flatMap((part) => part.files);
    for await (const piece of storage.files.read(files, 0, totalBytes(parts))) digest.update(piece);
  }
  const suffix = type === 'COMPOSITE' ? `-${parts.length}` : '';
  const value = (await endDigest(digest)) + suffix;
  const { headers } = request;
  const named = CHECKSUM_ALGORITHMS.find((name) => headers.has(checksumHeader(name)));
  if (named !== undefined) {
    // Without a type, the checksum of a request is of the type that its algorithm has by default.
    const isSameKind =
      named === algorithm && type === checksumTypeOf(named, headers.get('x-amz-checksum-type'));
    if (!isSameKind || headers.get(checksumHeader(named)) !== value) {
      throw badDigest(`The ${algorithm.toLowerCase()} you specified did not match the calculated checksum.`);
    }
  }
  return { algorithm, type, value };
}
