/**
 * One execution environment: a child process that runs the function, one invocation at a time, until it exits or is
 * killed. In Lambda it is a micro virtual machine; a function cannot observe the difference.
 *
 *     starting --GET next--> idle --event--> busy --response, GET next--> idle ...
 *         \____________________\_______________\__ exit, crash, timeout, out of memory --> ended
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
  type FunctionError,
  HOST_CLOSED,
  type InvocationOutcome,
  type InvocationResult,
  runtimeExited,
  timedOut,
} from './invocation-result.ts';
import { type FunctionConfiguration, functionArn, lambdaEnvironment } from './lambda-environment.ts';
import { RuntimeApi } from './runtime-api.ts';

const RUNTIME_CLIENT = fileURLToPath(new URL('./runtime-client.mjs', import.meta.url));
/** Fraction of the memory that V8 may use for its heap; garbage collection keeps the heap below it. */
const HEAP_SHARE = 0.9;

/**
 * Lambda's limit for loading a function's code. It loads code that is slower once more, in the first invocation and with its
 * timeout.
 */
const INIT_MS = 10_000;

/** One line of the function's output. */
export interface LogLine {
  readonly line: string;
  readonly stream: 'stdout' | 'stderr';
}

export interface EnvironmentSettings {
  readonly configuration: FunctionConfiguration;
  readonly timeoutMs: number;
  readonly onLog: (entry: LogLine) => void;
}

interface Invocation {
  readonly requestId: string;
  readonly payload: Uint8Array;
  readonly isFirst: boolean;
  readonly finish: (result: InvocationResult | 'not taken') => void;
  /** Whether the child has received the event. */
  isTaken: boolean;
}

/** A child process with its Runtime API, timeout and memory limit. */
export class ExecutionEnvironment {
  readonly #settings: EnvironmentSettings;
  #api!: RuntimeApi;
  #child!: ChildProcess;
  #exited!: Promise<void>;
  #current: Invocation | undefined;
  #isNew = true;
  #ended = false;
  /** If the host killed the child: the error for the invocation that it interrupted. */
  #killedFor: FunctionError | undefined;
  #deadline: NodeJS.Timeout | undefined;

  private constructor(settings: EnvironmentSettings) {
    this.#settings = settings;
  }

  /**
   * Starts a child; the first invocation reports errors of its initialisation.
   *
   * @throws Error if the function's variables are invalid, or no process can be started
   */
  static async start(settings: EnvironmentSettings): Promise<ExecutionEnvironment> {
    const environment = new ExecutionEnvironment(settings);
    environment.#api = await RuntimeApi.start({
      waiting: () => environment.#sendEvent(),
      responded: (requestId, outcome) => environment.#onOutcome(requestId, outcome),
      initFailed: (error) => environment.#settle({ ok: false, error }),
    });
    try {
      await environment.#spawn();
    } catch (error) {
      await environment.#api.close();
      throw error;
    }
    return environment;
  }

  /** Whether it has ended or was killed, and accepts no more events. */
  get hasEnded(): boolean {
    return this.#ended || this.#killedFor !== undefined;
  }

  /** Resolves when the process has ended, all its output is logged and its port is closed. */
  get exited(): Promise<void> {
    return this.#exited;
  }

  /**
   * Runs one invocation; the previous one must have been answered.
   *
   * @returns the result, or `not taken` if a warm child ended before it requested this event: another child may run it
   */
  invoke(requestId: string, payload: Uint8Array): Promise<InvocationResult | 'not taken'> {
    const isFirst = this.#isNew;
    this.#isNew = false;
    return new Promise((finish) => {
      this.#current = { requestId, payload, isFirst, finish, isTaken: false };
      if (this.#ended) this.#onExit(null, null);
      else if (this.#api.isWaiting) this.#sendEvent();
      // The child is still busy with work that the last invocation left: limit that too.
      else if (!isFirst) this.#setDeadline();
    });
  }

  /** Kills the child; a running invocation gets the error. */
  kill(reason: FunctionError = HOST_CLOSED): Promise<void> {
    this.#killedFor ??= reason;
    // SIGTERM would leave it to the function to end.
    this.#child.kill('SIGKILL');
    return this.#exited;
  }

  async #spawn(): Promise<void> {
    const { configuration, onLog } = this.#settings;
    const heapMb = Math.floor(configuration.memoryMb * HEAP_SHARE);
    const child = spawn(process.execPath, [`--max-old-space-size=${heapMb}`, RUNTIME_CLIENT], {
      cwd: configuration.codeDir,
      env: lambdaEnvironment(configuration, this.#api.address, new Date()),
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    this.#child = child;
    this.#exited = new Promise((resolve) => {
      // Only 'close', unlike 'exit', comes after the last line of output.
      child.once('close', (code, signal) => {
        this.#onExit(code, signal);
        this.#api.close().then(resolve);
      });
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    for (const stream of ['stdout', 'stderr'] as const) {
      const lines = createInterface({ input: child[stream] as Readable });
      lines.on('line', (line) => onLog({ line, stream }));
    }
    const reports = createInterface({ input: child.stdio[3] as Readable });
    reports.on('line', (line) => this.#checkMemory(Number(line)));
    // The pipe to a killed process may break; its 'close' event handles that.
    child.stdio[3]?.on('error', () => {});
    this.#setDeadline(Math.max(INIT_MS, this.#settings.timeoutMs));
  }

  /** Kills the child unless the deadline is cleared or replaced in time. */
  #setDeadline(timeoutMs = this.#settings.timeoutMs): void {
    const late = () => timedOut(this.#current?.requestId ?? 'none', timeoutMs);
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.kill(late()), timeoutMs);
  }

  /** The child waits for an event: sends it the current one, if any. */
  #sendEvent(): void {
    clearTimeout(this.#deadline);
    const current = this.#current;
    if (current === undefined || current.isTaken) return;
    const { timeoutMs, configuration } = this.#settings;
    this.#setDeadline();
    current.isTaken = true;
    this.#api.sendEvent({
      requestId: current.requestId,
      payload: current.payload,
      deadlineEpochMs: Date.now() + timeoutMs,
      functionArn: functionArn(configuration),
    });
  }

  #onOutcome(requestId: string, outcome: InvocationOutcome): void {
    // After a kill the response is too late; the end of the process settles the invocation.
    if (requestId === this.#current?.requestId && this.#killedFor === undefined) this.#settle(outcome);
  }

  #settle(outcome: InvocationOutcome): void {
    const current = this.#current;
    if (current === undefined) return;
    this.#current = undefined;
    clearTimeout(this.#deadline);
    current.finish({ requestId: current.requestId, ...outcome });
  }

  #onExit(code: number | null, signal: string | null): void {
    this.#ended = true;
    clearTimeout(this.#deadline);
    const current = this.#current;
    if (current !== undefined && !current.isFirst && !current.isTaken) {
      this.#current = undefined;
      current.finish('not taken');
      return;
    }
    this.#settle({ ok: false, error: this.#killedFor ?? runtimeExited(code, signal) });
  }

  #checkMemory(residentBytes: number): void {
    const { memoryMb } = this.#settings.configuration;
    if (residentBytes <= memoryMb * 2 ** 20 || this.#killedFor !== undefined) return;
    const used = Math.ceil(residentBytes / 2 ** 20);
    const errorMessage = `Error: Runtime exited with error: signal: killed. It used ${used} MB of memory; its limit is ${memoryMb} MB`;
    this.kill({ errorType: 'Runtime.OutOfMemory', errorMessage });
  }
}
