/**
 * What services of AWS report about the stack, for `dlx-batch doctor`: CloudFormation, Lambda, EventBridge, its Scheduler,
 * SQS, Step Functions, CloudWatch, IAM and STS. The answers follow from the template and from the running stack; nothing
 * is answered that does not exist here: quotas of an account, the CDK's bootstrap stack, times of deployments.
 */
import { roleOf, type StackAccess } from './access/stack-access.ts';
import { LOCAL_ACCOUNT } from './functions/lambda-environment.ts';
import {
  JsonApiError,
  type JsonOperation,
  type JsonService,
  type RequestParameters,
  stringParameter,
} from './json-api.ts';
import type { LocalQueue } from './queue/queue.ts';
import { LOCAL_STACK } from './stack-names.ts';
import { type ResourceNames, resolveText, resolveValue, type StackTemplate } from './states/template.ts';

export interface ControlPlaneOptions {
  readonly template: StackTemplate;
  readonly names: ResourceNames;
  readonly access: StackAccess;
  readonly queue: Pick<LocalQueue, 'arn' | 'depth' | 'oldestSeconds' | 'visibilityTimeoutMs' | 'deadLetters'>;
  /** URL of that queue. */
  readonly queueUrl: string;
  /** The schedule of bulk runs; undefined if they never start automatically. */
  readonly schedule?: { readonly expression: string; readonly timeZone?: string };
  /** Of the function that reads the queue; they override the template's. */
  readonly consumer: {
    readonly concurrency: number;
    readonly timeoutSeconds: number;
    /** The result of its last batch, as Lambda words it. */
    readonly lastResult: () => string;
  };
}

// biome-ignore lint/suspicious/noExplicitAny: properties of CloudFormation, whose shape the type of the resource decides.
type Properties = Readonly<Record<string, any>>;

/** The CDK's default name of its bootstrap stack. */
const BOOTSTRAP_STACK = 'CDKToolkit';

/** The APIs; except those of CloudFormation, only the owner's keys may use them. */
export function controlPlane(options: ControlPlaneOptions): readonly JsonService[] {
  const resources = new Resources(options);
  return [
    { signingName: 'sts', operations: { GetCallerIdentity: read('sts', [], callerIdentity) } },
    { signingName: 'cloudformation', operations: cloudFormation(resources) },
    { signingName: 'iam', operations: iam(options.access) },
    { signingName: 'lambda', operations: lambda(resources, options) },
    { signingName: 'scheduler', operations: scheduler(resources, options) },
    { target: 'AWSEvents.', signingName: 'events', operations: eventBridge(resources) },
    { target: 'AmazonSQS.', signingName: 'sqs', operations: sqs(resources, options) },
    { target: 'AWSStepFunctions.', signingName: 'states', operations: stepFunctions(resources) },
    {
      target: 'GraniteServiceVersion20100801.',
      signingName: 'monitoring',
      operations: cloudWatch(resources, options),
    },
  ];
}

function read(
  service: string,
  parameters: readonly string[],
  run: (given: RequestParameters) => object,
  path?: RegExp,
): JsonOperation {
  return { parameters, path, action: `${service}:Read`, resource: () => '*', run };
}

function callerIdentity(): object {
  return { UserId: LOCAL_ACCOUNT, Account: LOCAL_ACCOUNT, Arn: `arn:aws:iam::${LOCAL_ACCOUNT}:root` };
}

function cloudFormation(resources: Resources): JsonService['operations'] {
  const { template } = resources.options;
  const checkName = (given: RequestParameters) => {
    const name = stringParameter(given, 'StackName');
    if (name === LOCAL_STACK.name) return;
    if (name === BOOTSTRAP_STACK) {
      throw new JsonApiError('UnknownOperationException', 'The local stack needs no bootstrap stack');
    }
    throw new JsonApiError('ValidationError', `Stack with id ${name} does not exist`);
  };
  const describeStacks = (given: RequestParameters) => {
    checkName(given);
    const Outputs = Object.entries(template.Outputs).map(([OutputKey, { Value }]) => ({
      OutputKey,
      OutputValue: resources.textOf(Value),
    }));
    return { Stacks: [{ StackName: LOCAL_STACK.name, StackStatus: 'CREATE_COMPLETE', Outputs }] };
  };
  const listStackResources = (given: RequestParameters) => {
    checkName(given);
    const StackResourceSummaries = Object.entries(template.Resources).map(([id, { Type }]) => ({
      LogicalResourceId: id,
      PhysicalResourceId: resources.physicalId(id),
      ResourceType: Type,
      ResourceStatus: 'CREATE_COMPLETE',
    }));
    return { StackResourceSummaries };
  };
  // Calls give the name of the stack, so IAM evaluates them with `*` in place of its id.
  const { region } = resources.options.names;
  const resource = (given: RequestParameters) =>
    `arn:aws:cloudformation:${region}:${LOCAL_ACCOUNT}:stack/${stringParameter(given, 'StackName')}/*`;
  return {
    DescribeStacks: {
      parameters: ['StackName'],
      action: 'cloudformation:DescribeStacks',
      resource,
      run: describeStacks,
    },
    ListStackResources: {
      parameters: ['StackName', 'NextToken'],
      action: 'cloudformation:ListStackResources',
      resource,
      run: listStackResources,
    },
  };
}

/** By the evaluation that every call of the stack passes. */
function iam(access: StackAccess): JsonService['operations'] {
  const simulate = (given: RequestParameters) => {
    const role = stringParameter(given, 'PolicySourceArn').split(':role/')[1] ?? '';
    const { ActionNames = [], ResourceArns = [] } = given as Record<string, string[]>;
    const { ContextEntries = [] } = given as Record<string, Record<string, string>[]>;
    const context = Object.fromEntries(
      ContextEntries.map(({ ContextKeyName, ContextKeyValues }) => [ContextKeyName, ContextKeyValues]),
    );
    const EvaluationResults = ActionNames.flatMap((EvalActionName) =>
      ResourceArns.map((EvalResourceName) => ({
        EvalActionName,
        EvalResourceName,
        EvalDecision: access.isAllowed(role, EvalActionName, EvalResourceName, context)
          ? 'allowed'
          : 'implicitDeny',
      })),
    );
    return { EvaluationResults, IsTruncated: false };
  };
  const parameters = ['PolicySourceArn', 'ActionNames', 'ResourceArns', 'ContextEntries', 'Marker'];
  return { SimulatePrincipalPolicy: read('iam', parameters, simulate) };
}

function lambda(resources: Resources, { consumer }: ControlPlaneOptions): JsonService['operations'] {
  const { template } = resources.options;
  const isConsumer = (id: string) =>
    resources.ofType('AWS::Lambda::EventSourceMapping').some(([, each]) => each.FunctionName.Ref === id);
  const getFunction = (given: RequestParameters) => {
    const [id, { Handler, MemorySize, Timeout, Environment }] = resources.find(
      'Function',
      given.FunctionName,
    );
    return {
      Configuration: {
        FunctionName: given.FunctionName,
        FunctionArn: resources.arn(id),
        Role: resources.arn(roleOf(template, id)),
        Handler,
        MemorySize,
        Timeout: isConsumer(id) ? consumer.timeoutSeconds : Timeout,
        Environment: resources.resolve(Environment),
        State: 'Active',
        LastUpdateStatus: 'Successful',
      },
    };
  };
  const getMapping = (given: RequestParameters) => {
    const [, { BatchSize, EventSourceArn, FunctionName }] = resources.find('EventSourceMapping', given.UUID);
    return {
      UUID: given.UUID,
      BatchSize,
      EventSourceArn: resources.resolve(EventSourceArn),
      FunctionArn: resources.arn(FunctionName.Ref),
      State: 'Enabled',
      LastProcessingResult: consumer.lastResult(),
      ScalingConfig: { MaximumConcurrency: consumer.concurrency },
    };
  };
  const version = '/2015-03-31';
  const getAccountSettings = () => {
    throw new JsonApiError('UnknownOperationException', 'The local stack has no quotas of an account');
  };
  return {
    GetAccountSettings: read('lambda', [], getAccountSettings, /^GET \/2016-08-19\/account-settings$/),
    GetFunction: read(
      'lambda',
      ['FunctionName'],
      getFunction,
      new RegExp(`^GET ${version}/functions/(?<FunctionName>[^/]+)$`),
    ),
    GetEventSourceMapping: read(
      'lambda',
      ['UUID'],
      getMapping,
      new RegExp(`^GET ${version}/event-source-mappings/(?<UUID>[^/]+)$`),
    ),
  };
}

function scheduler(resources: Resources, { schedule }: ControlPlaneOptions): JsonService['operations'] {
  const getSchedule = ({ Name }: RequestParameters) => {
    const [, { ScheduleExpression, Target }] = resources.find('Schedule', Name);
    return {
      Name,
      ScheduleExpression: schedule?.expression ?? ScheduleExpression,
      ScheduleExpressionTimezone: schedule?.timeZone ?? 'UTC',
      State: schedule === undefined ? 'DISABLED' : 'ENABLED',
      Target: { Arn: resources.resolve(Target.Arn), RoleArn: resources.resolve(Target.RoleArn) },
    };
  };
  const path = /^GET \/schedules\/(?<Name>[^/]+)$/;
  return { GetSchedule: read('scheduler', ['Name', 'groupName'], getSchedule, path) };
}

function eventBridge(resources: Resources): JsonService['operations'] {
  const describeRule = ({ Name }: RequestParameters) => {
    const [id, { State, EventPattern }] = resources.find('Rule', Name);
    const pattern = JSON.stringify(resources.resolve(EventPattern));
    return { Name, Arn: resources.arn(id), State, EventPattern: pattern };
  };
  const listTargets = ({ Rule }: RequestParameters) => {
    const [, { Targets = [] }] = resources.find('Rule', Rule);
    return { Targets: resources.resolve(Targets) };
  };
  return {
    DescribeRule: read('events', ['Name', 'EventBusName'], describeRule),
    ListTargetsByRule: read('events', ['Rule', 'EventBusName', 'NextToken'], listTargets),
  };
}

/** Of the other queues of the template, no service here sends to any. */
function sqs(resources: Resources, { queue, queueUrl }: ControlPlaneOptions): JsonService['operations'] {
  const [uploads] = resources
    .ofType('AWS::SQS::Queue')
    .find(([id]) => resources.physicalId(id) === queueUrl)!;
  const dead = resources.deadLetters;
  const getAttributes = ({ QueueUrl }: RequestParameters) => {
    // A client may use another host name, such as localhost.
    const path = URL.parse(String(QueueUrl))?.pathname;
    const found = resources
      .ofType('AWS::SQS::Queue')
      .find(([id]) => URL.parse(resources.physicalId(id))?.pathname === path);
    if (found === undefined) {
      throw new JsonApiError('QueueDoesNotExist', 'The specified queue does not exist.');
    }
    const [id, { RedrivePolicy, VisibilityTimeout = 30 }] = found;
    const { visible, hidden } = id === uploads ? queue.depth : { visible: 0, hidden: 0 };
    return {
      Attributes: {
        QueueArn: resources.arn(id),
        VisibilityTimeout: String(id === uploads ? queue.visibilityTimeoutMs / 1000 : VisibilityTimeout),
        ApproximateNumberOfMessages: String(id === dead ? queue.deadLetters.length : visible),
        ApproximateNumberOfMessagesNotVisible: String(hidden),
        RedrivePolicy: RedrivePolicy && JSON.stringify(resources.resolve(RedrivePolicy)),
      },
    };
  };
  return { GetQueueAttributes: read('sqs', ['QueueUrl', 'AttributeNames'], getAttributes) };
}

function stepFunctions(resources: Resources): JsonService['operations'] {
  const describe = ({ stateMachineArn }: RequestParameters) => {
    const [id, { DefinitionString }] = resources.find('StateMachine', stateMachineArn);
    return {
      stateMachineArn,
      status: 'ACTIVE',
      roleArn: resources.arn(roleOf(resources.options.template, id)),
      definition: resources.resolve(DefinitionString),
    };
  };
  return { DescribeStateMachine: read('states', ['stateMachineArn'], describe) };
}

/** Alarms exist here as definitions that nothing evaluates, and there is one metric. */
function cloudWatch(resources: Resources, { queue }: ControlPlaneOptions): JsonService['operations'] {
  const describeAlarms = ({ AlarmNames }: RequestParameters) => ({
    MetricAlarms: resources
      .ofType('AWS::CloudWatch::Alarm')
      .filter(([id]) => (AlarmNames as readonly string[]).includes(id))
      .map(([AlarmName, { AlarmDescription, AlarmActions = [] }]) => ({
        AlarmName,
        AlarmDescription,
        ActionsEnabled: true,
        AlarmActions: resources.resolve(AlarmActions),
        StateValue: 'INSUFFICIENT_DATA',
        StateReason: 'The local stack evaluates no alarms',
      })),
  });
  const getStatistics = ({ MetricName }: RequestParameters) => {
    if (MetricName !== 'ApproximateAgeOfOldestMessage') {
      throw new JsonApiError('UnknownOperationException', `The local stack has no metric ${MetricName}`);
    }
    return { Datapoints: [{ Timestamp: Date.now() / 1000, Maximum: queue.oldestSeconds }] };
  };
  return {
    DescribeAlarms: read('cloudwatch', ['AlarmNames', 'MaxRecords', 'NextToken'], describeAlarms),
    GetMetricStatistics: read(
      'cloudwatch',
      ['Namespace', 'MetricName', 'Dimensions', 'StartTime', 'EndTime', 'Period', 'Statistics'],
      getStatistics,
    ),
  };
}

/** The resources of the template by their names here. */
class Resources {
  readonly options: ControlPlaneOptions;

  constructor(options: ControlPlaneOptions) {
    this.options = options;
  }

  /** Logical id of the queue for dead letters of uploads: the only queue with a redrive policy names it. */
  get deadLetters(): string {
    const policies = this.ofType('AWS::SQS::Queue').map(([, { RedrivePolicy }]) => RedrivePolicy);
    return policies.find((policy) => policy !== undefined).deadLetterTargetArn['Fn::GetAtt'][0];
  }

  /** A name of the template, such as the value of an output; of a queue its URL. */
  textOf(value: unknown): string {
    const { Ref: id } = value as { readonly Ref?: string };
    const isResource = id !== undefined && id in this.options.template.Resources;
    return isResource ? this.physicalId(id) : resolveText(value, this.options.names);
  }

  ofType(type: string): [id: string, properties: Properties][] {
    return Object.entries(this.options.template.Resources).flatMap(([id, { Type, Properties }]) =>
      Type === type ? [[id, Properties]] : [],
    );
  }

  /** @throws JsonApiError ResourceNotFoundException */
  find(kind: string, name: unknown): [id: string, properties: Properties] {
    for (const [id, { Type, Properties }] of Object.entries(this.options.template.Resources)) {
      if (Type.endsWith(`::${kind}`) && this.physicalId(id) === name) return [id, Properties];
    }
    throw new JsonApiError('ResourceNotFoundException', `${kind} ${name} does not exist.`);
  }

  arn(id: string): string {
    return this.options.names.attributes.get(`${id}.Arn`)!;
  }

  /** The name as CloudFormation reports it: of a function that, of a queue its URL, of a state machine its ARN. */
  physicalId(id: string): string {
    const { template, names, queueUrl } = this.options;
    const type = template.Resources[id]!.Type;
    const name = names.refs.get(id) ?? id;
    if (type !== 'AWS::SQS::Queue') return name;
    return new URL(id === this.deadLetters ? LOCAL_STACK.deadLetterPath : name, queueUrl).href;
  }

  resolve(value: unknown): unknown {
    return resolveValue(value, this.options.names);
  }
}
