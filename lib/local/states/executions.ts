/**
 * Executions of state machines, with the rules of Step Functions for STANDARD workflows:
 *
 *     start --> RUNNING --> SUCCEEDED
 *                  ^  \---> FAILED, TIMED_OUT, ABORTED --redrive, within 14 days--\
 *                   \---------------------------------------------------------------
 *
 * Each step is journaled before it takes effect, so that the next start continues RUNNING executions.
 */

import { isDiskFull } from '../disk-full.ts';
import { JsonApiError } from '../json-api.ts';
import { writeFault } from '../write-fault.ts';
import type { ExecutionJournal, JournalEntry } from './execution-journal.ts';
import type { StateMachine } from './language/definition.ts';
import { runStates } from './language/interpreter.ts';
import { ExecutionProgress, type Outcome } from './language/progress.ts';
import type { Json } from './language/reference-path.ts';
import { exceedsLimit, StateError } from './language/state-error.ts';
import type { StateDependencies } from './language/state-run.ts';

const REDRIVABLE_MS = 14 * 24 * 3600 * 1000;
const MAX_REDRIVES = 1000;
/** Characters, inclusive, of the reason of a stop. */
const MAX_ERROR = 256;
const MAX_CAUSE = 32_768;

/** Current state of an execution. */
export interface Execution {
  readonly arn: string;
  readonly machineArn: string;
  readonly name: string;
  /** JSON text, as given at the start. */
  readonly input: string;
  readonly startEpochMs: number;
  readonly stopEpochMs?: number;
  /** Undefined while it runs. */
  readonly outcome?: Outcome;
  readonly redrives: number;
  readonly redriveEpochMs?: number;
}

interface ExecutionRecord extends Execution {
  /** Undefined before its first state, and if an older program started it. */
  deployment?: string;
  stopEpochMs?: number;
  outcome?: Outcome;
  redrives: number;
  redriveEpochMs?: number;
  readonly progress: ExecutionProgress;
  /** Aborts the current run. */
  controller?: AbortController;
}

/** A state machine and its deployment. */
export interface DeployedMachine {
  readonly deployment: string;
  readonly machine: StateMachine;
  /** Whether its role may do something. @param resource ARN @default everything is allowed */
  readonly isAllowed?: (action: string, resource: string) => boolean;
}

export interface ExecutionsOptions {
  readonly journal: ExecutionJournal;
  readonly dependencies: StateDependencies;
  readonly machineArns: readonly string[];
  /** Loads a machine from a deployment, by default the newest; called for each run. */
  readonly load: (machineArn: string, deployment: string | undefined) => Promise<DeployedMachine>;
  /** Called for each execution that ends, before the end is journaled; after a crash in between it is called again. */
  readonly onEnd?: (execution: Execution) => void;
  /** Called if the disk is full; the execution then waits for space. @default writes to standard error */
  readonly onFault?: (error: unknown) => void;
}

/** Time between two tries on a full disk. */
const FULL_DISK_RETRY_MS = 5_000;

/** Abort reason of runs that the next start continues. */
const CLOSED = Symbol('closed');

/** All executions of a stack; the constructor continues those of earlier runs. */
export class LocalExecutions {
  readonly #options: ExecutionsOptions;
  readonly #all = new Map<string, ExecutionRecord>();
  readonly #running = new Set<Promise<void>>();
  readonly #failure = Promise.withResolvers<never>();
  #whenIdle: (() => void)[] = [];
  #closed = false;

  constructor(options: ExecutionsOptions) {
    this.#options = options;
    this.#failure.promise.catch(() => {});
    for (const entry of options.journal.entries) this.#replay(entry);
    for (const execution of this.#all.values()) if (execution.outcome === undefined) this.#run(execution);
  }

  get running(): number {
    return this.#running.size;
  }

  /** Never resolves; rejects if a machine cannot run. */
  get failure(): Promise<never> {
    return this.#failure.promise;
  }

  /**
   * Starts an execution, or returns the running one with the same name and input.
   *
   * @throws JsonApiError StateMachineDoesNotExist, InvalidName, InvalidExecutionInput, ExecutionAlreadyExists
   */
  start(machineArn: string, name: string, input: string): Execution {
    this.#checkMachine(machineArn);
    checkName(name);
    checkInput(input);
    const arn = `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`;
    const existing = this.#all.get(arn);
    if (existing !== undefined) {
      if (existing.outcome === undefined && existing.input === input) return existing;
      throw new JsonApiError('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`);
    }
    const execution = this.#record(arn, {
      op: 'start',
      machine: machineArn,
      name,
      input,
      atEpochMs: this.#now(),
    });
    this.#run(execution);
    return execution;
  }

  /** @throws JsonApiError ExecutionDoesNotExist */
  describe(arn: string): Execution {
    const execution = this.#all.get(arn);
    if (execution === undefined) {
      throw new JsonApiError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
    }
    return execution;
  }

  /** Why an execution cannot be redriven; undefined if it can. */
  notRedrivableReason({ outcome, stopEpochMs = 0, redrives }: Execution): string | undefined {
    if (outcome === undefined) return 'Execution is RUNNING and cannot be redriven';
    if (outcome.status === 'SUCCEEDED') return 'Execution is SUCCEEDED and cannot be redriven';
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
    const execution = this.#record(arn, { op: 'redrive', atEpochMs: this.#now() });
    this.#run(execution);
    return execution;
  }

  /**
   * Stops an execution; has no effect on one that has ended.
   *
   * @throws JsonApiError ExecutionDoesNotExist, ValidationException
   */
  stop(arn: string, error?: string, cause?: string): Execution {
    checkLength('error', error, MAX_ERROR);
    checkLength('cause', cause, MAX_CAUSE);
    const execution = this.describe(arn) as ExecutionRecord;
    if (execution.outcome === undefined) this.#end(execution, { status: 'ABORTED', error, cause });
    return execution;
  }

  /** Executions of a machine, the most recently started first. @throws JsonApiError StateMachineDoesNotExist */
  list(machineArn: string): Execution[] {
    this.#checkMachine(machineArn);
    return [...this.#all.values()].filter((execution) => execution.machineArn === machineArn).reverse();
  }

  /** Ids of the deployments whose executions run or can be redriven. */
  deploymentsInUse(): string[] {
    return [...this.#all.values()].flatMap((execution) => {
      const { deployment, outcome } = execution;
      const needed = outcome === undefined || this.notRedrivableReason(execution) === undefined;
      return needed && deployment !== undefined ? [deployment] : [];
    });
  }

  /** Resolves when no execution runs. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenIdle.push(resolve);
      this.#checkIdle();
    });
  }

  /** Aborts all runs; the next start with the same journal continues them. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { controller } of this.#all.values()) controller?.abort(CLOSED);
    await Promise.all(this.#running);
  }

  #checkMachine(arn: string): void {
    if (this.#options.machineArns.includes(arn)) return;
    throw new JsonApiError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
  }

  #run(execution: ExecutionRecord): void {
    const run = this.#runWithSpace(execution)
      .catch((error: unknown) => {
        if (error !== CLOSED) this.#failure.reject(error);
      })
      .finally(() => {
        this.#running.delete(run);
        this.#checkIdle();
      });
    this.#running.add(run);
  }

  /** After a journal entry that the disk did not take, continues from the last stored one, as the next start would. */
  async #runWithSpace(execution: ExecutionRecord): Promise<void> {
    while (execution.outcome === undefined) {
      const controller = new AbortController();
      execution.controller = controller;
      try {
        return await this.#runToEnd(execution, controller);
      } catch (error) {
        if (!isDiskFull(error)) throw error;
        this.#fault(error);
        // Children of a map may still run.
        controller.abort(CLOSED);
        execution.controller = new AbortController();
        await this.#waitForSpace(execution.controller.signal);
        if (this.#closed) throw CLOSED;
      }
    }
  }

  #waitForSpace(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.dependencies.clock.after(FULL_DISK_RETRY_MS, resolve);
      signal.addEventListener('abort', () => {
        cancel();
        resolve();
      });
    });
  }

  #fault(error: unknown): void {
    const { onFault = (reason) => writeFault('states', reason) } = this.#options;
    onFault(error);
  }

  /** Ends an execution that reached its timeout; on a full disk, later. */
  #timeOut(execution: ExecutionRecord): void {
    try {
      this.#end(execution, { status: 'TIMED_OUT' });
    } catch (error) {
      this.#fault(error);
      this.#options.dependencies.clock.after(FULL_DISK_RETRY_MS, () => this.#timeOut(execution));
    }
  }

  async #runToEnd(execution: ExecutionRecord, controller: AbortController): Promise<void> {
    const { dependencies, load } = this.#options;
    const { arn, name, machineArn, progress } = execution;
    const { deployment, machine, isAllowed = () => true } = await load(machineArn, execution.deployment);
    // Before any state runs: the execution keeps this deployment, also after a redrive.
    if (execution.deployment === undefined) this.#record(arn, { op: 'deployment', id: deployment });
    const input = JSON.parse(execution.input) as Json;
    const startTime = new Date(execution.startEpochMs).toISOString();
    const context = {
      Execution: { Id: arn, Name: name, Input: input, StartTime: startTime },
      StateMachine: { Id: machineArn, Name: machineArn.slice(machineArn.lastIndexOf(':') + 1) },
    };
    const sinceEpochMs = execution.redriveEpochMs ?? execution.startEpochMs;
    const timeoutMs = 1000 * (machine.TimeoutSeconds ?? 0);
    // A start in the future: the system's time was set back before a restart.
    const leftMs = Math.min(timeoutMs, sinceEpochMs + timeoutMs - this.#now());
    const cancel =
      machine.TimeoutSeconds === undefined
        ? () => {}
        : dependencies.clock.after(Math.max(0, leftMs), () => this.#timeOut(execution));
    try {
      const output = await runStates({
        machine,
        input,
        context,
        progress,
        signal: controller.signal,
        dependencies,
        isAllowed,
      });
      this.#end(execution, { status: 'SUCCEEDED', output });
    } catch (error) {
      if (controller.signal.aborted) {
        // The caller that aborted has recorded the outcome, except at a close.
        if (controller.signal.reason === CLOSED) throw CLOSED;
      } else if (error instanceof StateError) {
        this.#end(execution, {
          status: 'FAILED',
          // A Fail state may have neither.
          error: error.errorName || undefined,
          cause: error.message || undefined,
        });
      } else throw error;
    } finally {
      cancel();
    }
  }

  #end(execution: ExecutionRecord, outcome: Outcome): void {
    if (execution.outcome !== undefined || this.#closed) return;
    const stopEpochMs = this.#now();
    this.#options.onEnd?.({ ...execution, outcome, stopEpochMs });
    this.#record(execution.arn, { op: 'stop', outcome, atEpochMs: stopEpochMs });
    execution.controller?.abort(outcome);
  }

  #record(arn: string, entry: DistributiveOmit<JournalEntry, 'execution'>): ExecutionRecord {
    const complete = { execution: arn, ...entry } as JournalEntry;
    this.#options.journal.append(complete);
    return this.#replay(complete);
  }

  #replay(entry: JournalEntry): ExecutionRecord {
    const { execution: arn } = entry;
    if (entry.op === 'start') {
      const { machine: machineArn, name, input, atEpochMs: startEpochMs } = entry;
      const progress = new ExecutionProgress((change) =>
        this.#options.journal.append({ execution: arn, ...change }),
      );
      const started: ExecutionRecord = { arn, machineArn, name, input, startEpochMs, redrives: 0, progress };
      this.#all.set(arn, started);
      return started;
    }
    const execution = this.#all.get(arn)!;
    if (entry.op === 'stop') {
      execution.outcome = entry.outcome;
      execution.stopEpochMs = entry.atEpochMs;
    } else if (entry.op === 'deployment') {
      execution.deployment = entry.id;
    } else {
      if (entry.op === 'redrive') {
        execution.outcome = undefined;
        execution.stopEpochMs = undefined;
        execution.redrives++;
        execution.redriveEpochMs = entry.atEpochMs;
      }
      execution.progress.apply(entry);
    }
    return execution;
  }

  #now(): number {
    return this.#options.dependencies.clock.nowEpochMs();
  }

  #checkIdle(): void {
    if (this.#running.size > 0) return;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** 1 to 80 characters, without spaces, brackets, wildcards, special or control characters. */
function checkName(name: string): void {
  if (name.length >= 1 && name.length <= 80 && !/[\s<>{}[\]?*"#%\\^|~`$&,;:/\p{Cc}]/u.test(name)) return;
  throw new JsonApiError('InvalidName', `Invalid Name: '${name}'`);
}

function checkLength(name: string, value: string | undefined, max: number): void {
  if (value === undefined || value.length <= max) return;
  const message = `Value at '${name}' failed to satisfy constraint: Member must have length less than or equal to ${max}`;
  throw new JsonApiError('ValidationException', message);
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
