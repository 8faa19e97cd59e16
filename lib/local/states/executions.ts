/**
 * Executions of state machines, with the rules of Step Functions for STANDARD workflows:
 *
 *     start --> RUNNING --> SUCCEEDED
 *                  ^  \---> FAILED, TIMED_OUT, ABORTED --redrive, within 14 days--\
 *                   \---------------------------------------------------------------
 *
 * Each step is journaled before it takes effect, so that the next start continues RUNNING executions. One line of JSON for
 * each event:
 *
 *     {"execution":"arn:...","op":"start","machine":"arn:...","name":"...","input":"{...}","atEpochMs":1760000000000}
 *     {"execution":"arn:...","op":"deployment","id":"0123456789abcdef"}
 *     {"execution":"arn:...","op":"enter","position":{"state":"Plan","input":{...}}}
 *     {"execution":"arn:...","op":"end","child":3,"outcome":{...}}
 *     {"execution":"arn:...","op":"stop","outcome":{...},"atEpochMs":1760000000000}
 *     {"execution":"arn:...","op":"redrive","atEpochMs":1760000000000}
 */
import type { JournalFile } from '../journal-file.ts';
import { JsonApiError } from '../json-api.ts';
import { RunningWork } from '../running-work.ts';
import { writeFault } from '../write-fault.ts';
import type { StateMachine } from './definition.ts';
import { exceedsLimit, runStates, type StateDependencies } from './interpreter.ts';
import { type Json, StateError } from './paths.ts';
import { applyProgress, type Outcome, type Progress, type ProgressEntry } from './progress.ts';

const REDRIVABLE_MS = 14 * 24 * 3600 * 1000;
const MAX_REDRIVES = 1000;
/** Time between two tries on a full disk. */
const FULL_DISK_RETRY_MS = 5_000;

/** Current state of an execution. */
export interface Execution extends Progress {
  readonly arn: string;
  readonly machineArn: string;
  readonly name: string;
  /** JSON text, as given at the start. */
  readonly input: string;
  readonly startEpochMs: number;
  stopEpochMs?: number;
  redrives: number;
  redriveEpochMs?: number;
  /** Id of the deployment of its definition and functions; undefined before its first state. */
  deployment?: string;
  /** Ends the current run with an outcome, or without one (`CLOSED`). */
  controller?: AbortController;
}

export type JournalEntry = { readonly execution: string; readonly atEpochMs?: number } & (
  | { readonly op: 'start'; readonly machine: string; readonly name: string; readonly input: string }
  | { readonly op: 'deployment'; readonly id: string }
  | { readonly op: 'stop'; readonly outcome: Outcome }
  | { readonly op: 'redrive' }
  | ProgressEntry
);

/** A state machine and its deployment. */
export interface DeployedMachine {
  readonly deployment: string;
  readonly machine: StateMachine;
  /** Whether its role may do something. @param resource ARN */
  readonly isAllowed: (action: string, resource: string) => boolean;
}

export interface ExecutionsOptions {
  /** It closes with the executions. */
  readonly journal: Pick<JournalFile<JournalEntry>, 'append' | 'replay' | 'close'>;
  readonly dependencies: StateDependencies;
  readonly machineArns: readonly string[];
  /** Loads a machine from a deployment, by default the newest; called for each run. */
  readonly load: (machineArn: string, deployment: string | undefined) => DeployedMachine;
  /** Called for each execution that ends, before the end is journaled; after a crash in between it is called again. */
  readonly onEnd?: (execution: Execution) => void;
}

/** Abort reason of runs that the next start continues. */
const CLOSED = Symbol('closed');

/** All executions of a stack; the constructor continues those of earlier runs. */
export class LocalExecutions {
  readonly #options: ExecutionsOptions;
  readonly #all = new Map<string, Execution>();
  /** The executions that run. Its failure is that of a machine that cannot run. */
  readonly work = new RunningWork();
  #closed = false;

  constructor(options: ExecutionsOptions) {
    this.#options = options;
    options.journal.replay((entry) => this.#apply(entry));
    for (const execution of this.#all.values()) if (execution.outcome === undefined) this.#run(execution);
  }

  /** Inputs of all executions. */
  get inputs(): readonly string[] {
    return [...this.#all.values()].map(({ input }) => input);
  }

  /**
   * Starts an execution, or returns the running one with the same name and input.
   *
   * @throws JsonApiError StateMachineDoesNotExist, InvalidName, InvalidExecutionInput, ExecutionAlreadyExists
   */
  start(machineArn: string, name: string, input: string): Execution {
    if (!this.#options.machineArns.includes(machineArn)) {
      throw new JsonApiError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${machineArn}'`);
    }
    // 1 to 80 characters, without spaces, brackets, wildcards, special or control characters.
    if (name.length < 1 || name.length > 80 || /[\s<>{}[\]?*"#%\\^|~`$&,;:/\p{Cc}]/u.test(name)) {
      throw new JsonApiError('InvalidName', `Invalid Name: '${name}'`);
    }
    checkInput(input);
    const arn = `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`;
    const existing = this.#all.get(arn);
    if (existing !== undefined) {
      if (existing.outcome === undefined && existing.input === input) return existing;
      throw new JsonApiError('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`);
    }
    const atEpochMs = this.#now();
    return this.#run(
      this.#record({ execution: arn, op: 'start', machine: machineArn, name, input, atEpochMs }),
    );
  }

  /** @throws JsonApiError ExecutionDoesNotExist */
  describe(arn: string): Execution {
    const execution = this.#all.get(arn);
    if (execution !== undefined) return execution;
    throw new JsonApiError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
  }

  /** Why an execution cannot be redriven; undefined if it can. */
  notRedrivableReason({ outcome, stopEpochMs = 0, redrives }: Execution): string | undefined {
    const status = outcome?.status ?? 'RUNNING';
    if (status === 'RUNNING' || status === 'SUCCEEDED')
      return `Execution is ${status} and cannot be redriven`;
    if (redrives >= MAX_REDRIVES) return 'Execution redrive limit exceeded';
    return this.#now() - stopEpochMs > REDRIVABLE_MS ? 'Execution redrivable period exceeded' : undefined;
  }

  /**
   * Continues from the state that failed; in a map with the children that did not succeed.
   *
   * @throws JsonApiError ExecutionDoesNotExist, ExecutionNotRedrivable
   */
  redrive(arn: string): Execution {
    const reason = this.notRedrivableReason(this.describe(arn));
    if (reason !== undefined) throw new JsonApiError('ExecutionNotRedrivable', `${reason}: '${arn}'`);
    return this.#run(this.#record({ execution: arn, op: 'redrive', atEpochMs: this.#now() }));
  }

  /** Stops an execution; has no effect on one that has ended. @throws JsonApiError ExecutionDoesNotExist */
  stop(arn: string, error?: string, cause?: string): Execution {
    const execution = this.describe(arn);
    this.#end(execution, { status: 'ABORTED', error, cause });
    return execution;
  }

  /** Ids of the deployments whose executions run or can be redriven. */
  get deploymentsInUse(): string[] {
    return [...this.#all.values()].flatMap((execution) => {
      const { deployment, outcome } = execution;
      const isNeeded = outcome === undefined || this.notRedrivableReason(execution) === undefined;
      return isNeeded && deployment !== undefined ? [deployment] : [];
    });
  }

  /** Aborts all runs; the next start with the same journal continues them. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { controller } of this.#all.values()) controller?.abort(CLOSED);
    await this.work.idle();
    this.#options.journal.close();
  }

  #run(execution: Execution): Execution {
    const run = this.#runWithSpace(execution).catch((error: unknown) => {
      if (error !== CLOSED) throw error;
    });
    this.work.add(run);
    return execution;
  }

  /** After a journal entry that the disk did not take, continues from the last stored one, as the next start would. */
  async #runWithSpace(execution: Execution): Promise<void> {
    const { clock } = this.#options.dependencies;
    while (execution.outcome === undefined) {
      const controller = new AbortController();
      execution.controller = controller;
      try {
        return await this.#runToEnd(execution, controller);
      } catch (error) {
        // The disk, or the user's part of it, is full.
        if (!['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException)?.code ?? '')) throw error;
        writeFault('states', error);
        // Children of a map may still run.
        controller.abort(CLOSED);
        const waiting = new AbortController();
        execution.controller = waiting;
        await new Promise<void>((resolve) => {
          const cancel = clock.after(FULL_DISK_RETRY_MS, resolve);
          waiting.signal.addEventListener('abort', () => {
            cancel();
            resolve();
          });
        });
        if (this.#closed) throw CLOSED;
      }
    }
  }

  async #runToEnd(execution: Execution, controller: AbortController): Promise<void> {
    const { dependencies, load } = this.#options;
    const { arn, name, machineArn, startEpochMs, redriveEpochMs = startEpochMs } = execution;
    const { deployment, machine, isAllowed } = load(machineArn, execution.deployment);
    // Before any state runs: the execution keeps this deployment, also after a redrive.
    if (execution.deployment === undefined)
      this.#record({ execution: arn, op: 'deployment', id: deployment });
    const input = JSON.parse(execution.input) as Json;
    const context = {
      Execution: { Id: arn, Name: name, Input: input, StartTime: new Date(startEpochMs).toISOString() },
      StateMachine: { Id: machineArn, Name: machineArn.slice(machineArn.lastIndexOf(':') + 1) },
    };
    const { TimeoutSeconds } = machine;
    let cancelTimeout = () => {};
    if (TimeoutSeconds !== undefined) {
      // A start in the future: the system's time was set back before a restart.
      const leftMs = Math.min(0, redriveEpochMs - this.#now()) + 1000 * TimeoutSeconds;
      const timeOut = () => controller.abort({ status: 'TIMED_OUT' } satisfies Outcome);
      cancelTimeout = dependencies.clock.after(Math.max(0, leftMs), timeOut);
    }
    const { signal } = controller;
    const record = (entry: ProgressEntry) => void this.#record({ execution: arn, ...entry });
    try {
      const run = { machine, input, context, progress: execution, record, signal, dependencies, isAllowed };
      this.#end(execution, { status: 'SUCCEEDED', output: await runStates(run) });
    } catch (error) {
      if (signal.reason === CLOSED) throw CLOSED;
      if (signal.aborted) this.#end(execution, signal.reason);
      else if (error instanceof StateError) {
        const { errorName, message } = error;
        // A Fail state may have neither.
        this.#end(execution, {
          status: 'FAILED',
          error: errorName || undefined,
          cause: message || undefined,
        });
      } else throw error;
    } finally {
      cancelTimeout();
    }
  }

  #end(execution: Execution, outcome: Outcome): void {
    if (execution.outcome !== undefined || this.#closed) return;
    const stopEpochMs = this.#now();
    this.#options.onEnd?.({ ...execution, outcome, stopEpochMs });
    this.#record({ execution: execution.arn, op: 'stop', outcome, atEpochMs: stopEpochMs });
    execution.controller?.abort(outcome);
  }

  #record(entry: JournalEntry): Execution {
    this.#options.journal.append(entry);
    return this.#apply(entry);
  }

  #apply(entry: JournalEntry): Execution {
    const { execution: arn, atEpochMs = 0 } = entry;
    if (entry.op === 'start') {
      const { machine: machineArn, name, input } = entry;
      const started = { arn, machineArn, name, input, startEpochMs: atEpochMs, redrives: 0 };
      this.#all.set(arn, started);
      return started;
    }
    const execution = this.#all.get(arn)!;
    if (entry.op === 'deployment') execution.deployment = entry.id;
    else if (entry.op === 'redrive') {
      execution.outcome = undefined;
      execution.redrives++;
      execution.redriveEpochMs = atEpochMs;
    } else if (entry.op === 'stop') {
      execution.outcome = entry.outcome;
      execution.stopEpochMs = atEpochMs;
    } else applyProgress(execution, entry);
    return execution;
  }

  #now(): number {
    return this.#options.dependencies.clock.nowEpochMs();
  }
}

/** The service counts the text as it is given, with its spaces. */
function checkInput(input: string): void {
  let fault = exceedsLimit(input) ? 'Input exceeds the maximum number of bytes service limit.' : undefined;
  try {
    JSON.parse(input);
  } catch (error) {
    fault = input === '' ? 'Invalid execution input.' : (error as Error).message;
  }
  if (fault === undefined) return;
  throw new JsonApiError('InvalidExecutionInput', `Invalid State Machine Execution Input: '${fault}'`);
}
