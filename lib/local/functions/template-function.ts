/**
 * The functions of the template, as hosts run them here: code, memory, timeout, role and variables as the stack deploys
 * them, so that every setting of `cdk.json` has the effect that it has in AWS.
 */
import type { FunctionName } from '../../../functions/bundle.ts';
import { ENVIRONMENT } from '../../batch/names.ts';
import type { OptionTexts } from '../../batch/options.ts';
import { roleOf, type StackAccess } from '../access/stack-access.ts';
import { type ResourceNames, resolveText, type StackTemplate } from '../states/template.ts';
import type { LogLine } from './execution-environment.ts';
import type { FunctionHostOptions } from './function-host.ts';

/** What a local stack sets for all its functions. */
export interface HostSettings {
  readonly region: string;
  readonly access: StackAccess;
  /** Variables that override those of the template. */
  readonly environment: Readonly<Record<string, string>>;
  /** Limits that override those of the template, one by one. */
  readonly jobLimits?: OptionTexts;
  /** Maximum concurrent invocations of one function. */
  readonly concurrency: number;
  /** Timeout of one invocation. @default that of the template */
  readonly functionTimeoutMs?: number;
  readonly onLog?: (entry: LogLine) => void;
}

/** The code of a function. */
interface Code {
  /** Absolute path of its folder. */
  readonly codeDir: string;
  /** @default the latest version */
  readonly version?: string;
}

/** A function of a template. */
export interface TemplateFunction {
  readonly logicalId: string;
  readonly name: FunctionName;
  // biome-ignore lint/suspicious/noExplicitAny: properties of CloudFormation, whose shape the type of the resource decides.
  readonly properties: Readonly<Record<string, any>>;
}

export function functionsIn({ Resources }: StackTemplate): TemplateFunction[] {
  return Object.entries(Resources)
    .filter(([, { Type }]) => Type === 'AWS::Lambda::Function')
    .map(([logicalId, { Properties }]) => ({
      logicalId,
      name: String(Properties.Handler).replace(/\.handler$/, '') as FunctionName,
      properties: Properties,
    }));
}

/** @throws Error if the template has no such function */
export function functionIn(template: StackTemplate, name: string): TemplateFunction {
  const found = functionsIn(template).find((each) => each.name === name);
  if (found === undefined) throw new Error(`function ${name} is called, which is not in the stack`);
  return found;
}

/** @param names local names of the resources that the variables of the function refer to */
export function hostOptions(
  template: StackTemplate,
  { logicalId, name, properties }: TemplateFunction,
  names: ResourceNames,
  { codeDir, version }: Code,
  { region, access, environment, jobLimits, concurrency, functionTimeoutMs, onLog }: HostSettings,
): FunctionHostOptions {
  const { Handler, MemorySize, Timeout, Environment, ReservedConcurrentExecutions } = properties;
  const variables: Record<string, string> = {};
  for (const [key, value] of Object.entries(Environment.Variables))
    variables[key] = resolveText(value, names);
  const allJobLimits = { ...parsedTexts(variables[ENVIRONMENT.jobLimits]), ...jobLimits };
  if (Object.keys(allJobLimits).length > 0) variables[ENVIRONMENT.jobLimits] = JSON.stringify(allJobLimits);
  return {
    configuration: {
      name,
      version,
      codeDir,
      handler: Handler,
      memoryMb: MemorySize,
      region,
      credentials: access.keysOf(roleOf(template, logicalId)),
      environment: { ...variables, ...environment },
    },
    timeoutMs: functionTimeoutMs ?? 1000 * Timeout,
    concurrency: Math.min(concurrency, ReservedConcurrentExecutions ?? concurrency),
    onLog,
  };
}

function parsedTexts(json = '{}'): OptionTexts {
  return JSON.parse(json);
}
