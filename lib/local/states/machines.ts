/**
 * Runs the stack's state machines locally: the definitions and the functions that the stack deploys.
 *
 *     start (cheap): journal, endpoint          first execution: bin/app.ts -> template, bundles -> a deployment
 *
 * Synthesis, bundling and hosting wait until an execution needs them, which most runs of the stack never do. An
 * execution keeps the deployment that it started with: its definition names the versions of the functions.
 */
import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { FunctionName } from '../../../functions/bundle.ts';
import type { ObjectStore } from '../../batch/ports.ts';
import { roleOf } from '../access/stack-access.ts';
import { bundleFunctions } from '../functions/bundle.ts';
import type { FunctionHostOptions, FunctionRunner } from '../functions/function-host.ts';
import type { InvocationResult } from '../functions/invocation-result.ts';
import {
  type Credentials,
  functionArn,
  LOCAL_ACCOUNT,
  parseFunctionArn,
} from '../functions/lambda-environment.ts';
import { functionIn, functionsIn, type HostSettings, hostOptions } from '../functions/template-function.ts';
import { type JsonEndpoint, type JsonService, startJsonEndpoint } from '../json-api.ts';
import { systemTimerClock } from '../timer-clock.ts';
import { type Deployment, Deployments } from './deployments.ts';
import { statesService } from './endpoint.ts';
import { type ExecutionJournal, openExecutionJournal } from './execution-journal.ts';
import { type DeployedMachine, LocalExecutions } from './executions.ts';
import { loadDefinition } from './language/definition.ts';
import type { Json } from './language/reference-path.ts';
import type { StateDependencies } from './language/state-run.ts';
import { matchesUnsuccessfulRule, statusChangeEvent } from './status-event.ts';
import { type ResourceNames, resolveText, type StackTemplate } from './template.ts';

/** Outputs of the stack that name a state machine, by its local name. */
const MACHINE_OUTPUTS = { SolveLarge: 'SolveLargeArn', BulkRun: 'BulkRunArn' } as const;

/** A state machine of the stack. */
export type MachineName = keyof typeof MACHINE_OUTPUTS;

/** The local ARN of a state machine. */
export function machineArn(name: MachineName, region: string): string {
  return `arn:aws:states:${region}:${LOCAL_ACCOUNT}:stateMachine:${name}`;
}

export interface StateMachinesOptions extends HostSettings {
  /** Folder of the journal and the deployments. */
  readonly dataDir: string;
  readonly credentials: Credentials;
  /** Bucket names and queue URL, by the name of the stack's output. */
  readonly outputs: Readonly<Record<'InputBucketName' | 'ResultsBucketName' | 'QueueUrl', string>>;
  /** The APIs of other services, served at the same endpoint. */
  readonly otherServices: readonly JsonService[];
  readonly store: ObjectStore;
  /** Folder with the functions' code, `<name>.mjs`, which a deployment copies. @default functions are bundled */
  readonly codeDir?: string;
  readonly startFunction: (options: FunctionHostOptions) => FunctionRunner;
  /** Fraction, from 0 to 1, of a retry's maximum delay. @default random */
  readonly jitter?: () => number;
  readonly template: StackTemplate;
  /** Sends a message with this body to the queue of uploads. */
  readonly send: (body: string) => void;
}

/** The state machines and their endpoint, from `start` until `close`. */
export class StateMachines {
  readonly #options: StateMachinesOptions;
  readonly #journal: ExecutionJournal;
  readonly #executions: LocalExecutions;
  #endpoint!: JsonEndpoint;
  readonly #listening = Promise.withResolvers<void>();
  readonly #deployments: Deployments;
  readonly #hosts = new Map<string, Promise<FunctionRunner>>();

  private constructor(options: StateMachinesOptions) {
    const { dataDir } = options;
    this.#options = options;
    this.#deployments = new Deployments({
      folder: join(dataDir, 'deployments'),
      synthesise: async () => options.template,
      build: (template, codeDir) => buildFunctions(template, codeDir, options),
      inUse: () => this.#executions.deploymentsInUse(),
    });
    this.#journal = openExecutionJournal(join(dataDir, 'executions.jsonl'));
    this.#executions = new LocalExecutions({
      journal: this.#journal,
      dependencies: this.#dependencies(),
      machineArns: Object.keys(MACHINE_OUTPUTS).map((name) =>
        machineArn(name as MachineName, options.region),
      ),
      load: (arn, deployment) => this.#load(arn, deployment),
      onEnd: (execution) => {
        if (matchesUnsuccessfulRule(execution, machineArn('SolveLarge', options.region))) {
          options.send(JSON.stringify(statusChangeEvent(execution, options.region)));
        }
      },
    });
  }

  /** Listens, and continues the unfinished executions of earlier runs with the same folder. */
  static async start(options: StateMachinesOptions): Promise<StateMachines> {
    const machines = new StateMachines(options);
    const { access, credentials, region } = options;
    machines.#endpoint = await startJsonEndpoint(machines.services, {
      ...credentials,
      region,
      roles: access.keys,
      isAllowed: (...call) => access.isAllowed(...call),
    });
    machines.#listening.resolve();
    return machines;
  }

  /** The APIs of the endpoint. */
  get services(): readonly JsonService[] {
    return [statesService(this.#executions), ...this.#options.otherServices];
  }

  invoke(name: FunctionName, payload: Json): Promise<InvocationResult> {
    return this.#invoke(functionArn({ region: this.#options.region, name }), payload);
  }

  /** URL of the endpoint of all services but S3. */
  get url(): string {
    return this.#endpoint.url;
  }

  /** Never resolves; rejects if a machine or one of its functions cannot run. */
  get failure(): Promise<never> {
    return this.#executions.failure;
  }

  /** Inputs of the executions of earlier runs. */
  get inputs(): readonly string[] {
    return this.#journal.entries.flatMap((entry) => (entry.op === 'start' ? [entry.input] : []));
  }

  /** Resolves when no execution runs. */
  idle(): Promise<void> {
    return this.#executions.idle();
  }

  /** Stops all executions and functions; the next start with the same folder continues them. */
  async close(): Promise<void> {
    await this.#endpoint.close();
    await this.#executions.close();
    const hosts = await Promise.allSettled(this.#hosts.values());
    await Promise.all(hosts.map((host) => (host.status === 'fulfilled' ? host.value.close() : undefined)));
    this.#journal.close();
  }

  #dependencies(): StateDependencies {
    const { store, concurrency, jitter = Math.random } = this.#options;
    return {
      invoke: (arn, payload) => this.#invoke(arn, payload),
      async readText(bucket, key) {
        const found = await store.get(bucket, key);
        if (found === undefined) return undefined;
        const chunks: Uint8Array[] = [];
        for await (const chunk of found.body) chunks.push(chunk);
        return Buffer.concat(chunks).toString();
      },
      async writeText(bucket, key, text) {
        await store.put(bucket, key, Buffer.from(text), 'application/json');
      },
      clock: systemTimerClock,
      random: jitter,
      newId: randomUUID,
      concurrency,
    };
  }

  async #load(arn: string, deployed: string | undefined): Promise<DeployedMachine> {
    const deployment = await this.#deployment(deployed);
    const { id, template } = deployment;
    const name = arn.slice(arn.lastIndexOf(':') + 1) as MachineName;
    const logicalId = logicalIdOf(template, MACHINE_OUTPUTS[name]);
    const definition = template.Resources[logicalId]?.Properties.DefinitionString;
    const role = roleOf(template, logicalId);
    return {
      deployment: id,
      machine: loadDefinition(resolveText(definition, namesOf(deployment, this.#options))),
      isAllowed: (action, resource) => this.#options.access.isAllowed(role, action, resource),
    };
  }

  async #deployment(id: string | undefined): Promise<Deployment> {
    return id === undefined ? this.#deployments.newest() : this.#deployments.get(id);
  }

  async #invoke(arn: string, payload: Json): Promise<InvocationResult> {
    let host = this.#hosts.get(arn);
    if (host === undefined) {
      host = this.#startHost(arn);
      this.#hosts.set(arn, host);
      // The next invocation tries again.
      host.catch(() => this.#hosts.delete(arn));
    }
    return (await host).invoke(payload);
  }

  async #startHost(arn: string): Promise<FunctionRunner> {
    const { name, version } = parseFunctionArn(arn);
    const deployment = await this.#deployment(version);
    const { template, codeDir } = deployment;
    const found = functionIn(template, name);
    // A continued execution may call a function before the endpoint listens.
    await this.#listening.promise;
    const environment = { ...this.#options.environment, ...serviceAddresses(this.url) };
    const settings = { ...this.#options, environment };
    const names = namesOf(deployment, this.#options);
    return this.#options.startFunction(hostOptions(template, found, names, { codeDir, version }, settings));
  }
}

/** The variables by which the SDK finds an endpoint of all services but S3. */
export function serviceAddresses(url: string): Readonly<Record<string, string>> {
  return { AWS_ENDPOINT_URL_EVENTBRIDGE: url, AWS_ENDPOINT_URL_SFN: url, AWS_ENDPOINT_URL_SQS: url };
}

async function buildFunctions(
  template: StackTemplate,
  folder: string,
  { codeDir }: StateMachinesOptions,
): Promise<void> {
  const names = functionsIn(template).map(({ name }) => name);
  if (codeDir === undefined) await bundleFunctions(names, folder);
  else cpSync(codeDir, folder, { recursive: true });
}

/** Local names of the resources that the template refers to. */
export function namesOf(
  { id, template }: Pick<Deployment, 'id' | 'template'>,
  { region, outputs }: Pick<StateMachinesOptions, 'region' | 'outputs'>,
): ResourceNames {
  const refs = new Map<string, string>();
  const attributes = new Map<string, string>();
  for (const [output, name] of Object.entries(outputs)) refs.set(logicalIdOf(template, output), name);
  for (const [name, output] of Object.entries(MACHINE_OUTPUTS)) {
    refs.set(logicalIdOf(template, output), machineArn(name as MachineName, region));
  }
  for (const { logicalId, name } of functionsIn(template)) {
    attributes.set(`${logicalId}.Arn`, functionArn({ region, name }));
  }
  for (const [logicalId, { Type }] of Object.entries(template.Resources)) {
    if (Type === 'AWS::Lambda::Version') attributes.set(`${logicalId}.Version`, id);
  }
  return { region, refs, attributes };
}

function logicalIdOf(template: StackTemplate, output: string): string {
  const value = template.Outputs[output]?.Value as { Ref?: string } | undefined;
  if (value?.Ref === undefined)
    throw new Error(`the stack has no output ${output} that refers to a resource`);
  return value.Ref;
}
