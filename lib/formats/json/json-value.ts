/** Reads one JSON record: a grid of cells, a grid as strings, or an object with one. */
import { withCandidates } from '../../sudoku/candidates.ts';
import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import type { TextPosition } from '../bytes/text-position.ts';
import { candidatesOf, sizeOfMarks } from '../cells/candidate-marks.ts';
import { GridBuffer, MAX_NUMBER, MINUS_ONE, NUMBER } from '../cells/grid-buffer.ts';
import type { RecordNotes } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import { type JsonFault, jsonFault } from './json-fault.ts';
import { type JsonRules, namesRules, ruledGeometry, rulesOf } from './json-rules.ts';
import { type JsonShape, OBJECT } from './json-writer.ts';

/** Names of an object's member with the puzzle, by precedence. */
export const PUZZLE_KEYS: readonly string[] = [
  'puzzle',
  'board',
  'grid',
  'quiz',
  'quizzes',
  'sudoku',
  'question',
  'cells',
  'givens',
  'value',
  'mission',
];
/** Names of the member with the solution. */
export const SOLUTION_KEYS: readonly string[] = ['solution', 'solutions', 'solved', 'answer'];
/** Names of the member with the puzzle's name. */
export const ID_KEYS: readonly string[] = ['id', 'name', 'title'];
/** An object with only a solution is a puzzle too: this format's writer writes such objects. */
export const GRID_KEYS: readonly string[] = [...PUZZLE_KEYS, ...SOLUTION_KEYS];

/** Cells of the current grid. */
const cells = new GridBuffer();

/** The notation of the cells of a grid. */
interface JsonGrid {
  /** Derived from the number of cells alone. */
  readonly geometry: Geometry;
  /** Cells are numbers, or strings with numbers of several digits. */
  readonly spaced: boolean;
  readonly shape: JsonShape;
}

/**
 * Enters the record in `bytes` from `from` to `to` (exclusive).
 *
 * @param start position of its first byte
 * @param lineEnd line of its last byte
 * @returns whether it is readable
 */
export function enterJson(
  sink: RecordSink,
  bytes: Uint8Array,
  from: number,
  to: number,
  start: TextPosition,
  lineEnd: number,
): boolean {
  const fault = enterValue(sink, parse(bytes, from, to), start.line, lineEnd);
  if (fault === undefined) return true;
  const place = start.copy();
  if (fault.scalar >= 0) place.advance(bytes, from, scalarOffset(bytes, from, to, fault.scalar));
  const { line, column } = place;
  const { code, found, expected } = fault;
  const message = `line ${line}, column ${column}: found ${found}: expected ${expected}`;
  sink.enterError({ code, message, line, column, found, expected }, start.line, lineEnd);
  return false;
}

function parse(bytes: Uint8Array, from: number, to: number): unknown {
  try {
    return JSON.parse(decoder.decode(bytes.subarray(from, to)));
  } catch {
    // Invalid JSON is expected input: `enterValue` makes an error of it.
    return undefined;
  }
}

const decoder = new TextDecoder();

function enterValue(sink: RecordSink, value: unknown, line: number, lineEnd: number): JsonFault | undefined {
  if (value === undefined) {
    return jsonFault('bad_character', -1, 'invalid JSON', 'a grid in JSON');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return enterObject(sink, value as Record<string, unknown>, line, lineEnd);
  }
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')) {
    const lines = value.every((text) => sink.book.geometryOfCells(text.length) !== undefined);
    const rows = value.every((text) => text.length === value.length);
    if (lines && !rows) {
      for (const text of value) {
        const fault = enterGrid(sink, text, '', line, lineEnd);
        if (fault !== undefined) return fault;
      }
      return undefined;
    }
  }
  return enterGrid(sink, value, '', line, lineEnd);
}

function enterObject(
  sink: RecordSink,
  object: Record<string, unknown>,
  line: number,
  lineEnd: number,
): JsonFault | undefined {
  const key = GRID_KEYS.find((name) => object[name] !== undefined);
  if (key === undefined) {
    const keys = Object.keys(object).slice(0, 5).join(', ');
    return jsonFault(
      'bad_character',
      -1,
      `an object with ${keys === '' ? 'no members' : keys}`,
      'a member "puzzle" or "board" with the grid',
    );
  }
  const rules = rulesOf(object);
  if ('code' in rules) return rules;
  const notes: RecordNotes = {};
  const id = memberOf(object, ID_KEYS);
  if (typeof id === 'string' || typeof id === 'number') notes.id = String(id);
  const solution = memberOf(object, SOLUTION_KEYS, key);
  const expected = solution === undefined ? undefined : gridOf(sink, solution, rules);
  if (expected !== undefined && 'geometry' in expected) {
    const values = sink.valuesOf(cells, expected.geometry, expected.spaced);
    if (values !== undefined) notes.expected = { solution: values };
  }
  const fault = enterGrid(sink, object[key], OBJECT, line, lineEnd, notes, rules);
  return fault === undefined ? undefined : { ...fault, scalar: -1 };
}

/** The first of `keys`, except `except`, whose member is present and not null. */
function memberOf(object: Record<string, unknown>, keys: readonly string[], except?: string): unknown {
  for (const key of keys) {
    const member = object[key];
    if (member !== undefined && member !== null && key !== except) return member;
  }
  return undefined;
}

function enterGrid(
  sink: RecordSink,
  value: unknown,
  prefix: string,
  line: number,
  lineEnd: number,
  notes?: RecordNotes,
  rules?: JsonRules,
): JsonFault | undefined {
  const marked = rules?.byCandidates && typeof value === 'string' ? sizeOfMarks(value.length) : undefined;
  if (rules !== undefined && marked !== undefined) {
    return enterMarks(sink, value as string, marked, rules, { line, lineEnd }, notes);
  }
  const found = gridOf(sink, value, rules);
  if (!('geometry' in found)) return found;
  const { spaced, shape } = found;
  const geometry = rules === undefined ? found.geometry : ruledGeometry(sink, found.geometry, rules);
  if ('code' in geometry) return geometry;
  const place = { format: 'json', geometry, spaced, arrangement: prefix + shape, line, lineEnd };
  const named = notes !== undefined && Object.keys(notes).length > 0 ? notes : undefined;
  const wrong = sink.enterGrid(cells, place, named);
  if (wrong === undefined) return undefined;
  const { code, cell, expected } = wrong;
  return { code, scalar: cells.offset[cell], found: JSON.stringify(wrong.found), expected };
}

/** Enters a puzzle with candidates in the notation of the format `pencilmarks`. */
function enterMarks(
  sink: RecordSink,
  text: string,
  size: number,
  rules: JsonRules,
  lines: { readonly line: number; readonly lineEnd: number },
  notes?: RecordNotes,
): JsonFault | undefined {
  const codes = Array.from(text, (symbol) => symbol.charCodeAt(0));
  const candidates = candidatesOf(codes, 0, size);
  if (candidates === undefined) {
    const found = 'a digit at the place of another';
    return jsonFault('bad_character', 0, found, `candidates from 1 to ${size}, each at its place`);
  }
  const plain = ruledGeometry(sink, sink.book.geometry(size), rules);
  if ('code' in plain) return plain;
  cells.clear();
  for (let cell = 0; cell < candidates.length; cell++) cells.add(DOT, 0);
  const geometry = withCandidates(plain, candidates);
  const place = { format: 'json', geometry, spaced: false, arrangement: `${OBJECT}line`, ...lines };
  sink.enterGrid(cells, place, notes);
  return undefined;
}

/**
 * Reads the grid of a value into `cells`: one string, or rows that are strings or lists of cells.
 *
 * @param rules of its object; if they name any, sizes without usual boxes are allowed
 */
function gridOf({ book }: RecordSink, value: unknown, rules?: JsonRules): JsonGrid | JsonFault {
  const anySize = rules !== undefined && namesRules(rules);
  cells.clear();
  if (typeof value === 'string') {
    const line = textCells(value, (count) => book.geometryOfCells(count, anySize) !== undefined);
    const geometry = book.geometryOfCells(line.length, anySize);
    if (geometry === undefined)
      return jsonFault('bad_length', 0, `${value.length} characters`, '81 characters, or another square');
    return addText(line, 0) ?? { geometry, spaced: line !== value, shape: 'line' };
  }
  if (!Array.isArray(value)) {
    return jsonFault('bad_character', 0, JSON.stringify(value), 'rows of cells');
  }
  const size = value.length;
  if (book.geometryOfCells(size * size, anySize) === undefined) {
    const expected = `as many as a grid has: ${book.sizes.join(', ')}`;
    return jsonFault('row_count', -1, size === 1 ? '1 row' : `${size} rows`, expected);
  }
  let scalar = 0;
  let spaced = false;
  let shape: JsonShape = 'strings';
  const empty: number[] = [];
  for (const row of value as unknown[]) {
    const text = typeof row === 'string' ? textCells(row, (count) => count === size) : undefined;
    const length = text?.length ?? (Array.isArray(row) ? row.length : 0);
    if (length !== size) return jsonFault('bad_length', scalar, `a row of ${length} cells`, `${size} cells`);
    if (text !== undefined) {
      shape = 'rows';
      spaced ||= text !== row;
      const fault = addText(text, scalar++);
      if (fault !== undefined) return fault;
      continue;
    }
    for (const cell of row as unknown[]) {
      const code = cellCode(cell);
      if (code === undefined) {
        return jsonFault('bad_character', scalar, JSON.stringify(cell), 'a cell');
      }
      if (typeof cell === 'number') {
        spaced = true;
        shape = 'numbers';
      } else if (code >= NUMBER) spaced = true;
      if (cell === null || cell === '') empty.push(cells.count);
      cells.add(code, scalar++);
    }
  }
  // An empty cell is written as 0, unless 0 occurs as well and may be a digit.
  if (empty.length > 0 && hasZeros(empty.length)) for (const cell of empty) cells.codes[cell] = DOT;
  return { geometry: book.geometry(size), spaced, shape };
}

/** Whether the current grid has more zeros than its empty cells. */
function hasZeros(empty: number): boolean {
  let zeros = 0;
  for (let cell = 0; cell < cells.count; cell++) if (cells.codes[cell] === ZERO) zeros++;
  return zeros > empty;
}

/**
 * Splits a text into cells: its characters, or the tokens between its spaces.
 *
 * @param fits whether a number of tokens is the expected one; if not, spaces are characters and may be blanks
 */
function textCells(text: string, fits: (count: number) => boolean): string | readonly string[] {
  if (!SPACED.test(text)) return text;
  const parts = text.trim().split(/\s+/);
  return fits(parts.length) ? parts : text;
}

const SPACED = /^\s*\S{1,3}(\s+\S{1,3})+\s*$/;

function addText(text: string | readonly string[], scalar: number): JsonFault | undefined {
  if (typeof text === 'string') {
    cells.addText(text, scalar);
    return undefined;
  }
  for (let k = 0; k < text.length; k++) {
    const code = cellCode(text[k]);
    if (code === undefined) {
      return jsonFault('bad_character', scalar, JSON.stringify(text[k]), 'a cell');
    }
    cells.add(code, scalar);
  }
  return undefined;
}

/** The code of a cell: a number, one character, or a number as text; `null` and an empty text are blanks. */
function cellCode(cell: unknown): number | undefined {
  if (cell === null || cell === '') return ZERO;
  if (typeof cell === 'string') {
    if (cell.length === 1) return Math.min(cell.charCodeAt(0), 255);
    return /^(\d{2,3}|-1)$/.test(cell) ? cellCode(Number(cell)) : undefined;
  }
  if (typeof cell !== 'number' || !Number.isInteger(cell)) return undefined;
  if (cell === -1) return MINUS_ONE;
  if (cell < 0 || cell > MAX_NUMBER) return undefined;
  return cell < 10 ? ZERO + cell : NUMBER + cell;
}

const ZERO = 48;
const DOT = 46;

/** Offset of scalar `index` (a string, a number, a word) of a record, from 0. */
function scalarOffset(bytes: Uint8Array, from: number, to: number, index: number): number {
  let seen = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte <= 32 || byte === 44 || byte === 58 || byte === 91 || byte === 93) continue;
    const start = at;
    if (byte === 34) {
      for (at++; at < to && bytes[at] !== 34; at++) if (bytes[at] === 92) at++;
    } else {
      while (at + 1 < to && bytes[at + 1] !== 44 && bytes[at + 1] !== 93 && bytes[at + 1] > 32) at++;
    }
    if (seen++ === index) return byte === 34 ? start + 1 : start;
  }
  return from;
}
