/**
 * Cells in JSON: numbers, texts, and the objects of puzzle editors.
 *
 *     5  "5"  ""  null  -1            a digit or a blank
 *     {"value": 5, "given": true}     f-puzzles: a given
 *     {"value": 5}                    SudokuPad: a given; f-puzzles: the solver's entry, if any cell is marked as given
 */
import { ZERO } from '../bytes/ascii.ts';
import { MAX_NUMBER, MINUS_ONE, NUMBER } from '../cells/grid-buffer.ts';
import { ruleNamed } from '../rules/rule-names.ts';
import { isObject, isOff, type JsonObject } from './members.ts';
import { fail } from './unreadable.ts';

/** The code of a cell: a number, one character, or a number as text; `null` and an empty text are blanks. */
export function cellCode(cell: unknown): number | undefined {
  if (cell === null || cell === '') return ZERO;
  if (typeof cell === 'string') {
    if (cell.length === 1) return Math.min(cell.charCodeAt(0), 255);
    return /^(\d{2,3}|-1)$/.test(cell) ? cellCode(Number(cell)) : undefined;
  }
  if (cell === -1) return MINUS_ONE;
  if (typeof cell !== 'number' || !Number.isInteger(cell) || cell < 0 || cell > MAX_NUMBER) return undefined;
  return cell < 10 ? ZERO + cell : NUMBER + cell;
}

/** A grid of cell objects: their digits, and what else they state. */
export interface EditorCells {
  readonly rows: readonly unknown[];
  /** The region of each cell, undefined for the usual box; undefined if no cell names one. */
  readonly regions: readonly unknown[] | undefined;
  /** The digits that the setter left for each cell, undefined for all; undefined if no cell has any. */
  readonly candidates: readonly unknown[] | undefined;
  /** Whether some cells have the entries of a solver, which are not givens. */
  readonly hasEntries: boolean;
}

/** Members of a cell that are read. */
const KNOWN = new Set(['value', 'v', 'val', 'digit', 'given', 'region', 'givenPencilMarks']);
/** Members of a cell that are a solver's marks, or repeat its place. */
const MARKS =
  /^(corner|cent(er|re)|pencil|candidate|highlight|colou?r|c$|cc$|row$|col(umn)?$|r$|x$|y$|index$|id$|box$|block$|note|mark|select|readonly|fixed|is_?given|locked|editable|conflict|error|valid|is_?valid|correct|solution$|answer$)/i;

/** @returns the cells of rows with objects; undefined if there is no object among them */
export function editorCells(value: unknown): EditorCells | undefined {
  // Nearly all grids have none.
  const hasObject = (row: unknown) => (Array.isArray(row) ? row.some(isObject) : isObject(row));
  if (!Array.isArray(value) || !value.some(hasObject)) return undefined;
  const cells: unknown[] = value.flat();
  for (const cell of cells) if (isObject(cell)) checkMembers(cell);
  checkPlaces(cells);
  const each = (read: (cell: JsonObject, at: number) => unknown) => {
    const found = cells.map((cell, at) => (isObject(cell) ? (read(cell, at) ?? undefined) : undefined));
    return found.some((each) => each !== undefined) ? found : undefined;
  };
  const givens = each(({ given, isGiven, fixed }) => given ?? isGiven ?? fixed) ?? [];
  const isMarked = givens.includes(true);
  const isEntry = (cell: unknown, at: number) =>
    isMarked && isObject(cell) && givens[at] !== true && !isOff(digitOf(cell));
  const digits = cells.map((cell, at) => (isEntry(cell, at) ? null : isObject(cell) ? digitOf(cell) : cell));
  let next = 0;
  const rows = value.map((row) => (Array.isArray(row) ? row.map(() => digits[next++]) : digits[next++]));
  return {
    rows,
    regions: each(({ region }) => region),
    // Marks in a cell with a digit mean nothing.
    candidates: each(({ givenPencilMarks }, at) =>
      isOff(givenPencilMarks) || !isOff(digits[at]) ? undefined : givenPencilMarks,
    ),
    hasEntries: cells.some(isEntry),
  };
}

function digitOf({ value, v, digit, val, given }: JsonObject): unknown {
  return value ?? v ?? digit ?? val ?? (typeof given === 'boolean' ? null : given) ?? null;
}

/** Fails if a cell has more than a digit. */
function checkMembers(cell: JsonObject): void {
  const key = Object.keys(cell).find((name) => !KNOWN.has(name) && !isOff(cell[name]) && !MARKS.test(name));
  if (key === undefined) return;
  const rule = ruleNamed(key);
  const found = `the member ${JSON.stringify(key)} of a cell${rule === undefined ? '' : ` (${rule})`}`;
  fail('unsupported_variant', found, 'cells with "value", "given" and "region" alone');
}

/** Fails if cells that state their places are in another order than that of the grid. */
function checkPlaces(cells: readonly unknown[]): void {
  const size = Math.sqrt(cells.length);
  const places = cells.map((cell) => (isObject(cell) ? placeOf(cell) : undefined));
  const base = Math.min(...places.flatMap((place) => place ?? []));
  for (const [at, place] of places.entries()) {
    if (place === undefined) continue;
    const [row, column] = place;
    if (row - base === Math.floor(at / size) && column - base === at % size) continue;
    const found = `a cell of row ${row}, column ${column} as number ${at + 1} of the list`;
    fail('bad_character', found, 'all cells, row by row');
  }
}

/** The row and the column that a cell states. */
export function placeOf(cell: JsonObject): readonly [row: number, column: number] | undefined {
  const row = cell.row ?? cell.r;
  const column = cell.column ?? cell.col ?? cell.c;
  return typeof row === 'number' && typeof column === 'number' ? [row, column] : undefined;
}
