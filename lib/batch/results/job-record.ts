/** The record of a puzzle or of an exact-cover problem, and what a job writes of it: JSON, a `#` line, an outcome. */
import type { SolutionCount } from '../../exact-cover/solution-count.ts';
import type { RecordOutcome } from '../../formats/reader.ts';
import type { RecordShape } from '../../formats/records/record-shape.ts';
import type { Grade } from '../../sudoku/rating/grades.ts';
import { PUZZLE_STATUSES, type PuzzleStatus } from '../solving/puzzle-status.ts';
import { NO_SOLUTION, oneLine, type RecordError } from './record-error.ts';

/**
 * A line of `exceptions.jsonl`, of `records.jsonl`, and of the output profile `jsonl`. Fields that do not apply are omitted.
 *
 * @typeParam Solution a string for a puzzle; the options of an exact cover
 */
export interface JobRecord<Solution = string | readonly string[]> extends Partial<RecordShape> {
  /** From 1, over all records of the file. */
  readonly index: number;
  /** Of one of several solutions: its number, from 1. */
  readonly ordinal?: number;
  /** The puzzle's name in the file. */
  readonly id?: string;
  /** First line in the file, from 1. */
  readonly line: number;
  /** Last line in the file. */
  readonly lineEnd: number;
  /** The outcome. */
  readonly status: PuzzleStatus;
  /** Number of items that a solution contains exactly once. */
  readonly primaryItems?: number;
  /** Number of items that a solution may omit. */
  readonly secondaryItems?: number;
  /** Number of options with a primary item. */
  readonly options?: number;
  /** Number of options that are ignored, as they have none. */
  readonly ignoredOptions?: number;
  /** Total number of items in all options. */
  readonly entries?: number;
  /** The puzzle on one line, in its own symbols. */
  readonly puzzle?: string;
  /** The first solution: in the symbols of the puzzle, or as options in the order of the file. */
  readonly solution?: Solution;
  /** The cost of that solution, the least of all; omitted if the problem has no costs, and if solutions are only counted. */
  readonly cost?: number;
  /** If the budget ran out before the solutions were proven to be the cheapest: no solution costs less than this. */
  readonly costBound?: number;
  /** Solutions found, up to the limit; digits beyond 2^53 - 1. */
  readonly solutions?: number | string;
  /** Whether the search was exhausted, so that `solutions` is the exact number. */
  readonly exact?: boolean;
  /** Number of cells that are not blank. */
  readonly givens?: number;
  /** Nodes of the search tree. */
  readonly nodes?: number;
  /** Options tried while another one was left. */
  readonly guesses?: number;
  /** Of an exact cover: nodes unlinked from an item's list, Knuth's measure of work. */
  readonly updates?: number;
  /** With `--rate`, of a puzzle with exactly one solution: its hardest step on the scale of Sudoku Explainer, from 1.0. */
  readonly rating?: number;
  /** Whether the puzzle may be harder: it needs long wings, chains or a search; then the rating is at least 6.2. */
  readonly ratingIsLowerBound?: boolean;
  /** Up to a rating of 2.0 `easy`, up to 2.8 `medium`, up to 4.4 `hard`, up to 6.4 `expert`, above `extreme`. */
  readonly grade?: Grade;
  /** The hardest technique of the solution step by step; `search` if the techniques do not solve the puzzle. */
  readonly technique?: string;
  /** In `records.jsonl` only, as it differs between two runs. */
  readonly solveUs?: number;
  /** Assumptions, such as `alphabet_assumed`. */
  readonly warnings?: readonly string[];
  /** Why the record is an exception. */
  readonly error?: RecordError;
}

/** A record and its answer. */
export abstract class RecordResult {
  /** From 1, over all records of the file. */
  readonly index: number;
  /** Why it has fewer solutions than requested. */
  cut: RecordError | undefined;
  /** Memory of an error that takes an estimate; null if there is none. */
  #ownError: RecordError | undefined | null = null;

  constructor(index: number) {
    this.index = index;
  }

  /** First line in the file, from 1. */
  abstract readonly line: number;
  /** A `StatusCode`. */
  abstract readonly code: number;
  /** Solutions found. */
  abstract readonly solutions: SolutionCount;
  /** Whether the search was exhausted. */
  abstract readonly exact: boolean;
  /** Whether `strict` keeps it. */
  abstract isKept(onlyUnique: boolean, isEnumerated: boolean): boolean;
  /** Whether it is a line of `exceptions.jsonl`. */
  abstract readonly isException: boolean;
  /** The first solution, or of an enumeration the latest one, which is written when the next one is known. */
  abstract solution(isEnumerated: boolean): object;
  /** The record's own fields, and those of its answer. @param isTimed whether it has `solveUs` */
  abstract record(isTimed: boolean): JobRecord;
  /** One of several solutions: the latest. */
  abstract solutionRecord(ordinal: number): object;
  /** What an enumeration ends with if it was neither cut nor counted. */
  get remark(): RecordError | undefined {
    return undefined;
  }

  /** Instead of a solution that has no text. */
  get emptyComment(): string | undefined {
    return undefined;
  }

  /** Its place in a block, for tables; undefined for an exact cover. */
  get place(): object | undefined {
    return undefined;
  }

  /** The beginning of its text in the file, if it is unreadable and the reader of its format has it. */
  get source(): string | undefined {
    return undefined;
  }

  /** Why it is an exception, besides `cut`. */
  protected abstract findError(): RecordError | undefined;

  protected get ownError(): RecordError | undefined {
    if (this.#ownError === null) this.#ownError = this.findError();
    return this.#ownError;
  }

  get error(): RecordError | undefined {
    return this.cut ?? this.ownError;
  }

  get status(): PuzzleStatus {
    return PUZZLE_STATUSES[this.code]!;
  }

  protected get name(): string {
    return `puzzle ${this.index}`;
  }

  /** The line, without the leading `#`, before a solution. @param ordinal its number in an enumeration */
  heading(ordinal?: number): string | undefined {
    return ordinal === undefined ? undefined : `${this.name}, solution ${ordinal}`;
  }

  /** The line that replaces its solution, or follows its solutions. */
  get comment(): string {
    return this.commentWith(`${this.status}: ${this.reason}`);
  }

  /** The line with the number of its solutions. */
  get countComment(): string {
    return this.commentWith(solutionCountText(this.solutions, this.exact));
  }

  /** Why it has no solution, or not all, on one line. */
  get reason(): string {
    const error = this.cut ?? (this.status === 'unsolvable' ? undefined : this.ownError);
    return error === undefined ? NO_SOLUTION : oneLine(error.message);
  }

  /** The outcome, for a column of a table. @param isCounted whether its solutions are only counted */
  outcome(isCounted = false): RecordOutcome {
    const { status } = this;
    const isSolved = status === 'solved' || status === 'multiple';
    let error = isSolved && this.error === undefined ? '' : this.reason;
    if (!isCounted || status === 'invalid' || status === 'unreadable') {
      return error === '' ? OUTCOMES[this.code]! : { status, error };
    }
    if (error === '' && !this.exact) error = solutionCountText(this.solutions, false);
    return { status, error, solutions: String(this.solutions) };
  }

  protected commentWith(text: string): string {
    return `${this.name} (line ${this.line}): ${text}`;
  }
}

/** By status: the outcome without an error. */
export const OUTCOMES: readonly RecordOutcome[] = PUZZLE_STATUSES.map((status) => ({ status, error: '' }));

/** `1 solution`, `2 or more solutions`. */
function solutionCountText(found: SolutionCount, exact: boolean): string {
  return `${found}${exact ? '' : ' or more'} ${found === 1 ? 'solution' : 'solutions'}`;
}

/** Warnings of a record; omitted if there are none. */
export function someWarnings(warnings: readonly string[] = []): readonly string[] | undefined {
  return warnings.length > 0 ? warnings : undefined;
}
