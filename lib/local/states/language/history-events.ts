/**
 * Counts the events that an execution's history would have; the execution fails at the limit of the service.
 *
 *     ExecutionStarted
 *     each state    StateEntered, StateExited
 *     each attempt of a task    TaskScheduled, TaskStarted, TaskSucceeded, TaskFailed or TaskTimedOut
 *     each attempt of a map     MapStateStarted, MapRunStarted, MapRunSucceeded or MapRunFailed, MapStateSucceeded or -Failed
 *
 * A child of a distributed map is an execution with a history of its own.
 */
import { StateError } from './state-error.ts';

/** Inclusive. */
const MAX_EVENTS = 25_000;

export class HistoryEvents {
  /** Events so far. */
  count = 1;

  /** Whether no state can run any more. */
  get isFull(): boolean {
    // The last event is that of the end.
    return this.count >= MAX_EVENTS;
  }

  /** @returns the id of the event @throws StateError States.Runtime at the limit */
  addEntry(): number {
    this.#add(1);
    return this.count;
  }

  /** @throws StateError States.Runtime at the limit */
  addExit(): void {
    this.#add(1);
  }

  /** @throws StateError States.Runtime at the limit */
  addTaskAttempt(): void {
    this.#add(3);
  }

  /** @throws StateError States.Runtime at the limit */
  addMapAttempt(): void {
    this.#add(4);
  }

  #add(events: number): void {
    this.count += events;
    if (!this.isFull) return;
    throw new StateError(
      'States.Runtime',
      `The execution reached the maximum number of history events (${MAX_EVENTS}).`,
    );
  }
}
