/**
 * Who may do what with the objects of the two buckets: the one table of these permissions. Functions have the names of their
 * handlers; the last four are for people.
 */
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct, type IConstruct } from 'constructs';
import {
  DONE_PREFIX,
  REJECTS_PREFIX,
  RESULTS_PREFIX,
  RUNS_PREFIX,
  STATUS_PREFIX,
  WORK_PREFIX,
} from '../batch/names.ts';
import { acknowledgeWildcard } from './acknowledged-findings.ts';
import { KEY_ACTIONS } from './customer-key.ts';

const READ = ['s3:GetObject'];
const WRITE = ['s3:PutObject'];
/** For objects of over 8 MiB, which are written in parts: a write that fails removes its parts. */
const ABORT = ['s3:AbortMultipartUpload'];
/** Without the permission to list keys, S3 answers 403 for a missing key, which looks like a missing permission. */
const LIST_KEYS = 's3:ListBucket';
const LIST_VERSIONS = 's3:ListBucketVersions';

/** The place of the prefixes of uploads in a row. */
export const UPLOADS = 'uploads';
/** Prefixes of the results bucket that have the outcomes of jobs. */
const OUTCOMES = [RESULTS_PREFIX, REJECTS_PREFIX, DONE_PREFIX, STATUS_PREFIX];
/** Those of a bulk run. */
const RUN_FILES = [RUNS_PREFIX, WORK_PREFIX];

/** Actions on the bucket itself or, with prefixes, on the objects under them. */
export type Access = readonly [
  bucket: 'input' | 'results',
  actions: readonly string[],
  prefixes?: typeof UPLOADS | readonly string[],
];

/** Reads any version of an upload, and distinguishes missing from forbidden. */
const READ_UPLOADS: readonly Access[] = [
  ['input', [...READ, 's3:GetObjectVersion'], UPLOADS],
  ['input', [LIST_KEYS]],
];
/** Commits and rejects jobs, and orders the versions of an upload. */
const COMMIT: readonly Access[] = [
  ['input', [LIST_VERSIONS]],
  // Whether a status may be written depends on the one before it.
  ['results', READ, [RESULTS_PREFIX, REJECTS_PREFIX, STATUS_PREFIX]],
  ['results', WRITE, OUTCOMES],
  // Files of abandoned attempts, and the reject that a commit replaces.
  ['results', ['s3:DeleteObject'], [RESULTS_PREFIX, REJECTS_PREFIX]],
  ['results', [LIST_KEYS, LIST_VERSIONS]],
];
const WORK: readonly Access[] = [['results', [...READ, ...WRITE], [WORK_PREFIX]]];

const BUCKET_SETTINGS = [
  's3:GetBucketNotification',
  's3:GetBucketPublicAccessBlock',
  's3:GetBucketVersioning',
  's3:GetLifecycleConfiguration',
];

/**
 * Version 0.1 counted what a day had used under this prefix. Its functions finish the large jobs that they have begun, also
 * after an upgrade, and then write it. The next release can omit these permissions and the expiry.
 */
export const USAGE_PREFIX = 'usage/';
const COUNT_USAGE: readonly Access[] = [['results', [...READ, ...WRITE], [USAGE_PREFIX]]];

export const ACCESS = {
  'solve-batch': [
    ...READ_UPLOADS,
    ...COMMIT,
    ['results', ABORT, [RESULTS_PREFIX]],
    // A large job that failed leaves its shards under work/: the status says which of them is not solved.
    ['results', READ, [DONE_PREFIX, WORK_PREFIX]],
  ],
  'plan-shards': [...READ_UPLOADS, ...WORK, ['results', ABORT, [WORK_PREFIX]], ...COMMIT, ...COUNT_USAGE],
  'count-shard': [...READ_UPLOADS, ...WORK],
  // A missing part is not solved yet.
  'solve-shard': [...READ_UPLOADS, ...WORK, ['results', ABORT, [WORK_PREFIX]], ['results', [LIST_KEYS]]],
  'merge-shards': [
    // Functions of version 0.1 also store how far they have merged; the next release can allow reading alone.
    ...WORK,
    ['results', ['s3:ListMultipartUploadParts', ...ABORT], [RESULTS_PREFIX]],
    ...COMMIT,
    ...COUNT_USAGE,
  ],
  'run-step': [
    ['input', [LIST_VERSIONS]],
    ['results', READ, [...RUN_FILES, REJECTS_PREFIX, DONE_PREFIX, STATUS_PREFIX]],
    ['results', [...WRITE, ...ABORT], RUN_FILES],
    ['results', [LIST_KEYS]],
  ],
  /** Uploads files, and options with them; may neither read nor delete uploads. */
  uploaders: [['input', [...WRITE, ...ABORT], UPLOADS]],
  /** Reads everything about jobs and runs. */
  readers: [
    ['results', READ, [...OUTCOMES, RUNS_PREFIX]],
    ['results', [LIST_KEYS]],
  ],
  /** Compares a file with the upload of the same key, and removes the parts of an upload that failed. */
  comparing: [
    ['input', [...READ, 's3:ListMultipartUploadParts'], UPLOADS],
    ['input', [LIST_KEYS, 's3:ListBucketMultipartUploads']],
  ],
  /** Sees which uploads exist, and how far the shards of a large one are. */
  watching: [
    ['input', [LIST_VERSIONS]],
    ['results', [LIST_VERSIONS]],
    ['results', READ, [WORK_PREFIX]],
  ],
  /** Reads every version of an upload to repeat its job, deletes uploads, whose versions stay, and ends bulk runs. */
  repeating: [
    ['input', [...READ, 's3:GetObjectVersion', 's3:DeleteObject'], UPLOADS],
    ['input', [LIST_KEYS, LIST_VERSIONS]],
    // The list of a run, and its end.
    ['results', WRITE, [RUNS_PREFIX]],
  ],
  /** Reads the settings of both buckets. */
  examining: [
    ['input', BUCKET_SETTINGS],
    ['results', BUCKET_SETTINGS],
  ],
} as const satisfies Readonly<Record<string, readonly Access[]>>;

/**
 * Allows a principal actions on a bucket or, with folders, on the objects under them, in the policy of the bucket if it has none
 * itself; and the use of the bucket's key.
 */
export function grantTo(
  grantee: IGrantable,
  actions: readonly string[],
  bucket: IBucket,
  folders: readonly string[],
): Grant {
  // A role, or a managed policy, whose principal is no construct.
  const owner = [grantee.grantPrincipal, grantee].find((each) => Construct.isConstruct(each));
  if (owner !== undefined) for (const folder of folders) acknowledgePrefix(owner, bucket, folder);
  const granted = Grant.addToPrincipalOrResource({
    grantee,
    actions: [...actions],
    resourceArns:
      folders.length === 0 ? [bucket.bucketArn] : folders.map((folder) => bucket.arnForObjects(`${folder}*`)),
    resource: bucket,
  });
  const keyActions = ACTIONS_OF_KEY.find(([action]) => actions.includes(action))?.[1];
  const key = keyActions && bucket.encryptionKey;
  return key === undefined ? granted : granted.combine(key.grant(grantee, ...keyActions!));
}

/** Actions with the key of a bucket. Uploads in parts are read while they are joined, so writing needs both. */
const ACTIONS_OF_KEY = [
  ['s3:PutObject', KEY_ACTIONS],
  ['s3:GetObject', ['kms:Decrypt']],
] as const;

/** Acknowledges that a role may use every key under a prefix. */
export function acknowledgePrefix(role: IConstruct, bucket: IBucket, prefix: string): void {
  acknowledgeWildcard(role, 'keys', bucket.arnForObjects(`${prefix}*`));
}
