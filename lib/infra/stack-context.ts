/**
 * Reads the stack's settings from the CDK context: `cdk.json`, or `-c dlx:memoryMb=3008`, which takes precedence.
 *
 * Every setting begins with `dlx:`. `cdk.json` gives JSON values, the command line gives text; both are accepted. An
 * unknown name or an invalid value is an error, so that no typo is deployed as a default.
 */
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';
import { checkTimeZone, parseSchedule, ScheduleError } from '../batch/bulk-run/schedule-expression.ts';
import { parseOptions } from '../batch/options.ts';
import type { DlxBatchStackProps } from './dlx-batch-stack.ts';
import { EMAILS_EXPECTED, isEmailList } from './email-topic.ts';
import { isEventTypeList, TYPES_EXPECTED } from './outcome-events.ts';
import { isInRange, rangeText, removedSetting, SETTING_RANGES, type SettingRange } from './setting-ranges.ts';

const PREFIX = 'dlx:';

const DEFAULT_STACK_NAME = 'DlxBatch';

/** Tags that a resource can have in addition to those of CloudFormation. */
const MAX_TAGS = 50;
const TAG_NAME = /^(?!aws:)[\p{L}\p{N}\p{Zs}_.:/=+@-]{1,128}$/iu;
const TAG_VALUE = /^[\p{L}\p{N}\p{Zs}_.:/=+@-]{1,256}$/u;

/** Not of an alias, which policies cannot name. */
const KEY_ARN = '^arn:[a-z-]+:kms:[a-z0-9-]+:\\d{12}:key/[\\w-]+$';
const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** An unknown or invalid setting; the message names the fix. */
export class ContextError extends Error {
  override readonly name = 'ContextError';
}

/** A valid value, or a description of the values that are valid. */
type Reading<T> = { readonly value: T } | { readonly expected: string };

const SETTINGS = {
  stackName: matching(
    /^[A-Za-z][A-Za-z0-9-]{0,127}$/,
    'a stack name: letters, digits and hyphens, beginning with a letter',
  ),
  memoryMb: wholeNumber(SETTING_RANGES.memoryMb),
  timeoutSeconds: wholeNumber(SETTING_RANGES.timeoutSeconds),
  accountConcurrency: wholeNumber(SETTING_RANGES.accountConcurrency),
  maxConcurrency: wholeNumber(SETTING_RANGES.maxConcurrency),
  shardMemoryMb: wholeNumber(SETTING_RANGES.shardMemoryMb),
  shardConcurrency: wholeNumber(SETTING_RANGES.shardConcurrency),
  schedule: checked(parseSchedule),
  scheduleTimeZone: checked(checkTimeZone),
  scheduleFlexibleMinutes: wholeNumber(SETTING_RANGES.scheduleFlexibleMinutes),
  scheduleEnabled: trueOrFalse,
  graceMinutes: wholeNumber(SETTING_RANGES.graceMinutes),
  runOverdueHours: wholeNumber(SETTING_RANGES.runOverdueHours),
  maxUnpackedMb: wholeNumber(SETTING_RANGES.maxUnpackedMb),
  maxWritten: wholeNumber(SETTING_RANGES.maxWritten),
  maxOutputMb: wholeNumber(SETTING_RANGES.maxOutputMb),
  maxJobNodes: wholeNumber(SETTING_RANGES.maxJobNodes),
  uploadVersionDays: wholeNumber(SETTING_RANGES.uploadVersionDays),
  noncurrentVersionDays: wholeNumber(SETTING_RANGES.noncurrentVersionDays),
  inputExpiryDays: wholeNumber(SETTING_RANGES.inputExpiryDays),
  resultExpiryDays: wholeNumber(SETTING_RANGES.resultExpiryDays),
  logRetentionDays: retentionDays,
  tracing: trueOrFalse,
  dashboard: trueOrFalse,
  permissionsBoundaryArn: matching(
    /^arn:[a-z-]+:iam::(?:\d{12}|aws):policy\/[\w+=,.@/-]+$/,
    'the ARN of a managed policy',
  ),
  encryptionKey: matching(new RegExp(`^create$|${KEY_ARN}`), 'create, or the ARN of a KMS key'),
  puzzleBucketName: matching(BUCKET_NAME, 'the name of a bucket'),
  resultsBucketName: matching(BUCKET_NAME, 'the name of a bucket'),
  puzzleBucketKeyArn: matching(new RegExp(KEY_ARN), 'the ARN of a KMS key'),
  resultsBucketKeyArn: matching(new RegExp(KEY_ARN), 'the ARN of a KMS key'),
  defaultOptions: optionTexts,
  tags,
  alarmTopicArn: matching(/^arn:[a-z-]+:sns:[a-z0-9-]+:\d{12}:[\w.-]+$/, 'the ARN of an SNS topic'),
  alarmEmails: listOf(isEmailList, EMAILS_EXPECTED),
  eventBus: matching(
    /^([\w./-]{1,256}|arn:[a-z-]+:events:[a-z0-9-]+:\d{12}:event-bus\/[\w./-]{1,256})$/,
    'the name or the ARN of an event bus',
  ),
  eventEmails: listOf(isEmailList, EMAILS_EXPECTED),
  eventEmailTypes: listOf(isEventTypeList, TYPES_EXPECTED),
} satisfies Record<string, (found: unknown) => Reading<unknown>>;

/** Arguments for `new DlxBatchStack(app, stackName, props)`. */
export interface StackContext {
  readonly stackName: string;
  readonly props: DlxBatchStackProps;
}

/**
 * Reads and checks every `dlx:` setting.
 *
 * @param node the app's node
 * @throws ContextError naming the setting, the value found, the values expected and where to change it
 */
export function readStackContext(node: Node): StackContext {
  const context = Object.entries(node.getAllContext() as Record<string, unknown>);
  const settings: Record<string, unknown> = {};
  for (const [key, found] of context) {
    if (key.startsWith(PREFIX)) settings[key.slice(PREFIX.length)] = readSetting(key, found);
  }
  const { stackName, ...props } = settings as { stackName?: string } & DlxBatchStackProps;
  const parsed = parseOptions({}, props.defaultOptions ?? {});
  if ('errors' in parsed) {
    const problem = parsed.errors.map(({ message }) => message).join('; ');
    throw new ContextError(`context ${PREFIX}defaultOptions: ${problem}; change it in cdk.json or after -c`);
  }
  return { stackName: stackName ?? DEFAULT_STACK_NAME, props };
}

function readSetting(key: string, found: unknown): unknown {
  const name = key.slice(PREFIX.length);
  if (!Object.hasOwn(SETTINGS, name)) {
    const removed = removedSetting(name);
    if (removed !== undefined) throw new ContextError(`context ${key} ${removed}`);
    const known = Object.keys(SETTINGS).map((setting) => PREFIX + setting);
    throw new ContextError(
      `context ${key} is unknown: expected one of ${known.join(', ')}; correct the name in cdk.json or after -c`,
    );
  }
  const reading = SETTINGS[name as keyof typeof SETTINGS](found);
  if ('expected' in reading) {
    throw new ContextError(
      `context ${key} is ${JSON.stringify(found)}: expected ${reading.expected}; change it in cdk.json, or pass -c ${key}=...`,
    );
  }
  return reading.value;
}

function wholeNumber(range: SettingRange): (found: unknown) => Reading<number> {
  return (found) => {
    const value = toNumber(found);
    return isInRange(value, range) ? { value } : { expected: rangeText(range) };
  };
}

function matching(pattern: RegExp, expected: string): (found: unknown) => Reading<string> {
  return (found) => (typeof found === 'string' && pattern.test(found) ? { value: found } : { expected });
}

/** A text that passes a check, which throws a ScheduleError otherwise. */
function checked(check: (text: string) => unknown): (found: unknown) => Reading<string> {
  return (found) => {
    const text = String(found);
    try {
      check(text);
      return { value: text };
    } catch (error) {
      if (!(error instanceof ScheduleError)) throw error;
      return { expected: error.message.slice(error.message.indexOf('expected ') + 'expected '.length) };
    }
  };
}

/** A JSON boolean, or its text from the command line. */
function trueOrFalse(found: unknown): Reading<boolean> {
  const text = String(found);
  return text === 'true' || text === 'false' ? { value: text === 'true' } : { expected: 'true or false' };
}

function retentionDays(found: unknown): Reading<RetentionDays> {
  const allowed = Object.values(RetentionDays).filter(
    (days) => typeof days === 'number' && days !== RetentionDays.INFINITE,
  );
  const value = toNumber(found);
  return allowed.includes(value)
    ? { value }
    : { expected: `a retention of CloudWatch in days: ${allowed.join(', ')}` };
}

/** A JSON list, or its items in a text with commas between them. */
function listOf<Item>(
  isValid: (found: readonly unknown[]) => found is Item[],
  expected: string,
): (found: unknown) => Reading<readonly Item[]> {
  return (found) => {
    const parsed = typeof found === 'string' ? (parseJson(found) ?? found.split(/, */)) : found;
    return Array.isArray(parsed) && isValid(parsed) ? { value: parsed } : { expected };
  };
}

function optionTexts(found: unknown): Reading<Readonly<Record<string, string>>> {
  const value = textsByName(found);
  return value !== undefined
    ? { value }
    : { expected: 'a JSON object of options by name, such as {"engine":"dlx","max-nodes":"1000000"}' };
}

/** Tags that CloudFormation accepts for a stack, and every service for its resources. */
function tags(found: unknown): Reading<Readonly<Record<string, string>>> {
  const value = textsByName(found);
  const entries = Object.entries(value ?? {});
  return value !== undefined &&
    entries.length <= MAX_TAGS &&
    entries.every(([name, text]) => TAG_NAME.test(name) && TAG_VALUE.test(text))
    ? { value }
    : {
        expected:
          `a JSON object of up to ${MAX_TAGS} tags, such as {"team":"puzzles"}: names of 1 to 128 characters ` +
          'not beginning with aws:, values of 1 to 256, of letters, digits, spaces and _ . : / = + - @',
      };
}

/** A JSON object of texts, numbers and booleans, all as texts; undefined for anything else. */
function textsByName(found: unknown): Readonly<Record<string, string>> | undefined {
  const parsed = typeof found === 'string' ? parseJson(found) : found;
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
  const entries = Object.entries(parsed);
  const plain = entries.every(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  return plain ? Object.fromEntries(entries.map(([name, value]) => [name, String(value)])) : undefined;
}

/** Digits only, so that an empty text is not 0 and `1e3` is not 1000. */
function toNumber(found: unknown): number {
  if (typeof found === 'number') return found;
  return typeof found === 'string' && /^\d+$/.test(found) ? Number(found) : Number.NaN;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
