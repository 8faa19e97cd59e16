/**
 * The operation of a request. S3 distinguishes operations by method, by the presence of bucket and key, and by names in
 * the query. An operation outside this table, or with a parameter or header that the table does not list, returns 501:
 * ignoring unknown features would work locally and fail in AWS.
 */

import { S3Error } from '../http/errors.ts';
import { OVERRIDE_PARAMETERS, WRITE_SETTING_HEADERS } from '../http/object-headers.ts';
import type { S3Request } from '../http/request.ts';
import { CHECKSUM_ALGORITHMS, checksumHeader } from '../storage/checksums.ts';
import {
  BUCKET_SETTING_HEADERS,
  createBucket,
  deleteBucket,
  getBucketLocation,
  getBucketVersioning,
  headBucket,
  listBuckets,
  putBucketVersioning,
} from './bucket-operations.ts';
import { READ_CONDITION_HEADERS } from './conditions.ts';
import { DIRECTORY_CONDITIONS, deleteObject, deleteObjects } from './delete-object.ts';
import { getBucketNotification, getPublicAccessBlock, getTagging } from './fixed-settings.ts';
import { getObject, headObject } from './get-object.ts';
import { listObjects, listObjectsV2 } from './listing/list-objects.ts';
import { listMultipartUploads } from './listing/list-uploads.ts';
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

/** How a request selects an operation, and the features that the operation supports. */
export interface Operation {
  readonly run: (call: OperationCall) => Promise<S3Response>;
  /** The permission that it needs; undefined if it checks each key itself. */
  readonly action?: string;
  /** Method and level. */
  readonly on: `${string} ${'service' | 'bucket' | 'object'}`;
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
const OBJECT_HEADERS = ['x-amz-meta-*', 'x-amz-storage-class', ...WRITE_SETTING_HEADERS];
const OBJECT_WRITE = [...OBJECT_HEADERS, ...WRITE_CONDITION_HEADERS];
const COPY_SOURCE = [
  'x-amz-copy-source',
  ...READ_CONDITION_HEADERS.map((name) => `x-amz-copy-source-${name}`),
];
const READ = {
  parameters: ['versionId', 'partNumber', ...OVERRIDE_PARAMETERS],
  headers: [...READ_CONDITION_HEADERS, 'range', 'x-amz-checksum-mode'],
};
const LISTING = ['prefix', 'delimiter', 'max-keys', 'encoding-type'];

/** Prefixes of all headers with a meaning in S3. */
const S3_HEADER_PREFIXES = ['x-amz-', 'if-'];
/** Headers that any request may have. */
const COMMON_HEADERS = [
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-decoded-content-length',
  'x-amz-request-payer',
  'x-amz-security-token',
  'x-amz-user-agent',
];

/** The operations of this server by name; a request selects the first one that matches. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  ListBuckets: {
    run: listBuckets,
    action: 's3:ListAllMyBuckets',
    on: 'GET service',
    parameters: ['prefix', 'max-buckets', 'continuation-token', 'bucket-region'],
  },

  GetBucketLocation: {
    run: getBucketLocation,
    action: 's3:GetBucketLocation',
    on: 'GET bucket',
    needs: ['location'],
  },
  GetBucketVersioning: {
    run: getBucketVersioning,
    action: 's3:GetBucketVersioning',
    on: 'GET bucket',
    needs: ['versioning'],
  },
  GetBucketNotificationConfiguration: {
    run: getBucketNotification,
    action: 's3:GetBucketNotification',
    on: 'GET bucket',
    needs: ['notification'],
  },
  GetPublicAccessBlock: {
    run: getPublicAccessBlock,
    action: 's3:GetBucketPublicAccessBlock',
    on: 'GET bucket',
    needs: ['publicAccessBlock'],
  },
  ListObjectVersions: {
    run: listObjectVersions,
    action: 's3:ListBucketVersions',
    on: 'GET bucket',
    needs: ['versions'],
    parameters: [...LISTING, 'key-marker', 'version-id-marker'],
  },
  ListObjectsV2: {
    run: listObjectsV2,
    action: 's3:ListBucket',
    on: 'GET bucket',
    needs: ['list-type=2'],
    parameters: [...LISTING, 'start-after', 'continuation-token', 'fetch-owner'],
  },
  ListMultipartUploads: {
    run: listMultipartUploads,
    action: 's3:ListBucketMultipartUploads',
    on: 'GET bucket',
    needs: ['uploads'],
    parameters: ['prefix', 'delimiter', 'key-marker', 'upload-id-marker', 'max-uploads', 'encoding-type'],
  },
  ListObjects: {
    run: listObjects,
    action: 's3:ListBucket',
    on: 'GET bucket',
    parameters: [...LISTING, 'marker'],
  },
  HeadBucket: { run: headBucket, action: 's3:ListBucket', on: 'HEAD bucket' },
  PutBucketVersioning: {
    run: putBucketVersioning,
    action: 's3:PutBucketVersioning',
    on: 'PUT bucket',
    needs: ['versioning'],
    headers: CHECKSUMS,
  },
  CreateBucket: {
    run: createBucket,
    action: 's3:CreateBucket',
    on: 'PUT bucket',
    headers: [...CHECKSUMS, ...BUCKET_SETTING_HEADERS],
  },
  DeleteBucket: { run: deleteBucket, action: 's3:DeleteBucket', on: 'DELETE bucket' },
  DeleteObjects: { run: deleteObjects, on: 'POST bucket', needs: ['delete'], headers: CHECKSUMS },

  HeadObject: { run: headObject, action: 's3:GetObject', on: 'HEAD object', ...READ },
  ListParts: {
    run: listParts,
    action: 's3:ListMultipartUploadParts',
    on: 'GET object',
    needs: ['uploadId'],
    parameters: ['max-parts', 'part-number-marker'],
  },
  // The AWS CLI reads the tags of an object that it copies in parts.
  GetObjectTagging: {
    run: getTagging,
    action: 's3:GetObjectTagging',
    on: 'GET object',
    needs: ['tagging'],
    parameters: ['versionId'],
  },
  GetObject: { run: getObject, action: 's3:GetObject', on: 'GET object', ...READ },
  UploadPartCopy: {
    run: uploadPartCopy,
    action: 's3:PutObject',
    on: 'PUT object',
    needs: ['uploadId', 'partNumber'],
    needsHeader: 'x-amz-copy-source',
    headers: [...COPY_SOURCE, 'x-amz-copy-source-range'],
  },
  UploadPart: {
    run: uploadPart,
    action: 's3:PutObject',
    on: 'PUT object',
    needs: ['uploadId', 'partNumber'],
    headers: CHECKSUMS,
  },
  CopyObject: {
    run: copyObject,
    action: 's3:PutObject',
    on: 'PUT object',
    needsHeader: 'x-amz-copy-source',
    headers: [
      ...COPY_SOURCE,
      ...OBJECT_WRITE,
      'x-amz-metadata-directive',
      'x-amz-tagging-directive',
      'x-amz-checksum-algorithm',
    ],
  },
  PutObject: {
    run: putObject,
    action: 's3:PutObject',
    on: 'PUT object',
    headers: [...CHECKSUMS, ...OBJECT_WRITE],
  },
  CreateMultipartUpload: {
    run: createMultipartUpload,
    action: 's3:PutObject',
    on: 'POST object',
    needs: ['uploads'],
    headers: [...OBJECT_HEADERS, 'x-amz-checksum-algorithm', 'x-amz-checksum-type'],
  },
  CompleteMultipartUpload: {
    run: completeMultipartUpload,
    action: 's3:PutObject',
    on: 'POST object',
    needs: ['uploadId'],
    headers: [...CHECKSUMS, 'x-amz-checksum-type', 'x-amz-mp-object-size', ...WRITE_CONDITION_HEADERS],
  },
  AbortMultipartUpload: {
    run: abortMultipartUpload,
    action: 's3:AbortMultipartUpload',
    on: 'DELETE object',
    needs: ['uploadId'],
  },
  DeleteObject: {
    run: deleteObject,
    action: 's3:DeleteObject',
    on: 'DELETE object',
    parameters: ['versionId'],
    headers: ['if-match', ...DIRECTORY_CONDITIONS],
  },
};

const OPERATIONS_BY_TARGET = Map.groupBy(Object.entries(OPERATIONS), ([, { on }]) => on);

/** Finds the operation of a request. @throws S3Error NotImplemented, with the unsupported feature */
export function findOperation(request: S3Request): Operation {
  const level = request.bucket === undefined ? 'service' : request.key === undefined ? 'bucket' : 'object';
  const found = OPERATIONS_BY_TARGET.get(`${request.method} ${level}`)?.find(([, operation]) =>
    matchesRequest(operation, request),
  );
  const known = found === undefined ? [] : knownParameters(found[1]);
  const unknown = [...request.parameters.keys()].filter((parameter) => !known.includes(parameter));
  // Parameters select operations, so the name of the operation that is found without them would mislead.
  if (found === undefined || unknown.length > 0) {
    const names = unknown.length === 0 ? '' : ` with the parameters ${unknown.join(', ')}`;
    throw notImplemented(`${request.method} on ${level === 'object' ? 'an' : 'a'} ${level}${names}`);
  }
  const [name, operation] = found;
  const header = unknownHeader(operation, request);
  if (header !== undefined) throw notImplemented(`${name} with the header ${header}`);
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
function knownParameters({ needs = [], parameters = [] }: Operation): readonly (string | undefined)[] {
  return ['x-id', ...needs.map((need) => need.split('=')[0]), ...parameters];
}

function unknownHeader({ headers = [] }: Operation, request: S3Request): string | undefined {
  const isKnown = (name: string) =>
    COMMON_HEADERS.includes(name) ||
    headers.some((known) => (known.endsWith('*') ? name.startsWith(known.slice(0, -1)) : name === known));
  return [...request.headers.keys()].find(
    (name) => S3_HEADER_PREFIXES.some((start) => name.startsWith(start)) && !isKnown(name),
  );
}

function notImplemented(what: string): S3Error {
  return new S3Error('NotImplemented', `This server does not implement ${what}`);
}
