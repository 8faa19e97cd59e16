/**
 * The operation of a request. S3 distinguishes operations by method, by the presence of bucket and key, and by names in
 * the query. An operation outside this table, or with a parameter or header that the table does not list, returns 501:
 * ignoring unknown features would work locally and fail in AWS.
 */
import {
  createBucket,
  deleteBucket,
  getBucketLocation,
  getBucketVersioning,
  headBucket,
  listBuckets,
  putBucketVersioning,
} from './buckets.ts';
import { CHECKSUM_ALGORITHMS, checksumHeader } from './checksums.ts';
import { READ_CONDITIONS } from './conditions.ts';
import { notImplemented } from './errors.ts';
import { listMultipartUploads, listObjects, listObjectsV2, listObjectVersions } from './listings.ts';
import {
  abortMultipartUpload,
  completeMultipartUpload,
  createMultipartUpload,
  listParts,
  uploadPart,
  uploadPartCopy,
} from './multipart.ts';
import {
  copyObject,
  deleteObject,
  deleteObjects,
  getObject,
  getObjectTagging,
  headObject,
  OVERRIDES,
  putObject,
} from './objects.ts';
import {
  actionFor,
  bucketArn,
  checkAllowed,
  type OperationCall,
  objectArn,
  type S3Response,
} from './operation.ts';
import type { S3Request } from './request.ts';

/** How a request selects an operation, and the features that the operation supports. */
interface Operation {
  readonly run: (call: OperationCall) => Promise<S3Response>;
  /** The permission that it needs; null if it checks each key itself. @default that of its name, such as `s3:DeleteObject` */
  readonly action?: string | null;
  /** Method and level. */
  readonly on: `${string} ${'service' | 'bucket' | 'object'}`;
  /** Parameters that select this operation. */
  readonly needs?: readonly string[];
  /** Whether the header of a copy selects this operation. */
  readonly copies?: true;
  /** Other supported parameters. */
  readonly parameters?: readonly string[];
  /** Supported headers, of those with a meaning in S3. */
  readonly headers?: readonly string[];
}

const CHECKSUMS = [
  ...CHECKSUM_ALGORITHMS.map(checksumHeader),
  'x-amz-sdk-checksum-algorithm',
  'x-amz-trailer',
];
const SOURCE = 'x-amz-copy-source';
const COPY_SOURCE = [SOURCE, ...READ_CONDITIONS.map((name) => `${SOURCE}-${name}`)];
const OBJECT = [
  'x-amz-meta-',
  'x-amz-storage-class',
  'x-amz-server-side-encryption',
  'x-amz-tagging',
  'x-amz-acl',
];
const WRITE_CONDITIONS = ['if-match', 'if-none-match'];
const READ = {
  action: 's3:GetObject',
  parameters: ['versionId', ...OVERRIDES],
  headers: [...READ_CONDITIONS, 'x-amz-checksum-mode'],
};
const LISTING = ['prefix', 'delimiter', 'max-keys', 'encoding-type'];
const PUT = 's3:PutObject';
const LIST = 's3:ListBucket';

/** Headers and parameters that ask for what is done anyway, and the only values that do; clients send them unasked. */
const FIXED_VALUES: Readonly<Record<string, readonly string[]>> = {
  'encoding-type': ['url'],
  'list-type': ['2'],
  'x-amz-acl': ['', 'private', 'bucket-owner-full-control'],
  'x-amz-server-side-encryption': ['AES256'],
  'x-amz-storage-class': ['STANDARD'],
  'x-amz-tagging': [''],
  'x-amz-tagging-directive': ['COPY', 'REPLACE'],
};
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
  },

  GetBucketLocation: {
    run: getBucketLocation,
    on: 'GET bucket',
    needs: ['location'],
  },
  GetBucketVersioning: {
    run: getBucketVersioning,
    on: 'GET bucket',
    needs: ['versioning'],
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
    action: LIST,
    on: 'GET bucket',
    needs: ['list-type'],
    parameters: [...LISTING, 'start-after', 'continuation-token'],
  },
  ListMultipartUploads: {
    run: listMultipartUploads,
    action: 's3:ListBucketMultipartUploads',
    on: 'GET bucket',
    needs: ['uploads'],
    parameters: ['prefix', 'encoding-type', 'max-uploads'],
  },
  ListObjects: { run: listObjects, action: LIST, on: 'GET bucket', parameters: [...LISTING, 'marker'] },
  HeadBucket: { run: headBucket, action: LIST, on: 'HEAD bucket' },
  PutBucketVersioning: {
    run: putBucketVersioning,
    on: 'PUT bucket',
    needs: ['versioning'],
    headers: CHECKSUMS,
  },
  CreateBucket: {
    run: createBucket,
    on: 'PUT bucket',
    headers: [...CHECKSUMS, 'x-amz-acl'],
  },
  DeleteBucket: { run: deleteBucket, on: 'DELETE bucket' },
  DeleteObjects: {
    run: deleteObjects,
    action: null,
    on: 'POST bucket',
    needs: ['delete'],
    headers: CHECKSUMS,
  },

  HeadObject: { run: headObject, on: 'HEAD object', ...READ },
  ListParts: {
    run: listParts,
    action: 's3:ListMultipartUploadParts',
    on: 'GET object',
    needs: ['uploadId'],
    parameters: ['max-parts', 'part-number-marker'],
  },
  GetObjectTagging: {
    run: getObjectTagging,
    on: 'GET object',
    needs: ['tagging'],
    parameters: ['versionId'],
  },
  GetObject: { run: getObject, on: 'GET object', ...READ },
  UploadPartCopy: {
    run: uploadPartCopy,
    action: PUT,
    on: 'PUT object',
    needs: ['uploadId', 'partNumber'],
    copies: true,
    headers: [...COPY_SOURCE, `${SOURCE}-range`],
  },
  UploadPart: {
    run: uploadPart,
    action: PUT,
    on: 'PUT object',
    needs: ['uploadId', 'partNumber'],
    headers: CHECKSUMS,
  },
  CopyObject: {
    run: copyObject,
    action: PUT,
    on: 'PUT object',
    copies: true,
    headers: [
      ...COPY_SOURCE,
      ...OBJECT,
      ...WRITE_CONDITIONS,
      'x-amz-metadata-directive',
      'x-amz-tagging-directive',
      'x-amz-checksum-algorithm',
    ],
  },
  PutObject: {
    run: putObject,
    on: 'PUT object',
    headers: [...CHECKSUMS, ...OBJECT, ...WRITE_CONDITIONS],
  },
  CreateMultipartUpload: {
    run: createMultipartUpload,
    action: PUT,
    on: 'POST object',
    needs: ['uploads'],
    headers: [...OBJECT, 'x-amz-checksum-algorithm', 'x-amz-checksum-type'],
  },
  CompleteMultipartUpload: {
    run: completeMultipartUpload,
    action: PUT,
    on: 'POST object',
    needs: ['uploadId'],
    // S3 compares the checksum of the whole object, which is not computed here.
    headers: [...WRITE_CONDITIONS, 'x-amz-checksum-type', 'x-amz-mp-object-size'],
  },
  AbortMultipartUpload: {
    run: abortMultipartUpload,
    on: 'DELETE object',
    needs: ['uploadId'],
  },
  DeleteObject: {
    run: deleteObject,
    on: 'DELETE object',
    parameters: ['versionId'],
  },
};

const OPERATIONS_BY_TARGET = Map.groupBy(Object.entries(OPERATIONS), ([, { on }]) => on);

/**
 * Finds the operation of a request, checks the caller's permission for it, and runs it.
 *
 * @throws S3Error NotImplemented, with the unsupported feature; AccessDenied; and as the operation does
 */
export async function runOperation(call: OperationCall): Promise<S3Response> {
  const { request } = call;
  const [name, { run, action = `s3:${name}` }] = findOperation(request);
  if (action !== null) {
    const { bucket, key, parameters, headers } = request;
    const resource = bucket === '' ? '*' : key === '' ? bucketArn(bucket) : objectArn(bucket, key);
    checkAllowed(call, actionFor(action, parameters.get('versionId')), resource);
    // A write that replaces only a certain object tells whether the object is that one.
    if (action === PUT && headers.has('if-match')) checkAllowed(call, READ.action, resource);
  }
  return run(call);
}

function findOperation(request: S3Request): [name: string, operation: Operation] {
  const level = request.bucket === '' ? 'service' : request.key === '' ? 'bucket' : 'object';
  const found = OPERATIONS_BY_TARGET.get(`${request.method} ${level}`)?.find(([, operation]) =>
    matchesRequest(operation, request),
  );
  // `x-id` is the operation's name, which SDKs add and S3 ignores.
  const known = ['x-id', ...(found?.[1].needs ?? []), ...(found?.[1].parameters ?? [])];
  const unknown = [...request.parameters.keys()].filter((parameter) => !known.includes(parameter));
  // Parameters select operations, so the name of the operation that is found without them would mislead.
  if (found === undefined || unknown.length > 0) {
    const names = unknown.length === 0 ? '' : ` with the parameters ${unknown.join(', ')}`;
    throw notImplemented(`${request.method} on ${level === 'object' ? 'an' : 'a'} ${level}${names}`);
  }
  const [name, operation] = found;
  for (const header of request.headers.keys()) {
    if (!isSupported(operation, header)) throw notImplemented(`${name} with the header ${header}`);
  }
  for (const [field, value] of [...request.headers, ...request.parameters]) {
    if (FIXED_VALUES[field]?.includes(value) === false) throw notImplemented(`${field}: ${value}`);
  }
  return found;
}

function matchesRequest({ needs = [], copies }: Operation, { parameters, headers }: S3Request): boolean {
  if (copies === true && !headers.has(SOURCE)) return false;
  return needs.every((need) => parameters.has(need));
}

/** Only headers with these beginnings have a meaning in S3. */
function isSupported({ headers = [] }: Operation, header: string): boolean {
  return (
    !/^(x-amz-|if-)/.test(header) ||
    COMMON_HEADERS.includes(header) ||
    headers.some((known) => header === known || (known.endsWith('-') && header.startsWith(known)))
  );
}
