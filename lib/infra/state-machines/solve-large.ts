import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { WORK_PREFIX } from '../../batch/names.ts';
import { acknowledgeWildcard, logicalIdOf } from '../acknowledged-findings.ts';
import type { PuzzleFunctionSettings } from '../batch-function.ts';
import { acknowledgePrefix } from '../puzzle-buckets.ts';
import { ShardFunctions } from './shard-functions.ts';
import { MAP_LABELS, solveLargeDefinition } from './solve-large-definition.ts';
import { createStateMachine } from './state-machine.ts';

/**
 * Days that a large job may take: as long as 10^12 easy puzzles take a hundred shards at a time. A run that ends
 * then, is redriven on the last of the 14 days in which that is possible and takes as long again, still finds its
 * pieces: they are kept for 21 days.
 */
const TIMEOUT_DAYS = 3;

export interface SolveLargeProps extends PuzzleFunctionSettings {
  /** Where those who wait for a job hear that it failed. */
  readonly queue: IQueue;
  /** Where events go that cannot be put into that queue. */
  readonly undeliveredEvents: IQueue;
  /** MiB of the function that solves shards. */
  readonly shardMemoryMb: number;
  /** Most shards of one file at one time, 1 to 10,000. */
  readonly shardConcurrency: number;
}

/**
 * The state machine for files that outgrow one function, and its functions.
 *
 * An execution that fails, runs out of time or is stopped sends an event to the queue of uploads, so that the
 * function there can write it into the job's status.
 */
export class SolveLarge extends Construct {
  readonly machine: StateMachine;
  readonly functions: ShardFunctions;

  constructor(scope: Construct, id: string, props: SolveLargeProps) {
    super(scope, id);
    this.functions = new ShardFunctions(this, 'Functions', props);
    const { machine, role } = createStateMachine(
      this,
      () =>
        solveLargeDefinition(this, {
          buckets: props.buckets,
          functions: this.functions,
          functionTimeout: props.timeout,
          shardConcurrency: props.shardConcurrency,
        }),
      { timeoutDays: TIMEOUT_DAYS, logRetention: props.logRetention },
    );
    this.machine = machine;
    for (const step of this.functions.all) step.grantInvokeVersions(role);
    this.acknowledgeFindings(role, props);
    new Rule(this, 'Unsuccessful', {
      description:
        'Large jobs that did not come to their end are told to the function that keeps their status',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: {
          stateMachineArn: [this.machine.stateMachineArn],
          status: ['FAILED', 'TIMED_OUT', 'ABORTED'],
        },
      },
      targets: [new SqsQueue(props.queue, { deadLetterQueue: props.undeliveredEvents })],
    });
  }

  /** Each finding by its name, so that any wider wildcard is still found. */
  private acknowledgeFindings(role: Role, { buckets }: SolveLargeProps): void {
    acknowledgePrefix(role, buckets.results, WORK_PREFIX);
    const maps = this.machine.node.findChild('DistributedMapPolicy');
    for (const path of ['', ...MAP_LABELS.map((label) => `/${label}`)]) {
      acknowledgeWildcard(
        maps,
        this.executions(path),
        'Executions of this state machine itself, whose names are made as it runs.',
      );
    }
  }

  /** Executions of the state machine as cdk-nag writes their ARN; those of a map's children where there is a label. */
  private executions(label: string): string {
    const name = `{"Fn::Select":[6,{"Fn::Split":[":",{"Ref":"${logicalIdOf(this.machine.node.defaultChild)}"}]}]}`;
    return `arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${name}${label}:*`;
  }

  /** Lets a role start large jobs, look at them, and redrive those that failed. */
  grantStart(role: Role): void {
    this.machine.grantStartExecution(role);
    this.machine.grantExecution(role, 'states:DescribeExecution', 'states:RedriveExecution');
    acknowledgeWildcard(role, this.executions(''), 'Executions are named after the jobs that they do.');
  }
}
