/** The errors of records in result files. */
import type { SolutionCount } from '../../exact-cover/solution-count.ts';

/** The error of a record that is an exception. */
export interface RecordError {
  /** Stable name of the error, such as `bad_length`. */
  readonly code: string;
  /** One sentence: what was found, what was expected. */
  readonly message: string;
  /** Line in the file, from 1. */
  readonly line?: number;
  /** Character in the line, from 1. */
  readonly column?: number;
  /** The text that was found. */
  readonly found?: string;
  /** What was expected instead. */
  readonly expected?: string;
  /** For clashing givens: the clashing cells, by unit. */
  readonly clashes?: readonly {
    /** The unit, such as `row 1`. */
    readonly unit: string;
    /** The symbol that occurs more than once. */
    readonly digit: string;
    /** Its cells, such as `r1c5`. */
    readonly cells: string[];
  }[];
}

/** The code of a result that differs from the one that the file expects. */
export const UNEXPECTED_RESULT = 'unexpected_result';

/** The code of a puzzle with more solutions than may be written. */
export const MAX_WRITTEN = 'max_written';

/** The reason for `unsolvable`. */
export const NO_SOLUTION = 'it has no solution';

/**
 * The error of a record with status `limit`.
 *
 * @param advice the end of the message (tree-advice.ts)
 */
export function limitError(solutions: SolutionCount, nodes: number, advice = ''): RecordError {
  const known =
    solutions > 0
      ? 'one solution was found, undecided whether it is unique'
      : 'undecided whether it has a solution';
  return {
    code: 'limit',
    message: `the search budget ran out after ${nodes} ${nodes === 1 ? 'node' : 'nodes'}: ${known}${advice}`,
  };
}

/** A text on one line, cut after so many characters. */
export function shortened(text: string, maxCharacters: number): string {
  const line = oneLine(text);
  return line.length <= maxCharacters ? line : `${line.slice(0, maxCharacters).toWellFormed()}…`;
}

/** Replaces line breaks and control characters, so that a quote from a file stays on one line. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
