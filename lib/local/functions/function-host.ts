/**
 * Runs a function locally as Lambda does: the bundled code in child processes. Each child runs
 * one invocation at a time, stays warm for the next one, and is killed if it exceeds the function's timeout or memory.
 *
 *     invoke --> [ waiting, in order of arrival ] --> idle child, or a new one (up to `concurrency`)
 *
 * Differences from Lambda: an invocation waits if all children are busy, instead of being throttled (429); a child that
 * waits for its next event is not frozen; every child may use all processors, with any memory setting.
 */
import { randomUUID } from 'node:crypto';
import { type EnvironmentSettings, ExecutionEnvironment } from './execution-environment.ts';
import { HOST_CLOSED, type InvocationResult } from './invocation-result.ts';

export interface FunctionHostOptions extends EnvironmentSettings {
  /** Maximum number of children, and so of concurrent invocations. */
  readonly concurrency: number;
}

/** Runs one function. */
export interface FunctionRunner {
  /** Runs the function on one event. @throws Error if it cannot be run at all */
  invoke(event: unknown): Promise<InvocationResult>;
  close(): Promise<void>;
}

/** Runs one function; `close` must be called, or its children keep the process alive. */
export class FunctionHost implements FunctionRunner {
  readonly #options: FunctionHostOptions;
  readonly #all = new Set<ExecutionEnvironment>();
  readonly #starting = new Set<Promise<ExecutionEnvironment>>();
  /** Warm children without an event, the most recently used one last. */
  readonly #idle: ExecutionEnvironment[] = [];
  /** Invocations that wait for a child. */
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #closed = false;

  constructor(options: FunctionHostOptions) {
    this.#options = options;
  }

  /** Number of running children, warm ones included. */
  get children(): number {
    return this.#all.size;
  }

  /**
   * Runs the function on one event, as a synchronous invocation does.
   *
   * @param event any JSON value
   * @returns the result or the error of the function
   * @throws Error if no child process can be started
   */
  async invoke(event: unknown): Promise<InvocationResult> {
    const requestId = randomUUID();
    if (this.#running < this.#options.concurrency) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      if (this.#closed) return { ok: false, error: HOST_CLOSED, requestId };
      const environment = this.#idle.pop() ?? (await this.#start());
      const result = await environment.invoke(requestId, event);
      if (!environment.hasEnded) this.#idle.push(environment);
      return result;
    } finally {
      // The place passes directly to the next waiting invocation, so that a new one cannot take it.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }

  /** Kills all children; running and waiting invocations get an error of type `Host.Closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const wake of this.#waiting.splice(0)) {
      this.#running++;
      wake();
    }
    // A starting child is not in `#all` yet. If its start fails, its invocation throws.
    await Promise.allSettled(this.#starting);
    await Promise.all([...this.#all].map((environment) => environment.kill()));
  }

  async #start(): Promise<ExecutionEnvironment> {
    const starting = ExecutionEnvironment.start(this.#options);
    this.#starting.add(starting);
    try {
      const environment = await starting;
      this.#all.add(environment);
      environment.exited.then(() => {
        this.#all.delete(environment);
        const index = this.#idle.indexOf(environment);
        if (index >= 0) this.#idle.splice(index, 1);
      });
      return environment;
    } finally {
      this.#starting.delete(starting);
    }
  }
}
