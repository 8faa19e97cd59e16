/** PutObject and CopyObject. */

import { invalidArgument, S3Error } from '../http/errors.ts';
import {
  checkWriteSettings,
  ENCRYPTION_HEADER,
  objectHeaders,
  versionHeader,
} from '../http/object-headers.ts';
import { listingTime } from '../http/time-formats.ts';
import { element, responseDocument } from '../http/xml.ts';
import type { ObjectHeaders, StoredVersion } from '../storage/catalog.ts';
import { checksumElement, checksumHeaders, parseChecksumAlgorithm } from '../storage/checksums.ts';
import { storedContent } from '../storage/measured-bytes.ts';
import { type WriteGuard, writeCondition } from './conditions.ts';
import { type CopySource, copiedVersionHeader, copyBytes, findCopySource } from './copy-source.ts';
import type { OperationCall, S3Response } from './operation.ts';

export async function putObject(call: OperationCall): Promise<S3Response> {
  const { request, storage, bucketName, key } = call;
  const bucket = storage.bucket(bucketName);
  const headers = objectHeaders(request);
  const version = await withWriteGuard(call, (guard) =>
    storage.files.write(call.body.data(), (files) =>
      storage.put(bucketName, key, { ...headers, ...storedContent(files, call.body.facts()) }, guard),
    ),
  );
  call.onCreated(bucket, key, version, 'PutObject');
  return {
    status: 200,
    headers: {
      etag: `"${version.etag}"`,
      ...ENCRYPTION_HEADER,
      ...versionHeader(bucket, version.versionId),
      ...checksumHeaders(version.checksum),
    },
  };
}

/** Stores a copy of an object version as a new version, with the ETag of a single put. */
export async function copyObject(call: OperationCall): Promise<S3Response> {
  const { storage, bucketName, key } = call;
  const bucket = storage.bucket(bucketName);
  const source = findCopySource(call);
  const headers = copyHeaders(call, source);
  const named = call.request.headers.get('x-amz-checksum-algorithm');
  const algorithm = named === undefined ? source.version.checksum?.algorithm : parseChecksumAlgorithm(named);
  const all = { start: 0, end: source.version.bytes };
  const version = await withWriteGuard(call, (guard) =>
    copyBytes(call, source, all, algorithm, (content) =>
      storage.put(bucketName, key, { ...headers, ...content }, guard),
    ),
  );
  call.onCreated(bucket, key, version, 'CopyObject');
  return {
    status: 200,
    headers: {
      ...ENCRYPTION_HEADER,
      ...versionHeader(bucket, version.versionId),
      ...copiedVersionHeader(source),
    },
    body: copyDocument('CopyObjectResult', version),
  };
}

/** The response document of both copy operations. */
export function copyDocument(
  name: 'CopyObjectResult' | 'CopyRecordsPart',
  copy: Pick<StoredVersion, 'etag' | 'lastModifiedMs' | 'checksum'>,
): string {
  return responseDocument(name, [
    element('LastModified', listingTime(copy.lastModifiedMs)),
    element('ETag', `"${copy.etag}"`),
    copy.checksum && element(checksumElement(copy.checksum.algorithm), copy.checksum.value),
    // A part has none.
    copy.checksum && name === 'CopyObjectResult' ? element('ChecksumType', copy.checksum.type) : undefined,
  ]);
}

/** Runs a write with the condition of its request. @param isChanged as in `ConditionalWrites.begin` */
export async function withWriteGuard<Result>(
  call: OperationCall,
  write: (guard: WriteGuard) => Result | Promise<Result>,
  isChanged?: () => boolean,
): Promise<Result> {
  const condition = writeCondition(call.request);
  const guard = call.storage.conditionalWrites.begin(call.bucketName, call.key, condition, isChanged);
  try {
    return await write(guard);
  } finally {
    guard.end();
  }
}

function copyHeaders(call: OperationCall, source: CopySource): ObjectHeaders {
  checkWriteSettings(call.request);
  const directive = call.request.headers.get('x-amz-metadata-directive') ?? 'COPY';
  if (directive === 'REPLACE') return objectHeaders(call.request);
  if (directive !== 'COPY') {
    throw invalidArgument('Unknown metadata directive.', 'x-amz-metadata-directive', directive);
  }
  const ontoItself = source.bucket.name === call.bucketName && source.key === call.key;
  const isChange = ['x-amz-storage-class', 'x-amz-server-side-encryption'].some((name) =>
    call.request.headers.has(name),
  );
  if (ontoItself && source.versionId === undefined && !isChange) {
    throw new S3Error(
      'InvalidRequest',
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
    );
  }
  const { system, metadata } = source.version;
  return { system, metadata };
}
