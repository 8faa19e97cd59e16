/**
 * The functions of all deployments: code, memory, timeout, concurrency, role and variables as the template has them, so
 * that every setting of `cdk.json` has the effect that it has in AWS.
 */
import type { FunctionName } from '../../../functions/bundle.ts';
import { ENVIRONMENT } from '../../batch/names.ts';
import type { OptionTexts } from '../../batch/options.ts';
import type { StackAccess } from '../access/stack-access.ts';
import type { Deployment } from '../deployments.ts';
import { LOCAL_STACK } from '../stack-names.ts';
import { functionIn, namesOf, resolveText, roleOf } from '../template.ts';
import type { LogLine } from './execution-environment.ts';
import type { FunctionHostOptions, FunctionRunner } from './function-host.ts';
import type { InvocationResult } from './invocation-result.ts';
import { functionArn, parseFunctionArn } from './lambda-environment.ts';

export interface FunctionsOptions {
  /** URL of the stack, at which functions find all services. */
  readonly endpoint: string;
  readonly access: StackAccess;
  /** @param version the id of a deployment @default the newest */
  readonly deployment: (version: string | undefined) => Deployment;
  /** Variables that override those of the template. */
  readonly environment: Readonly<Record<string, string>>;
  /** Limits that override those of the template, one by one. */
  readonly jobLimits?: OptionTexts;
  /** Maximum concurrent invocations of one function. */
  readonly concurrency: number;
  readonly start: (options: FunctionHostOptions) => FunctionRunner;
  readonly onLog?: (entry: LogLine) => void;
}

export class Functions {
  readonly #options: FunctionsOptions;
  readonly #hosts = new Map<string, FunctionRunner>();

  constructor(options: FunctionsOptions) {
    this.#options = options;
  }

  /** Runs a function of the newest deployment. */
  invokeNewest(name: FunctionName, event: unknown): Promise<InvocationResult> {
    return this.invoke(functionArn({ region: LOCAL_STACK.region, name }), event);
  }

  /** @param arn with the version of a deployment, or without one */
  async invoke(arn: string, event: unknown): Promise<InvocationResult> {
    let host = this.#hosts.get(arn);
    if (host === undefined) {
      host = this.#options.start(this.#hostOptions(arn));
      this.#hosts.set(arn, host);
    }
    return host.invoke(event);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#hosts.values()].map((host) => host.close()));
  }

  #hostOptions(arn: string): FunctionHostOptions {
    const { endpoint, access, environment, jobLimits, concurrency, onLog } = this.#options;
    const { name, version } = parseFunctionArn(arn);
    const { id, template, codeDir } = this.#options.deployment(version);
    const { logicalId, properties } = functionIn(template, name);
    const { Handler, MemorySize, Timeout, Environment, ReservedConcurrentExecutions } = properties;
    const names = namesOf(template, endpoint, id);
    const variables: Record<string, string> = { AWS_ENDPOINT_URL: endpoint };
    for (const [key, value] of Object.entries(Environment.Variables)) {
      variables[key] = resolveText(value, names);
    }
    const allJobLimits = { ...JSON.parse(variables[ENVIRONMENT.jobLimits] ?? '{}'), ...jobLimits };
    if (Object.keys(allJobLimits).length > 0) variables[ENVIRONMENT.jobLimits] = JSON.stringify(allJobLimits);
    return {
      configuration: {
        name,
        version,
        codeDir,
        handler: Handler,
        memoryMb: MemorySize,
        region: LOCAL_STACK.region,
        credentials: access.keysOf(roleOf(template, logicalId)),
        environment: { ...variables, ...environment },
      },
      timeoutMs: 1000 * Timeout,
      concurrency: Math.min(concurrency, ReservedConcurrentExecutions ?? concurrency),
      onLog,
    };
  }
}
