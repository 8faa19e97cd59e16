/**
 * How far an execution has come: what must be known to go on from there, after a redrive as after the plug was pulled.
 *
 *     execution: position { state, input }
 *                mapRun, while that state is a map:  child 0: position, outcome
 *                                                    child 1: position, outcome ...
 */
import type { Json } from './reference-path.ts';

/** A state that was entered and not left. */
export interface Position {
  readonly state: string;
  readonly input: Json;
}

/** How an execution, or a child of a map, ended. */
export type Outcome =
  | { readonly status: 'SUCCEEDED'; readonly output: Json }
  | {
      readonly status: 'FAILED' | 'TIMED_OUT' | 'ABORTED';
      readonly error?: string;
      readonly cause?: string;
    };

/** What happens to the progress; the journal keeps these. A child is named by the index of its item, from 0. */
export type ProgressEntry =
  | { readonly op: 'enter'; readonly child?: number; readonly position: Position; readonly mapRun?: string }
  | { readonly op: 'end'; readonly child: number; readonly outcome: Outcome }
  | { readonly op: 'redrive' };

/** Where a run of states stands: an execution's, or a child's. */
export interface Track {
  readonly position: Position | undefined;
  readonly mapRun: MapRun | undefined;
  /** @param mapRun id of the map run that begins, where the state is a map */
  enter(position: Position, mapRun?: string): void;
}

interface Child {
  position?: Position;
  outcome?: Outcome;
}

/** The children of the map that an execution is in. */
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

  /** A child's own track; it has no maps in it. */
  track(index: number): Track {
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

/** An execution's progress, and all that changes it. */
export class Progress implements Track {
  position: Position | undefined;
  mapRun: MapRun | undefined;
  readonly #keep: (entry: ProgressEntry) => void;

  /** @param keep writes an entry down before it holds */
  constructor(keep: (entry: ProgressEntry) => void) {
    this.#keep = keep;
  }

  enter(position: Position, mapRun?: string): void {
    this.#record({ op: 'enter', position, mapRun });
  }

  /** What failed is to be done again; what ended well is not. */
  redrive(): void {
    this.#record({ op: 'redrive' });
  }

  /** Makes an entry of an earlier run hold again. */
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
    this.#keep(entry);
    this.apply(entry);
  }
}
