import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Grant, type Role } from 'aws-cdk-lib/aws-iam';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type CfnBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import {
  DONE_PREFIX,
  INBOX_PREFIX,
  REJECTS_PREFIX,
  RESULTS_PREFIX,
  SCHEDULED_PREFIX,
  STATUS_PREFIX,
  WORK_PREFIX,
} from '../batch/names.ts';
import { acknowledgeWildcard, logicalIdOf } from './acknowledged-findings.ts';

/** Days that pieces of large jobs are kept: longer than the 14 days in which a failed execution can be redriven. */
const WORK_DAYS = 21;

/** Days after which incomplete multipart uploads are aborted. */
const INCOMPLETE_UPLOAD_DAYS = 3;

/** Prefixes of the results bucket under which a function that solves may read, write and delete. */
export const SOLVER_PREFIXES: readonly string[] = [
  RESULTS_PREFIX,
  REJECTS_PREFIX,
  DONE_PREFIX,
  STATUS_PREFIX,
];

export interface PuzzleBucketsProps {
  /** Days for which replaced or deleted objects of the results bucket can be restored. */
  readonly noncurrentVersionDays: number;
}

/**
 * The two buckets: puzzles arrive in one, results are written to the other.
 *
 * Two, so that no loop can form: the input bucket sends an event for every new object, the results bucket sends none.
 * Both contain user data, so they outlive the stack. Versions of the input are kept permanently: every version is a
 * job, and a late message must find the version that it names.
 */
export class PuzzleBuckets extends Construct {
  readonly input: Bucket;
  readonly results: Bucket;

  constructor(scope: Construct, id: string, props: PuzzleBucketsProps) {
    super(scope, id);
    this.input = this.privateBucket('Input', {
      lifecycleRules: [abortIncompleteUploads],
    });
    sendEventsToEventBridge(this.input);

    this.results = this.privateBucket('Results', {
      lifecycleRules: [
        abortIncompleteUploads,
        {
          id: 'expire-noncurrent-versions',
          noncurrentVersionExpiration: Duration.days(props.noncurrentVersionDays),
          expiredObjectDeleteMarker: true,
        },
        {
          id: 'expire-work',
          prefix: WORK_PREFIX,
          expiration: Duration.days(WORK_DAYS),
          // A rewritten piece has the same content, so its older version is useless.
          noncurrentVersionExpiration: Duration.days(1),
        },
      ],
    });
  }

  /** Lets a role read any version of an upload, and distinguish missing from forbidden. */
  grantReadUploads(role: Role): void {
    allow(role, ['s3:GetObject', 's3:GetObjectVersion'], this.input, [INBOX_PREFIX, SCHEDULED_PREFIX]);
    allow(role, LIST_ACTIONS, this.input);
  }

  /** Lets a role list uploads, but read none. */
  grantListUploads(role: Role): void {
    allow(role, LIST_ACTIONS, this.input);
  }

  /** Lets a role use the results bucket under these prefixes only, and list the bucket. */
  grantResults(role: Role, use: ResultsUse, prefixes: readonly string[]): void {
    allow(role, RESULTS_ACTIONS[use], this.results, prefixes);
    allow(role, LIST_ACTIONS, this.results);
  }

  private privateBucket(id: string, props: BucketProps): Bucket {
    const bucket = new Bucket(this, id, {
      versioned: true,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      // If the first deployment fails, its buckets are empty and the rollback removes them.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      ...props,
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'CloudTrail data events record reads and writes of objects in accounts that enable them; server access logs ' +
        'would need a third bucket that grows with every request.',
    });
    return bucket;
  }
}

const abortIncompleteUploads = {
  id: 'abort-incomplete-uploads',
  abortIncompleteMultipartUploadAfter: Duration.days(INCOMPLETE_UPLOAD_DAYS),
};

/** Without these, S3 answers 403 for a missing key or version, which looks like a missing permission. */
const LIST_ACTIONS = ['s3:ListBucket', 's3:ListBucketVersions'];

/** Access to objects of the results bucket. */
export type ResultsUse = 'read' | 'write' | 'write and delete' | 'list parts';

const RESULTS_ACTIONS: Readonly<Record<ResultsUse, string[]>> = {
  read: ['s3:GetObject'],
  write: ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'],
  'write and delete': ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
  'list parts': ['s3:ListMultipartUploadParts'],
};

/** Allows actions on the bucket itself or, if there are prefixes, on the objects under them. */
function allow(role: Role, actions: string[], bucket: Bucket, prefixes: readonly string[] = []): void {
  const onObjects = prefixes.map((prefix) => bucket.arnForObjects(`${prefix}*`));
  const resourceArns = onObjects.length === 0 ? [bucket.bucketArn] : onObjects;
  Grant.addToPrincipal({ grantee: role, actions, resourceArns }).assertSuccess();
  for (const prefix of prefixes) acknowledgePrefix(role, bucket, prefix);
}

/** Acknowledges that a role may use every key under a prefix. */
export function acknowledgePrefix(role: Role, bucket: Bucket, prefix: string): void {
  acknowledgeWildcard(
    role,
    `<${logicalIdOf(bucket.node.defaultChild)}.Arn>/${prefix}*`,
    `Keys under ${prefix} contain the names of uploaded files, so they cannot be listed here.`,
  );
}

/**
 * Sets the property of the resource itself: although CloudFormation has it, the construct's own `eventBridgeEnabled`
 * deploys a custom resource, with a function and a role that may change the notifications of every bucket.
 */
function sendEventsToEventBridge(bucket: Bucket): void {
  const resource = bucket.node.defaultChild as CfnBucket;
  resource.notificationConfiguration = { eventBridgeConfiguration: { eventBridgeEnabled: true } };
}
