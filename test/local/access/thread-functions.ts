/** Stacks whose functions run in this thread, one invocation at a time, each with the environment and keys of its role. */
import { randomUUID } from 'node:crypto';
import { afterAll, vi } from 'vitest';
import { FUNCTION_NAMES, type FunctionName } from '../../../functions/bundle.ts';
import type { FunctionHostOptions, FunctionRunner } from '../../../lib/local/functions/function-host.ts';
import type { InvocationResult } from '../../../lib/local/functions/invocation-result.ts';
import {
  type FunctionConfiguration,
  lambdaEnvironment,
} from '../../../lib/local/functions/lambda-environment.ts';
import { type LocalStack, type LocalStackOptions, startLocalStack } from '../../../lib/local/stack.ts';
import { newProcess } from '../../support/new-process.ts';
import { shortenWaits } from '../../support/short-waits.ts';
import { temporaryFolder } from '../fixture-function.ts';

type Handler = (event: unknown, context: unknown) => Promise<unknown>;

/** Starts a stack with short waits, which `endThreadStack` ends. */
export async function startThreadStack(
  functions: ThreadFunctions,
  options: Partial<LocalStackOptions>,
): Promise<LocalStack> {
  shortenWaits();
  await functions.load(FUNCTION_NAMES);
  return startLocalStack({
    dataDir: temporaryFolder(afterAll),
    codeDir: temporaryFolder(afterAll),
    startFunction: functions.start,
    fastRetries: true,
    ...options,
  });
}

/** Ends a stack, and restores all mocks and variables. */
export async function endThreadStack(stack: LocalStack): Promise<void> {
  await stack.close();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
}

export class ThreadFunctions {
  /** Functions that crash at every invocation. */
  readonly crashing = new Set<string>();
  /** Environment variables of all functions in addition to their own. */
  variables: Readonly<Record<string, string>> = {};
  readonly #handlers = new Map<string, Handler>();
  #last: Promise<unknown> = Promise.resolve();

  /** Loads new copies of the functions, whose clients know no endpoint yet. `vi.unstubAllEnvs` and
   * `vi.restoreAllMocks` undo what they change. */
  async load(names: readonly FunctionName[]): Promise<void> {
    vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'SILENT');
    vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'true');
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const load = newProcess();
    for (const name of names) {
      const { handler } = await load<{ readonly handler: Handler }>(name);
      this.#handlers.set(name, handler);
    }
  }

  readonly start = ({ configuration }: FunctionHostOptions): FunctionRunner => ({
    invoke: (event) => this.invoke(configuration, event),
    close: async () => {},
  });

  invoke(configuration: FunctionConfiguration, event: unknown): Promise<InvocationResult> {
    const result = this.#last.then(() => this.#run(configuration, event));
    this.#last = result;
    return result;
  }

  async #run(configuration: FunctionConfiguration, event: unknown): Promise<InvocationResult> {
    const { name, memoryMb } = configuration;
    const environment = {
      ...lambdaEnvironment(configuration, new Date()),
      // Keys that have expired are read again for each request, as the clients are shared.
      AWS_CREDENTIAL_EXPIRATION: new Date(0).toISOString(),
      ...this.variables,
    };
    for (const [variable, value] of Object.entries(environment)) vi.stubEnv(variable, value);
    const facts = { requestId: randomUUID(), durationMs: 0, coldStart: false, maxMemoryBytes: 0 };
    const context = {
      awsRequestId: facts.requestId,
      functionName: name,
      memoryLimitInMB: String(memoryMb),
      getRemainingTimeInMillis: () => 900_000,
    };
    if (this.crashing.has(name)) {
      return { ...facts, ok: false, error: { errorType: 'Runtime.ExitError', errorMessage: 'crashed' } };
    }
    try {
      const payload = await this.#handlers.get(name)!(JSON.parse(JSON.stringify(event)), context);
      return { ...facts, ok: true, payload: payload ?? null };
    } catch (error) {
      const { name: errorType, message: errorMessage } = error as Error;
      return { ...facts, ok: false, error: { errorType, errorMessage } };
    }
  }
}
