/** Keeps the first exceptions of a job for its report, and counts the others. */

import type { PuzzleStatus } from '../solving/puzzle-status.ts';
import { MAX_WRITTEN, type RecordError, UNEXPECTED_RESULT } from './record-error.ts';

/** The fields of a line of `exceptions.jsonl` that the report shows. */
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
  /** Symbols of a grid; for an exact-cover problem, the chosen options. */
  readonly solution?: string | readonly string[];
  readonly solutions?: number | string;
  readonly exact?: boolean;
  readonly error?: RecordError;
}

/** Exceptions listed in a report. */
const MAX_EXCEPTIONS = 100;
/** Longer puzzles are not drawn, and so not kept; a 36x36 of numbers is shorter. */
export const MAX_PUZZLE_CHARACTERS = 4096;

export class ExceptionSample {
  readonly #first: ExceptionRecord[] = [];
  /** Number of all exceptions. */
  total = 0;
  /** Number of those whose result differs from the one that their file expects. */
  unexpected = 0;
  /** Number of those with more solutions than may be written. */
  cut = 0;

  /** The first ones, in the order of the file. */
  get first(): readonly ExceptionRecord[] {
    return this.#first;
  }

  /** Whether further exceptions are only counted. */
  get full(): boolean {
    return this.#first.length === MAX_EXCEPTIONS;
  }

  add(record: ExceptionRecord): void {
    this.total++;
    if (record.error?.code === UNEXPECTED_RESULT) this.unexpected++;
    if (record.error?.code === MAX_WRITTEN) this.cut++;
    if (!this.full) this.#first.push(isLarge(record) ? withoutGrid(record) : record);
  }
}

function isLarge({ puzzle = '', solution }: ExceptionRecord): boolean {
  // The options of an exact cover are not shown.
  return typeof solution === 'object' || puzzle.length > MAX_PUZZLE_CHARACTERS;
}

/** Removes the grid of a record that is too large to draw. */
function withoutGrid({
  puzzle: _puzzle,
  solution: _solution,
  regions: _regions,
  ...record
}: ExceptionRecord): ExceptionRecord {
  const { error } = record;
  return { ...record, error: error && { ...error, clashes: undefined } };
}
