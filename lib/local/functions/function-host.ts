/**
 * Runs a function locally as Lambda does: the bundled code in child processes that use the Runtime API. Each child runs
 * one invocation at a time, stays warm for the next one, and is killed if it exceeds the function's timeout or memory.
 *
 *     invoke --> [ waiting, in order of arrival ] --> idle child, or a new one (up to `concurrency`)
 *
 * Differences from Lambda: an invocation waits if all children are busy, instead of being throttled (429); a child that
 * waits for its next event is not frozen; every child may use all processors, with any memory setting.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { ExecutionEnvironment, type LogLine } from './execution-environment.ts';
import {
  type FunctionError,
  hostClosed,
  type InvocationResult,
  MAX_REQUEST_BYTES,
  requestTooLarge,
} from './invocation-result.ts';
import type { FunctionConfiguration } from './lambda-environment.ts';
import { type PeakMemoryReader, readPeakMemory } from './resident-memory.ts';

/** Lambda's limit for loading a function's code. */
const DEFAULT_INIT_TIMEOUT_MS = 10_000;

/** The function of a host, and its limits. */
export interface FunctionHostOptions {
  readonly configuration: FunctionConfiguration;
  /** Timeout of one invocation, from the moment the child receives the event. */
  readonly timeoutMs: number;
  /** Maximum number of children, and so of concurrent invocations. */
  readonly concurrency: number;
  /** Time until a new child requests its first event. @default 10,000, as in Lambda */
  readonly initTimeoutMs?: number;
  /**
   * Called for each line that a child writes, in order for each child and stream. A line may come shortly after the
   * result of its invocation; all lines have come when `close` resolves.
   * @default lines are discarded
   */
  readonly onLog?: (entry: LogLine) => void;
  /** Reads a child's peak memory; if it returns undefined, the child's own reports are used. */
  readonly readPeakMemory?: PeakMemoryReader;
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
  #started = 0;
  #closed = false;

  /** @throws RangeError if a limit is not positive; Error if the code folder does not exist */
  constructor(options: FunctionHostOptions) {
    const { timeoutMs, concurrency, configuration } = options;
    for (const [name, value] of Object.entries({
      timeoutMs,
      concurrency,
      memoryMb: configuration.memoryMb,
    })) {
      if (!(value > 0)) throw new RangeError(`${name} is ${value}: expected a number above 0`);
    }
    if (!existsSync(configuration.codeDir)) {
      throw new Error(
        `code folder ${configuration.codeDir} of function ${configuration.name} does not exist: bundle the function first`,
      );
    }
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
    const payload = Buffer.from(JSON.stringify(event));
    if (payload.length > MAX_REQUEST_BYTES) return notRun(requestId, requestTooLarge(payload.length));
    await this.#acquireSlot();
    try {
      for (;;) {
        if (this.#closed) return notRun(requestId, hostClosed());
        const environment = this.#idle.pop() ?? (await this.#track(this.#start()));
        const result = await environment.invoke(requestId, payload);
        // A warm child may end between two events: the next child runs this one.
        if (result === 'not taken') continue;
        if (!environment.hasEnded) this.#idle.push(environment);
        return result;
      }
    } finally {
      this.#releaseSlot();
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
    const { configuration, timeoutMs, initTimeoutMs = DEFAULT_INIT_TIMEOUT_MS } = this.#options;
    const { onLog = () => {}, readPeakMemory: reader = readPeakMemory } = this.#options;
    const settings = { configuration, timeoutMs, initTimeoutMs, readPeakMemory: reader, onLog };
    const environment = await ExecutionEnvironment.start(settings, ++this.#started);
    this.#all.add(environment);
    environment.exited.then(() => {
      this.#all.delete(environment);
      const index = this.#idle.indexOf(environment);
      if (index >= 0) this.#idle.splice(index, 1);
    });
    return environment;
  }

  #track(start: Promise<ExecutionEnvironment>): Promise<ExecutionEnvironment> {
    this.#starting.add(start);
    return start.finally(() => this.#starting.delete(start));
  }

  #acquireSlot(): Promise<void> {
    if (this.#running < this.#options.concurrency) {
      this.#running++;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #releaseSlot(): void {
    const next = this.#waiting.shift();
    // The slot passes directly to the next waiting invocation, so that a new one cannot take it.
    if (next === undefined) this.#running--;
    else next();
  }
}

function notRun(requestId: string, error: FunctionError): InvocationResult {
  return { ok: false, error, requestId, durationMs: 0, coldStart: false, maxMemoryBytes: 0 };
}
