/**
 * Runs the states of a definition, from the beginning or from where an earlier run had come to.
 *
 * Not as in the service: a function that is still running when its state times out, or its execution ends, is not
 * waited for; its place in its host stays taken until it answers.
 */
import type { InvocationResult } from '../functions/invocation-result.ts';
import type { QueueClock } from '../queue/queue-clock.ts';
import type { ChoiceState, Retrier, State, StateMachine, TaskState, WaitState } from './definition.ts';
import { runMap } from './map-state.ts';
import type { Track } from './progress.ts';
import { fillTemplate, type Json, type PathScope, readPath, writePath } from './reference-path.ts';
import { RetryBook } from './retry.ts';
import { checkSize, StateError } from './state-error.ts';

/** What states use of the world. */
export interface Surroundings {
  /** Runs a function by its ARN. */
  invoke(functionArn: string, payload: Json): Promise<InvocationResult>;
  /** Text of an object; undefined where there is none. */
  readText(bucket: string, key: string): Promise<string | undefined>;
  writeText(bucket: string, key: string, text: string): Promise<void>;
  readonly clock: QueueClock;
  /** From 0 inclusive to 1 exclusive. */
  random(): number;
  /** A UUID. */
  newId(): string;
  /** Most children of a map at one time, where its definition allows more. */
  readonly concurrency: number;
}

/** One run of states. */
export interface StateRun {
  readonly machine: StateMachine;
  readonly input: Json;
  /** What `$$` leads to. */
  readonly context: { readonly [name: string]: Json };
  readonly track: Track;
  /** Ends the run; its reason is thrown. */
  readonly signal: AbortSignal;
  readonly surroundings: Surroundings;
}

/**
 * Runs states until one ends them.
 *
 * @returns the output of the last one
 * @throws StateError where one failed for good; the signal's reason where the run was ended
 */
export async function runStates(run: StateRun): Promise<Json> {
  const { machine, track } = run;
  let { state: name, input } = track.position ?? { state: machine.StartAt, input: run.input };
  for (;;) {
    run.signal.throwIfAborted();
    const state = machine.States[name]!;
    const going = track.position?.state === name && track.position.input === input;
    if (!going)
      track.enter({ state: name, input }, state.Type === 'Map' ? run.surroundings.newId() : undefined);
    checkSize(input, `The input of ${name}`);
    if (state.Type === 'Succeed') return input;
    if (state.Type === 'Fail') throw new StateError(state.Error ?? '', state.Cause ?? '');
    if (state.Type === 'Choice') {
      name = chosen(name, state, scopeOf(run, input));
      continue;
    }
    const output = await visit(run, name, state, input);
    checkSize(output, `The output of ${name}`);
    if (state.Next === undefined) return output;
    [name, input] = [state.Next, output];
  }
}

/** What a state makes of its input, with its retries. */
async function visit(
  run: StateRun,
  name: string,
  state: Exclude<State, { Type: 'Choice' | 'Succeed' | 'Fail' }>,
  input: Json,
): Promise<Json> {
  const scope = scopeOf(run, input);
  switch (state.Type) {
    case 'Pass': {
      const result = state.Parameters === undefined ? input : fillTemplate(state.Parameters, scope);
      return placed(state.ResultPath, input, result);
    }
    case 'Wait':
      await pause(run, waitMs(state, scope, run.surroundings.clock.nowEpochMs()));
      return input;
    case 'Task': {
      const result = await retried(run, state.Retry, () => runTask(run, state, scope));
      return placed(state.ResultPath, input, result);
    }
    case 'Map': {
      const result = await retried(
        run,
        state.Retry,
        () => runMap(run, state, scope),
        // Children of another try are not this one's.
        () => run.track.enter({ state: name, input }, run.surroundings.newId()),
      );
      return placed(state.ResultPath, input, result);
    }
  }
}

function scopeOf({ context }: StateRun, data: Json): PathScope {
  return { data, context };
}

function placed(path: string | null | undefined, input: Json, result: Json): Json {
  return path === null ? input : writePath(path ?? '$', input, result);
}

function chosen(name: string, state: ChoiceState, scope: PathScope): string {
  for (const { Variable, StringEquals, BooleanEquals, Next } of state.Choices) {
    if (readPath(Variable, scope) === (StringEquals ?? BooleanEquals)) return Next;
  }
  if (state.Default !== undefined) return state.Default;
  throw new StateError('States.NoChoiceMatched', `No choice of ${name} matches, and it has no default`);
}

function waitMs(state: WaitState, scope: PathScope, nowEpochMs: number): number {
  const { Seconds, SecondsPath, TimestampPath } = state;
  const seconds = SecondsPath === undefined ? Seconds : readPath(SecondsPath, scope);
  if (typeof seconds === 'number') return 1000 * seconds;
  const time = TimestampPath === undefined ? state.Timestamp : readPath(TimestampPath, scope);
  const epochMs = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  if (Number.isNaN(epochMs)) {
    throw new StateError(
      'States.Runtime',
      `A Wait found ${JSON.stringify(seconds ?? time)}, and expected a time`,
    );
  }
  return Math.max(0, epochMs - nowEpochMs);
}

async function retried(
  run: StateRun,
  retriers: readonly Retrier[] | undefined,
  attempt: () => Promise<Json>,
  beforeNext: () => void = () => {},
): Promise<Json> {
  const book = new RetryBook(retriers);
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      const delayMs = book.delayMs(error, run.surroundings.random);
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
  checkSize(Payload, 'The payload');
  const limit = limitOf(run, state.TimeoutSeconds);
  try {
    const result = await until(run.surroundings.invoke(FunctionName, Payload), run.signal, limit.expired);
    if (!result.ok) {
      const { errorType, errorMessage, trace } = result.error;
      throw new StateError(errorType, JSON.stringify({ errorMessage, errorType, trace }));
    }
    const answer: Json = { ExecutedVersion: '$LATEST', Payload: result.payload as Json, StatusCode: 200 };
    checkSize(answer, 'The answer of the function');
    return state.ResultSelector === undefined
      ? answer
      : fillTemplate(state.ResultSelector, { data: answer, context: scope.context });
  } finally {
    limit.cancel();
  }
}

function limitOf({ surroundings }: StateRun, seconds: number | undefined) {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  expired.catch(() => {});
  const cancel =
    seconds === undefined
      ? () => {}
      : surroundings.clock.after(1000 * seconds, () =>
          reject(new StateError('States.Timeout', `No answer within ${seconds} seconds`)),
        );
  return { expired, cancel };
}

async function pause({ surroundings, signal }: StateRun, delayMs: number): Promise<void> {
  let cancel = () => {};
  try {
    await until(
      new Promise<void>((resolve) => {
        cancel = surroundings.clock.after(delayMs, resolve);
      }),
      signal,
    );
  } finally {
    cancel();
  }
}

/** What is awaited, unless the run is ended before. */
async function until<T>(awaited: Promise<T>, signal: AbortSignal, ...others: Promise<never>[]): Promise<T> {
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
