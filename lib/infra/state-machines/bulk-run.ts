import { JsonNull } from 'aws-cdk-lib';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import {
  Choice,
  Condition,
  type IChainable,
  JsonPath,
  Pass,
  type StateMachine,
  Succeed,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { ENVIRONMENT } from '../../batch/names.ts';
import { BatchFunction, type BatchInstance, bucketVariables } from '../batch-function.ts';
import { grantQueueKey } from '../customer-key.ts';
import { createStateMachine, stepTask } from './state-machine.ts';

/**
 * Half a vCPU: a step waits for listings and for the outcomes of jobs most of its time. Ten million uploads take 123 MB of heap
 * (test/batch/bulk-run/ten-million.nightly.test.ts).
 */
export const RUN_STEP_MEMORY_MB = 884;

/** An execution goes on for about a day, in steps a minute apart; throttled functions take longer. */
const TIMEOUT_DAYS = 30;

const MOVING_ACTIONS = [
  'sqs:StartMessageMoveTask',
  'sqs:ReceiveMessage',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
];

/**
 * The state machine for bulk runs, and the function that runs its steps.
 *
 * That function lists the buckets, reads the outcomes of jobs, writes the files of the run and sends messages. It must
 * not read uploads or write results. At the end of a retry it moves the dead letters back to the queue.
 */
export class BulkRunMachine extends Construct {
  readonly machine: StateMachine;
  readonly logGroup: ILogGroup;
  readonly step: BatchFunction;

  constructor(scope: Construct, id: string, instance: BatchInstance) {
    super(scope, id);
    const { buckets, uploads, graceMinutes } = instance;
    const { queue, deadLetters } = uploads;
    this.step = new BatchFunction(this, 'Step', instance, {
      name: 'run-step',
      description: 'Plans, sends, watches and reports a bulk run',
      memoryMb: RUN_STEP_MEMORY_MB,
      environment: {
        ...bucketVariables(instance),
        [ENVIRONMENT.inputBucket]: buckets.input.bucketName,
        [ENVIRONMENT.queueUrl]: queue.queueUrl,
        [ENVIRONMENT.queueArn]: queue.queueArn,
        [ENVIRONMENT.deadLettersArn]: deadLetters.queueArn,
        [ENVIRONMENT.graceMinutes]: String(graceMinutes),
      },
    });
    const { role } = this.step;
    buckets.grant(role, 'run-step').assertSuccess();
    queue.grant(role, 'sqs:SendMessage');
    grantQueueKey(queue, role);
    // SQS moves messages with the permissions of the caller.
    deadLetters.grant(role, ...MOVING_ACTIONS);

    const created = createStateMachine(this, instance, TIMEOUT_DAYS, () =>
      statesOf(this, instance, this.step),
    );
    this.machine = created.machine;
    this.logGroup = created.logGroup;
    this.step.grantInvokeVersions(created.role);
    // Another execution goes on with a long run. A policy of its own, as the machine needs the function.
    new Policy(this, 'Continue', {
      statements: [
        new PolicyStatement({
          actions: ['states:StartExecution'],
          resources: [this.machine.stateMachineArn],
        }),
      ],
    }).attachToRole(role);
  }
}

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
 *
 * @returns the first state
 */
function statesOf(scope: Construct, instance: BatchInstance, lambda: BatchFunction): IChainable {
  const begin = new Pass(scope, 'Begin', {
    parameters: {
      run: JsonPath.objectAt('$'),
      startedAt: JsonPath.stringAt('$$.Execution.StartTime'),
      step: { next: 'plan', cursor: JsonNull.INSTANCE, waitSeconds: 1 },
    },
  });
  const step = (id: string, name: string, sendsEvents = false) =>
    stepTask(scope, id, instance, lambda, {
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
