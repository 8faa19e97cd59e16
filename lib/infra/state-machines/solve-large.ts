import { JsonNull } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import {
  Choice,
  Condition,
  DistributedMap,
  type IChainable,
  JsonPath,
  Pass,
  ResultWriterV2,
  S3JsonLItemReader,
  type StateMachine,
  Succeed,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import { DEFAULT_MEMORY_MB } from '../../batch/limits.ts';
import { WORK_PREFIX } from '../../batch/names.ts';
import type { SharedConcurrency } from '../account-concurrency.ts';
import { acknowledgeWildcard, executionsArn } from '../acknowledged-findings.ts';
import { BatchFunction, type BatchInstance, jobVariables } from '../batch-function.ts';
import { acknowledgePrefix } from '../bucket-access.ts';
import { KEY_ACTIONS } from '../customer-key.ts';
import { queueTarget } from '../upload-queue.ts';
import { backoff, createStateMachine, type StepTaskProps, stepTask } from './state-machine.ts';

/**
 * Timeout of a large job in days: 10^12 easy puzzles take as long with a hundred concurrent shards. Parts are kept for 21
 * days, so they still exist if an execution times out, is redriven on the last of the 14 days in which that is possible,
 * and takes as long again.
 */
const TIMEOUT_DAYS = 3;

/** Input of every step. */
const JOB = { job: JsonPath.objectAt('$.job'), attempt: JsonPath.stringAt('$.attempt') };

/** A plain null would be omitted, and the state that reads it would fail. */
const NULL = JsonNull.INSTANCE;

/** Names of the maps, which are part of the names of their children's executions. */
const MAP_LABELS = ['CountShards', 'SolveShards'] as const;

/**
 * The state machine for files that are too large for one function, and its functions.
 *
 * If an execution fails, times out or is stopped, an event is sent to the queue of uploads, and the function there
 * writes the failure into the job's status.
 */
export class SolveLarge extends Construct {
  readonly machine: StateMachine;
  readonly logGroup: ILogGroup;
  readonly plan: BatchFunction;
  readonly count: BatchFunction;
  readonly solve: BatchFunction;
  readonly merge: BatchFunction;
  /** The four. */
  readonly functions: readonly BatchFunction[];
  /** Sends the events. */
  readonly rule: Rule;

  constructor(scope: Construct, id: string, instance: BatchInstance, concurrency: SharedConcurrency) {
    super(scope, id);
    const { buckets, uploads, shardMemoryMb } = instance;
    const { reserved } = concurrency;
    const functions = new Construct(this, 'Functions');
    const create = (
      functionId: string,
      name: 'plan-shards' | 'count-shard' | 'solve-shard' | 'merge-shards',
      description: string,
      reservedConcurrency: number | undefined,
      memoryMb = DEFAULT_MEMORY_MB,
    ) => {
      const environment = jobVariables(instance);
      const props = { name, description, reservedConcurrency, memoryMb, environment };
      const created = new BatchFunction(functions, functionId, instance, props);
      buckets.grant(created.role, name).assertSuccess();
      return created;
    };
    this.plan = create('Plan', 'plan-shards', 'Plans the shards of a large file', reserved?.plan);
    this.count = create(
      'Count',
      'count-shard',
      'Counts the puzzles of one shard of a large file',
      reserved?.count,
    );
    this.solve = create(
      'Solve',
      'solve-shard',
      'Solves the puzzles of one shard of a large file',
      reserved?.solve,
      shardMemoryMb,
    );
    this.merge = create(
      'Merge',
      'merge-shards',
      'Merges the results of the shards of a large file into one result set, and commits it',
      reserved?.merge,
    );
    this.functions = [this.plan, this.count, this.solve, this.merge];

    const { machine, role, logGroup } = createStateMachine(this, instance, TIMEOUT_DAYS, () =>
      statesOf(this, instance, concurrency.shards),
    );
    this.machine = machine;
    this.logGroup = logGroup;
    for (const step of this.functions) step.grantInvokeVersions(role);
    buckets.results.encryptionKey?.grant(role, ...KEY_ACTIONS);
    acknowledgePrefix(role, buckets.results, buckets.prefixes.results + WORK_PREFIX);
    const maps = machine.node.findChild('DistributedMapPolicy');
    for (const path of ['', ...MAP_LABELS.map((label) => `/${label}`)]) {
      acknowledgeWildcard(maps, 'children', executionsArn(machine, path));
    }
    this.rule = new Rule(this, 'Unsuccessful', {
      description:
        'Sends large jobs that failed, timed out or were stopped to the function that writes their status',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: {
          stateMachineArn: [machine.stateMachineArn],
          status: ['FAILED', 'TIMED_OUT', 'ABORTED'],
        },
      },
      targets: [queueTarget(uploads.queue, uploads.deadLetters)],
    });
  }

  /** Lets a role start and describe large jobs, and redrive those that failed. */
  grantStart(role: Role): void {
    this.machine.grantStartExecution(role);
    this.machine.grantExecution(role, 'states:DescribeExecution', 'states:RedriveExecution');
    acknowledgeWildcard(role, 'executions', executionsArn(this.machine));
  }
}

/**
 * The states of a large job. The types of their data are in `lib/batch/large/steps.ts`; every list of shards is an
 * object in S3, so that the data is small for files of any size.
 *
 *     { job, attempt, step: { next, cursor, items, work }, merge: { done, cursor } }      in the execution
 *     { job, attempt, shard, step: { done, cursor } }                                     in a child of a map
 *
 * JSONPath with reference paths only. There is no Catch: an error ends the execution, and a redrive continues with that
 * state. There are no tolerated failures: a map that succeeded is never redriven.
 *
 * @param shardConcurrency maximum number of concurrent shards
 * @returns the first state
 */
function statesOf(large: SolveLarge, instance: BatchInstance, shardConcurrency: number): IChainable {
  const invoke = (id: string, lambda: BatchFunction, props: StepTaskProps) =>
    stepTask(large, id, instance, lambda, props);
  const begin = new Pass(large, 'Begin', {
    parameters: {
      job: JsonPath.objectAt('$'),
      attempt: JsonPath.stringAt('$$.Execution.Name'),
      step: { next: 'plan', cursor: NULL },
      merge: { done: false, cursor: NULL },
    },
  });
  const plan = invoke('Plan', large.plan, {
    payload: { ...JOB, cursor: JsonPath.objectAt('$.step.cursor') },
    picks: ['next', 'cursor', 'items', 'work'],
    resultPath: '$.step',
    sendsEvents: true,
  });
  const merge = invoke('Merge', large.merge, {
    payload: { ...JOB, cursor: JsonPath.objectAt('$.merge.cursor') },
    picks: ['done', 'cursor'],
    resultPath: '$.merge',
    sendsEvents: true,
  });
  const countShard = invoke('CountShard', large.count, {
    payload: { ...JOB, shard: JsonPath.objectAt('$.shard') },
    resultPath: JsonPath.DISCARD,
  });
  const count = shardMap(large, 'CountShards', instance, shardConcurrency, {}, countShard);
  // A shard is solved in as many invocations as it needs: each continues from the cursor of the one before.
  const solveShard = invoke('SolveShard', large.solve, {
    payload: { ...JOB, shard: JsonPath.objectAt('$.shard'), cursor: JsonPath.objectAt('$.step.cursor') },
    picks: ['done', 'cursor'],
    resultPath: '$.step',
  });
  const shardEnd = new Succeed(large, 'ShardEnd');
  solveShard.next(untilDone(large, 'Solved', '$.step.done', solveShard, shardEnd));
  const first = { step: { cursor: NULL } };
  const solve = shardMap(large, 'SolveShards', instance, shardConcurrency, first, solveShard);

  const end = new Succeed(large, 'End');
  const next = (name: string) => Condition.stringEquals('$.step.next', name);
  begin.next(plan).next(
    new Choice(large, 'Planned')
      .when(next('plan'), plan)
      .when(next('count'), count.next(plan))
      .when(next('solve'), solve.next(merge))
      // Any other value has no transition, so the execution fails.
      .when(next('end'), end),
  );
  merge.next(untilDone(large, 'Merged', '$.merge.done', merge, end));
  return begin;
}

function untilDone(
  scope: Construct,
  id: string,
  done: string,
  again: LambdaInvoke,
  then: IChainable,
): Choice {
  return new Choice(scope, id).when(Condition.booleanEquals(done, true), then).otherwise(again);
}

/** A map with one child for each line of `$.step.items`; the data of the execution stays unchanged. */
function shardMap(
  scope: Construct,
  id: (typeof MAP_LABELS)[number],
  { buckets }: BatchInstance,
  maxConcurrency: number,
  extra: Record<string, unknown>,
  child: IChainable,
): DistributedMap {
  const { results: bucket, prefixes } = buckets;
  const itemReader = new S3JsonLItemReader({ bucket, key: JsonPath.stringAt('$.step.items') });
  const resultWriterV2 = new ResultWriterV2({ bucket, prefix: JsonPath.stringAt('$.step.work') });
  // The library grants whole buckets. It omits the permissions for the key of the bucket (aws-cdk issue 32144), as this does.
  const resources = [bucket.arnForObjects(`${prefixes.results + WORK_PREFIX}*`)];
  itemReader.providePolicyStatements = () => [new PolicyStatement({ actions: ['s3:GetObject'], resources })];
  resultWriterV2.providePolicyStatements = () => [
    new PolicyStatement({ actions: WRITER_ACTIONS, resources }),
  ];
  const map = new DistributedMap(scope, id, {
    itemReader,
    itemSelector: { ...JOB, shard: JsonPath.objectAt('$$.Map.Item.Value'), ...extra },
    maxConcurrency,
    resultWriterV2,
    resultPath: JsonPath.DISCARD,
    label: id,
  });
  // S3 refused to return the list, or to store the results. Every child runs again, which costs little: a solved shard
  // finds its parts, and counting only reads. A failed child is another error, without a retry here: it has used all
  // of its own.
  map.addRetry({
    errors: ['States.ItemReaderFailed', 'States.ResultWriterFailed'],
    ...backoff(2, 2, 60),
    maxAttempts: 5,
  });
  return map.itemProcessor(child);
}

/** Of the writer of a map's results. */
const WRITER_ACTIONS = [
  's3:PutObject',
  's3:GetObject',
  's3:ListMultipartUploadParts',
  's3:AbortMultipartUpload',
];
