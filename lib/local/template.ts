/** The stack's CloudFormation template; its references resolve to the names of local resources. */
import type { FunctionName } from '../../functions/bundle.ts';
import { functionArn } from './functions/lambda-environment.ts';
import { LOCAL_ACCOUNT, LOCAL_STACK } from './stack-names.ts';

export interface TemplateResource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: properties of CloudFormation, whose shape the type of the resource decides.
  readonly Properties: Readonly<Record<string, any>>;
}

/** The parts of a CloudFormation template that the local stack reads. */
export interface StackTemplate {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
}

/** Local names of a template's resources. */
export interface ResourceNames {
  /** Values of `Ref`, by logical id or pseudo parameter. */
  readonly refs: ReadonlyMap<string, string>;
  /** Values of `Fn::GetAtt`, by logical id and attribute: `<id>.Arn`. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** The resources of a type, by their logical ids. */
export function resourcesOf(
  { Resources }: StackTemplate,
  type: string,
): [string, TemplateResource['Properties']][] {
  return Object.entries(Resources).flatMap(([id, { Type, Properties }]) =>
    Type === type ? [[id, Properties]] : [],
  );
}

/** The function of a template with this name: its handler is `<name>.handler`. @throws Error if there is none */
export function functionIn(template: StackTemplate, name: string) {
  const found = resourcesOf(template, 'AWS::Lambda::Function').find(([, each]) => nameOf(each) === name);
  if (found === undefined) throw new Error(`function ${name} is called, which is not in the stack`);
  return { logicalId: found[0], properties: found[1] };
}

function nameOf({ Handler }: TemplateResource['Properties']): FunctionName {
  return String(Handler).replace(/\.handler$/, '') as FunctionName;
}

/** Logical id of the resource that an output refers to. @throws Error if the stack has no such output */
export function logicalIdOf({ Outputs }: StackTemplate, output: string): string {
  const { Ref } = (Outputs[output]?.Value ?? {}) as { readonly Ref?: string };
  if (Ref !== undefined) return Ref;
  throw new Error(`the stack has no output ${output} that refers to a resource`);
}

/** The logical id of a function's or state machine's role. */
export function roleOf({ Resources }: StackTemplate, logicalId: string): string {
  const { Role, RoleArn } = Resources[logicalId]!.Properties;
  return (Role ?? RoleArn)['Fn::GetAtt'][0];
}

/**
 * The names of all resources: of those that exist here, and placeholders for all others, which policies name.
 *
 * @param endpoint of the stack
 * @param version of the functions
 */
export function namesOf(template: StackTemplate, endpoint: string, version: string): ResourceNames {
  const { region, inputBucket, resultsBucket, solveLargeArn, bulkRunArn } = LOCAL_STACK;
  const outputs = new Map([
    ['InputBucketName', inputBucket],
    ['ResultsBucketName', resultsBucket],
    ['QueueUrl', endpoint + LOCAL_STACK.queuePath],
    ['DeadLetterQueueUrl', endpoint + LOCAL_STACK.deadLetterPath],
    ['SolveLargeArn', solveLargeArn],
    ['BulkRunArn', bulkRunArn],
  ]);
  const own = new Map([...outputs].map(([output, name]) => [logicalIdOf(template, output), name]));
  const refs = new Map([
    ['AWS::Partition', 'aws'],
    ['AWS::Region', region],
    ['AWS::AccountId', LOCAL_ACCOUNT],
  ]);
  const attributes = new Map<string, string>();
  for (const [id, { Type, Properties }] of Object.entries(template.Resources)) {
    const [, service = '', kind = ''] = Type.toLowerCase().split('::');
    const name = own.get(id) ?? id;
    // The names of queues and topics have no kind.
    const path = ['sqs', 'sns'].includes(service) ? name.split('/').at(-1) : `${kind}/${id}`;
    let arn = `arn:aws:${service}:${region}:${LOCAL_ACCOUNT}:${path}`;
    if (service === 's3') arn = `arn:aws:s3:::${name}`;
    if (kind === 'statemachine') arn = name;
    if (Type === 'AWS::Lambda::Function') arn = functionArn({ region, name: nameOf(Properties) });
    refs.set(id, service === 'sns' ? arn : kind === 'function' ? nameOf(Properties) : name);
    attributes.set(`${id}.Arn`, arn);
    attributes.set(`${id}.Version`, version);
  }
  return { refs, attributes };
}

/**
 * Resolves the intrinsic functions of a value to text.
 *
 * @throws Error with the value that has no local counterpart
 */
export function resolveText(value: unknown, names: ResourceNames): string {
  if (typeof value === 'string') return value;
  const [[kind, argument] = []] = Object.entries(value as object);
  let found: string | undefined;
  if (kind === 'Fn::Join') {
    const [separator, parts] = argument as [string, unknown[]];
    found = parts.map((part) => resolveText(part, names)).join(separator);
  } else if (kind === 'Fn::Select') {
    const [index, { 'Fn::Split': split }] = argument as [number, { 'Fn::Split': [string, unknown] }];
    found = resolveText(split[1], names).split(split[0])[index];
  } else if (kind === 'Ref') {
    found = names.refs.get(argument);
  } else if (kind === 'Fn::GetAtt') {
    found = names.attributes.get(argument.join('.'));
  }
  if (found !== undefined) return found;
  throw new Error(`the local stack cannot resolve ${JSON.stringify(value)} of the template`);
}

/** A value with all intrinsic functions in it resolved. @throws Error as `resolveText` does */
export function resolveValue(value: unknown, names: ResourceNames): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, names));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  if (/^(Ref|Fn::.*)$/.test(entries[0]?.[0] ?? '')) return resolveText(value, names);
  return Object.fromEntries(entries.map(([name, item]) => [name, resolveValue(item, names)]));
}
