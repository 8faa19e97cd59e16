/**
 * Knuth's format: the line of the items, then an option a line.
 *
 *     A 2:3|B | X          B is contained 2 or 3 times; 3|B is 3:3|B, and B alone 1:1|B; X, after the bar, is secondary
 *     A B X:0
 *
 * Knuth's programs allow eight characters for a name; longer ones are read, with a warning.
 */
import { BAR, COLON, ZERO } from '../bytes/ascii.ts';
import type { CoverDraft } from './cover-draft.ts';
import type { CoverLines } from './cover-lines.ts';
import { EACH_ONCE, readNames } from './options.ts';

/** Maximum in Knuth's programs. */
const MAX_NAME_LENGTH = 8;
/** Larger multiplicities are read as this one: no problem has as many options. */
const MAX_MULTIPLICITY = 1_000_000_000;

/** Reads line `at` as that of the items. */
export function readItemLine(draft: CoverDraft, lines: CoverLines, at: number): boolean {
  const { bytes, end } = lines;
  const { names } = draft;
  const [least, most]: number[][] = [[], []];
  let primaryCount = -1;
  for (let from = lines.text[at]; from < end[at]; ) {
    if (bytes[from] === BAR) {
      const where = 'twice in the item line';
      const expected = 'one "|", between primary and secondary items';
      if (primaryCount >= 0) lines.fail('bad_character', from, from + 1, expected, { where });
      primaryCount = names.count;
      from = lines.nextToken(at, from + 1);
      continue;
    }
    const to = lines.tokenAfter(at, from);
    const [low, high, name] = multiplicityOf(lines, from, to, primaryCount >= 0);
    least.push(low);
    most.push(high);
    checkName(lines, name, to);
    const number = names.count;
    if (names.add(bytes, name, to) !== number)
      lines.fail('duplicate_item', name, to, EACH_ONCE, { where: 'twice in the item line' });
    if (to - name > MAX_NAME_LENGTH && [...lines.string(name, to)].length > MAX_NAME_LENGTH) {
      draft.warn('item names of more than 8 characters', () =>
        lines.leniency(at, name, to, "the item's name has more than 8 characters"),
      );
    }
    from = lines.nextToken(at, to);
  }
  const primary = primaryCount < 0 ? names.count : primaryCount;
  const [fewest, times] = [least, most].map((each) => new Int32Array(each.slice(0, primary)));
  const isPlain = [...fewest, ...times].every((count) => count === 1);
  draft.start(names.count, names.count - primary, isPlain ? undefined : { least: fewest, most: times });
  draft.isSure = !isPlain || names.count > primary;
  return true;
}

/** How often an item is contained, and where its name begins; all up to the first bar, if it begins with a digit. */
function multiplicityOf(
  lines: CoverLines,
  from: number,
  to: number,
  isSecondary: boolean,
): readonly [least: number, most: number, name: number] {
  const { bytes } = lines;
  // The colon comes after the nine.
  if (bytes[from] < ZERO || bytes[from] > COLON) return [1, 1, from];
  const bar = from + bytes.subarray(from, to).indexOf(BAR);
  if (bar < from) return [1, 1, from];
  const fail = (expected: string, at = from) => lines.fail('bad_multiplicity', from, to, expected, { at });
  if (isSecondary) fail('no multiplicity for a secondary item: only those before the "|" have one');
  const [low, high = low, ...more] = lines.string(from, bar).split(':');
  if (more.length > 0 || !/^\d+$/.test(low) || !/^\d+$/.test(high))
    fail('a multiplicity such as 2|NAME or 2:3|NAME: one or two numbers of digits');
  const [least, most] = [low, high].map((times) => Math.min(Number(times), MAX_MULTIPLICITY));
  if (most === 0) fail('an upper limit of 1 or more');
  if (Number(low) > Number(high)) fail('a lower limit of at most the upper one, such as 2:3|NAME');
  if (bar + 1 === to) fail('an item name directly after the "|"', bar);
  return [least, most, bar + 1];
}

function checkName(lines: CoverLines, from: number, to: number): void {
  const { bytes } = lines;
  let sign = from;
  while (sign < to && bytes[sign] !== COLON && bytes[sign] !== BAR) sign++;
  if (sign < to) {
    lines.fail('bad_character', sign, sign + 1, 'an item name without ":" and "|"', {
      where: `in the item name "${lines.shown(from, to)}"`,
      advice:
        'put a space before a "|" between primary and secondary items; a multiplicity is written as in 2:3|NAME',
    });
  }
  lines.checkPrintable(from, to);
}

/** Reads line `at` as an option. */
export function readOption(draft: CoverDraft, lines: CoverLines, at: number): void {
  const [from, to] = [lines.text[at], lines.end[at]];
  draft.hasPart ||= lines.tokens[at] < draft.itemCount;
  draft.builder.beginOption(lines.bytes, from, to);
  readNames(draft, lines, at, from, to);
  draft.endOption(lines, at);
}
