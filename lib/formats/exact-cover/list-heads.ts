/**
 * Finds the head of lists of items, whose lines were read as options at first. `HEADS` is the table of what a head may be;
 * the first that fits all lines below it is taken.
 *
 *     A B C D         the items, of which all others are parts         3 4          sets and items
 *     3               the number of sets                               2 1 3        a count, then so many items
 *     A C                                                              3 1 2 4
 *     A B D                                                            1 4
 *     B
 */
import { errorAt, makeFault } from '../records/fault.ts';
import type { CoverError, CoverProblem } from './cover-record.ts';
import type { NameTable } from './name-table.ts';

/** The lines of a file, each as an option. */
export interface Lists {
  readonly cover: CoverProblem;
  readonly names: NameTable;
  /** Whether other lines follow, so that counts say too much. */
  readonly isCut: boolean;
}

interface ListHead {
  /** Lines of the head. */
  readonly lines: number;
  /** The line of the items, if it has one. */
  readonly items?: number;
  /** Whether each set begins with the number of its items, which are numbers from 1. */
  readonly isCounted?: boolean;
  /** Whether it leaves no doubt that the lines are lists of items. */
  readonly isSure: boolean;
  /** @param numbers those of its lines, undefined for a line of names */
  readonly fits: (numbers: readonly (readonly number[] | undefined)[], found: Found) => boolean;
}

/** What is below a head. */
interface Found {
  readonly isRows: (count: number) => boolean;
  readonly columns: number;
}

/** Whether two numbers are those of the rows and the columns, in any order. */
function arePair([a, b, ...more]: readonly number[] = [], { isRows, columns }: Found): boolean {
  return more.length === 0 && ((isRows(a) && b === columns) || (a === columns && isRows(b)));
}

const HEADS: readonly ListHead[] = [
  { lines: 2, items: 1, isSure: true, fits: ([counts], found) => arePair(counts, found) },
  {
    lines: 2,
    items: 0,
    isSure: true,
    fits: ([, counts = []], { isRows }) => counts.length === 1 && isRows(counts[0]),
  },
  {
    lines: 1,
    isCounted: true,
    isSure: true,
    fits: ([counts = []], { isRows }) => counts.length === 2 && isRows(counts[0]),
  },
  { lines: 1, items: 0, isSure: false, fits: () => true },
  {
    lines: 1,
    isSure: false,
    fits: ([counts = []], { isRows, columns }) =>
      counts.length === 1 && (isRows(counts[0]) || counts[0] === columns),
  },
  { lines: 1, isSure: false, fits: ([counts], found) => arePair(counts, found) },
];

/** What lists are, below their head. */
export interface ListProblem {
  readonly cover: CoverProblem;
  /** Undefined if there is none. */
  readonly head: ListHead | undefined;
}

/** A first line that is called the items. */
const NAMED: ListHead = { lines: 1, items: 0, isSure: true, fits: () => true };

/**
 * Leaves the head out, and numbers the items anew: those of the head, or else as they come.
 *
 * @param hasUniverse whether the first line is called the items: then an error if another line has others
 */
export function withoutHead(lists: Lists, hasUniverse: boolean): ListProblem | CoverError {
  const { cover, isCut } = lists;
  if (hasUniverse) {
    const all = below(lists, 1, itemsOf(lists, 0), false);
    return all === undefined ? strayItem(lists) : { cover: all, head: NAMED };
  }
  const total = cover.problem.optionCount + cover.ignoredOptions;
  for (const head of HEADS) {
    const { lines, items, isCounted = false, fits } = head;
    if (lines >= cover.problem.optionCount) continue;
    const numbers = Array.from({ length: lines }, (_, line) => numbersOf(lists, line));
    const order = isCounted ? numberedItems(lists, numbers[0]?.[1]) : itemsOf(lists, items);
    const rest = below(lists, lines, order, isCounted);
    if (rest === undefined) continue;
    const rows = total - lines;
    const isRows = (count: number) => (isCut ? count >= rows : count === rows);
    if (fits(numbers, { isRows, columns: rest.problem.primaryCount })) return { cover: rest, head };
  }
  return { cover, head: undefined };
}

/** The error of the first item that the first line does not have. */
function strayItem({ cover: { problem, lineOf }, names }: Lists): CoverError {
  const { items, optionStart } = problem;
  const known = new Set(items.subarray(0, optionStart[1]));
  const entry = items.findIndex((item) => !known.has(item));
  const option = optionStart.findIndex((start) => start > entry) - 1;
  const fault = makeFault('unknown_item', 0, names.text(items[entry]), 'an item of the first line', {
    isQuote: true,
  });
  return errorAt({ line: lineOf[option], column: 1 }, fault);
}

function itemsOf({ cover: { problem } }: Lists, option: number | undefined): Int32Array | undefined {
  if (option === undefined) return undefined;
  return problem.items.subarray(problem.optionStart[option], problem.optionStart[option + 1]);
}

/** The numbers of a line; undefined if it has other words. */
function numbersOf(lists: Lists, option: number): readonly number[] | undefined {
  const words = Array.from(itemsOf(lists, option) ?? [], (item) => lists.names.text(item));
  return words.every((word) => /^\d{1,7}$/.test(word)) ? words.map(Number) : undefined;
}

/** The items that have the numbers 1 to `count` for names; those that occur nowhere are negative. */
function numberedItems({ names, cover }: Lists, count = 0): Int32Array {
  const items = new Int32Array(Math.min(count, cover.problem.items.length)).fill(-1);
  for (let item = 0; item < cover.problem.primaryCount; item++) {
    const number = /^\d+$/.test(names.text(item)) ? Number(names.text(item)) : 0;
    if (number >= 1 && number <= items.length) items[number - 1] = item;
  }
  return items;
}

/**
 * The options below a head.
 *
 * @param order the items in the order of their new numbers; undefined for that of their occurrence
 * @returns undefined if an option has another item, or another number of items than it states
 */
function below(
  { cover, names }: Lists,
  lines: number,
  order: Int32Array | undefined,
  isCounted: boolean,
): CoverProblem | undefined {
  const { problem, text, textStart, lineOf } = cover;
  const numbers = new Map<number, number>();
  order?.forEach((item, number) => {
    numbers.set(item, number);
  });
  const items: number[] = [];
  const optionStart = [0];
  for (let option = lines; option < problem.optionCount; option++) {
    let entry = problem.optionStart[option];
    const end = problem.optionStart[option + 1];
    if (isCounted) {
      // The count may also be an item, which is entered once.
      const more = Number(names.text(problem.items[entry])) - (end - entry);
      if (more !== 0 && more !== -1) return undefined;
      if (more === -1) entry++;
    }
    for (; entry < end; entry++) {
      const item = problem.items[entry];
      let number = numbers.get(item);
      if (number === undefined) {
        if (order !== undefined) return undefined;
        number = numbers.size;
        numbers.set(item, number);
      }
      items.push(number);
    }
    optionStart.push(items.length);
  }
  return {
    ...cover,
    problem: {
      ...problem,
      primaryCount: order?.length ?? numbers.size,
      optionCount: problem.optionCount - lines,
      optionStart: Int32Array.from(optionStart),
      items: Int32Array.from(items),
    },
    text: text.subarray(textStart[lines]),
    textStart: textStart.subarray(lines).map((start) => start - textStart[lines]),
    lineOf: lineOf.subarray(lines),
  };
}
