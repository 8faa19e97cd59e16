/**
 * Subproblems of one search in shared memory, which threads claim one after the other; and whole problems, each of which one
 * thread searches.
 *
 *     control  | next to claim | joined next | 1: joiner waits | bytes not joined | most bytes |
 *              | 1: stopped | 1: leave | events |                                                     Int32
 *
 * A thread sends the solutions of its subproblem in batches, and its counts at the end. They are joined in the order of the
 * frontier, so those of later subproblems wait in memory. Above a limit, only the subproblem that is joined next may send;
 * the other threads wait for an event. It may not run far ahead of its reader either. A whole problem is as a search with one
 * subproblem.
 *
 * A search that is not the one whose answers are joined now has a lower limit. Its threads leave it after the current
 * subproblem when the joined one needs them; one that waits leaves at once, and its subproblem is searched again by the joiner.
 */
import type { ProblemCounts, ProblemEnd, ProblemRequest } from '../batch/solving/problem-solver.ts';
import type { ExactCoverProblem } from '../exact-cover/problem.ts';
import type { Frontier } from '../exact-cover/split/frontier.ts';
import type { SubproblemCounts } from '../exact-cover/split/split-search.ts';
import type { SubproblemLimits } from '../exact-cover/split/subproblem-search.ts';

/** The message that gives a search to a thread. */
export interface SearchMessage {
  readonly id: number;
  readonly kind: 'search';
  readonly problem: ExactCoverProblem;
  readonly frontier: Frontier;
  readonly limits: SubproblemLimits;
  readonly control: Int32Array;
}

/** The message that gives a whole problem to a thread. */
export interface ProblemMessage {
  readonly id: number;
  readonly kind: 'problem';
  readonly problem: ExactCoverProblem;
  readonly request: ProblemRequest;
  readonly control: Int32Array;
  /** For its subproblems if the search is split: this thread is the first that claims them. */
  readonly subproblems: { readonly id: number; readonly control: Int32Array };
}

/** Solutions of a subproblem in their order. */
export interface SolutionBatch {
  /** Option numbers, solution after solution. */
  readonly options: Int32Array;
  /** By solution: how many options it has. */
  readonly lengths: Int32Array;
  /** By solution: nodes, guesses and updates of the search of the subproblem so far. */
  readonly counts: Float64Array;
}

/** The message of a thread about a subproblem, or a problem: its index is 0. */
export type SubproblemMessage =
  | { readonly id: number; readonly kind: 'solutions'; readonly index: number; readonly batch: SolutionBatch }
  | {
      readonly id: number;
      readonly kind: 'searched';
      readonly index: number;
      readonly counts: SubproblemCounts;
      /** Bytes of the thread's links, with the clauses that this subproblem has learnt. */
      readonly bytes: number;
    }
  | { readonly id: number; readonly kind: 'searching'; readonly counts: ProblemCounts }
  | { readonly id: number; readonly kind: 'unfinished' }
  | { readonly id: number; readonly kind: 'ended'; readonly end: ProblemEnd }
  | { readonly id: number; readonly kind: 'failed'; readonly error: Error };

/** The message of a thread that has handled a message, and does nothing if there is no other one. */
export interface IdleMessage {
  readonly kind: 'idle';
}

const NEXT = 0;
const HEAD = 1;
const JOINER_WAITS = 2;
const BYTES = 3;
const MAX_BYTES = 4;
const STOPPED = 5;
const LEAVE = 6;
const EVENTS = 7;

/** `joined next` of a search that is not joined yet. */
const NOT_JOINED = -1;

/** @param maxBytes bytes of solutions not joined yet, above which only the next subproblem to join may send more */
export function createSearchControl(maxBytes: number): Int32Array {
  const control = new Int32Array(new SharedArrayBuffer(32));
  control[HEAD] = NOT_JOINED;
  control[MAX_BYTES] = maxBytes;
  return control;
}

/** Claims a subproblem. @returns its index, or the number of subproblems or more if none is left */
export function claimSubproblem(control: Int32Array): number {
  return Atomics.add(control, NEXT, 1);
}

export function batchBytes({ options, lengths, counts }: SolutionBatch): number {
  return options.byteLength + lengths.byteLength + counts.byteLength;
}

/** Blocks this thread until it may send a batch. @returns false if the search was stopped, or the thread has to leave it */
export function waitToSend(control: Int32Array, index: number, batch: SolutionBatch): boolean {
  for (;;) {
    const events = Atomics.load(control, EVENTS);
    if (isStopped(control)) return false;
    const isNext = Atomics.load(control, HEAD) === index;
    if (Atomics.load(control, BYTES) <= Atomics.load(control, MAX_BYTES) * (isNext ? 2 : 1)) break;
    // Each thread may have sent a batch above the limit; the one that is waited for must not wait for the others.
    if (isNext && Atomics.exchange(control, JOINER_WAITS, 0) === 1) break;
    if (mustLeave(control)) return false;
    Atomics.wait(control, EVENTS, events);
  }
  Atomics.add(control, BYTES, batchBytes(batch));
  return true;
}

/** Says that a batch was joined. */
export function batchJoined(control: Int32Array, batch: SolutionBatch): void {
  Atomics.sub(control, BYTES, batchBytes(batch));
  wake(control);
}

/** Says which subproblem is joined next. @param waits whether nothing of it is here */
export function joinsNext(control: Int32Array, index: number, waits: boolean): void {
  const isNew = Atomics.exchange(control, HEAD, index) !== index;
  if (waits && Atomics.exchange(control, JOINER_WAITS, 1) === 0) wake(control);
  else if (isNew) wake(control);
}

export function stopSearch(control: Int32Array): void {
  Atomics.store(control, STOPPED, 1);
  wake(control);
}

/** Has threads leave a search after the current subproblem, or while they wait. */
export function leaveSearch(control: Int32Array): void {
  Atomics.store(control, LEAVE, 1);
  wake(control);
}

/** Lets threads search it again. @param maxBytes as for `createSearchControl`; by default, it stays as it is */
export function stayInSearch(control: Int32Array, maxBytes?: number): void {
  Atomics.store(control, LEAVE, 0);
  if (maxBytes !== undefined) Atomics.store(control, MAX_BYTES, maxBytes);
  wake(control);
}

export function mustLeave(control: Int32Array): boolean {
  return Atomics.load(control, LEAVE) === 1;
}

export function isStopped(control: Int32Array): boolean {
  return Atomics.load(control, STOPPED) === 1;
}

function wake(control: Int32Array): void {
  Atomics.add(control, EVENTS, 1);
  Atomics.notify(control, EVENTS);
}
