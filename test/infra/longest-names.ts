/**
 * Resolves a template as CloudFormation does, with the longest names that it could give: so sizes of policies and
 * definitions are upper bounds for every region, partition and account.
 */

// biome-ignore lint/suspicious/noExplicitAny: a value of a template, whose shape the type of the resource decides.
export type Json = any;

/** No region has both of them: the longest partition, and the longest name of a region. */
const PSEUDO_PARAMETERS: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws-us-gov',
  'AWS::Region': 'ap-southeast-7',
  'AWS::AccountId': '111122223333',
  'AWS::URLSuffix': 'amazonaws.com.cn',
};

const UUID = '01234567-89ab-cdef-0123-456789abcdef';

/**
 * The maximum characters of names, by type, from each service's API reference. CloudFormation cuts the name of the stack
 * and the logical id so that its names fit.
 */
const MAX_NAME: Readonly<Record<string, number>> = {
  'AWS::CloudWatch::Alarm': 255,
  'AWS::CloudWatch::Dashboard': 255,
  'AWS::Events::EventBus': 256,
  'AWS::Events::Rule': 64,
  'AWS::IAM::ManagedPolicy': 128,
  'AWS::IAM::Role': 64,
  'AWS::Lambda::Function': 64,
  'AWS::Logs::LogGroup': 512,
  'AWS::S3::Bucket': 63,
  'AWS::SNS::Topic': 256,
  'AWS::SQS::Queue': 80,
  'AWS::Scheduler::Schedule': 64,
  'AWS::StepFunctions::StateMachine': 80,
};

/** Characters that CloudFormation appends to a name, with their hyphen. */
const SUFFIX = '-ABCDEFGHIJKLM';

/** ARNs without `arn:PARTITION:`; `Ref` gives the name unless it is listed below. */
const ARN_TAILS: Readonly<Record<string, string>> = {
  'AWS::CloudWatch::Alarm': 'cloudwatch:REGION:ACCOUNT:alarm:NAME',
  'AWS::Events::EventBus': 'events:REGION:ACCOUNT:event-bus/NAME',
  'AWS::Events::Rule': 'events:REGION:ACCOUNT:rule/NAME',
  'AWS::IAM::ManagedPolicy': 'iam::ACCOUNT:policy/NAME',
  'AWS::IAM::Role': 'iam::ACCOUNT:role/NAME',
  'AWS::KMS::Key': 'kms:REGION:ACCOUNT:key/NAME',
  'AWS::Lambda::Function': 'lambda:REGION:ACCOUNT:function:NAME',
  'AWS::Logs::LogGroup': 'logs:REGION:ACCOUNT:log-group:NAME:*',
  'AWS::S3::Bucket': 's3:::NAME',
  'AWS::SNS::Topic': 'sns:REGION:ACCOUNT:NAME',
  'AWS::SQS::Queue': 'sqs:REGION:ACCOUNT:NAME',
  'AWS::StepFunctions::StateMachine': 'states:REGION:ACCOUNT:stateMachine:NAME',
};

const REF_IS_ARN = ['AWS::IAM::ManagedPolicy', 'AWS::SNS::Topic', 'AWS::StepFunctions::StateMachine'];

export class LongestNames {
  readonly #resources: Json;
  readonly #stackName: string;

  constructor(template: Json, stackName: string) {
    this.#resources = template.Resources;
    this.#stackName = stackName;
  }

  /** A value of the template without intrinsic functions. @throws Error for a reference that is unknown here */
  resolve(value: Json): Json {
    if (Array.isArray(value)) return value.map((item) => this.resolve(item));
    if (typeof value !== 'object' || value === null) return value;
    const [kind, argument] = Object.entries<Json>(value)[0] ?? [];
    if (kind === 'Ref') return this.#ref(argument);
    if (kind === 'Fn::GetAtt') return this.#attribute(argument[0], argument[1]);
    if (kind === 'Fn::Join') return this.resolve(argument[1]).join(argument[0]);
    if (kind === 'Fn::Select') return this.resolve(argument[1])[argument[0]];
    if (kind === 'Fn::Split') return this.resolve(argument[1]).split(argument[0]);
    if (kind === 'Fn::Sub')
      return argument.replaceAll(/\$\{([^}]+)\}/g, (_: string, name: string) => this.#ref(name));
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.resolve(item)]));
  }

  /** The name that CloudFormation gives a resource, at its longest. */
  name(id: string): string {
    const { Type, Properties = {} } = this.#resources[id];
    const given = Properties.RoleName ?? Properties.LogGroupName ?? Properties.StateMachineName;
    if (given !== undefined) return this.resolve(given);
    const longest = MAX_NAME[Type];
    return longest === undefined ? UUID : `${this.#stackName}-${id}${SUFFIX}`.slice(0, longest);
  }

  #ref(id: string): string {
    const stack = `cloudformation:REGION:ACCOUNT:stack/${this.#stackName}/${UUID}`;
    if (id === 'AWS::StackId') return this.#arn(stack, '');
    if (id === 'AWS::StackName') return this.#stackName;
    const known = PSEUDO_PARAMETERS[id];
    if (known !== undefined) return known;
    const { Type } = this.#resources[id];
    if (REF_IS_ARN.includes(Type)) return this.#attribute(id, 'Arn');
    if (Type !== 'AWS::SQS::Queue') return this.name(id);
    const { 'AWS::Region': region, 'AWS::AccountId': account } = PSEUDO_PARAMETERS;
    return `https://sqs.${region}.amazonaws.com/${account}/${this.name(id)}`;
  }

  #attribute(id: string, attribute: string): string {
    if (attribute === 'Version') return '1000000';
    if (attribute.endsWith('Name')) return this.name(id);
    const tail = ARN_TAILS[this.#resources[id].Type];
    if (attribute !== 'Arn' || tail === undefined) throw new Error(`${id}.${attribute} is unknown here`);
    return this.#arn(tail, this.name(id));
  }

  #arn(tail: string, name: string): string {
    const {
      'AWS::Partition': partition,
      'AWS::Region': region,
      'AWS::AccountId': account,
    } = PSEUDO_PARAMETERS;
    return `arn:${partition}:${tail}`
      .replace('REGION', region!)
      .replace('ACCOUNT', account!)
      .replace('NAME', () => name);
  }
}
