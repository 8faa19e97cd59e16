/**
 * Progress of an execution: the state needed to continue it, after a redrive or after a crash.
 *
 *     execution: position { state, input }
 *                mapRun, while that state is a map:  child 0: position, outcome
 *                                                    child 1: position, outcome ...
 */
import type { Json } from './reference-path.ts';

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
      readonly mapRun?: string;
    }
  | { readonly op: 'end'; readonly child: number; readonly outcome: Outcome }
  | { readonly op: 'redrive' };

/** Progress of one run of states: an execution's, or a map child's. */
export interface RunProgress {
  readonly position: Position | undefined;
  readonly mapRun: MapRun | undefined;
  /** @param mapRun id of the new map run, if the state is a map */
  enter(position: Position, mapRun?: string): void;
}

interface Child {
  position?: Position;
  outcome?: Outcome;
}

/** The children of the map state that an execution is in. */
export class MapRun {
  readonly id: string;
  readonly children = new Map<number, Child>();
  readonly #record: (entry: ProgressEntry) => void;

  constructor(id: string, record: (entry: ProgressEntry) => void) {
    this.id = id;
    this.#record = record;
  }

  child(index: number): Child {
    const child = this.children.get(index) ?? {};
    this.children.set(index, child);
    return child;
  }

  /** Progress of a child; maps are not nested. */
  childProgress(index: number): RunProgress {
    const child = this.child(index);
    return {
      get position() {
        return child.position;
      },
      mapRun: undefined,
      enter: (position) => this.#record({ op: 'enter', child: index, position }),
    };
  }

  end(index: number, outcome: Outcome): void {
    this.#record({ op: 'end', child: index, outcome });
  }
}

/** Progress of an execution, and every operation that changes it. */
export class ExecutionProgress implements RunProgress {
  position: Position | undefined;
  mapRun: MapRun | undefined;
  readonly #store: (entry: ProgressEntry) => void;

  /** @param store stores an entry; called before the entry is applied */
  constructor(store: (entry: ProgressEntry) => void) {
    this.#store = store;
  }

  enter(position: Position, mapRun?: string): void {
    this.#record({ op: 'enter', position, mapRun });
  }

  /** Clears the outcome of every child that did not succeed, so that it runs again. */
  redrive(): void {
    this.#record({ op: 'redrive' });
  }

  /** Applies an entry, new or from the journal of an earlier run. */
  apply(entry: ProgressEntry): void {
    if (entry.op === 'redrive') {
      for (const child of this.mapRun?.children.values() ?? []) {
        if (child.outcome?.status !== 'SUCCEEDED') child.outcome = undefined;
      }
    } else if (entry.op === 'end') {
      this.mapRun!.child(entry.child).outcome = entry.outcome;
    } else if (entry.child !== undefined) {
      this.mapRun!.child(entry.child).position = entry.position;
    } else {
      this.position = entry.position;
      this.mapRun =
        entry.mapRun === undefined ? undefined : new MapRun(entry.mapRun, (inner) => this.#record(inner));
    }
  }

  #record(entry: ProgressEntry): void {
    this.#store(entry);
    this.apply(entry);
  }
}
