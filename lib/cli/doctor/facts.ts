/** What AWS says about a stack: read at once, without a verdict. A part that cannot be read has its error instead. */
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

/** What was read, or why it could not be. */
export type Reading<Value> = { readonly value: Value } | { readonly error: Error };

export type StackFacts = Awaited<ReturnType<typeof readFacts>>;
type Identity = Awaited<ReturnType<StackReader['identity']>>;

/** IAM allows few simulations in a second. */
const PARALLEL_SIMULATIONS = 5;

/** The call of a role that a test has recorded, and what IAM says about it. */
export interface SimulatedCall {
  readonly roleArn: string;
  readonly result: EvaluationResult;
}

export async function readFacts(reader: StackReader, name: string, nowMs: number) {
  const first = await allRead({
    identity: reader.identity(),
    stack: reader.stack(name),
    resources: reader.resources(name),
  });
  const { identity, stack, resources } = first;
  if (!('value' in identity) || !('value' in stack) || !('value' in resources)) return first;
  const parts = new StackParts(identity.value, stack.value, resources.value);
  const each = <Value>(type: string, read: (id: string) => Promise<Value>) =>
    Promise.all(parts.idsOf(type).map(read));
  const functions = each('AWS::Lambda::Function', (id) => reader.function(id));
  const mappings = each('AWS::Lambda::EventSourceMapping', (id) => reader.mapping(id));
  const rest = await allRead({
    functions,
    mappings,
    drifts: reader.drifts(name),
    quotas: readQuotas(reader, parts),
    queues: each('AWS::SQS::Queue', async (url) => {
      const oldestSeconds = await reader.oldestMessageSeconds(queueName(url), nowMs);
      return { url, oldestSeconds, attributes: await reader.queue(url) };
    }),
    bucket: readBucket(reader, parts),
    alarms: readAlarms(reader, parts.idsOf('AWS::CloudWatch::Alarm')),
    calls: simulateCalls(reader, parts, functions),
  });
  return { ...first, parts, ...rest };
}

async function readQuotas(reader: StackReader, parts: StackParts) {
  const { AccountLimit = {} } = await reader.account();
  const { definition = '' } = await reader.machine(parts.output('SolveLargeArn'));
  return { limit: AccountLimit, definition };
}

async function readBucket(reader: StackReader, parts: StackParts) {
  const name = parts.output('InputBucketName');
  return { name, state: await reader.bucket(name) };
}

/** The alarms with these names, and the topics to which they publish. */
async function readAlarms(reader: StackReader, names: readonly string[]) {
  const alarms = (await reader.alarms()).filter(({ AlarmName = '' }) => names.includes(AlarmName));
  const actions = new Set(alarms.flatMap(({ AlarmActions = [] }) => AlarmActions));
  const topics = [...actions]
    .filter((arn) => arn.includes(':sns:'))
    .map(async (arn) => ({ arn, attributes: await reader.topic(arn) }));
  return { alarms, topics: await Promise.all(topics) };
}

/** The value or the error of each part. */
async function allRead<Parts extends Readonly<Record<string, Promise<unknown>>>>(reads: Parts) {
  const entries = Object.entries(reads).map(async ([part, read]) => {
    const found = await read.then(
      (value) => ({ value }),
      (error: Error) => ({ error }),
    );
    return [part, found] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as {
    readonly [Part in keyof Parts]: Reading<Awaited<Parts[Part]>>;
  };
}

type Variables = Readonly<Record<string, string>>;

/** The environment variables of all functions: those with the same name have the same value. */
function environmentOf(functions: readonly FunctionState[]): Variables {
  return Object.assign({}, ...functions.map(({ Configuration }) => Configuration?.Environment?.Variables));
}

/** Asks IAM about the calls that the tests of permissions have recorded. */
async function simulateCalls(
  reader: StackReader,
  parts: StackParts,
  functions: Promise<readonly FunctionState[]>,
) {
  const variables = environmentOf(await functions);
  const { requests, unknown } = simulations(parts, variables, recorded);
  const results = await inParallel(requests, PARALLEL_SIMULATIONS, async ({ roleArn, actions, resources }) =>
    (await reader.simulate(roleArn, actions, resources)).map(
      (result): SimulatedCall => ({ roleArn, result }),
    ),
  );
  return { results: results.flat(), unknown };
}

/** One request to the simulation: all actions of a role on the same resources. */
interface Simulation {
  readonly roleArn: string;
  readonly actions: string[];
  readonly resources: string[];
}

/** The recorded calls as requests, and those that name something that the stack does not have. */
export function simulations(
  parts: Pick<StackParts, 'arnNamed' | 'bucketArn'>,
  variables: Variables,
  calls: readonly string[],
): { readonly requests: readonly Simulation[]; readonly unknown: readonly string[] } {
  const { inboxPrefix, scheduledPrefix, resultsPrefix, eventBus } = ENVIRONMENT;
  const { [inboxPrefix]: inbox = INBOX_PREFIX, [scheduledPrefix]: scheduled = SCHEDULED_PREFIX } = variables;
  // These may be resources of another stack.
  const known: Readonly<Record<string, () => string | undefined>> = {
    Input: () => parts.bucketArn('InputBucketName'),
    Results: () => parts.bucketArn('ResultsBucketName'),
    EventBus: () => variables[eventBus],
  };
  const unknown: string[] = [];
  const resourcesOf = new Map<string, string[]>();
  for (const call of calls) {
    const [role = '', action = '', place = ''] = call.split(' ');
    const [, name = '', part = ''] = /^\{(\w+)\}(.*)$/.exec(place) ?? [];
    const [roleArn, arn] = [parts.arnNamed(role), known[name]?.() ?? parts.arnNamed(name)];
    if (roleArn === undefined || arn === undefined) {
      unknown.push(call);
      continue;
    }
    const key = part.slice(1);
    const resource =
      name === 'Input' || name === 'Results'
        ? arn +
          (part &&
            `/${name === 'Results' ? (variables[resultsPrefix] ?? '') + key : key.replace(INBOX_PREFIX, inbox).replace(SCHEDULED_PREFIX, scheduled)}`)
        : part === ':EXECUTION'
          ? `${arn.replace(':stateMachine:', ':execution:')}:doctor`
          : arn + part.replace(':VERSION', ':1');
    const of = `${roleArn} ${action}`;
    resourcesOf.set(of, [...(resourcesOf.get(of) ?? []), resource]);
  }
  const groups = Map.groupBy(resourcesOf, ([of, resources]) => [of.split(' ')[0], ...resources].join(' '));
  const requests = [...groups.values()].map((group) => {
    const [[of, resources]] = group as [[string, string[]]];
    return { roleArn: of.split(' ')[0]!, actions: group.map(([each]) => each.split(' ')[1]!), resources };
  });
  return { requests, unknown };
}

/** Digits of the hash after the names in a logical id. */
const HASH_DIGITS = 8;
const UPLOAD_QUEUE = /UploadsQueue\w{8}$/;

/** The resources of the construct in a stack, which may have others, by type and by name, and their ARNs. */
export class StackParts {
  readonly #resources: readonly StackResourceSummary[];
  readonly #identity: Identity;
  readonly #outputs: ReadonlyMap<string, string>;
  /** Names of the construct and of its parents, with which all logical ids begin; empty in a stack of its own. */
  readonly #prefix: string;

  constructor(identity: Identity, { Outputs = [] }: Stack, resources: readonly StackResourceSummary[]) {
    this.#identity = identity;
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

  hasOutput(name: string): boolean {
    return this.#outputs.has(name);
  }

  /** @throws CommandError if the stack does not have the output */
  output(name: string): string {
    const value = this.#outputs.get(name);
    if (value !== undefined) return value;
    throw new CommandError(`the output ${name} is missing: deploy this version with npx cdk deploy`);
  }

  /** Whether a resource with this name is one of the stack. */
  has(physicalId: string): boolean {
    return this.#resources.some(({ PhysicalResourceId }) => PhysicalResourceId === physicalId);
  }

  /** When the resource with a name was created or changed; undefined if it is not one of the stack. */
  changed(physicalId: string): Date | undefined {
    return this.#resources.find((each) => each.PhysicalResourceId === physicalId)?.LastUpdatedTimestamp;
  }

  /** Names, URLs or ARNs of the existing resources of a type, such as `AWS::SQS::Queue`. */
  idsOf(type: string): string[] {
    const found = this.#resources.filter(({ ResourceType }) => ResourceType === type);
    return found.flatMap(({ PhysicalResourceId }) => PhysicalResourceId || []);
  }

  bucketArn(output: string): string | undefined {
    const name = this.#outputs.get(output);
    return name && `arn:${this.#partition}:s3:::${name}`;
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

  /** `aws`, or that of another group of regions. */
  get #partition(): string {
    return this.#identity.arn.split(':')[1] ?? 'aws';
  }
}

/** The name of a queue. @param url its URL */
export function queueName(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}
