/** What the facts about a stack mean for its operator, and what to do: facts in, findings out, without requests. */
import type {
  Drifts,
  FunctionState,
  MappingState,
  MetricAlarm,
  Stack,
  StackResourceSummary,
} from '../../aws/stack-reader.ts';
import { mostDollarsOfDay } from '../../batch/estimate/most-dollars.ts';
import type { RunSettings } from '../../batch/limits.ts';
import { counted, numberText } from '../../batch/quantities.ts';
import { commandText } from '../remote/command-text.ts';
import { dollarsText, secondsText } from '../terminal/quantity-text.ts';
import { type CallFacts, type Identity, queueName } from './facts.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const DEPLOY = 'npx cdk deploy';

export function checkIdentity({ account, arn, region }: Identity): readonly Finding[] {
  return [ok('identity', `${arn}, account ${account}`), ok('region', region)];
}

export function checkStack(stack: Stack): readonly Finding[] {
  const { StackName, StackStatus: status = '', StackStatusReason, LastUpdatedTime, CreationTime } = stack;
  const changed = LastUpdatedTime ?? CreationTime;
  const text = `${StackName} is ${status}${changed === undefined ? '' : ` since ${timeText(changed)}`}`;
  const reason = StackStatusReason === undefined ? '' : `, ${StackStatusReason}`;
  const todo = `fix the cause in the events of the stack, then ${DEPLOY}`;
  if (status === 'UPDATE_ROLLBACK_COMPLETE') {
    return [warn('stack', `${text}: the last deployment failed and was undone${reason}`, todo)];
  }
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE(_CLEANUP_IN_PROGRESS)?$/.test(status)) return [ok('stack', text)];
  if (status.endsWith('_IN_PROGRESS')) {
    return [warn('stack', text, 'wait until the deployment has finished, then run doctor again')];
  }
  const anew = status === 'ROLLBACK_COMPLETE' ? todo.replace(DEPLOY, `npx cdk destroy and ${DEPLOY}`) : todo;
  return [fail('stack', text + reason, anew)];
}

/** Resources that CloudFormation could not create or change, with its reasons. */
export function checkResources(resources: readonly StackResourceSummary[]): readonly Finding[] {
  const failed = resources.filter(({ ResourceStatus = '' }) => ResourceStatus.endsWith('_FAILED'));
  const problems = failed.map(
    ({ LogicalResourceId, ResourceStatus, ResourceStatusReason: reason = 'no reason' }) => {
      const [, memoryMb] = /MemorySize.*less than or equal to (\d+)/s.exec(reason) ?? [];
      const todo =
        memoryMb === undefined
          ? `fix the cause, then ${DEPLOY}`
          : `this account allows functions of ${memoryMb} MiB: deploy with -c dlx:memoryMb=${memoryMb} -c dlx:shardMemoryMb=${memoryMb}, or ask AWS for more`;
      return fail('resources', `${LogicalResourceId} is ${ResourceStatus}: ${reason}`, todo);
    },
  );
  return orOk(problems, 'resources', counted(resources.length, 'resource'));
}

/** Differences of these are of no consequence for uploads. */
const OBSERVING = /^AWS::(CloudWatch|Logs|SNS)::/;

/** How the live resources differ from the deployed template, by CloudFormation's comparison of all their properties. */
export function checkDrifts({ drifts, problem: incomplete }: Drifts): readonly Finding[] {
  const findings = drifts.flatMap((drift) => {
    const { LogicalResourceId: id, ResourceType: type = '', StackResourceDriftStatus: status } = drift;
    const problem = OBSERVING.test(type) ? warn : fail;
    const changes = (drift.PropertyDifferences ?? []).map((difference) => {
      const { PropertyPath, ExpectedValue, ActualValue, DifferenceType } = difference;
      const found = DifferenceType === 'REMOVE' ? 'is missing' : `is ${ActualValue}`;
      const expected = DifferenceType === 'ADD' ? 'nothing' : ExpectedValue;
      const todo = 'set it back, or change it in the app and deploy; a deployment without changes leaves it';
      const text = `${id} (${type}): ${PropertyPath} ${found}, the template has ${expected}`;
      return problem('template', text, todo);
    });
    const anew = 'remove it from the app, deploy, and add it again';
    return status === 'DELETED' ? [problem('template', `${id} (${type}) was deleted`, anew)] : changes;
  });
  const [others, compared] = [true, false].map((isOther) =>
    drifts.filter((each) => (each.StackResourceDriftStatus === 'NOT_CHECKED') === isOther),
  );
  const types = [...new Set(others!.map(({ ResourceType }) => ResourceType))].join(', ');
  const text = `${counted(compared!.length, 'resource')} compared with the deployed template${types && `; CloudFormation cannot compare ${types}`}`;
  const todo = 'use credentials that may read all resources, such as the policy ReadOnlyAccess';
  const found = orOk(findings, 'template', text);
  if (incomplete === undefined) return found;
  return [...found, warn('template', `some resources are not compared: ${incomplete}`, todo)];
}

export function checkFunctions(functions: readonly FunctionState[]): readonly Finding[] {
  if (functions.length === 0) return [fail('functions', 'the stack has no function', DEPLOY)];
  const problems = functions.flatMap(({ Configuration = {}, Concurrency }) => {
    const { FunctionName: name, State = '', LastUpdateStatus, StateReason = '' } = Configuration;
    // No property of the template, so that no comparison finds it.
    if (Concurrency?.ReservedConcurrentExecutions === 0) {
      const todo = `aws lambda delete-function-concurrency --function-name ${name}`;
      return [fail('functions', `${name} has a reserved concurrency of 0, so it never runs`, todo)];
    }
    // Lambda starts an inactive function on its next invocation.
    const runs = ['Active', 'Inactive'].includes(State) && LastUpdateStatus !== 'Failed';
    const change = LastUpdateStatus === 'Failed' ? ', and its last change failed' : '';
    const text = `${name} is ${State}${change}${StateReason && `: ${StateReason}`}`;
    return runs ? [] : [fail('functions', text, `wait a minute; if it stays so, ${DEPLOY}`)];
  });
  return orOk(problems, 'functions', `active: ${counted(functions.length, 'function')}`);
}

/** Executions outside both settings of concurrency: a step of a bulk run, and a plan or a merge of a large file. */
const OTHER_FUNCTIONS = 2;
/** The least value of `dlx:accountConcurrency`. */
const MIN_ACCOUNT_CONCURRENCY = 10;

/** The quotas of the account against the settings. */
export function checkQuotas(
  functions: readonly FunctionState[],
  { concurrency: files, shardConcurrency: shards, memoryMb }: RunSettings,
  limit: { readonly ConcurrentExecutions?: number; readonly UnreservedConcurrentExecutions?: number } = {},
): readonly Finding[] {
  const { ConcurrentExecutions: total = 0, UnreservedConcurrentExecutions: unreserved = total } = limit;
  const reserved = functions.some(({ Concurrency }) => (Concurrency?.ReservedConcurrentExecutions ?? 0) > 0);
  const shard = functions.find(({ Configuration }) => Configuration?.Handler === 'solve-shard.handler');
  const shardMemoryMb = shard?.Configuration?.MemorySize ?? memoryMb;
  const quota = `the account allows ${total}${total === unreserved ? '' : `, ${unreserved} unreserved`}`;
  const text = `${files} files and ${shards} shards of ${reserved ? 'all large files' : 'a large file'} at the same time; ${quota}`;
  const isEnough = files + (reserved ? 0 : shards) + OTHER_FUNCTIONS <= unreserved;
  const todo =
    unreserved < MIN_ACCOUNT_CONCURRENCY
      ? `ask AWS for more concurrent executions of Lambda (${MIN_ACCOUNT_CONCURRENCY} at least)`
      : `deploy with -c dlx:accountConcurrency=${unreserved}, or ask AWS for more concurrent executions of Lambda`;
  const problem = files > unreserved ? fail : warn;
  const dollars = dollarsText(mostDollarsOfDay({ files, shards, memoryMb, shardMemoryMb }));
  const more =
    ' with one large file at a time; the quota of the account bounds several, as dlx:accountConcurrency is not set';
  return [
    isEnough ? ok('concurrency', text) : problem('concurrency', text, todo),
    ok('cost', `the functions cost at most ${dollars} a day${reserved ? '' : more}`),
  ];
}

/**
 * Of a new bucket, EventBridge gets events after around five minutes, and S3 finds new versions after up to 15. (S3 User
 * Guide, "Enabling Amazon EventBridge" and "Enabling versioning on buckets")
 */
const EVENTS_DELAY_MS = 15 * 60_000;

/**
 * A bucket of the stack is compared with the template; one of another owner needs versions and events.
 *
 * @param own the bucket as a resource of the stack
 */
export function checkBucket(
  name: string,
  state: { readonly Status?: string; readonly EventBridgeConfiguration?: object },
  own: Pick<StackResourceSummary, 'LastUpdatedTimestamp'> | undefined,
  nowMs: number,
): readonly Finding[] {
  const findings: Finding[] = [];
  if (own === undefined && state.Status !== 'Enabled') {
    const todo = `aws s3api put-bucket-versioning --bucket ${name} --versioning-configuration Status=Enabled`;
    findings.push(fail('buckets', `${name} has no versions, but each version of an upload is a job`, todo));
  }
  if (own === undefined && state.EventBridgeConfiguration === undefined) {
    const text = `${name} sends no events to EventBridge, so only scheduled runs solve uploads`;
    findings.push(fail('buckets', text, 'turn on Amazon EventBridge in the notifications of the bucket'));
  }
  const sinceMs = own?.LastUpdatedTimestamp?.getTime() ?? Number.NEGATIVE_INFINITY;
  if (nowMs < sinceMs + EVENTS_DELAY_MS) {
    const todo = `wait until ${timeText(new Date(sinceMs + EVENTS_DELAY_MS + 60_000))}; ${commandText('retry KEY')} sends an upload whose event was lost`;
    findings.push(warn('buckets', `${name} is new: events and versions may be late`, todo));
  }
  return orOk(findings, 'buckets', `${name} has versions and sends events`);
}

export function checkMappings(mappings: readonly MappingState[]): readonly Finding[] {
  if (mappings.length === 0) return [fail('mapping', 'no function receives messages of the queue', DEPLOY)];
  return mappings.map(({ State, LastProcessingResult: last = 'none', EventSourceArn = '' }) => {
    const text = `of ${EventSourceArn.split(':').at(-1)}: ${State}; last result: ${last}`;
    // No property of the template, unless the app sets it.
    if (State !== 'Enabled') {
      return fail('mapping', text, 'enable it: aws lambda update-event-source-mapping --enabled --uuid ID');
    }
    return last.startsWith('PROBLEM')
      ? warn('mapping', text, 'fix what the last result names; the log of the function has more')
      : ok('mapping', text);
  });
}

type Attributes = Readonly<Record<string, string>>;

interface QueueFacts {
  readonly url: string;
  readonly oldestSeconds: number | undefined;
  readonly attributes: Attributes;
}

/** The messages of the queue of uploads, by its name, and of the queues of what failed every attempt or was not delivered. */
export function checkQueues(queues: readonly QueueFacts[], name: string): readonly Finding[] {
  const uploads = queues.find(({ url }) => queueName(url) === name);
  if (uploads === undefined) return [fail('queue', `${name} does not exist`, DEPLOY)];
  const count = ({ attributes }: QueueFacts, attribute: string) => Number(attributes[attribute] ?? 0);
  const waiting = (queue: QueueFacts) => count(queue, 'ApproximateNumberOfMessages');
  const hidden = (queue: QueueFacts) => count(queue, 'ApproximateNumberOfMessagesNotVisible');
  const { oldestSeconds = 0 } = uploads;
  const age = oldestSeconds === 0 ? '' : `, the oldest for ${secondsText(oldestSeconds)}`;
  const text = `${name}: ${numberText(waiting(uploads))} waiting, ${numberText(hidden(uploads))} in progress or hidden${age}`;
  const todo =
    'the function crashed (its log has the cause), or uploads arrive faster than dlx:maxConcurrency allows';
  const isLate = oldestSeconds > count(uploads, 'VisibilityTimeout');
  const others = queues.filter((queue) => queue !== uploads);
  const retry = `fix the cause, which the log and status/ have, then ${commandText('retry')}`;
  const dead = others.flatMap((queue) => {
    const held = waiting(queue) + hidden(queue);
    return held === 0 ? [] : [fail('dead', `${numberText(held)} in ${queueName(queue.url)}`, retry)];
  });
  return [
    isLate ? warn('queue', text, todo) : ok('queue', text),
    ...orOk(dead, 'dead', `no dead letters in ${counted(others.length, 'queue')}`),
  ];
}

export function checkAlarms(
  alarms: readonly MetricAlarm[],
  topics: readonly { readonly arn: string; readonly attributes: Attributes }[],
): readonly Finding[] {
  const raised = alarms.filter(({ StateValue }) => StateValue === 'ALARM');
  const disabled = alarms.filter(({ ActionsEnabled }) => ActionsEnabled === false);
  const silent = alarms.filter(({ AlarmActions = [] }) => AlarmActions.length === 0).length;
  const emails =
    'deploy with -c dlx:alarmEmails=ADDRESS, or with -c dlx:alarmTopicArn=ARN of an SNS topic with a subscription';
  const off = disabled.map(({ AlarmName }) => AlarmName).join(', ');
  return [
    ...raised.map(({ AlarmName, AlarmDescription = '' }) =>
      warn('alarms', `${AlarmName} is raised`, AlarmDescription),
    ),
    ...(off === '' ? [] : [warn('alarms', `actions are off: ${off}`, 'aws cloudwatch enable-alarm-actions')]),
    ...(raised.length > 0 ? [] : [ok('alarms', `${counted(alarms.length, 'alarm')}, none raised`)]),
    ...(silent === 0 ? [] : [warn('notified', `no action: ${counted(silent, 'alarm')}`, emails)]),
    ...topics.map(({ arn, attributes }) => {
      const { SubscriptionsConfirmed: confirmed = 0, SubscriptionsPending: pending = 0 } = attributes;
      if (Number(confirmed) > 0)
        return ok('notified', `${arn} has ${counted(Number(confirmed), 'subscription')}`);
      const subscribe = `aws sns subscribe --topic-arn ${arn} --protocol email --notification-endpoint ADDRESS`;
      const confirm = 'confirm it: the link is in the e-mail that SNS sent';
      const text = `${arn} has no subscription, ${pending} not confirmed`;
      return warn('notified', text, Number(pending) > 0 ? confirm : subscribe);
    }),
  ];
}

export function checkPermissions({ calls, unknown }: CallFacts): readonly Finding[] {
  const denied = calls.flatMap(({ roleArn, result }) => {
    const { EvalActionName: action, OrganizationsDecisionDetail: organisation } = result;
    const one = { ...result, EvalResourceDecision: result.EvalDecision };
    const decisions = result.ResourceSpecificResults?.length ? result.ResourceSpecificResults : [one];
    return decisions.flatMap((each) => {
      const { EvalResourceName: resource, EvalResourceDecision: decision } = each;
      if (decision === 'allowed') return [];
      const boundary = each.PermissionsBoundaryDecisionDetail ?? result.PermissionsBoundaryDecisionDetail;
      const ofBoundary =
        boundary?.AllowedByPermissionsBoundary === false ? ' by the permissions boundary' : '';
      const by = organisation?.AllowedByOrganizations === false ? ' by the organisation' : ofBoundary;
      const text = `${roleArn.split('/').at(-1)} may not call ${action} on ${resource} (${decision}${by})`;
      const todo = by === '' ? DEPLOY : 'ask the administrators of the account to allow it';
      return [fail('permissions', text, todo)];
    });
  });
  if (unknown.length > 0) {
    const text = `the stack does not have the resources of ${counted(unknown.length, 'call')} of this version, such as ${unknown[0]}`;
    denied.push(fail('permissions', text, `${DEPLOY} from this version`));
  }
  const roles = new Set(calls.map(({ roleArn }) => roleArn)).size;
  const text = `allowed: ${counted(calls.length, 'call')} of ${counted(roles, 'role')}`;
  return orOk(denied, 'permissions', text);
}

/** The problems of a check; if there are none, that it is fine. */
function orOk(problems: readonly Finding[], check: string, text: string): readonly Finding[] {
  return problems.length > 0 ? problems : [ok(check, text)];
}

/** `2026-11-22 20:15 UTC` */
function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
