/** Reads one JSON record: a grid of cells, a grid as strings, or an object with one. */

import { withCandidates } from '../../sudoku/candidates.ts';
import { type Geometry, hasUsualBox, standardGeometry } from '../../sudoku/geometry/geometry.ts';
import { DOT } from '../bytes/ascii.ts';
import { scalarOffset } from '../bytes/json-scan.ts';
import type { TextPosition } from '../bytes/text-position.ts';
import { candidatesOf, sizeOfMarks } from '../cells/candidate-marks.ts';
import { GridBuffer } from '../cells/grid-buffer.ts';
import { errorAt, type Fault, makeFault } from '../records/fault.ts';
import { solves } from '../records/pair.ts';
import type { RecordNotes } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import type { WordPlace } from '../records/word-layout.ts';
import { plainName } from '../rules/rule-names.ts';
import { type EditorCells, editorCells } from './cells.ts';
import { gridOf, OBJECT } from './grid.ts';
import {
  GRID_KEYS,
  ID_KEYS,
  isBlankGrid,
  isObject,
  type JsonObject,
  keyOf,
  PUZZLE_KEYS,
  SOLUTION_KEYS,
} from './members.ts';
import { gridKey, isPuzzleText, MIN_ROW_LENGTH, pairOf } from './puzzles-in.ts';
import { ruledGeometry } from './ruled-geometry.ts';
import { rulesOf } from './rules.ts';
import { type JsonRules, namesRules } from './statement.ts';

/** Cells of the current grid. */
const cells = new GridBuffer();

/** What became of a record: `refused` is unreadable because of its rules, `damaged` for another reason. */
export type JsonOutcome = 'read' | 'refused' | 'damaged';

/**
 * Enters a record.
 *
 * @param value of its bytes `from` to `to` (exclusive), undefined if it is no JSON
 * @param start position of its first byte
 * @param lineEnd line of its last byte
 * @param rules members of the objects around it that are rules of its puzzle
 * @param solution from a list next to that of the puzzle
 */
export function enterJson(
  sink: RecordSink,
  value: unknown,
  bytes: Uint8Array,
  from: number,
  to: number,
  start: TextPosition,
  lineEnd: number,
  rules?: JsonObject,
  solution?: unknown,
): JsonOutcome {
  const place = { format: 'json', line: start.line, lineEnd };
  const fault = enterValue(sink, value, place, rules, solution);
  if (fault === undefined) return 'read';
  const shown = start.copy();
  if (fault.at >= 0) shown.advance(bytes, from, scalarOffset(bytes, from, to, fault.at));
  enterFault(sink, fault, shown, lineEnd, start.line);
  return fault.code === 'unsupported_variant' || fault.code === 'bad_regions' ? 'refused' : 'damaged';
}

/** Enters an unreadable record. */
export function enterFault(
  sink: RecordSink,
  fault: Fault,
  place: { readonly line: number; readonly column: number },
  lineEnd: number,
  firstLine = place.line,
): void {
  sink.enterError(errorAt(place, fault), firstLine, lineEnd);
}

/**
 * Enters an error for a member of a wrapper that is a rule, but follows the puzzles, or has them.
 *
 * @param parsed its value
 */
export function enterLateRule(
  sink: RecordSink,
  key: string,
  parsed: unknown,
  start: TextPosition,
  lineEnd: number,
): JsonOutcome {
  const rules = parsed === undefined ? undefined : rulesOf({ [key]: parsed }, NO_KEYS);
  if (rules !== undefined && !('code' in rules) && !namesRules(rules)) return 'read';
  const found = `the member ${JSON.stringify(key)} of an object around puzzles`;
  const fault =
    rules !== undefined && 'code' in rules
      ? rules
      : makeFault('unsupported_variant', -1, found, 'rules before the puzzles, or in each of them');
  enterFault(sink, fault, start, lineEnd);
  return 'refused';
}

/** @param owner of the member, if it is not that of the record */
export function repeatFault(key: string, owner = ''): Fault {
  return makeFault(
    'bad_character',
    -1,
    `the member ${JSON.stringify(key)}${owner} twice`,
    'each member once',
  );
}

function enterValue(
  sink: RecordSink,
  value: unknown,
  place: WordPlace,
  around: JsonObject | undefined,
  solution: unknown,
): Fault | undefined {
  if (value === undefined) {
    return makeFault('bad_character', -1, 'invalid JSON', 'a grid in JSON');
  }
  if (isObject(value))
    return enterObject(sink, around === undefined ? value : { ...around, ...value }, place);
  const rules = around === undefined ? undefined : rulesOf(around, NO_KEYS);
  if (rules !== undefined && 'code' in rules) return rules;
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')) {
    const lines = value.every((text) => sink.book.geometryOfCells(text.length) !== undefined);
    const rows = value.every((text) => text.length === value.length);
    const [first, second] = value as readonly string[];
    if (lines && !rows && value.length === 2 && solves(second, first)) {
      return enterGrid(sink, first, '', place, expectedNotes(sink, second, place.notes), rules);
    }
    if (lines && !rows) {
      for (const text of value) {
        const fault = enterGrid(sink, text, '', place, undefined, rules);
        if (fault !== undefined) return fault;
      }
      return undefined;
    }
  }
  const notes = isBlankGrid(solution) ? undefined : expectedNotes(sink, solution, place.notes);
  return enterGrid(sink, value, '', place, notes, rules);
}

const NO_KEYS: ReadonlySet<string> = new Set();

/** Enters the puzzle of an object. */
export function enterObject(sink: RecordSink, object: JsonObject, place: WordPlace): Fault | undefined {
  const pair = pairOf(sink, object);
  const key = pair?.puzzle ?? gridKey(sink, object) ?? GRID_KEYS.find((name) => object[name] !== undefined);
  if (key === undefined) {
    const keys = Object.keys(object).slice(0, 5).join(', ');
    return makeFault(
      'bad_character',
      -1,
      `an object with ${keys === '' ? 'no members' : keys}`,
      'a member "puzzle" or "board" with the grid',
    );
  }
  const used = new Set([key]);
  const other = otherGrid(sink, object, key, used);
  if (other !== undefined) return other;
  const id = keyOf(object, ID_KEYS, (value) => typeof value === 'string' || typeof value === 'number');
  const solution =
    pair?.solution ??
    keyOf(object, SOLUTION_KEYS, (value) =>
      typeof value === 'object' ? value !== null : typeof value === 'string',
    ) ??
    solutionIn(sink, object, key);
  if (solution !== undefined) used.add(solution);
  const rules = rulesOf(object, used);
  if ('code' in rules) return rules;
  const notes: RecordNotes = { ...place.notes };
  if (id !== undefined) notes.id = String(object[id]);
  const warnings = [...rules.warnings];
  if (solution !== undefined && solution !== key && !isBlankGrid(object[solution])) {
    const values = valuesOf(sink, onlyOne(object[solution]), namesRules(rules));
    if (values !== undefined) notes.expected = { solution: values };
    else warnings.push('expected_unreadable');
  }
  if (warnings.length > 0) notes.warnings = warnings;
  const labels = labelsText(rules.labels);
  if (labels !== '') notes.labels = labels;
  const fault = enterGrid(sink, object[key], OBJECT, place, notes, rules);
  return fault === undefined ? undefined : { ...fault, at: -1 };
}

/** A member with another name that solves the puzzle. */
function solutionIn(sink: RecordSink, object: JsonObject, key: string): string | undefined {
  const puzzle = object[key];
  const others = Object.keys(object).filter((other) => other !== key && mayBeGrid(object[other]));
  if (others.length === 0) return undefined;
  const codes = codesOf(sink, puzzle);
  return others.find((other) => {
    const value = object[other];
    if (typeof puzzle === 'string' && typeof value === 'string') return solves(value, puzzle);
    const solution = codesOf(sink, value);
    // The same puzzle with another blank is none.
    return isLatin(solution) && solves(solution, codes);
  });
}

function mayBeGrid(value: unknown): boolean {
  return Array.isArray(value) || (typeof value === 'string' && value.length >= MIN_ROW_LENGTH ** 2);
}

/** Whether no row of a grid has a code twice. */
function isLatin(codes: Uint16Array): boolean {
  const size = Math.sqrt(codes.length);
  for (let from = 0; from < codes.length; from += size) {
    if (new Set(codes.subarray(from, from + size)).size < size) return false;
  }
  return true;
}

/** The codes of a grid's cells; empty if a value is none. */
function codesOf(sink: RecordSink, value: unknown): Uint16Array {
  const isGrid = 'geometry' in gridOf(cells, sink.book, value, true);
  return cells.codes.slice(0, isGrid ? cells.count : 0);
}

/** The element of a list with one text or one grid. */
function onlyOne(solutions: unknown): unknown {
  return Array.isArray(solutions) && solutions.length === 1 ? solutions[0] : solutions;
}

/** Notes with the solution that the file expects. */
function expectedNotes(sink: RecordSink, solution: unknown, notes: RecordNotes | undefined): RecordNotes {
  const values = valuesOf(sink, solution, false);
  return values === undefined
    ? { ...notes, warnings: ['expected_unreadable'] }
    : { ...notes, expected: { solution: values } };
}

/** The values of a grid that is no record; undefined if it cannot be read. */
function valuesOf(sink: RecordSink, value: unknown, anySize: boolean): Uint8Array | undefined {
  const grid = gridOf(cells, sink.book, value, anySize);
  return 'geometry' in grid ? sink.valuesOf(cells, grid.geometry, grid.spaced) : undefined;
}

/** Labels as members that the writer of this format copies; each starts with a comma. */
function labelsText(labels: ReadonlyArray<readonly [key: string, value: unknown]>): string {
  return labels
    .filter(([key]) => key !== 'solution')
    .map(([key, value]) => `,${JSON.stringify(key)}:${JSON.stringify(value)}`)
    .join('');
}

/** A second grid that differs from the first one; equal ones are added to `used`. */
function otherGrid(sink: RecordSink, object: JsonObject, key: string, used: Set<string>): Fault | undefined {
  for (const [other, value] of Object.entries(object)) {
    if (other === key || !PUZZLE_NAMES.has(plainName(other)) || isBlankGrid(value)) continue;
    const isText = typeof value === 'string';
    if (isText ? !isPuzzleText(sink, value) : !Array.isArray(value)) continue;
    used.add(other);
    if (JSON.stringify(value) === JSON.stringify(object[key])) continue;
    const found = `two grids, ${JSON.stringify(key)} and ${JSON.stringify(other)}`;
    return makeFault('bad_character', -1, found, 'one; remove the member that is not the puzzle');
  }
  return undefined;
}

const PUZZLE_NAMES: ReadonlySet<string> = new Set(PUZZLE_KEYS.map(plainName));

function enterGrid(
  sink: RecordSink,
  value: unknown,
  prefix: string,
  place: WordPlace,
  notes: RecordNotes = {},
  rules?: JsonRules,
): Fault | undefined {
  const marked = rules?.byCandidates && typeof value === 'string' ? sizeOfMarks(value.length) : undefined;
  if (rules !== undefined && marked !== undefined) {
    return enterMarks(sink, value as string, marked, rules, place, notes);
  }
  const editor = Array.isArray(value) ? editorCells(value) : undefined;
  if (editor !== undefined && 'code' in editor) return editor;
  const anySize = rules !== undefined && namesRules(rules);
  const grid = gridOf(cells, sink.book, editor?.rows ?? value, anySize || editor?.regions !== undefined);
  if (!('geometry' in grid)) return grid;
  const { spaced, shape } = grid;
  const own = editor === undefined ? rules : withEditorRegions(editor, grid.geometry, rules);
  if (own !== undefined && 'code' in own) return own;
  const ruled =
    own === undefined ? { geometry: grid.geometry, warnings: [] } : ruledGeometry(sink, grid.geometry, own);
  if ('code' in ruled) return ruled;
  const restricted =
    editor?.candidates === undefined ? ruled.geometry : restrictedTo(editor.candidates, ruled.geometry);
  const entries = editor?.hasEntries ? [ENTRIES_IGNORED] : [];
  const warnings = [...(notes.warnings ?? []), ...ruled.warnings, ...entries];
  const all = warnings.length > 0 ? { ...notes, warnings } : notes;
  const { format, line, lineEnd } = place;
  const wrong = sink.enter({
    format,
    geometry: restricted,
    spaced,
    arrangement: prefix + shape,
    cells,
    line,
    lineEnd,
    notes: Object.keys(all).length > 0 ? all : undefined,
  });
  if (wrong === undefined) return undefined;
  return makeFault(wrong.code, wrong.at, JSON.stringify(wrong.found), wrong.expected);
}

/** The warning about digits that a solver entered in an editor; they are no givens. */
const ENTRIES_IGNORED = 'entries_ignored';

/** Adds the regions that cells name to the rules; f-puzzles names only those that are not the usual box. */
function withEditorRegions(
  { regions }: EditorCells,
  { size }: Geometry,
  rules: JsonRules | undefined,
): JsonRules | Fault | undefined {
  if (regions === undefined) return rules;
  if (rules?.map !== undefined) {
    return makeFault('bad_regions', -1, 'a region map, and regions of cells', 'one of them');
  }
  if (!hasUsualBox(size)) return { ...rules, map: regions };
  const { boxRows, boxColumns } = standardGeometry(size);
  const boxes = regions.map((_, cell) => {
    const [row, column] = [Math.floor(cell / size), cell % size];
    return Math.floor(row / boxRows) * boxRows + Math.floor(column / boxColumns);
  });
  if (regions.every((region, cell) => region === undefined || region === boxes[cell])) return rules;
  return { ...rules, map: regions.map((region, cell) => (region === undefined ? boxes[cell] : region)) };
}

/** The geometry with the candidates that the setter left for some cells; those of others are all digits. */
function restrictedTo(candidates: readonly unknown[], geometry: Geometry): Geometry {
  const all = 2 ** geometry.size - 1;
  const bits = Int32Array.from(candidates, (own) => {
    if (!Array.isArray(own)) return all;
    return (own as unknown[]).reduce((sum: number, digit) => sum | (1 << (Number(digit) - 1)), 0);
  });
  return withCandidates(geometry, bits);
}

/** Enters a puzzle with candidates in the notation of the format `pencilmarks`. */
function enterMarks(
  sink: RecordSink,
  text: string,
  size: number,
  rules: JsonRules,
  place: WordPlace,
  notes: RecordNotes,
): Fault | undefined {
  const codes = Array.from(text, (symbol) => symbol.charCodeAt(0));
  const candidates = candidatesOf(codes, 0, size);
  if (candidates === undefined) {
    const found = 'a digit at the place of another';
    return makeFault('bad_character', 0, found, `candidates from 1 to ${size}, each at its place`);
  }
  const plain = ruledGeometry(sink, sink.book.geometry(size), rules);
  if ('code' in plain) return plain;
  cells.clear();
  for (let cell = 0; cell < candidates.length; cell++) cells.add(DOT, 0);
  const geometry = withCandidates(plain.geometry, candidates);
  const { format, line, lineEnd } = place;
  const warnings = [...(notes.warnings ?? []), ...plain.warnings];
  const all = warnings.length > 0 ? { ...notes, warnings } : notes;
  sink.enter({
    format,
    geometry,
    arrangement: `${OBJECT}line`,
    cells,
    line,
    lineEnd,
    notes: Object.keys(all).length > 0 ? all : undefined,
  });
  return undefined;
}
