/** The source of CopyObject and UploadPartCopy. */

import { MAX_BODY_BYTES } from '../http/body/request-body.ts';
import { invalidArgument, S3Error } from '../http/errors.ts';
import type { Bucket, StoredVersion } from '../storage/catalog.ts';
import type { ChecksumAlgorithm } from '../storage/checksums.ts';
import { fullChecksum, MeasuredBytes, type StoredContent, storedContent } from '../storage/measured-bytes.ts';
import type { ByteRange } from './byte-range.ts';
import { checkReadConditions } from './conditions.ts';
import { findVersion } from './find-version.ts';
import type { OperationCall } from './operation.ts';

/** The object to copy. */
export interface CopySource {
  readonly bucket: Bucket;
  readonly key: string;
  /** As in the request; `undefined` for the current version. */
  readonly versionId: string | undefined;
  readonly version: StoredVersion;
}

/**
 * Finds the object that `x-amz-copy-source` names, and checks the conditions on it.
 *
 * @throws S3Error InvalidArgument, and as a read of the source does
 */
export function findCopySource(call: OperationCall): CopySource {
  const { bucketName, key, versionId } = parseCopySource(call.request.headers.get('x-amz-copy-source') ?? '');
  const bucket = call.storage.bucket(bucketName);
  const version = findVersion(bucket, key, versionId, call.settings);
  checkReadConditions(call.request, version, 'x-amz-copy-source-');
  return { bucket, key, versionId, version };
}

/**
 * Copies a range of the source into a new file.
 *
 * @param keep stores the copy; its result is returned
 * @throws S3Error InvalidRequest past 5 GiB
 */
export async function copyBytes<Result>(
  call: OperationCall,
  source: CopySource,
  range: ByteRange,
  algorithm: ChecksumAlgorithm | undefined,
  keep: (content: StoredContent) => Result,
): Promise<Result> {
  if (range.end - range.start > MAX_BODY_BYTES) {
    throw new S3Error(
      'InvalidRequest',
      `The specified copy source is larger than the maximum allowable size for a copy source: ${MAX_BODY_BYTES}`,
    );
  }
  const { files } = call.storage;
  const release = files.hold(source.version.files);
  try {
    const bytes = files.read(source.version.files, range.start, range.end);
    const measured = new MeasuredBytes(bytes, algorithm === undefined ? [] : [algorithm]);
    return await files.write(measured, (copy) => {
      const measure = measured.measure();
      return keep(storedContent(copy, { ...measure, checksum: fullChecksum(measure, algorithm) }));
    });
  } finally {
    release();
  }
}

/** The header with the version id of the source. */
export function copiedVersionHeader(source: CopySource): Record<string, string> {
  return source.bucket.versioned ? { 'x-amz-copy-source-version-id': source.version.versionId } : {};
}

/**
 * `/bucket/key?versionId=id`, encoded as in a query; the leading slash and the version are optional. As in S3, an
 * unencoded `+` is a space, so that a client that does not encode fails here too.
 */
export function parseCopySource(header: string): {
  bucketName: string;
  key: string;
  versionId: string | undefined;
} {
  const [, path, versionId] = /^(.*?)(?:\?versionId=([^?]*))?$/s.exec(header) ?? [];
  const match = /^\/?([^/]+)\/(.+)$/s.exec(decodeForm(path!) ?? '');
  if (match !== null) return { bucketName: match[1]!, key: match[2]!, versionId };
  throw invalidSource();
}

function decodeForm(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function invalidSource(): S3Error {
  return invalidArgument('Invalid copy source object key', 'x-amz-copy-source', 'x-amz-copy-source');
}
