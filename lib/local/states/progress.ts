/**
 * Progress of an execution: the state needed to continue it, after a redrive or after a crash.
 *
 *     execution: position { state, input }
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

/** A change of the progress, as the journal stores it. `child` is the index of its item, from 0. */
export type ProgressEntry =
  | {
      readonly op: 'enter';
      readonly child?: number;
      readonly position: Position;
      /** Id of the new map run, if the state is a map. */
      readonly mapRun?: string;
    }
  | { readonly op: 'end'; readonly child: number; readonly outcome: Outcome }
  | { readonly op: 'redrive' };

interface Child {
  position?: Position;
  outcome?: Outcome;
}

/** The children of the map state that an execution is in. */
export interface MapRun {
  readonly id: string;
  readonly children: Map<number, Child>;
}

export class ExecutionProgress {
  position: Position | undefined;
  mapRun: MapRun | undefined;
  readonly #store: (entry: ProgressEntry) => void;

  /** @param store stores an entry; called before the entry is applied */
  constructor(store: (entry: ProgressEntry) => void) {
    this.#store = store;
  }

  /** Stores and applies a change. */
  record(entry: ProgressEntry): void {
    this.#store(entry);
    this.apply(entry);
  }

  /** Applies an entry of the journal. */
  apply(entry: ProgressEntry): void {
    if (entry.op === 'redrive') {
      // Every child that did not succeed runs again.
      for (const child of this.mapRun?.children.values() ?? []) {
        if (child.outcome?.status !== 'SUCCEEDED') child.outcome = undefined;
      }
    } else if (entry.op === 'end') {
      this.child(entry.child).outcome = entry.outcome;
    } else if (entry.child !== undefined) {
      this.child(entry.child).position = entry.position;
    } else {
      this.position = entry.position;
      this.mapRun = entry.mapRun === undefined ? undefined : { id: entry.mapRun, children: new Map() };
    }
  }

  /** A child of the current map. */
  child(index: number): Child {
    const { children } = this.mapRun!;
    const child = children.get(index) ?? {};
    children.set(index, child);
    return child;
  }
}
