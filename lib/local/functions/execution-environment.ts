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
  hostClosed,
  type InvocationResult,
  initTimedOut,
  outOfMemory,
  responseUnreadable,
  runtimeExited,
  timedOut,
} from './invocation-result.ts';
import { type FunctionConfiguration, functionArn, lambdaEnvironment } from './lambda-environment.ts';
import type { PeakMemoryReader } from './resident-memory.ts';
import { RuntimeApi } from './runtime-api.ts';

const RUNTIME_CLIENT = fileURLToPath(new URL('./runtime-client.mjs', import.meta.url));
const MEMORY_POLL_MS = 20;
/** Fraction of the memory that V8 may use for its heap; garbage collection keeps the heap below it. */
const HEAP_SHARE = 0.9;

/** One line of the function's output. */
export interface LogLine {
  readonly line: string;
  readonly stream: 'stdout' | 'stderr';
  /** Number of the child that wrote it, from 1 for each host. */
  readonly environment: number;
}

export interface EnvironmentSettings {
  readonly configuration: FunctionConfiguration;
  readonly timeoutMs: number;
  readonly initTimeoutMs: number;
  readonly readPeakMemory: PeakMemoryReader;
  readonly onLog: (entry: LogLine) => void;
}

type Outcome = { ok: true; payload: unknown } | { ok: false; error: FunctionError };

interface Invocation {
  readonly requestId: string;
  readonly payload: Uint8Array;
  readonly coldStart: boolean;
  readonly finish: (result: InvocationResult | 'not taken') => void;
  /** When the child received the event; undefined before. */
  receivedMs?: number;
}

/** A child process with its Runtime API, timeout and memory limit. */
export class ExecutionEnvironment {
  readonly #settings: EnvironmentSettings;
  #api!: RuntimeApi;
  #child!: ChildProcess;
  #exited!: Promise<void>;
  #current: Invocation | undefined;
  #invocations = 0;
  #ended = false;
  /** If the host killed the child: the error for the invocation that it interrupted. */
  #killedFor: FunctionError | undefined;
  #peakBytes = 0;
  #deadline: NodeJS.Timeout | undefined;
  #memoryPoll: NodeJS.Timeout | undefined;

  private constructor(settings: EnvironmentSettings) {
    this.#settings = settings;
  }

  /**
   * Starts a child; the first invocation reports errors of its initialisation.
   *
   * @param number identifies its log lines
   * @throws Error if the function's variables are invalid, or no process can be started
   */
  static async start(settings: EnvironmentSettings, number: number): Promise<ExecutionEnvironment> {
    const environment = new ExecutionEnvironment(settings);
    environment.#api = await RuntimeApi.start({
      waiting: () => environment.#sendEvent(),
      responded: (requestId, payload) => environment.#onResponse(requestId, payload),
      failed: (requestId, error) => environment.#onOutcome(requestId, { ok: false, error }),
      initFailed: (error) => environment.#settle({ ok: false, error }),
    });
    try {
      await environment.#spawn(number);
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
    const coldStart = this.#invocations++ === 0;
    return new Promise((finish) => {
      this.#current = { requestId, payload, coldStart, finish };
      if (this.#ended) this.#onExit(null, null);
      else if (this.#api.isWaiting) this.#sendEvent();
      // The child is still busy with work that the last invocation left: limit that too.
      else if (!coldStart)
        this.#setDeadline(timedOut(requestId, this.#settings.timeoutMs), this.#settings.timeoutMs);
    });
  }

  /** Kills the child; a running invocation gets the error. */
  kill(reason: FunctionError = hostClosed()): Promise<void> {
    this.#killedFor ??= reason;
    // SIGTERM would leave it to the function to end.
    this.#child.kill('SIGKILL');
    return this.#exited;
  }

  async #spawn(number: number): Promise<void> {
    const { configuration, initTimeoutMs, onLog } = this.#settings;
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
      lines.on('line', (line) => onLog({ line, stream, environment: number }));
    }
    const reports = createInterface({ input: child.stdio[3] as Readable });
    reports.on('line', (line) => this.#checkMemory(Number(line)));
    // The pipe to a killed process may break; its 'close' event handles that.
    child.stdio[3]?.on('error', () => {});
    this.#memoryPoll = setInterval(() => this.#pollMemory(), MEMORY_POLL_MS);
    this.#setDeadline(initTimedOut(initTimeoutMs), initTimeoutMs);
  }

  /** Kills the child with this error unless the deadline is cleared or replaced in time. */
  #setDeadline(error: FunctionError, timeoutMs: number): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.kill(error), timeoutMs);
  }

  /** The child waits for an event: sends it the current one, if any. */
  #sendEvent(): void {
    clearTimeout(this.#deadline);
    const current = this.#current;
    if (current === undefined || current.receivedMs !== undefined) return;
    const { timeoutMs, configuration } = this.#settings;
    this.#setDeadline(timedOut(current.requestId, timeoutMs), timeoutMs);
    current.receivedMs = performance.now();
    this.#api.sendEvent({
      requestId: current.requestId,
      payload: current.payload,
      deadlineEpochMs: Date.now() + timeoutMs,
      functionArn: functionArn(configuration),
    });
  }

  #onResponse(requestId: string, payload: Buffer): void {
    let outcome: Outcome;
    try {
      outcome = { ok: true, payload: JSON.parse(payload.toString()) };
    } catch (error) {
      outcome = { ok: false, error: responseUnreadable((error as Error).message) };
    }
    this.#onOutcome(requestId, outcome);
  }

  #onOutcome(requestId: string, outcome: Outcome): void {
    if (requestId !== this.#current?.requestId) return;
    // A short peak since the last poll still kills it, as in Lambda.
    this.#pollMemory();
    // After a kill the response is too late; the end of the process settles the invocation.
    if (this.#killedFor === undefined) this.#settle(outcome);
  }

  #settle(outcome: Outcome): void {
    const current = this.#current;
    if (current === undefined) return;
    this.#current = undefined;
    clearTimeout(this.#deadline);
    const durationMs = current.receivedMs === undefined ? 0 : performance.now() - current.receivedMs;
    const { requestId, coldStart } = current;
    current.finish({ requestId, durationMs, coldStart, maxMemoryBytes: this.#peakBytes, ...outcome });
  }

  #onExit(code: number | null, signal: string | null): void {
    this.#ended = true;
    clearTimeout(this.#deadline);
    clearInterval(this.#memoryPoll);
    const current = this.#current;
    if (current !== undefined && !current.coldStart && current.receivedMs === undefined) {
      this.#current = undefined;
      current.finish('not taken');
      return;
    }
    this.#settle({ ok: false, error: this.#killedFor ?? runtimeExited(code, signal) });
  }

  #pollMemory(): void {
    const pid = this.#child.pid;
    const bytes = pid === undefined || this.#ended ? undefined : this.#settings.readPeakMemory(pid);
    if (bytes !== undefined) this.#checkMemory(bytes);
  }

  #checkMemory(residentBytes: number): void {
    this.#peakBytes = Math.max(this.#peakBytes, residentBytes);
    const { memoryMb } = this.#settings.configuration;
    if (residentBytes > memoryMb * 2 ** 20 && this.#killedFor === undefined) {
      this.kill(outOfMemory(memoryMb, residentBytes));
    }
  }
}
