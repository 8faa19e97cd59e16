/**
 * Runs the states of a definition, from the start or from the recorded progress of an earlier run.
 *
 * Difference from the service: if a state times out or its execution ends, its function keeps running, and occupies its
 * slot in the function host until it answers.
 */
import type { InvocationResult } from '../functions/invocation-result.ts';
import type { TimerClock } from '../timer-clock.ts';
import type { Retrier, State, StateMachine, TaskState } from './definition.ts';
import { runMap } from './map.ts';
import { fillTemplate, type Json, type PathScope, readPath, StateError, writePath } from './paths.ts';
import type { Position, Progress, ProgressEntry } from './progress.ts';

/** Largest data in bytes of UTF-8, inclusive, of a state's input or output. */
const MAX_DATA_BYTES = 262_144;

/** Functions, storage, time and randomness that states use. */
export interface StateDependencies {
  /** Runs a function by its ARN. */
  invoke(functionArn: string, payload: Json): Promise<InvocationResult>;
  /** Text of an object; undefined if the object does not exist. */
  readText(bucket: string, key: string): Promise<string | undefined>;
  readonly clock: TimerClock;
  /** From 0 inclusive to 1 exclusive. */
  random(): number;
  /** A UUID. */
  newId(): string;
  /** Upper bound of a map's concurrent children, in addition to the definition's own. */
  readonly concurrency: number;
}

/** One run of states: an execution's, or a map child's. */
export interface StateRun {
  readonly machine: StateMachine;
  readonly input: Json;
  /** The context object that `$$` refers to. */
  readonly context: { readonly [name: string]: Json };
  /** Of an earlier run, and of this one. */
  readonly progress: Progress;
  /** Stores and applies a change of the progress. */
  readonly record: (entry: ProgressEntry) => void;
  /** Ends the run; its reason is thrown. */
  readonly signal: AbortSignal;
  readonly dependencies: StateDependencies;
  /** Whether the role of the state machine may do something. @param resource ARN */
  readonly isAllowed: (action: string, resource: string) => boolean;
}

/**
 * Runs states until one ends the run.
 *
 * @returns the output of the last state
 * @throws StateError if a state failed in its last try; the signal's reason if the run was aborted
 */
export async function runStates(run: StateRun): Promise<Json> {
  const { machine, progress } = run;
  const reached = progress.position;
  let position = reached ?? { state: machine.StartAt, input: run.input };
  for (;;) {
    run.signal.throwIfAborted();
    const { state: name, input } = position;
    const state = Object.hasOwn(machine.States, name) ? machine.States[name] : undefined;
    if (state === undefined) throw new StateError('States.Runtime', `The machine has no state ${name}`);
    if (position !== reached) enter(run, state, position);
    checkSize(input, name);
    try {
      if (state.Type === 'Fail') throw new StateError(state.Error, state.Cause);
      const output = await outputOf(run, state, position);
      checkSize(output, name);
      const next =
        state.Type === 'Choice' ? choose(state, scopeOf(run, input)) : 'Next' in state && state.Next;
      if (!next) return output;
      position = { state: next, input: output };
    } catch (error) {
      if (!(error instanceof StateError) || error.errorName !== 'States.Runtime') throw error;
      const cause = `An error occurred while executing the state '${name}'. ${error.message}`;
      throw new StateError(error.errorName, cause);
    }
  }
}

/** Each visit of a map, and each of its tries, has a map run and children of its own. */
function enter({ record, dependencies }: StateRun, state: State, position: Position): void {
  record({ op: 'enter', position, mapRun: state.Type === 'Map' ? dependencies.newId() : undefined });
}

/** Returns the output of a state, after retries if needed. */
async function outputOf(run: StateRun, state: State, position: Position): Promise<Json> {
  const { input } = position;
  const scope = scopeOf(run, input);
  let result = input;
  switch (state.Type) {
    case 'Pass':
      if (state.Parameters !== undefined) result = fillTemplate(state.Parameters, scope);
      break;
    case 'Wait':
      await pause(
        run,
        1000 * (state.SecondsPath === undefined ? state.Seconds : secondsAt(state.SecondsPath, scope)),
      );
      return input;
    case 'Task':
      result = await withRetries(run, state.Retry, () => runTask(run, state, scope));
      break;
    case 'Map':
      await withRetries(
        run,
        state.Retry,
        () => runMap(run, state, scope),
        () => enter(run, state, position),
      );
      return input;
    default:
      return input;
  }
  return state.ResultPath === null ? input : writePath(state.ResultPath ?? '$', input, result);
}

function scopeOf({ context }: StateRun, data: Json): PathScope {
  return { data, context };
}

function choose({ Choices, Default }: State & { Type: 'Choice' }, scope: PathScope): string {
  for (const { Variable, StringEquals, BooleanEquals, Next } of Choices) {
    const value = readPath(Variable, scope);
    if (value === undefined) {
      const message = `Invalid path '${Variable}': The choice state's condition path references an invalid value.`;
      throw new StateError('States.Runtime', message);
    }
    if (value === (StringEquals ?? BooleanEquals)) return Next;
  }
  if (Default !== undefined) return Default;
  throw new StateError('States.NoChoiceMatched', 'No choice matches, and there is no default');
}

function secondsAt(path: string, scope: PathScope): number {
  const seconds = readPath(path, scope);
  const found = `${path} == ${JSON.stringify(seconds)}`;
  let problem = `does not reference an input value: ${path}`;
  if (Number.isInteger(seconds)) problem = `references a negative value: ${found}`;
  else if (seconds !== undefined) problem = `cannot be parsed as a long value: ${found}`;
  if (Number.isInteger(seconds) && (seconds as number) >= 0) return seconds as number;
  throw new StateError('States.Runtime', `The SecondsPath parameter ${problem}`);
}

/** Repeats what failed, as the first retrier for its error says. */
async function withRetries<Result>(
  run: StateRun,
  retriers: readonly Retrier[],
  attempt: () => Promise<Result>,
  beforeNext: () => void = () => {},
): Promise<Result> {
  const attempts = new Map<Retrier, number>();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      const retrier = retriers.find(({ ErrorEquals }) =>
        ErrorEquals.some((name) => matches(name, error.errorName)),
      );
      const before = (retrier && attempts.get(retrier)) ?? 0;
      if (retrier === undefined || before >= retrier.MaxAttempts) throw error;
      attempts.set(retrier, before + 1);
      const {
        IntervalSeconds,
        BackoffRate,
        MaxDelaySeconds = Number.POSITIVE_INFINITY,
        JitterStrategy,
      } = retrier;
      const seconds = Math.min(IntervalSeconds * BackoffRate ** before, MaxDelaySeconds);
      await pause(run, 1000 * seconds * (JitterStrategy === 'FULL' ? run.dependencies.random() : 1));
      beforeNext();
    }
  }
}

function matches(name: string, error: string): boolean {
  if (name === error) return true;
  // Wildcards do not match these: a retry cannot help.
  if (['States.Runtime', 'States.DataLimitExceeded'].includes(error)) return false;
  return name === 'States.ALL' || (name === 'States.TaskFailed' && error !== 'States.Timeout');
}

async function runTask(run: StateRun, state: TaskState, scope: PathScope): Promise<Json> {
  const { FunctionName } = state.Parameters;
  const payload = fillTemplate(state.Parameters.Payload, scope);
  checkSize(payload, 'lambda');
  checkAllowed(run, 'lambda:InvokeFunction', FunctionName, 'Lambda.AWSLambdaException');
  const timeout = Promise.withResolvers<never>();
  const { TimeoutSeconds } = state;
  const cancel =
    TimeoutSeconds === undefined
      ? () => {}
      : run.dependencies.clock.after(1000 * TimeoutSeconds, () =>
          timeout.reject(new StateError('States.Timeout', '')),
        );
  try {
    const result = await orAborted(
      run.signal,
      run.dependencies.invoke(FunctionName, payload),
      timeout.promise,
    );
    if (!result.ok) {
      const { errorType, errorMessage, trace } = result.error;
      throw new StateError(errorType, JSON.stringify({ errorMessage, errorType, trace }));
    }
    const data = { Payload: result.payload as Json, StatusCode: 200 };
    checkSize(data, 'lambda');
    return state.ResultSelector === undefined
      ? data
      : fillTemplate(state.ResultSelector, { data, context: scope.context });
  } finally {
    cancel();
  }
}

async function pause({ dependencies, signal }: StateRun, delayMs: number): Promise<void> {
  const elapsed = Promise.withResolvers<void>();
  const cancel = dependencies.clock.after(delayMs, elapsed.resolve);
  try {
    await orAborted(signal, elapsed.promise);
  } finally {
    cancel();
  }
}

/** Awaits the first of some promises; throws earlier if the run is aborted. */
async function orAborted<T>(signal: AbortSignal, ...awaited: Promise<T>[]): Promise<T> {
  signal.throwIfAborted();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([...awaited, ended]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * Checks data against the size limit of the service.
 *
 * @param source state or service that returned it
 * @throws StateError States.DataLimitExceeded
 */
function checkSize(data: unknown, source: string): void {
  if (!exceedsLimit(JSON.stringify(data) ?? '')) return;
  throw new StateError(
    'States.DataLimitExceeded',
    `The state/task '${source}' returned a result with a size exceeding the maximum number of bytes service limit.`,
  );
}

/** Whether JSON text is too long for the service. */
export function exceedsLimit(text: string): boolean {
  return Buffer.byteLength(text) > MAX_DATA_BYTES;
}

/**
 * Checks that the role of the state machine may do something.
 *
 * @param resource ARN
 * @param errorName of the error that the service raises if not
 * @throws StateError
 */
export function checkAllowed(
  { isAllowed }: StateRun,
  action: string,
  resource: string,
  errorName: string,
): void {
  if (isAllowed(action, resource)) return;
  const message = `The role of the state machine has no permission for ${action} on ${resource}`;
  throw new StateError(errorName, message);
}
