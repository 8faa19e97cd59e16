/** Reads the state of a stack from the services of AWS that its resources belong to; changes nothing. */
import {
  CloudFormationClient,
  DescribeStacksCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import {
  CloudWatchClient,
  DescribeAlarmsCommand,
  GetMetricStatisticsCommand,
} from '@aws-sdk/client-cloudwatch';
import {
  DescribeRuleCommand,
  EventBridgeClient,
  ListRulesCommand,
  ListTargetsByRuleCommand,
} from '@aws-sdk/client-eventbridge';
import {
  type ContextEntry,
  type EvaluationResult,
  IAMClient,
  SimulatePrincipalPolicyCommand,
} from '@aws-sdk/client-iam';
import {
  GetAccountSettingsCommand,
  GetEventSourceMappingCommand,
  GetFunctionCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import {
  GetBucketNotificationConfigurationCommand,
  GetBucketVersioningCommand,
  GetPublicAccessBlockCommand,
} from '@aws-sdk/client-s3';
import { GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { DescribeStateMachineCommand, SFNClient } from '@aws-sdk/client-sfn';
import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { EVENT_SOURCE } from '../batch/names.ts';
import { type S3Endpoint, s3Client, s3ClientFor } from './s3-client.ts';
import { handlerOptions, TIMEOUTS } from './timeouts.ts';
import { ForeignAnswerError } from './transient-errors.ts';

export interface CallerIdentity {
  readonly account: string;
  readonly arn: string;
  readonly region: string;
}

export interface StackState {
  /** Such as `UPDATE_COMPLETE`. */
  readonly status: string;
  readonly statusReason?: string;
  /** Time of the last deployment. */
  readonly changed?: Date;
  readonly outputs: ReadonlyMap<string, string>;
}

export interface StackResource {
  readonly logicalId: string;
  /** The name, URL or ARN that CloudFormation gives it; empty until it exists. */
  readonly physicalId: string;
  /** Such as `AWS::SQS::Queue`. */
  readonly type: string;
  readonly status: string;
  readonly statusReason?: string;
  /** When it was created or last changed. */
  readonly changed?: Date;
}

export interface FunctionState {
  readonly name: string;
  readonly handler: string;
  /** MiB. */
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** `Active`, or why it cannot run. */
  readonly state: string;
  readonly lastUpdate: string;
  readonly reason?: string;
  /** Undefined without a reservation. */
  readonly reservedConcurrency?: number;
  readonly environment: Readonly<Record<string, string>>;
  /** URL of an archive with its code, for ten minutes. */
  readonly codeUrl?: string;
}

export interface MappingState {
  readonly state: string;
  readonly lastResult?: string;
  readonly queueArn: string;
  readonly functionArn: string;
  readonly maxConcurrency?: number;
}

export interface RuleState {
  readonly name: string;
  readonly state: string;
  /** JSON; undefined for a rule with a schedule. */
  readonly pattern?: string;
  readonly targets: readonly { readonly arn: string; readonly deadLetterArn?: string }[];
}

/** A rule in a listing, which has no targets. */
export interface ListedRule extends Pick<RuleState, 'name' | 'state' | 'pattern'> {
  readonly description: string;
}

export interface QueueState {
  readonly arn: string;
  readonly visible: number;
  readonly hidden: number;
  readonly visibilitySeconds: number;
  /** ARN of the queue that takes what fails here. */
  readonly deadLetterArn?: string;
}

export interface ScheduleState {
  readonly state: string;
  readonly expression: string;
  readonly timeZone: string;
}

export interface AlarmState {
  readonly name: string;
  readonly description: string;
  /** `OK`, `ALARM` or `INSUFFICIENT_DATA`. */
  readonly state: string;
  readonly enabled: boolean;
  /** ARNs of what it notifies. */
  readonly actions: readonly string[];
}

export interface BucketState {
  readonly sendsEvents: boolean;
  readonly versioning: string;
  /** Whether all four settings block public access; undefined without any. */
  readonly blocksPublic: boolean | undefined;
}

export interface MachineState {
  readonly status: string;
  /** Definition in JSON. */
  readonly definition: string;
}

/** The decision about one action on one resource. */
export interface Decision {
  readonly action: string;
  /** ARN. */
  readonly resource: string;
  readonly isAllowed: boolean;
  /** `implicitDeny` or `explicitDeny`, and the policy that decides if it is not the role's. */
  readonly decision: string;
}

const MAX_ALARMS = 100;
const METRIC_PERIOD_SECONDS = 300;

/** The decisions about one action: of each resource if there are several. */
function decisionsIn(found: EvaluationResult): Decision[] {
  const { EvalActionName: action = '', OrganizationsDecisionDetail: organisation } = found;
  const one = { ...found, EvalResourceDecision: found.EvalDecision };
  const results = found.ResourceSpecificResults?.length ? found.ResourceSpecificResults : [one];
  return results.map((result) => {
    const boundary = result.PermissionsBoundaryDecisionDetail ?? found.PermissionsBoundaryDecisionDetail;
    const by =
      organisation?.AllowedByOrganizations === false
        ? ' by the organisation'
        : boundary?.AllowedByPermissionsBoundary === false
          ? ' by the permissions boundary'
          : '';
    const { EvalResourceName: resource = '', EvalResourceDecision: decision = '' } = result;
    return { action, resource, isAllowed: decision === 'allowed', decision: decision + by };
  });
}

/** Conditions of the stack's own policies, as its calls meet them. */
const CONTEXT: ContextEntry[] = [
  { ContextKeyName: 'aws:SecureTransport', ContextKeyValues: ['true'], ContextKeyType: 'boolean' },
  { ContextKeyName: 'events:source', ContextKeyValues: [EVENT_SOURCE], ContextKeyType: 'string' },
];

/** Clients for one account and region; every method throws the SDK's errors. */
export class StackInspection {
  readonly #settings: ReturnType<typeof clientSettings>;
  readonly #at: S3Endpoint | undefined;
  readonly #clients = new Map<unknown, { destroy(): void }>();

  /** @param at an endpoint; undefined for AWS with region and credentials from the environment */
  constructor(at?: S3Endpoint) {
    this.#at = at;
    this.#settings = clientSettings(at);
  }

  close(): void {
    for (const client of this.#clients.values()) client.destroy();
  }

  async identity(): Promise<CallerIdentity> {
    const sts = this.#client(STSClient);
    const region = await sts.config.region();
    const { Account, Arn } = await sts.send(new GetCallerIdentityCommand({}));
    if (Account === undefined || Arn === undefined)
      throw new ForeignAnswerError('the answer has no identity');
    return { account: Account, arn: Arn, region };
  }

  async stack(StackName: string): Promise<StackState> {
    const { Stacks } = await this.#client(CloudFormationClient).send(
      new DescribeStacksCommand({ StackName }),
    );
    if (Stacks?.[0] === undefined) throw new ForeignAnswerError(`the answer has no stack ${StackName}`);
    const { StackStatus = '', StackStatusReason, Outputs = [], ...times } = Stacks[0];
    return {
      status: StackStatus,
      statusReason: StackStatusReason,
      changed: times.LastUpdatedTime ?? times.CreationTime,
      outputs: new Map(Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue])),
    };
  }

  async resources(StackName: string): Promise<StackResource[]> {
    const resources: StackResource[] = [];
    let NextToken: string | undefined;
    do {
      const command = new ListStackResourcesCommand({ StackName, NextToken });
      const page = await this.#client(CloudFormationClient).send(command);
      for (const found of page.StackResourceSummaries ?? []) {
        resources.push({
          logicalId: found.LogicalResourceId ?? '',
          physicalId: found.PhysicalResourceId ?? '',
          type: found.ResourceType ?? '',
          status: found.ResourceStatus ?? '',
          statusReason: found.ResourceStatusReason,
          changed: found.LastUpdatedTimestamp,
        });
      }
      NextToken = page.NextToken;
    } while (NextToken !== undefined);
    return resources;
  }

  /** Concurrent executions of all functions of the account in this region, and those that no function reserves. */
  async accountConcurrency(): Promise<{ readonly total: number; readonly unreserved: number }> {
    const { AccountLimit } = await this.#client(LambdaClient).send(new GetAccountSettingsCommand({}));
    const { ConcurrentExecutions: total = 0, UnreservedConcurrentExecutions: unreserved = total } =
      AccountLimit ?? {};
    return { total, unreserved };
  }

  async function(FunctionName: string): Promise<FunctionState> {
    const command = new GetFunctionCommand({ FunctionName });
    const { Configuration, Concurrency, Code } = await this.#client(LambdaClient).send(command);
    const {
      Handler = '',
      MemorySize = 0,
      Timeout = 0,
      State = '',
      LastUpdateStatus = '',
    } = Configuration ?? {};
    return {
      name: FunctionName,
      handler: Handler,
      memoryMb: MemorySize,
      timeoutSeconds: Timeout,
      state: State,
      lastUpdate: LastUpdateStatus,
      reason: Configuration?.StateReason ?? Configuration?.LastUpdateStatusReason,
      reservedConcurrency: Concurrency?.ReservedConcurrentExecutions,
      environment: Configuration?.Environment?.Variables ?? {},
      codeUrl: Code?.Location,
    };
  }

  async mapping(UUID: string): Promise<MappingState> {
    const found = await this.#client(LambdaClient).send(new GetEventSourceMappingCommand({ UUID }));
    return {
      state: found.State ?? '',
      lastResult: found.LastProcessingResult,
      queueArn: found.EventSourceArn ?? '',
      functionArn: found.FunctionArn ?? '',
      maxConcurrency: found.ScalingConfig?.MaximumConcurrency,
    };
  }

  /** @param physicalId name, after that of the bus and `|` if it is not the default bus */
  async rule(physicalId: string): Promise<RuleState> {
    const [name = '', EventBusName] = physicalId.split('|').reverse();
    const events = this.#client(EventBridgeClient);
    const [rule, { Targets = [] }] = await Promise.all([
      events.send(new DescribeRuleCommand({ Name: name, EventBusName })),
      events.send(new ListTargetsByRuleCommand({ Rule: name, EventBusName })),
    ]);
    return {
      name,
      state: rule.State ?? '',
      pattern: rule.EventPattern,
      targets: Targets.map(({ Arn = '', DeadLetterConfig }) => ({
        arn: Arn,
        deadLetterArn: DeadLetterConfig?.Arn,
      })),
    };
  }

  /** All rules of the default bus, with those of other stacks. */
  async allRules(): Promise<ListedRule[]> {
    const rules: ListedRule[] = [];
    let NextToken: string | undefined;
    do {
      const page = await this.#client(EventBridgeClient).send(new ListRulesCommand({ NextToken }));
      for (const { Name = '', State = '', Description = '', EventPattern } of page.Rules ?? []) {
        rules.push({ name: Name, state: State, description: Description, pattern: EventPattern });
      }
      NextToken = page.NextToken;
    } while (NextToken !== undefined);
    return rules;
  }

  async queue(QueueUrl: string): Promise<QueueState> {
    const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
    const { Attributes: found = {} } = await this.#client(SQSClient).send(command);
    return {
      arn: found.QueueArn ?? '',
      visible: Number(found.ApproximateNumberOfMessages),
      hidden: Number(found.ApproximateNumberOfMessagesNotVisible),
      visibilitySeconds: Number(found.VisibilityTimeout),
      deadLetterArn: JSON.parse(found.RedrivePolicy ?? '{}').deadLetterTargetArn,
    };
  }

  /** Age of the oldest message of a queue in the last quarter of an hour; undefined without data. */
  async oldestMessageSeconds(queueName: string, nowMs: number): Promise<number | undefined> {
    const command = new GetMetricStatisticsCommand({
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateAgeOfOldestMessage',
      Dimensions: [{ Name: 'QueueName', Value: queueName }],
      StartTime: new Date(nowMs - 3 * METRIC_PERIOD_SECONDS * 1000),
      EndTime: new Date(nowMs),
      Period: METRIC_PERIOD_SECONDS,
      Statistics: ['Maximum'],
    });
    const { Datapoints = [] } = await this.#client(CloudWatchClient).send(command);
    const newest = Datapoints.toSorted((a, b) => Number(b.Timestamp) - Number(a.Timestamp))[0];
    return newest?.Maximum;
  }

  /** @param physicalId name, after that of the group and `|` if it is not the default group */
  async schedule(physicalId: string): Promise<ScheduleState> {
    const [Name = '', GroupName] = physicalId.split('|').reverse();
    const found = await this.#client(SchedulerClient).send(new GetScheduleCommand({ Name, GroupName }));
    return {
      state: found.State ?? '',
      expression: found.ScheduleExpression ?? '',
      timeZone: found.ScheduleExpressionTimezone ?? 'UTC',
    };
  }

  /** Metric alarms with these names, without those that do not exist. */
  async alarms(names: readonly string[]): Promise<AlarmState[]> {
    const pages: AlarmState[] = [];
    for (let from = 0; from < names.length; from += MAX_ALARMS) {
      const command = new DescribeAlarmsCommand({
        AlarmNames: names.slice(from, from + MAX_ALARMS),
        MaxRecords: MAX_ALARMS,
      });
      const { MetricAlarms = [] } = await this.#client(CloudWatchClient).send(command);
      pages.push(
        ...MetricAlarms.map((found) => ({
          name: found.AlarmName ?? '',
          description: found.AlarmDescription ?? '',
          state: found.StateValue ?? '',
          enabled: found.ActionsEnabled ?? true,
          actions: found.AlarmActions ?? [],
        })),
      );
    }
    return pages;
  }

  /** The number of confirmed subscriptions of a topic, and of those that wait for a confirmation. */
  async subscriptions(TopicArn: string): Promise<{ readonly confirmed: number; readonly pending: number }> {
    const { Attributes } = await this.#client(SNSClient).send(new GetTopicAttributesCommand({ TopicArn }));
    return {
      confirmed: Number(Attributes?.SubscriptionsConfirmed ?? 0),
      pending: Number(Attributes?.SubscriptionsPending ?? 0),
    };
  }

  async bucket(Bucket: string): Promise<BucketState> {
    const s3 = this.#s3();
    const [notification, { Status = 'off' }, blocksPublic] = await Promise.all([
      s3.send(new GetBucketNotificationConfigurationCommand({ Bucket })),
      s3.send(new GetBucketVersioningCommand({ Bucket })),
      s3.send(new GetPublicAccessBlockCommand({ Bucket })).then(
        ({ PublicAccessBlockConfiguration: block }) =>
          block?.BlockPublicAcls === true &&
          block.BlockPublicPolicy === true &&
          block.IgnorePublicAcls === true &&
          block.RestrictPublicBuckets === true,
        (error: Error) => {
          if (error.name === 'NoSuchPublicAccessBlockConfiguration') return undefined;
          throw error;
        },
      ),
    ]);
    const sendsEvents = notification.EventBridgeConfiguration !== undefined;
    return { sendsEvents, versioning: Status, blocksPublic };
  }

  async machine(stateMachineArn: string): Promise<MachineState> {
    const command = new DescribeStateMachineCommand({ stateMachineArn });
    const { status = '', definition = '' } = await this.#client(SFNClient).send(command);
    return { status, definition };
  }

  /** Whether the policies of a role, of its boundary and of the organisation allow each action on each resource. */
  async simulate(
    roleArn: string,
    actions: readonly string[],
    resources: readonly string[],
  ): Promise<Decision[]> {
    const decisions: Decision[] = [];
    let Marker: string | undefined;
    do {
      const command = new SimulatePrincipalPolicyCommand({
        PolicySourceArn: roleArn,
        ActionNames: [...actions],
        ResourceArns: [...resources],
        ContextEntries: CONTEXT,
        Marker,
      });
      const page = await this.#client(IAMClient).send(command);
      for (const found of page.EvaluationResults ?? []) decisions.push(...decisionsIn(found));
      Marker = page.Marker;
    } while (Marker !== undefined);
    return decisions;
  }

  /** A client of each class, made on use. */
  #client<Client extends { destroy(): void }>(
    create: new (settings: ReturnType<typeof clientSettings>) => Client,
  ): Client {
    const known = this.#clients.get(create) ?? new create(this.#settings);
    this.#clients.set(create, known);
    return known as Client;
  }

  #s3(): ReturnType<typeof s3Client> {
    const known = this.#clients.get(s3Client) ?? (this.#at ? s3ClientFor(this.#at) : s3Client());
    this.#clients.set(s3Client, known);
    return known as ReturnType<typeof s3Client>;
  }
}

function clientSettings(at: S3Endpoint | undefined) {
  const requestHandler = handlerOptions(TIMEOUTS);
  if (at === undefined) return { requestHandler };
  const { endpoint, region, accessKeyId, secretAccessKey, sessionToken } = at;
  return { requestHandler, endpoint, region, credentials: { accessKeyId, secretAccessKey, sessionToken } };
}
