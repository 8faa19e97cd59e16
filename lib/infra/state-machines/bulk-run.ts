import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { DEFAULT_MEMORY_MB } from '../../batch/limits.ts';
import { ENVIRONMENT, RUNS_PREFIX, WORK_PREFIX } from '../../batch/names.ts';
import { BatchFunction, type PuzzleFunctionSettings } from '../batch-function.ts';
import { SOLVER_PREFIXES } from '../puzzle-buckets.ts';
import { bulkRunDefinition } from './bulk-run-definition.ts';
import { createStateMachine } from './state-machine.ts';

/** A run waits a day for what it sent; sweeping, sending and reporting millions of files take hours more. */
const TIMEOUT_DAYS = 3;

export interface BulkRunMachineProps extends PuzzleFunctionSettings {
  /** The queue that uploads wait in. */
  readonly queue: IQueue;
  /** Minutes for which a version under `inbox/` is left to its event. */
  readonly graceMinutes: number;
}

/**
 * The state machine for bulk runs, and the function that runs its steps.
 *
 * That function lists the buckets, reads what became of jobs, writes the run's record and sends messages; it may read
 * no upload and write no result.
 */
export class BulkRunMachine extends Construct {
  readonly machine: StateMachine;
  readonly step: BatchFunction;

  constructor(scope: Construct, id: string, props: BulkRunMachineProps) {
    super(scope, id);
    const { buckets, queue } = props;
    this.step = new BatchFunction(this, 'Step', {
      ...props,
      name: 'run-step',
      description: 'Plans, sends, watches and reports a bulk run',
      memoryMb: DEFAULT_MEMORY_MB,
      environment: {
        [ENVIRONMENT.inputBucket]: buckets.input.bucketName,
        [ENVIRONMENT.queueUrl]: queue.queueUrl,
        [ENVIRONMENT.graceMinutes]: String(props.graceMinutes),
      },
    });
    const { role } = this.step;
    buckets.grantListUploads(role);
    buckets.grantResults(role, 'write', [RUNS_PREFIX, WORK_PREFIX]);
    buckets.grantResults(role, 'read', SOLVER_PREFIXES);
    queue.grantSendMessages(role);

    const { machine, role: machineRole } = createStateMachine(
      this,
      () => bulkRunDefinition(this, { step: this.step.version, functionTimeout: props.timeout }),
      { timeoutDays: TIMEOUT_DAYS, logRetention: props.logRetention },
    );
    this.machine = machine;
    this.step.grantInvokeVersions(machineRole);
  }
}
