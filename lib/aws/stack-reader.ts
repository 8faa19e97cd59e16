/**
 * Reads what AWS says about a stack, as the SDK returns it; changes nothing. CloudFormation itself compares the resources with
 * the template that it has deployed (drift detection).
 */
import {
  CloudFormationClient,
  DescribeStackDriftDetectionStatusCommand,
  DescribeStacksCommand,
  DetectStackDriftCommand,
  paginateDescribeStackResourceDrifts,
  paginateListStackResources,
  type Stack,
  type StackResourceDrift,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import {
  CloudWatchClient,
  GetMetricStatisticsCommand,
  type MetricAlarm,
  paginateDescribeAlarms,
} from '@aws-sdk/client-cloudwatch';
import { type EvaluationResult, IAMClient, paginateSimulatePrincipalPolicy } from '@aws-sdk/client-iam';
import {
  GetAccountSettingsCommand,
  GetEventSourceMappingCommand,
  GetFunctionCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import {
  GetBucketNotificationConfigurationCommand,
  GetBucketVersioningCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { EVENT_SOURCE } from '../batch/names.ts';
import type { Retries } from './retries.ts';
import { handlerOptions, TIMEOUTS } from './timeouts.ts';
import { ForeignAnswerError } from './transient-errors.ts';

export type { EvaluationResult, MetricAlarm, Stack, StackResourceDrift, StackResourceSummary };
export type Drifts = Awaited<ReturnType<StackReader['drifts']>>;
export type FunctionState = Awaited<ReturnType<StackReader['function']>>;
export type MappingState = Awaited<ReturnType<StackReader['mapping']>>;

/** Asks until there is a value. */
type Poll = <Value>(ask: () => Promise<Value | undefined>) => Promise<Value>;

interface Client {
  send(command: never): Promise<unknown>;
  destroy(): void;
}

const METRIC_PERIOD_SECONDS = 300;

/** Conditions of the stack's own policies, as its calls meet them. */
const CONTEXT = [
  { ContextKeyName: 'aws:SecureTransport', ContextKeyValues: ['true'], ContextKeyType: 'boolean' as const },
  { ContextKeyName: 'events:source', ContextKeyValues: [EVENT_SOURCE], ContextKeyType: 'string' as const },
];

/** Clients with account and region of the environment; every method throws the SDK's errors. */
export class StackReader {
  readonly retries: Retries;
  readonly #clients = new Map<unknown, Client>();

  /** @param retries repeat each request, also after those of the SDK */
  constructor(retries: Retries) {
    this.retries = retries;
  }

  close(): void {
    for (const client of this.#clients.values()) client.destroy();
  }

  async identity() {
    const sts = this.#client(STSClient);
    const region = await sts.config.region();
    const { Account, Arn } = await sts.send(new GetCallerIdentityCommand({}));
    if (Account === undefined || Arn === undefined)
      throw new ForeignAnswerError('the answer has no identity');
    return { account: Account, arn: Arn, region };
  }

  async stack(StackName: string): Promise<Stack> {
    const { Stacks } = await this.#client(CloudFormationClient).send(
      new DescribeStacksCommand({ StackName }),
    );
    if (Stacks?.[0] === undefined) throw new ForeignAnswerError(`the answer has no stack ${StackName}`);
    return Stacks[0];
  }

  async resources(StackName: string): Promise<StackResourceSummary[]> {
    const client = this.#client(CloudFormationClient);
    return collected(
      paginateListStackResources({ client }, { StackName }),
      (page) => page.StackResourceSummaries,
    );
  }

  /** Compares the resources with the template: how they differ, and why some could not be compared. */
  async drifts(StackName: string, polled: Poll) {
    const client = this.#client(CloudFormationClient);
    const { StackDriftDetectionId } = await client.send(new DetectStackDriftCommand({ StackName }));
    const status = new DescribeStackDriftDetectionStatusCommand({ StackDriftDetectionId });
    const compared = await polled(async () => {
      const answer = await client.send(status);
      return answer.DetectionStatus === 'DETECTION_IN_PROGRESS' ? undefined : answer;
    });
    const pages = paginateDescribeStackResourceDrifts({ client }, { StackName });
    const drifts = await collected(pages, (page) => page.StackResourceDrifts);
    const { DetectionStatus, DetectionStatusReason: problem } = compared;
    return { drifts, problem: DetectionStatus === 'DETECTION_FAILED' ? problem : undefined };
  }

  account() {
    return this.#client(LambdaClient).send(new GetAccountSettingsCommand({}));
  }

  function(FunctionName: string) {
    return this.#client(LambdaClient).send(new GetFunctionCommand({ FunctionName }));
  }

  mapping(UUID: string) {
    return this.#client(LambdaClient).send(new GetEventSourceMappingCommand({ UUID }));
  }

  /** The attributes of a queue. */
  async queue(QueueUrl: string): Promise<Readonly<Record<string, string>>> {
    const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
    return (await this.#client(SQSClient).send(command)).Attributes ?? {};
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
    return Datapoints.toSorted((a, b) => Number(b.Timestamp) - Number(a.Timestamp))[0]?.Maximum;
  }

  /** All metric alarms of the account in this region. */
  alarms(): Promise<MetricAlarm[]> {
    const client = this.#client(CloudWatchClient);
    return collected(paginateDescribeAlarms({ client }, {}), (page) => page.MetricAlarms);
  }

  async topic(TopicArn: string): Promise<Readonly<Record<string, string>>> {
    const command = new GetTopicAttributesCommand({ TopicArn });
    return (await this.#client(SNSClient).send(command)).Attributes ?? {};
  }

  async bucket(Bucket: string) {
    const s3 = this.#client(S3Client);
    const notification = await s3.send(new GetBucketNotificationConfigurationCommand({ Bucket }));
    return { ...notification, ...(await s3.send(new GetBucketVersioningCommand({ Bucket }))) };
  }

  /** Whether the policies of a role, of its boundary and of the organisation allow an action on each resource. */
  simulate(roleArn: string, action: string, resources: string[]): Promise<EvaluationResult[]> {
    const client = this.#client(IAMClient);
    const pages = paginateSimulatePrincipalPolicy(
      { client },
      { PolicySourceArn: roleArn, ActionNames: [action], ResourceArns: resources, ContextEntries: CONTEXT },
    );
    return collected(pages, (page) => page.EvaluationResults);
  }

  /** A client of each class, made on use. */
  #client<Made extends Client>(create: new (settings: object) => Made): Made {
    const known = this.#clients.get(create);
    if (known !== undefined) return known as Made;
    const client = new create({ requestHandler: handlerOptions(TIMEOUTS) });
    const send = client.send.bind(client);
    const repeated = (command: never) => this.retries.request(() => send(command));
    this.#clients.set(create, client);
    return Object.assign(client, { send: repeated });
  }
}

async function collected<Page, Item>(
  pages: AsyncIterable<Page>,
  itemsOf: (page: Page) => readonly Item[] | undefined,
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) items.push(...(itemsOf(page) ?? []));
  return items;
}
