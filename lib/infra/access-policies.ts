/** Managed policies for uploaders, readers and operators, to attach to their roles or groups. */
import { ArnFormat, Stack } from 'aws-cdk-lib';
import { Grant, ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { acknowledgeWildcard, executionsArn } from './acknowledged-findings.ts';
import type { BatchFunction } from './batch-function.ts';
import { KEY_ACTIONS } from './customer-key.ts';
import type { PuzzleBuckets } from './puzzle-buckets.ts';
import type { RunSchedule } from './run-schedule.ts';
import type { BulkRunMachine } from './state-machines/bulk-run.ts';
import type { SolveLarge } from './state-machines/solve-large.ts';
import type { UploadQueue } from './upload-queue.ts';

export interface AccessPoliciesProps {
  readonly buckets: PuzzleBuckets;
  readonly uploads: UploadQueue;
  /** All functions. */
  readonly functions: readonly BatchFunction[];
  readonly large: SolveLarge;
  readonly bulkRun: BulkRunMachine;
  readonly schedule: RunSchedule;
  readonly encryptionKey?: IKey;
  readonly alarmTopic?: ITopic;
}

/**
 * What users need for the commands:
 *
 *     upload    upload                          objects under the prefixes of uploads; no deletion
 *     read      status, download, link, runs    outcomes and progress; not the uploads
 *     operate   run, resend, redrive, doctor    queues, executions, logs, metrics, settings, versions of uploads
 *
 * Each is for a task of its own: operators need `read` too.
 */
export class AccessPolicies extends Construct {
  readonly upload: ManagedPolicy;
  readonly read: ManagedPolicy;
  readonly operate: ManagedPolicy;

  constructor(scope: Construct, id: string, props: AccessPoliciesProps) {
    super(scope, id);
    const { buckets } = props;
    this.upload = this.policy('Upload', 'Uploads puzzle files');
    buckets.grantUpload(this.upload).assertSuccess();
    buckets.grantCompareUploads(this.upload);

    this.read = this.policy('Read', 'Reads results, rejects, statuses and reports of bulk runs');
    buckets.grantRead(this.read).assertSuccess();
    buckets.grantProgress(this.read);

    this.operate = this.policy(
      'Operate',
      'Runs, repeats and examines jobs; in addition to the policy for reading',
    );
    buckets.grantExamine(this.operate);
    this.allowQueues(props);
    this.allowExecutions(props);
    this.allowExamination(props);
    props.encryptionKey?.grant(this.operate, ...KEY_ACTIONS);
  }

  /** A policy whose owner finds the resources by the outputs of the stack. */
  private policy(id: string, description: string): ManagedPolicy {
    const policy = new ManagedPolicy(this, id, {
      description: `dlx-batch in ${Stack.of(this).stackName}: ${description}`,
    });
    allow(policy, ['cloudformation:DescribeStacks'], [Stack.of(this).stackId]);
    return policy;
  }

  private allowQueues({ uploads, schedule }: AccessPoliciesProps): void {
    const queues = [
      uploads.queue,
      uploads.deadLetters,
      uploads.undeliveredEvents,
      schedule.undeliveredEvents,
      schedule.failures,
    ];
    allow(
      this.operate,
      [
        'sqs:GetQueueAttributes',
        'sqs:ReceiveMessage',
        'sqs:ChangeMessageVisibility',
        'sqs:DeleteMessage',
        'sqs:SendMessage',
        'sqs:StartMessageMoveTask',
        'sqs:ListMessageMoveTasks',
        'sqs:CancelMessageMoveTask',
      ],
      queues.map(({ queueArn }) => queueArn),
    );
  }

  private allowExecutions({ large, bulkRun }: AccessPoliciesProps): void {
    const machines = [large.machine, bulkRun.machine];
    allow(
      this.operate,
      ['states:StartExecution', 'states:ListExecutions', 'states:DescribeStateMachine'],
      machines.map(({ stateMachineArn }) => stateMachineArn),
    );
    const executions = machines.map((machine) => executionsArn(machine));
    allow(
      this.operate,
      [
        'states:DescribeExecution',
        'states:GetExecutionHistory',
        'states:RedriveExecution',
        'states:StopExecution',
        'states:ListMapRuns',
      ],
      executions,
    );
    for (const arn of executions) {
      acknowledgeWildcard(this.operate, arn, 'Executions are named after their jobs and runs.');
    }
  }

  private allowExamination(props: AccessPoliciesProps): void {
    const { functions, large, bulkRun, schedule, uploads, alarmTopic } = props;
    const logGroups = [...functions, large, bulkRun].map(({ logGroup }) => logGroup.logGroupArn);
    allow(this.operate, ['logs:StartQuery', 'logs:FilterLogEvents', 'logs:GetLogEvents'], logGroups);
    for (const arn of logGroups) acknowledgeWildcard(this.operate, arn, 'All streams of one log.');
    allow(
      this.operate,
      ['lambda:GetFunction', 'lambda:GetFunctionConfiguration'],
      functions.map((each) => each.function.functionArn),
    );
    allow(
      this.operate,
      ['iam:SimulatePrincipalPolicy'],
      [...functions, large.machine, bulkRun.machine, schedule].map(({ role }) => role.roleArn),
    );
    allow(this.operate, ['cloudformation:ListStackResources'], [Stack.of(this).stackId]);
    allow(this.operate, ['scheduler:GetSchedule'], [scheduleArn(schedule)]);
    allow(
      this.operate,
      ['events:DescribeRule', 'events:ListTargetsByRule'],
      [uploads.rule, large.rule].map(({ ruleArn }) => ruleArn),
    );
    if (alarmTopic !== undefined) {
      allow(this.operate, ['sns:GetTopicAttributes', 'sns:ListSubscriptionsByTopic'], [alarmTopic.topicArn]);
    }
    const bootstrap = Stack.of(this).formatArn({
      service: 'cloudformation',
      resource: 'stack',
      resourceName: 'CDKToolkit/*',
    });
    allow(this.operate, ['cloudformation:DescribeStacks'], [bootstrap]);
    acknowledgeWildcard(this.operate, bootstrap, 'The bootstrap stack, whose id has a random part.');
    allow(
      this.operate,
      [
        'cloudwatch:DescribeAlarms',
        'cloudwatch:GetDashboard',
        'cloudwatch:GetMetricData',
        'cloudwatch:GetMetricStatistics',
        'cloudwatch:ListMetrics',
        'lambda:GetAccountSettings',
        'lambda:GetEventSourceMapping',
        'lambda:ListEventSourceMappings',
        'logs:DescribeLogGroups',
        'logs:DescribeQueryDefinitions',
        'logs:GetQueryResults',
        'logs:StopQuery',
        'servicequotas:GetServiceQuota',
      ],
      ['*'],
    );
    acknowledgeWildcard(
      this.operate,
      '*',
      'Reading only; most of these have no permissions for single resources.',
    );
  }
}

function allow(policy: ManagedPolicy, actions: string[], resourceArns: string[]): void {
  Grant.addToPrincipal({ grantee: policy, actions, resourceArns }).assertSuccess();
}

function scheduleArn({ schedule }: RunSchedule): string {
  return Stack.of(schedule).formatArn({
    service: 'scheduler',
    resource: 'schedule',
    resourceName: `default/${schedule.ref}`,
    arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
  });
}
