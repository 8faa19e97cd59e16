/**
 * The operation of a request. S3 distinguishes operations by method, by the presence of bucket and key, and by names in
 * the query. An operation outside this table, or with a parameter or header that the table does not list, returns 501:
 * ignoring unknown features would work locally and fail in AWS.
 */

import { S3Error } from '../http/errors.ts';
import { OVERRIDE_PARAMETERS } from '../http/object-headers.ts';
import type { S3Request } from '../http/request.ts';
import { CHECKSUM_ALGORITHMS, checksumHeader } from '../storage/checksums.ts';
import {
  createBucket,
  deleteBucket,
  getBucketLocation,
  getBucketVersioning,
  headBucket,
  listBuckets,
  putBucketVersioning,
} from './bucket-operations.ts';
import { READ_CONDITION_HEADERS } from './conditions.ts';
import { deleteObject, deleteObjects } from './delete-object.ts';
import { getObject, headObject } from './get-object.ts';
import { listObjectsV2 } from './listing/list-objects.ts';
import { listObjectVersions } from './listing/list-versions.ts';
import { completeMultipartUpload } from './multipart/complete-upload.ts';
import {
  abortMultipartUpload,
  createMultipartUpload,
  listParts,
  uploadPart,
  uploadPartCopy,
} from './multipart/multipart-upload.ts';
import type { OperationCall, S3Response } from './operation.ts';
import { copyObject, putObject } from './put-object.ts';

/** How a request selects an operation, and what the operation supports. */
export interface Operation {
  readonly name: string;
  readonly run: (call: OperationCall) => Promise<S3Response>;
  readonly method: string;
  readonly on: 'service' | 'bucket' | 'object';
  /** Parameters that select this operation; `list-type=2` also requires the value. */
  readonly needs?: readonly string[];
  /** A header that selects this operation. */
  readonly needsHeader?: string;
  /** Other supported parameters. */
  readonly parameters?: readonly string[];
  /** Supported headers, of those with a meaning in S3; a `*` at the end matches any suffix. */
  readonly headers?: readonly string[];
}

const CHECKSUMS = [
  ...CHECKSUM_ALGORITHMS.map(checksumHeader),
  'x-amz-sdk-checksum-algorithm',
  'x-amz-trailer',
];
const WRITE_CONDITION_HEADERS = ['if-match', 'if-none-match'];
const OBJECT_HEADERS = ['x-amz-meta-*', 'x-amz-storage-class'];
const COPY_SOURCE = [
  'x-amz-copy-source',
  ...READ_CONDITION_HEADERS.map((name) => `x-amz-copy-source-${name}`),
];
const READ = {
  on: 'object',
  parameters: ['versionId', ...OVERRIDE_PARAMETERS],
  headers: [...READ_CONDITION_HEADERS, 'range', 'x-amz-checksum-mode'],
} as const;

/** Prefixes of all headers with a meaning in S3. */
const S3_HEADER_PREFIXES = ['x-amz-', 'if-'];
/** Headers that any request may have. */
const COMMON_HEADERS = [
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-decoded-content-length',
  'x-amz-security-token',
  'x-amz-user-agent',
];

/** The operations of this server; a request selects the first one that matches. */
export const OPERATIONS: readonly Operation[] = [
  { name: 'ListBuckets', run: listBuckets, method: 'GET', on: 'service' },

  { name: 'GetBucketLocation', run: getBucketLocation, method: 'GET', on: 'bucket', needs: ['location'] },
  {
    name: 'GetBucketVersioning',
    run: getBucketVersioning,
    method: 'GET',
    on: 'bucket',
    needs: ['versioning'],
  },
  {
    name: 'ListObjectVersions',
    run: listObjectVersions,
    method: 'GET',
    on: 'bucket',
    needs: ['versions'],
    parameters: ['prefix', 'delimiter', 'key-marker', 'version-id-marker', 'max-keys', 'encoding-type'],
  },
  {
    name: 'ListObjectsV2',
    run: listObjectsV2,
    method: 'GET',
    on: 'bucket',
    needs: ['list-type=2'],
    parameters: [
      'prefix',
      'delimiter',
      'start-after',
      'continuation-token',
      'max-keys',
      'encoding-type',
      'fetch-owner',
    ],
  },
  { name: 'HeadBucket', run: headBucket, method: 'HEAD', on: 'bucket' },
  {
    name: 'PutBucketVersioning',
    run: putBucketVersioning,
    method: 'PUT',
    on: 'bucket',
    needs: ['versioning'],
    headers: CHECKSUMS,
  },
  { name: 'CreateBucket', run: createBucket, method: 'PUT', on: 'bucket', headers: CHECKSUMS },
  { name: 'DeleteBucket', run: deleteBucket, method: 'DELETE', on: 'bucket' },
  {
    name: 'DeleteObjects',
    run: deleteObjects,
    method: 'POST',
    on: 'bucket',
    needs: ['delete'],
    headers: CHECKSUMS,
  },

  { name: 'HeadObject', run: headObject, method: 'HEAD', ...READ },
  {
    name: 'ListParts',
    run: listParts,
    method: 'GET',
    on: 'object',
    needs: ['uploadId'],
    parameters: ['max-parts', 'part-number-marker'],
  },
  { name: 'GetObject', run: getObject, method: 'GET', ...READ },
  {
    name: 'UploadPartCopy',
    run: uploadPartCopy,
    method: 'PUT',
    on: 'object',
    needs: ['uploadId', 'partNumber'],
    needsHeader: 'x-amz-copy-source',
    headers: [...COPY_SOURCE, 'x-amz-copy-source-range'],
  },
  {
    name: 'UploadPart',
    run: uploadPart,
    method: 'PUT',
    on: 'object',
    needs: ['uploadId', 'partNumber'],
    headers: CHECKSUMS,
  },
  {
    name: 'CopyObject',
    run: copyObject,
    method: 'PUT',
    on: 'object',
    needsHeader: 'x-amz-copy-source',
    headers: [
      ...COPY_SOURCE,
      ...OBJECT_HEADERS,
      ...WRITE_CONDITION_HEADERS,
      'x-amz-metadata-directive',
      'x-amz-checksum-algorithm',
    ],
  },
  {
    name: 'PutObject',
    run: putObject,
    method: 'PUT',
    on: 'object',
    headers: [...CHECKSUMS, ...OBJECT_HEADERS, ...WRITE_CONDITION_HEADERS],
  },
  {
    name: 'CreateMultipartUpload',
    run: createMultipartUpload,
    method: 'POST',
    on: 'object',
    needs: ['uploads'],
    headers: [...OBJECT_HEADERS, 'x-amz-checksum-algorithm', 'x-amz-checksum-type'],
  },
  {
    name: 'CompleteMultipartUpload',
    run: completeMultipartUpload,
    method: 'POST',
    on: 'object',
    needs: ['uploadId'],
    headers: [...CHECKSUMS, 'x-amz-checksum-type', ...WRITE_CONDITION_HEADERS],
  },
  {
    name: 'AbortMultipartUpload',
    run: abortMultipartUpload,
    method: 'DELETE',
    on: 'object',
    needs: ['uploadId'],
  },
  { name: 'DeleteObject', run: deleteObject, method: 'DELETE', on: 'object', parameters: ['versionId'] },
];

/** Finds the operation of a request. @throws S3Error NotImplemented, with the unsupported feature */
export function findOperation(request: S3Request): Operation {
  const on = request.bucket === undefined ? 'service' : request.key === undefined ? 'bucket' : 'object';
  const operation = OPERATIONS.find(
    (candidate) =>
      candidate.method === request.method && candidate.on === on && matchesRequest(candidate, request),
  );
  if (operation === undefined) {
    const names = [...request.parameters.keys()].join(', ');
    throw notImplemented(
      `${request.method} on a ${on}${names === '' ? '' : ` with the parameters ${names}`}`,
    );
  }
  const unknown = unknownParameter(operation, request) ?? unknownHeader(operation, request);
  if (unknown !== undefined) throw notImplemented(`${operation.name} with ${unknown}`);
  return operation;
}

function matchesRequest(operation: Operation, request: S3Request): boolean {
  const { needs = [], needsHeader } = operation;
  if (needsHeader !== undefined && !request.headers.has(needsHeader)) return false;
  return needs.every((need) => {
    const [name, value] = need.split('=');
    const found = request.parameters.get(name!);
    return value === undefined ? found !== undefined : found === value;
  });
}

/** `x-id` is the operation's name, which SDKs add and S3 ignores. */
function unknownParameter(
  { needs = [], parameters = [] }: Operation,
  request: S3Request,
): string | undefined {
  const known = ['x-id', ...needs.map((need) => need.split('=')[0]), ...parameters];
  const unknown = [...request.parameters.keys()].find((name) => !known.includes(name));
  return unknown === undefined ? undefined : `the parameter ${unknown}`;
}

function unknownHeader({ headers = [] }: Operation, request: S3Request): string | undefined {
  const isKnown = (name: string) =>
    COMMON_HEADERS.includes(name) ||
    headers.some((known) => (known.endsWith('*') ? name.startsWith(known.slice(0, -1)) : name === known));
  const unknown = [...request.headers.keys()].find(
    (name) => S3_HEADER_PREFIXES.some((start) => name.startsWith(start)) && !isKnown(name),
  );
  return unknown === undefined ? undefined : `the header ${unknown}`;
}

function notImplemented(what: string): S3Error {
  return new S3Error('NotImplemented', `This server does not implement ${what}`);
}
