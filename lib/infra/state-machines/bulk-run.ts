import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { ENVIRONMENT } from '../../batch/names.ts';
import { BatchFunction, type PuzzleFunctionSettings } from '../batch-function.ts';
import { grantQueueKey } from '../customer-key.ts';
import { bulkRunDefinition } from './bulk-run-definition.ts';
import { createStateMachine } from './state-machine.ts';

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

export interface BulkRunMachineProps extends PuzzleFunctionSettings {
  /** The queue of uploads. */
  readonly queue: IQueue;
  readonly deadLetters: IQueue;
  /** Runs skip versions under `inbox/` newer than this, in minutes. */
  readonly graceMinutes: number;
}

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

  constructor(scope: Construct, id: string, props: BulkRunMachineProps) {
    super(scope, id);
    const { buckets, queue, deadLetters } = props;
    this.step = new BatchFunction(this, 'Step', {
      ...props,
      name: 'run-step',
      description: 'Plans, sends, watches and reports a bulk run',
      memoryMb: RUN_STEP_MEMORY_MB,
      environment: {
        [ENVIRONMENT.inputBucket]: buckets.input.bucketName,
        [ENVIRONMENT.queueUrl]: queue.queueUrl,
        [ENVIRONMENT.queueArn]: queue.queueArn,
        [ENVIRONMENT.deadLettersArn]: deadLetters.queueArn,
        [ENVIRONMENT.graceMinutes]: String(props.graceMinutes),
      },
    });
    const { role } = this.step;
    buckets.grant(role, 'run-step').assertSuccess();
    queue.grant(role, 'sqs:SendMessage');
    grantQueueKey(queue, role);
    // SQS moves messages with the permissions of the caller.
    deadLetters.grant(role, ...MOVING_ACTIONS);

    const {
      machine,
      role: machineRole,
      logGroup,
    } = createStateMachine(
      this,
      () => bulkRunDefinition(this, { step: this.step.version, functionTimeout: props.timeout }),
      { ...props, timeoutDays: TIMEOUT_DAYS },
    );
    this.machine = machine;
    this.logGroup = logGroup;
    this.step.grantInvokeVersions(machineRole);
    // Another execution goes on with a long run. A policy of its own, as the machine needs the function.
    new Policy(this, 'Continue', {
      statements: [
        new PolicyStatement({ actions: ['states:StartExecution'], resources: [machine.stateMachineArn] }),
      ],
    }).attachToRole(role);
  }
}
