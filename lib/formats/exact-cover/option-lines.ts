/**
 * Reads the line of an option: the names or numbers of its items, or a 0 or 1 for each of them.
 *
 *     A B X:0 |7           Knuth's format: names, secondary ones with a colour; an option that costs 7, several are added
 *     2 4 5                numbers
 *     0 0 1 0 1 1 0        columns, also without spaces
 *
 * Names and colours are bytes. Knuth's programs allow one character for a colour; longer ones are read, with a warning.
 * Errors have the same positions as in his programs.
 */
import { BAR, COLON, COMMA, DASH, HASH, isWhite, NINE, ONE, SEMICOLON, ZERO } from '../bytes/ascii.ts';
import { makeFault } from '../records/fault.ts';
import type { CoverBuilder } from './cover-builder.ts';
import { type CoverFault, type CoverLines, type CoverWarnings, isAround } from './cover-lines.ts';
import { EMPTY_HASH, extendHash, type NameTable } from './name-table.ts';

/** The items of a problem, as the lines of its options name them. */
export interface Items {
  readonly primaryCount: number;
  /** Whether secondary items may have colours, and options costs. */
  readonly hasColours: boolean;
  readonly names: NameTable;
  /** Adds a name that is new; -1 if it is malformed. Omitted if all items are stated. */
  readonly add?: (bytes: Uint8Array, from: number, to: number) => number;
  /** What is expected in place of a name that is no item's. */
  readonly expected: string;
  /** Whether an item may be named again in an option, and is entered once. @default none */
  readonly mayRepeat?: (item: number, fault: CoverFault) => boolean;
}

/** What the options of a problem are read into. */
export interface OptionSink {
  readonly builder: CoverBuilder;
  /** All colours so far. */
  readonly colours: NameTable;
  readonly warnings: CoverWarnings;
}

/** Maximum number of digits of an item's number. */
const MAX_DIGITS = 7;

/** Items with the names of a table. */
export function namedItems(names: NameTable, primaryCount: number): Items {
  return { names, primaryCount, hasColours: true, expected: 'an item of the first line' };
}

/** @returns the number between two offsets; -1 if there is none, or if it has too many digits */
export function numberIn(bytes: Uint8Array, from: number, to: number): number {
  if (to === from || to - from > MAX_DIGITS) return -1;
  let number = 0;
  for (let at = from; at < to; at++) {
    if (bytes[at] < ZERO || bytes[at] > NINE) return -1;
    number = number * 10 + bytes[at] - ZERO;
  }
  return number;
}

/** Reads the names between two offsets of line `at` into the current option. */
export function readNames(
  lines: CoverLines,
  at: number,
  first: number,
  end: number,
  items: Items,
  sink: OptionSink,
): CoverFault | undefined {
  const { bytes } = lines;
  const { builder } = sink;
  const { names } = items;
  for (let from = lines.nextToken(at, first); from < end; ) {
    // One pass over the name and its hash code: this is most of the reading time.
    let code = EMPTY_HASH;
    let colon = from;
    while (colon < end && NAME_END[bytes[colon]] === 0) code = extendHash(code, bytes[colon++]);
    let to = colon;
    if (to < end && bytes[to] === COLON) while (to < end && !isWhite(bytes[to])) to++;
    let item = names.find(bytes, from, colon, code);
    if (item < 0 && items.add !== undefined) item = items.add(bytes, from, colon);
    if (item < 0) {
      const isCost = bytes[from] === BAR && items.hasColours;
      const fault = isCost ? readCost(lines, from, to, builder) : unknownItem(lines, from, colon, to, items);
      if (fault !== undefined) return fault;
    } else {
      let colour = 0;
      if (colon < to) {
        const fault = colourFault(lines, from, colon, to, item, items);
        if (fault !== undefined) return fault;
        colour = sink.colours.add(bytes, colon + 1, to) + 1;
        if (characters(bytes, colon + 1, to) > 1) {
          sink.warnings.add('colours of more than one character', () =>
            lines.leniency(at, colon + 1, to, 'the colour has more than one character'),
          );
        }
      }
      if (!builder.addItem(item, colour)) {
        const fault = duplicateItem(lines, from, colon, 'this option');
        if (items.mayRepeat?.(item, fault) !== true) return fault;
      }
    }
    from = to + 1;
    while (from < end && isWhite(bytes[from])) from++;
  }
  return undefined;
}

/** By byte: 1 if it ends a name. */
const NAME_END = Uint8Array.from({ length: 256 }, (_, byte) => (byte === COLON || isWhite(byte) ? 1 : 0));

/** Adds the cost between two offsets to the current option. */
function readCost(
  lines: CoverLines,
  from: number,
  to: number,
  builder: CoverBuilder,
): CoverFault | undefined {
  const digits = lines.string(from + 1, to);
  const fault = (expected: string) => lines.fault('bad_cost', from, to, expected);
  if (digits === '')
    return fault('a cost directly after the "|", as in |7, or items only: a file has one problem');
  if (!/^\d+$/.test(digits)) return fault('a cost of digits only, as in |7: a whole number from 0 up');
  if (builder.addCost(Number(digits))) return undefined;
  return fault(`costs of at most ${Number.MAX_SAFE_INTEGER} in all options together`);
}

function colourFault(
  lines: CoverLines,
  from: number,
  colon: number,
  to: number,
  item: number,
  { primaryCount, hasColours }: Items,
): CoverFault | undefined {
  if (!hasColours) return lines.fault('bad_character', from, to, 'an item without a colour');
  const fault = (expected: string, at = colon) => ({ ...lines.fault('bad_colour', from, to, expected), at });
  if (item < primaryCount)
    return fault('no colour on a primary item: only secondary items, after the "|", have one', from);
  if (to === colon + 1) return fault('a colour directly after the ":"');
  if (to - colon > 2 && lines.bytes.subarray(colon + 1, to).some((byte) => byte === COLON || byte === BAR)) {
    return fault('one colour, then a space before the next item');
  }
  return lines.controlCharacter(colon + 1, to);
}

function unknownItem(
  lines: CoverLines,
  from: number,
  colon: number,
  to: number,
  { hasColours, expected }: Items,
): CoverFault {
  if (colon === from) return lines.fault('bad_character', from, to, 'an item name before the ":"');
  const advice = lines.bytes[from] === HASH ? 'comments start with "|"' : undefined;
  if (!hasColours) return lines.fault('bad_character', from, to, expected);
  return { ...lines.fault('unknown_item', from, colon, expected), where: ', an unknown item', advice };
}

export function duplicateItem(lines: CoverLines, from: number, to: number, where: string): CoverFault {
  return { ...lines.fault('duplicate_item', from, to, 'each item once'), where: `twice in ${where}` };
}

/** Number of UTF-8 characters between two offsets. */
export function characters(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if ((bytes[at] & 0xc0) !== 0x80) count++;
  return count;
}

/** Reads line `at`, the numbers of items from 0, into the current option. */
export function readNumbers(
  lines: CoverLines,
  at: number,
  itemCount: number,
  builder: CoverBuilder,
): CoverFault | undefined {
  const { bytes } = lines;
  const end = lines.end[at];
  for (let from = lines.text[at]; from < end; ) {
    let item = 0;
    let to = from;
    for (; to < end && bytes[to] >= ZERO && bytes[to] <= NINE; to++) item = item * 10 + bytes[to] - ZERO;
    if (to === from || to - from > MAX_DIGITS || (to < end && !isWhite(bytes[to]))) {
      return lines.fault('bad_character', from, lines.tokenAfter(at, from), "an item's number");
    }
    if (item >= itemCount) return lines.fault('unknown_item', from, to, `an item from 0 to ${itemCount - 1}`);
    if (!builder.addItem(item, 0)) return duplicateItem(lines, from, to, 'this option');
    from = to + 1;
    while (from < end && isWhite(bytes[from])) from++;
  }
  return undefined;
}

/**
 * Reads line `at`, a column for each item, into the current option. Spaces, bars, brackets, and one comma or semicolon
 * may be between columns, and a dash at the end.
 *
 * @returns the number of columns
 */
export function readColumns(
  lines: CoverLines,
  at: number,
  itemCount: number,
  builder: CoverBuilder,
): number | CoverFault {
  const { bytes, end } = lines;
  let item = 0;
  let isMissing = true;
  for (let byte = lines.text[at]; byte < end[at]; byte++) {
    const sign = bytes[byte];
    if (sign === ZERO || sign === ONE) {
      if (sign === ONE && item < itemCount) builder.addItem(item, 0);
      item++;
      isMissing = false;
    } else if ((sign === COMMA || sign === SEMICOLON) && !isMissing) isMissing = true;
    else if (!isWhite(sign) && !isAround(sign) && (sign !== DASH || byte + 1 < end[at])) {
      return makeFault('bad_character', byte, lines.characterFrom(byte), '0 or 1', { isQuote: true });
    }
  }
  return item;
}
