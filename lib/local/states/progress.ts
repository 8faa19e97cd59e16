/**
 * Progress of an execution: what is needed to continue it, after a redrive or after a crash.
 *
 *     execution: position { state, input }, outcome
 *                mapRun, while that state is a map:  child 0: position, outcome
 *                                                    child 1: position, outcome ...
 */
import type { Json } from './paths.ts';

/** The state that a run entered last, and its input. */
export interface Position {
  readonly state: string;
  readonly input: Json;
}

/** Result of an execution or of a map child. */
export type Outcome =
  | { readonly status: 'SUCCEEDED'; readonly output: Json }
  | {
      readonly status: 'FAILED' | 'TIMED_OUT' | 'ABORTED';
      readonly error?: string;
      readonly cause?: string;
    };

/** The children of the map state that an execution is in; one that has not started has no entry. */
export interface MapRun {
  readonly id: string;
  readonly children: Progress[];
}

export interface Progress {
  position?: Position;
  /** Undefined while it runs. */
  outcome?: Outcome;
  mapRun?: MapRun;
}

/** A change, as the journal stores it. `child` is the index of a child's item, from 0; undefined for the execution. */
export type ProgressEntry =
  | {
      readonly op: 'enter';
      readonly child?: number;
      readonly position: Position;
      /** Id of the new map run, if the state is a map. */
      readonly mapRun?: string;
    }
  | { readonly op: 'end'; readonly child?: number; readonly outcome: Outcome };

/** Applies a change to an execution. */
export function applyProgress(execution: Progress, entry: ProgressEntry): void {
  const progress = entry.child === undefined ? execution : childOf(execution, entry.child);
  if (entry.op === 'end') progress.outcome = entry.outcome;
  else {
    progress.position = entry.position;
    progress.mapRun = entry.mapRun === undefined ? undefined : { id: entry.mapRun, children: [] };
  }
}

/** A child of the current map. */
export function childOf({ mapRun }: Progress, index: number): Progress {
  const children = mapRun!.children;
  children[index] ??= {};
  return children[index];
}
