/**
 * Reads the line of the items in Knuth's format.
 *
 *     A 2:3|B | X          B is contained 2 or 3 times; 3|B is 3:3|B, and B alone 1:1|B; X, after the bar, is secondary
 *
 * Knuth's programs allow eight characters for a name; longer ones are read, with a warning.
 */
import type { Multiplicities } from '../../exact-cover/problem.ts';
import { BAR, COLON, ZERO } from '../bytes/ascii.ts';
import { makeFault } from '../records/fault.ts';
import type { CoverFault, CoverLines, CoverWarnings } from './cover-lines.ts';
import { IntList } from './int-list.ts';
import type { NameTable } from './name-table.ts';
import { characters, duplicateItem } from './option-lines.ts';

/** Maximum in Knuth's programs. */
const MAX_NAME_LENGTH = 8;
/** Larger multiplicities are read as this one: no problem has as many options. */
const MAX_MULTIPLICITY = 1_000_000_000;

export interface ItemLine {
  readonly primaryCount: number;
  /** Whether a bar separates primary and secondary items. */
  readonly hasBar: boolean;
  /** Undefined if each primary item is contained exactly once. */
  readonly multiplicities?: Multiplicities;
}

/** Reads line `at`, which is not a comment, as the item line. @param names gets the names, primary ones first */
export function readItemLine(
  lines: CoverLines,
  at: number,
  names: NameTable,
  warnings: CoverWarnings,
): ItemLine | CoverFault {
  const { bytes, end } = lines;
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
        lines.leniency(at, from, to, "the item's name has more than 8 characters"),
      );
    }
    from = lines.nextToken(at, to);
  }
  const hasBar = primaryCount >= 0;
  const known = { primaryCount: hasBar ? primaryCount : names.count, hasBar };
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
  // The colon comes after the nine.
  if (bar === to || bytes[from] < ZERO || bytes[from] > COLON) return { least: 1, most: 1, end: from };
  const fault = (expected: string, offset = from) => ({
    ...lines.fault('bad_multiplicity', from, to, expected),
    at: offset,
  });
  if (isSecondary) return fault('no multiplicity for a secondary item: only those before the "|" have one');
  const [low, high = low, ...more] = lines.string(from, bar).split(':');
  if (more.length > 0 || !/^\d+$/.test(low) || !/^\d+$/.test(high)) {
    return fault('a multiplicity such as 2|NAME or 2:3|NAME: one or two numbers of digits');
  }
  const least = Math.min(Number(low), MAX_MULTIPLICITY);
  const most = Math.min(Number(high), MAX_MULTIPLICITY);
  if (most === 0) return fault('an upper limit of 1 or more');
  if (Number(low) > Number(high)) return fault('a lower limit of at most the upper one, such as 2:3|NAME');
  if (bar + 1 === to) return fault('an item name directly after the "|"', bar);
  return { least, most, end: bar + 1 };
}

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

function secondBar(offset: number): CoverFault {
  const more = { isQuote: true, where: 'twice in the item line' };
  return makeFault('bad_character', offset, '|', 'one "|", between primary and secondary items', more);
}
