/** The first exceptions of a job, for its report: the rest is only counted. */
import type { RecordError } from '../results/record-error.ts';
import type { PuzzleStatus } from '../solving/puzzle-status.ts';

/** A line of `exceptions.jsonl`, as far as the report shows it. */
export interface ExceptionRecord {
  readonly index: number;
  readonly line: number;
  readonly lineEnd: number;
  readonly status: PuzzleStatus;
  readonly id?: string;
  readonly format?: string;
  readonly size?: number;
  readonly box?: string;
  readonly variant?: string;
  readonly regions?: string;
  readonly blank?: string;
  readonly puzzle?: string;
  /** Symbols of a grid; of an exact-cover problem the chosen options. */
  readonly solution?: string | readonly string[];
  readonly solutions?: number;
  readonly exact?: boolean;
  readonly error?: RecordError;
}

/** Exceptions that a report names. */
const MOST_EXCEPTIONS = 100;
/** Characters of a puzzle that is still drawn, and so kept: a 36x36 of numbers has fewer. */
export const MOST_PUZZLE_CHARACTERS = 4096;

export class ExceptionSample {
  readonly #first: ExceptionRecord[] = [];
  /** All of them. */
  total = 0;

  /** The first ones, in the order of the file. */
  get first(): readonly ExceptionRecord[] {
    return this.#first;
  }

  /** Whether no further one is named. */
  get full(): boolean {
    return this.#first.length === MOST_EXCEPTIONS;
  }

  add(record: ExceptionRecord): void {
    this.total++;
    if (!this.full) this.#first.push(isLarge(record) ? withoutGrid(record) : record);
  }
}

function isLarge({ puzzle = '', solution }: ExceptionRecord): boolean {
  // The options of an exact cover are not shown.
  return typeof solution === 'object' || puzzle.length > MOST_PUZZLE_CHARACTERS;
}

/** What is left of a record that is too large to be drawn. */
function withoutGrid({
  puzzle: _puzzle,
  solution: _solution,
  regions: _regions,
  ...record
}: ExceptionRecord): ExceptionRecord {
  const { error } = record;
  return { ...record, error: error && { ...error, clashes: undefined } };
}
