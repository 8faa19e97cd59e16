/** GetObject and HeadObject. */

import { REPORT_POLICY } from '../../../batch/report/report-policy.ts';
import { S3Error } from '../http/errors.ts';
import { responseHeaders } from '../http/object-headers.ts';
import type { S3Request } from '../http/request.ts';
import type { StoredVersion } from '../storage/catalog.ts';
import { type Checksum, checksumHeaders } from '../storage/checksums.ts';
import { type ByteRange, parseRange } from './byte-range.ts';
import { checkReadConditions } from './conditions.ts';
import { findVersion } from './find-version.ts';
import { partNumber } from './multipart/multipart-upload.ts';
import type { OperationCall, S3Response } from './operation.ts';

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
  const { request, key, storage, settings } = call;
  const bucket = storage.bucket(call.bucketName);
  const version = findVersion(bucket, key, request.parameters.get('versionId'), settings);
  checkReadConditions(request, version);
  const { parts, checksum: partChecksum, ...numbered } = partOf(request, version);
  const part = numbered.range ?? parseRange(request.headers.get('range'), version.bytes);
  const range = part ?? { start: 0, end: version.bytes };
  const stored = responseHeaders(bucket, version, request);
  const headers = {
    ...stored,
    ...browserHeaders(call, stored['content-disposition']),
    'content-length': String(range.end - range.start),
    ...(parts === undefined ? {} : { 'x-amz-mp-parts-count': String(parts) }),
  };
  // The checksum covers the whole object.
  const isWhole = range.end - range.start === version.bytes;
  const wantsChecksum = request.headers.get('x-amz-checksum-mode')?.toUpperCase() === 'ENABLED';
  if (wantsChecksum)
    Object.assign(headers, checksumHeaders(partChecksum ?? (isWhole ? version.checksum : undefined)));
  if (part === undefined) return { response: { status: 200, headers }, version, range };
  const contentRange = `bytes ${part.start}-${part.end - 1}/${version.bytes}`;
  return {
    response: { status: 206, headers: { ...headers, 'content-range': contentRange } },
    version,
    range,
  };
}

/** The part that `partNumber` names, its checksum, and how many parts the object was uploaded in. */
function partOf(
  { parameters, headers }: S3Request,
  { bytes, upload, checksum: whole }: StoredVersion,
): { readonly range?: ByteRange; readonly parts?: number; readonly checksum?: Checksum } {
  const text = parameters.get('partNumber');
  if (text === undefined) return {};
  if (headers.has('range')) {
    throw new S3Error('InvalidRequest', 'Cannot specify both Range header and partNumber query parameter');
  }
  const number = partNumber(text);
  const sizes = upload?.partBytes ?? [bytes];
  if (number > sizes.length) {
    throw new S3Error('InvalidPartNumber', 'The requested partnumber is not satisfiable', {
      fields: { ActualPartCount: String(sizes.length), PartNumberRequested: text },
    });
  }
  const start = sizes.slice(0, number - 1).reduce((sum, size) => sum + size, 0);
  const value = upload?.partChecksums?.[number - 1];
  const checksum = whole && value !== undefined ? { ...whole, value } : undefined;
  return { range: { start, end: start + sizes[number - 1]! }, parts: upload && sizes.length, checksum };
}

/**
 * Headers for a browser: a report is shown in a sandbox, every other object is saved, whatever its type. Only a link
 * leads a browser to an object, so other clients get the headers that were stored.
 */
function browserHeaders(
  { request, bucketName, key, settings }: OperationCall,
  disposition: string | undefined,
): Record<string, string> {
  if (settings.isReport(bucketName, key)) return { 'content-security-policy': REPORT_POLICY };
  const isLink = request.query.some(([name]) => name === 'X-Amz-Signature');
  if (!isLink) return {};
  return { 'content-disposition': (disposition ?? '').replace(/^[^;]*/, 'attachment') };
}
