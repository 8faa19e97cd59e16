/** Keeps the first exceptions of a job for its report, and counts the others. */

import type { JobRecord } from './job-record.ts';
import { MAX_WRITTEN, UNEXPECTED_RESULT } from './record-error.ts';

/** Exceptions listed in a report. */
const MAX_EXCEPTIONS = 100;
/** Longer puzzles are not drawn, and so not kept; a 36x36 of numbers is shorter. */
export const MAX_PUZZLE_CHARACTERS = 4096;

export class ExceptionSample {
  readonly #first: JobRecord[] = [];
  /** Number of all exceptions. */
  total = 0;
  /** Number of those whose result differs from the one that their file expects. */
  unexpected = 0;
  /** Number of those with more solutions than may be written. */
  cut = 0;

  /** The first ones, in the order of the file. */
  get first(): readonly JobRecord[] {
    return this.#first;
  }

  /** Whether further exceptions are only counted. */
  get full(): boolean {
    return this.#first.length === MAX_EXCEPTIONS;
  }

  add(record: JobRecord): void {
    this.total++;
    if (record.error?.code === UNEXPECTED_RESULT) this.unexpected++;
    if (record.error?.code === MAX_WRITTEN) this.cut++;
    if (!this.full) this.#first.push(isLarge(record) ? withoutGrid(record) : record);
  }
}

function isLarge({ puzzle = '', solution }: JobRecord): boolean {
  // The options of an exact cover are not shown.
  return typeof solution === 'object' || puzzle.length > MAX_PUZZLE_CHARACTERS;
}

/** Removes the grid of a record that is too large to draw. */
function withoutGrid({
  puzzle: _puzzle,
  solution: _solution,
  regions: _regions,
  ...record
}: JobRecord): JobRecord {
  const { error } = record;
  return { ...record, error: error && { ...error, clashes: undefined } };
}
