import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Grant } from 'aws-cdk-lib/aws-iam';
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

  /** Lets a function read any version of an upload, and tell a missing one from a forbidden one. */
  grantReadUploads(grantee: IGrantable): void {
    allow(grantee, ['s3:GetObject', 's3:GetObjectVersion'], [this.input.arnForObjects(`${INBOX_PREFIX}*`)]);
    allow(grantee, LIST_ACTIONS, [this.input.bucketArn]);
  }

  /** Lets a function read, write and delete under {@link SOLVER_PREFIXES}, and nowhere else. */
  grantWriteResults(grantee: IGrantable): void {
    allow(
      grantee,
      ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
      SOLVER_PREFIXES.map((prefix) => this.results.arnForObjects(`${prefix}*`)),
    );
    allow(grantee, LIST_ACTIONS, [this.results.bucketArn]);
  }

  private privateBucket(id: string, props: BucketProps): Bucket {
    const bucket = new Bucket(this, id, {
      versioned: true,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      removalPolicy: RemovalPolicy.RETAIN,
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

function allow(grantee: IGrantable, actions: string[], resourceArns: string[]): void {
  Grant.addToPrincipal({ grantee, actions, resourceArns }).assertSuccess();
}

/**
 * Set on the resource itself: the construct's own `eventBridgeEnabled` deploys a custom resource, with a function
 * and a role that may change the notifications of every bucket, for what CloudFormation has long had a property.
 */
function sendEventsToEventBridge(bucket: Bucket): void {
  const resource = bucket.node.defaultChild as CfnBucket;
  resource.notificationConfiguration = { eventBridgeConfiguration: { eventBridgeEnabled: true } };
}
