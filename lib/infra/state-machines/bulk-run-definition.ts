/**
 * The states of a bulk run. The types of their data are in `lib/batch/bulk-run/steps.ts`; every list is an object in S3,
 * so that the data is small. There is no Catch: an error ends the execution, and a redrive continues with that state.
 *
 *     { run, startedAt, step: { next, cursor, waitSeconds } }
 *
 *     Begin -> Plan -> WhatNext --plan--> Plan
 *                       |  --follow-> Wait -> Follow
 *                       |  --report-> Report
 *                       +  --end---> End        (Follow and Report go to WhatNext as well)
 */
import { type Duration, JsonNull } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import {
  Choice,
  Condition,
  type IChainable,
  JsonPath,
  Pass,
  Succeed,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { stepTask } from './step-task.ts';

export interface BulkRunDefinitionProps {
  /** The function that runs every step. */
  readonly step: IFunction;
  readonly functionTimeout: Duration;
}

/** Creates the states. @returns the first one */
export function bulkRunDefinition(scope: Construct, props: BulkRunDefinitionProps): IChainable {
  const begin = new Pass(scope, 'Begin', {
    parameters: {
      run: JsonPath.objectAt('$'),
      startedAt: JsonPath.stringAt('$$.Execution.StartTime'),
      step: { next: 'plan', cursor: JsonNull.INSTANCE, waitSeconds: 1 },
    },
  });
  const step = (id: string, name: string, sendsEvents = false) =>
    stepTask(scope, id, {
      lambdaFunction: props.step,
      functionTimeout: props.functionTimeout,
      payload: {
        run: JsonPath.objectAt('$.run'),
        startedAt: JsonPath.stringAt('$.startedAt'),
        step: name,
        cursor: JsonPath.objectAt('$.step.cursor'),
        // In which another execution goes on with a long run.
        stateMachine: JsonPath.stringAt('$$.StateMachine.Id'),
      },
      picks: ['next', 'cursor', 'waitSeconds'],
      resultPath: '$.step',
      sendsEvents,
    });
  const plan = step('Plan', 'plan');
  const follow = step('Follow', 'follow');
  const report = step('Report', 'report', true);
  const wait = new Wait(scope, 'Wait', { time: WaitTime.secondsPath('$.step.waitSeconds') }).next(follow);

  const is = (name: string) => Condition.stringEquals('$.step.next', name);
  const next = new Choice(scope, 'WhatNext')
    .when(is('plan'), plan)
    .when(is('follow'), wait)
    .when(is('report'), report)
    // Any other value has no transition, so the execution fails.
    .when(is('end'), new Succeed(scope, 'End'));
  for (const task of [plan, follow, report]) task.next(next);
  return begin.next(plan);
}
