/** Runs functions as processes of a world, with the limits and failures of Lambda. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FunctionName } from '../../functions/bundle.ts';
import { StackAccess } from '../../lib/local/access/stack-access.ts';
import type { FunctionHostOptions, FunctionRunner } from '../../lib/local/functions/function-host.ts';
import {
  type FunctionError,
  type InvocationResult,
  runtimeExited,
  timedOut,
} from '../../lib/local/functions/invocation-result.ts';
import { lambdaEnvironment } from '../../lib/local/functions/lambda-environment.ts';
import { Bill } from './capacity.ts';
import type { Faults } from './faults.ts';
import { type Handlers, RELEASE_VARIABLE } from './modules.ts';
import { activeWorld, currentProcess, SimulatedProcess, type World } from './world.ts';

/** The file with the number of a release, in the folder of its code. */
export const RELEASE_FILE = 'release.txt';

/** Makes each call that a policy does not allow a defect of its world, once for this process. */
export function watchPermissions(): void {
  const { isAllowed } = StackAccess.prototype;
  StackAccess.prototype.isAllowed = function (...call) {
    const allowed = isAllowed.apply(this, call);
    if (!allowed) activeWorld()?.defects.push(`role ${call[0]} may not do ${call[1]} with ${call[2]}`);
    return allowed;
  };
}

/** A host for the functions of one world. */
export class SimulatedFunctions {
  readonly #world: World;
  readonly #faults: Faults;
  readonly #handlers: Handlers;
  readonly bill = new Bill();
  #environments = 0;
  #invocations = 0;

  constructor(world: World, faults: Faults, handlers: Handlers) {
    this.#world = world;
    this.#faults = faults;
    this.#handlers = handlers;
  }

  /** Starts one function in the process that calls. */
  readonly start = (options: FunctionHostOptions): FunctionRunner => {
    const { configuration, concurrency } = options;
    const environment = {
      ...lambdaEnvironment(configuration, new Date(0)),
      [RELEASE_VARIABLE]: readFileSync(join(configuration.codeDir, RELEASE_FILE), 'utf8'),
    };
    const idle: SimulatedProcess[] = [];
    let running = 0;
    const waiting: (() => void)[] = [];
    return {
      invoke: async (event) => {
        if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
        running++;
        const [atOnce, startMs] = [running, this.#world.nowMs];
        try {
          return await this.#invoke(event, options, environment, idle);
        } finally {
          const { name, memoryMb } = configuration;
          this.bill.add(name as FunctionName, memoryMb, atOnce, startMs, this.#world.nowMs);
          running--;
          waiting.shift()?.();
        }
      },
      close: async () => {
        for (const each of idle.splice(0)) each.end();
      },
    };
  };

  #invoke(
    event: unknown,
    { configuration, timeoutMs }: FunctionHostOptions,
    environment: Readonly<Record<string, string>>,
    idle: SimulatedProcess[],
  ): Promise<InvocationResult> {
    const world = this.#world;
    const faults = this.#faults;
    const host = currentProcess();
    const name = configuration.name as FunctionName;
    const requestId = `request-${++this.#invocations}`;
    const facts = { requestId, durationMs: 0, coldStart: false, maxMemoryBytes: 0 };
    return new Promise((resolve) => {
      const answer = (result: InvocationResult) =>
        world.after(faults.latencyMs(), host, () => resolve(result));
      const fail = (error: FunctionError) => answer({ ...facts, ok: false, error });
      if (faults.happens('throttled function', 0.04)) {
        return fail({ errorType: 'Lambda.TooManyRequestsException', errorMessage: 'Rate Exceeded.' });
      }
      // Lambda replaces environments at any time.
      const warm = world.chance(0.8) ? idle.pop() : undefined;
      // A new environment takes a second, one that has run before some milliseconds.
      const startMs = warm !== undefined ? world.between(2, 20) : world.between(200, 2000);
      world.after(startMs, host, () => {
        const process =
          warm ??
          new SimulatedProcess(`${name}#${++this.#environments}`, 'function', { parent: host, environment });
        process.requests = 0;
        world.thaw(process);
        const deadlineMs = world.nowMs + timeoutMs;
        let ended = false;
        const end = (result: () => void) => {
          if (ended) return;
          ended = true;
          cancelTimeout();
          result();
        };
        // Lambda freezes a function that has answered: nothing of it continues before the next invocation.
        const freeze = () => {
          process.onEnd.splice(process.onEnd.indexOf(killed), 1);
          process.frozen = [];
          idle.push(process);
        };
        const cancelTimeout = world.after(timeoutMs, host, () =>
          end(() => {
            process.end();
            fail(timedOut(requestId, timeoutMs));
          }),
        );
        const killed = () => end(() => fail(runtimeExited(null, 'SIGKILL')));
        process.onEnd.push(killed);
        world.trace('invoke', process.name, requestId);
        const context = {
          awsRequestId: requestId,
          functionName: name,
          memoryLimitInMB: String(configuration.memoryMb),
          getRemainingTimeInMillis: () => Math.max(0, deadlineMs - world.nowMs),
        };
        world.runAs(process, async () => {
          try {
            const payload = await this.#handlers[name](JSON.parse(JSON.stringify(event)), context);
            if (ended) return;
            world.trace('answer', process.name, requestId);
            freeze();
            end(() => answer({ ...facts, ok: true, payload: JSON.parse(JSON.stringify(payload ?? null)) }));
          } catch (error) {
            if (ended) return;
            const { name: errorType, message: errorMessage } = error as Error;
            world.trace('error', process.name, requestId, errorType, errorMessage.slice(0, 300));
            freeze();
            end(() => fail({ errorType, errorMessage }));
          }
        });
      });
    });
  }
}
