/**
 * The states of a large job. What they say to one another is in `lib/batch/fan-out/steps.ts`; the data that passes
 * through is small however large the file: every list of shards is an object in S3.
 *
 *     { job, attempt, step: { next, cursor, items, work }, merge: { done, cursor } }      in the execution
 *     { job, attempt, shard, step: { done, cursor } }                                     in a child of a map
 *
 * JSONPath with reference paths only. There is no Catch: what fails ends the execution where it stands, and a redrive
 * goes on from there. There are no tolerated failures: a map that ended well is never redriven.
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
import type { PuzzleBuckets } from '../puzzle-buckets.ts';
import { ShardItemReader, ShardResultWriter } from './map-files.ts';
import type { ShardFunctions } from './shard-functions.ts';
import { type StepTaskProps, stepTask } from './step-task.ts';

export interface SolveLargeDefinitionProps {
  readonly buckets: PuzzleBuckets;
  readonly functions: ShardFunctions;
  /** How long a function may take. */
  readonly functionTimeout: Duration;
  /** Most shards at one time. */
  readonly shardConcurrency: number;
}

/** What a step is told: where it belongs, and what it said last. */
const JOB = { job: JsonPath.objectAt('$.job'), attempt: JsonPath.stringAt('$.attempt') };

/** A plain null would be left out, and the state that reads it fail. */
const NULL = JsonNull.INSTANCE;

/** Names of the maps, which the executions of their children carry. */
export const MAP_LABELS = ['CountShards', 'SolveShards'] as const;

/** Makes the states, and gives the first one. */
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
  });
  const merge = invoke(scope, 'Merge', functions.merge.version, props, {
    payload: { ...JOB, cursor: JsonPath.objectAt('$.merge.cursor') },
    picks: ['done', 'cursor'],
    resultPath: '$.merge',
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
      // Whatever else it says has no transition: the execution fails, and says so.
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

/** A shard whose function ran out of time goes on from where it came to. */
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

type Step = Pick<StepTaskProps, 'payload' | 'picks' | 'resultPath'>;

function invoke(
  scope: Construct,
  id: string,
  lambdaFunction: IFunction,
  { functionTimeout }: SolveLargeDefinitionProps,
  step: Step,
): LambdaInvoke {
  return stepTask(scope, id, { lambdaFunction, functionTimeout, ...step });
}

/** One child for each line of `$.step.items`; the data of the execution passes by unchanged. */
function shardMap(
  scope: Construct,
  id: (typeof MAP_LABELS)[number],
  props: SolveLargeDefinitionProps,
  further: Record<string, unknown>,
  child: IChainable,
): DistributedMap {
  const bucket = props.buckets.results;
  const map = new DistributedMap(scope, id, {
    itemReader: new ShardItemReader({ bucket, key: JsonPath.stringAt('$.step.items') }),
    itemSelector: { ...JOB, shard: JsonPath.objectAt('$$.Map.Item.Value'), ...further },
    maxConcurrency: props.shardConcurrency,
    resultWriterV2: new ShardResultWriter({ bucket, prefix: JsonPath.stringAt('$.step.work') }),
    resultPath: JsonPath.DISCARD,
    label: id,
  });
  // S3 refused the list, or the files about the children. Every child runs again, which costs little: a solved shard finds
  // its pieces, and counting is reading. A failed child is a third error, which is not retried: its own retries are used up.
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
