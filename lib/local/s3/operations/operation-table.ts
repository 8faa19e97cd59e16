/**
 * Which operation a request asks for. S3 tells its operations apart by method, by whether there is a bucket and a
 * key, and by names in the query; what is not in this table, or brings a parameter or a header that the table
 * does not give it, is answered 501: a server that passes over what it does not know would work here and fail
 * in the cloud.
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

/** What an operation is asked by and what it understands. */
export interface Operation {
  readonly name: string;
  readonly run: (call: OperationCall) => Promise<S3Response>;
  readonly method: string;
  readonly on: 'service' | 'bucket' | 'object';
  /** Parameters that make a request this operation; `list-type=2` also asks for the value. */
  readonly needs?: readonly string[];
  /** A header that makes a request this operation. */
  readonly needsHeader?: string;
  /** Further parameters that it understands. */
  readonly parameters?: readonly string[];
  /** Headers that it understands, of those that S3 gives a meaning; a `*` at the end stands for any rest. */
  readonly headers?: readonly string[];
}

const CHECKSUMS = [
  ...CHECKSUM_ALGORITHMS.map(checksumHeader),
  'x-amz-sdk-checksum-algorithm',
  'x-amz-trailer',
];
const WRITE_CONDITION_HEADERS = ['if-match', 'if-none-match'];
const READ_CONDITION_HEADERS = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'];
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

/** Every header that S3 gives a meaning begins like one of these. */
const S3_HEADER_PREFIXES = ['x-amz-', 'if-'];
/** What any request may carry. */
const COMMON_HEADERS = [
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-decoded-content-length',
  'x-amz-security-token',
  'x-amz-user-agent',
];

/** The operations of this server; of those that a request could ask for, the first one is meant. */
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

/** Finds the operation that a request asks for. @throws S3Error NotImplemented, which names what is not understood */
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
  const strange = unknownParameter(operation, request) ?? unknownHeader(operation, request);
  if (strange !== undefined) throw notImplemented(`${operation.name} with ${strange}`);
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

/** `x-id` is the operation's name, which SDKs add and S3 passes over. */
function unknownParameter(
  { needs = [], parameters = [] }: Operation,
  request: S3Request,
): string | undefined {
  const known = ['x-id', ...needs.map((need) => need.split('=')[0]), ...parameters];
  const strange = [...request.parameters.keys()].find((name) => !known.includes(name));
  return strange === undefined ? undefined : `the parameter ${strange}`;
}

function unknownHeader({ headers = [] }: Operation, request: S3Request): string | undefined {
  const isKnown = (name: string) =>
    COMMON_HEADERS.includes(name) ||
    headers.some((known) => (known.endsWith('*') ? name.startsWith(known.slice(0, -1)) : name === known));
  const strange = [...request.headers.keys()].find(
    (name) => S3_HEADER_PREFIXES.some((start) => name.startsWith(start)) && !isKnown(name),
  );
  return strange === undefined ? undefined : `the header ${strange}`;
}

function notImplemented(what: string): S3Error {
  return new S3Error('NotImplemented', `This server does not implement ${what}`);
}
