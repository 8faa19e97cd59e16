/** The search of one record: a puzzle with an engine, a count, random draws, or an exact cover. */
import type { SolutionCount } from '../../exact-cover/solution-count.ts';
import { Stop } from '../../sudoku/engine.ts';
import { type DriveOptions, drive, type PuzzleLimits, type Search, type Step } from './drive.ts';
import type { Elsewhere, SubproblemsDone } from './elsewhere.ts';
import { statusCodeOf } from './puzzle-status.ts';

/** The counts of a search. */
export interface SearchCounts {
  readonly solutions: SolutionCount;
  readonly nodes: number;
  /** Options tried while another one was left. */
  readonly guesses: number;
  /** Nodes unlinked from an item's list: Knuth's measure of work. @default not counted */
  readonly updates?: number;
}

/** What is known of a record that is searched alone; updated during the search. */
export class RecordAnswer implements SearchCounts {
  /** A `StatusCode`, set at the end of the search. */
  status = 0;
  /** A `Stop`. */
  stop: number = Stop.nodeLimit;
  solutions: SolutionCount = 0;
  nodes = 0;
  guesses = 0;
  updates = 0;
  /** Time in the search, in microseconds, without building the matrix and writing solutions. */
  solveUs = 0;
  /** Bytes of memoised counting; 0 without it. */
  countBytes = 0;
  /** Most bytes that the search has taken, with memoised counting and other threads; set at its end. */
  searchBytes = 0;
  /** Random solutions so far; undefined if none are requested. */
  drawn: number | undefined;
  /** Undefined if the search is not split. */
  subproblems: SubproblemsDone | undefined;

  /** Of an exact cover: nodes of the matrix, heads and root included, and bytes of the core's arrays. */
  matrixNodes = 0;
  matrixBytes = 0;
  /** The options of the latest solution, in the order of the file. */
  options = new Int32Array(0);
  /** The cost of the latest solution, and of the first one, which is the cheapest; undefined without costs. */
  cost: number | undefined;
  leastCost: number | undefined;
  /** No solution costs less; set if the budget ran out before the solutions were proven to be the cheapest. */
  costBound: number | undefined;
}

/** A record, and how it is searched. */
export interface RecordSearch {
  readonly search: Search &
    SearchCounts & {
      /** Bytes of memoised counting. @default 0 */
      readonly memoBytes?: number;
      readonly subproblems?: SubproblemsDone | undefined;
    };
  /** Most bytes that the search has taken, without memoised counting and without others. */
  readonly bytes: number;
  /** Reads and checks the latest solution, if it is new. @throws Error if it is wrong */
  read(answer: RecordAnswer): void;
  /** After the budget ran out: finds the solutions that the search has not given yet. */
  rest?(answer: RecordAnswer, requested: number): Iterable<void>;
  /** What the end means. @default the search was for the solutions of the limits */
  end?(answer: RecordAnswer, requested: number): void;
}

export interface RecordSearchOptions extends Omit<DriveOptions, 'progress'> {
  /** Has its subproblems searched by others. @default they are searched here */
  readonly elsewhere?: Elsewhere | undefined;
}

/**
 * Searches a record, step by step; its answer is complete at the end, also if the caller ends it early.
 *
 * @throws OutOfTimeError at the deadline
 * @throws Error if a solution is wrong: a defect of the engine, never written as a result
 */
export function* searchRecord(
  record: RecordSearch,
  limits: PuzzleLimits,
  answer: RecordAnswer,
  { clock, each, sliceMs, elsewhere }: RecordSearchOptions,
): Generator<Step, void, void> {
  const { search } = record;
  const { maxSolutions } = limits;
  const time = { ms: answer.solveUs / 1000 };
  const read = () => {
    // Once for each solution of an enumeration.
    answer.solutions = search.solutions;
    answer.nodes = search.nodes;
    answer.guesses = search.guesses;
    answer.updates = search.updates ?? 0;
    answer.countBytes = search.memoBytes ?? answer.countBytes;
    answer.subproblems = search.subproblems ?? elsewhere?.subproblems;
    answer.solveUs = time.ms * 1000;
    record.read(answer);
  };
  answer.stop = Stop.nodeLimit;
  try {
    const progress = elsewhere && (() => elsewhere.progress());
    const steps = drive(search, limits, { clock, each, sliceMs, progress }, time);
    let next = steps.next();
    for (; next.done !== true; next = steps.next()) {
      read();
      yield next.value;
    }
    read();
    answer.stop = next.value;
    if (answer.stop !== Stop.nodeLimit) return;
    for (const _ of record.rest?.(answer, maxSolutions) ?? []) {
      read();
      yield 'solution';
    }
  } finally {
    answer.solveUs += (elsewhere?.searchMs ?? 0) * 1000;
    answer.searchBytes = record.bytes + answer.countBytes + (elsewhere?.bytes ?? 0);
    if (record.end !== undefined) record.end(answer, maxSolutions);
    else answer.status = statusCodeOf(answer.stop, answer.solutions, maxSolutions);
    elsewhere?.close();
  }
}
