/**
 * Every path of the stack, with the permissions of the template: no call is denied, and each permission that no path
 * uses has a reason. Also the metrics that the functions write on these paths: those of the alarms and the dashboard.
 */
import { Metrics } from '@aws-lambda-powertools/metrics';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { FUNCTION_NAMES, type FunctionName } from '../../../functions/bundle.ts';
import { s3ClientFor } from '../../../lib/aws/s3-client.ts';
import { s3Store } from '../../../lib/aws/s3-store.ts';
import { sfnClientAt, stepFunctions } from '../../../lib/aws/step-functions.ts';
import { runIdAt } from '../../../lib/batch/bulk-run/run-keys.ts';
import { storedJob } from '../../../lib/batch/delivery/commit.ts';
import { jobIdOf } from '../../../lib/batch/delivery/job-id.ts';
import { ALARM_FAILURE_COUNT } from '../../../lib/batch/limits.ts';
import {
  ENVIRONMENT,
  METRIC_NAMESPACE,
  METRIC_STACK_DIMENSION,
  METRICS,
  STATUS_METRICS,
} from '../../../lib/batch/names.ts';
import { canonicalOptions } from '../../../lib/batch/options.ts';
import { decidingStatement } from '../../../lib/local/access/policy.ts';
import { StackAccess } from '../../../lib/local/access/stack-access.ts';
import type { LocalStack } from '../../../lib/local/stack.ts';
import { LOCAL_STACK } from '../../../lib/local/stack-names.ts';
import { namesOf, type StackTemplate } from '../../../lib/local/template.ts';
import { systemHashing } from '../../../lib/node/system.ts';
import { pentominoes } from '../../exact-cover/classic-problems.ts';
import { knuthText } from '../../formats/exact-cover/problem-files.ts';
import { Resources } from '../../infra/resources.ts';
import { serviceCalls } from '../../infra/service-calls.ts';
import { builtProgram, roleNamed as roleIn } from '../../support/built-program.ts';
import { optionsFrom } from '../../support/dependencies.ts';
import { DEEP } from '../../support/depth.ts';
import { eventBridgeBody } from '../../support/message-factory.ts';
import { EASY, HARD } from '../../support/puzzles.ts';
import { metricsIn } from '../../support/template-metrics.ts';
import { temporaryFolder } from '../fixture-function.ts';
import { endThreadStack, startThreadStack, ThreadFunctions } from './thread-functions.ts';

/**
 * Permissions that no path uses here, with the reason why they are granted: texts of role, action and resource.
 * Lambda and Step Functions make these calls themselves, with the role.
 */
const REASONS: readonly { readonly granted: RegExp; readonly reason: string }[] = [
  {
    granted: /^[\w-]+ logs:(CreateLogStream|PutLogEvents) arn:aws:logs:.*Logs\w{8}$/,
    reason: 'Lambda writes the log of a function',
  },
  {
    granted: /^(SolveLarge|BulkRun) lambda:InvokeFunction .*:function:[\w-]+$/,
    reason: 'executions that started before the functions had versions call the functions without one',
  },
  {
    granted: /^SolveLarge s3:(AbortMultipartUpload|ListMultipartUploadParts) .*\/work\/\*$/,
    reason: 'Step Functions writes large results of a map in parts',
  },
  {
    granted: /^[\w-]+ s3:(GetObject|PutObject) .*\/usage\/\*$/,
    reason: 'functions of version 0.1 finish the large jobs that they have begun, and count them',
  },
  {
    granted: /^merge-shards s3:PutObject .*\/work\/\*$/,
    reason: 'functions of version 0.1 store how far they have merged',
  },
  {
    granted: /^run-step s3:GetObject .*\/rejects\/\*$/,
    reason: 'a run over rejected uploads reads why',
  },
  {
    granted: /^run-step states:StartExecution .*:stateMachine:BulkRun$/,
    reason: 'a run of more than a day goes on in another execution',
  },
  {
    granted: /^SolveLarge states:(DescribeExecution|StopExecution) .*:execution:SolveLarge:\*$/,
    reason: 'Step Functions watches and stops the children of a map',
  },
  {
    granted: /^SolveLarge states:RedriveExecution .*:execution:SolveLarge\/(CountShards|SolveShards):\*$/,
    reason: 'Step Functions redrives the children of a map',
  },
  {
    granted:
      /^(SolveLarge|BulkRun) logs:(CreateLogDelivery|GetLogDelivery|UpdateLogDelivery|DeleteLogDelivery|ListLogDeliveries|PutResourcePolicy|DescribeResourcePolicies|DescribeLogGroups) \*$/,
    reason:
      'Step Functions delivers the logs of a state machine, for which there are no permissions of single logs',
  },
];

/** A permission of a role, or a call that needs one. */
interface Permission {
  readonly role: string;
  readonly action: string;
  readonly resource: string;
}

interface OutcomeEvent {
  readonly 'detail-type': string;
  readonly detail: { readonly stack: string; readonly input?: { readonly key: string } };
}

/** Of all jobs: an engine that starts fast. */
const OPTIONS = { engine: 'backtrack' };
const SHARD_BYTES = 100_000;
/** The least size of a part that S3 copies. */
const COPIED_BYTES = 5 * 1024 * 1024;
/** A file that is split; a file of one puzzle never is. */
const LARGE = `${EASY}\n`.repeat(3).padEnd(3 * SHARD_BYTES, `# ${'x'.repeat(997)}\n`);

const calls = new Map<string, Permission & { readonly isAllowed: boolean }>();
/** Names of the metrics that the functions have written, with the names of their dimensions. */
const written = new Set<string>();
const functions = new ThreadFunctions();
const events: OutcomeEvent[] = [];
let isBusDown = false;
function receive(event: string): void {
  if (isBusDown) throw new Error('the bus is down');
  events.push(JSON.parse(event));
}
let template: StackTemplate;
let access: StackAccess;
let stack: LocalStack;
let s3: ReturnType<typeof s3ClientFor>;

beforeAll(async () => {
  ({ template } = await builtProgram(temporaryFolder(afterAll)));
  recordCalls();
  recordMetrics();
  stack = await startThreadStack(functions, {
    template,
    maxReceives: ALARM_FAILURE_COUNT,
    rules: [{ pattern: { source: ['dlx-batch'] }, receive }],
    jitter: () => 0,
    environment: {
      [ENVIRONMENT.largeJobSeconds]: '0.000001',
      [ENVIRONMENT.shardBytes]: String(SHARD_BYTES),
      [ENVIRONMENT.defaultOptions]: JSON.stringify(OPTIONS),
    },
  });
  s3 = s3ClientFor(stack);
});

afterAll(async () => {
  s3.destroy();
  await endThreadStack(stack);
});

/** Records each call that a role makes, once. */
function recordCalls(): void {
  const original = StackAccess.prototype.isAllowed;
  const recorded: typeof original = function (this: StackAccess, role, action, resource, context) {
    access = this;
    const isAllowed = original.call(this, role, action, resource, context);
    if (role !== undefined) calls.set(`${role} ${action} ${resource}`, { role, action, resource, isAllowed });
    return isAllowed;
  };
  vi.spyOn(StackAccess.prototype, 'isAllowed').mockImplementation(recorded);
}

/** Records each metric when it would be written into the log. */
function recordMetrics(): void {
  const record = function (this: Metrics) {
    for (const { Namespace, Dimensions, Metrics: metrics } of this.serializeMetrics()._aws
      .CloudWatchMetrics) {
      for (const { Name } of metrics) written.add(metricText(Namespace, Name, Dimensions.flat()));
    }
    this.clearMetrics();
    return this;
  };
  vi.spyOn(Metrics.prototype, 'publishStoredMetrics').mockImplementation(record);
}

function metricText(namespace: string, name: string, dimensions: readonly string[]): string {
  return `${namespace} ${name} by ${[...dimensions].sort().join()}`;
}

/** Uploads a file. @returns its version, after all work is done */
async function upload(key: string, text: string): Promise<string> {
  const { VersionId } = await s3.putObject({ Bucket: stack.inputBucket, Key: key, Body: text });
  await stack.idle();
  return VersionId!;
}

async function deliver(key: string, versionId?: string): Promise<void> {
  stack.send(eventBridgeBody({ bucket: stack.inputBucket, key, versionId }));
  await stack.idle();
}

function executionsOf(machine: 'SolveLarge' | 'BulkRun') {
  const { solveLargeArn, bulkRunArn } = LOCAL_STACK;
  const arn = machine === 'BulkRun' ? bulkRunArn : solveLargeArn;
  return stepFunctions(arn, sfnClientAt(stack.endpoint, s3));
}

function jobOf(key: string, versionId: string) {
  const input = { bucket: stack.inputBucket, key, versionId };
  const large = { ...input, options: canonicalOptions(optionsFrom(OPTIONS)) };
  return { large, ...storedJob(jobIdOf(large, systemHashing), input, systemHashing) };
}

/** Runs an execution for a file. @returns its status */
async function split(key: string, versionId: string): Promise<string | undefined> {
  const { large, jobId } = jobOf(key, versionId);
  await executionsOf('SolveLarge').start(jobId, JSON.stringify(large));
  return statusOf(jobId);
}

async function statusOf(jobId: string): Promise<string | undefined> {
  await stack.idle();
  return (await executionsOf('SolveLarge').describe(jobId))?.status;
}

/** Leaves what a killed attempt and an older reject leave. */
async function leaveFiles(key: string, versionId: string): Promise<void> {
  const { keys } = jobOf(key, versionId);
  for (const Key of [keys.reject, `${keys.attempt('killed')}solutions.txt`]) {
    await s3.putObject({ Bucket: stack.resultsBucket, Key, Body: 'x' });
  }
}

async function results(prefix: string): Promise<string[]> {
  const { Contents = [] } = await s3.listObjectsV2({ Bucket: stack.resultsBucket, Prefix: prefix });
  return Contents.map(({ Key }) => Key!);
}

function roleNamed(name: FunctionName): string {
  return roleIn(template, name);
}

/** A client with the keys of a function. */
function clientOf(name: FunctionName) {
  const client = s3ClientFor({ ...stack, ...access.keysOf(roleNamed(name)) });
  return { s3: client, [Symbol.dispose]: () => client.destroy() };
}

describe('what each function may do is enough for', () => {
  test('a small file, delivered again after an attempt was killed', async () => {
    const versionId = await upload('inbox/small.txt', EASY);
    await leaveFiles('inbox/small.txt', versionId);
    await deliver('inbox/small.txt', versionId);
    expect(await results('rejects/inbox/small.txt')).toEqual([]);
    expect((await results('results/inbox/small.txt')).filter((key) => key.includes('/killed/'))).toEqual([]);
  });

  test('a file that is no puzzle, an upload that was deleted, and a message without a version', async () => {
    const VersionId = await upload('inbox/prose.txt', 'Dear all,\n');
    await s3.deleteObject({ Bucket: stack.inputBucket, Key: 'inbox/prose.txt', VersionId });
    await deliver('inbox/prose.txt', VersionId);
    expect(await split('inbox/prose.txt', VersionId)).toBe('succeeded');
    await deliver('inbox/small.txt');
    await upload('scheduled/small.txt', EASY);
    await deliver('scheduled/small.txt');
    expect(await results('rejects/')).toHaveLength(1);
  });

  test('a message that is no event', async () => {
    stack.send('?');
    await stack.idle();
    expect(stack.deadLetters).toHaveLength(1);
  });

  test('a large file whose shard fails, is redriven and delivered once more', async () => {
    await upload('inbox/large.txt', EASY);
    functions.crashing.add('solve-shard');
    const versionId = await upload('inbox/large.txt', LARGE);
    functions.crashing.clear();
    const { jobId, keys } = jobOf('inbox/large.txt', versionId);
    expect(await statusOf(jobId)).toBe('failed');
    await leaveFiles('inbox/large.txt', versionId);
    await deliver('inbox/large.txt', versionId);
    expect(await statusOf(jobId)).toBe('succeeded');
    expect(await results('rejects/inbox/large.txt')).toEqual([]);
    await s3.deleteObject({ Bucket: stack.resultsBucket, Key: keys.manifest });
    await deliver('inbox/large.txt', versionId);
    expect(await results(keys.manifest)).toEqual([]);
  });

  test('executions for files that are solved, rejected, or without versions', async () => {
    const versionId = await upload('inbox/solved.txt', EASY);
    await leaveFiles('inbox/solved.txt', versionId);
    expect(await split('inbox/solved.txt', versionId)).toBe('succeeded');
    for (const text of ['Dear all,\n', 'Dear everyone,\n']) {
      expect(await split('scheduled/prose.txt', await upload('scheduled/prose.txt', text))).toBe('succeeded');
    }
    for (const key of ['inbox/small.txt', 'scheduled/small.txt']) {
      expect(await split(key, 'etag-0123')).toBe('succeeded');
    }
  });

  // Each of its functions searches for 0.2 s, and there are many: the nightly workflow runs it.
  test.runIf(DEEP)('a long search of an exact cover', async () => {
    const versionId = await upload('scheduled/tiles.dlx', knuthText(pentominoes(4, 15)));
    const input = { bucket: stack.inputBucket, key: 'scheduled/tiles.dlx', versionId };
    const large = { ...input, options: canonicalOptions(optionsFrom({ solutions: 'all' })) };
    const jobId = jobIdOf(large, systemHashing);
    await executionsOf('SolveLarge').start(jobId, JSON.stringify(large));
    expect(await statusOf(jobId)).toBe('succeeded');
    expect(await results(`results/scheduled/tiles.dlx/${jobId}/manifest.json`)).toHaveLength(1);
    expect(await results(`work/${jobId}/${jobId}/parts/00007`)).not.toEqual([]);
  });

  test('a large file that exceeds a limit', async () => {
    functions.variables = { [ENVIRONMENT.jobLimits]: '{"max-job-nodes":"1"}' };
    expect(await split('scheduled/hard.txt', await upload('scheduled/hard.txt', HARD))).toBe('succeeded');
    functions.variables = { [ENVIRONMENT.jobLimits]: '{}' };
    expect(await results('rejects/scheduled/hard.txt')).toHaveLength(1);
  });

  test('an outcome whose event the bus does not accept', async () => {
    isBusDown = true;
    const versionId = await upload('inbox/silent.txt', EASY);
    isBusDown = false;
    expect(await results('results/inbox/silent.txt')).not.toEqual([]);
    await deliver('inbox/silent.txt', versionId);
  });

  test.each(['count-shard', 'solve-shard'] as const)('%s after the upload was deleted', async (name) => {
    const key = `scheduled/${name}.txt`;
    const versionId = await upload(key, EASY);
    functions.crashing.add(name);
    expect(await split(key, versionId)).toBe('failed');
    functions.crashing.clear();
    await s3.deleteObject({ Bucket: stack.inputBucket, Key: key, VersionId: versionId });
    await executionsOf('SolveLarge').redrive(jobOf(key, versionId).jobId);
    expect(await statusOf(jobOf(key, versionId).jobId)).toBe('failed');
  });

  test.each([
    ['solve-batch', 'results/'],
    ['plan-shards', 'work/'],
    ['solve-shard', 'work/'],
    ['merge-shards', 'results/'],
    ['run-step', 'work/'],
    ['run-step', 'runs/'],
  ] as const)('%s aborts a long write under %s', async (name, prefix) => {
    using of = clientOf(name);
    const target = { Bucket: stack.resultsBucket, Key: `${prefix}aborted` };
    const { UploadId } = await of.s3.createMultipartUpload(target);
    const { $metadata } = await of.s3.abortMultipartUpload({ ...target, UploadId });
    expect($metadata.httpStatusCode).toBe(204);
  });

  test('what merge-shards may do: join parts', async () => {
    using of = clientOf('merge-shards');
    const store = s3Store(of.s3);
    const [bucket, key] = [stack.resultsBucket, 'results/joined'];
    await s3.putObject({ Bucket: bucket, Key: 'work/part', Body: Buffer.alloc(COPIED_BYTES) });
    const target = { bucket, key, joinId: await store.beginJoin(bucket, key, 'text/plain') };
    await store.joinPart(target, 1, { bucket, key: 'work/part', from: 0, to: COPIED_BYTES });
    await store.joinPart(target, 2, Buffer.from('x'));
    await store.completeJoin(target, 2);
    expect(await results(key)).toEqual([key]);
  });

  test('a bulk run by the schedule, and a retry of its failed versions', async () => {
    await upload('scheduled/night.txt', EASY);
    await upload('scheduled/night.txt', EASY);
    await upload('scheduled/rejected.txt', 'Dear all,\n');
    const scheduledTime = '2026-01-02T02:00:00Z';
    const credentials = access.keysOf(roleNamed('sweep-inbox'));
    const environment = {
      AWS_ENDPOINT_URL_SFN: stack.endpoint,
      [ENVIRONMENT.bulkRun]: LOCAL_STACK.bulkRunArn,
    };
    const configuration = {
      name: 'sweep-inbox',
      codeDir: '',
      handler: '',
      memoryMb: 256,
      region: stack.region,
    };
    await functions.invoke({ ...configuration, credentials, environment }, { scheduledTime });
    await stack.idle();
    const [first, second] = [runIdAt(scheduledTime), runIdAt('2026-01-03T02:00:00Z')];
    await executionsOf('BulkRun').start(
      second,
      JSON.stringify({ runId: second, rerunOf: first, retry: true }),
    );
    await stack.idle();
    for (const run of [first, second]) expect(await results(`runs/${run}/report.json`)).toHaveLength(1);
  });
});

test('each metric of the alarms and the dashboard is written, and each that is written is named by the stack', () => {
  const own = metricsIn(template.Resources).filter(({ namespace }) => namespace === METRIC_NAMESPACE);
  const needed = own.map(({ name, dimensions }) =>
    metricText(METRIC_NAMESPACE, name, Object.keys(dimensions)),
  );
  expect(needed).not.toEqual([]);
  expect([...new Set(needed)].filter((text) => !written.has(text))).toEqual([]);
  const names = [...Object.values(METRICS), ...Object.values(STATUS_METRICS)];
  const dimensions = ['service', METRIC_STACK_DIMENSION];
  expect([...written].sort()).toEqual(
    names.map((name) => metricText(METRIC_NAMESPACE, name, dimensions)).sort(),
  );
});

test('a rule has received an event for each outcome, of small files, large ones and runs', () => {
  const types = Map.groupBy(events, (event) => event['detail-type']);
  const keysOf = (type: string) => new Set(types.get(type)?.map(({ detail }) => detail.input?.key));
  expect(keysOf('JobCompleted')).toEqual(
    new Set([
      'inbox/small.txt',
      'scheduled/small.txt',
      'inbox/large.txt',
      'inbox/solved.txt',
      'inbox/silent.txt',
      'scheduled/night.txt',
      ...(DEEP ? ['scheduled/tiles.dlx'] : []),
    ]),
  );
  expect(keysOf('JobRejected')).toContain('scheduled/hard.txt');
  expect(keysOf('JobFailed')).toContain('inbox/large.txt');
  expect(types.get('RunCompleted')).toHaveLength(2);
  expect(new Set(events.map(({ detail }) => detail.stack))).toEqual(new Set(['DlxBatch']));
});

test('no call is denied, nor of what services call with these roles', () => {
  const all = new Resources(template);
  for (const { role, action, on } of serviceCalls(all)) {
    access.isAllowed(all.at(role)!.id, action, resourceNames().attributes.get(on.slice(1, -1))!);
  }
  expect([...calls.values()].filter(({ isAllowed }) => !isAllowed)).toEqual([]);
});

test('every permission that no path uses has a reason', () => {
  const unused = unusedPermissions();
  const unexplained = unused.filter((text) => !REASONS.some(({ granted }) => granted.test(text)));
  expect(unexplained).toEqual([]);
  const needless = REASONS.filter(({ granted }) => !unused.some((text) => granted.test(text)));
  expect(needless).toEqual([]);
});

/** `vitest -u` records them again. */
test('doctor asks IAM about every call', async () => {
  const recorded = [...calls.values()].map(
    ({ role, action, resource }) => `${templateName(role)} ${action} ${placeholder(resource)}`,
  );
  const text = `${JSON.stringify([...new Set(recorded)].sort(), undefined, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../../lib/cli/doctor/permissions.json');
});

/** Permissions of all roles that no call has used: texts of role, action and resource. */
function unusedPermissions(): string[] {
  return grantedPermissions()
    .filter((granted) => ![...calls.values()].some((call) => allowsCall(granted, call)))
    .map(({ role, action, resource }) => `${roleNames().get(role)} ${action} ${resource}`);
}

function grantedPermissions(): Permission[] {
  return [...access.roles].flatMap(([role, statements]) =>
    statements.flatMap(({ Action, Resource }) =>
      Action.flatMap((action) => Resource.map((resource) => ({ role, action, resource }))),
    ),
  );
}

function allowsCall({ role, action, resource }: Permission, call: Permission): boolean {
  const statement = { Effect: 'Allow' as const, Action: [action], Resource: [resource] };
  return (
    role === call.role &&
    decidingStatement([statement], { ...call, principal: '', context: {} }) !== undefined
  );
}

/** A logical id without its hash. */
function templateName(logicalId: string): string {
  return logicalId.replace(/\w{8}$/, '');
}

/** A resource by its name in the template; of keys and executions, only what is the same in each run. */
function placeholder(arn: string): string {
  const [, bucket, prefix] = /^arn:aws:s3:::([^/]+)(?:\/([^/]+\/))?/.exec(arn) ?? [];
  if (bucket !== undefined) {
    const name = bucket === stack.inputBucket ? '{Input}' : '{Results}';
    return prefix === undefined ? name : `${name}:${prefix}KEY`;
  }
  if (arn.includes(':event-bus/')) return '{EventBus}';
  const [, execution] = /^(.*):execution:/.exec(arn) ?? [];
  const [owner = '', part] = execution
    ? [arn.replace(':execution:', ':stateMachine:').replace(/:[^:]*$/, ''), ':EXECUTION']
    : [arn.replace(/(:function:[\w-]+):.*/, '$1'), /:function:[\w-]+:/.test(arn) ? ':VERSION' : ''];
  const { refs, attributes } = resourceNames();
  const [id] = [...refs, ...attributes].find(([, name]) => name === owner) ?? [];
  if (id === undefined) throw new Error(`no resource of the template is ${arn}`);
  return `{${templateName(id.replace(/\.Arn$/, ''))}}${part}`;
}

function resourceNames() {
  return namesOf(template, stack.endpoint, 'current');
}

/** Names of roles, by their logical ids: of their functions, or of their parts of the stack. */
function roleNames(): Map<string, string> {
  const names = [...access.roles.keys()].map((role) => [role, role.replace(/Role\w{8}$/, '')] as const);
  return new Map([...names, ...FUNCTION_NAMES.map((name) => [roleNamed(name), name] as const)]);
}
