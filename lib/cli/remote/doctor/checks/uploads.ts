/** Checks of the way of an upload: bucket, rule, queue, event source mapping, dead letters. */
import type {
  BucketState,
  ListedRule,
  MappingState,
  QueueState,
  RuleState,
} from '../../../../aws/stack-inspection.ts';
import { VISIBILITY_TIMEOUT_FACTOR } from '../../../../batch/limits.ts';
import { UPLOAD_RULE_DESCRIPTION } from '../../../../batch/names.ts';
import { counted, numberText } from '../../../../batch/quantities.ts';
import { type Finding, fail, ok, warn } from '../../../terminal/finding.ts';
import { secondsText } from '../../../terminal/time-text.ts';
import { commandText } from '../../command-text.ts';
import { timeText } from './deployment.ts';

/**
 * Of a new bucket, EventBridge gets events after around five minutes, and S3 finds new versions after up to 15. (S3 User
 * Guide, "Enabling Amazon EventBridge" and "Enabling versioning on buckets")
 */
const EVENTS_DELAY_MS = 15 * 60_000;

/**
 * Checks the bucket for uploads.
 *
 * @param since when the bucket was created or changed; undefined if unknown
 */
export function checkInputBucket(
  name: string,
  { sendsEvents, versioning }: Pick<BucketState, 'sendsEvents' | 'versioning'>,
  since: Date | undefined,
  nowMs: number,
): Finding[] {
  const versions =
    versioning === 'Enabled'
      ? ok('versioning', `on in ${name}`)
      : fail(
          'versioning',
          `${versioning} in ${name}: each version of an upload is a job`,
          `aws s3api put-bucket-versioning --bucket ${name} --versioning-configuration Status=Enabled`,
        );
  return [checkEvents(name, sendsEvents, since, nowMs), versions];
}

function checkEvents(name: string, sendsEvents: boolean, since: Date | undefined, nowMs: number): Finding {
  if (!sendsEvents) {
    const text = `${name} sends none to EventBridge, so only scheduled runs solve uploads`;
    return fail(
      'events',
      text,
      'npx cdk deploy, or turn on Amazon EventBridge in the notifications of the bucket',
    );
  }
  if (since === undefined) return ok('events', `${name} sends them to EventBridge`);
  const text = `${name} sends them to EventBridge, since ${timeText(since)} or before`;
  const fromMs = since.getTime() + EVENTS_DELAY_MS;
  if (nowMs >= fromMs) return ok('events', text);
  const todo = `wait until ${timeText(new Date(fromMs + 60_000))}; ${commandText('resend KEY')} sends an upload whose event was lost`;
  return warn('events', text, todo);
}

export function checkPublicAccess(name: string, blocksPublic: boolean | undefined): Finding {
  if (blocksPublic === true) return ok('public', `${name} blocks public access`);
  const todo = `aws s3api put-public-access-block --bucket ${name} --public-access-block-configuration BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true`;
  return fail('public', `${name} does not block public access`, todo);
}

/** Checks all rules, and that one sends uploads to the queue. */
export function checkRules(rules: readonly RuleState[], inputBucket: string, queueArn: string): Finding[] {
  const findings = rules.map(({ name, state, targets }) => {
    if (!state.startsWith('ENABLED')) {
      return fail('rule', `${name} is ${state}`, `aws events enable-rule --name ${name}`);
    }
    if (targets.length === 0) return fail('rule', `${name} has no target`, 'npx cdk deploy');
    return ok('rule', `${name} is enabled and sends to ${targets.map(({ arn }) => arnName(arn)).join(', ')}`);
  });
  const sendsUploads = rules.some(
    ({ pattern, targets }) =>
      patternAcceptsBucket(pattern, inputBucket) && targets.some(({ arn }) => arn === queueArn),
  );
  if (sendsUploads) return findings;
  const text = `no rule sends events of ${inputBucket} to ${arnName(queueArn)}, so only scheduled runs solve uploads`;
  return [...findings, fail('rule', text, 'npx cdk deploy')];
}

/**
 * Checks that no other stack solves the same uploads.
 *
 * @param own names of the rules of this stack
 */
export function checkSharing(
  all: readonly ListedRule[],
  own: readonly string[],
  inputBucket: string,
): Finding {
  const forUploads = all.filter(
    ({ state, description, pattern }) =>
      state.startsWith('ENABLED') &&
      UPLOAD_RULE_DESCRIPTION.test(description) &&
      patternAcceptsBucket(pattern, inputBucket),
  );
  const [ours, others] = [true, false].map((isOwn) =>
    forUploads.filter(({ name }) => own.includes(name) === isOwn),
  );
  const folders = ours!.flatMap(({ pattern }) => foldersIn(pattern));
  const sharing = others!.filter(({ pattern }) =>
    foldersIn(pattern).some((folder) =>
      folders.some((known) => known.startsWith(folder) || folder.startsWith(known)),
    ),
  );
  if (sharing.length === 0) return ok('shared', `no other stack solves the uploads of ${inputBucket}`);
  const names = sharing.map(({ name }) => name).join(', ');
  return fail(
    'shared',
    `another stack solves the same uploads of ${inputBucket}, so each is solved and billed twice: its rule is ${names}`,
    'give each stack its own inboxPrefix and scheduledPrefix, or destroy one',
  );
}

function foldersIn(pattern = '{}'): string[] {
  const keys: readonly { readonly prefix?: string }[] = JSON.parse(pattern).detail?.object?.key ?? [];
  return keys.flatMap(({ prefix }) => prefix ?? []);
}

function patternAcceptsBucket(pattern: string | undefined, bucket: string): boolean {
  if (pattern === undefined) return false;
  const { source = [], detail } = JSON.parse(pattern);
  return source.includes('aws.s3') && detail?.bucket?.name?.includes(bucket) === true;
}

/** Checks the event source mapping of the queue for uploads. */
export function checkMapping(mappings: readonly MappingState[], queueArn: string): Finding {
  const mapping = mappings.find((each) => each.queueArn === queueArn);
  if (mapping === undefined) {
    return fail('mapping', `no function receives messages of ${arnName(queueArn)}`, 'npx cdk deploy');
  }
  const { state, lastResult = 'none', functionArn, maxConcurrency } = mapping;
  const text = `${arnName(queueArn)} to ${arnName(functionArn)} is ${state}, at most ${maxConcurrency ?? 'any number of'} at once; last result: ${lastResult}`;
  if (state !== 'Enabled') {
    return /^(Creating|Enabling|Updating)$/.test(state)
      ? warn('mapping', text, 'wait a minute, then run doctor again')
      : fail(
          'mapping',
          text,
          'enable the event source mapping of the function (aws lambda update-event-source-mapping)',
        );
  }
  if (lastResult === 'PROBLEM: Function call failed') {
    return warn('mapping', text, 'the message is retried; the log of the function has the cause');
  }
  if (lastResult.startsWith('PROBLEM')) return fail('mapping', text, 'fix what the last result names');
  return ok('mapping', text);
}

export function checkVisibility({ visibilitySeconds }: QueueState, timeoutSeconds: number): Finding {
  const text = `visibility timeout ${visibilitySeconds} s, function timeout ${timeoutSeconds} s`;
  const expected = VISIBILITY_TIMEOUT_FACTOR * timeoutSeconds;
  if (visibilitySeconds >= expected) return ok('visibility', text);
  const todo = `set the visibility timeout to ${expected} s: npx cdk deploy`;
  return visibilitySeconds < timeoutSeconds
    ? fail('visibility', `${text}: a message is delivered again while it is solved`, todo)
    : warn('visibility', text, todo);
}

/**
 * Checks the messages of the queue for uploads.
 *
 * @param oldestSeconds age of the oldest one; undefined if unknown
 */
export function checkQueue(
  { arn, visible, hidden, visibilitySeconds }: QueueState,
  oldestSeconds: number | undefined,
): Finding {
  const age =
    oldestSeconds === undefined || oldestSeconds === 0
      ? ''
      : `, the oldest for ${secondsText(oldestSeconds)}`;
  const text = `${arnName(arn)}: ${numberText(visible)} waiting, ${numberText(hidden)} in progress or hidden${age}`;
  if ((oldestSeconds ?? 0) <= visibilitySeconds) return ok('queue', text);
  const todo =
    'the function crashed (its log has the cause), or uploads arrive faster than dlx:maxConcurrency allows';
  return warn('queue', text, todo);
}

/**
 * Checks the queues for messages that failed every attempt, or could not be delivered: all others of the construct.
 *
 * @param redriven ARN of the one whose messages go back to the queue for uploads
 */
export function checkDeadLetters(queues: readonly QueueState[], redriven: string | undefined): Finding[] {
  const filled = queues.filter(({ visible, hidden }) => visible + hidden > 0);
  if (filled.length === 0) return [ok('dead', `no dead letters in ${counted(queues.length, 'queue')}`)];
  return filled.map(({ arn, visible, hidden }) =>
    fail(
      'dead',
      `${numberText(visible + hidden)} in ${arnName(arn)}`,
      arn === redriven
        ? `fix the cause, which the log and status/ have, then ${commandText('redrive')}`
        : `each message names what was not delivered: ${commandText('redrive')} sends uploads, ${commandText('run')} starts a bulk run`,
    ),
  );
}

function arnName(arn: string): string {
  return arn.slice(Math.max(arn.lastIndexOf(':'), arn.lastIndexOf('/')) + 1);
}
