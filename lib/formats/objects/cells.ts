/**
 * Cells in JSON: numbers, texts, and the objects of puzzle editors.
 *
 *     5  "5"  ""  null  -1            a digit or a blank
 *     {"value": 5, "given": true}     f-puzzles: a given
 *     {"value": 5}                    SudokuPad: a given; f-puzzles: the solver's entry, if any cell is marked as given
 */
import { ZERO } from '../bytes/ascii.ts';
import { MAX_NUMBER, MINUS_ONE, NUMBER } from '../cells/grid-buffer.ts';
import { type Fault, makeFault } from '../records/fault.ts';
import { ruleNamed } from '../rules/rule-names.ts';
import { isObject, isOff } from './members.ts';

/** The code of a cell: a number, one character, or a number as text; `null` and an empty text are blanks. */
export function cellCode(cell: unknown): number | undefined {
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

/** Members of a cell that are a solver's marks, or repeat its place. */
const MARKS =
  /^(corner|cent(er|re)|pencil|candidate|highlight|colou?r|c$|cc$|row$|col(umn)?$|r$|x$|y$|index$|id$|box$|block$|note|mark|select|readonly|fixed|is_?given|locked|editable|conflict|error|valid|is_?valid|correct|solution$|answer$)/i;

/** @returns the cells of rows with objects; undefined if there is no object among them */
export function editorCells(value: readonly unknown[]): EditorCells | Fault | undefined {
  // Nearly all grids have none.
  if (!value.some((row) => (Array.isArray(row) ? row.some(isObject) : isObject(row)))) return undefined;
  const cells = value.flat();
  const givens = cells.map((cell) =>
    isObject(cell) ? (cell.given ?? cell.isGiven ?? cell.fixed) : undefined,
  );
  const marked = givens.some((given) => given === true);
  let hasEntries = false;
  const digitOf = (cell: unknown, at: number): unknown => {
    if (!isObject(cell)) return cell;
    const own = typeof cell.given === 'boolean' ? null : cell.given;
    const digit = cell.value ?? cell.v ?? cell.digit ?? cell.val ?? own ?? null;
    if (!marked || givens[at] === true || isOff(digit)) return digit;
    hasEntries = true;
    return null;
  };
  for (const cell of cells) {
    const fault = isObject(cell) ? faultOf(cell) : undefined;
    if (fault !== undefined) return fault;
  }
  const moved = misplacedCell(cells);
  if (moved !== undefined) return moved;
  let at = 0;
  const rows = value.map((row) =>
    Array.isArray(row) ? row.map((cell) => digitOf(cell, at++)) : digitOf(row, at++),
  );
  const digits = rows.flat();
  const each = (read: (cell: Record<string, unknown>, at: number) => unknown) => {
    const found = cells.map((cell, at) => (isObject(cell) ? (read(cell, at) ?? undefined) : undefined));
    return found.some((value) => value !== undefined) ? found : undefined;
  };
  return {
    rows,
    regions: each(({ region }) => region),
    // Marks in a cell with a digit mean nothing.
    candidates: each(({ givenPencilMarks }, at) =>
      isOff(givenPencilMarks) || !isOff(digits[at]) ? undefined : givenPencilMarks,
    ),
    hasEntries,
  };
}

/** Why cells that state their places are in another order than that of the grid. */
function misplacedCell(cells: readonly unknown[]): Fault | undefined {
  const size = Math.sqrt(cells.length);
  const places = cells.map((cell) => (isObject(cell) ? placeOf(cell) : undefined));
  const stated = places.filter((place) => place !== undefined);
  const base = Math.min(...stated.flat());
  for (const [at, place] of places.entries()) {
    if (place === undefined) continue;
    const [row, column] = [Math.floor(at / size), at % size];
    if (place[0] - base === row && place[1] - base === column) continue;
    const found = `a cell of row ${place[0]}, column ${place[1]} as number ${at + 1} of the list`;
    return makeFault('bad_character', -1, found, 'all cells, row by row');
  }
  return undefined;
}

/** The row and the column that a cell states. */
function placeOf(cell: Record<string, unknown>): readonly [row: number, column: number] | undefined {
  const row = cell.row ?? cell.r;
  const column = cell.column ?? cell.col ?? cell.c;
  return typeof row === 'number' && typeof column === 'number' ? [row, column] : undefined;
}

const KNOWN = new Set(['value', 'v', 'val', 'digit', 'given', 'region', 'givenPencilMarks']);

/** Why a cell has more than a digit. */
function faultOf(cell: Record<string, unknown>): Fault | undefined {
  const key = Object.keys(cell).find((name) => !KNOWN.has(name) && !isOff(cell[name]) && !MARKS.test(name));
  if (key === undefined) return undefined;
  const rule = ruleNamed(key);
  const found = `the member ${JSON.stringify(key)} of a cell${rule === undefined ? '' : ` (${rule})`}`;
  return makeFault('unsupported_variant', -1, found, 'cells with "value", "given" and "region" alone');
}
