/** Managed policies for uploaders, readers and operators, to attach to their roles or groups. */
import { Stack } from 'aws-cdk-lib';
import { Grant, ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acknowledgeWildcard, executionsArn, type Wildcard } from './acknowledged-findings.ts';
import type { BatchFunction, BatchInstance } from './batch-function.ts';
import type { ACCESS } from './bucket-access.ts';
import { KEY_ACTIONS } from './customer-key.ts';
import type { RunSchedule } from './run-schedule.ts';
import type { BulkRunMachine } from './state-machines/bulk-run.ts';
import type { SolveLarge } from './state-machines/solve-large.ts';

/** All parts of an instance that people use. */
export type CompleteInstance = BatchInstance & {
  readonly solve: BatchFunction;
  readonly functions: readonly BatchFunction[];
  readonly large: SolveLarge;
  readonly bulkRun: BulkRunMachine;
  readonly runs: RunSchedule;
};

/** Actions, their resources, and which wildcard is intended in their ARNs. */
type Row = readonly [actions: string[], arns: string[], wildcard?: Wildcard];

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

  /**
   * @param alarmTopics notified of alarms
   * @param undeliveredEmails events that could not be sent to the topic of e-mails; undefined if there is none
   */
  constructor(
    scope: Construct,
    id: string,
    instance: CompleteInstance,
    alarmTopics: readonly ITopic[],
    undeliveredEmails: IQueue | undefined,
  ) {
    super(scope, id);
    const { uploads, runs, functions, large, bulkRun } = instance;
    const stack = Stack.of(this);
    // Calls that give the name of a stack are evaluated with `*` in place of the stack's id.
    const stackArn = stack.formatArn({
      service: 'cloudformation',
      resource: 'stack',
      resourceName: `${stack.stackName}/*`,
    });
    const queues = [uploads.queue, uploads.deadLetters, uploads.formerUndelivered];
    const runQueues = [runs.undelivered, runs.formerFailures, undeliveredEmails];
    const machines = [large.machine, bulkRun.machine];
    const machineArns = machines.map(({ stateMachineArn }) => stateMachineArn);
    const policy = (
      policyId: string,
      description: string,
      objects: readonly (keyof typeof ACCESS)[],
      rows: readonly Row[],
    ) => {
      const created = new ManagedPolicy(this, policyId, {
        description: `dlx-batch in ${stack.stackName}: ${description}`,
      });
      // Its owner finds the resources by the outputs of the stack.
      allow(created, [['cloudformation:DescribeStacks'], [stackArn], 'stack']);
      for (const access of objects) instance.buckets.grant(created, access).assertSuccess();
      for (const row of rows) allow(created, row);
      return created;
    };

    this.upload = policy('Upload', 'Uploads puzzle files', ['uploaders', 'comparing'], []);
    this.read = policy(
      'Read',
      'Reads results, rejects, statuses and reports of bulk runs',
      ['readers', 'watching'],
      [
        [
          [
            'cloudtrail:LookupEvents',
            'cloudwatch:GetDashboard',
            'cloudwatch:ListMetrics',
            'logs:DescribeQueryDefinitions',
          ],
          ['*'],
          'reading',
        ],
      ],
    );
    this.operate = policy(
      'Operate',
      'Runs, repeats and examines jobs; in addition to the policy for reading',
      ['repeating'],
      [
        [
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
          [...queues, ...runQueues].flatMap((queue) => (queue === undefined ? [] : [queue.queueArn])),
        ],
        [['states:StartExecution', 'states:ListExecutions'], machineArns],
        // Also executions that the maps of a large file start, which have the history of each shard:
        // `execution:NAME:...` and `execution:NAME/MAP:...`.
        [
          [
            'states:DescribeExecution',
            'states:GetExecutionHistory',
            'states:RedriveExecution',
            'states:StopExecution',
            'states:ListMapRuns',
          ],
          machines.map((each) => executionsArn(each, '*')),
          'executions',
        ],
        [
          ['states:DescribeMapRun', 'states:ListExecutions'],
          machines.map((each) => executionsArn(each, '/*', 'mapRun')),
          'executions',
        ],
        [
          ['logs:StartQuery', 'logs:FilterLogEvents', 'logs:GetLogEvents'],
          [...functions, large, bulkRun].map(({ logGroup }) => logGroup.logGroupArn),
          'streams',
        ],
        [
          [
            'cloudwatch:DescribeAlarms',
            'cloudwatch:GetMetricData',
            'logs:DescribeLogGroups',
            'logs:GetQueryResults',
            'logs:StopQuery',
          ],
          ['*'],
          'reading',
        ],
      ],
    );
    instance.encryptionKey?.grant(this.operate, ...KEY_ACTIONS);
    const topicArns = alarmTopics.map(({ topicArn }) => topicArn);
    this.examine = policy(
      'Examine',
      'Compares the stack with its settings; in addition to the others',
      ['examining'],
      [
        // CloudFormation reads the resources with the permissions of its caller: those that this policy lacks are in ReadOnlyAccess.
        [
          [
            'cloudformation:ListStackResources',
            'cloudformation:DetectStackDrift',
            'cloudformation:DetectStackResourceDrift',
            'cloudformation:DescribeStackResourceDrifts',
          ],
          [stackArn],
          'stack',
        ],
        [
          ['lambda:GetFunction', 'lambda:GetFunctionConfiguration'],
          functions.map((each) => each.function.functionArn),
        ],
        [
          ['iam:GetRole', 'iam:GetRolePolicy', 'iam:ListRolePolicies', 'iam:SimulatePrincipalPolicy'],
          [...functions, ...machines, runs].map(({ role }) => role.roleArn),
        ],
        [
          ['events:DescribeRule', 'events:ListTargetsByRule'],
          [uploads, large].map(({ rule }) => rule.ruleArn),
        ],
        [['sns:GetTopicAttributes', 'sns:ListSubscriptionsByTopic'], topicArns],
        [['scheduler:GetSchedule'], [runs.arn]],
        [['states:DescribeStateMachine'], machineArns],
        [
          [
            'cloudformation:DescribeStackDriftDetectionStatus',
            'cloudwatch:GetMetricStatistics',
            'events:ListRules',
            'lambda:GetAccountSettings',
            'lambda:GetEventSourceMapping',
            'lambda:ListEventSourceMappings',
            'servicequotas:GetServiceQuota',
          ],
          ['*'],
          'reading',
        ],
      ],
    );
  }
}

function allow(policy: ManagedPolicy, [actions, resourceArns, wildcard]: Row): void {
  if (resourceArns.length === 0) return;
  Grant.addToPrincipal({ grantee: policy, actions, resourceArns }).assertSuccess();
  if (wildcard === undefined) return;
  for (const arn of resourceArns) acknowledgeWildcard(policy, wildcard, arn);
}
