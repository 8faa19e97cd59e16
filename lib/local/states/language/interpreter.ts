/**
 * Runs the states of a definition, from the start or from the recorded progress of an earlier run.
 *
 * Difference from the service: if a state times out or its execution ends, its function keeps running, and occupies its
 * slot in the function host until it answers.
 */
import { LATEST_VERSION, parseFunctionArn } from '../../functions/lambda-environment.ts';
import {
  type ChoiceState,
  isTimestamp,
  type Retrier,
  type State,
  type TaskState,
  type WaitState,
} from './definition.ts';
import { runMap } from './map-state.ts';
import { checkAllowed } from './permission.ts';
import { fillTemplate, type Json, type PathScope, readPath, writePath } from './reference-path.ts';
import { RetryCounter } from './retry.ts';
import { checkSize, StateError, StateFault } from './state-error.ts';
import type { StateRun } from './state-run.ts';

/**
 * Runs states until one ends the run.
 *
 * @returns the output of the last state
 * @throws StateError if a state failed in its last try; the signal's reason if the run was aborted
 */
export async function runStates(run: StateRun): Promise<Json> {
  const { machine, progress } = run;
  let { state: name, input } = progress.position ?? { state: machine.StartAt, input: run.input };
  for (;;) {
    run.signal.throwIfAborted();
    const state = Object.hasOwn(machine.States, name) ? machine.States[name] : undefined;
    if (state === undefined) throw new StateError('States.Runtime', `The machine has no state ${name}`);
    const isResumed = progress.position?.state === name && progress.position.input === input;
    if (!isResumed) {
      const mapRun = state.Type === 'Map' ? run.dependencies.newId() : undefined;
      progress.enter({ state: name, input }, mapRun);
    }
    try {
      checkSize(input, name);
      if (state.Type === 'Fail') throw new StateError(state.Error ?? '', state.Cause ?? '');
      if (state.Type === 'Choice') name = chooseNext(name, state, scopeOf(run, input));
      else {
        const output = state.Type === 'Succeed' ? input : await runState(run, name, state, input);
        checkSize(output, name);
        if (state.Type === 'Succeed' || state.Next === undefined) return output;
        [name, input] = [state.Next, output];
      }
    } catch (error) {
      throw error instanceof StateFault ? error.in(name) : error;
    }
  }
}

/** Returns the output of a state, after retries if needed. */
async function runState(
  run: StateRun,
  name: string,
  state: Exclude<State, { Type: 'Choice' | 'Succeed' | 'Fail' }>,
  input: Json,
): Promise<Json> {
  const scope = scopeOf(run, input);
  switch (state.Type) {
    case 'Pass': {
      const result = state.Parameters === undefined ? input : fillTemplate(state.Parameters, scope);
      return applyResultPath(state.ResultPath, input, result);
    }
    case 'Wait':
      await pause(run, waitMs(state, scope, run.dependencies.clock.nowEpochMs()));
      return input;
    case 'Task': {
      const result = await withRetries(run, state.Retry, () => runTask(run, state, scope));
      return applyResultPath(state.ResultPath, input, result);
    }
    case 'Map': {
      const result = await withRetries(
        run,
        state.Retry,
        () => runMap(run, state, scope, runStates),
        // Each try has its own map run and children.
        () => run.progress.enter({ state: name, input }, run.dependencies.newId()),
      );
      return applyResultPath(state.ResultPath, input, result);
    }
  }
}

function scopeOf({ context }: StateRun, data: Json): PathScope {
  return { data, context };
}

function applyResultPath(path: string | null | undefined, input: Json, result: Json): Json {
  return path === null ? input : writePath(path ?? '$', input, result);
}

function chooseNext(name: string, state: ChoiceState, scope: PathScope): string {
  for (const { Variable, StringEquals, BooleanEquals, Next } of state.Choices) {
    const value = readPath(Variable, scope);
    if (value === undefined) {
      throw new StateFault(
        `Invalid path '${Variable}': The choice state's condition path references an invalid value.`,
      );
    }
    if (value === (StringEquals ?? BooleanEquals)) return Next;
  }
  if (state.Default !== undefined) return state.Default;
  throw new StateError('States.NoChoiceMatched', `No choice of ${name} matches, and ${name} has no default`);
}

function waitMs(state: WaitState, scope: PathScope, nowEpochMs: number): number {
  const { Seconds = 0, SecondsPath, Timestamp, TimestampPath } = state;
  if (SecondsPath !== undefined) return 1000 * secondsAt(SecondsPath, scope);
  const time = TimestampPath === undefined ? Timestamp : readPath(TimestampPath, scope);
  if (time === undefined) {
    if (TimestampPath === undefined) return 1000 * Seconds;
    throw new StateFault(`The TimestampPath parameter does not reference an input value: ${TimestampPath}`);
  }
  if (isTimestamp(time)) return Math.max(0, Date.parse(time) - nowEpochMs);
  throw new StateFault(
    `The TimestampPath parameter does not reference a valid ISO-8601 extended offset date-time format string: ${TimestampPath} == ${asText(time)}`,
  );
}

function secondsAt(path: string, scope: PathScope): number {
  const seconds = readPath(path, scope);
  if (seconds === undefined) {
    throw new StateFault(`The SecondsPath parameter does not reference an input value: ${path}`);
  }
  const found = `${path} == ${asText(seconds)}`;
  if (!Number.isInteger(seconds)) {
    throw new StateFault(`The SecondsPath parameter cannot be parsed as a long value: ${found}`);
  }
  if ((seconds as number) >= 0) return seconds as number;
  throw new StateFault(`The SecondsPath parameter references a negative value: ${found}`);
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

async function withRetries(
  run: StateRun,
  retriers: readonly Retrier[] | undefined,
  attempt: () => Promise<Json>,
  beforeNext: () => void = () => {},
): Promise<Json> {
  const retries = new RetryCounter(retriers);
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      const delayMs = retries.delayMs(error, run.dependencies.random);
      if (delayMs === undefined) throw error;
      await pause(run, delayMs);
      beforeNext();
    }
  }
}

async function runTask(run: StateRun, state: TaskState, scope: PathScope): Promise<Json> {
  const { FunctionName, Payload } = fillTemplate(state.Parameters, scope) as {
    FunctionName: string;
    Payload: Json;
  };
  checkSize(Payload, 'lambda');
  checkAllowed(run, 'lambda:InvokeFunction', FunctionName, 'Lambda.AWSLambdaException');
  const timeout = startTimeout(run, state.TimeoutSeconds);
  try {
    const result = await orAborted(
      run.dependencies.invoke(FunctionName, Payload),
      run.signal,
      timeout.expired,
    );
    if (!result.ok) {
      const { errorType, errorMessage, trace } = result.error;
      throw new StateError(errorType, JSON.stringify({ errorMessage, errorType, trace }));
    }
    const version = parseFunctionArn(FunctionName).version ?? LATEST_VERSION;
    const response = invokeResponse(version, result.payload as Json, result.requestId);
    checkSize(response, 'lambda');
    return state.ResultSelector === undefined
      ? response
      : fillTemplate(state.ResultSelector, { data: response, context: scope.context });
  } finally {
    timeout.cancel();
  }
}

/** The response of Lambda's Invoke, of which all counts for the size limit of the state. */
function invokeResponse(version: string, payload: Json, requestId: string): Json {
  const headers = {
    'X-Amz-Executed-Version': version,
    'x-amzn-Remapped-Content-Length': '0',
    Connection: 'keep-alive',
    'x-amzn-RequestId': requestId,
    'Content-Length': String(Buffer.byteLength(JSON.stringify(payload) ?? '')),
    Date: 'Thu, 01 Jan 2026 00:00:00 GMT',
    'X-Amzn-Trace-Id': `root=1-00000000-${'0'.repeat(24)};parent=${'0'.repeat(16)};sampled=0;lineage=1:00000000:0`,
    'Content-Type': 'application/json',
  };
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  return {
    ExecutedVersion: version,
    Payload: payload,
    SdkHttpMetadata: { AllHttpHeaders: lists, HttpHeaders: headers, HttpStatusCode: 200 },
    SdkResponseMetadata: { RequestId: requestId },
    StatusCode: 200,
  };
}

function startTimeout({ dependencies }: StateRun, seconds: number | undefined) {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  expired.catch(() => {});
  const cancel =
    seconds === undefined
      ? () => {}
      : dependencies.clock.after(1000 * seconds, () => reject(new StateError('States.Timeout', '')));
  return { expired, cancel };
}

async function pause({ dependencies, signal }: StateRun, delayMs: number): Promise<void> {
  let cancel = () => {};
  try {
    await orAborted(
      new Promise<void>((resolve) => {
        cancel = dependencies.clock.after(delayMs, resolve);
      }),
      signal,
    );
  } finally {
    cancel();
  }
}

/** Awaits a promise; throws earlier if the run is aborted or one of the others rejects. */
async function orAborted<T>(
  awaited: Promise<T>,
  signal: AbortSignal,
  ...others: Promise<never>[]
): Promise<T> {
  signal.throwIfAborted();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([awaited, ended, ...others]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
