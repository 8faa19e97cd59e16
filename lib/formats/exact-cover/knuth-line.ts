/**
 * Reads the two kinds of lines in Knuth's format: the item line and the option lines.
 *
 *     A 2:3|B | X          B is contained 2 or 3 times; 3|B is 3:3|B, and B alone 1:1|B
 *     A B X:0 |7           an option that costs 7; several costs are added
 *
 * Names and colours are bytes. Knuth's programs allow eight characters for a name and one for a colour; longer ones are
 * read, with a warning. Errors have the same positions as in his programs.
 */

import type { Multiplicities } from '../../exact-cover/problem.ts';
import { BAR, COLON, isWhite, SPACE } from '../bytes/ascii.ts';
import { makeFault } from '../records/fault.ts';
import type { CoverBuilder } from './cover-builder.ts';
import type { CoverFault, CoverLines, CoverWarnings } from './cover-lines.ts';
import { IntList } from './int-list.ts';
import { EMPTY_HASH, extendHash, NameTable } from './name-table.ts';

/** Maximum in Knuth's programs. */
const MAX_NAME_LENGTH = 8;
/** Larger multiplicities are read as this one: no problem has as many options. */
const MAX_MULTIPLICITY = 1_000_000_000;

export interface KnuthItems {
  /** Primary ones first. */
  readonly names: NameTable;
  readonly primaryCount: number;
  /** Whether a bar separates primary and secondary items. */
  readonly hasBar: boolean;
  /** Undefined if each primary item is contained exactly once. */
  readonly multiplicities?: Multiplicities;
}

/** Whether line `at` is a comment: its first character is a bar. */
export function isKnuthComment({ bytes, text, tokens }: CoverLines, at: number): boolean {
  return tokens[at] > 0 && bytes[text[at]] === BAR;
}

/** Reads line `at`, which is not a comment, as the item line. */
export function readItemLine(
  lines: CoverLines,
  at: number,
  warnings: CoverWarnings,
): KnuthItems | CoverFault {
  const { bytes, end } = lines;
  const names = new NameTable();
  const least = new IntList();
  const most = new IntList();
  let primaryCount = -1;
  for (let from = lines.text[at]; from < end[at]; ) {
    if (bytes[from] === BAR) {
      if (primaryCount >= 0) return secondBar(from);
      primaryCount = names.count;
      from = lines.nextToken(at, from + 1);
      continue;
    }
    const to = lines.tokenAfter(at, from);
    const times = readMultiplicity(lines, from, to, primaryCount >= 0);
    if ('code' in times) return times;
    least.push(times.least);
    most.push(times.most);
    from = times.end;
    const fault = nameFault(lines, from, to) ?? lines.controlCharacter(from, to);
    if (fault !== undefined) return fault;
    const number = names.count;
    if (names.add(bytes, from, to) !== number) return duplicateItem(lines, from, to, 'the item line');
    if (to - from > MAX_NAME_LENGTH && characters(bytes, from, to) > MAX_NAME_LENGTH) {
      warnings.add('item names of more than 8 characters', () =>
        warning(lines, at, from, to, "the item's name has more than 8 characters"),
      );
    }
    from = lines.nextToken(at, to);
  }
  const hasBar = primaryCount >= 0;
  const known = { names, primaryCount: hasBar ? primaryCount : names.count, hasBar };
  const multiplicities = { least: least.take(known.primaryCount), most: most.take(known.primaryCount) };
  const isPlain = [multiplicities.least, multiplicities.most].every((all) =>
    all.every((times) => times === 1),
  );
  return isPlain ? known : { ...known, multiplicities };
}

/** How often an item is contained, and where its name begins. */
interface Multiplicity {
  readonly least: number;
  readonly most: number;
  readonly end: number;
}

/** Reads the multiplicity in front of an item name, if there is one: all up to the first bar, if it begins with a digit. */
function readMultiplicity(
  lines: CoverLines,
  from: number,
  to: number,
  isSecondary: boolean,
): Multiplicity | CoverFault {
  const { bytes } = lines;
  let bar = from;
  while (bar < to && bytes[bar] !== BAR) bar++;
  if (bar === to || !(isDigit(bytes[from]) || bytes[from] === COLON)) return { least: 1, most: 1, end: from };
  const fault = (offset: number, expected: string) =>
    makeFault('bad_multiplicity', offset, lines.shown(from, to), expected, { isQuote: true });
  if (isSecondary)
    return fault(from, 'no multiplicity for a secondary item: only those before the "|" have one');
  const [low, high = low, ...more] = lines.string(from, bar).split(':');
  if (more.length > 0 || !/^\d+$/.test(low) || !/^\d+$/.test(high)) {
    return fault(from, 'a multiplicity such as 2|NAME or 2:3|NAME: one or two numbers of digits');
  }
  const least = Math.min(Number(low), MAX_MULTIPLICITY);
  const most = Math.min(Number(high), MAX_MULTIPLICITY);
  if (most === 0) return fault(from, 'an upper limit of 1 or more');
  if (Number(low) > Number(high))
    return fault(from, 'a lower limit of at most the upper one, such as 2:3|NAME');
  if (bar + 1 === to) return fault(bar, 'an item name directly after the "|"');
  return { least, most, end: bar + 1 };
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

/**
 * Reads line `at`, which is not a comment, into the current option of `builder`.
 *
 * @param colours all colours so far
 */
export function readOptionLine(
  lines: CoverLines,
  at: number,
  { names, primaryCount }: KnuthItems,
  colours: NameTable,
  builder: CoverBuilder,
  warnings: CoverWarnings,
): CoverFault | undefined {
  const { bytes } = lines;
  const end = lines.end[at];
  let single = true;
  for (let from = lines.text[at]; from < end; ) {
    // One pass over the name and its hash code, the colour and the space: this is most of the reading time.
    let code = EMPTY_HASH;
    let colon = from;
    while (colon < end && NAME_END[bytes[colon]] === 0) code = extendHash(code, bytes[colon++]);
    let to = colon;
    if (bytes[colon] === COLON) while (to < end && !isWhite(bytes[to])) to++;
    const item = names.find(bytes, from, colon, code);
    if (item < 0) {
      const fault =
        bytes[from] === BAR ? readCost(lines, at, from, builder) : unknownItem(lines, from, colon, to);
      if (fault !== undefined) return fault;
      to = lines.tokenAfter(at, from);
      single &&= isSingleSpace(lines, to, end);
      from = lines.nextToken(at, to);
      continue;
    }
    let colour = 0;
    if (colon < to) {
      const fault = colourFault(lines, from, colon, to, item < primaryCount);
      if (fault !== undefined) return fault;
      colour = colours.add(bytes, colon + 1, to) + 1;
      if (to - colon > 2 && characters(bytes, colon + 1, to) > 1) {
        warnings.add('colours of more than one character', () =>
          warning(lines, at, colon + 1, to, 'the colour has more than one character'),
        );
      }
    }
    if (!builder.addItem(item, colour)) return duplicateItem(lines, from, colon, 'this option');
    from = to + 1;
    if (from < end && (bytes[to] !== SPACE || isWhite(bytes[from]))) {
      single = false;
      while (from < end && isWhite(bytes[from])) from++;
    }
  }
  builder.addText(bytes, lines.text[at], end, single);
  return undefined;
}

/** Adds the cost at `from` in line `at` to the current option. */
function readCost(
  lines: CoverLines,
  at: number,
  from: number,
  builder: CoverBuilder,
): CoverFault | undefined {
  const to = lines.tokenAfter(at, from);
  const fault = (expected: string) =>
    makeFault('bad_cost', from, lines.shown(from, to), expected, { isQuote: true });
  const digits = lines.string(from + 1, to);
  if (digits === '')
    return fault('a cost directly after the "|", as in |7, or items only: a file has one problem');
  if (!/^\d+$/.test(digits)) return fault('a cost of digits only, as in |7: a whole number from 0 up');
  if (builder.addCost(Number(digits))) return undefined;
  return fault(`costs of at most ${Number.MAX_SAFE_INTEGER} in all options together`);
}

/** Whether the space from `at` on is one space before a token, or nothing before the end. */
function isSingleSpace({ bytes }: CoverLines, at: number, end: number): boolean {
  return at + 1 >= end || (bytes[at] === SPACE && !isWhite(bytes[at + 1]));
}

/** By byte: 1 if it ends a name. */
const NAME_END = Uint8Array.from({ length: 256 }, (_, byte) => (byte === COLON || isWhite(byte) ? 1 : 0));

function nameFault(lines: CoverLines, from: number, to: number): CoverFault | undefined {
  const { bytes } = lines;
  for (let at = from; at < to; at++) {
    if (bytes[at] !== COLON && bytes[at] !== BAR) continue;
    const where = `in the item name "${lines.shown(from, to)}"`;
    const advice =
      'put a space before a "|" between primary and secondary items; a multiplicity is written as in 2:3|NAME';
    const expected = 'an item name without ":" and "|"';
    const more = { isQuote: true, where, advice };
    return makeFault('bad_character', at, String.fromCharCode(bytes[at]), expected, more);
  }
  return undefined;
}

function colourFault(
  lines: CoverLines,
  from: number,
  colon: number,
  to: number,
  primary: boolean,
): CoverFault | undefined {
  const fault = (offset: number, expected: string) =>
    makeFault('bad_colour', offset, lines.shown(from, to), expected, { isQuote: true });
  if (primary)
    return fault(from, 'no colour on a primary item: only secondary items, after the "|", have one');
  if (to === colon + 1) return fault(colon, 'a colour directly after the ":"');
  if (to - colon > 2 && lines.bytes.subarray(colon + 1, to).some((byte) => byte === COLON || byte === BAR)) {
    return fault(colon, 'one colour, then a space before the next item');
  }
  return lines.controlCharacter(colon + 1, to);
}

function unknownItem(lines: CoverLines, from: number, colon: number, to: number): CoverFault {
  const found = lines.shown(from, colon);
  if (found === '') {
    const expected = 'an item name before the ":"';
    return makeFault('bad_character', from, lines.shown(from, to), expected, { isQuote: true });
  }
  const expected = `an item of the first line${found.startsWith('#') ? '; comments start with "|"' : ''}`;
  return makeFault('unknown_item', from, found, expected, { isQuote: true, where: ', an unknown item' });
}

function duplicateItem(lines: CoverLines, from: number, to: number, where: string): CoverFault {
  const more = { isQuote: true, where: `twice in ${where}` };
  return makeFault('duplicate_item', from, lines.shown(from, to), 'each item once', more);
}

function secondBar(offset: number): CoverFault {
  const more = { isQuote: true, where: 'twice in the item line' };
  return makeFault('bad_character', offset, '|', 'one "|", between primary and secondary items', more);
}

function warning(lines: CoverLines, at: number, from: number, to: number, what: string): string {
  const place = `line ${lines.number(at)}, column ${lines.column(at, from)}`;
  return `${place}: "${lines.shown(from, to)}": ${what}: it is read, but Knuth's programs reject it`;
}

/** Number of UTF-8 characters between two offsets. */
function characters(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if ((bytes[at] & 0xc0) !== 0x80) count++;
  return count;
}
