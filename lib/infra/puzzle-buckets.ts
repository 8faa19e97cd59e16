import {
  Annotations,
  Aspects,
  Duration,
  type IResource,
  RemovalPolicy,
  Stack,
  Token,
  TokenComparison,
  Validations,
} from 'aws-cdk-lib';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  CfnBucket,
  type IBucket,
  type LifecycleRule,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import {
  DONE_PREFIX,
  INBOX_PREFIX,
  REJECTS_PREFIX,
  RESULTS_PREFIX,
  RUNS_PREFIX,
  STATUS_PREFIX,
  type UploadPrefixes,
  WORK_PREFIX,
} from '../batch/names.ts';
import { ACCESS, type Access, grantTo, UPLOADS, USAGE_PREFIX } from './bucket-access.ts';
import type { Instance } from './instance.ts';

/** Days that parts of large jobs are kept: longer than the 14 days in which a failed execution can be redriven. */
const WORK_DAYS = 21;

/** Lifecycle rules round up to the next midnight, and S3 applies them late. */
const MARGIN_DAYS = 14;

/** Days that what a day has used is kept (`USAGE_PREFIX`). */
const USAGE_DAYS = 35;

/** Days after which incomplete multipart uploads are aborted. */
const INCOMPLETE_UPLOAD_DAYS = 3;

/** Characters that are safe in keys and have no meaning in policies and event patterns. */
const FOLDER = /^(?:[A-Za-z0-9!_.'()-]+\/)+$/;

/** With a longer folder, the longest keys of results would exceed the 1,024 bytes of S3. */
const MAX_FOLDER_BYTES = 100;

/** Prefixes of the keys in both buckets, so that they may contain objects of other programs. */
export interface KeyPrefixes extends UploadPrefixes {
  /** Folder of all keys in the results bucket; empty for the whole bucket. */
  readonly results: string;
}

export interface PuzzleBucketsProps {
  readonly prefixes: KeyPrefixes;
  /** @default - created here */
  readonly puzzleBucket?: IBucket;
  /** @default - created here */
  readonly resultsBucket?: IBucket;
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
  readonly #uploadPrefixes: readonly string[];

  /** @throws Error if a prefix or a bucket does not fit, naming the property */
  constructor(scope: Construct, id: string, instance: Instance, props: PuzzleBucketsProps) {
    super(scope, id);
    const { prefixes } = props;
    this.prefixes = prefixes;
    this.#uploadPrefixes = [prefixes.inbox, prefixes.scheduled];
    checkPrefixes(prefixes);
    checkExistingBuckets(Stack.of(this), instance, props);
    this.input = props.puzzleBucket ?? this.#privateBucket('Input', instance, this.#inputRules(instance));
    this.#requireVersions();
    this.#requireOwnFolders();
    this.#sendEvents();
    this.results =
      props.resultsBucket ??
      this.#privateBucket('Results', instance, resultRules(instance, prefixes.results));
  }

  /** Allows a function, or people, what a row of the table says. */
  grant(grantee: IGrantable, access: keyof typeof ACCESS): Grant {
    const rows: readonly Access[] = ACCESS[access];
    return rows
      .map(([name, actions, prefixes = []]) => {
        const folders =
          prefixes === UPLOADS
            ? this.#uploadPrefixes
            : prefixes.map((prefix) => this.prefixes.results + prefix);
        return grantTo(grantee, actions, this[name], folders);
      })
      .reduce((all, each) => all.combine(each));
  }

  /** What was replaced, deleted or expired remains for a while: large jobs may still read it, and people restore it. */
  #inputRules({ inputExpiryDays: days, uploadVersionDays }: Instance): LifecycleRule[] {
    const expired = days === undefined ? [] : this.#uploadPrefixes;
    return [
      expireVersions(uploadVersionDays),
      ...expired.map((prefix, index) => expire(`uploads-${index + 1}`, prefix, days!)),
    ];
  }

  #privateBucket(id: string, { encryptionKey }: Instance, lifecycleRules: LifecycleRule[]): Bucket {
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
      lifecycleRules: [
        {
          id: 'abort-incomplete-uploads',
          abortIncompleteMultipartUploadAfter: Duration.days(INCOMPLETE_UPLOAD_DAYS),
        },
        ...lifecycleRules,
      ],
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'CloudTrail data events record reads and writes of objects in accounts that enable them; server access logs ' +
        'would need a third bucket that grows with every request.',
    });
    return bucket;
  }

  /**
   * Makes synthesis fail if a bucket of the app keeps no versions. Each version of an upload is a job; without versions,
   * the functions of a large file could read two different files. The versions of an imported bucket are unknown here.
   */
  #requireVersions(): void {
    const resource = cfnBucketOf(this.input);
    const hasVersions = () =>
      resource === undefined ||
      Stack.of(resource).resolve(resource.versioningConfiguration)?.status === 'Enabled';
    const message = `puzzleBucket ${this.input.node.path} keeps no versions: set versioned: true on it, as each version is a job`;
    this.node.addValidation({ validate: () => (hasVersions() ? [] : [message]) });
  }

  /** Makes synthesis fail if another construct of the app has the same uploads, which both would solve. */
  #requireOwnFolders(): void {
    const isBefore = (other: Construct): other is PuzzleBuckets =>
      other instanceof PuzzleBuckets && other.node.path < this.node.path;
    const validate = () =>
      // One message for each pair.
      (this.node.root.node.findAll() as Construct[])
        .filter(isBefore)
        .filter((other) => this.#sharesUploads(other))
        .map(
          (other) =>
            `${other.node.scope!.node.path} and ${this.node.scope!.node.path} solve the same uploads of the bucket ${this.input.node.path}, so each would be ` +
            `solved twice: the folders are ${other.#uploadPrefixes.join(' and ')}, and ${this.#uploadPrefixes.join(' and ')}. Give each construct its own inboxPrefix and scheduledPrefix`,
        );
    this.node.addValidation({ validate });
  }

  #sharesUploads(other: PuzzleBuckets): boolean {
    return (
      isSame(other.input, this.input) &&
      other.#uploadPrefixes.some((theirs) =>
        this.#uploadPrefixes.some((ours) => ours.startsWith(theirs) || theirs.startsWith(ours)),
      )
    );
  }

  /**
   * Makes a bucket of the app send its events to EventBridge, and warns about an imported one, whose owner does that.
   *
   * It sets the property of the resource itself: although CloudFormation has it, the library's own
   * `enableEventBridgeNotification()` deploys a custom resource, a function with a role. Only if the bucket has that
   * custom resource anyway, for other notifications, it is used: it would overwrite the property. For an imported bucket
   * the custom resource is the only way; the app's owner decides whether to deploy it.
   */
  #sendEvents(): void {
    const { input } = this;
    const resource = cfnBucketOf(input);
    const path = 'NotificationConfiguration.EventBridgeConfiguration.EventBridgeEnabled';
    resource?.addPropertyOverride(path, true);
    // When the app is complete: notifications may be added later than this construct.
    Aspects.of(this).add({
      visit: (node) => {
        if (node !== this) return;
        const hasNotifications = input.node.tryFindChild('Notifications') !== undefined;
        if (resource !== undefined && hasNotifications) input.enableEventBridgeNotification();
        if (resource !== undefined || hasNotifications) return;
        Annotations.of(this).addWarningV2(
          'dlx-batch:puzzleBucketEvents',
          `puzzleBucket ${input.node.path} is imported: without its events, uploads are only solved by the scheduled runs. ` +
            'Turn on Amazon EventBridge in its notifications, or call enableEventBridgeNotification() on it, which deploys ' +
            'a custom resource; then acknowledge this warning',
        );
      },
    });
  }
}

/** The marker of a job outlives its upload, as a bulk run would solve the upload again. */
function resultRules(instance: Instance, folder: string): LifecycleRule[] {
  const { inputExpiryDays, uploadVersionDays, resultExpiryDays } = instance;
  const outcomes =
    resultExpiryDays === undefined ? [] : [RESULTS_PREFIX, REJECTS_PREFIX, STATUS_PREFIX, RUNS_PREFIX];
  const done = inputExpiryDays === undefined ? [] : [DONE_PREFIX];
  const rule = (prefix: string, days: number) => expire(prefix.slice(0, -1), folder + prefix, days);
  // What is rewritten there has the same content, so its older version is useless.
  const once = { noncurrentVersionExpiration: Duration.days(1) };
  return [
    expireVersions(instance.noncurrentVersionDays),
    { ...rule(WORK_PREFIX, WORK_DAYS), ...once },
    ...outcomes.map((prefix) => rule(prefix, resultExpiryDays!)),
    ...done.map((prefix) => rule(prefix, inputExpiryDays! + uploadVersionDays + MARGIN_DAYS)),
    { ...rule(USAGE_PREFIX, USAGE_DAYS), ...once },
  ];
}

function expire(id: string, prefix: string, days: number): LifecycleRule {
  return { id: `expire-${id}`, prefix, expiration: Duration.days(days) };
}

function expireVersions(days: number): LifecycleRule {
  return {
    id: 'expire-noncurrent-versions',
    noncurrentVersionExpiration: Duration.days(days),
    expiredObjectDeleteMarker: true,
  };
}

/** @throws Error if a prefix is no folder, or the two prefixes of uploads overlap; the message names the property */
function checkPrefixes({ inbox, scheduled, results }: KeyPrefixes): void {
  checkFolder('inboxPrefix', inbox);
  checkFolder('scheduledPrefix', scheduled);
  if (results !== '') checkFolder('resultsPrefix', results);
  if (!inbox.startsWith(scheduled) && !scheduled.startsWith(inbox)) return;
  throw new Error(
    `inboxPrefix is "${inbox}" and scheduledPrefix is "${scheduled}": expected folders of which neither contains the other`,
  );
}

function checkFolder(property: string, prefix: string): void {
  if (FOLDER.test(prefix) && prefix.length <= MAX_FOLDER_BYTES) return;
  throw new Error(
    `${property} is "${prefix}": expected a folder such as puzzles/${property === 'resultsPrefix' ? '' : INBOX_PREFIX}, ` +
      `up to ${MAX_FOLDER_BYTES} letters, digits and ! _ . ' ( ) -, with a final slash`,
  );
}

/** @throws Error if the settings of existing buckets contradict each other or the stack */
function checkExistingBuckets(stack: Stack, instance: Instance, props: PuzzleBucketsProps): void {
  for (const [property, expiry] of [
    ['puzzleBucket', 'inputExpiryDays'],
    ['resultsBucket', 'resultExpiryDays'],
  ] as const) {
    const bucket = props[property];
    if (bucket === undefined) continue;
    checkPlace(stack, property, bucket, ['account', 'region']);
    if (instance[expiry] === undefined) continue;
    throw new Error(
      `${expiry} is ${instance[expiry]}, and ${property} is ${bucket.node.path}: omit ${expiry}, which is for a bucket that the construct ` +
        'creates, and set lifecycle rules in yours',
    );
  }
  const { puzzleBucket: input, resultsBucket: results } = props;
  if (input === undefined || results === undefined || !isSame(input, results)) return;
  throw new Error(
    `puzzleBucket and resultsBucket are both ${input.node.path}: give two buckets, so that no result starts a job`,
  );
}

/**
 * Checks that a resource of the app is in the account or the region of a stack: events and alarms reach no other region,
 * events of a bucket no other account. A stack without a region is deployed to the one that the `cdk` command gives to the app.
 *
 * @param property name of the resource's property, for messages
 * @throws Error if it is known to be elsewhere
 */
export function checkPlace(
  stack: Stack,
  property: string,
  { env, node }: IResource,
  places: readonly ('account' | 'region')[],
): void {
  for (const place of places) {
    const isUnknown = place === 'region' && Token.isUnresolved(stack.region);
    const own = isUnknown ? process.env.CDK_DEFAULT_REGION : stack[place];
    if (own === undefined || Token.compareStrings(env[place], own) !== TokenComparison.DIFFERENT) continue;
    throw new Error(
      `${property} ${node.path} is in ${place} ${env[place]}, the stack ${stack.stackName} in ${own}: ` +
        `give one in the same ${place}, because neither events nor alarms reach another one`,
    );
  }
}

function isSame(first: IBucket, second: IBucket): boolean {
  return (
    first === second || Token.compareStrings(first.bucketName, second.bucketName) === TokenComparison.SAME
  );
}

/** The resource of a bucket that is created in the app; undefined for an imported bucket. */
function cfnBucketOf(bucket: IBucket): CfnBucket | undefined {
  const resource = bucket.node.defaultChild ?? bucket.node.scope;
  return CfnBucket.isCfnBucket(resource) ? resource : undefined;
}
