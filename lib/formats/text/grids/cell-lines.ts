/**
 * Puzzles on one line with something regular around their cells, or with a name or a number before them.
 *
 *     530070000/600195000/098000060/...          groups separated by a sign or by spaces
 *     5,3,0,0,7,0,...                            81 fields
 *     "53..7....6..195....98....6.8...6...",     in quotes, as in program code
 *     12. 53..7....6..195....98....6.8...6...    a list number, which becomes the id, as other text before the cells
 */
import { CLOSE, COLONS, DIGIT, DOTS } from '../../bytes/byte-kinds.ts';
import { type Fault, makeFault } from '../../records/fault.ts';
import { writeDrawn } from '../../writing/grid-drawing.ts';
import { isLibraryLine } from '../lines/hodoku.ts';
import { enterMapped } from '../lines/jigsaw.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { Fields } from '../shape/fields.ts';
import { judgeRun } from '../shape/judge.ts';
import { MAX_TEXT } from '../shape/line-shapes.ts';
import { addFields, FIELD_READINGS } from '../shape/readings.ts';
import type { TextContext } from '../text-context.ts';
import { columnNames } from './column-names.ts';
import { drawLine } from './field-drawing.ts';
import { labelledPuzzle } from './labelled-line.ts';
import { hasParts, isOtherText } from './line-tests.ts';

const MIN_BYTES = 16;
/** Fields that a damaged line may lack or have too many. */
const MAX_SLIPS = 2;

/** `1.`, `1)`, `(1)`, `[1]`, `12:`, `No. 3:` */
const LIST_NUMBER = /^(?:(?:no|nr)\.?\s*)?[#([]?(\d{1,9})[.):\]]{1,2}\s+(?=\S)/i;
const MAX_NUMBER_BYTES = 24;
const LABEL_SIGNS = /^[\s#:;,|-]+/;

/** What a line has beside its cells. */
interface LineNotes {
  readonly id?: string | undefined;
  readonly solution?: Uint8Array | undefined;
  /** The fields are a part of the line: no row of a larger grid. */
  readonly isPart: boolean;
}

export const cellLines: Recogniser = {
  name: 'cells-line',
  minBytes: MIN_BYTES,
  maxBytes: MAX_TEXT,
  writer: { multiLine: false, write: writeDrawn },
  match(context, at) {
    const { lines, window } = context;
    const number = listNumber(context, at);
    if (number === undefined && !hasParts(context, at) && !mayBeGroups(context, at)) {
      return matchLabelled(context, at);
    }
    const [from, end] = [window.text[at] + (number?.bytes ?? 0), window.end[at]];
    const fields = fieldsAfter(context, at, number?.bytes);
    const taken = matchFields(context, at, fields, { id: number?.id, isPart: number !== undefined });
    if (taken !== NO) return taken;
    // The first token alone, with a label after it.
    const token = from + lines.raw(from, end).search(/\s|$/);
    const rest = window.string(token, end).replace(LABEL_SIGNS, '').trim();
    if (/[\p{L}\d]/u.test(rest) && token - from >= MIN_BYTES) {
      const id = [number?.id, rest].filter(Boolean).join(' ');
      const alone = matchFields(context, at, lines.fieldsIn(at, from, token), { id, isPart: true });
      if (alone !== NO) return alone;
    }
    const labelled = matchLabelled(context, at);
    if (labelled !== NO) return labelled;
    const fault = damageOf(context, at, fields);
    return fault === undefined || columnNames(context, at) !== 0 ? NO : context.enterError(at, 1, fault);
  },
};

/** The fields of line `at` after a list number, if it has one. */
function fieldsAfter({ lines, window }: TextContext, at: number, bytes: number | undefined): Fields {
  return bytes === undefined ? lines.fields(at) : lines.fieldsIn(at, window.text[at] + bytes, window.end[at]);
}

/** Whether line `at`, which may be a row of a larger grid, is a whole puzzle. */
export function isWholeLine(context: TextContext, at: number): boolean {
  const { cells } = context.lines.fields(at);
  const reading = FIELD_READINGS.find(({ name }) => context.sink.book.isLineOrRow(cells[name]));
  return reading !== undefined && judgeRun(context, at, cells[reading.name], reading) !== 'rows';
}

/** Whether line `at` is a puzzle: a cheap test that most lines of other text fail. */
export function isCellsLine(context: TextContext, at: number): boolean {
  const { window, sink } = context;
  if (labelledPuzzle(context, at) !== undefined || isLibraryLine(context, at)) return true;
  if (window.end[at] - window.text[at] > MAX_TEXT || isOtherText(context, at)) return false;
  const number = listNumber(context, at);
  if (number === undefined && !hasParts(context, at) && !mayBeGroups(context, at)) return false;
  const { cells } = fieldsAfter(context, at, number?.bytes);
  return FIELD_READINGS.some(({ name }) => sink.book.sizeOfCells(cells[name]) !== undefined);
}

function matchFields(context: TextContext, at: number, fields: Fields, notes: LineNotes): number {
  const { sink, grid, window } = context;
  for (const reading of FIELD_READINGS) {
    const cells = fields.cells[reading.name];
    const size = sink.book.sizeOfCells(cells);
    if (size === undefined) continue;
    if (sink.book.isSize(cells) && !notes.isPart) {
      const kind = judgeRun(context, at, cells, reading);
      if (kind === 'rows') continue;
      if (kind === 'both') return refuseBoth(context, at, size);
    }
    grid.clear();
    addFields(window, at, fields, reading.name, grid);
    const { solution, id = fields.name } = notes;
    // A puzzle that only follows its name is written like one without.
    const plain = !fields.structured && fields.tokens.length === 1;
    const form = {
      format: plain ? 'line' : cellLines.name,
      geometry: sink.book.geometry(size),
      spaced: reading.spaced,
      arrangement: plain ? undefined : drawLine(context, at, fields, reading),
    };
    const own = {
      ...(id !== undefined && { id }),
      ...(solution !== undefined && { expected: { solution } }),
    };
    const plainRecord = context.enterGrid(form, at, 1, Object.keys(own).length === 0 ? undefined : own);
    if (plainRecord && !notes.isPart && !sink.book.isSize(cells)) {
      context.example = { at, lines: 1, predecessor: 'none' };
    }
    return 1;
  }
  return NO;
}

function matchLabelled(context: TextContext, at: number): number {
  const found = labelledPuzzle(context, at);
  if (found === undefined) return NO;
  const { puzzle, other, label, solution, rule } = found;
  const { from, to } = puzzle;
  if (rule !== undefined) {
    const named = `"${rule}" in the text around a puzzle`;
    const where = ', a rule that no variant here has';
    const advice = 'give the puzzle alone if it has no such rule';
    const expected = 'a puzzle given by its givens alone';
    const more = { where, advice };
    const fault = makeFault('unsupported_variant', context.window.text[at], named, expected, more);
    return context.enterError(at, 1, fault);
  }
  if (other === undefined || solution !== undefined) {
    const fields = context.lines.fieldsIn(at, from, to);
    return matchFields(context, at, fields, { id: label, solution, isPart: true });
  }
  const size = Math.sqrt(to - from);
  const isJigsaw =
    enterMapped(context, at, from, other.from, size, label) ||
    enterMapped(context, at, other.from, from, size, label);
  return isJigsaw ? 1 : NO;
}

/** Whether a line may be groups of adjacent cells: as many as each one has cells. */
function mayBeGroups({ window }: TextContext, at: number): boolean {
  const { text, tokenEnd, tokens } = window;
  const length = tokenEnd[at] - text[at];
  return tokens[at] > 3 && length > 3 && length <= 36 && tokens[at] <= 2 * length;
}

function listNumber({ window, lines }: TextContext, at: number): { id: string; bytes: number } | undefined {
  const { text, tokenEnd, tokens, end } = window;
  if (!lines.has(at, DIGIT) || !lines.has(at, DOTS | COLONS | CLOSE) || tokens[at] < 2) return undefined;
  // `12..` and three more such tokens are the groups of a 4x4.
  if (tokens[at] > 3 && tokenEnd[at] - text[at] === tokens[at]) return undefined;
  const found = LIST_NUMBER.exec(lines.raw(text[at], Math.min(end[at], text[at] + MAX_NUMBER_BYTES)));
  return found === null ? undefined : { id: found[1], bytes: found[0].length };
}

function refuseBoth(context: TextContext, at: number, size: number): number {
  const cells = size * size;
  const expected = `a ${cells}x${cells} grid, or a ${size}x${size} puzzle on each line`;
  const advice = 'pass --format cells or --format cells-line';
  const found = `${cells} lines of ${cells} cells`;
  const fault = makeFault('ambiguous_alphabet', context.window.text[at], found, expected, { advice });
  return context.enterError(at, cells, fault);
}

/** What is wrong with a line that is nearly a puzzle; undefined if it is not. */
function damageOf({ window, sink, lines }: TextContext, at: number, fields: Fields): Fault | undefined {
  const { tokens, count, structured } = fields;
  const start = window.start[at];
  if (tokens.length === 0) return undefined;
  const fault = (token: number, code: Fault['code'], found: string, expected: string) =>
    makeFault(code, start + tokens[token].from, found, expected);
  const lengths = tokens.map(({ from, to }) => to - from);
  for (const size of sink.book.sizes) {
    if (size < 9) continue;
    const cells = size * size;
    const wrong = lengths.length === size ? lengths.filter((length) => length !== size) : [];
    if (wrong.length === 1) {
      const group = lengths.indexOf(wrong[0]);
      const found = `group ${group + 1} with ${wrong[0]} cells`;
      return fault(group, 'bad_length', found, `${size} groups of ${size} cells`);
    }
    if (!structured) continue;
    const isOne = lengths.length === 1 && Math.abs(lengths[0] - cells) <= MAX_SLIPS;
    const found = isOne ? lengths[0] : count;
    if (Math.abs(found - cells) > MAX_SLIPS) continue;
    if (isOne || count !== cells) {
      return fault(0, 'bad_length', `${found} cells`, `${cells} cells of a ${size}x${size} puzzle`);
    }
    const stray = tokens.findIndex(({ code }) => code < 0);
    if (stray < 0) continue;
    const text = lines.raw(start + tokens[stray].from, start + tokens[stray].to);
    const place = `row ${Math.floor(stray / size) + 1}, column ${(stray % size) + 1}`;
    return fault(stray, 'bad_character', `"${text}" in ${place}`, 'a digit or a blank');
  }
  return undefined;
}
