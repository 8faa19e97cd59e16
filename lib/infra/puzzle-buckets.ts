import { Duration, RemovalPolicy, Stack, Token, TokenComparison, Validations } from 'aws-cdk-lib';
import { Grant, type IGrantable, type Role } from 'aws-cdk-lib/aws-iam';
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
import { checkEnvironment, requireVersions, sendEvents } from './existing-bucket.ts';
import { checkPrefixes, type KeyPrefixes } from './key-prefixes.ts';

/** Days that parts of large jobs are kept: longer than the 14 days in which a failed execution can be redriven. */
const WORK_DAYS = 21;

/** Lifecycle rules round up to the next midnight, and S3 applies them late. */
const MARGIN_DAYS = 14;

/** Version 0.1 counted what a day had used under this prefix; the next release can omit the rule. */
const USAGE_PREFIX = 'usage/';
const USAGE_DAYS = 35;

/** Days after which incomplete multipart uploads are aborted. */
const INCOMPLETE_UPLOAD_DAYS = 3;

/** Prefixes of the results bucket that have the outcomes of jobs. */
export const OUTCOME_PREFIXES: readonly string[] = [
  RESULTS_PREFIX,
  REJECTS_PREFIX,
  DONE_PREFIX,
  STATUS_PREFIX,
];

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

  /** Lets a role read any version of an upload, and distinguish missing from forbidden. */
  grantReadUploads(role: Role): void {
    allow(role, ['s3:GetObject', 's3:GetObjectVersion'], this.input, this.uploadPrefixes);
    allow(role, [LIST_ACTIONS.keys], this.input);
    this.input.encryptionKey?.grant(role, ...READ_KEY_ACTIONS);
  }

  /** Lets a role list the versions of uploads, but read none. */
  grantListUploads(role: Role): void {
    allow(role, [LIST_ACTIONS.versions], this.input);
  }

  /** Lets a role use the results bucket: each kind of access only under its prefixes. */
  grantResults(role: Role, { list = [], ...uses }: ResultsAccess): void {
    for (const [use, prefixes] of Object.entries(uses)) {
      allow(role, [RESULTS_ACTIONS[use as ResultsUse]], this.results, this.resultsFolders(prefixes));
    }
    if (list.length > 0) {
      allow(
        role,
        list.map((what) => LIST_ACTIONS[what]),
        this.results,
      );
    }
    this.grantResultsKey(role, uses.write === undefined ? 'read' : 'write');
  }

  /** Lets a role commit and reject jobs, and order the versions of an upload. */
  grantOutcomes(role: Role): void {
    this.grantListUploads(role);
    this.grantResults(role, {
      // Whether a status may be written depends on the one before it.
      read: [RESULTS_PREFIX, REJECTS_PREFIX, STATUS_PREFIX],
      write: OUTCOME_PREFIXES,
      // Files of abandoned attempts, and the reject that a commit replaces.
      delete: [RESULTS_PREFIX, REJECTS_PREFIX],
      list: ['keys', 'versions'],
    });
  }

  /** Lets a role use the key of the results bucket, if it has one. */
  grantResultsKey(role: Role, use: 'read' | 'write'): void {
    this.results.encryptionKey?.grant(role, ...(use === 'read' ? READ_KEY_ACTIONS : WRITE_KEY_ACTIONS));
  }

  /** Lets a principal outside of the construct upload files, and options with them. */
  grantUpload(grantee: IGrantable): Grant {
    return grantTo(
      grantee,
      ['s3:PutObject', 's3:AbortMultipartUpload'],
      this.input,
      this.uploadPrefixes,
      WRITE_KEY_ACTIONS,
    );
  }

  /** Lets a principal outside of the construct read everything about jobs and runs, and list the results bucket. */
  grantRead(grantee: IGrantable): Grant {
    const prefixes = this.resultsFolders([...OUTCOME_PREFIXES, RUNS_PREFIX]);
    return grantTo(grantee, ['s3:GetObject'], this.results, prefixes, READ_KEY_ACTIONS).combine(
      grantTo(grantee, ['s3:ListBucket'], this.results),
    );
  }

  /** Lets people compare a file with the upload of the same key, and remove the parts of an upload that failed. */
  grantCompareUploads(grantee: IGrantable): void {
    grantTo(
      grantee,
      ['s3:GetObject', 's3:ListMultipartUploadParts'],
      this.input,
      this.uploadPrefixes,
    ).assertSuccess();
    grantTo(grantee, [LIST_ACTIONS.keys, 's3:ListBucketMultipartUploads'], this.input).assertSuccess();
  }

  /** Lets people see which uploads exist, and how far the shards of a large one are. */
  grantProgress(grantee: IGrantable): void {
    grantTo(grantee, [LIST_ACTIONS.versions], this.input).assertSuccess();
    grantTo(grantee, [LIST_ACTIONS.versions], this.results).assertSuccess();
    grantTo(
      grantee,
      [RESULTS_ACTIONS.read],
      this.results,
      this.resultsFolders([WORK_PREFIX]),
      READ_KEY_ACTIONS,
    ).assertSuccess();
  }

  /** Lets people read every version of an upload to repeat its job, and delete uploads, whose versions stay. */
  grantRepeat(grantee: IGrantable): void {
    grantTo(
      grantee,
      ['s3:GetObject', 's3:GetObjectVersion', 's3:DeleteObject'],
      this.input,
      this.uploadPrefixes,
      READ_KEY_ACTIONS,
    ).assertSuccess();
    grantTo(grantee, [LIST_ACTIONS.keys, LIST_ACTIONS.versions], this.input).assertSuccess();
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

/** Without the permission to list keys, S3 answers 403 for a missing key, which looks like a missing permission. */
const LIST_ACTIONS = { keys: 's3:ListBucket', versions: 's3:ListBucketVersions' };

const RESULTS_ACTIONS = {
  read: 's3:GetObject',
  write: 's3:PutObject',
  delete: 's3:DeleteObject',
  /** For objects of over 8 MiB, which are written in parts: a write that fails removes its parts. */
  abort: 's3:AbortMultipartUpload',
  listParts: 's3:ListMultipartUploadParts',
};

type ResultsUse = keyof typeof RESULTS_ACTIONS;

/** Prefixes of the results bucket for each kind of access, and what may be listed. */
export interface ResultsAccess extends Readonly<Partial<Record<ResultsUse, readonly string[]>>> {
  readonly list?: readonly (keyof typeof LIST_ACTIONS)[];
}

/** Actions with the key of a bucket. Uploads in parts are read while they are joined, so writing needs both. */
const READ_KEY_ACTIONS = ['kms:Decrypt'];
const WRITE_KEY_ACTIONS = ['kms:Decrypt', 'kms:GenerateDataKey'];

/** Allows actions on the bucket itself or, if there are prefixes, on the objects under them. */
function allow(role: Role, actions: string[], bucket: IBucket, prefixes: readonly string[] = []): void {
  const resourceArns = arnsIn(bucket, prefixes);
  Grant.addToPrincipal({ grantee: role, actions, resourceArns }).assertSuccess();
  for (const prefix of prefixes) acknowledgePrefix(role, bucket, prefix);
}

/** Allows a principal the same, in the policy of the bucket if it has none itself, and the use of the bucket's key. */
function grantTo(
  grantee: IGrantable,
  actions: string[],
  bucket: IBucket,
  prefixes: readonly string[] = [],
  keyActions: readonly string[] = [],
): Grant {
  // A role, or a managed policy, whose principal is no construct.
  const owner = [grantee.grantPrincipal, grantee].find((each) => Construct.isConstruct(each));
  if (owner !== undefined) for (const prefix of prefixes) acknowledgePrefix(owner, bucket, prefix);
  const resourceArns = arnsIn(bucket, prefixes);
  const granted = Grant.addToPrincipalOrResource({ grantee, actions, resourceArns, resource: bucket });
  const key = keyActions.length === 0 ? undefined : bucket.encryptionKey;
  return key === undefined ? granted : granted.combine(key.grant(grantee, ...keyActions));
}

function arnsIn(bucket: IBucket, prefixes: readonly string[]): string[] {
  return prefixes.length === 0
    ? [bucket.bucketArn]
    : prefixes.map((prefix) => bucket.arnForObjects(`${prefix}*`));
}

/** Acknowledges that a role may use every key under a prefix. */
export function acknowledgePrefix(role: IConstruct, bucket: IBucket, prefix: string): void {
  acknowledgeWildcard(
    role,
    bucket.arnForObjects(`${prefix}*`),
    `Keys under ${prefix} contain the names of uploaded files, so they cannot be listed here.`,
  );
}

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
