/**
 * Decides from the first rows which columns of a table hold what.
 *
 *     initial,final                          a first row without a grid is a header, whatever its names
 *     0043002...,8643712...                  a grid with blanks is the puzzle, a full one its solution
 *
 *     id,puzzle,layout                       a column of region maps makes jigsaws
 *     1,3...2..4.,1112...
 *
 * Names decide only what the cells leave open. If neither does, the table is refused.
 */
import { ZERO } from '../bytes/ascii.ts';
import { type CellCode, NUMBER } from '../cells/grid-buffer.ts';
import { mapAmong } from '../cells/map-likeness.ts';
import { type LayoutBook, sizeOfSquare } from '../records/layout-book.ts';
import { type RuleColumn, ruleColumns } from './csv-rules.ts';
import type { SampleRow } from './csv-sample.ts';

/** The columns of a table; plain data. */
export interface CsvColumns {
  readonly delimiter: string;
  /** The first line, if it names the separator for Excel: `sep=;`. */
  readonly sep?: string;
  /** The row that names the columns, if there is one. */
  readonly header?: string;
  /** The names in it. */
  readonly names?: readonly string[];
  /** Number of columns; a row may have fewer or more fields. */
  readonly width: number;
  /** Indexes of columns, from 0. */
  readonly puzzle: number;
  readonly solution?: number;
  readonly id?: number;
  /** Region maps of jigsaws. */
  readonly regions?: number;
  /** Omitted if there are none. */
  readonly rules?: readonly RuleColumn[];
}

/** The name of a column in messages: from the header, or its number. */
export function columnName({ names }: CsvColumns, index: number): string {
  const name = names?.[index];
  return name === undefined || name === '' ? `column ${index + 1}` : `column ${index + 1} (${name})`;
}

/** Two readings of a table, of which nothing decides one. */
export interface OpenColumns {
  /** Indexes of the columns. */
  readonly columns: readonly number[];
  readonly names: readonly string[] | undefined;
  readonly role: 'puzzle' | 'solution';
}

/** Names of columns, if their cells leave their roles open. */
const PUZZLE_NAME = /^(quizz?e?s?|puzzles?|sudokus?|grid|board|question|givens|problem|unsolved)$/i;
const SOLUTION_NAME = /^(solutions?|solved|answers?)$/i;
const REGIONS_NAME = /^(regions?|region[-_ ]?maps?|layout|map|jigsaw|irregular)$/i;
const ID_NAME = /^(id|name|title|index|nr|no)$/i;
const PUZZLE_WORD =
  /puzzle|quiz|question|given|clue|input|initial|start|problem|unsolved|task|empty|aufgabe|r(ä|ae)tsel|[题題]目?|^q$/i;
const SOLUTION_WORD = /solution|solved|answer|output|final|result|l(ö|oe)sung|full|[答解]|^a$/i;
/** A column with a grid in more than one row of so many is one of grids. */
const MIN_PART = 5;
/** Shortest puzzle. */
const MIN_CELLS = 16;
const BLANKS = new Set([...'.*_?-#'].map((blank) => blank.charCodeAt(0)));
const X_BLANKS = [88, 120];
/** A larger grid has letters of its own beyond x. */
const MAX_X_SIZE = 23;

/** A grid in a field. */
interface FieldGrid {
  readonly codes: readonly CellCode[];
  /** 0 for overlapping grids, which are not square. */
  readonly size: number;
  readonly isMap: boolean;
  /** Whether no cell is blank. */
  readonly isFull: boolean;
}

/** The grids of one column, by row. */
interface Column {
  readonly index: number;
  readonly grids: ReadonlyArray<FieldGrid | undefined>;
  /** Number of rows with a grid that is no map, with a map, and with a full grid. */
  readonly puzzles: number;
  readonly maps: number;
  readonly full: number;
  /** Number of rows with as many characters as a grid has. */
  readonly long: number;
}

/** The columns by their use, before they are counted. */
type NamedColumns = Omit<CsvColumns, 'width'>;

/** A decision about a table, and how many of its rows agree. */
export interface ColumnChoice {
  readonly columns: CsvColumns | OpenColumns;
  readonly rows: number;
  /** Sizes of its jigsaws. */
  readonly sizes?: readonly number[];
}

export function isOpen(columns: object): columns is OpenColumns {
  return 'role' in columns;
}

/**
 * @param rows the first rows, with the header if there is one
 * @param isTable whether the file says that it is a table: then any words above puzzles are a header
 * @returns undefined if they are no table of puzzles
 */
export function chooseColumns(
  rows: readonly SampleRow[],
  delimiter: string,
  book: LayoutBook,
  isTable: boolean,
): ColumnChoice | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const isAlone = rows.length === 1;
  const named =
    namedColumns(first, delimiter) ?? (isAlone ? namedAlone(first, delimiter, isTable) : undefined);
  const isHeader =
    !first.fields.some(isGridLike) && (named !== undefined || mayBeHeader(first, rows, isTable));
  const all = isHeader ? rows.slice(1) : rows;
  // Rows of one field among others are cut off, or another layout.
  const wide = all.filter(({ fields }) => fields.length > 1);
  const data = wide.length > 0 ? wide : all;
  const header = isHeader ? { header: first.text, names: first.fields } : {};
  const columns = columnsOf(data, book);
  const roles = rolesOf(columns, data.length, isHeader ? first.fields : undefined);
  if (roles === undefined) {
    // A table without rows, or with damaged ones, is known by its names.
    if (named === undefined) return undefined;
    const values = data.map(({ fields }) => fields[named.puzzle] ?? '');
    const fits = data.length === 0 || values.some((value) => value.length >= MIN_CELLS);
    return fits ? { columns: withWidth(named, data), rows: 0 } : undefined;
  }
  if (isOpen(roles)) return { columns: roles, rows: data.length };
  const id = isHeader
    ? indexOf(first.fields, ID_NAME)
    : roles.puzzle > 0 && !columns[0].grids.some((grid) => grid !== undefined)
      ? 0
      : undefined;
  const { puzzle, solution = named?.solution } = roles;
  // A label or a map after a puzzle makes no table; a header does.
  if (!isHeader && puzzle === 0 && solution === undefined) return undefined;
  if (isHeader && first.fields.length < 2 && columns.some(({ maps }) => maps > 0)) return undefined;
  const chosen = {
    delimiter,
    ...header,
    ...roles,
    solution: solution === puzzle || solution === roles.regions ? undefined : solution,
    id: id === puzzle ? undefined : id,
  };
  const taken = new Set(
    [puzzle, chosen.solution, chosen.id, roles.regions].filter((index) => index !== undefined),
  );
  const rules = isHeader ? ruleColumns(first.fields, taken) : [];
  const maps = roles.regions === undefined ? [] : columns[roles.regions].grids;
  const sizes = [...new Set(maps.flatMap((grid) => (grid?.isMap ? [grid.size] : [])))];
  const own = rules.length === 0 ? chosen : { ...chosen, rules };
  return { columns: withWidth(withoutUndefined(own), data), rows: columns[puzzle].puzzles, sizes };
}

/** Counts the columns: those of the header, or of more than half of the rows if these have more. */
function withWidth(columns: NamedColumns, rows: readonly SampleRow[]): CsvColumns {
  const { names = [], puzzle, solution = 0, id = 0, regions = 0 } = columns;
  const counts = new Map<number, number>();
  for (const { fields } of rows) counts.set(fields.length, (counts.get(fields.length) ?? 0) + 1);
  const [usual = 0] = [...counts].find(([, count]) => count * 2 > rows.length) ?? [];
  const used = Math.max(puzzle, solution, id, regions) + 1;
  return { ...columns, width: Math.max(names.length, usual, used) };
}

/** The columns of a header with known names. */
function namedColumns(first: SampleRow, delimiter: string): NamedColumns | undefined {
  const { fields, text } = first;
  const puzzle = indexOf(fields, PUZZLE_NAME);
  if (puzzle === undefined) return undefined;
  const [solution, id] = [indexOf(fields, SOLUTION_NAME), indexOf(fields, ID_NAME)];
  return withoutUndefined({ delimiter, header: text, names: fields, puzzle, solution, id });
}

/** The columns of a header without rows, with other names. */
function namedAlone(
  { fields, text }: SampleRow,
  delimiter: string,
  isTable: boolean,
): NamedColumns | undefined {
  const puzzle = indexOf(fields, PUZZLE_WORD);
  const solution = indexOf(fields, SOLUTION_WORD);
  if (fields.length < 2 || puzzle === undefined || puzzle === solution) return undefined;
  if (!fields.every(isWords) || (solution === undefined && !isTable)) return undefined;
  return withoutUndefined({ delimiter, header: text, names: fields, puzzle, solution });
}

function withoutUndefined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as Value;
}

function indexOf(names: readonly string[], pattern: RegExp): number | undefined {
  const index = names.findIndex((name) => pattern.test(name));
  return index < 0 ? undefined : index;
}

/** Whether a row without a grid, above rows with one, names columns: its fields are words, or the numbers of columns. */
function mayBeHeader(first: SampleRow, rows: readonly SampleRow[], singleHeader: boolean): boolean {
  const { fields } = first;
  const grids = rows.slice(1).filter((row) => row.fields.some(isGridLike));
  if (grids.length === 0 || grids.length * 2 <= rows.length - 1) return false;
  if (fields.length < 2) {
    const isWord = singleHeader || (PUZZLE_WORD.test(fields[0]) && !/\s/.test(fields[0]));
    return isWord && isWords(fields[0]) && grids.every((row) => row.fields.length === 1);
  }
  if (isNumbering(fields)) return true;
  // Below at least one name is a grid, so a damaged puzzle would be there.
  const columns = fields.map((_, index) => grids.some((row) => isGridLike(row.fields[index] ?? '')));
  return columns.some(Boolean) && fields.every((field, index) => !columns[index] || isWords(field));
}

/** Whether a field is a name, not a damaged puzzle or a link: with a letter, and if it is long, mostly letters and spaces. */
function isWords(field: string): boolean {
  if (LINK.test(field)) return false;
  const letters = field.match(/[\p{L}\s]/gu)?.length ?? 0;
  return /\p{L}/u.test(field) && (field.length < MIN_NAME || letters * 2 > field.length);
}

const LINK = /^<?(https?:\/\/|([\w-]+\.)+[a-z]{2,}[/?])/i;

/** Length from which a field with few letters is rather a damaged puzzle than a name. */
const MIN_NAME = 8;

/** Whether fields are 0, 1, 2, ..., as pandas names columns; the first may be empty. */
function isNumbering(fields: readonly string[]): boolean {
  const numbers = fields[0] === '' ? fields.slice(1) : fields;
  return numbers.length > 0 && numbers.every((field, index) => field === String(index));
}

/** Whether a field may be a whole grid. */
function isGridLike(field: string): boolean {
  return gridIn(field) !== undefined;
}

function columnsOf(rows: readonly SampleRow[], book: LayoutBook): Column[] {
  const count = Math.max(0, ...rows.map(({ fields }) => fields.length));
  return Array.from({ length: count }, (_, index) => {
    const grids = rows.map(
      ({ fields, raw }) => gridIn(fields[index] ?? '', book) ?? spacedGrid(raw[index] ?? ''),
    );
    const size = commonSize(grids);
    const own = grids.map((grid) => (grid?.size === size ? grid : undefined));
    return {
      index,
      grids: own,
      puzzles: own.filter((grid) => grid?.isMap === false).length,
      // A map with a cell too few is one.
      maps: grids.filter((grid) => grid?.isMap).length,
      long: rows.filter(({ fields }) => (fields[index] ?? '').length >= MIN_CELLS).length,
      full: own.filter((grid) => grid?.isMap === false && grid.isFull).length,
    };
  });
}

function commonSize(grids: ReadonlyArray<FieldGrid | undefined>): number | undefined {
  const counts = new Map<number, number>();
  for (const grid of grids) if (grid !== undefined) counts.set(grid.size, (counts.get(grid.size) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** The columns of the puzzle, its solution and its map; undefined if there is no puzzle. */
function rolesOf(
  columns: readonly Column[],
  rows: number,
  names: readonly string[] | undefined,
): Pick<CsvColumns, 'puzzle' | 'solution' | 'regions'> | OpenColumns | undefined {
  const regions =
    columns.find(({ maps, puzzles }) => maps > 0 && maps >= puzzles) ??
    columns.find(({ index, long }) => REGIONS_NAME.test(names?.[index] ?? '') && long * 2 > rows);
  // Many rows may be damaged.
  const grids = columns.filter((column) => column !== regions && column.puzzles * MIN_PART > rows);
  const blank = grids.filter(({ puzzles, full }) => full * 2 < puzzles);
  const full = grids.filter((column) => !blank.includes(column));
  const named = (candidates: readonly Column[], word: RegExp, other: RegExp) => {
    const own = candidates.filter(({ index }) => word.test(names?.[index] ?? ''));
    const only = own.length > 1 ? own.filter(({ index }) => !other.test(names?.[index] ?? '')) : own;
    return only.length === 1 ? only[0] : undefined;
  };
  let puzzle = blank.length === 1 ? blank[0] : named(blank, PUZZLE_WORD, SOLUTION_WORD);
  if (puzzle === undefined && blank.length > 1 && blank.every((column) => isSame(blank[0], column))) {
    puzzle = blank[0];
  }
  if (puzzle === undefined && blank.length > 1) {
    return { role: 'puzzle', columns: blank.map(({ index }) => index), names };
  }
  // Without blanks, names and then the order decide: there is nothing to solve.
  puzzle ??= named(full, PUZZLE_WORD, SOLUTION_WORD) ?? full[0];
  if (puzzle === undefined) return undefined;
  const [puzzleName, solutionName] = [indexOf(names ?? [], PUZZLE_NAME), indexOf(names ?? [], SOLUTION_NAME)];
  if (blank.length === 0 && puzzleName !== undefined && puzzle.index === solutionName) {
    // All puzzles of the first rows are damaged.
    return { puzzle: puzzleName, solution: solutionName, regions: regions?.index };
  }
  const others = full.filter((column) => column !== puzzle && sizeIn(column) === sizeIn(puzzle as Column));
  const agreeing = others.filter((column) => agreements(puzzle as Column, column) * 2 > rows);
  const solution =
    others.length < 2
      ? others[0]
      : (named(others, SOLUTION_WORD, PUZZLE_WORD) ?? (agreeing.length === 1 ? agreeing[0] : undefined));
  if (solution === undefined && others.length > 1) {
    return { role: 'solution', columns: others.map(({ index }) => index), names };
  }
  return { puzzle: puzzle.index, solution: solution?.index, regions: regions?.index };
}

function sizeIn(column: Column): number | undefined {
  return column.grids.find((grid) => grid !== undefined)?.size;
}

/** Whether two columns have the same puzzles, with other blanks. */
function isSame(one: Column, other: Column): boolean {
  const texts = ({ grids }: Column) =>
    grids.map((grid) =>
      grid?.codes.map((code) => (isBlank(code, grid.size) || code === ZERO ? 0 : code)).join(),
    );
  return texts(one).join(' ') === texts(other).join(' ');
}

/** Rows in which a full grid has the givens of the puzzle. */
function agreements(puzzle: Column, full: Column): number {
  return puzzle.grids.filter((grid, row) => {
    const other = full.grids[row];
    if (grid === undefined || other === undefined) return false;
    return grid.codes.every(
      (code, cell) => isBlank(code, grid.size) || code === ZERO || code === other.codes[cell],
    );
  }).length;
}

function isBlank(code: CellCode, size: number): boolean {
  return BLANKS.has(code) || (size <= MAX_X_SIZE && X_BLANKS.includes(code));
}

/**
 * The grid in a field: adjacent characters, symbols separated by white space, or rows of characters.
 *
 * @param book of the sizes to look for, for overlapping grids
 */
function gridIn(field: string, book?: LayoutBook): FieldGrid | undefined {
  if (field.length < MIN_CELLS) return undefined;
  const tokens = field.split(/\s+/);
  const size = sizeOfSquare(tokens.length);
  if (size !== undefined && tokens.every((token) => /^(-1|[\w.*?#-]|\d{1,3})$/.test(token))) {
    const codes = tokens.map((token) => (token.length === 1 ? token.charCodeAt(0) : NUMBER + Number(token)));
    return gridOf(codes, size);
  }
  const cells = tokens.join('');
  if (tokens.length > 1 && tokens.some((token) => token.length !== tokens.length)) return undefined;
  if (!/^[\w.*?#-]+$/.test(cells)) return undefined;
  const codes = Array.from(cells, (cell) => cell.charCodeAt(0));
  const square = sizeOfSquare(cells.length);
  if (square !== undefined) return gridOf(codes, square);
  if (book?.geometryOfCells(cells.length) !== undefined) {
    return { codes, size: 0, isMap: false, isFull: !codes.some((code) => isBlank(code, 9) || code === ZERO) };
  }
  // A map with a cell too many or too few.
  const near = Math.round(Math.sqrt(cells.length));
  const isMap =
    Math.abs(near * near - cells.length) <= 2 && mapAmong(codes, codes.length, near) !== undefined;
  return isMap ? { codes, size: near, isMap, isFull: true } : undefined;
}

/** The grid in a field whose blanks are spaces. */
function spacedGrid(raw: string): FieldGrid | undefined {
  const size = sizeOfSquare(raw.length);
  if (size === undefined || !/^[0-9A-Za-z ]+$/.test(raw) || !/\d/.test(raw) || !raw.includes(' '))
    return undefined;
  return gridOf(
    Array.from(raw.replaceAll(' ', '.'), (cell) => cell.charCodeAt(0)),
    size,
  );
}

/** A smaller grid is as long as a row of a larger one. */
const MIN_SURE_SIZE = 9;
/** Symbols that may occur in addition to the digits: blanks. */
const MAX_BLANKS = 3;

function gridOf(codes: readonly CellCode[], size: number): FieldGrid | undefined {
  const isMap = mapAmong(codes, codes.length, size) !== undefined;
  const counts = new Map<CellCode, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  // Hashes and words have more symbols.
  if (counts.size > size + MAX_BLANKS) return undefined;
  const zeros = counts.get(ZERO) ?? 0;
  const blanks = [...counts.keys()].filter((code) => isBlank(code, size)).length;
  const symbols = counts.size - blanks - (zeros > 0 ? 1 : 0);
  // A quoted row of a larger grid is as long as a small grid.
  if (size < MIN_SURE_SIZE && symbols > size) return undefined;
  const blank = blanks > 0;
  // In a full grid of digits from 0, each occurs as often as the others.
  const isFull = !blank && (zeros === 0 || [...counts.values()].every((count) => count === size));
  return { codes, size, isMap, isFull };
}
