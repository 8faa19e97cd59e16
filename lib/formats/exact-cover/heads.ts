/**
 * What may stand above the options of a problem, in the forms that people have.
 *
 *     6 7             rows and columns; with a third number, the last columns are secondary; also on lines of their own
 *     7 2             columns and secondary ones, which are the last
 *     6               rows, or columns
 *     A B C D         names of the columns, or the items of the lists below; numbers may be above or below them
 *
 * What the numbers mean is decided by the options below: `shapeStated` is the table.
 */

/** The lines above the options. */
export interface CoverHead {
  /** At most three. */
  readonly numbers: readonly number[];
  /** Names of the columns; 0 if there are none. */
  readonly names: number;
}

export const NO_HEAD: CoverHead = { numbers: [], names: 0 };
const MAX_NUMBERS = 3;
const NUMBER = /^\d{1,7}$/;
const NAME = /^[\p{L}_]\w*$/u;
/** Names of columns may be numbers in order, if there are too many for counts. */
const isOrder = (words: readonly string[]) =>
  words.length > MAX_NUMBERS && words.every((word, k) => Number(word) === Number(words[0]) + k);

/** A head with another line of words below it; undefined if the line is no part of a head. */
export function withHeadLine(words: readonly string[], { numbers, names }: CoverHead): CoverHead | undefined {
  if (words.every((word) => NUMBER.test(word))) {
    const all = [...numbers, ...words.map(Number)];
    if (all.length <= MAX_NUMBERS) return { numbers: all, names };
    if (!isOrder(words)) return undefined;
  } else if (!words.every((word) => NAME.test(word))) return undefined;
  if (names > 0) return undefined;
  return { numbers, names: words.length === 1 ? [...words[0]].length : words.length };
}

/** What a head states of the options below it. */
export interface Shape {
  /** Undefined if it does not state them. */
  readonly rows?: number;
  readonly secondary: number;
  /** Set if the numbers mean something else with that many rows. */
  readonly otherwise?: number;
}

/** @returns undefined if a head states another number of columns than there are */
export function shapeStated({ numbers, names }: CoverHead, columns: number): Shape | undefined {
  if (names !== 0 && names !== columns) return undefined;
  const [first, second, secondary = 0] = numbers;
  if (first === undefined) return { secondary: 0 };
  if (second === undefined) return first === columns ? { secondary: 0 } : { rows: first, secondary: 0 };
  if (second === columns && secondary <= columns) return { rows: first, secondary };
  if (first !== columns || numbers.length > 2) return undefined;
  return second <= columns ? { secondary: second, otherwise: second } : { rows: second, secondary: 0 };
}
