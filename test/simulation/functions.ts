/** Runs functions as processes of a world, with the limits and failures of Lambda. */
import type { FunctionName } from '../../functions/bundle.ts';
import type { FunctionHostOptions, FunctionRunner } from '../../lib/local/functions/function-host.ts';
import {
  type FunctionError,
  type InvocationResult,
  runtimeExited,
  timedOut,
} from '../../lib/local/functions/invocation-result.ts';
import type { Credentials } from '../../lib/local/functions/lambda-environment.ts';
import type { Faults } from './faults.ts';
import type { Handlers } from './modules.ts';
import { currentProcess, SimulatedProcess, type World } from './world.ts';

/** A host for the functions of one world. */
export class SimulatedFunctions {
  readonly #world: World;
  readonly #faults: Faults;
  readonly #handlers: Handlers;
  readonly #keys: Credentials;
  #invocations = 0;

  constructor(world: World, faults: Faults, handlers: Handlers, keys: Credentials) {
    this.#world = world;
    this.#faults = faults;
    this.#handlers = handlers;
    this.#keys = keys;
  }

  /** Starts one function in the process that calls. */
  readonly start = ({ configuration, timeoutMs, concurrency }: FunctionHostOptions): FunctionRunner => {
    // All functions of the process share its environment; their variables have different names.
    Object.assign(process.env, configuration.environment, {
      AWS_ENDPOINT_URL_SFN: configuration.environment.AWS_ENDPOINT_URL_S3,
      AWS_ENDPOINT_URL_SQS: configuration.environment.AWS_ENDPOINT_URL_S3,
      AWS_REGION: configuration.region,
      // So no function can have the keys of its own role.
      AWS_ACCESS_KEY_ID: this.#keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: this.#keys.secretAccessKey,
    });
    let running = 0;
    const waiting: (() => void)[] = [];
    return {
      invoke: async (event) => {
        if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
        running++;
        try {
          return await this.#invoke(
            configuration.name as FunctionName,
            event,
            timeoutMs,
            configuration.memoryMb,
          );
        } finally {
          running--;
          waiting.shift()?.();
        }
      },
      close: async () => {},
    };
  };

  #invoke(
    name: FunctionName,
    event: unknown,
    timeoutMs: number,
    memoryMb: number,
  ): Promise<InvocationResult> {
    const world = this.#world;
    const faults = this.#faults;
    const host = currentProcess();
    const number = ++this.#invocations;
    const requestId = `request-${number}`;
    const facts = { requestId, durationMs: 0, coldStart: false, maxMemoryBytes: 0 };
    return new Promise((resolve) => {
      const answer = (result: InvocationResult) =>
        world.after(faults.latencyMs(), host, () => resolve(result));
      const fail = (error: FunctionError) => answer({ ...facts, ok: false, error });
      if (faults.happens('throttled function')) {
        return fail({ errorType: 'Lambda.TooManyRequestsException', errorMessage: 'Rate Exceeded.' });
      }
      // A new environment takes a second, one that has run before some milliseconds.
      const startMs = world.chance(0.7) ? world.between(2, 20) : world.between(200, 2000);
      world.after(startMs, host, () => {
        const invocation = new SimulatedProcess(`${name}#${number}`, 'function', host);
        const deadlineMs = world.nowMs + timeoutMs;
        let ended = false;
        const end = (result: () => void) => {
          if (ended) return;
          ended = true;
          cancelTimeout();
          // Lambda freezes a function that has answered: nothing of it continues.
          invocation.end();
          result();
        };
        const cancelTimeout = world.after(timeoutMs, host, () =>
          end(() => fail(timedOut(requestId, timeoutMs))),
        );
        invocation.onEnd.push(() => end(() => fail(runtimeExited(null, 'SIGKILL'))));
        world.trace('invoke', invocation.name);
        const context = {
          awsRequestId: requestId,
          functionName: name,
          memoryLimitInMB: String(memoryMb),
          getRemainingTimeInMillis: () => Math.max(0, deadlineMs - world.nowMs),
        };
        world.runAs(invocation, async () => {
          try {
            const payload = await this.#handlers[name](JSON.parse(JSON.stringify(event)), context);
            world.trace('answer', invocation.name);
            end(() => answer({ ...facts, ok: true, payload: JSON.parse(JSON.stringify(payload ?? null)) }));
          } catch (error) {
            const { name: errorType, message: errorMessage } = error as Error;
            if (invocation.alive)
              world.trace('error', invocation.name, errorType, errorMessage.slice(0, 300));
            end(() => fail({ errorType, errorMessage }));
          }
        });
      });
    });
  }
}
