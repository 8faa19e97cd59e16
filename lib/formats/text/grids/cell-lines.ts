/**
 * Puzzles on one line with something regular around their cells, or with a name or a number before them.
 *
 *     530070000/600195000/098000060/...          groups separated by a sign or by spaces
 *     5,3,0,0,7,0,...                            81 fields
 *     "53..7....6..195....98....6.8...6...",     in quotes, as in program code
 *     12. 53..7....6..195....98....6.8...6...    a list number, which becomes the id, as other text before the cells
 */

import { isWhite } from '../../bytes/ascii.ts';
import { type Fault, makeFault } from '../../records/fault.ts';
import { writeDrawn } from '../../writing/grid-drawing.ts';
import { DIGIT, KINDS } from '../byte-kinds.ts';
import { isLibraryLine } from '../lines/hodoku.ts';
import { enterMapped } from '../lines/jigsaw.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { LineFields } from '../shape/fields.ts';
import { judgeRun } from '../shape/judge.ts';
import { addFields, FIELD_READINGS, type FieldsReading } from '../shape/readings.ts';
import type { TextContext } from '../text-context.ts';
import { columnNames } from './column-names.ts';
import { drawLine } from './field-drawing.ts';
import { labelledPuzzle } from './labelled-line.ts';
import { hasOtherSigns, hasParts, startsLikeText } from './line-tests.ts';

const MIN_BYTES = 16;
const MAX_LINE_BYTES = 8192;
/** Fields that a damaged line may lack or have too many. */
const MAX_SLIPS = 2;

/** `1.`, `1)`, `(1)`, `[1]`, `12:`, `No. 3:` */
const LIST_NUMBER = /^(?:(?:no|nr)\.?\s*)?[#([]?(\d{1,9})[.):\]]{1,2}\s+(?=\S)/i;
const MAX_NUMBER_BYTES = 24;

/** Scratch: the fields of a part of a line. */
const PART = new LineFields();

export const cellLines: Recogniser = {
  name: 'cells-line',
  minBytes: MIN_BYTES,
  writer: { multiLine: false, write: writeDrawn },
  match(context, at) {
    const { window } = context;
    const [text, end] = [window.text[at], window.end[at]];
    if (end - text > MAX_LINE_BYTES) return NO;
    const number = listNumber(context, at);
    const from = text + (number?.bytes ?? 0);
    const parts = hasParts(window, at) || mayBeGroups(context, at);
    if (!parts && number === undefined) return matchLabelled(context, at);
    const fields = number === undefined ? context.lines.fields(at) : split(context, at, from, end);
    const taken = matchFields(context, at, fields, number?.id);
    if (taken !== NO) return taken;
    // The first token alone, with a label after it.
    let token = from;
    while (token < end && !isWhite(window.bytes[token])) token++;
    const rest = labelOf(context, token, end);
    if (/[\p{L}\d]/u.test(rest) && token - from >= MIN_BYTES) {
      const label = [number?.id, rest].filter(Boolean).join(' ');
      const alone = matchFields(context, at, split(context, at, from, token), label);
      if (alone !== NO) return alone;
    }
    const labelled = matchLabelled(context, at);
    if (labelled !== NO) return labelled;
    const fault = damageOf(
      context,
      at,
      number === undefined ? context.lines.fields(at) : split(context, at, from, end),
    );
    if (fault === undefined) return NO;
    if (columnNames(context, at) !== 0) return NO;
    return context.enterError(at, 1, fault);
  },
};

/** Whether line `at`, which may be a row of a larger grid, is a whole puzzle. */
export function isWholeLine(context: TextContext, at: number): boolean {
  const { lines, sink } = context;
  for (const reading of FIELD_READINGS) {
    const cells = lines.fields(at).cells[reading.name];
    if (sink.book.isLineOrRow(cells)) return judgeRun(context, at, cells, reading) !== 'rows';
  }
  return false;
}

/** Whether line `at` is a puzzle: a cheap test that most lines of other text fail. */
export function isCellsLine(context: TextContext, at: number): boolean {
  const { window, sink } = context;
  if (labelledPuzzle(context, at) !== undefined || isLibraryLine(context, at)) return true;
  if (
    window.end[at] - window.text[at] > MAX_LINE_BYTES ||
    startsLikeText(window, at) ||
    hasOtherSigns(window, at)
  )
    return false;
  const number = listNumber(context, at);
  if (number === undefined && !hasParts(window, at) && !mayBeGroups(context, at)) return false;
  const fields =
    number === undefined
      ? context.lines.fields(at)
      : split(context, at, window.text[at] + number.bytes, window.end[at]);
  return FIELD_READINGS.some(({ name }) => sink.book.sizeOfCells(fields.cells[name]) !== undefined);
}

function split(context: TextContext, at: number, from: number, to: number): LineFields {
  PART.split(context.window, at, from, to, context.sink.book);
  return PART;
}

function matchFields(
  context: TextContext,
  at: number,
  fields: LineFields,
  label: string | undefined,
  solution?: Uint8Array,
): number {
  const { book } = context.sink;
  for (const reading of FIELD_READINGS) {
    const cells = fields.cells[reading.name];
    if (book.sizeOfCells(cells) === undefined) continue;
    if (book.isSize(cells) && fields !== PART) {
      const kind = judgeRun(context, at, cells, reading);
      if (kind === 'rows') continue;
      if (kind === 'both') return refuseBoth(context, at, cells);
    }
    enter(context, at, fields, reading, cells, label, solution);
    return 1;
  }
  return NO;
}

function enter(
  context: TextContext,
  at: number,
  fields: LineFields,
  reading: FieldsReading,
  cells: number,
  label: string | undefined,
  solution: Uint8Array | undefined,
): void {
  const { sink, grid } = context;
  grid.clear();
  addFields(context.window, at, fields, reading.name, grid);
  const id = label ?? fields.span.name;
  // A puzzle that only follows its name is written like one without.
  const plain = !fields.span.structured && fields.tokens === 1;
  const form = {
    format: plain ? 'line' : cellLines.name,
    geometry: sink.book.geometry(Math.sqrt(cells)),
    spaced: reading.spaced,
    arrangement: plain ? undefined : drawLine(context, at, fields, reading),
  };
  const notes = {
    ...(id === undefined ? {} : { id }),
    ...(solution === undefined ? {} : { expected: { solution } }),
  };
  context.enterGrid(form, at, 1, id === undefined && solution === undefined ? undefined : notes);
}

function matchLabelled(context: TextContext, at: number): number {
  const found = labelledPuzzle(context, at);
  if (found === undefined) return NO;
  const { puzzle, other, label, solution, rule } = found;
  if (rule !== undefined) {
    const found = `"${rule}" in the text around a puzzle`;
    const expected = 'a puzzle given by its givens alone';
    const where = ', a rule that no variant here has';
    const advice = 'give the puzzle alone if it has no such rule';
    const { text } = context.window;
    return context.enterError(
      at,
      1,
      makeFault('unsupported_variant', text[at], found, expected, { where, advice }),
    );
  }
  const { from, to } = puzzle;
  if (other !== undefined && solution === undefined) {
    const size = Math.sqrt(to - from);
    const isJigsaw =
      enterMapped(context, at, from, other.from, size, label) ||
      enterMapped(context, at, other.from, from, size, label);
    return isJigsaw ? 1 : NO;
  }
  return matchFields(context, at, split(context, at, from, to), label, solution);
}

/** Whether a line may be groups of adjacent cells: as many as each one has cells. */
function mayBeGroups({ window }: TextContext, at: number): boolean {
  const { text, tokenEnd, tokens } = window;
  const length = tokenEnd[at] - text[at];
  return tokens[at] > 3 && length > 3 && length <= 36 && tokens[at] <= 2 * length;
}

function listNumber({ window }: TextContext, at: number): { id: string; bytes: number } | undefined {
  const { bytes, text, tokenEnd, tokens, end } = window;
  // `12..` and three more such tokens are the groups of a 4x4.
  if (tokens[at] > 3 && tokenEnd[at] - text[at] === tokens[at]) return undefined;
  const first = bytes[text[at]];
  const starts = KINDS[first] & DIGIT || first === 40 || first === 91 || (first | 32) === 110;
  if (!starts) return undefined;
  const found = LIST_NUMBER.exec(window.string(text[at], Math.min(end[at], text[at] + MAX_NUMBER_BYTES)));
  return found === null ? undefined : { id: found[1], bytes: found[0].length };
}

function labelOf({ window }: TextContext, from: number, to: number): string {
  return window
    .string(from, to)
    .replace(/^[\s#:;,|-]+/, '')
    .trim();
}

function refuseBoth(context: TextContext, at: number, cells: number): number {
  const { window } = context;
  const size = Math.sqrt(cells);
  const taken = cells;
  const found = `${cells} lines of ${cells} cells`;
  const expected = `a ${cells}x${cells} grid, or a ${size}x${size} puzzle on each line`;
  const advice = 'pass --format cells or --format cells-line';
  const fault = makeFault('ambiguous_alphabet', window.text[at], found, expected, { advice });
  return context.enterError(at, taken, fault);
}

/** What is wrong with a line that is nearly a puzzle; undefined if it is not. */
function damageOf(context: TextContext, at: number, fields: LineFields): Fault | undefined {
  const { window, sink } = context;
  const start = window.start[at];
  if (fields.tokens === 0) return undefined;
  const fault = (token: number, code: Fault['code'], found: string, expected: string) =>
    makeFault(code, start + fields.from[token], found, expected);
  for (const size of sink.book.sizes) {
    if (size < 9) continue;
    const groups = fields.wrongGroup(size);
    if (groups !== undefined) {
      return fault(
        groups,
        'bad_length',
        `group ${groups + 1} with ${fields.to[groups] - fields.from[groups]} cells`,
        `${size} groups of ${size} cells`,
      );
    }
    const length = fields.to[0] - fields.from[0];
    if (fields.tokens === 1 && fields.span.structured && Math.abs(length - size * size) <= MAX_SLIPS) {
      return fault(0, 'bad_length', `${length} cells`, `${size * size} cells of a ${size}x${size} puzzle`);
    }
    const { count } = fields;
    if (!fields.span.structured || Math.abs(count - size * size) > MAX_SLIPS) continue;
    const stray = fields.wide;
    if (count !== size * size)
      return fault(0, 'bad_length', `${count} cells`, `${size * size} cells of a ${size}x${size} puzzle`);
    if (stray < 0) continue;
    const text = window.string(start + fields.from[stray], start + fields.to[stray]);
    return fault(
      stray,
      'bad_character',
      `"${text}" in row ${Math.floor(stray / size) + 1}, column ${(stray % size) + 1}`,
      'a digit or a blank',
    );
  }
  return undefined;
}
