/**
 * The states of a large job. The types of their data are in `lib/batch/large/steps.ts`; every list of shards is an
 * object in S3, so that the data is small for files of any size.
 *
 *     { job, attempt, step: { next, cursor, items, work }, merge: { done, cursor } }      in the execution
 *     { job, attempt, shard, step: { done, cursor } }                                     in a child of a map
 *
 * JSONPath with reference paths only. There is no Catch: an error ends the execution, and a redrive continues with that
 * state. There are no tolerated failures: a map that succeeded is never redriven.
 */
import { Duration, JsonNull } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import {
  Choice,
  Condition,
  DistributedMap,
  type IChainable,
  JitterType,
  JsonPath,
  Pass,
  Succeed,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import { WORK_PREFIX } from '../../batch/names.ts';
import type { PuzzleBuckets } from '../puzzle-buckets.ts';
import { ShardItemReader, ShardResultWriter } from './map-files.ts';
import type { ShardFunctions } from './shard-functions.ts';
import { type StepTaskProps, stepTask } from './step-task.ts';

export interface SolveLargeDefinitionProps {
  readonly buckets: PuzzleBuckets;
  readonly functions: ShardFunctions;
  readonly functionTimeout: Duration;
  /** Maximum number of concurrent shards. */
  readonly shardConcurrency: number;
}

/** Input of every step. */
const JOB = { job: JsonPath.objectAt('$.job'), attempt: JsonPath.stringAt('$.attempt') };

/** A plain null would be omitted, and the state that reads it would fail. */
const NULL = JsonNull.INSTANCE;

/** Names of the maps, which are part of the names of their children's executions. */
export const MAP_LABELS = ['CountShards', 'SolveShards'] as const;

/** Creates the states. @returns the first one */
export function solveLargeDefinition(scope: Construct, props: SolveLargeDefinitionProps): IChainable {
  const { functions } = props;
  const begin = new Pass(scope, 'Begin', {
    parameters: {
      job: JsonPath.objectAt('$'),
      attempt: JsonPath.stringAt('$$.Execution.Name'),
      step: { next: 'plan', cursor: NULL },
      merge: { done: false, cursor: NULL },
    },
  });
  const plan = invoke(scope, 'Plan', functions.plan.version, props, {
    payload: { ...JOB, cursor: JsonPath.objectAt('$.step.cursor') },
    picks: ['next', 'cursor', 'items', 'work'],
    resultPath: '$.step',
    sendsEvents: true,
  });
  const merge = invoke(scope, 'Merge', functions.merge.version, props, {
    payload: { ...JOB, cursor: JsonPath.objectAt('$.merge.cursor') },
    picks: ['done', 'cursor'],
    resultPath: '$.merge',
    sendsEvents: true,
  });
  const count = shardMap(scope, 'CountShards', props, {}, countShard(scope, props));
  const solve = shardMap(scope, 'SolveShards', props, { step: { cursor: NULL } }, solveShard(scope, props));

  const end = new Succeed(scope, 'End');
  const next = (name: string) => Condition.stringEquals('$.step.next', name);
  begin.next(plan).next(
    new Choice(scope, 'Planned')
      .when(next('plan'), plan)
      .when(next('count'), count.next(plan))
      .when(next('solve'), solve.next(merge))
      // Any other value has no transition, so the execution fails.
      .when(next('end'), end),
  );
  merge.next(untilDone(scope, 'Merged', '$.merge.done', merge, end));
  return begin;
}

function countShard(scope: Construct, props: SolveLargeDefinitionProps): IChainable {
  return invoke(scope, 'CountShard', props.functions.count.version, props, {
    payload: { ...JOB, shard: JsonPath.objectAt('$.shard') },
    resultPath: JsonPath.DISCARD,
  });
}

/** Solves a shard in as many invocations as it needs: each continues from the cursor of the one before. */
function solveShard(scope: Construct, props: SolveLargeDefinitionProps): IChainable {
  const solve = invoke(scope, 'SolveShard', props.functions.solve.version, props, {
    payload: { ...JOB, shard: JsonPath.objectAt('$.shard'), cursor: JsonPath.objectAt('$.step.cursor') },
    picks: ['done', 'cursor'],
    resultPath: '$.step',
  });
  return solve.next(untilDone(scope, 'Solved', '$.step.done', solve, new Succeed(scope, 'ShardEnd')));
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

type Step = Pick<StepTaskProps, 'payload' | 'picks' | 'resultPath' | 'sendsEvents'>;

function invoke(
  scope: Construct,
  id: string,
  lambdaFunction: IFunction,
  { functionTimeout }: SolveLargeDefinitionProps,
  step: Step,
): LambdaInvoke {
  return stepTask(scope, id, { lambdaFunction, functionTimeout, ...step });
}

/** A map with one child for each line of `$.step.items`; the data of the execution stays unchanged. */
function shardMap(
  scope: Construct,
  id: (typeof MAP_LABELS)[number],
  props: SolveLargeDefinitionProps,
  extra: Record<string, unknown>,
  child: IChainable,
): DistributedMap {
  const { results: bucket, prefixes } = props.buckets;
  const workPrefix = prefixes.results + WORK_PREFIX;
  const map = new DistributedMap(scope, id, {
    itemReader: new ShardItemReader({ bucket, workPrefix, key: JsonPath.stringAt('$.step.items') }),
    itemSelector: { ...JOB, shard: JsonPath.objectAt('$$.Map.Item.Value'), ...extra },
    maxConcurrency: props.shardConcurrency,
    resultWriterV2: new ShardResultWriter({ bucket, workPrefix, prefix: JsonPath.stringAt('$.step.work') }),
    resultPath: JsonPath.DISCARD,
    label: id,
  });
  // S3 refused to return the list, or to store the results. Every child runs again, which costs little: a solved shard
  // finds its parts, and counting only reads. A failed child is another error, without a retry here: it has used all
  // of its own.
  map.addRetry({
    errors: ['States.ItemReaderFailed', 'States.ResultWriterFailed'],
    interval: Duration.seconds(2),
    backoffRate: 2,
    maxDelay: Duration.minutes(1),
    maxAttempts: 5,
    jitterStrategy: JitterType.FULL,
  });
  return map.itemProcessor(child);
}
