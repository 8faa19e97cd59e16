import { Duration, RemovalPolicy, Stack, Token, TokenComparison, Validations } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type IBucket,
  type LifecycleRule,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import {
  DONE_PREFIX,
  REJECTS_PREFIX,
  RESULTS_PREFIX,
  RUNS_PREFIX,
  STATUS_PREFIX,
  WORK_PREFIX,
} from '../batch/names.ts';
import { type ACCESS, grantAccess, USAGE_PREFIX } from './bucket-access.ts';
import { checkEnvironment, requireVersions, sendEvents } from './existing-bucket.ts';
import { checkPrefixes, type KeyPrefixes } from './key-prefixes.ts';

/** Days that parts of large jobs are kept: longer than the 14 days in which a failed execution can be redriven. */
const WORK_DAYS = 21;

/** Lifecycle rules round up to the next midnight, and S3 applies them late. */
const MARGIN_DAYS = 14;

/** Days that what a day has used is kept (`USAGE_PREFIX`). */
const USAGE_DAYS = 35;

/** Days after which incomplete multipart uploads are aborted. */
const INCOMPLETE_UPLOAD_DAYS = 3;

export interface PuzzleBucketsProps {
  /** Days for which replaced or deleted uploads in a bucket created here can be solved and restored. */
  readonly uploadVersionDays: number;
  /** Days for which replaced or deleted objects of a results bucket created here can be restored. */
  readonly noncurrentVersionDays: number;
  /** Days after which uploads in a bucket created here expire. @default - never */
  readonly inputExpiryDays?: number;
  /** Days after which outcomes in a bucket created here expire. @default - never */
  readonly resultExpiryDays?: number;
  readonly prefixes: KeyPrefixes;
  /** @default - created here */
  readonly input?: IBucket;
  /** @default - created here */
  readonly results?: IBucket;
  /**
   * Key of the buckets that are created here.
   * @default - keys of S3, which need no permissions
   */
  readonly encryptionKey?: IKey;
}

/**
 * The two buckets: puzzles arrive in one, results are written to the other.
 *
 * Two, so that no loop can form: the input bucket sends an event for every new object, the results bucket needs none.
 * Both contain user data, so they outlive the stack. Every version of the input is a job: the newest one is kept unless a
 * setting expires it, and others long enough that a late message or a large job finds the version that it names.
 *
 * Of an existing bucket, only the events are changed; lifecycle rules and the bucket policy are its owner's.
 */
export class PuzzleBuckets extends Construct {
  readonly input: IBucket;
  readonly results: IBucket;
  readonly prefixes: KeyPrefixes;

  /** @throws Error if a prefix or a bucket does not fit, naming the property */
  constructor(scope: Construct, id: string, props: PuzzleBucketsProps) {
    super(scope, id);
    this.prefixes = props.prefixes;
    checkPrefixes(props.prefixes);
    checkExistingBuckets(Stack.of(this), props);

    this.input =
      props.input ??
      this.privateBucket('Input', props, {
        lifecycleRules: [abortIncompleteUploads, ...this.inputExpiry(props)],
      });
    requireVersions(this, 'puzzleBucket', this.input);
    this.requireOwnFolders();
    sendEvents(this, 'puzzleBucket', this.input);

    this.results =
      props.results ??
      this.privateBucket('Results', props, {
        lifecycleRules: [
          abortIncompleteUploads,
          {
            id: 'expire-noncurrent-versions',
            noncurrentVersionExpiration: Duration.days(props.noncurrentVersionDays),
            expiredObjectDeleteMarker: true,
          },
          {
            id: 'expire-work',
            prefix: this.prefixes.results + WORK_PREFIX,
            expiration: Duration.days(WORK_DAYS),
            // A rewritten part has the same content, so its older version is useless.
            noncurrentVersionExpiration: Duration.days(1),
          },
          ...this.resultExpiry(props),
          {
            id: 'expire-usage',
            prefix: this.prefixes.results + USAGE_PREFIX,
            expiration: Duration.days(USAGE_DAYS),
            noncurrentVersionExpiration: Duration.days(1),
          },
        ],
      });
  }

  /** Makes synthesis fail if another construct of the app has the same uploads, which both would solve. */
  private requireOwnFolders(): void {
    this.node.addValidation({
      validate: () =>
        this.node.root.node
          .findAll()
          .filter((other) => other instanceof PuzzleBuckets)
          // One message for each pair.
          .filter((other) => other.node.path < this.node.path && this.sharesUploads(other))
          .map((other) => {
            const [first, second] = [other, this].map(({ node, uploadPrefixes }) => ({
              path: node.scope!.node.path,
              folders: uploadPrefixes.join(' and '),
            }));
            return (
              `${first!.path} and ${second!.path} solve the same uploads of the bucket ${this.input.node.path}, so each would be ` +
              `solved twice: the folders are ${first!.folders}, and ${second!.folders}. Give each construct its own inboxPrefix and scheduledPrefix`
            );
          }),
    });
  }

  private sharesUploads({ input, uploadPrefixes }: PuzzleBuckets): boolean {
    const isSame =
      input === this.input ||
      Token.compareStrings(input.bucketName, this.input.bucketName) === TokenComparison.SAME;
    return (
      isSame &&
      uploadPrefixes.some((theirs) =>
        this.uploadPrefixes.some((ours) => ours.startsWith(theirs) || theirs.startsWith(ours)),
      )
    );
  }

  /** What was replaced, deleted or expired remains for a while: large jobs may still read it, and people restore it. */
  private inputExpiry({ inputExpiryDays: days, uploadVersionDays }: PuzzleBucketsProps): LifecycleRule[] {
    const noncurrent = {
      id: 'expire-noncurrent-versions',
      noncurrentVersionExpiration: Duration.days(uploadVersionDays),
      expiredObjectDeleteMarker: true,
    };
    if (days === undefined) return [noncurrent];
    const expired = this.uploadPrefixes.map((prefix, index) => ({
      id: `expire-uploads-${index + 1}`,
      prefix,
      expiration: Duration.days(days),
    }));
    return [noncurrent, ...expired];
  }

  /** The marker of a job outlives its upload, as a bulk run would solve the upload again. */
  private resultExpiry({
    inputExpiryDays,
    uploadVersionDays,
    resultExpiryDays,
  }: PuzzleBucketsProps): LifecycleRule[] {
    const rules: LifecycleRule[] = [];
    if (resultExpiryDays !== undefined) {
      const prefixes = [RESULTS_PREFIX, REJECTS_PREFIX, STATUS_PREFIX, RUNS_PREFIX];
      for (const [index, prefix] of this.resultsFolders(prefixes).entries()) {
        rules.push({
          id: `expire-${prefixes[index]!.slice(0, -1)}`,
          prefix,
          expiration: Duration.days(resultExpiryDays),
        });
      }
    }
    if (inputExpiryDays !== undefined) {
      rules.push({
        id: 'expire-done',
        prefix: this.prefixes.results + DONE_PREFIX,
        expiration: Duration.days(inputExpiryDays + uploadVersionDays + MARGIN_DAYS),
      });
    }
    return rules;
  }

  /** Allows a function, or people, what the table of `bucket-access.ts` says. */
  grant(grantee: IGrantable, access: keyof typeof ACCESS): Grant {
    const { input, results, uploadPrefixes, prefixes } = this;
    return grantAccess(grantee, access, { input, results, uploadPrefixes, resultsFolder: prefixes.results });
  }

  /** Lets people read the settings of both buckets. */
  grantExamine(grantee: IGrantable): void {
    const actions = [
      's3:GetBucketNotification',
      's3:GetBucketPublicAccessBlock',
      's3:GetBucketVersioning',
      's3:GetLifecycleConfiguration',
    ];
    const resourceArns = [this.input, this.results].map(({ bucketArn }) => bucketArn);
    Grant.addToPrincipal({ grantee, actions, resourceArns }).assertSuccess();
  }

  private get uploadPrefixes(): readonly string[] {
    return [this.prefixes.inbox, this.prefixes.scheduled];
  }

  private resultsFolders(prefixes: readonly string[]): readonly string[] {
    return prefixes.map((prefix) => this.prefixes.results + prefix);
  }

  private privateBucket(id: string, { encryptionKey }: PuzzleBucketsProps, props: BucketProps): Bucket {
    const bucket = new Bucket(this, id, {
      versioned: true,
      ...(encryptionKey === undefined
        ? { encryption: BucketEncryption.S3_MANAGED }
        : { encryption: BucketEncryption.KMS, encryptionKey, bucketKeyEnabled: true }),
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

/** @throws Error if the settings of existing buckets contradict each other or the stack */
function checkExistingBuckets(
  stack: Stack,
  { input, results, inputExpiryDays, resultExpiryDays }: PuzzleBucketsProps,
): void {
  for (const [expiry, days, property, bucket] of [
    ['inputExpiryDays', inputExpiryDays, 'puzzleBucket', input],
    ['resultExpiryDays', resultExpiryDays, 'resultsBucket', results],
  ] as const) {
    if (days === undefined || bucket === undefined) continue;
    throw new Error(
      `${expiry} is ${days}, and ${property} is ${bucket.node.path}: omit ${expiry}, which is for a bucket that the construct ` +
        'creates, and set lifecycle rules in yours',
    );
  }

  if (input !== undefined) checkEnvironment(stack, 'puzzleBucket', input);
  if (results !== undefined) checkEnvironment(stack, 'resultsBucket', results);
  if (input === undefined || results === undefined) return;
  if (input === results || input.bucketName === results.bucketName) {
    throw new Error(
      `puzzleBucket and resultsBucket are both ${input.node.path}: give two buckets, so that no result starts a job`,
    );
  }
}
