/** CreateMultipartUpload, UploadPart, UploadPartCopy, AbortMultipartUpload and ListParts. */

import { declaredChecksum } from '../../http/body/request-body.ts';
import { invalidArgument, S3Error } from '../../http/errors.ts';
import { ENCRYPTION_HEADER, objectHeaders } from '../../http/object-headers.ts';
import { integerParameter } from '../../http/parameters.ts';
import { listingTime } from '../../http/time-formats.ts';
import { element, responseDocument } from '../../http/xml.ts';
import type { MultipartUpload, UploadedPart } from '../../storage/catalog.ts';
import {
  checkChecksumType,
  checksumElement,
  checksumHeaders,
  defaultChecksumType,
  parseChecksumAlgorithm,
} from '../../storage/checksums.ts';
import { storedContent } from '../../storage/measured-bytes.ts';
import { parseCopyRange } from '../byte-range.ts';
import { copiedVersionHeader, copyBytes, findCopySource } from '../copy-source.ts';
import type { OperationCall, S3Response } from '../operation.ts';
import { copyDocument } from '../put-object.ts';

/** Parts are numbered from 1 to this, inclusive. */
export const MAX_PART_NUMBER = 10_000;
const MAX_LISTED_PARTS = 1000;

/** Starts an upload, and sets the headers of the resulting object. */
export async function createMultipartUpload(call: OperationCall): Promise<S3Response> {
  const { request, storage, bucketName: bucket, key } = call;
  const checksum = uploadChecksum(call);
  const uploadId = storage.createUpload({ bucket, key, ...objectHeaders(request), checksum });
  const headers: Record<string, string> = { ...ENCRYPTION_HEADER };
  if (checksum !== undefined) {
    headers['x-amz-checksum-algorithm'] = checksum.algorithm;
    headers['x-amz-checksum-type'] = checksum.type;
  }
  return {
    status: 200,
    headers,
    body: responseDocument('InitiateMultipartUploadResult', [
      element('Bucket', bucket),
      element('Key', key),
      element('UploadId', uploadId),
    ]),
  };
}

export async function uploadPart(call: OperationCall): Promise<S3Response> {
  const upload = uploadOf(call);
  const number = partNumberOf(call);
  checkAlgorithm(call, upload);
  const part = await call.storage.files.write(
    call.body.data({ compute: upload.checksum?.algorithm }),
    (files) => call.storage.putPart(upload, { number, ...storedContent(files, call.body.facts()) }),
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
  const header = call.request.headers.get('x-amz-copy-source-range');
  const all = { start: 0, end: source.version.bytes };
  const range = header === undefined ? all : parseCopyRange(header, source.version.bytes);
  const part = await copyBytes(call, source, range, upload.checksum?.algorithm, (content) =>
    call.storage.putPart(upload, { number, ...content }),
  );
  return {
    status: 200,
    headers: { ...ENCRYPTION_HEADER, ...copiedVersionHeader(source) },
    body: copyDocument('CopyRecordsPart', part),
  };
}

/** Ends an upload without creating an object. */
export async function abortMultipartUpload(call: OperationCall): Promise<S3Response> {
  call.storage.abortUpload(uploadOf(call));
  return { status: 204 };
}

/** The uploaded parts, by number. */
export async function listParts(call: OperationCall): Promise<S3Response> {
  const upload = uploadOf(call);
  const { parameters } = call.request;
  // S3 ignores empty parameters here.
  const given = new Map([...parameters].filter(([, value]) => value !== ''));
  const maxParts = Math.min(integerParameter(given, 'max-parts', MAX_LISTED_PARTS), MAX_LISTED_PARTS);
  const marker = integerParameter(given, 'part-number-marker', 0);
  const parts = [...upload.parts.values()]
    .filter((part) => part.number > marker)
    .sort((a, b) => a.number - b.number);
  const page = parts.slice(0, maxParts);
  return {
    status: 200,
    body: responseDocument('ListPartsResult', [
      element('Bucket', upload.bucket),
      element('Key', upload.key),
      element('UploadId', upload.uploadId),
      element('PartNumberMarker', marker),
      element('NextPartNumberMarker', page.at(-1)?.number ?? 0),
      element('MaxParts', maxParts),
      element('IsTruncated', page.length < parts.length),
      element('StorageClass', 'STANDARD'),
      upload.checksum && element('ChecksumAlgorithm', upload.checksum.algorithm),
      upload.checksum && element('ChecksumType', upload.checksum.type),
      ...page.map((part) => partElement(part, upload)),
    ]),
  };
}

/** The upload that a request names. @throws S3Error NoSuchUpload */
export function uploadOf(call: OperationCall): MultipartUpload {
  return call.storage.upload(call.bucketName, call.key, call.request.parameters.get('uploadId') ?? '');
}

function uploadChecksum(call: OperationCall): MultipartUpload['checksum'] {
  const { headers } = call.request;
  const name = headers.get('x-amz-checksum-algorithm');
  const type = headers.get('x-amz-checksum-type');
  if (name === undefined) {
    if (type === undefined) return undefined;
    throw new S3Error(
      'InvalidRequest',
      'The x-amz-checksum-type header can only be used with the x-amz-checksum-algorithm header.',
    );
  }
  const algorithm = parseChecksumAlgorithm(name);
  return {
    algorithm,
    type: type === undefined ? defaultChecksumType(algorithm) : checkChecksumType(algorithm, type),
  };
}

/** A part of an upload with a composite checksum must have one; for that of the whole object, S3 computes it itself. */
function checkAlgorithm({ request }: OperationCall, { checksum }: MultipartUpload): void {
  const declared = declaredChecksum(request)?.algorithm;
  if (checksum === undefined || declared === checksum.algorithm) return;
  if (declared === undefined && checksum.type === 'FULL_OBJECT') return;
  const [expected, actual] = [checksum.algorithm, declared ?? 'null'].map((name) => name.toLowerCase());
  throw new S3Error(
    'InvalidRequest',
    `Checksum Type mismatch occurred, expected checksum Type: ${expected}, actual checksum Type: ${actual}`,
  );
}

function partNumberOf(call: OperationCall): number {
  return partNumber(call.request.parameters.get('partNumber') ?? '');
}

/** @throws S3Error InvalidArgument */
export function partNumber(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= MAX_PART_NUMBER) return number;
  throw invalidArgument(
    `Part number must be an integer between 1 and ${MAX_PART_NUMBER}, inclusive`,
    'partNumber',
    text,
  );
}

function partElement(part: UploadedPart, { checksum }: MultipartUpload) {
  return element('Part', [
    element('PartNumber', part.number),
    element('LastModified', listingTime(part.lastModifiedMs)),
    element('ETag', `"${part.etag}"`),
    element('Size', part.bytes),
    checksum && part.checksum && element(checksumElement(part.checksum.algorithm), part.checksum.value),
  ]);
}
