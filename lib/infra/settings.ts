/**
 * Every setting, once: the values that it accepts, its default, and its meaning in a comment. The construct reads its
 * properties with this schema, and the CDK context is read with it. The properties of construct and stack have the types of
 * these values, and the comments here; `docs/reference/settings.md` is made of both.
 *
 * Each is accepted as a JSON value, as in `cdk.json`, and as text, as after `cdk -c`.
 */
import { Token } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';
import * as z from 'zod';
import { checkTimeZone, parseSchedule, ScheduleError } from '../batch/bulk-run/schedule-expression.ts';
import {
  DEADLINE_RESERVE_MS,
  DEFAULT_GRACE_MINUTES,
  DEFAULT_MAX_CONCURRENCY,
  DEFAULT_MEMORY_MB,
  DEFAULT_SHARD_CONCURRENCY,
  DEFAULT_TIMEOUT_SECONDS,
} from '../batch/limits.ts';
import { EVENT_TYPES } from '../batch/names.ts';
import { parseOptions } from '../batch/options.ts';

/** Below this, the time reserved for the commit would leave almost no time to solve. */
const MIN_TIMEOUT_SECONDS = 3 * (DEADLINE_RESERVE_MS / 1000);

/** A failed large job can be redriven for 14 days, and then takes up to three. */
const MIN_EXPIRY_DAYS = 21;
const MAX_DAYS = 36_500;

/** An e-mail address, roughly: SNS itself asks the address to confirm. */
const EMAIL = /^(?=.{1,254}$)[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>".]+$/;
/** A topic's subscriptions by e-mail: each receives each message. */
const MAX_EMAILS = 100;

/** Tags that a resource can have in addition to those of CloudFormation. */
const MAX_TAGS = 50;
const TAG_NAME = /^(?!aws:)[\p{L}\p{N}\p{Zs}_.:/=+@-]{1,128}$/iu;
const TAG_VALUE = /^[\p{L}\p{N}\p{Zs}_.:/=+@-]{1,256}$/u;

/** Not of an alias, which policies cannot name. */
const KEY_ARN = '^arn:[a-z-]+:kms:[a-z0-9-]+:\\d{12}:key/[\\w-]+$';
const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** Of settings in the context. */
const PREFIX = 'dlx:';

const RETENTIONS = Object.values(RetentionDays).filter(
  (days): days is RetentionDays => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

/** A setting. Published types of it need no zod. */
interface Setting<Value> {
  /** @returns the value of what was given, or what is expected instead */
  read(found: unknown): { readonly value: Value } | { readonly expected: string };
}

export const SETTINGS = {
  /**
   * Name of the stack: each name is a separate deployment.
   * @default DlxBatch
   */
  stackName: setting(
    matching(
      /^[A-Za-z][A-Za-z0-9-]{0,127}$/,
      'a stack name: letters, digits and hyphens, beginning with a letter',
    ),
    'DlxBatch',
  ),
  /**
   * Memory of the function in MiB, 128 to 10,240; 1,769 is one vCPU. New accounts often allow at most 3,008.
   * @default 1769
   */
  memoryMb: setting(wholeNumber(128, 10_240, 'MiB'), DEFAULT_MEMORY_MB),
  /**
   * Timeout of the function for one file, in seconds, 60 to 900.
   * @default 900
   */
  timeoutSeconds: setting(
    wholeNumber(MIN_TIMEOUT_SECONDS, DEFAULT_TIMEOUT_SECONDS, 'seconds'),
    DEFAULT_TIMEOUT_SECONDS,
  ),
  /**
   * Concurrent executions available to the construct, 10 to 100,000: the account's Lambda quota "Concurrent executions"
   * minus the need of everything else. New accounts often have 10. `maxConcurrency` and `shardConcurrency` are lowered
   * to fit. If it is set, and leaves the 100 executions that AWS keeps unreserved, the functions for large files get
   * reserved concurrency, so that `shardConcurrency` bounds all large files together; the account's quota is the bound
   * otherwise.
   * @default - 1000, and nothing is reserved
   */
  accountConcurrency: optional(wholeNumber(10, 100_000, 'concurrent executions')),
  /**
   * Maximum number of files solved concurrently, 2 to 1,000; at most half of `accountConcurrency`.
   * @default 10
   */
  maxConcurrency: setting(wholeNumber(2, 1000, 'concurrent invocations'), DEFAULT_MAX_CONCURRENCY),
  /**
   * Memory in MiB of the function that solves a shard of a large file, 128 to 10,240. From one vCPU up, the cost of a
   * puzzle stays the same, as price and speed both grow with memory; more vCPUs only finish a shard sooner.
   * @default 1769
   */
  shardMemoryMb: setting(wholeNumber(128, 10_240, 'MiB'), DEFAULT_MEMORY_MB),
  /**
   * Maximum number of shards solved concurrently, 1 to 10,000; at most what `maxConcurrency` leaves of
   * `accountConcurrency`. It bounds each large file, and all together if `accountConcurrency` is set; other shards wait.
   * @default 100
   */
  shardConcurrency: setting(wholeNumber(1, 10_000, 'concurrent shards'), DEFAULT_SHARD_CONCURRENCY),
  /**
   * When bulk runs start: `cron(...)`, `rate(...)` or `at(...)` of EventBridge Scheduler.
   * @default cron(0 2 * * ? *) - every night at two
   */
  schedule: setting(checked(parseSchedule), 'cron(0 2 * * ? *)'),
  /**
   * Time zone of `cron` and `at`, an IANA name such as `Europe/Berlin`.
   * @default UTC
   */
  scheduleTimeZone: setting(checked(checkTimeZone), 'UTC'),
  /**
   * Start window of a run after its scheduled time, in minutes, 0 to 1,440.
   * @default 0
   */
  scheduleFlexibleMinutes: setting(wholeNumber(0, 1440, 'minutes'), 0),
  /**
   * Whether bulk runs are scheduled; `dlx-batch run` works either way.
   * @default true
   */
  scheduleEnabled: setting(trueOrFalse(), true),
  /**
   * Bulk runs skip uploads under `inbox/` newer than this, in minutes, 0 to 10,080.
   * @default 120
   */
  graceMinutes: setting(wholeNumber(0, 10_080, 'minutes'), DEFAULT_GRACE_MINUTES),
  /**
   * Hours without a completed bulk run after which an alarm is raised, 2 to 168, also for the first run of a new stack;
   * longer than the interval between runs.
   * @default 26
   */
  runOverdueHours: setting(wholeNumber(2, 168, 'hours'), 26),
  /**
   * MiB to which a compressed upload may unpack; one that exceeds it is rejected. No upload can raise this limit or the
   * next three.
   * @default 262144
   */
  maxUnpackedMb: optional(wholeNumber(1, 1_000_000_000, 'MiB')),
  /**
   * Solutions that an upload with the option `solutions` above 2 writes for one 9x9; of a larger puzzle, as many as have
   * the same number of cells.
   * @default 1000000
   */
  maxWritten: optional(wholeNumber(1, 1_000_000_000_000, 'solutions')),
  /**
   * MiB of solutions and exceptions of one upload; one that exceeds it is rejected.
   * @default - 4096, plus 64 bytes for each byte of the file
   */
  maxOutputMb: optional(wholeNumber(1, 1_000_000_000, 'MiB')),
  /**
   * Search nodes of all puzzles of one upload; one that exceeds it is rejected.
   * @default - 2,000 times the `max-nodes` of `defaultOptions`, plus 10,000 for each byte of the file
   */
  maxJobNodes: optional(wholeNumber(1, 999_999_999_999_999, 'nodes')),
  /**
   * Days for which replaced or deleted uploads in a bucket that the construct creates can be solved and restored, 21 or
   * more: then their versions are deleted, solved or not.
   * @default 30
   */
  uploadVersionDays: setting(wholeNumber(MIN_EXPIRY_DAYS, MAX_DAYS, 'days'), 30),
  /**
   * Days for which replaced or deleted objects of a results bucket that the construct creates can be restored.
   * @default 30
   */
  noncurrentVersionDays: setting(wholeNumber(1, MAX_DAYS, 'days'), 30),
  /**
   * Days after which uploads expire in a bucket that the construct creates, 21 or more; they can be restored for
   * `uploadVersionDays`.
   * @default - never
   */
  inputExpiryDays: optional(wholeNumber(MIN_EXPIRY_DAYS, MAX_DAYS, 'days')),
  /**
   * Days after which results, rejects, statuses and reports of bulk runs expire in a bucket that the construct creates, 21
   * or more; they can be restored for `noncurrentVersionDays`. An upload whose result has expired is not solved again.
   * @default - never
   */
  resultExpiryDays: optional(wholeNumber(MIN_EXPIRY_DAYS, MAX_DAYS, 'days')),
  /**
   * Retention of all logs in days, a value that CloudWatch offers.
   * @default RetentionDays.ONE_MONTH
   */
  logRetentionDays: setting(
    z.preprocess(
      toNumber,
      z.literal(RETENTIONS, { error: `a retention of CloudWatch in days: ${RETENTIONS.join(', ')}` }),
    ),
    30,
  ),
  /**
   * Whether X-Ray traces functions and executions.
   * @default false
   */
  tracing: setting(trueOrFalse(), false),
  /**
   * Whether there is a dashboard in CloudWatch, which costs 3 dollars a month after the first three of an account.
   * @default false
   */
  dashboard: setting(trueOrFalse(), false),
  /**
   * ARN of a managed policy that limits the permissions of every role of the construct.
   * @default - none
   */
  permissionsBoundaryArn: optional(
    matching(/^arn:[a-z-]+:iam::(?:\d{12}|aws):policy\/[\w+=,.@/-]+$/, 'the ARN of a managed policy'),
  ),
  /**
   * KMS key of all data that the stack stores (buckets, queues, logs, state machines, the topic of e-mails): its ARN, or
   * `create` for a key of the stack, which outlives it.
   * @default - keys of AWS
   */
  encryptionKey: optional(matching(new RegExp(`^create$|${KEY_ARN}`), 'create, or the ARN of a KMS key')),
  /**
   * Name of an existing bucket for uploads, see `DlxBatchProps.puzzleBucket`.
   * @default - a bucket of the stack
   */
  puzzleBucketName: optional(matching(BUCKET_NAME, 'the name of a bucket')),
  /**
   * Name of an existing bucket for results, see `DlxBatchProps.resultsBucket`.
   * @default - a bucket of the stack
   */
  resultsBucketName: optional(matching(BUCKET_NAME, 'the name of a bucket')),
  /**
   * ARN of the KMS key of the existing bucket for uploads.
   * @default - none
   */
  puzzleBucketKeyArn: optional(matching(new RegExp(KEY_ARN), 'the ARN of a KMS key')),
  /**
   * ARN of the KMS key of the existing bucket for results.
   * @default - none
   */
  resultsBucketKeyArn: optional(matching(new RegExp(KEY_ARN), 'the ARN of a KMS key')),
  /**
   * Options of every job unless its upload sets others: texts by name, such as `{"max-nodes":"1000000"}`.
   * @default - the program's own defaults
   */
  defaultOptions: setting(
    textsByName('a JSON object of options by name, such as {"engine":"dlx","max-nodes":"1000000"}'),
    {},
  ),
  /**
   * Tags of the stack and of every resource, such as `{"team":"puzzles"}`.
   * @default - none
   */
  tags: setting(
    // Those that CloudFormation accepts for a stack, and every service for its resources.
    textsByName(
      `a JSON object of up to ${MAX_TAGS} tags, such as {"team":"puzzles"}: names of 1 to 128 characters ` +
        'not beginning with aws:, values of 1 to 256, of letters, digits, spaces and _ . : / = + - @',
      (entries) =>
        entries.length <= MAX_TAGS &&
        entries.every(([name, text]) => TAG_NAME.test(name) && TAG_VALUE.test(text)),
    ),
    {},
  ),
  /**
   * ARN of an SNS topic notified of every alarm, in the region of the stack.
   * @default - alarms are visible in CloudWatch only
   */
  alarmTopicArn: optional(matching(/^arn:[a-z-]+:sns:[a-z0-9-]+:\d{12}:[\w.-]+$/, 'the ARN of an SNS topic')),
  /**
   * E-mail addresses notified of every alarm, such as `["ops@example.com"]`: each first gets an e-mail that asks to confirm.
   * @default - none
   */
  alarmEmails: optional(emails()),
  /**
   * Name or ARN of the bus that receives events about outcomes, in the region of the stack. With `eventEmails`, one of its
   * account too.
   * @default - the default bus of the account
   */
  eventBus: optional(
    matching(
      /^([\w./-]{1,256}|arn:[a-z-]+:events:[a-z0-9-]+:\d{12}:event-bus\/[\w./-]{1,256})$/,
      'the name or the ARN of an event bus',
    ),
  ),
  /**
   * E-mail addresses notified of outcomes, such as `["ops@example.com"]`: each first gets an e-mail that asks to confirm.
   * @default - none, and no topic
   */
  eventEmails: optional(emails()),
  /**
   * The types of events that are sent to the topic: `JobCompleted`, `JobRejected`, `JobFailed`, `RunCompleted`. The bus
   * gets all of them.
   * @default - all
   */
  eventEmailTypes: optional(
    list(z.array(z.enum(EVENT_TYPES)).min(1), `a list of one or more of ${EVENT_TYPES.join(', ')}`),
  ),
};

export type SettingName = keyof typeof SETTINGS;

/** The values of all settings. */
export type Settings = {
  // Not SettingName: editors show the comment of each setting only if `keyof` is here.
  readonly [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name] extends Setting<infer Value>
    ? Value
    : never;
};

/** Settings that only a stack has: a construct has resources instead, and its app the tags. */
export type StackSetting =
  | 'stackName'
  | 'tags'
  | 'alarmTopicArn'
  | 'encryptionKey'
  | 'eventBus'
  | `${'puzzle' | 'results'}Bucket${'Name' | 'KeyArn'}`;

/** Properties of a stack; those of every stack of the CDK have its name and tags. */
export type StackSettings = Partial<Omit<Settings, 'stackName' | 'tags'>>;

/** Settings of version 0.1, with what to do instead. */
const REMOVED_SETTINGS = new Map(
  ['maxDayDollars', 'maxDayMb', 'maxFolderDollars', 'maxFolderMb'].map((name) => [
    name,
    'is gone: use maxConcurrency and shardConcurrency instead, which bound what all uploads of a day cost, with ' +
      'accountConcurrency, so that shardConcurrency bounds all large files together; docs/explanation/costs.md has an alarm of AWS Budgets',
  ]),
);

/** A setting cannot be used; the message says what is wrong, and what is expected. */
export class SettingError extends Error {
  override readonly name: string = 'SettingError';
}

/**
 * Reads a setting.
 *
 * @param label its name in messages
 * @param advice the end of messages
 * @throws SettingError
 */
function readSetting(name: SettingName, found: unknown, label: string = name, advice = ''): unknown {
  const read = SETTINGS[name].read(found);
  if ('expected' in read) {
    throw new SettingError(`${label} is ${JSON.stringify(found)}: expected ${read.expected}${advice}`);
  }
  // With options that no job can have, every upload would be rejected.
  const options = name === 'defaultOptions' && parseOptions({}, read.value as Record<string, string>);
  if (options && 'errors' in options) {
    throw new SettingError(`${label}: ${options.errors.map(({ message }) => message).join('; ')}${advice}`);
  }
  return read.value;
}

/** Settings of the stack whose properties of the construct are resources. */
type ResourceSetting = 'encryptionKey' | 'eventBus';

/**
 * The settings of the construct; values that only the deployment knows are not checked.
 *
 * @throws SettingError
 */
export function readSettings(properties: object): Omit<Settings, ResourceSetting> {
  const given = properties as Readonly<Record<string, unknown>>;
  for (const [name, advice] of REMOVED_SETTINGS)
    if (name in given) throw new SettingError(`${name} ${advice}`);
  const { encryptionKey: _key, eventBus: _bus, ...own } = SETTINGS;
  return Object.fromEntries(
    Object.keys(own).map((name) => {
      const value = given[name];
      return [name, Token.isUnresolved(value) ? value : readSetting(name as SettingName, value)];
    }),
  ) as Settings;
}

/** Arguments for `new DlxBatchStack(app, stackName, props)`. */
export interface StackContext {
  readonly stackName: string;
  readonly props: Partial<Omit<Settings, 'stackName'>>;
}

/**
 * Reads the settings of the CDK context: `cdk.json`, or `-c dlx:memoryMb=3008`, which takes precedence.
 *
 * Every setting begins with `dlx:`. An unknown name or an invalid value is an error, so that no typo is deployed as a
 * default.
 *
 * @param node the app's node
 * @throws SettingError naming the setting, the value found, the values expected and where to change it
 */
export function readStackContext(node: Node): StackContext {
  const settings = Object.fromEntries(
    Object.entries(node.getAllContext() as Record<string, unknown>)
      .filter(([key]) => key.startsWith(PREFIX))
      .map(([key, found]) => [key.slice(PREFIX.length), readContext(key, found)]),
  );
  const { stackName = readSetting('stackName', undefined), ...props } = settings;
  return { stackName: stackName as string, props };
}

function readContext(key: string, found: unknown): unknown {
  const name = key.slice(PREFIX.length);
  if (Object.hasOwn(SETTINGS, name)) {
    const advice = `change it in cdk.json, or pass -c ${key}=...`;
    return readSetting(name as SettingName, found, `context ${key}`, `; ${advice}`);
  }
  const removed = REMOVED_SETTINGS.get(name);
  const known = Object.keys(SETTINGS).map((setting) => PREFIX + setting);
  throw new SettingError(
    `context ${key} ${removed ?? `is unknown: expected one of ${known.join(', ')}; correct the name in cdk.json or after -c`}`,
  );
}

/** A setting with a default. */
function setting<Value>(schema: z.ZodType<Value>, value: Value): Setting<Value> {
  return settingOf(z.preprocess((found) => (found === undefined ? value : found), schema));
}

/** A setting that may be missing. */
function optional<Value>(schema: z.ZodType<Value>) {
  return settingOf(schema.optional());
}

function settingOf<Value>(schema: z.ZodType<Value>): Setting<Value> {
  return {
    read(found) {
      const { success, data, error } = schema.safeParse(found);
      return success ? { value: data } : { expected: error.issues[0]!.message };
    },
  };
}

function wholeNumber(min: number, max: number, unit: string) {
  const error = `a whole number of ${unit} from ${min} to ${max}`;
  return z.preprocess(toNumber, z.int({ error }).min(min, { error }).max(max, { error }));
}

function matching(pattern: RegExp, error: string) {
  return z.string({ error }).regex(pattern, { error });
}

/** A text that passes a check, which throws a ScheduleError otherwise. */
function checked(check: (text: string) => unknown) {
  return z.coerce.string().superRefine((text, { addIssue }) => {
    try {
      check(text);
    } catch (error) {
      if (!(error instanceof ScheduleError)) throw error;
      addIssue(error.message.slice(error.message.indexOf('expected ') + 'expected '.length));
    }
  });
}

function trueOrFalse() {
  return z.preprocess(fromJson, z.boolean({ error: 'true or false' }));
}

/** A list, or its items in a text with commas between them. */
function list<Items extends z.ZodType>(items: Items, error: string) {
  const split = (found: unknown) => {
    const value = fromJson(found);
    return typeof value === 'string' ? value.split(/, */) : value;
  };
  return z.preprocess(
    split,
    z.custom<Readonly<z.output<Items>>>((value) => items.safeParse(value).success, { error }),
  );
}

function emails() {
  const addresses = z.array(z.string().regex(EMAIL)).min(1).max(MAX_EMAILS);
  return list(
    addresses.refine((all) => new Set(all).size === all.length),
    `a list of 1 to ${MAX_EMAILS} different e-mail addresses, such as ["ops@example.com"]`,
  );
}

/** A JSON object of texts, numbers and booleans, all as texts. */
function textsByName(
  error: string,
  holds: (entries: readonly (readonly [string, string])[]) => boolean = () => true,
) {
  const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
  const isObject = (found: unknown): found is object =>
    typeof found === 'object' && found !== null && !Array.isArray(found);
  return z
    .preprocess(
      fromJson,
      z.custom<object>((found) => isObject(found) && Object.values(found).every(isPlain), { error }),
    )
    .transform((found) => Object.entries(found).map(([name, value]) => [name, String(value)] as const))
    .refine(holds, { error })
    .transform((entries): Readonly<Record<string, string>> => Object.fromEntries(entries));
}

/** Digits only, so that an empty text is not 0 and `1e3` is not 1000. */
function toNumber(found: unknown): unknown {
  return typeof found === 'string' && /^\d+$/.test(found) ? Number(found) : found;
}

/** The value of a text that is JSON; anything else as it is. */
function fromJson(found: unknown): unknown {
  if (typeof found !== 'string') return found;
  try {
    return JSON.parse(found);
  } catch {
    return found;
  }
}
