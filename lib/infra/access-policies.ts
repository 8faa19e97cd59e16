/** Managed policies for uploaders, readers and operators, to attach to their roles or groups. */
import { ArnFormat, Stack } from 'aws-cdk-lib';
import { Grant, ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
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
  /** Notified of alarms. */
  readonly alarmTopics: readonly ITopic[];
  /** Events that could not be sent to the topic of e-mails; undefined if there is none. */
  readonly undeliveredEmails?: IQueue;
}

/**
 * What users need for the commands:
 *
 *     upload    upload                          objects under the prefixes of uploads; no deletion
 *     read      status, download, link, runs    outcomes and progress; not the uploads
 *     operate   run, retry, runbook   queues, executions, logs, metrics; deletes uploads, whose versions stay
 *     examine   doctor                          settings of every resource, and the permissions of roles
 *
 * Each is for a task of its own: operators need `read` too, and `doctor` needs all but `upload`. One policy has at most
 * 6,144 characters. Logical ids and descriptions are a contract: a change of either replaces the policy, and the new one
 * has no attachments. (CloudFormation User Guide, AWS::IAM::ManagedPolicy)
 */
export class AccessPolicies extends Construct {
  readonly upload: ManagedPolicy;
  readonly read: ManagedPolicy;
  readonly operate: ManagedPolicy;
  readonly examine: ManagedPolicy;

  constructor(scope: Construct, id: string, props: AccessPoliciesProps) {
    super(scope, id);
    const { buckets } = props;
    this.upload = this.policy('Upload', 'Uploads puzzle files');
    buckets.grant(this.upload, 'uploaders').assertSuccess();
    buckets.grant(this.upload, 'comparing').assertSuccess();

    this.read = this.policy('Read', 'Reads results, rejects, statuses and reports of bulk runs');
    buckets.grant(this.read, 'readers').assertSuccess();
    buckets.grant(this.read, 'watching').assertSuccess();
    this.allowAll(this.read, [
      'cloudtrail:LookupEvents',
      'cloudwatch:GetDashboard',
      'cloudwatch:ListMetrics',
      'logs:DescribeQueryDefinitions',
    ]);

    this.operate = this.policy(
      'Operate',
      'Runs, repeats and examines jobs; in addition to the policy for reading',
    );
    buckets.grant(this.operate, 'repeating').assertSuccess();
    props.encryptionKey?.grant(this.operate, ...KEY_ACTIONS);
    this.allowQueues(props);
    this.allowExecutions(props);
    this.allowLogsAndMetrics(props);

    this.examine = this.policy('Examine', 'Compares the stack with its settings; in addition to the others');
    buckets.grantExamine(this.examine);
    this.allowSettings(props);
  }

  /** A policy whose owner finds the resources by the outputs of the stack. */
  private policy(id: string, description: string): ManagedPolicy {
    const { stackName } = Stack.of(this);
    const policy = new ManagedPolicy(this, id, { description: `dlx-batch in ${stackName}: ${description}` });
    this.allowStack(policy, ['cloudformation:DescribeStacks'], stackName);
    return policy;
  }

  /** Calls that give the name of a stack are evaluated with `*` in place of the stack's id. */
  private allowStack(policy: ManagedPolicy, actions: string[], stackName: string): void {
    const arn = Stack.of(this).formatArn({
      service: 'cloudformation',
      resource: 'stack',
      resourceName: `${stackName}/*`,
    });
    allow(policy, actions, [arn]);
    acknowledgeWildcard(policy, arn, 'Callers know the name of a stack, not the random part of its ARN.');
  }

  private allowQueues({ uploads, schedule, undeliveredEmails }: AccessPoliciesProps): void {
    const queues = [
      uploads.queue,
      uploads.deadLetters,
      uploads.formerUndelivered,
      schedule.undelivered,
      schedule.formerFailures,
      ...(undeliveredEmails === undefined ? [] : [undeliveredEmails]),
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

  /**
   * Executions, and those that the maps of a large file start, which have the history of each shard:
   * `execution:NAME:...` and `execution:NAME/MAP:...`.
   */
  private allowExecutions({ large, bulkRun }: AccessPoliciesProps): void {
    const machines = [large.machine, bulkRun.machine];
    allow(
      this.operate,
      ['states:StartExecution', 'states:ListExecutions'],
      machines.map(({ stateMachineArn }) => stateMachineArn),
    );
    const executions = machines.map((each) => executionsArn(each, '*'));
    const mapRuns = machines.map((each) => executionsArn(each, '/*', 'mapRun'));
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
    allow(this.operate, ['states:DescribeMapRun', 'states:ListExecutions'], mapRuns);
    for (const arn of [...executions, ...mapRuns]) {
      acknowledgeWildcard(this.operate, arn, 'Executions are named after their jobs and runs.');
    }
  }

  private allowLogsAndMetrics({ functions, large, bulkRun }: AccessPoliciesProps): void {
    const logGroups = [...functions, large, bulkRun].map(({ logGroup }) => logGroup.logGroupArn);
    allow(this.operate, ['logs:StartQuery', 'logs:FilterLogEvents', 'logs:GetLogEvents'], logGroups);
    for (const arn of logGroups) acknowledgeWildcard(this.operate, arn, 'All streams of one log.');
    this.allowAll(this.operate, [
      'cloudwatch:DescribeAlarms',
      'cloudwatch:GetMetricData',
      'logs:DescribeLogGroups',
      'logs:GetQueryResults',
      'logs:StopQuery',
    ]);
  }

  private allowSettings(props: AccessPoliciesProps): void {
    const { functions, large, bulkRun, schedule, uploads, alarmTopics } = props;
    // CloudFormation reads the resources with the permissions of its caller: those that this policy lacks are in ReadOnlyAccess.
    const comparing = ['DetectStackDrift', 'DetectStackResourceDrift', 'DescribeStackResourceDrifts'];
    const actions = ['ListStackResources', ...comparing].map((each) => `cloudformation:${each}`);
    this.allowStack(this.examine, actions, Stack.of(this).stackName);
    allow(
      this.examine,
      ['lambda:GetFunction', 'lambda:GetFunctionConfiguration'],
      functions.map((each) => each.function.functionArn),
    );
    allow(
      this.examine,
      ['iam:GetRole', 'iam:GetRolePolicy', 'iam:ListRolePolicies', 'iam:SimulatePrincipalPolicy'],
      [...functions, large.machine, bulkRun.machine, schedule].map(({ role }) => role.roleArn),
    );
    allow(
      this.examine,
      ['events:DescribeRule', 'events:ListTargetsByRule'],
      [uploads.rule, large.rule].map(({ ruleArn }) => ruleArn),
    );
    const topicArns = alarmTopics.map(({ topicArn }) => topicArn);
    if (topicArns.length > 0) {
      allow(this.examine, ['sns:GetTopicAttributes', 'sns:ListSubscriptionsByTopic'], topicArns);
    }
    allow(this.examine, ['scheduler:GetSchedule'], [scheduleArn(schedule)]);
    allow(
      this.examine,
      ['states:DescribeStateMachine'],
      [large, bulkRun].map(({ machine }) => machine.stateMachineArn),
    );
    this.allowAll(this.examine, [
      'cloudformation:DescribeStackDriftDetectionStatus',
      'cloudwatch:GetMetricStatistics',
      'events:ListRules',
      'lambda:GetAccountSettings',
      'lambda:GetEventSourceMapping',
      'lambda:ListEventSourceMappings',
      'servicequotas:GetServiceQuota',
    ]);
  }

  private allowAll(policy: ManagedPolicy, readActions: string[]): void {
    allow(policy, readActions, ['*']);
    acknowledgeWildcard(policy, '*', 'Reading only; most of these have no permissions for single resources.');
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
