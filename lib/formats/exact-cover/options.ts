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
import { COMMA, DASH, HASH, isWhite, SEMICOLON } from '../bytes/ascii.ts';
import type { CoverDraft } from './cover-draft.ts';
import { AROUND, type CoverLines, MAX_DIGITS } from './cover-lines.ts';
import { EMPTY_HASH, extendHash } from './name-table.ts';

// Most bytes are compared with these. Imported constants would be loaded from their module for each byte.
const ZERO = 48;
const ONE = 49;
const NINE = 57;
const COLON = 58;
const BAR = 124;

/** By byte: 1 if it ends a name. */
const NAME_END = Uint8Array.from({ length: 256 }, (_, byte) => (byte === COLON || isWhite(byte) ? 1 : 0));

export const EACH_ONCE = 'each item once';

/**
 * Reads the names between two offsets of line `at` into the current option.
 *
 * @param startsWithCount whether its first token may count the others, and also be one of them
 */
export function readNames(
  draft: CoverDraft,
  lines: CoverLines,
  at: number,
  first: number,
  end: number,
  startsWithCount = false,
): void {
  const { bytes } = lines;
  const { builder, names } = draft;
  const isOpen = draft.itemCount === Infinity;
  for (let from = lines.nextToken(at, first); from < end; ) {
    // One pass over the name and its hash code: this is most of the reading time.
    let code = EMPTY_HASH;
    let colon = from;
    while (colon < end && NAME_END[bytes[colon]] === 0) code = extendHash(code, bytes[colon++]);
    let to = colon;
    if (to < end && bytes[to] === COLON) while (to < end && !isWhite(bytes[to])) to++;
    const isItem = isOpen && bytes[from] !== BAR;
    const item = isItem ? names.add(bytes, from, colon, code) : names.find(bytes, from, colon, code);
    if (item < 0 && bytes[from] === BAR && !isOpen) readCost(draft, lines, from, to);
    else if (item < 0) failForItem(lines, from, colon, to, isOpen);
    else {
      const colour = colon < to ? colourOf(draft, lines, at, from, colon, to, item) : 0;
      if (!builder.addItem(item, colour)) {
        const twice = ['duplicate_item', from, colon, EACH_ONCE, { where: 'twice in this option' }] as const;
        const isCount = startsWithCount && item === names.find(bytes, lines.text[at], lines.tokenEnd[at]);
        if (!isCount) lines.fail(...twice);
        draft.repeated ??= lines.errorOf(at, lines.faultAt(...twice));
      }
    }
    from = to + 1;
    while (from < end && isWhite(bytes[from])) from++;
  }
}

/** Adds the cost between two offsets to the current option. */
function readCost({ builder }: CoverDraft, lines: CoverLines, from: number, to: number): void {
  const digits = lines.string(from + 1, to);
  const fail = (expected: string) => lines.fail('bad_cost', from, to, expected);
  if (digits === '') fail('a cost directly after the "|", as in |7, or items only: a file has one problem');
  if (!/^\d+$/.test(digits)) fail('a cost of digits only, as in |7: a whole number from 0 up');
  if (builder.addCost(Number(digits))) return;
  fail(`costs of at most ${Number.MAX_SAFE_INTEGER} in all options together`);
}

/** The number of the colour after `colon`, from 1. */
function colourOf(
  draft: CoverDraft,
  lines: CoverLines,
  at: number,
  from: number,
  colon: number,
  to: number,
  item: number,
): number {
  const { bytes } = lines;
  const start = colon + 1;
  if (draft.itemCount === Infinity) lines.fail('bad_character', from, to, 'an item without a colour');
  if (item < draft.primaryCount || to === start || to > start + 1)
    checkColour(lines, from, colon, to, item < draft.primaryCount);
  lines.checkPrintable(start, to);
  if (to > start + 1 && [...lines.string(start, to)].length > 1) {
    draft.warn('colours of more than one character', () =>
      lines.leniency(at, start, to, 'the colour has more than one character'),
    );
  }
  return draft.colours.add(bytes, start, to) + 1;
}

/** Fails if the item has no colour there, or more than one. */
function checkColour(lines: CoverLines, from: number, colon: number, to: number, isPrimary: boolean): void {
  const fail = (expected: string, at = colon) => lines.fail('bad_colour', from, to, expected, { at });
  if (isPrimary) fail('no colour on a primary item: only secondary items, after the "|", have one', from);
  if (to === colon + 1) fail('a colour directly after the ":"');
  if (lines.bytes.subarray(colon + 1, to).some((byte) => byte === COLON || byte === BAR))
    fail('one colour, then a space before the next item');
}

function failForItem(lines: CoverLines, from: number, colon: number, to: number, isOpen: boolean): never {
  if (isOpen) lines.fail('bad_character', from, to, 'an item\'s name without "|"');
  if (colon === from) lines.fail('bad_character', from, to, 'an item name before the ":"');
  const advice = lines.bytes[from] === HASH ? 'comments start with "|"' : undefined;
  lines.fail('unknown_item', from, colon, 'an item of the first line', {
    where: ', an unknown item',
    advice,
  });
}

/** Reads line `at`, the numbers of items from 0, as an option. */
export function readNumbers(draft: CoverDraft, lines: CoverLines, at: number): void {
  const { itemCount, builder } = draft;
  const { bytes } = lines;
  const end = lines.end[at];
  builder.beginOption(bytes, lines.text[at], end);
  for (let from = lines.text[at]; from < end; ) {
    let item = 0;
    let to = from;
    for (; to < end && bytes[to] >= ZERO && bytes[to] <= NINE; to++) item = item * 10 + bytes[to] - ZERO;
    if (to === from || to - from > MAX_DIGITS || (to < end && !isWhite(bytes[to])))
      lines.fail('bad_character', from, lines.tokenAfter(at, from), "an item's number");
    if (item >= itemCount) lines.fail('unknown_item', from, to, `an item from 0 to ${itemCount - 1}`);
    if (!builder.addItem(item, 0))
      lines.fail('duplicate_item', from, to, EACH_ONCE, { where: 'twice in this option' });
    from = to + 1;
    while (from < end && isWhite(bytes[from])) from++;
  }
  draft.endOption(lines, at);
}

/**
 * Reads line `at`, a column for each item, into the current option. Spaces, bars, brackets, and one comma or semicolon
 * may be between columns, and a dash at the end.
 *
 * @returns the number of columns
 */
export function readColumns({ itemCount, builder }: CoverDraft, lines: CoverLines, at: number): number {
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
    else if (
      !isWhite(sign) &&
      AROUND[sign] === 0 &&
      (sign !== DASH || lines.nextToken(at, byte + 1) < end[at])
    ) {
      let after = byte + 1;
      while (after < end[at] && (bytes[after] & 0xc0) === 0x80) after++;
      lines.fail('bad_character', byte, after, '0 or 1', { found: lines.string(byte, after) });
    }
  }
  return item;
}
