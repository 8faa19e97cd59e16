import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
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

/** Days that pieces of large jobs are kept: longer than the 14 days in which a failed run can be redriven. */
const WORK_DAYS = 21;

/** Days after which the parts of an upload that nobody completed are thrown away. */
const INCOMPLETE_UPLOAD_DAYS = 3;

/** Prefixes of the results bucket that a function which solves may read, write and delete under. */
export const SOLVER_PREFIXES: readonly string[] = [
  RESULTS_PREFIX,
  REJECTS_PREFIX,
  DONE_PREFIX,
  STATUS_PREFIX,
];

export interface PuzzleBucketsProps {
  /** Days for which a replaced or deleted object of the results bucket can still be had back. */
  readonly noncurrentVersionDays: number;
}

/**
 * The two buckets: puzzles come in through one, results go out through the other.
 *
 * Two, so that no loop can form: the input bucket tells EventBridge about every new object, the results bucket
 * tells nobody. Both hold people's data, so they outlive the stack. Versions of the input are kept for good:
 * every version is a job, and a late message must still find the one that it names.
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
          // A piece that was written again is the same piece: its older version is of no use to anyone.
          noncurrentVersionExpiration: Duration.days(1),
        },
      ],
    });
  }

  /** Lets a role read any version of an upload, and tell a missing one from a forbidden one. */
  grantReadUploads(role: Role): void {
    allow(role, ['s3:GetObject', 's3:GetObjectVersion'], this.input, [INBOX_PREFIX, SCHEDULED_PREFIX]);
    allow(role, LIST_ACTIONS, this.input);
  }

  /** Lets a role see which uploads there are, and read none. */
  grantListUploads(role: Role): void {
    allow(role, LIST_ACTIONS, this.input);
  }

  /** Lets a role do this under these prefixes of the results bucket and nowhere else, and list the bucket. */
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
      // A first deployment that fails is rolled back whole: its buckets are empty, and would be left over.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      ...props,
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Who reads and writes objects is recorded by CloudTrail data events, where an account wants that; ' +
        'server access logs would need a third bucket which grows with every request.',
    });
    return bucket;
  }
}

const abortIncompleteUploads = {
  id: 'abort-incomplete-uploads',
  abortIncompleteMultipartUploadAfter: Duration.days(INCOMPLETE_UPLOAD_DAYS),
};

/** Without these S3 answers 403 for a key or version that is missing, which looks like a lost permission. */
const LIST_ACTIONS = ['s3:ListBucket', 's3:ListBucketVersions'];

/** What may be done with objects of the results bucket. */
export type ResultsUse = 'read' | 'write' | 'write and delete' | 'list parts';

const RESULTS_ACTIONS: Readonly<Record<ResultsUse, string[]>> = {
  read: ['s3:GetObject'],
  write: ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'],
  'write and delete': ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
  'list parts': ['s3:ListMultipartUploadParts'],
};

/** Allows actions on the bucket itself or, where there are prefixes, on its objects under them. */
function allow(role: Role, actions: string[], bucket: Bucket, prefixes: readonly string[] = []): void {
  const onObjects = prefixes.map((prefix) => bucket.arnForObjects(`${prefix}*`));
  const resourceArns = onObjects.length === 0 ? [bucket.bucketArn] : onObjects;
  Grant.addToPrincipal({ grantee: role, actions, resourceArns }).assertSuccess();
  for (const prefix of prefixes) acknowledgePrefix(role, bucket, prefix);
}

/** Says why a role may use every key under a prefix: names that one finding, so that any wider wildcard is still found. */
export function acknowledgePrefix(role: Role, bucket: Bucket, prefix: string): void {
  const logicalId = Stack.of(bucket).getLogicalId(bucket.node.defaultChild as CfnBucket);
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${logicalId}.Arn>/${prefix}*]`,
    reason: `Keys under ${prefix} are made from the names of the uploaded files, so they cannot be listed here.`,
  });
}

/**
 * Set on the resource itself: the construct's own `eventBridgeEnabled` deploys a custom resource, with a function
 * and a role that may change the notifications of every bucket, for what CloudFormation has long had a property.
 */
function sendEventsToEventBridge(bucket: Bucket): void {
  const resource = bucket.node.defaultChild as CfnBucket;
  resource.notificationConfiguration = { eventBridgeConfiguration: { eventBridgeEnabled: true } };
}
