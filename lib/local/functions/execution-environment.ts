/**
 * One execution environment: a child process that runs the function, one invocation at a time, until it exits or is
 * killed. In Lambda it is a micro virtual machine; a function cannot observe the difference.
 *
 *     loading --ready--> idle --event--> busy --outcome--> idle ...
 *         \________________\______________\__ exit, crash, timeout, out of memory --> ended
 *
 * Events and outcomes are messages between the two processes, which no other program can send.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
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

/** A function, and its limits. */
export interface EnvironmentSettings {
  readonly configuration: FunctionConfiguration;
  /** Timeout of one invocation, from the moment the child receives the event. Loading the code may take as long, and 10 s at least. */
  readonly timeoutMs: number;
  /**
   * Called for each line that a child writes, in order for each child and stream. A line may come shortly after the
   * result of its invocation; all lines have come when the child has ended.
   * @default lines are discarded
   */
  readonly onLog?: (entry: LogLine) => void;
}

interface Invocation {
  readonly requestId: string;
  readonly event: unknown;
  readonly finish: (result: InvocationResult) => void;
}

/** A child process with its timeout and memory limit. */
export class ExecutionEnvironment {
  readonly #settings: EnvironmentSettings;
  readonly #child: ChildProcess;
  /** Resolves when the process has ended, and all its output is logged. */
  readonly exited: Promise<unknown>;
  #isReady = false;
  #ended = false;
  #current: Invocation | undefined;
  /** If the host killed the child: the error for the invocation that it interrupted. */
  #killedFor: FunctionError | undefined;
  #deadline: NodeJS.Timeout | undefined;

  private constructor(settings: EnvironmentSettings) {
    this.#settings = settings;
    const { configuration, onLog } = settings;
    const heapMb = Math.floor(configuration.memoryMb * HEAP_SHARE);
    const child = spawn(process.execPath, [`--max-old-space-size=${heapMb}`, RUNTIME_CLIENT], {
      cwd: configuration.codeDir,
      env: lambdaEnvironment(configuration, new Date()),
      // The fourth is the pipe of follow-parent.mjs.
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'ipc'],
      windowsHide: true,
    });
    this.#child = child;
    // Only 'close', unlike 'exit', comes after the last line of output.
    this.exited = new Promise((resolve) => child.once('close', resolve));
    child.once('close', (code, signal) => {
      this.#ended = true;
      this.#settle({ ok: false, error: this.#killedFor ?? runtimeExited(code, signal) });
    });
    // An error of the start is reported by `start`; the end of the process settles all others.
    child.on('error', () => {});
    child.on(
      'message',
      (message: 'ready' | { readonly outcome: InvocationOutcome; readonly isLast: boolean }) => {
        // After a kill an answer is too late; the end of the process settles the invocation.
        if (this.#killedFor !== undefined) return;
        if (message !== 'ready') {
          this.#ended = message.isLast;
          this.#settle(message.outcome);
          return;
        }
        clearTimeout(this.#deadline);
        this.#isReady = true;
        this.#send();
      },
    );
    for (const stream of ['stdout', 'stderr'] as const) {
      onLine(child[stream], (line) => onLog?.({ line, stream }));
    }
    onLine(child.stdio[3], (line) => this.#checkMemory(Number(line)));
  }

  /**
   * Starts a child; the first invocation reports errors of its initialisation.
   *
   * @throws Error if the function's variables are invalid, or no process can be started
   */
  static async start(settings: EnvironmentSettings): Promise<ExecutionEnvironment> {
    const environment = new ExecutionEnvironment(settings);
    await once(environment.#child, 'spawn');
    environment.#setDeadline(Math.max(INIT_MS, settings.timeoutMs));
    return environment;
  }

  /** Whether it has ended or was killed, and accepts no more events. */
  get hasEnded(): boolean {
    return this.#ended || this.#killedFor !== undefined;
  }

  /** Runs one invocation; the previous one must have been answered. */
  invoke(requestId: string, event: unknown): Promise<InvocationResult> {
    return new Promise((finish) => {
      this.#current = { requestId, event, finish };
      if (this.#ended) this.#settle({ ok: false, error: runtimeExited(null, null) });
      else if (this.#isReady) this.#send();
    });
  }

  /** Kills the child; a running invocation gets the error. */
  async kill(reason: FunctionError = HOST_CLOSED): Promise<void> {
    this.#killedFor ??= reason;
    // SIGTERM would leave it to the function to end.
    this.#child.kill('SIGKILL');
    await this.exited;
  }

  /** Kills the child unless the deadline is cleared or replaced in time. */
  #setDeadline(timeoutMs: number): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(
      () => this.kill(timedOut(this.#current?.requestId ?? 'none', timeoutMs)),
      timeoutMs,
    );
  }

  /** Sends the current event, if there is one. */
  #send(): void {
    if (this.#current === undefined) return;
    const { requestId, event } = this.#current;
    const { timeoutMs, configuration } = this.#settings;
    this.#setDeadline(timeoutMs);
    // A process that has just ended takes no event; its 'close' settles the invocation.
    this.#child.send({ requestId, event, timeoutMs, functionArn: functionArn(configuration) }, () => {});
  }

  #settle(outcome: InvocationOutcome): void {
    clearTimeout(this.#deadline);
    const current = this.#current;
    this.#current = undefined;
    current?.finish({ requestId: current.requestId, ...outcome });
  }

  #checkMemory(residentBytes: number): void {
    const { memoryMb } = this.#settings.configuration;
    if (residentBytes <= memoryMb * 2 ** 20 || this.#killedFor !== undefined) return;
    const used = Math.ceil(residentBytes / 2 ** 20);
    const errorMessage = `Error: Runtime exited with error: signal: killed. It used ${used} MB of memory; its limit is ${memoryMb} MB`;
    this.kill({ errorType: 'Runtime.OutOfMemory', errorMessage });
  }
}

function onLine(stream: unknown, take: (line: string) => void): void {
  const input = stream as Readable | null;
  // A process that could not be started has none. The pipe to a killed process may break; its 'close' handles that.
  input?.on('error', () => {});
  if (input !== null) createInterface({ input }).on('line', take);
}
