/**
 * One execution environment: a child process that runs the function, one invocation at a time, until it ends or
 * is ended. In Lambda it is a micro virtual machine; what a function can notice of it is the same here.
 *
 *     starting --GET next--> idle --event--> busy --answer, GET next--> idle ...
 *         \____________________\_______________\__ exit, crash, time up, memory used up --> gone
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

const RUNTIME_CLIENT = fileURLToPath(new URL('./runtime-client.ts', import.meta.url));
const MEMORY_WATCH_MS = 20;
/** Share of the memory that V8 may fill with objects; it collects its garbage in time to stay below. */
const HEAP_SHARE = 0.9;

/** One line that the function wrote. */
export interface LogLine {
  readonly line: string;
  readonly stream: 'stdout' | 'stderr';
  /** Which child wrote it, counted from 1 for each host. */
  readonly environment: number;
}

/** Everything an execution environment needs to know. */
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
  /** When the event was handed over; undefined before. */
  takenMs?: number;
}

/** A child process with its Runtime API, its clock and its memory bound. */
export class ExecutionEnvironment {
  readonly #settings: EnvironmentSettings;
  #api!: RuntimeApi;
  #child!: ChildProcess;
  #exited!: Promise<void>;
  #current: Invocation | undefined;
  #invocations = 0;
  #gone = false;
  /** Why we killed it, if we did: the error of the invocation that it took along. */
  #killedFor: FunctionError | undefined;
  #peakBytes = 0;
  #deadline: NodeJS.Timeout | undefined;
  #memoryWatch: NodeJS.Timeout | undefined;

  private constructor(settings: EnvironmentSettings) {
    this.#settings = settings;
  }

  /**
   * Starts a child; what goes wrong in it is told by the first invocation.
   *
   * @param number tells its log lines from those of others
   * @throws Error where the function's variables cannot be set, or no process can be started
   */
  static async start(settings: EnvironmentSettings, number: number): Promise<ExecutionEnvironment> {
    const environment = new ExecutionEnvironment(settings);
    environment.#api = await RuntimeApi.start({
      waiting: () => environment.#handOver(),
      responded: (requestId, payload) => environment.#responded(requestId, payload),
      failed: (requestId, error) => environment.#answered(requestId, { ok: false, error }),
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

  /** Whether it has ended, or is about to, and takes no more events. */
  get hasEnded(): boolean {
    return this.#gone || this.#killedFor !== undefined;
  }

  /** Resolves when the process has ended, all its lines are logged and its port is free. */
  get exited(): Promise<void> {
    return this.#exited;
  }

  /**
   * Runs one invocation; the one before must have been answered.
   *
   * @returns the result, or `not taken` where a used child ended before it asked for this event: another one
   *   may have it
   */
  invoke(requestId: string, payload: Uint8Array): Promise<InvocationResult | 'not taken'> {
    const coldStart = this.#invocations++ === 0;
    return new Promise((finish) => {
      this.#current = { requestId, payload, coldStart, finish };
      if (this.#gone) this.#onExit(null, null);
      else if (this.#api.isWaiting) this.#handOver();
      // Still busy with what the last invocation left behind: that may not take for ever either.
      else if (!coldStart)
        this.#limit(timedOut(requestId, this.#settings.timeoutMs), this.#settings.timeoutMs);
    });
  }

  /** Ends the child at once; an invocation under way gets the error. */
  kill(reason: FunctionError = hostClosed()): Promise<void> {
    this.#killedFor ??= reason;
    // Not SIGTERM: it must not matter what the function is doing.
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
      // Not 'exit': only 'close' comes after the last line it wrote.
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
    reports.on('line', (line) => this.#bound(Number(line)));
    // The line to a process that is being killed may break; its 'close' event tells the rest.
    child.stdio[3]?.on('error', () => {});
    this.#memoryWatch = setInterval(() => this.#measure(), MEMORY_WATCH_MS);
    this.#limit(initTimedOut(initTimeoutMs), initTimeoutMs);
  }

  /** Kills the child with this error unless its next step comes in time. */
  #limit(error: FunctionError, timeoutMs: number): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.kill(error), timeoutMs);
  }

  /** The child waits for an event: gives it the one there is, if there is one. */
  #handOver(): void {
    clearTimeout(this.#deadline);
    const current = this.#current;
    if (current === undefined || current.takenMs !== undefined) return;
    const { timeoutMs, configuration } = this.#settings;
    this.#limit(timedOut(current.requestId, timeoutMs), timeoutMs);
    current.takenMs = performance.now();
    this.#api.sendEvent({
      requestId: current.requestId,
      payload: current.payload,
      deadlineEpochMs: Date.now() + timeoutMs,
      functionArn: functionArn(configuration),
    });
  }

  #responded(requestId: string, payload: Buffer): void {
    let outcome: Outcome;
    try {
      outcome = { ok: true, payload: JSON.parse(payload.toString()) };
    } catch (error) {
      outcome = { ok: false, error: responseUnreadable((error as Error).message) };
    }
    this.#answered(requestId, outcome);
  }

  #answered(requestId: string, outcome: Outcome): void {
    if (requestId !== this.#current?.requestId) return;
    // A peak that came and went since the last look still ends it, as it would have in Lambda.
    this.#measure();
    // Once killed, the answer came too late; the end of the process settles the invocation.
    if (this.#killedFor === undefined) this.#settle(outcome);
  }

  #settle(outcome: Outcome): void {
    const current = this.#current;
    if (current === undefined) return;
    this.#current = undefined;
    clearTimeout(this.#deadline);
    const durationMs = current.takenMs === undefined ? 0 : performance.now() - current.takenMs;
    const { requestId, coldStart } = current;
    current.finish({ requestId, durationMs, coldStart, maxMemoryBytes: this.#peakBytes, ...outcome });
  }

  #onExit(code: number | null, signal: string | null): void {
    this.#gone = true;
    clearTimeout(this.#deadline);
    clearInterval(this.#memoryWatch);
    const current = this.#current;
    if (current !== undefined && !current.coldStart && current.takenMs === undefined) {
      this.#current = undefined;
      current.finish('not taken');
      return;
    }
    this.#settle({ ok: false, error: this.#killedFor ?? runtimeExited(code, signal) });
  }

  #measure(): void {
    const pid = this.#child.pid;
    const bytes = pid === undefined || this.#gone ? undefined : this.#settings.readPeakMemory(pid);
    if (bytes !== undefined) this.#bound(bytes);
  }

  #bound(residentBytes: number): void {
    this.#peakBytes = Math.max(this.#peakBytes, residentBytes);
    const { memoryMb } = this.#settings.configuration;
    if (residentBytes > memoryMb * 2 ** 20 && this.#killedFor === undefined) {
      this.kill(outOfMemory(memoryMb, residentBytes));
    }
  }
}
