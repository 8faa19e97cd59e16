/**
 * Why a part of a file cannot be read: the one form of all formats' errors, from which the message follows.
 *
 *     line 7, column 3: found "x" in a 9x9 puzzle: expected 1-9, or "." for a blank; name them with --alphabet
 *     place                   quote where                   expected                 advice
 */
import { visibleText } from '../bytes/visible-text.ts';
import type { ParseErrorCode } from './record-block.ts';

export interface Fault<Code extends string = ParseErrorCode> {
  readonly code: Code;
  /** Where: an offset in the bytes, or the index of a cell or of a value; the reader that makes it knows which. */
  readonly at: number;
  readonly found: string;
  readonly expected: string;
  /** Whether `found` is a quote of the file, and not a phrase. */
  readonly isQuote?: boolean;
  /** What was found there, or what surrounds it: `in a 9x9 puzzle`. */
  readonly where?: string;
  /** What to do. */
  readonly advice?: string;
}

/** @param more what the message says in addition */
export function makeFault<Code extends string>(
  code: Code,
  at: number,
  found: string,
  expected: string,
  more?: Pick<Fault, 'isQuote' | 'where' | 'advice'>,
): Fault<Code> {
  // Written out: a file may have an error in every line, and a spread among other members takes as long as the message.
  return { code, at, found, expected, isQuote: more?.isQuote, where: more?.where, advice: more?.advice };
}

/** A fault with its place in the file, both numbers from 1; invisible characters of the message are escaped. */
export function errorAt<Code extends string>(
  { line, column }: { readonly line: number; readonly column: number },
  { code, found, expected, isQuote, where, advice }: Fault<Code>,
) {
  const what = visibleText(found);
  const quoted = isQuote === true ? `"${what}"` : what;
  const around =
    where === undefined ? '' : where.startsWith(',') ? visibleText(where) : ` ${visibleText(where)}`;
  const whatToDo = advice === undefined ? '' : `; ${visibleText(advice)}`;
  const message = `line ${line}, column ${column}: found ${quoted}${around}: expected ${visibleText(expected)}${whatToDo}`;
  return { code, message, line, column, found, expected };
}
