/** Converts the items and options of a caller to a problem of the core. */
import type { ExactCoverProblem } from '../exact-cover/problem.ts';
import { DlxBatchError } from './errors.ts';
import { shown } from './read-options.ts';

/**
 * The name of an item; 1 and '1' are different names.
 *
 * @example
 * ```ts
 * import { exactCover, type ItemName } from 'dlx-batch/exact-cover';
 *
 * const items: ItemName[] = ['a', 1, '1'];
 * exactCover({ primary: items, options: [['a', 1], ['1']] }).count(); // => 1
 * ```
 */
export type ItemName = string | number;

/**
 * A secondary item of an option, with a colour: options of a solution may share the item if all give it the same colour.
 *
 * @example
 * ```ts
 * import { type ColouredItem, exactCover } from 'dlx-batch/exact-cover';
 *
 * const red: ColouredItem = { item: 'x', colour: 'red' };
 * const blue: ColouredItem = { item: 'x', colour: 'blue' };
 * const options = [['a', red], ['b', red], ['b', blue]];
 * exactCover({ primary: ['a', 'b'], secondary: ['x'], options }).count(); // => 1
 * ```
 */
export interface ColouredItem {
  /** A secondary item. */
  readonly item: ItemName;
  /** Any name; 1 and '1' are different colours. */
  readonly colour: string | number;
}

/**
 * A primary item that a solution contains several times.
 *
 * @example
 * ```ts
 * import { exactCover, type RepeatedItem } from 'dlx-batch/exact-cover';
 *
 * const pair: RepeatedItem = { item: 'a', least: 2, most: 2 };
 * exactCover({ primary: [pair], options: [['a'], ['a'], ['a']] }).count(); // => 3
 * ```
 */
export interface RepeatedItem {
  /** The item. */
  readonly item: ItemName;
  /** How many options of a solution contain it at least: a whole number from 0 up. */
  readonly least: number;
  /** How many options of a solution contain it at most: a whole number from 1 up, or Infinity; not below `least`. */
  readonly most: number;
}

/**
 * The items of an option: each at most once, at least one.
 *
 * @example
 * ```ts
 * import { exactCover, type OptionItems } from 'dlx-batch/exact-cover';
 *
 * const items: OptionItems = ['a', { item: 'x', colour: 1 }];
 * exactCover({ primary: ['a'], secondary: ['x'], options: [items] }).findOne(); // => [['a', { item: 'x', colour: 1 }]]
 * ```
 */
export type OptionItems = readonly (ItemName | ColouredItem)[];

/**
 * An option: its items, or an object with its items and anything else, such as a name. Solutions contain the same
 * objects.
 *
 * @example
 * ```ts
 * import { type CoverOption, exactCover } from 'dlx-batch/exact-cover';
 *
 * const options: (CoverOption & { name: string })[] = [{ name: 'left', items: ['a', 'b'] }];
 * exactCover({ primary: ['a', 'b'], options }).findOne()?.map(({ name }) => name); // => ['left']
 * ```
 */
export type CoverOption =
  | OptionItems
  | {
      /** The items of the option. */
      readonly items: OptionItems;
      /**
       * What the option costs: a whole number from 0 up, at most 2^53 - 1 for all options together. If any option has
       * one, solutions are found in the order of their costs, the cheapest first. @default 0
       */
      readonly cost?: number;
    };

/**
 * An exact-cover problem.
 *
 * @example
 * ```ts
 * import { type CoverProblem, exactCover } from 'dlx-batch/exact-cover';
 *
 * const problem: CoverProblem<string[]> = { primary: ['a', 'b'], options: [['a'], ['b'], ['a', 'b']] };
 * exactCover(problem).count(); // => 2
 * ```
 */
export interface CoverProblem<Option extends CoverOption = CoverOption> {
  /** Items that a solution contains exactly once, or as often as a `RepeatedItem` says. */
  readonly primary: Iterable<ItemName | RepeatedItem>;
  /** Items that a solution contains at most once, or several times in one colour. @default none */
  readonly secondary?: Iterable<ItemName>;
  /** Options; one without a primary item is in no solution. */
  readonly options: Iterable<Option>;
}

/** A problem of the core, and the caller's options by number. */
export interface NumberedProblem<Option> {
  readonly problem: ExactCoverProblem;
  readonly options: readonly Option[];
}

/** @throws DlxBatchError `bad_argument` for wrong types, `bad_problem` for items that contradict each other */
export function numberedProblem<Option extends CoverOption>(
  given: CoverProblem<Option>,
): NumberedProblem<Option> {
  if (typeof given !== 'object' || given === null) {
    const message = `the problem is ${shown(given)}: expected an object with primary and options`;
    throw new DlxBatchError('bad_argument', message);
  }
  const repeated = list(given.primary, 'primary').map(repeatedItem);
  const primary = repeated.map(({ item }) => item);
  const secondary = given.secondary === undefined ? [] : list(given.secondary, 'secondary');
  const options = list(given.options, 'options');
  const numbers = new Map<unknown, number>();
  for (const item of [...primary, ...secondary]) {
    if (typeof item !== 'string' && typeof item !== 'number') {
      throw new DlxBatchError('bad_argument', `an item is ${shown(item)}: expected a string or a number`);
    }
    if (numbers.has(item)) throw new DlxBatchError('bad_problem', `item ${shown(item)} is listed twice`);
    numbers.set(item, numbers.size);
  }
  const optionStart = new Int32Array(options.length + 1);
  const items: number[] = [];
  const colours: number[] = [];
  const colourNumbers = new Map<unknown, number>();
  const lastOption = new Int32Array(numbers.size).fill(-1);
  const costs = new Float64Array(options.length);
  let totalCost = 0;
  let hasCosts = false;
  for (const [index, option] of options.entries()) {
    const cost = costOf(option, index);
    hasCosts ||= cost !== undefined;
    costs[index] = cost ?? 0;
    totalCost += costs[index]!;
    if (totalCost > Number.MAX_SAFE_INTEGER) {
      throw new DlxBatchError('bad_problem', `the costs of all options exceed ${Number.MAX_SAFE_INTEGER}`);
    }
    for (const entry of itemsOf(option, index)) {
      const { item, colour } = isColoured(entry) ? entry : { item: entry, colour: undefined };
      const number = numbers.get(item);
      if (number === undefined) throw badOptionItem(index, item, 'which is neither primary nor secondary');
      if (lastOption[number] === index) throw badOptionItem(index, item, 'twice');
      if (colour !== undefined && number < primary.length) {
        throw badOptionItem(index, item, `with colour ${shown(colour)}: only secondary items may have one`);
      }
      lastOption[number] = index;
      items.push(number);
      if (colour !== undefined && !colourNumbers.has(colour))
        colourNumbers.set(colour, colourNumbers.size + 1);
      colours.push(colour === undefined ? 0 : colourNumbers.get(colour)!);
    }
    if (items.length === optionStart[index]) {
      throw new DlxBatchError('bad_problem', `option ${index} is empty: expected at least one item`);
    }
    optionStart[index + 1] = items.length;
  }
  const problem = {
    primaryCount: primary.length,
    secondaryCount: secondary.length,
    optionCount: options.length,
    optionStart,
    items: Int32Array.from(items),
    colours: colourNumbers.size === 0 ? undefined : Int32Array.from(colours),
    multiplicities: repeated.every(({ least, most }) => least === 1 && most === 1)
      ? undefined
      : {
          least: Int32Array.from(repeated, ({ least }) => least),
          most: Int32Array.from(repeated, ({ most }) => most),
        },
    costs: hasCosts ? costs : undefined,
  };
  return { problem, options };
}

function list<T>(values: Iterable<T>, name: string): T[] {
  if (typeof values === 'object' && values !== null && Symbol.iterator in values) return [...values];
  throw new DlxBatchError(
    'bad_argument',
    `${name} is ${shown(values)}: expected an array or another iterable`,
  );
}

/** More options than any problem has. */
const MANY = 2 ** 30;

function repeatedItem(given: ItemName | RepeatedItem): RepeatedItem {
  if (typeof given !== 'object' || given === null || !('item' in given))
    return { item: given, least: 1, most: 1 };
  const { item, least, most } = given;
  const isValid =
    Number.isSafeInteger(least) && least >= 0 && (Number.isSafeInteger(most) || most === Infinity);
  if (isValid && most >= 1 && most >= least) {
    return { item, least: Math.min(least, MANY), most: Math.min(most, MANY) };
  }
  const message = `item ${shown(item)} has least ${shown(least)} and most ${shown(most)}: expected whole numbers, least from 0 and most from 1, and least <= most`;
  throw new DlxBatchError('bad_problem', message);
}

function costOf(option: CoverOption, index: number): number | undefined {
  const cost = typeof option === 'object' && option !== null && 'cost' in option ? option.cost : undefined;
  if (cost === undefined || (Number.isSafeInteger(cost) && cost >= 0)) return cost;
  const message = `option ${index} has cost ${shown(cost)}: expected a whole number from 0 up`;
  throw new DlxBatchError('bad_problem', message);
}

function itemsOf(option: CoverOption, index: number): OptionItems {
  const items = typeof option === 'object' && option !== null && 'items' in option ? option.items : option;
  if (Array.isArray(items)) return items;
  const message = `option ${index} is ${shown(option)}: expected an array of items, or an object with items`;
  throw new DlxBatchError('bad_argument', message);
}

function isColoured(entry: ItemName | ColouredItem): entry is ColouredItem {
  return typeof entry === 'object' && entry !== null && 'item' in entry && entry.colour !== undefined;
}

function badOptionItem(index: number, item: unknown, problem: string): DlxBatchError {
  return new DlxBatchError('bad_problem', `option ${index} has item ${shown(item)} ${problem}`);
}
