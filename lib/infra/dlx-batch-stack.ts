import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus, type IEventBus } from 'aws-cdk-lib/aws-events';
import type { CfnManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Bucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { DlxBatch } from './dlx-batch.ts';
import type { StackSettings } from './settings.ts';

/** An output's value: `cdk deploy` prints values, not descriptions. */
const FIRST_UPLOADS =
  'In the first 15 minutes after the first deployment, EventBridge may deliver no events for uploads, and S3 may not find them, which is tried again. dlx-batch retry KEY sends an upload without an event to the queue; otherwise the next bulk run (nightly by default) solves it.';

export interface DlxBatchStackProps extends StackProps, StackSettings {}

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
    const { alarmTopicArn, encryptionKey, eventBus } = props;
    // Logical ids omit this id, so an update of a stack from before there was the construct replaces no resource.
    this.batch = new DlxBatch(this, 'Default', {
      ...props,
      alarmTopic:
        alarmTopicArn === undefined ? undefined : Topic.fromTopicArn(this, 'AlarmTopic', alarmTopicArn),
      encryptionKey:
        encryptionKey === 'create'
          ? new Key(this, 'Key', {
              description: `Encrypts all data of ${this.stackName}`,
              enableKeyRotation: true,
            })
          : this.importedKey('Key', encryptionKey),
      puzzleBucket: this.importedBucket('puzzleBucket', props.puzzleBucketName, props.puzzleBucketKeyArn),
      resultsBucket: this.importedBucket('resultsBucket', props.resultsBucketName, props.resultsBucketKeyArn),
      eventBus: eventBus === undefined ? undefined : importedBus(this, eventBus),
    });

    const { batch } = this;
    const policies = [
      batch.uploadPolicy,
      batch.readPolicy,
      batch.operatePolicy,
      batch.examinePolicy,
    ] as const;
    const [upload, read, operate, examine] = policies.map(({ managedPolicyArn }) => managedPolicyArn);
    const outputs: readonly (readonly [id: string, value: string | undefined, description: string])[] = [
      ['InputBucketName', batch.puzzleBucket.bucketName, 'Upload puzzle files here, under inbox/'],
      ['FirstUploads', FIRST_UPLOADS, 'Note about the first 15 minutes'],
      ['ResultsBucketName', batch.resultsBucket.bucketName, 'Result sets appear here, under results/'],
      ['QueueUrl', batch.queue.queueUrl, 'Uploads waiting to be solved'],
      [
        'DeadLetterQueueUrl',
        batch.deadLetterQueue.queueUrl,
        'Uploads that failed in every attempt, and events that could not be delivered',
      ],
      ['SolveLargeArn', batch.solveLarge.stateMachineArn, 'The state machine for large files'],
      ['BulkRunArn', batch.bulkRun.stateMachineArn, 'The state machine for bulk runs'],
      ['RunSettings', JSON.stringify(batch.runSettings), 'The settings by which bulk runs are estimated'],
      ['DashboardName', batch.dashboard?.dashboardName, 'The dashboard in CloudWatch'],
      ['UploadPolicyArn', upload, 'Attach to roles or groups of uploaders'],
      ['ReadPolicyArn', read, 'Attach to roles or groups of readers'],
      ['OperatePolicyArn', operate, 'Attach to roles or groups of operators, with ReadPolicyArn'],
      ['ExaminePolicyArn', examine, 'Attach to the same roles or groups for dlx-batch doctor'],
      // The next release can omit these two.
      [
        'UndeliveredEventsQueueUrl',
        batch.undeliveredEventsQueue.queueUrl,
        'Version 0.1: events that EventBridge could not deliver to the queue',
      ],
      ['DayCeilings', '{"max-day-dollars":"none"}', 'Version 0.1: what all uploads of a day may use'],
      ['SolveFunctionName', batch.solveFunction.functionName, 'The function that solves'],
      ['SolveLogGroupName', batch.solveLogGroup.logGroupName, 'The log of the function that solves'],
    ];
    for (const [outputId, value, meaning] of outputs) {
      if (value !== undefined) new CfnOutput(this, outputId, { value, description: meaning });
    }
    for (const policy of policies) {
      // Attached to no role; some tools that read templates expect the list.
      (policy.node.defaultChild as CfnManagedPolicy).addPropertyOverride('Roles', []);
    }
  }

  private importedKey(id: string, arn: string | undefined): IKey | undefined {
    return arn === undefined ? undefined : Key.fromKeyArn(this, id, arn);
  }

  /** @param property of the construct; the settings are named after it */
  private importedBucket(
    property: 'puzzleBucket' | 'resultsBucket',
    bucketName: string | undefined,
    keyArn: string | undefined,
  ): IBucket | undefined {
    if (bucketName !== undefined) {
      const encryptionKey = this.importedKey(`${property}Key`, keyArn);
      return Bucket.fromBucketAttributes(this, property, { bucketName, encryptionKey });
    }
    if (keyArn === undefined) return undefined;
    throw new Error(
      `${property}KeyArn is ${keyArn}, and ${property}Name is not set: set the name of the bucket too; encryptionKey is the ` +
        'key of buckets that the stack creates',
    );
  }
}

/** @param bus its name or ARN */
function importedBus(scope: Construct, bus: string): IEventBus {
  return bus.startsWith('arn:')
    ? EventBus.fromEventBusArn(scope, 'EventBus', bus)
    : EventBus.fromEventBusName(scope, 'EventBus', bus);
}
