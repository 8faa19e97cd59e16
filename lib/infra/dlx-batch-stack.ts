import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus, type IEventBus } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { DlxBatch, type DlxBatchSettings } from './dlx-batch.ts';

/** An output's value: `cdk deploy` prints values, not descriptions. */
const FIRST_UPLOADS =
  'EventBridge may deliver no events for uploads in the first five minutes after the first deployment. dlx-batch resend KEY sends such an upload to the queue; otherwise the next bulk run (nightly by default) solves it.';

export interface DlxBatchStackProps extends StackProps, DlxBatchSettings {
  /**
   * ARN of an SNS topic notified of every alarm.
   * @default - alarms are visible in CloudWatch only
   */
  readonly alarmTopicArn?: string;

  /**
   * Name or ARN of the bus that receives events about outcomes. With `eventEmails`, one of the account and region of the
   * stack.
   * @default - the default bus of the account
   */
  readonly eventBus?: string;
}

/**
 * A stack with one {@link DlxBatch}, whose buckets it creates.
 *
 * The ids of the outputs are a contract: the command-line tool finds the stack's resources by them.
 */
export class DlxBatchStack extends Stack {
  readonly batch: DlxBatch;

  constructor(scope: Construct, id: string, props: DlxBatchStackProps = {}) {
    super(scope, id, {
      description: 'dlx-batch: puzzle files in an S3 bucket come back solved, with timing stats',
      ...props,
    });
    const { alarmTopicArn, eventBus } = props;
    // Logical ids omit this id, so an update of a stack from before there was the construct replaces no resource.
    this.batch = new DlxBatch(this, 'Default', {
      ...props,
      alarmTopic:
        alarmTopicArn === undefined ? undefined : Topic.fromTopicArn(this, 'AlarmTopic', alarmTopicArn),
      eventBus: eventBus === undefined ? undefined : importedBus(this, eventBus),
    });

    const { batch } = this;
    this.output('InputBucketName', batch.puzzleBucket.bucketName, 'Upload puzzle files here, under inbox/');
    this.output('FirstUploads', FIRST_UPLOADS, 'Note about the first five minutes');
    this.output(
      'ResultsBucketName',
      batch.resultsBucket.bucketName,
      'Result sets appear here, under results/',
    );
    this.output('QueueUrl', batch.queue.queueUrl, 'Uploads waiting to be solved');
    this.output('DeadLetterQueueUrl', batch.deadLetterQueue.queueUrl, 'Uploads that failed every try');
    this.output(
      'UndeliveredEventsQueueUrl',
      batch.undeliveredEventsQueue.queueUrl,
      'Events that EventBridge could not deliver to the queue',
    );
    this.output('SolveLargeArn', batch.solveLarge.stateMachineArn, 'The state machine for large files');
    this.output('BulkRunArn', batch.bulkRun.stateMachineArn, 'The state machine for bulk runs');
    this.output('SolveFunctionName', batch.solveFunction.functionName, 'The function that solves');
    this.output('SolveLogGroupName', batch.solveLogGroup.logGroupName, 'The log of the function that solves');
  }

  private output(id: string, value: string, description: string): void {
    new CfnOutput(this, id, { value, description });
  }
}

/** @param bus its name or ARN */
function importedBus(scope: Construct, bus: string): IEventBus {
  return bus.startsWith('arn:')
    ? EventBus.fromEventBusArn(scope, 'EventBus', bus)
    : EventBus.fromEventBusName(scope, 'EventBus', bus);
}
