/** The parts of a stack, and what their roles may do: read from AWS, without a verdict. */
import type {
  EvaluationResult,
  FunctionState,
  Stack,
  StackReader,
  StackResourceSummary,
} from '../../aws/stack-reader.ts';
import { inParallel } from '../../batch/in-parallel.ts';
import { ENVIRONMENT, INBOX_PREFIX, SCHEDULED_PREFIX } from '../../batch/names.ts';
import { CommandError } from '../exit.ts';
import recorded from './permissions.json' with { type: 'json' };

export type Identity = Awaited<ReturnType<StackReader['identity']>>;

/** IAM allows few simulations in a second. */
const PARALLEL_SIMULATIONS = 5;

/** What IAM says about each call, and the calls that name something that the stack does not have. */
export interface CallFacts {
  readonly calls: readonly { readonly roleArn: string; readonly result: EvaluationResult }[];
  readonly unknown: readonly string[];
}

/** Asks IAM about the calls that the tests of permissions have recorded. */
export async function simulateCalls(
  reader: StackReader,
  parts: StackParts,
  functions: readonly FunctionState[],
): Promise<CallFacts> {
  // Variables with the same name have the same value in all functions.
  const each = functions.map(({ Configuration }) => Configuration?.Environment?.Variables);
  const { requests, unknown } = simulations(parts, Object.assign({}, ...each), recorded);
  const results = await inParallel(requests, PARALLEL_SIMULATIONS, async ({ roleArn, action, resources }) =>
    (await reader.simulate(roleArn, action, resources)).map((result) => ({ roleArn, result })),
  );
  return { calls: results.flat(), unknown };
}

/**
 * An action of a role on all its resources is one request.
 *
 * @param calls such as `SolveBatchRole s3:PutObject {Results}:done/KEY`
 */
export function simulations(
  parts: Pick<StackParts, 'arnNamed' | 'bucketArn'>,
  variables: Readonly<Record<string, string>>,
  calls: readonly string[],
) {
  const { inboxPrefix, scheduledPrefix, resultsPrefix, eventBus } = ENVIRONMENT;
  const { [inboxPrefix]: inbox = INBOX_PREFIX, [scheduledPrefix]: scheduled = SCHEDULED_PREFIX } = variables;
  // The buckets and the bus may be resources of another stack.
  const resourceAt = (name: string, part: string): string | undefined => {
    const key = part.replace(':', '/');
    const upload = key.replace(INBOX_PREFIX, inbox).replace(SCHEDULED_PREFIX, scheduled);
    const result = key.replace('/', `/${variables[resultsPrefix] ?? ''}`);
    if (name === 'Input') return parts.bucketArn('InputBucketName') + upload;
    if (name === 'Results') return parts.bucketArn('ResultsBucketName') + result;
    const arn = name === 'EventBus' ? variables[eventBus] : parts.arnNamed(name);
    if (part !== ':EXECUTION') return arn && arn + part.replace('VERSION', '1');
    return arn && `${arn.replace(':stateMachine:', ':execution:')}:doctor`;
  };
  const unknown: string[] = [];
  const requests = new Map<string, { roleArn: string; action: string; resources: string[] }>();
  for (const call of calls) {
    const [, role = '', action = '', name = '', part = ''] = /^(\w+) (\S+) \{(\w+)\}(.*)$/.exec(call) ?? [];
    const [roleArn, resource] = [parts.arnNamed(role), resourceAt(name, part)];
    if (roleArn === undefined || resource === undefined) {
      unknown.push(call);
      continue;
    }
    const request = requests.get(roleArn + action) ?? { roleArn, action, resources: [] };
    request.resources.push(resource);
    requests.set(roleArn + action, request);
  }
  return { requests: [...requests.values()], unknown };
}

/** Digits of the hash after the names in a logical id. */
const HASH_DIGITS = 8;
const UPLOAD_QUEUE = /UploadsQueue\w{8}$/;

/** The resources of the construct in a stack, which may have others, by type and by name, and their ARNs. */
export class StackParts {
  readonly #resources: readonly StackResourceSummary[];
  readonly #identity: Identity;
  /** `aws`, or that of another group of regions. */
  readonly #partition: string;
  readonly #outputs: ReadonlyMap<string, string>;
  /** Names of the construct and of its parents, with which all logical ids begin; empty in a stack of its own. */
  readonly #prefix: string;

  constructor(identity: Identity, { Outputs = [] }: Stack, resources: readonly StackResourceSummary[]) {
    this.#identity = identity;
    [, this.#partition = 'aws'] = identity.arn.split(':');
    this.#outputs = new Map(Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
    const url = this.#outputs.get('QueueUrl') ?? '';
    const queue = resources.find(
      ({ PhysicalResourceId = '' }) => queueName(PhysicalResourceId) === queueName(url),
    );
    this.#prefix = queue?.LogicalResourceId?.replace(UPLOAD_QUEUE, '') ?? '';
    this.#resources = resources.filter(({ LogicalResourceId = '' }) =>
      LogicalResourceId.startsWith(this.#prefix),
    );
  }

  /** @throws CommandError if the stack does not have the output */
  output(name: string): string {
    const value = this.#outputs.get(name);
    if (value !== undefined) return value;
    throw new CommandError(`the output ${name} is missing: deploy this version with npx cdk deploy`);
  }

  /** The resource with a name; undefined if it is not one of the stack. */
  resource(physicalId: string): StackResourceSummary | undefined {
    return this.#resources.find(({ PhysicalResourceId }) => PhysicalResourceId === physicalId);
  }

  /** Names, URLs or ARNs of the existing resources of a type, such as `AWS::SQS::Queue`. */
  idsOf(type: string): string[] {
    const found = this.#resources.filter(({ ResourceType }) => ResourceType === type);
    return found.flatMap(({ PhysicalResourceId }) => PhysicalResourceId || []);
  }

  /** @throws CommandError if the stack does not have the output */
  bucketArn(output: string): string {
    return `arn:${this.#partition}:s3:::${this.output(output)}`;
  }

  /** The ARN of the resource with a name in the construct, such as `SolveBatchRole`. */
  arnNamed(name: string): string | undefined {
    const found = this.#resources.find(
      ({ LogicalResourceId = '' }) => LogicalResourceId.slice(0, -HASH_DIGITS) === this.#prefix + name,
    );
    const { ResourceType, PhysicalResourceId: id = '' } = found ?? {};
    const { region, account } = this.#identity;
    const arn = (service: string, resource: string) =>
      `arn:${this.#partition}:${service}:${region}:${account}:${resource}`;
    if (id.startsWith('arn:')) return id;
    if (ResourceType === 'AWS::SQS::Queue') return arn('sqs', queueName(id));
    if (ResourceType === 'AWS::Lambda::Function') return arn('lambda', `function:${id}`);
    if (ResourceType === 'AWS::IAM::Role') return `arn:${this.#partition}:iam::${account}:role/${id}`;
    return undefined;
  }
}

/** The name of a queue. @param url its URL */
export function queueName(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}
