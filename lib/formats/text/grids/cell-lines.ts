/**
 * Puzzles on one line with something regular around their cells, or with a name or a number before them.
 *
 *     530070000/600195000/098000060/...          groups separated by a sign or by spaces
 *     5,3,0,0,7,0,...                            81 fields
 *     "53..7....6..195....98....6.8...6...",     in quotes, as in program code
 *     12. 53..7....6..195....98....6.8...6...    a list number, which becomes the id, as other text before the cells
 */
import { CLOSE, COLONS, DIGIT, DOTS } from '../../bytes/byte-kinds.ts';
import type { GridBuffer } from '../../cells/grid-buffer.ts';
import { type Fault, makeFault } from '../../records/fault.ts';
import { isLibraryLine } from '../lines/hodoku.ts';
import { enterMapped } from '../lines/jigsaw.ts';
import { someNotes } from '../lines/line.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { type Fields, fieldsOf } from '../shape/fields.ts';
import { judgeRun } from '../shape/judge.ts';
import { type Line, MAX_TEXT } from '../shape/line.ts';
import { addFields, FIELD_READINGS } from '../shape/readings.ts';
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
/** Cells of another grid, in the text after a puzzle. */
const GRID = /[\w.*?]{81}/;
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
  match(line) {
    const parts = partsOf(line);
    if (parts === undefined) return matchLabelled(line);
    const { number, from, fields } = parts;
    if (fields.isEmpty) return NO;
    const taken = matchFields(line, fields, { id: number?.id, isPart: number !== undefined });
    if (taken !== NO) return taken;
    // The first token alone, with a label after it.
    const token = from + line.raw(from, line.end).search(/\s|$/);
    const rest = line.string(token, line.end).replace(LABEL_SIGNS, '').trim();
    if (/[\p{L}\d]/u.test(rest) && !GRID.test(rest) && token - from >= MIN_BYTES) {
      const id = [number?.id, rest].filter(Boolean).join(' ');
      const alone = matchFields(line, fieldsOf(line, from, token), { id, isPart: true });
      if (alone !== NO) return alone;
    }
    const labelled = matchLabelled(line);
    if (labelled !== NO) return labelled;
    const fault = damageOf(line, fields);
    return fault === undefined || columnNames(line) !== 0 ? NO : line.context.enterError(line, 1, fault);
  },
};

/** Whether a line, which may be a row of a larger grid, is a whole puzzle. */
export function isWholeLine(line: Line): boolean {
  const { cells } = line.fields;
  const reading = FIELD_READINGS.find(({ name }) => line.book.isLineOrRow(cells[name]));
  return reading !== undefined && judgeRun(line, cells[reading.name], reading) !== 'rows';
}

/** Whether a line is a puzzle: a cheap test that most lines of other text fail. */
export function isCellsLine(line: Line): boolean {
  if (labelledPuzzle(line) !== undefined || isLibraryLine(line)) return true;
  if (line.length > MAX_TEXT || isOtherText(line)) return false;
  const fields = partsOf(line)?.fields;
  if (fields === undefined || fields.isEmpty) return false;
  return FIELD_READINGS.some(({ name }) => line.book.sizeOfCells(fields.cells[name]) !== undefined);
}

/** The list number of a line, if it has one, and the fields after it; undefined if nothing separates fields or groups. */
function partsOf(line: Line) {
  const number = listNumber(line);
  if (number === undefined && !hasParts(line) && !mayBeGroups(line)) return undefined;
  const from = line.from + (number?.bytes ?? 0);
  return { number, from, fields: number === undefined ? line.fields : fieldsOf(line, from, line.end) };
}

function matchFields(line: Line, fields: Fields, { id = fields.name, solution, isPart }: LineNotes): number {
  const { context, book } = line;
  for (const reading of FIELD_READINGS) {
    const cells = fields.cells[reading.name];
    const size = book.sizeOfCells(cells);
    if (size === undefined) continue;
    const mayBeRow = book.isSize(cells);
    if (mayBeRow && !isPart) {
      const kind = judgeRun(line, cells, reading);
      if (kind === 'rows') continue;
      if (kind === 'both') return refuseBoth(line, size);
    }
    context.grid.clear();
    addFields(line, fields, reading.name, context.grid);
    if (reading.name === 'adjacent' && isDrawn(context.grid)) continue;
    // A puzzle that only follows its name is written like one without.
    const plain = !fields.structured && fields.tokens.length === 1;
    const form = {
      format: plain ? 'line' : cellLines.name,
      geometry: book.geometry(size),
      spaced: reading.spaced,
      name: fields.name,
      // The survey of the head writes nothing.
      arrangement: plain || context.sink.survey ? undefined : drawLine(line, fields, reading),
    };
    const notes = someNotes(id, { solution });
    const isPlain = context.enter(form, line, 1, notes);
    if (isPlain && !isPart && !mayBeRow) context.example = { at: line.at, lines: 1, predecessor: 'none' };
    return 1;
  }
  return NO;
}

/** Whether cells are nothing but a sign that lines are drawn with, or spaces, as in a text that a program prints. */
function isDrawn({ codes, count }: GridBuffer): boolean {
  return DRAWN_SIGNS.has(codes[0]) && codes.subarray(0, count).every((code) => code === codes[0]);
}

const DRAWN_SIGNS: ReadonlySet<number> = new Set([...'-_* '].map((sign) => sign.charCodeAt(0)));

function matchLabelled(line: Line): number {
  const found = labelledPuzzle(line);
  if (found === undefined) return NO;
  const { puzzle, other, label, solution, rule } = found;
  const { from, to } = puzzle;
  if (rule !== undefined) return refuseRule(line, rule);
  if (other === undefined || solution !== undefined) {
    return matchFields(line, fieldsOf(line, from, to), { id: label, solution, isPart: true });
  }
  const size = Math.sqrt(to - from);
  const isJigsaw =
    enterMapped(line, from, other, size, label) || enterMapped(line, other.from, puzzle, size, label);
  return isJigsaw ? 1 : NO;
}

function refuseRule(line: Line, rule: string): number {
  const where = ', a rule that no variant here has';
  const advice = 'give the puzzle alone if it has no such rule';
  const expected = 'a puzzle given by its givens alone';
  const named = `"${rule}" in the text around a puzzle`;
  const fault = makeFault('unsupported_variant', line.from, named, expected, { where, advice });
  return line.context.enterError(line, 1, fault);
}

/** Whether a line may be groups of adjacent cells: as many as each one has cells. */
function mayBeGroups({ from, tokenEnd, tokens }: Line): boolean {
  const length = tokenEnd - from;
  return tokens > 3 && length > 3 && length <= 36 && tokens <= 2 * length;
}

function listNumber(line: Line): { id: string; bytes: number } | undefined {
  const { from, end, tokenEnd, tokens } = line;
  if (!line.has(DIGIT) || !line.has(DOTS | COLONS | CLOSE) || tokens < 2) return undefined;
  // `12..` and three more such tokens are the groups of a 4x4.
  if (tokens > 3 && tokenEnd - from === tokens) return undefined;
  const found = LIST_NUMBER.exec(line.raw(from, Math.min(end, from + MAX_NUMBER_BYTES)));
  return found === null ? undefined : { id: found[1], bytes: found[0].length };
}

function refuseBoth(line: Line, size: number): number {
  const cells = size * size;
  const expected = `a ${cells}x${cells} grid, or a ${size}x${size} puzzle on each line`;
  const advice = 'pass --format cells or --format cells-line';
  const found = `${cells} lines of ${cells} cells`;
  const fault = makeFault('ambiguous_alphabet', line.from, found, expected, { advice });
  return line.context.enterError(line, cells, fault);
}

/** What is wrong with a line that is nearly a puzzle; undefined if it is not. */
function damageOf(line: Line, { tokens, count, structured }: Fields): Fault | undefined {
  if (tokens.length === 0) return undefined;
  const fault = (token: number, code: Fault['code'], found: string, expected: string) =>
    makeFault(code, line.start + tokens[token].from, found, expected);
  const lengths = tokens.map(({ from, to }) => to - from);
  for (const size of line.book.sizes) {
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
    const text = line.raw(line.start + tokens[stray].from, line.start + tokens[stray].to);
    const place = `row ${Math.floor(stray / size) + 1}, column ${(stray % size) + 1}`;
    return fault(stray, 'bad_character', `"${text}" in ${place}`, 'a digit or a blank');
  }
  return undefined;
}
