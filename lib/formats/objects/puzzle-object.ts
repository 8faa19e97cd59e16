/** Reads one JSON record: a grid of cells, a grid as strings, or an object with one. */

import { withCandidates } from '../../sudoku/candidates.ts';
import { type Geometry, hasUsualBox, standardGeometry } from '../../sudoku/geometry/geometry.ts';
import { needsRegions } from '../../sudoku/geometry/variants.ts';
import { DOT, ONE, ZERO } from '../bytes/ascii.ts';
import { candidatesOf, sizeOfMarks } from '../cells/candidate-marks.ts';
import { GridBuffer } from '../cells/grid-buffer.ts';
import { REGION_DISCONNECTED } from '../cells/regions.ts';
import { type Fault, makeFault } from '../records/fault.ts';
import type { LayoutBook } from '../records/layout-book.ts';
import { isLatin, solves } from '../records/pair.ts';
import type { RecordNotes } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import type { WordPlace } from '../records/word-layout.ts';
import { type EditorCells, editorCells } from './cells.ts';
import { gridOf, type JsonGrid, OBJECT } from './grid.ts';
import {
  GRID_KEYS,
  ID_KEYS,
  isBlankGrid,
  isObject,
  isPuzzleName,
  type JsonObject,
  keyOf,
  SOLUTION_KEYS,
} from './members.ts';
import { gridKey, gridTexts, pairOf } from './puzzles-in.ts';
import { readRegions } from './regions.ts';
import { rulesOf } from './rules.ts';
import { type JsonRules, namesRules } from './statement.ts';
import { fail, faultOf } from './unreadable.ts';

/** The warnings about a solution that cannot be read, and about digits that a solver entered in an editor. */
const EXPECTED_UNREADABLE = 'expected_unreadable';
const ENTRIES_IGNORED = 'entries_ignored';

/** Cells of the current grid. */
const cells = new GridBuffer();

/**
 * Enters the puzzles of a value.
 *
 * @param value undefined for text that is no JSON
 * @param around members of the objects around it that are rules of its puzzle
 * @param solution from a list next to that of the puzzle
 * @returns why it is unreadable, at the index of a string, a number or a word in it
 */
export function enterValue(
  sink: RecordSink,
  value: unknown,
  place: WordPlace,
  around?: JsonObject,
  solution?: unknown,
): Fault | undefined {
  if (isObject(value))
    return enterObject(sink, around === undefined ? value : { ...around, ...value }, place);
  return faultOf(() => {
    if (value === undefined) fail('bad_character', 'invalid JSON', 'a grid in JSON');
    const rules = around === undefined ? {} : rulesOf(around);
    const texts = Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : [];
    const areLines = texts.every((text) => sink.book.geometryOfCells(text.length) !== undefined);
    const areRows = texts.every((text) => text.length === texts.length);
    if (areRows || !areLines) {
      const expected = isBlankGrid(solution) ? undefined : solution;
      enterGrid(sink, value, place, rules, withExpected(sink, {}, expected));
    } else if (texts.length === 2 && solves(texts[1], texts[0])) {
      enterGrid(sink, texts[0], place, rules, withExpected(sink, {}, texts[1]));
    } else for (const text of texts) enterGrid(sink, text, place, rules);
  });
}

/**
 * What is wrong with a member of an object around puzzles that is a rule, but follows the puzzles, or has them.
 *
 * @param value undefined for text that is no JSON
 */
export function lateRuleFault(key: string, value: unknown): Fault | undefined {
  return faultOf(() => {
    if (value !== undefined && !namesRules(rulesOf({ [key]: value }))) return;
    const found = `the member ${JSON.stringify(key)} of an object around puzzles`;
    fail('unsupported_variant', found, 'rules before the puzzles, or in each of them');
  });
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

/** Enters the puzzle of an object. */
export function enterObject(sink: RecordSink, object: JsonObject, place: WordPlace): Fault | undefined {
  const fault = faultOf(() => {
    const pair = pairOf(sink, object);
    const named =
      pair?.puzzle ?? gridKey(sink, object) ?? GRID_KEYS.find((name) => object[name] !== undefined);
    if (named === undefined) {
      const keys = Object.keys(object).slice(0, 5).join(', ') || 'no members';
      fail('bad_character', `an object with ${keys}`, 'a member "puzzle" or "board" with the grid');
    }
    // The full one of two grids is the solution, whatever its name.
    const texts = gridTexts(sink, object);
    const solved = memberWith(texts, named, (full, text) => isLatin(full) && solves(full, text));
    const other = pair === undefined ? solved : undefined;
    const key = other ?? named;
    const used = new Set([key, ...sameGrids(object, texts, key)]);
    const id = keyOf(object, ID_KEYS, (value) => typeof value === 'string' || typeof value === 'number');
    const isValue = (value: unknown) =>
      typeof value === 'string' || (typeof value === 'object' && value !== null);
    // The same puzzle with another blank is no solution.
    const isSolution = (puzzle: string, text: string, name: string) =>
      solves(text, puzzle) && (typeof object[name] === 'string' || isLatin(text));
    const solution =
      other === undefined
        ? (pair?.solution ?? keyOf(object, SOLUTION_KEYS, isValue) ?? memberWith(texts, key, isSolution))
        : named;
    if (solution !== undefined) used.add(solution);
    const rules = rulesOf(object, used);
    const notes: RecordNotes = { warnings: [...rules.warnings] };
    if (id !== undefined) notes.id = String(object[id]);
    if (solution !== undefined && solution !== key && !isBlankGrid(object[solution])) {
      const all = object[solution];
      const only: unknown = Array.isArray(all) && all.length === 1 ? all[0] : all;
      withExpected(sink, notes, only, namesRules(rules));
    }
    // The writer of JSON copies labels as members; each starts with a comma.
    const labels = rules.labels
      .filter(([name]) => name !== 'solution')
      .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`);
    if (labels.length > 0) notes.labels = labels.join('');
    enterGrid(sink, object[key], place, rules, notes, OBJECT);
  });
  return fault && { ...fault, at: -1 };
}

/** The first other member whose grid fits the grid of one. */
function memberWith(
  texts: ReadonlyMap<string, string>,
  key: string,
  fits: (own: string, text: string, name: string) => boolean,
): string | undefined {
  const own = texts.get(key);
  if (own === undefined) return undefined;
  return [...texts].find(([name, text]) => name !== key && fits(own, text, name))?.[0];
}

/** Adds the solution that the file expects, unless it is undefined. */
function withExpected(sink: RecordSink, notes: RecordNotes, solution: unknown, anySize = false): RecordNotes {
  let values: Uint8Array | undefined;
  faultOf(() => {
    const { geometry, spaced } = gridOf(cells, sink.book, solution, anySize);
    values = sink.valuesOf(cells, geometry, spaced);
  });
  if (values !== undefined) notes.expected = { solution: values };
  else if (solution !== undefined) notes.warnings = [...(notes.warnings ?? []), EXPECTED_UNREADABLE];
  return notes;
}

/** Other members with the same grid; fails if one has another grid. */
function sameGrids(object: JsonObject, texts: ReadonlyMap<string, string>, key: string): readonly string[] {
  const others = Object.keys(object).filter((other) => {
    const value = object[other];
    if (other === key || !isPuzzleName(other) || isBlankGrid(value)) return false;
    return texts.has(other) || Array.isArray(value);
  });
  if (others.length === 0) return others;
  const own = JSON.stringify(object[key]);
  const puzzle = texts.get(key);
  const another = others.find((other) => {
    const text = texts.get(other);
    const isSolution = puzzle !== undefined && text !== undefined && solves(text, puzzle) && isLatin(text);
    return !isSolution && JSON.stringify(object[other]) !== own;
  });
  if (another === undefined) return others;
  const found = `two grids, ${JSON.stringify(key)} and ${JSON.stringify(another)}`;
  fail('bad_character', found, 'one; remove the member that is not the puzzle');
}

function enterGrid(
  sink: RecordSink,
  value: unknown,
  place: WordPlace,
  rules: JsonRules,
  notes: RecordNotes = {},
  prefix = '',
): void {
  const editor = editorCells(value);
  const anySize = namesRules(rules) || editor?.regions !== undefined;
  const marked =
    rules.byCandidates === true && typeof value === 'string' ? marksOf(sink.book, value) : undefined;
  const {
    geometry: plain,
    spaced,
    shape,
  } = marked ?? gridOf(cells, sink.book, editor?.rows ?? value, anySize);
  if (isMatrix(plain)) {
    const advice = 'an exact cover is read from lines of 0s and 1s, with --format matrix';
    fail('bad_character', 'a matrix of 0s and 1s', `the digits of a puzzle; ${advice}`);
  }
  const warnings = [...(place.notes?.warnings ?? []), ...(notes.warnings ?? [])];
  const own = editor === undefined ? rules : withEditorRegions(editor, plain, rules);
  const ruled = ruledGeometry(sink.book, plain, own, warnings);
  if (editor?.hasEntries === true) warnings.push(ENTRIES_IGNORED);
  const candidates = marked?.candidates ?? setterCandidates(editor, plain.size);
  const { warnings: _, ...others } = { ...place.notes, ...notes };
  const all: RecordNotes = warnings.length > 0 ? { ...others, warnings } : others;
  const { format, line, lineEnd } = place;
  const fault = sink.enter({
    format,
    geometry: candidates === undefined ? ruled : withCandidates(ruled, candidates),
    spaced,
    arrangement: prefix + shape,
    cells,
    line,
    lineEnd,
    notes: Object.keys(all).length > 0 ? all : undefined,
  });
  if (fault !== undefined) fail(fault.code, JSON.stringify(fault.found), fault.expected, fault.at);
}

/** Whether the current grid has only 0s and 1s, and a 1 in each row and each column: an exact cover, and no sudoku. */
function isMatrix({ size, places }: Geometry): boolean {
  const codes = cells.codes.subarray(0, cells.count);
  if (places !== undefined || !codes.every((code) => code === ZERO || code === ONE)) return false;
  const units = new Set<number>();
  codes.forEach((code, cell) => {
    if (code === ONE) units.add(Math.floor(cell / size)).add(size + (cell % size));
  });
  return units.size === 2 * size;
}

/** A puzzle with candidates in the notation of the format `pencilmarks`; undefined if a text has another length. */
function marksOf(
  book: LayoutBook,
  text: string,
): (JsonGrid & { readonly candidates: Int32Array }) | undefined {
  const size = sizeOfMarks(text.length);
  if (size === undefined) return undefined;
  const codes = Array.from(text, (symbol) => symbol.charCodeAt(0));
  const candidates = candidatesOf(codes, 0, size);
  if (candidates === undefined) return undefined;
  cells.clear();
  for (let cell = 0; cell < candidates.length; cell++) cells.add(DOT, 0);
  return { geometry: book.geometry(size), spaced: false, shape: 'line', candidates };
}

/** The candidates that the setter left for some cells, as bits; those of others are all digits. */
function setterCandidates(editor: EditorCells | undefined, size: number): Int32Array | undefined {
  const all = 2 ** size - 1;
  return (
    editor?.candidates &&
    Int32Array.from(editor.candidates, (own) => {
      if (!Array.isArray(own)) return all;
      return (own as unknown[]).reduce((sum: number, digit) => sum | (1 << (Number(digit) - 1)), 0);
    })
  );
}

/** Adds the regions that cells name to the rules; f-puzzles names only those that are not the usual box. */
function withEditorRegions({ regions }: EditorCells, { size }: Geometry, rules: JsonRules): JsonRules {
  if (regions === undefined) return rules;
  if (rules.map !== undefined) fail('bad_regions', 'a region map, and regions of cells', 'one of them');
  if (!hasUsualBox(size)) return { ...rules, map: regions };
  const { boxRows, boxColumns } = standardGeometry(size);
  const boxes = regions.map((_, cell) => {
    const [row, column] = [Math.floor(cell / size), cell % size];
    return Math.floor(row / boxRows) * boxRows + Math.floor(column / boxColumns);
  });
  const map = regions.map((region, cell) => region ?? boxes[cell]);
  return map.join() === boxes.join() ? rules : { ...rules, map };
}

/** The geometry of a puzzle with the rules of its object. @param plain the one without rules */
function ruledGeometry(book: LayoutBook, plain: Geometry, rules: JsonRules, warnings: string[]): Geometry {
  const { variant, map, box } = rules;
  const { size, cellCount, places } = plain;
  if (places !== undefined) {
    if (variant === undefined || variant === plain.variant) return plain;
    fail('unsupported_variant', `${cellCount} cells of ${variant}`, `cells of ${plain.variant}`);
  }
  if (box !== undefined && box[0] * box[1] !== size) {
    const found = `boxes of ${box[0]}x${box[1]} in a ${size}x${size}`;
    fail('bad_regions', found, `boxes of ${size} cells`);
  }
  if (map === undefined) return namesRules(rules) ? book.geometryFor({ variant, size, box }) : plain;
  if (variant !== undefined && !needsRegions(variant))
    fail('bad_regions', 'a map of regions', `none, as the variant is ${variant}`);
  const { regions, isDisconnected } = readRegions(map, size);
  if (isDisconnected) warnings.push(REGION_DISCONNECTED);
  return book.jigsaw(regions, { variant, box });
}
