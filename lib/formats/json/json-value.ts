/** One record of JSON as a puzzle: a grid of cells, rows or a line as strings, or an object that holds one. */
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

/** Members of an object that hold its puzzle, in the order in which they are looked for. */
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
/** Members that hold its solution. */
export const SOLUTION_KEYS: readonly string[] = ['solution', 'solutions', 'solved', 'answer'];
/** Members that hold its name. */
export const ID_KEYS: readonly string[] = ['id', 'name', 'title'];
/** Solutions of objects are written as objects that hold nothing else. */
export const GRID_KEYS: readonly string[] = [...PUZZLE_KEYS, ...SOLUTION_KEYS];

/** For the grid at hand; its content is of no use to the next one. */
const cells = new GridBuffer();

/** The cells of a grid, and how they were written. */
interface JsonGrid {
  /** Where nothing but the number of cells tells it. */
  readonly geometry: Geometry;
  /** Cells are numbers, or strings with a number of several digits. */
  readonly spaced: boolean;
  readonly shape: JsonShape;
}

/**
 * Enters the record in `bytes` from `from` to `to` (exclusive).
 *
 * @param start place of its first byte
 * @param lineEnd line of its last byte
 * @returns whether it could be read
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
    // Not JSON is a value of this reader, not a fault of the program: `enterValue` makes an error of it.
    return undefined;
  }
}

const decoder = new TextDecoder();

function enterValue(sink: RecordSink, value: unknown, line: number, lineEnd: number): JsonFault | undefined {
  if (value === undefined) {
    return {
      code: 'bad_character',
      scalar: -1,
      found: 'text that is no valid JSON',
      expected: 'a grid in JSON',
    };
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
    return {
      code: 'bad_character',
      scalar: -1,
      found: `an object with ${keys === '' ? 'no members' : keys}`,
      expected: 'a member "puzzle" or "board" with the grid',
    };
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

/** The first of some members that is there and not null; that of the key `except` does not count. */
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

/** Enters a puzzle that is given by the candidates of its cells, as the format `pencilmarks` has them. */
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
    return {
      code: 'bad_character',
      scalar: 0,
      found,
      expected: `candidates from 1 to ${size}, each at its place`,
    };
  }
  const plain = ruledGeometry(sink, sink.book.geometry(size), rules);
  if ('code' in plain) return plain;
  cells.clear();
  for (let cell = 0; cell < candidates.length; cell++) cells.add(BLANK, 0);
  const geometry = withCandidates(plain, candidates);
  const place = { format: 'json', geometry, spaced: false, arrangement: `${OBJECT}line`, ...lines };
  sink.enterGrid(cells, place, notes);
  return undefined;
}

/**
 * The grid that a value holds: one string, or rows that are strings or lists of cells.
 *
 * @param rules what the object says of it: then sizes without usual boxes are taken as well
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
    return { code: 'bad_character', scalar: 0, found: JSON.stringify(value), expected: 'rows of cells' };
  }
  const size = value.length;
  if (book.geometryOfCells(size * size, anySize) === undefined) {
    const expected = `as many as a grid has: ${book.sizes.join(', ')}`;
    return { code: 'row_count', scalar: -1, found: size === 1 ? '1 row' : `${size} rows`, expected };
  }
  let scalar = 0;
  let spaced = false;
  let shape: JsonShape = 'strings';
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
        return { code: 'bad_character', scalar, found: JSON.stringify(cell), expected: 'a cell' };
      }
      if (typeof cell === 'number') {
        spaced = true;
        shape = 'numbers';
      } else if (code >= NUMBER) spaced = true;
      cells.add(code, scalar++);
    }
  }
  return { geometry: book.geometry(size), spaced, shape };
}

/**
 * The cells of a text: its characters, or, as numbers of several digits need, the parts between its spaces.
 *
 * @param fits whether so many parts are what is expected; else spaces are characters, and may be blanks
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
      return { code: 'bad_character', scalar, found: JSON.stringify(text[k]), expected: 'a cell' };
    }
    cells.add(code, scalar);
  }
  return undefined;
}

/** The code of a cell: a number, one character, a number as text; `null` and an empty text are blanks. */
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
/** A dot. */
const BLANK = 46;

/** Offset of a scalar of a record (a string, a number, a word), counted from 0. */
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
