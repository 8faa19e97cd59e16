/**
 * Lists of items by their names, a set a line or several in brackets. What is above them is read as sets at first; `HEADS` is
 * the table of what a head may be: the first that fits all lines below it is taken.
 *
 *     A B C D         the items, of which all others are parts         3 4          sets and items
 *     3               the number of sets                               2 1 3        a count, then so many items
 *     A C                                                              3 1 2 4
 *     S: A B D                                                         1 4
 *     {B}, {C, D}
 */
import { CoverBuilder } from './cover-builder.ts';
import type { CoverDraft } from './cover-draft.ts';
import type { CoverLines } from './cover-lines.ts';
import type { CoverProblem } from './cover-record.ts';
import { readNames } from './options.ts';

/** A name before a set, such as `A:` `'A':` `S1 =` `B ->`. */
const SET_NAME = /^[\s,[{(]*["']?(\w{1,40}(?: set)?)["']?\s*(?::|=>?|->)\s*/;
const UNIVERSE = /^(?:universe|items|elements|ground ?set)$/i;
/** A set in brackets without others in it. */
const SET = /[[{(][^[\]{}()]*[\]})]/g;
/** What may precede a set, up to its bracket: a number, brackets and names, the type of a set: `1. {`, `Y = {'A': [`, `set([`. */
const BEFORE_SET =
  /^(?:\d{1,6}[.)]|[-*]\s)?[\s,;|"'[({\])}]*(?:\w{1,40}(?: \w{1,40})?["']?\s*(?::|=>?|->)[\s"'[({]*){0,2}(?:(?:new\s+)?(?:frozen)?set\(\s*|\w{1,40}\s+(?=\{))?[[({]$/i;
/** An item: a word or a number. Other signs are those of code, prose or settings, such as `-lm`. */
const ITEM = /^(?:[.+*]|-(?=\d))?[\p{L}\p{N}_][\p{L}\p{N}_.+*'-]*$/u;

/** Reads line `at`: the sets in brackets, or the one without; lines of brackets alone are around others. */
export function readSets(draft: CoverDraft, lines: CoverLines, at: number): void {
  const [first, last] = [lines.text[at], lines.end[at]];
  const text = lines.characters(at);
  const [before = '', name = ''] = SET_NAME.exec(text) ?? [];
  const sets = Array.from(text.matchAll(SET), ({ index, 0: { length } }) => [index, index + length]);
  const ends = [0, ...sets.map(([, end]) => end)];
  const isBeside = sets.some(([start], k) => !BEFORE_SET.test(text.slice(ends[k], start + 1)));
  // Such text is that of code, or of other fields of a table.
  if (isBeside || (sets.length > 0 && /^[\s,;"'|]*\w/.test(text.slice(ends.at(-1)))))
    lines.fail('bad_character', first, last, 'a set and nothing beside it');
  const hasBrackets = /[[\]{}()]/.test(text);
  if (hasBrackets || before !== '') draft.drawn++;
  if (sets.length === 0) {
    if (!hasBrackets) sets.push([before.length, text.length]);
    else if (/\w/.test(text.slice(before.length)))
      lines.fail('bad_character', first, last, 'each set on one line');
    else return;
  }
  if (draft.itemCount === 0) draft.hasUniverse = UNIVERSE.test(name);
  draft.start(Infinity, 0);
  // The first number of a line may count those after it, and also be one of them.
  const isCount = Number(lines.string(first, lines.tokenEnd[at])) === lines.tokens[at] - 1;
  for (const [start, end] of sets) {
    const [from, to] = [first + start, first + end];
    if (sets.length === 1) draft.builder.beginOption(lines.bytes, first, last);
    else draft.builder.beginOption(lines.bytes, from, to);
    lines.separate(from, to);
    readNames(draft, lines, at, from, to, isCount);
    draft.endOption(lines, at);
  }
}

interface ListHead {
  /** Lines of the head. */
  readonly lines: number;
  /** The line of the items, if it has one. */
  readonly items?: number;
  /** If each set begins with the number of its items, which are numbers from 1: which count is that of all items. */
  readonly counted?: 0 | 1;
  /** Whether it leaves no doubt that the lines are lists of items. */
  readonly isSure: boolean;
  /** @param numbers those of its lines, none for a line of names */
  readonly fits: (numbers: readonly (readonly number[])[], below: Below) => boolean;
}

/** What is below a head. */
interface Below {
  readonly isRows: (count: number) => boolean;
  readonly columns: number;
}

const isRowCount: ListHead['fits'] = ([[count, ...more]], { isRows }) => more.length === 0 && isRows(count);
/** Whether two numbers are those of the rows and the columns, in any order. */
const arePair: ListHead['fits'] = ([[a, b, ...more]], { isRows, columns }) =>
  more.length === 0 && ((isRows(a) && b === columns) || (a === columns && isRows(b)));

const HEADS: readonly ListHead[] = [
  { lines: 2, items: 1, isSure: true, fits: arePair },
  { lines: 2, items: 0, isSure: true, fits: ([, counts], below) => isRowCount([counts], below) },
  {
    lines: 1,
    counted: 1,
    isSure: true,
    fits: ([[rows, ...more]], { isRows }) => more.length === 1 && isRows(rows),
  },
  {
    lines: 1,
    counted: 0,
    isSure: true,
    fits: ([[, rows, ...more]], { isRows }) => more.length === 0 && isRows(rows),
  },
  { lines: 1, items: 0, isSure: false, fits: () => true },
  {
    lines: 1,
    isSure: false,
    fits: ([counts], below) =>
      isRowCount([counts], below) || (counts.length === 1 && counts[0] === below.columns),
  },
  { lines: 1, isSure: false, fits: arePair },
];

/** A first line that is called the items. */
const NAMED: ListHead = { lines: 1, items: 0, isSure: true, fits: () => true };

/** Leaves the head of lists out, and numbers the items anew: those of the head, or else as they come. */
export function endSets(draft: CoverDraft, lists: CoverProblem, isCut: boolean): CoverProblem {
  const { head, cover = lists } = headOf(draft, lists, isCut) ?? {};
  if (draft.hasUniverse && head === undefined) failForStray(draft, lists);
  else if (head?.counted === undefined) draft.error ??= draft.repeated;
  const { items, primaryCount, optionCount } = cover.problem;
  draft.hasCounts = head !== undefined && head.items === undefined;
  // Names and brackets also stand around single values, and around lists of things that are not shared.
  const areShared = items.length > primaryCount && 2 * items.length >= 3 * optionCount;
  const areLists = head?.items !== undefined || areShared;
  const areDrawn = draft.drawn >= draft.good - (head?.lines ?? 0);
  const areItems = () =>
    Array.from({ length: draft.names.count }, (_, item) => draft.names.text(item)).every((name) =>
      ITEM.test(name),
    );
  draft.isSure = head?.isSure === true || (areDrawn && areLists && !areRows(draft, lists) && areItems());
  return cover;
}

/** Numbers in a row of the smallest grid. */
const MIN_ROW = 4;

/** Whether lists are the rows of whole grids: n numbers up to n in each, and n lists for each grid. */
function areRows(draft: CoverDraft, lists: CoverProblem): boolean {
  const { optionCount, optionStart } = lists.problem;
  const size = optionStart[1];
  const isRow = (option: number) => {
    const numbers = numbersOf(draft, lists, option);
    return numbers.length === size && numbers.every((number) => number <= size);
  };
  return (
    size >= MIN_ROW &&
    optionCount % size === 0 &&
    Array.from({ length: optionCount }, (_, option) => option).every(isRow)
  );
}

/** The head that lists have, and the problem below it; undefined if there is none. */
function headOf(draft: CoverDraft, lists: CoverProblem, isCut: boolean) {
  const { optionCount } = lists.problem;
  for (const head of draft.hasUniverse ? [NAMED] : HEADS) {
    const { lines, items, counted, fits } = head;
    if (lines >= optionCount && !draft.hasUniverse) continue;
    const numbers = Array.from({ length: lines }, (_, line) => numbersOf(draft, lists, line));
    const own = items === undefined ? undefined : itemsOf(lists, items);
    const most = counted === undefined ? 0 : (numbers[0][counted] ?? 0);
    const order =
      counted === undefined ? own : numberedItems(draft, Math.min(most, lists.problem.items.length));
    const cover = below(draft, lists, lines, order, counted !== undefined);
    if (cover === undefined) continue;
    const rows = optionCount + lists.ignoredOptions - lines;
    // If other lines follow, counts say too much.
    const isRows = (count: number) => (isCut ? count >= rows : count === rows);
    if (fits(numbers, { isRows, columns: cover.problem.primaryCount })) return { head, cover };
  }
  return undefined;
}

/** The error of the first item that the first line does not have. */
function failForStray(draft: CoverDraft, { problem: { items, optionStart }, lineOf }: CoverProblem): void {
  const known = new Set(items.subarray(0, optionStart[1]));
  const entry = items.findIndex((item) => !known.has(item));
  const option = optionStart.findIndex((start) => start > entry) - 1;
  const name = draft.names.text(items[entry]);
  draft.fail('unknown_item', name, 'an item of the first line', { isQuote: true }, lineOf[option]);
}

function itemsOf({ problem: { items, optionStart } }: CoverProblem, option: number): Int32Array {
  return items.subarray(optionStart[option], optionStart[option + 1]);
}

/** The numbers of a line; none if it has other words. */
function numbersOf({ names }: CoverDraft, lists: CoverProblem, option: number): readonly number[] {
  const words = Array.from(itemsOf(lists, option), (item) => names.text(item));
  return words.every((word) => /^\d{1,7}$/.test(word)) ? words.map(Number) : [];
}

/** The items that have the numbers 1 to `count` for names; those that occur nowhere are negative. */
function numberedItems({ names }: CoverDraft, count: number): Int32Array {
  const items = new Int32Array(count).fill(-1);
  for (let item = 0; item < names.count; item++) {
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
  { names }: CoverDraft,
  { problem: { items, optionStart, optionCount }, text, textStart, lineOf, ignoredOptions }: CoverProblem,
  lines: number,
  order: Int32Array | undefined,
  isCounted: boolean,
): CoverProblem | undefined {
  const numbers = new Map(Array.from(order ?? [], (item, number) => [item, number]));
  const builder = new CoverBuilder();
  if (order !== undefined) builder.setItems(order.length, 0);
  for (let option = lines; option < optionCount; option++) {
    let entry = optionStart[option];
    const end = optionStart[option + 1];
    // The count may also be an item, which is entered once.
    const more = isCounted ? Number(names.text(items[entry])) - (end - entry) : 0;
    if (more !== 0 && more !== -1) return undefined;
    if (more === -1) entry++;
    builder.beginOption(text, textStart[option], textStart[option + 1]);
    for (; entry < end; entry++) {
      const number = numbers.get(items[entry]) ?? (order === undefined ? numbers.size : -1);
      if (number < 0) return undefined;
      numbers.set(items[entry], number);
      builder.addItem(number, 0);
    }
    builder.endOption(lineOf[option]);
  }
  return { ...builder.build(), ignoredOptions };
}
