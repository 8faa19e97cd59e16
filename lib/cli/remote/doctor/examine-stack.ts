/** Examines a stack: reads its state, and passes it to the checks. */

import type { StackInspection } from '../../../aws/stack-inspection.ts';
import { inParallel } from '../../../batch/in-parallel.ts';
import { DEFAULT_MEMORY_MB } from '../../../batch/limits.ts';
import { ENVIRONMENT, INBOX_PREFIX, SCHEDULED_PREFIX } from '../../../batch/names.ts';
import { VERSION } from '../../../batch/version.ts';
import { CommandError } from '../../exit.ts';
import { type Finding, fail, ok, warn } from '../../terminal/finding.ts';
import { remoteError } from '../remote-error.ts';
import {
  checkBootstrap,
  checkIdentity,
  checkOutputs,
  checkResources,
  checkStack,
} from './checks/deployment.ts';
import {
  checkCode,
  checkConcurrency,
  checkFunctions,
  checkMemory,
  mostCost,
  shardConcurrency,
} from './checks/functions.ts';
import { alarmTopics, checkAlarms, checkSchedule, checkSilence, checkTopic } from './checks/operation.ts';
import { checkPermissions, simulations } from './checks/permissions.ts';
import {
  checkDeadLetters,
  checkInputBucket,
  checkMapping,
  checkPublicAccess,
  checkQueue,
  checkRules,
  checkSharing,
  checkVisibility,
} from './checks/uploads.ts';
import { deployedDigests, ownDigests } from './code-digests.ts';
import { queueName, StackParts } from './stack-parts.ts';

/** The CDK's default name of its bootstrap stack. */
const BOOTSTRAP_STACK = 'CDKToolkit';
/** IAM allows few simulations in a second. */
const PARALLEL_SIMULATIONS = 5;
const DENIED = /^(AccessDenied|UnauthorizedOperation|AuthorizationError)/;
/** A resource of the stack that was removed by another program. */
const MISSING = /NotFound|DoesNotExist|NonExistent|NoSuchBucket|NoSuchEntity/;
/** The local stack answers so if something exists in AWS only. */
const NOT_LOCAL = 'UnknownOperationException';

/** @returns the findings in the order of the checks; only the first ones if the stack cannot be read */
export async function examineStack(
  inspection: StackInspection,
  name: string,
  nowMs: number,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const identity = await attempt('identity', findings, () => inspection.identity());
  if (identity === undefined) return findings;
  findings.push(...checkIdentity(identity));
  const stack = await attempt('stack', findings, () => inspection.stack(name));
  if (stack === undefined) return findings;
  findings.push(checkStack(name, stack), checkOutputs(stack));
  const resources = await attempt('resources', findings, () => inspection.resources(name));
  if (resources === undefined) return findings;
  findings.push(...checkResources(resources));
  const { outputs } = stack;
  const parts = new StackParts(identity, resources, outputs.get('QueueUrl') ?? '');
  const shared = { functions: functionsOf(inspection, parts), mappings: mappingsOf(inspection, parts) };
  // A check that awaits one of them reports its error, but may do so later.
  for (const reading of Object.values(shared)) reading.catch(() => {});
  const groups = [
    group('bootstrap', () => bootstrap(inspection)),
    functions(inspection, shared, outputs),
    buckets(inspection, parts, outputs, nowMs),
    uploads(inspection, parts, shared, outputs, nowMs),
    schedules(inspection, parts, nowMs),
    group('alarms', () => alarms(inspection, parts)),
    group('permissions', () => permissions(inspection, parts, shared, outputs)),
  ];
  for (const found of await Promise.all(groups)) findings.push(...found);
  return findings;
}

type Outputs = ReadonlyMap<string, string>;

/** What several checks read. */
interface Shared {
  readonly functions: ReturnType<typeof functionsOf>;
  readonly mappings: ReturnType<typeof mappingsOf>;
}

async function bootstrap(inspection: StackInspection): Promise<Finding[]> {
  const found = await inspection.stack(BOOTSTRAP_STACK).catch((error: Error) => {
    if (error.name === 'ValidationError') return undefined;
    throw error;
  });
  return [checkBootstrap(found?.outputs.get('BootstrapVersion'))];
}

async function functions(inspection: StackInspection, shared: Shared, outputs: Outputs): Promise<Finding[]> {
  const findings: Finding[] = [];
  const found = await attempt('functions', findings, () => shared.functions);
  if (found === undefined) return findings;
  findings.push(...checkFunctions(found));
  const others = await Promise.all([
    group('quotas', async () => {
      const account = await inspection.accountConcurrency();
      const [mappings, { definition }] = await Promise.all([
        shared.mappings,
        inspection.machine(needed(outputs, 'SolveLargeArn')),
      ]);
      const files = Math.max(0, ...mappings.map(({ maxConcurrency = 0 }) => maxConcurrency));
      const reserved = found.some(({ reservedConcurrency = 0 }) => reservedConcurrency > 0);
      const settings = { files, shards: shardConcurrency(definition), reserved };
      const memoryOf = (name: string) =>
        found.find(({ handler }) => handler.startsWith(`${name}.`))?.memoryMb ?? DEFAULT_MEMORY_MB;
      const memory = { memoryMb: memoryOf('solve-batch'), shardMemoryMb: memoryOf('solve-shard') };
      return [checkConcurrency(account, settings), checkMemory(found), mostCost({ ...settings, ...memory })];
    }),
    group('code', () => code(found)),
  ]);
  return [...findings, ...others.flat()];
}

async function code(found: Awaited<Shared['functions']>): Promise<Finding[]> {
  try {
    const deployed = await deployedDigests(found);
    if (deployed.size === 0) {
      return [ok('code', 'not checked: the local stack runs the code of its own program')];
    }
    return [checkCode(deployed, await ownDigests([...deployed.keys()]), VERSION)];
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return [
      warn('code', `not checked: ${error.message}`, 'check whether the network allows downloads from S3'),
    ];
  }
}

async function buckets(
  inspection: StackInspection,
  parts: StackParts,
  outputs: Outputs,
  nowMs: number,
): Promise<Finding[]> {
  const both = await Promise.all([
    group('events', async () => {
      const input = needed(outputs, 'InputBucketName');
      const state = await inspection.bucket(input);
      return [
        ...checkInputBucket(input, state, parts.changed(input), nowMs),
        checkPublicAccess(input, state.blocksPublic),
      ];
    }),
    group('public', async () => {
      const results = needed(outputs, 'ResultsBucketName');
      return [checkPublicAccess(results, (await inspection.bucket(results)).blocksPublic)];
    }),
  ]);
  return both.flat();
}

async function uploads(
  inspection: StackInspection,
  parts: StackParts,
  shared: Shared,
  outputs: Outputs,
  nowMs: number,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const url = outputs.get('QueueUrl') ?? '';
  const queue = await attempt('queue', findings, () => inspection.queue(needed(outputs, 'QueueUrl')));
  if (queue === undefined) return findings;
  const groups = await Promise.all([
    group('rule', async () => {
      const rules = await Promise.all(parts.idsOf('AWS::Events::Rule').map((id) => inspection.rule(id)));
      return checkRules(rules, needed(outputs, 'InputBucketName'), queue.arn);
    }),
    group('shared', async () => {
      const own = parts.idsOf('AWS::Events::Rule').map((id) => id.split('|').at(-1)!);
      return [checkSharing(await inspection.allRules(), own, needed(outputs, 'InputBucketName'))];
    }),
    group('mapping', async () => [checkMapping(await shared.mappings, queue.arn)]),
    group('visibility', async () => {
      const solver = needed(outputs, 'SolveFunctionName');
      const found = (await shared.functions).find(({ name }) => name === solver);
      if (found === undefined) return [fail('visibility', `${solver} is not in the stack`, 'npx cdk deploy')];
      return [checkVisibility(queue, found.timeoutSeconds)];
    }),
    group('queue', async () => {
      return [checkQueue(queue, await inspection.oldestMessageSeconds(queueName(url), nowMs))];
    }),
    group('dead', async () => {
      const others = parts.idsOf('AWS::SQS::Queue').filter((id) => queueName(id) !== queueName(url));
      const states = await Promise.all(others.map((id) => inspection.queue(id)));
      return checkDeadLetters(states, queue.deadLetterArn);
    }),
  ]);
  return groups.flat();
}

async function schedules(inspection: StackInspection, parts: StackParts, nowMs: number): Promise<Finding[]> {
  const ids = parts.idsOf('AWS::Scheduler::Schedule');
  if (ids.length === 0) return [fail('schedule', 'the stack has none', 'npx cdk deploy')];
  const groups = ids.map((id) =>
    group('schedule', async () => [checkSchedule(await inspection.schedule(id), nowMs)]),
  );
  return (await Promise.all(groups)).flat();
}

async function alarms(inspection: StackInspection, parts: StackParts): Promise<Finding[]> {
  const names = parts.idsOf('AWS::CloudWatch::Alarm');
  const states = await inspection.alarms(names);
  const { topics, silent } = alarmTopics(states);
  const subscribed = topics.map((arn) =>
    group('notified', async () => [checkTopic(arn, await inspection.subscriptions(arn))]),
  );
  return [...checkAlarms(names, states), ...checkSilence(silent), ...(await Promise.all(subscribed)).flat()];
}

async function permissions(
  inspection: StackInspection,
  parts: StackParts,
  shared: Shared,
  outputs: Outputs,
): Promise<Finding[]> {
  const variables = Object.assign(
    {},
    ...(await shared.functions).map(({ environment }) => environment),
  ) as Record<string, string>;
  const { [ENVIRONMENT.inboxPrefix]: inbox = INBOX_PREFIX, [ENVIRONMENT.scheduledPrefix]: scheduled } =
    variables;
  const bucketArn = (output: string) => `arn:${parts.partition}:s3:::${needed(outputs, output)}`;
  // They may be resources of another stack.
  const known: Readonly<Record<string, string | undefined>> = {
    Input: bucketArn('InputBucketName'),
    Results: bucketArn('ResultsBucketName'),
    EventBus: variables[ENVIRONMENT.eventBus],
  };
  const { requests, unknown } = simulations({
    arnNamed: (name) => known[name] ?? parts.arnNamed(name),
    keyOf(bucket, key) {
      if (bucket === 'Results') return (variables[ENVIRONMENT.resultsPrefix] ?? '') + key;
      return key.replace(INBOX_PREFIX, inbox).replace(SCHEDULED_PREFIX, scheduled ?? SCHEDULED_PREFIX);
    },
  });
  const decided = await inParallel(
    requests,
    PARALLEL_SIMULATIONS,
    async ({ roleArn, actions, resources }) => {
      const decisions = await inspection.simulate(roleArn, actions, resources);
      return decisions.map((decision) => ({ ...decision, roleArn }));
    },
  );
  return checkPermissions(decided.flat(), unknown);
}

function functionsOf(inspection: StackInspection, parts: StackParts) {
  return Promise.all(parts.idsOf('AWS::Lambda::Function').map((id) => inspection.function(id)));
}

function mappingsOf(inspection: StackInspection, parts: StackParts) {
  return Promise.all(parts.idsOf('AWS::Lambda::EventSourceMapping').map((id) => inspection.mapping(id)));
}

/** @throws CommandError if the stack does not have the output */
function needed(outputs: Outputs, name: string): string {
  const value = outputs.get(name);
  if (value === undefined)
    throw new CommandError(`not checked, as the output ${name} is missing: npx cdk deploy`);
  return value;
}

/** The findings of a check, or why it cannot be made. */
async function group(check: string, work: () => Promise<Finding[]>): Promise<Finding[]> {
  const findings: Finding[] = [];
  findings.push(...((await attempt(check, findings, work)) ?? []));
  return findings;
}

/** Does work; if AWS refuses it, adds the reason to the findings and returns undefined. */
async function attempt<Result>(
  check: string,
  findings: Finding[],
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    findings.push(findingOf(check, error));
    return undefined;
  }
}

function findingOf(check: string, thrown: unknown): Finding {
  const { name, message } = thrown as Error;
  if (name === NOT_LOCAL) return ok(check, `not checked: ${message}`);
  if (DENIED.test(name)) {
    return warn(
      check,
      `not checked: ${message}`,
      'use credentials that may read it, such as the policy ReadOnlyAccess',
    );
  }
  if (MISSING.test(name)) return fail(check, message, 'it was removed outside of the stack: restore it');
  const error = remoteError(thrown, check);
  if (!(error instanceof CommandError)) throw error;
  const [text = '', ...todo] = error.message.replace(`${check}: `, '').split(': ');
  return fail(check, text, todo.join(': ') || 'run doctor again');
}
