import { Names } from 'aws-cdk-lib';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { BATCH_SIZE, MAX_RECEIVES } from '../batch/limits.ts';
import { ENVIRONMENT } from '../batch/names.ts';
import { BatchFunction, type PuzzleFunctionSettings } from './batch-function.ts';
import { grantQueueKey } from './customer-key.ts';
import type { SolveLarge } from './state-machines/solve-large.ts';

export interface SolveFunctionProps extends PuzzleFunctionSettings {
  /** The queue of uploads, one upload per message. */
  readonly queue: IQueue;
  /** Solves files that are too large for this function. */
  readonly large: SolveLarge;
  /** MiB; the vCPU share is proportional, one vCPU at 1,769. */
  readonly memoryMb: number;
  /** Maximum number of concurrent invocations, 2 to 1,000. */
  readonly maxConcurrency: number;
  /** Options of every job unless its upload sets others: texts by name. */
  readonly defaultOptions: Readonly<Record<string, string>>;
}

/**
 * The function that solves: for each message it commits a result set, or starts a large job.
 *
 * The event source limits concurrency (`maxConcurrency`), not the function: with reserved concurrency the poller
 * would continue to fetch, be throttled, and waste the receives of messages.
 */
export class SolveFunction extends BatchFunction {
  constructor(scope: Construct, id: string, props: SolveFunctionProps) {
    super(scope, id, {
      ...props,
      name: 'solve-batch',
      description: 'Solves the puzzles of one uploaded file and writes the result set',
      environment: {
        [ENVIRONMENT.defaultOptions]: JSON.stringify(props.defaultOptions),
        [ENVIRONMENT.maxReceives]: String(MAX_RECEIVES),
        [ENVIRONMENT.queueUrl]: props.queue.queueUrl,
        [ENVIRONMENT.stateMachine]: props.large.machine.stateMachineArn,
      },
    });
    // Not the library's own event source, which also lets the function look up the queue's URL; the id is the same.
    this.function.addEventSourceMapping(`SqsEventSource:${Names.nodeUniqueId(props.queue.node)}`, {
      eventSourceArn: props.queue.queueArn,
      batchSize: BATCH_SIZE,
      maxConcurrency: props.maxConcurrency,
      reportBatchItemFailures: true,
    });
    props.queue.grant(this.role, ...CONSUMER_ACTIONS);
    grantQueueKey(props.queue, this.role);
    props.buckets.grant(this.role, 'solve-batch').assertSuccess();
    props.large.grantStart(this.role);
  }
}

/** The first three are for Lambda, which receives and deletes messages with the role of the function. */
const CONSUMER_ACTIONS = [
  'sqs:ReceiveMessage',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
  'sqs:ChangeMessageVisibility',
];
