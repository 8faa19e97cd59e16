/**
 * Subproblems of one search in shared memory, which threads claim one after the other.
 *
 *     control  | next to claim | joined next | bytes not joined | most bytes | 1: stopped | events |     Int32
 *
 * A thread sends the solutions of its subproblem in batches, and its counts at the end. They are joined in the order of the
 * frontier, so those of later subproblems wait in memory. Above a limit, only the subproblem that is joined next may send;
 * the other threads wait for an event. It may not run far ahead of its reader either.
 */
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

/** Solutions of a subproblem in their order. */
export interface SolutionBatch {
  /** Option numbers, solution after solution. */
  readonly options: Int32Array;
  /** By solution: how many options it has. */
  readonly lengths: Int32Array;
  /** By solution: nodes, guesses and updates of the search of the subproblem so far. */
  readonly counts: Float64Array;
}

/** The message of a thread about a subproblem. */
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
  | { readonly id: number; readonly kind: 'failed'; readonly error: Error };

const NEXT = 0;
const HEAD = 1;
const BYTES = 2;
const MAX_BYTES = 3;
const STOPPED = 4;
const EVENTS = 5;

/** @param maxBytes bytes of solutions not joined yet, above which only the next subproblem to join may send more */
export function createSearchControl(maxBytes: number): Int32Array {
  const control = new Int32Array(new SharedArrayBuffer(24));
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

/** Blocks this thread until it may send a batch. @returns false if the search was stopped */
export function waitToSend(control: Int32Array, index: number, batch: SolutionBatch): boolean {
  for (;;) {
    const events = Atomics.load(control, EVENTS);
    if (isStopped(control)) return false;
    const isNext = Atomics.load(control, HEAD) === index;
    if (Atomics.load(control, BYTES) <= control[MAX_BYTES]! * (isNext ? 2 : 1)) break;
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

/** Says which subproblem is joined next. */
export function joinsNext(control: Int32Array, index: number): void {
  if (Atomics.exchange(control, HEAD, index) !== index) wake(control);
}

export function stopSearch(control: Int32Array): void {
  Atomics.store(control, STOPPED, 1);
  wake(control);
}

export function isStopped(control: Int32Array): boolean {
  return Atomics.load(control, STOPPED) === 1;
}

function wake(control: Int32Array): void {
  Atomics.add(control, EVENTS, 1);
  Atomics.notify(control, EVENTS);
}
