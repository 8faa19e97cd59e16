/**
 * Lists of rows, columns and values of cells, with any signs between the numbers: refused by that name, so that they are
 * not reported as damage, nor read as the cells of a grid.
 *
 *     1,2,9        r1c2=9        (1, 2): 9        1 2 9        three lines with a number each
 */
import { CLOSE, DASHES, DIGIT, DRAWN, HARD, LETTER, OPEN, SPACE } from '../../bytes/byte-kinds.ts';
import { makeFault } from '../../records/fault.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { Line } from '../shape/line.ts';

/** Numbers of the shortest list. */
const MIN_LISTED = 12;
/** Digits of a row, a column or a value. */
const MAX_DIGITS = 2;
const MAX_COORDINATE = 100;
const MAX_LINE_BYTES = 24;
/** Numbers and signs with spaces between them: more are a row. */
const MAX_TOKENS = 8;
/** Numbers, `r` and `c`, and the signs between them. */
const COORDINATES = DIGIT | LETTER | OPEN | CLOSE | HARD | SPACE | DRAWN | DASHES;
const NUMBERS =
  /^[[({\s]*r?\s*(\d{1,2})(?:\s*[,;:|/\s=c]+(\d{1,2})[)\]\s]*[,;:|/\s=]+(\d{1,2}))?[)\]}\s,;]*$/i;

/** Dashes may also be blanks of a row, which is longer. */
const DASHED = /^([1-9])-([1-9])-([1-9])$/;

export const coordinates: Recogniser = {
  name: 'coordinates',
  maxBytes: MAX_LINE_BYTES,
  only: COORDINATES,
  has: DIGIT,
  match(first) {
    const { context } = first;
    // Most numbers are alone between blank lines, or above other text.
    if (first.next?.has(DIGIT) !== true) return NO;
    const listed: number[] = [];
    let lines = 0;
    for (let line: Line | undefined = first; line !== undefined; line = line.next) {
      const numbers = numbersIn(line);
      if (numbers === undefined) break;
      listed.push(...numbers);
      // Most numbers in lines of their own are something else, which the first few show.
      if (!areOrdered(listed)) return NO;
      lines++;
    }
    if (listed.length < MIN_LISTED || listed.length % 3 !== 0) return NO;
    const found = 'a list of rows, columns and values';
    const advice = 'write each puzzle as rows, or on a line';
    return context.enterError(
      first,
      lines,
      makeFault('bad_character', first.from, found, 'a grid', { advice }),
    );
  },
};

/** The number in a line, or the three; undefined if it has anything else. */
function numbersIn(line: Line): number[] | undefined {
  const { length, tokens, kinds } = line;
  if (length > MAX_LINE_BYTES || tokens > MAX_TOKENS || kinds & ~COORDINATES) return undefined;
  // A line of digits alone is a number, or too long for one: no expression is needed.
  if (kinds === DIGIT) return length > MAX_DIGITS ? undefined : [Number(line.text)];
  const found = NUMBERS.exec(line.text) ?? DASHED.exec(line.text);
  return found?.slice(1).filter(Boolean).map(Number);
}

/** Whether the last two whole triples of numbers are in the order of their first two. */
function areOrdered(numbers: readonly number[]): boolean {
  const last = numbers.length - (numbers.length % 3) - 3;
  const place = (k: number) => numbers[k] * MAX_COORDINATE + numbers[k + 1];
  return last < 3 || place(last) > place(last - 3);
}
