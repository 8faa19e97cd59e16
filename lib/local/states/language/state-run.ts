/** One run of states, and the interfaces that it depends on. */
import type { InvocationResult } from '../../functions/invocation-result.ts';
import type { TimerClock } from '../../timer-clock.ts';
import type { StateMachine } from './definition.ts';
import type { RunProgress } from './progress.ts';
import type { Json } from './reference-path.ts';

/** Functions, storage, time and randomness that states use. */
export interface StateDependencies {
  /** Runs a function by its ARN. */
  invoke(functionArn: string, payload: Json): Promise<InvocationResult>;
  /** Text of an object; undefined if the object does not exist. */
  readText(bucket: string, key: string): Promise<string | undefined>;
  writeText(bucket: string, key: string, text: string): Promise<void>;
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
  readonly progress: RunProgress;
  /** Ends the run; its reason is thrown. */
  readonly signal: AbortSignal;
  readonly dependencies: StateDependencies;
  /** Whether the role of the state machine may do something. @param resource ARN */
  readonly isAllowed: (action: string, resource: string) => boolean;
}

/** Runs states until one ends the run, and returns the output of the last one. */
export type RunStates = (run: StateRun) => Promise<Json>;
