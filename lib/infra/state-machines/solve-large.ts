import { Rule } from 'aws-cdk-lib/aws-events';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { LargeFileConcurrency } from '../../batch/estimate/most-dollars.ts';
import { WORK_PREFIX } from '../../batch/names.ts';
import { acknowledgeWildcard, executionsArn } from '../acknowledged-findings.ts';
import type { PuzzleFunctionSettings } from '../batch-function.ts';
import { acknowledgePrefix, WRITE_KEY_ACTIONS } from '../bucket-access.ts';
import { queueTarget } from '../queue-target.ts';
import { ShardFunctions } from './shard-functions.ts';
import { MAP_LABELS, solveLargeDefinition } from './solve-large-definition.ts';
import { createStateMachine } from './state-machine.ts';

/**
 * Timeout of a large job in days: 10^12 easy puzzles take as long with a hundred concurrent shards. Parts are kept for 21
 * days, so they still exist if an execution times out, is redriven on the last of the 14 days in which that is possible,
 * and takes as long again.
 */
const TIMEOUT_DAYS = 3;

export interface SolveLargeProps extends PuzzleFunctionSettings {
  /** The queue that receives an event for each failed job. */
  readonly queue: IQueue;
  /** Receives the events that cannot be sent to that queue. */
  readonly deadLetters: IQueue;
  /** MiB of the function that solves shards. */
  readonly shardMemoryMb: number;
  /** Maximum number of concurrent shards of one file, 1 to 10,000. */
  readonly shardConcurrency: number;
  /** Reserved concurrency of the functions, which bounds all large files together. */
  readonly reserved?: LargeFileConcurrency;
}

/**
 * The state machine for files that are too large for one function, and its functions.
 *
 * If an execution fails, times out or is stopped, an event is sent to the queue of uploads, and the function there
 * writes the failure into the job's status.
 */
export class SolveLarge extends Construct {
  readonly machine: StateMachine;
  readonly logGroup: ILogGroup;
  readonly functions: ShardFunctions;
  /** Sends the events. */
  readonly rule: Rule;

  constructor(scope: Construct, id: string, props: SolveLargeProps) {
    super(scope, id);
    this.functions = new ShardFunctions(this, 'Functions', props);
    const { machine, role, logGroup } = createStateMachine(
      this,
      () =>
        solveLargeDefinition(this, {
          buckets: props.buckets,
          functions: this.functions,
          functionTimeout: props.timeout,
          shardConcurrency: props.shardConcurrency,
        }),
      { ...props, timeoutDays: TIMEOUT_DAYS },
    );
    this.machine = machine;
    this.logGroup = logGroup;
    for (const step of this.functions.all) step.grantInvokeVersions(role);
    props.buckets.results.encryptionKey?.grant(role, ...WRITE_KEY_ACTIONS);
    this.acknowledgeFindings(role, props);
    this.rule = new Rule(this, 'Unsuccessful', {
      description:
        'Sends large jobs that failed, timed out or were stopped to the function that writes their status',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: {
          stateMachineArn: [this.machine.stateMachineArn],
          status: ['FAILED', 'TIMED_OUT', 'ABORTED'],
        },
      },
      targets: [queueTarget(props.queue, props.deadLetters)],
    });
  }

  private acknowledgeFindings(role: Role, { buckets }: SolveLargeProps): void {
    acknowledgePrefix(role, buckets.results, buckets.prefixes.results + WORK_PREFIX);
    const maps = this.machine.node.findChild('DistributedMapPolicy');
    for (const path of ['', ...MAP_LABELS.map((label) => `/${label}`)]) {
      acknowledgeWildcard(
        maps,
        executionsArn(this.machine, path),
        'Executions of this state machine itself, which are named at run time.',
      );
    }
  }

  /** Lets a role start and describe large jobs, and redrive those that failed. */
  grantStart(role: Role): void {
    this.machine.grantStartExecution(role);
    this.machine.grantExecution(role, 'states:DescribeExecution', 'states:RedriveExecution');
    acknowledgeWildcard(role, executionsArn(this.machine), 'Executions are named after their jobs.');
  }
}
