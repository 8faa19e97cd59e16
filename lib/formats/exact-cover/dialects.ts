/**
 * The formats of exact-cover files: what each line is read as. `DIALECTS` is the table; a new format is a row of it.
 *
 *     dlx, xcc           sparse        dense         matrix          sets
 *
 *     A B C | X Y        7 2           7 2           6 7             1 2 3 4           above the options
 *     A B X:0 Y:0        2 4 5         0010110       0 0 1 0 1 -     A: 1 3            an option a line
 *     A C X:1 |7         0 3 6         1001001       1,0,0,1         {1, 2}, {3}       several, in brackets
 */
import { BAR, HASH, SEMICOLON } from '../bytes/ascii.ts';
import { errorAt, makeFault } from '../records/fault.ts';
import type { CoverDraft } from './cover-draft.ts';
import type { CoverFault, CoverLines } from './cover-lines.ts';
import { type CoverError, type CoverFormatName, type CoverProblem, MAX_ITEMS } from './cover-record.ts';
import { shapeStated, withHeadLine } from './heads.ts';
import { readItemLine } from './item-line.ts';
import { withoutHead } from './list-heads.ts';
import { type Items, namedItems, numberIn, readColumns, readNames, readNumbers } from './option-lines.ts';
import { puzzleSizes } from './puzzle-shapes.ts';

export interface Dialect {
  /** By the first byte of a line: 1 if it is a comment. */
  readonly comments: Uint8Array;
  /** Whether a blank line below an option ends a problem. */
  readonly hasMany: boolean;
  /** Reads line `at`: the head if the draft has no items yet, or options. */
  readonly read: (draft: CoverDraft, lines: CoverLines, at: number) => CoverFault | undefined;
  /** Ends a problem of readable lines. @param isCut whether more lines follow */
  readonly end?: (draft: CoverDraft, isCut: boolean) => CoverProblem | CoverError;
}

const startingWith = (...signs: number[]) =>
  Uint8Array.from({ length: 256 }, (_, byte) => (signs.includes(byte) ? 1 : 0));
const KNUTH: Dialect = { comments: startingWith(BAR), hasMany: false, read: readKnuth };
const OTHERS = { comments: startingWith(HASH, BAR, SEMICOLON), hasMany: true };

export const DIALECTS: Readonly<Record<CoverFormatName, Dialect>> = {
  dlx: KNUTH,
  xcc: KNUTH,
  sparse: { ...OTHERS, read: readSparse },
  dense: { ...OTHERS, read: readDense },
  matrix: { ...OTHERS, read: readMatrix, end: endMatrix },
  sets: { ...OTHERS, hasMany: false, read: readSets, end: endSets },
};

function readKnuth(draft: CoverDraft, lines: CoverLines, at: number): CoverFault | undefined {
  const { names, signs, items } = draft;
  if (items !== undefined) {
    const [from, to] = [lines.text[at], lines.end[at]];
    signs.hasPart ||= lines.tokens[at] < draft.itemCount;
    draft.begin(lines, from, to);
    return readNames(lines, at, from, to, items, draft) ?? draft.end(lines, at);
  }
  const found = readItemLine(lines, at, names, draft.warnings);
  if ('code' in found) return found;
  const { primaryCount, multiplicities } = found;
  draft.items = namedItems(names, primaryCount);
  draft.start(names.count, names.count - primaryCount, multiplicities);
  signs.strong = multiplicities !== undefined || (found.hasBar && names.count > primaryCount);
  return undefined;
}

function readSparse(draft: CoverDraft, lines: CoverLines, at: number): CoverFault | undefined {
  const { itemCount, builder } = draft;
  if (itemCount === 0) return readCounts(draft, lines, at);
  draft.begin(lines, lines.text[at], lines.end[at]);
  return readNumbers(lines, at, itemCount, builder) ?? draft.end(lines, at);
}

function readDense(draft: CoverDraft, lines: CoverLines, at: number): CoverFault | undefined {
  return draft.itemCount === 0 ? readCounts(draft, lines, at) : readRow(draft, lines, at);
}

/** Reads line `at` as the number of items, and of the secondary ones. */
function readCounts(draft: CoverDraft, lines: CoverLines, at: number): CoverFault | undefined {
  const [from, end] = [lines.text[at], lines.end[at]];
  const to = lines.tokenAfter(at, from);
  const second = lines.nextToken(at, to);
  const items = numberIn(lines.bytes, from, to);
  const secondary = second < end ? numberIn(lines.bytes, second, lines.tokenAfter(at, second)) : 0;
  if (lines.tokens[at] > 2 || items < 1 || secondary < 0 || secondary > items) {
    return lines.fault(
      'bad_character',
      from,
      end,
      'the number of items, followed by the number of secondary ones, if any',
    );
  }
  return startNumbered(draft, from, items, secondary);
}

function startNumbered(
  draft: CoverDraft,
  from: number,
  count: number,
  secondary: number,
): CoverFault | undefined {
  if (count > MAX_ITEMS) {
    return makeFault('too_large', from, `${count} items`, `${MAX_ITEMS} items at most`);
  }
  draft.start(count, secondary);
  return undefined;
}

function readMatrix(draft: CoverDraft, lines: CoverLines, at: number): CoverFault | undefined {
  if (draft.itemCount === 0 && !lines.isRow(at)) {
    const head = withHeadLine(lines.words(at), draft.head);
    if (head !== undefined) draft.head = head;
    if (head !== undefined) return undefined;
    draft.signs.isMixed =
      new Set(lines.words(at).map((word) => /^\d+$/.test(word) && word.length > 1)).size > 1;
  }
  return readRow(draft, lines, at);
}

/** Reads line `at` as columns; the first row of a matrix without a number of items tells it. */
function readRow(draft: CoverDraft, lines: CoverLines, at: number): CoverFault | undefined {
  const from = lines.text[at];
  draft.begin(lines, from, lines.end[at]);
  lines.dropName(at);
  if (draft.itemCount === 0) {
    const columns = readColumns(lines, at, 0, draft.builder);
    const fault = typeof columns === 'number' ? startMatrix(draft, from, columns) : columns;
    if (fault !== undefined) return fault;
  }
  const columns = readColumns(lines, at, draft.itemCount, draft.builder);
  if (typeof columns !== 'number') return columns;
  if (columns === draft.itemCount) return draft.end(lines, at);
  return makeFault('bad_length', from, `${columns} columns`, `${draft.itemCount} columns, one per item`);
}

function startMatrix(draft: CoverDraft, from: number, columns: number): CoverFault | undefined {
  const { head } = draft;
  draft.shape = shapeStated(head, columns);
  if (draft.shape !== undefined) return startNumbered(draft, from, columns, draft.shape.secondary);
  const stated = head.names > 0 ? `${head.names} columns` : `columns as in "${head.numbers.join(' ')}"`;
  return makeFault('bad_length', from, `${columns} columns`, stated);
}

/** Compares the rows of a matrix with those that its head states. */
function endMatrix(draft: CoverDraft, isCut: boolean): CoverProblem | CoverError {
  const { shape, good, head, line, itemCount } = draft;
  const cover = draft.builder.build();
  if (isCut || shape === undefined) return cover;
  const [size] = shape.rows === undefined ? puzzleSizes(good, itemCount) : [];
  if (size !== undefined) {
    draft.warnings.add('matrices in the shape of puzzles', () => {
      const what = `${good} rows of ${itemCount} are also the shape of ${size}x${size} puzzles`;
      return `line ${line}: ${what}, in which 0 is a blank: --box or --format reads them as puzzles`;
    });
  }
  const place = { line, column: 1 };
  if (shape.rows !== undefined && shape.rows !== good) {
    const found = `${good} rows below "${head.numbers.join(' ')}"`;
    return errorAt(place, makeFault('bad_length', 0, found, `${shape.rows} rows`));
  }
  if (shape.secondary > 0 && shape.secondary === good && head.numbers.length === 2) {
    const found = `${itemCount} columns, of which ${good} may be secondary, or else ${good} is the number of rows`;
    draft.signs.isAmbiguous = true;
    const advice = `write "${good} ${itemCount}" for rows and columns, or use --format dense for secondary columns`;
    return errorAt(place, makeFault('bad_length', 0, found, 'one meaning', { advice }));
  }
  return cover;
}

/** A name before a set, such as `A:` `'A':` `S1 =` `B ->`. */
const SET_NAME = /^[\s,[{(]*["']?(\w{1,40}(?: set)?)["']?\s*(?::|=>?|->)\s*/;
const UNIVERSE = /^(?:universe|items|elements|ground ?set)$/i;
/** A set in brackets without others in it. */
const SET = /[[{(][^[\]{}()]*[\]})]/g;

/** Reads line `at`: the sets in brackets, or the one without; lines of brackets alone are around others. */
function readSets(draft: CoverDraft, lines: CoverLines, at: number): CoverFault | undefined {
  const { signs } = draft;
  const first = lines.text[at];
  const text = lines.characters(first, lines.end[at]);
  const [before = '', name = ''] = SET_NAME.exec(text) ?? [];
  const sets = Array.from(text.matchAll(SET), ({ index, 0: { length } }) => [index, index + length]);
  if (sets.length > 0) signs.bracketed++;
  else if (/[[\]{}()]/.test(text)) {
    return /\w/.test(text.slice(before.length))
      ? lines.fault('bad_character', first, lines.end[at], 'each set on one line')
      : undefined;
  } else sets.push([before.length, text.length]);
  if (before !== '') signs.named++;
  if (draft.itemCount === 0) signs.hasUniverse = UNIVERSE.test(name);
  const items = openItems(draft, lines, at);
  draft.start(Infinity, 0);
  for (const [start, end] of sets) {
    const [from, to] = [first + start, first + end];
    const isAlone = sets.length === 1;
    draft.begin(lines, isAlone ? first : from, isAlone ? lines.end[at] : to);
    const fault =
      lines.separate(from, to) ?? readNames(lines, at, from, to, items, draft) ?? draft.end(lines, at);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Items with the names that the lists have. The first number of a line may count those after it, and also be one of them. */
function openItems(draft: CoverDraft, lines: CoverLines, at: number): Items {
  const { names } = draft;
  const { bytes, text, tokens } = lines;
  const [from, to] = [text[at], lines.tokenAfter(at, text[at])];
  const isCount = numberIn(bytes, from, to) === tokens[at] - 1;
  return {
    names,
    primaryCount: Infinity,
    hasColours: false,
    expected: 'an item\'s name without "|"',
    add: (all, start, end) => (all[start] === BAR ? -1 : names.add(all, start, end)),
    mayRepeat(item, fault) {
      const mayRepeat = isCount && item === names.find(bytes, from, to);
      if (mayRepeat) draft.repeated ??= lines.errorOf(at, fault);
      return mayRepeat;
    },
  };
}

function endSets(draft: CoverDraft, isCut: boolean): CoverProblem | CoverError {
  const { signs, names, repeated, good, builder } = draft;
  const found = withoutHead({ cover: builder.build(), names, isCut }, signs.hasUniverse);
  if ('code' in found) return found;
  const { cover, head } = found;
  if (repeated !== undefined && head?.isCounted !== true) return repeated;
  const { items, primaryCount } = cover.problem;
  signs.hasCounts = head !== undefined && head.items === undefined;
  // Names and brackets also stand around single values, and around lists of things that are not shared.
  const areShared = items.length > primaryCount && 2 * items.length >= 3 * cover.problem.optionCount;
  const areLists = head?.items !== undefined || areShared;
  signs.strong = head?.isSure === true || ((signs.named === good || signs.bracketed > 0) && areLists);
  return cover;
}
