/** Who may do what: each role and each policy of users, for the calls that matter. */
import { allows, Resources } from './resources.ts';
import { outputLogicalId, templateWith } from './synthesised.ts';

const USER_POLICIES = ['Upload', 'Read', 'Operate', 'Examine'];

/** Calls: an action, and what it is done to; `NAME/` stands for the resource of an output. */
const CALLS = `
s3:ListBucket input | s3:ListBucketVersions input | s3:ListBucketMultipartUploads input
s3:GetObject input/inbox/a | s3:GetObjectVersion input/inbox/a | s3:GetObjectVersion input/scheduled/a
s3:GetObject input/inboxes/a | s3:PutObject input/inbox/a | s3:PutObject input/scheduled/a | s3:PutObject input/other/a
s3:DeleteObject input/inbox/a | s3:DeleteObject input/scheduled/a | s3:DeleteObject input/other/a
s3:DeleteObjectVersion input/inbox/a | s3:PutBucketNotification input
s3:ListBucket results | s3:ListBucketVersions results | s3:GetObject results/results/a | s3:GetObject results/rejects/a
s3:GetObject results/done/a | s3:GetObject results/status/a | s3:GetObject results/runs/a | s3:GetObject results/work/a
s3:GetObject results/usage/a | s3:PutObject results/results/a | s3:PutObject results/rejects/a
s3:PutObject results/done/a | s3:PutObject results/status/a | s3:PutObject results/runs/a | s3:PutObject results/work/a
s3:PutObject results/usage/a | s3:PutObject results/a | s3:PutObjectAcl results/results/a
s3:DeleteObject results/results/a | s3:DeleteObject results/rejects/a | s3:DeleteObject results/done/a
s3:DeleteObject results/status/a | s3:DeleteObject results/runs/a | s3:DeleteObject results/work/a
s3:DeleteObjectVersion results/results/a | s3:DeleteObjectVersion results/work/a
s3:AbortMultipartUpload results/results/a | s3:ListMultipartUploadParts results/results/a
s3:ListMultipartUploadParts results/work/a
sqs:SendMessage queue | sqs:ReceiveMessage queue | sqs:DeleteMessage queue | sqs:ChangeMessageVisibility queue
sqs:PurgeQueue queue | sqs:DeleteQueue queue | sqs:StartMessageMoveTask dead-letters
states:StartExecution large | states:DescribeExecution execution-large:a | states:StopExecution execution-large:a
states:RedriveExecution execution-large:a | states:RedriveExecution execution-large/SolveShards:a
states:StartExecution bulk | states:DeleteStateMachine bulk
lambda:InvokeFunction solve-batch | lambda:InvokeFunction plan-shards | lambda:InvokeFunction solve-shard
lambda:InvokeFunction run-step | lambda:InvokeFunction sweep-inbox | lambda:UpdateFunctionCode anything
events:PutEvents anything | kms:Decrypt arn:aws:kms:eu-west-1:111122223333:key/1 | iam:PassRole anything
logs:PutLogEvents arn:aws:logs:*:*:log-group:a:* | cloudwatch:GetMetricData anything
ssm:GetParameter arn:<AWS::Partition>:ssm:<AWS::Region>:<AWS::AccountId>:parameter/secret
cloudformation:DescribeStacks arn:<AWS::Partition>:cloudformation:<AWS::Region>:<AWS::AccountId>:stack/DlxBatch/*
sns:ListSubscriptionsByTopic arn:aws:sns:eu-west-1:111122223333:on-call`
  .split(/[\n|]/)
  .map((call) => call.trim())
  .filter((call) => call !== '');

/** References to the resources of outputs. */
const OUTPUTS: Readonly<Record<string, string>> = {
  input: '<InputBucketName.Arn>',
  results: '<ResultsBucketName.Arn>',
  queue: '<QueueUrl.Arn>',
  'dead-letters': '<DeadLetterQueueUrl.Arn>',
  large: '<SolveLargeArn>',
  bulk: '<BulkRunArn>',
};

/** A line for each call: who may make it, with the default settings. */
export function permissionsText(): string {
  const template = templateWith();
  const all = new Resources(template.toJSON());
  const idOf = (output: string) => outputLogicalId(template, output);
  const [schedule] = all.of('Scheduler::Schedule');
  const principals = [
    ...[...all.handlers].map(([name, { is }]) => [name, is.Role] as const),
    ['SolveLarge', all.at(`<${idOf('SolveLargeArn')}>`)!.is.RoleArn],
    ['BulkRun', all.at(`<${idOf('BulkRunArn')}>`)!.is.RoleArn],
    ['schedule', schedule!.is.Target.RoleArn],
    ...USER_POLICIES.map((name) => [`users: ${name}`, idOf(`${name}PolicyArn`)] as const),
  ].map(([name, owner]) => [name, all.statementsOf(owner)] as const);
  // The name in the ARN of the state machine.
  const name = `{"Fn::Select":[6,{"Fn::Split":[":","<${idOf('SolveLargeArn')}>"]}]}`;
  const execution = `arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${name}`;
  const resource = (text: string) =>
    all.handlers.has(text)
      ? `<${all.handlers.get(text)!.id}.Arn>`
      : text
          .replace(/^execution-large/, execution)
          .replace(/^[\w-]+(?=\/|$)/, (named) => OUTPUTS[named]?.replace(/\w+/, idOf) ?? named);
  const lines = CALLS.map((call) => {
    const [action, on] = call.split(' ') as [string, string];
    const able = principals.filter(([, statements]) => allows(statements, action, resource(on)));
    return `${call}\n    ${able.map(([who]) => who).join(', ') || 'nobody'}`;
  });
  return `${lines.join('\n')}\n`;
}
