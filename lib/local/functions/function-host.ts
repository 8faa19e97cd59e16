/**
 * Runs a function on this machine as Lambda runs it: the bundled code in child processes behind the Runtime API,
 * each child with one invocation at a time, kept warm for the next one, with the function's bounds of time and
 * memory, and ended by force when it goes beyond them.
 *
 *     invoke --> [ waiting, first come first served ] --> idle child, or a new one (up to `concurrency`)
 *
 * Not as in Lambda: where all children are busy an invocation waits, and is not turned away (429); a child that
 * waits for its next event is not frozen; its processors are all of the machine's, whatever its memory.
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

/** Lambda's own limit for loading a function's code. */
const DEFAULT_INIT_TIMEOUT_MS = 10_000;

/** What the host runs, and within which bounds. */
export interface FunctionHostOptions {
  readonly configuration: FunctionConfiguration;
  /** Time for one invocation, from the moment the child has the event. */
  readonly timeoutMs: number;
  /** Most children at once, and so most invocations. */
  readonly concurrency: number;
  /** Time until a new child asks for its first event. @default 10,000, as in Lambda */
  readonly initTimeoutMs?: number;
  /**
   * Gets each line that a child writes, in order for each child and stream. A line may come shortly after the
   * result of its invocation; all lines have come when `close` resolves.
   * @default lines are dropped
   */
  readonly onLog?: (entry: LogLine) => void;
  /** Looks up a child's memory; where it knows nothing, what the child itself reports is taken. */
  readonly readPeakMemory?: PeakMemoryReader;
}

/** Runs one function; `close` must be called, or its children keep the process alive. */
export class FunctionHost {
  readonly #options: FunctionHostOptions;
  readonly #all = new Set<ExecutionEnvironment>();
  readonly #starting = new Set<Promise<ExecutionEnvironment>>();
  /** Used children without an event, the most recently used one last. */
  readonly #idle: ExecutionEnvironment[] = [];
  /** Invocations that wait for a child. */
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #started = 0;
  #closed = false;

  /** @throws RangeError where a bound is not positive; Error where the code's folder is not there */
  constructor(options: FunctionHostOptions) {
    const { timeoutMs, concurrency, configuration } = options;
    for (const [name, value] of Object.entries({
      timeoutMs,
      concurrency,
      memoryMb: configuration.memoryMb,
    })) {
      if (!(value > 0)) throw new RangeError(`${name} is ${value}: it must be above 0`);
    }
    if (!existsSync(configuration.codeDir)) {
      throw new Error(
        `No folder ${configuration.codeDir} with the code of ${configuration.name}: bundle it first`,
      );
    }
    this.#options = options;
  }

  /** Children that are running now, warm ones included. */
  get children(): number {
    return this.#all.size;
  }

  /**
   * Runs the function on one event, as a synchronous invocation does.
   *
   * @param event anything that JSON can hold
   * @returns the answer, or the error; trouble of the function never rejects
   * @throws Error where no child process can be started at all
   */
  async invoke(event: unknown): Promise<InvocationResult> {
    const requestId = randomUUID();
    const payload = Buffer.from(JSON.stringify(event));
    if (payload.length > MAX_REQUEST_BYTES) return notRun(requestId, requestTooLarge(payload.length));
    await this.#enter();
    try {
      for (;;) {
        if (this.#closed) return notRun(requestId, hostClosed());
        const environment = this.#idle.pop() ?? (await this.#track(this.#start()));
        const result = await environment.invoke(requestId, payload);
        // A warm child may end between two events; that costs the event nothing.
        if (result === 'not taken') continue;
        if (!environment.hasEnded) this.#idle.push(environment);
        return result;
      }
    } finally {
      this.#leave();
    }
  }

  /** Ends all children at once; invocations under way or waiting get an error of type `Host.Closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const wake of this.#waiting.splice(0)) {
      this.#running++;
      wake();
    }
    // One that is just being started is not among all yet. That it cannot be started, its invocation tells.
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

  #enter(): Promise<void> {
    if (this.#running < this.#options.concurrency) {
      this.#running++;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    // The place goes from hand to hand, so that nobody who comes now gets in between.
    if (next === undefined) this.#running--;
    else next();
  }
}

function notRun(requestId: string, error: FunctionError): InvocationResult {
  return { ok: false, error, requestId, durationMs: 0, coldStart: false, maxMemoryBytes: 0 };
}
