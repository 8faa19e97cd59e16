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
import { type RuleColumn, ruleColumns } from './csv-rules.ts';
import { MIN_CELLS, type SampleGrid, type SampleRow } from './sample-rows.ts';

/** Indexes of columns, from 0. */
interface Roles {
  readonly puzzle: number;
  readonly solution?: number | undefined;
  /** Region maps of jigsaws. */
  readonly regions?: number | undefined;
  readonly id?: number | undefined;
}

/** The columns of a table; plain data. */
export interface CsvColumns extends Roles {
  readonly delimiter: string;
  /** The first line, if it names the separator for Excel: `sep=;`. */
  readonly sep?: string;
  /** The row that names the columns, if there is one. */
  readonly header?: string | undefined;
  /** The names in it. */
  readonly names?: readonly string[] | undefined;
  /** Number of columns; a row may have fewer or more fields. */
  readonly width: number;
  /** Omitted if there are none. */
  readonly rules?: readonly RuleColumn[] | undefined;
}

/** The name of a column in messages: from the header, or its number. */
export function columnName({ names }: CsvColumns, index: number): string {
  const name = names?.[index];
  return `column ${index + 1}${name ? ` (${name})` : ''}`;
}

/** Two readings of a table, of which nothing decides one. */
export interface OpenColumns {
  /** Indexes of the columns. */
  readonly columns: readonly number[];
  readonly names: readonly string[] | undefined;
  readonly role: 'puzzle' | 'solution';
}

/** A decision about a table, and how many of its rows agree. */
export interface ColumnChoice {
  readonly columns: CsvColumns | OpenColumns;
  readonly rows: number;
  /** Sizes of its jigsaws. */
  readonly sizes?: readonly number[];
}

/** Names of columns that say what is in them, and words in names, if the cells leave it open. */
const PUZZLE = {
  name: /^(quizz?e?s?|puzzles?|sudokus?|grid|board|question|givens|problem|unsolved)$/i,
  word: /puzzle|quiz|question|given|clue|input|initial|start|problem|unsolved|task|empty|aufgabe|r(ä|ae)tsel|[题題]目?|^q$/i,
};
const SOLUTION = {
  name: /^(solutions?|solved|answers?)$/i,
  word: /solution|solved|answer|output|final|result|l(ö|oe)sung|full|[答解]|^a$/i,
};
const REGIONS_NAME = /^(regions?|region[-_ ]?maps?|layout|map|jigsaw|irregular)$/i;
const ID_NAME = /^(id|name|title|index|nr|no)$/i;
/** A column with a grid in more than one row of so many is one of grids. */
const MIN_PART = 5;

/**
 * @param rows the first rows, with the header if there is one
 * @param isTable whether the file says that it is a table: then any words above puzzles are a header
 * @returns undefined if they are no table of puzzles
 */
export function chooseColumns(
  rows: readonly SampleRow[],
  delimiter: string,
  isTable: boolean,
): ColumnChoice | undefined {
  const [first] = rows;
  const named = namedColumns(first.fields, rows.length === 1, isTable);
  const isHeader = !first.grids.some(isGrid) && (named !== undefined || mayBeHeader(first, rows, isTable));
  const all = isHeader ? rows.slice(1) : rows;
  // Rows of one field among others are cut off, or another layout.
  const wide = all.filter(({ fields }) => fields.length > 1);
  const data = wide.length > 0 ? wide : all;
  const names = isHeader ? first.fields : [];
  const columns = columnsOf(data, names);
  // A table without rows, or with damaged ones, is known by its names.
  const isKnown = named !== undefined && (data.length === 0 || columns[named.puzzle]?.long > 0);
  const roles = rolesOf(columns, data.length) ?? (isKnown ? named : undefined);
  if (roles === undefined) return undefined;
  if ('role' in roles) {
    return { columns: { ...roles, names: isHeader ? names : undefined }, rows: data.length };
  }
  const { puzzle, regions, solution = named?.solution } = roles;
  // A label or a map after a puzzle makes no table; a header does.
  if (!isHeader && puzzle === 0 && solution === undefined) return undefined;
  const unnamedId = columns[0]?.grids.some(isGrid) ? undefined : 0;
  const id = isHeader ? indexOf(names, ID_NAME) : unnamedId;
  const other = (column: number | undefined) => (column === puzzle ? undefined : column);
  const own = { puzzle, solution: other(solution), regions, id: other(id) };
  const used = Object.values(own).filter((column) => column !== undefined);
  const rules = ruleColumns(names, new Set(used));
  // As many columns as the header has names, or as more than half of the rows have, if these are more.
  const counts = data.map(({ fields }) => fields.length);
  const usual = counts.find((count) => counts.filter((each) => each === count).length * 2 > data.length) ?? 0;
  const header = isHeader ? { header: first.text, names } : undefined;
  return {
    columns: {
      delimiter,
      ...header,
      ...own,
      rules: rules.length === 0 ? undefined : rules,
      width: Math.max(names.length, usual, Math.max(...used) + 1),
    },
    rows: columns[puzzle]?.puzzles ?? 0,
    sizes: [...new Set(columns[regions ?? -1]?.grids.flatMap((grid) => (grid?.isMap ? [grid.size] : [])))],
  };
}

function isGrid(grid: SampleGrid | undefined): boolean {
  return grid !== undefined;
}

/** The columns of a header with known names; with other names, if it has no rows. */
function namedColumns(names: readonly string[], isAlone: boolean, isTable: boolean): Roles | undefined {
  const puzzle = indexOf(names, PUZZLE.name);
  if (puzzle !== undefined) return { puzzle, solution: indexOf(names, SOLUTION.name) };
  const [word, solution] = [indexOf(names, PUZZLE.word), indexOf(names, SOLUTION.word)];
  if (!isAlone || names.length < 2 || word === undefined || word === solution) return undefined;
  if (!names.every(isWords) || (solution === undefined && !isTable)) return undefined;
  return { puzzle: word, solution };
}

function indexOf(names: readonly string[], pattern: RegExp): number | undefined {
  const index = names.findIndex((name) => pattern.test(name));
  return index < 0 ? undefined : index;
}

/** Whether a row without a grid, above rows with one, names columns: its fields are words, or the numbers of columns. */
function mayBeHeader({ fields }: SampleRow, rows: readonly SampleRow[], isTable: boolean): boolean {
  const below = rows.slice(1);
  const grids = below.filter((row) => row.grids.some(isGrid));
  if (grids.length === 0 || grids.length * 2 <= below.length) return false;
  if (fields.length < 2) {
    const isWord = isTable || (PUZZLE.word.test(fields[0]) && !/\s/.test(fields[0]));
    return isWord && isWords(fields[0]) && grids.every((row) => row.fields.length === 1);
  }
  // As pandas names columns; the first may be empty.
  const numbers = fields[0] === '' ? fields.slice(1) : fields;
  if (numbers.every((field, index) => field === String(index))) return true;
  // Below at least one name is a grid, so a damaged puzzle would be there.
  const named = fields.filter((_, index) => grids.some((row) => isGrid(row.grids[index])));
  return named.length > 0 && named.every(isWords);
}

const LINK = /^<?(https?:\/\/|([\w-]+\.)+[a-z]{2,}[/?])/i;
/** Length from which a field with few letters is rather a damaged puzzle than a name. */
const MIN_NAME = 8;

/** Whether a field is a name, not a damaged puzzle or a link: with a letter, and if it is long, mostly letters and spaces. */
function isWords(field: string): boolean {
  const letters = field.match(/[\p{L}\s]/gu)?.length ?? 0;
  const isLong = field.length >= MIN_NAME;
  return !LINK.test(field) && /\p{L}/u.test(field) && (!isLong || letters * 2 > field.length);
}

/** The grids of one column, by row. */
interface Column {
  readonly index: number;
  readonly name: string;
  /** The most frequent size of its grids. */
  readonly size: number | undefined;
  readonly grids: ReadonlyArray<SampleGrid | undefined>;
  /** Number of rows with a grid that is no map, with a map, and with a full grid. */
  readonly puzzles: number;
  readonly maps: number;
  readonly full: number;
  /** Number of rows with as many characters as a grid has, and not several words. */
  readonly long: number;
}

function columnsOf(rows: readonly SampleRow[], names: readonly string[]): Column[] {
  const count = Math.max(0, ...rows.map(({ fields }) => fields.length));
  return Array.from({ length: count }, (_, index) => {
    const all = rows.map(({ grids }) => grids[index]);
    const sizes = all.flatMap((grid) => grid?.size ?? []);
    const countOf = (size: number) => sizes.filter((each) => each === size).length;
    const size = [...new Set(sizes)].sort((a, b) => countOf(b) - countOf(a))[0];
    const grids = all.map((grid) => (grid?.size === size ? grid : undefined));
    const puzzles = grids.filter((grid) => grid?.isMap === false);
    return {
      index,
      name: names[index] ?? '',
      size,
      grids,
      puzzles: puzzles.length,
      // A map with a cell too few is one.
      maps: all.filter((grid) => grid?.isMap).length,
      long: rows.filter(({ fields }) => isLong(fields[index] ?? '')).length,
      full: puzzles.filter((grid) => grid?.isFull).length,
    };
  });
}

function isLong(field: string): boolean {
  return field.length >= MIN_CELLS && !(isWords(field) && /\s/.test(field));
}

/** The columns of the puzzle, its solution and its map; undefined if there is no puzzle. */
function rolesOf(columns: readonly Column[], rows: number): Roles | Omit<OpenColumns, 'names'> | undefined {
  const maps =
    columns.find(({ maps, puzzles }) => maps > 0 && maps >= puzzles) ??
    columns.find(({ name, long }) => REGIONS_NAME.test(name) && long * 2 > rows);
  const regions = maps?.index;
  // Many rows may be damaged.
  const grids = columns.filter((column) => column !== maps && column.puzzles * MIN_PART > rows);
  const blank = grids.filter(({ puzzles, full }) => full * 2 < puzzles);
  const full = grids.filter((column) => !blank.includes(column));
  const isOne = blank.every((column) => isSame(blank[0], column));
  const candidate = only(blank, PUZZLE.word, SOLUTION.word) ?? (isOne ? blank[0] : undefined);
  if (candidate === undefined && blank.length > 0) return open('puzzle', blank);
  // Without blanks, names and then the order decide: there is nothing to solve.
  const puzzle = candidate ?? only(full, PUZZLE.word, SOLUTION.word) ?? full[0];
  if (puzzle === undefined) return undefined;
  const named = columns.find(({ name }) => PUZZLE.name.test(name));
  const isSolved = puzzle === columns.find(({ name }) => SOLUTION.name.test(name));
  // All puzzles of the first rows are damaged.
  if (candidate === undefined && named !== undefined && isSolved)
    return { puzzle: named.index, solution: puzzle.index, regions };
  const others = full.filter((column) => column !== puzzle && column.size === puzzle.size);
  const agreeing = others.filter((column) => agreements(puzzle, column) * 2 > rows);
  const [solution, ...more] =
    others.length < 2 ? others : [only(others, SOLUTION.word, PUZZLE.word) ?? agreeing].flat();
  if (others.length > 1 && (solution === undefined || more.length > 0)) return open('solution', others);
  return { puzzle: puzzle.index, solution: solution?.index, regions };
}

function open(role: OpenColumns['role'], columns: readonly Column[]): Omit<OpenColumns, 'names'> {
  return { role, columns: columns.map(({ index }) => index) };
}

/** The only column whose name has a word, and of several the only one without another word. */
function only(columns: readonly Column[], word: RegExp, other: RegExp): Column | undefined {
  const own = columns.filter(({ name }) => word.test(name));
  const left = own.length > 1 ? own.filter(({ name }) => !other.test(name)) : own;
  return left.length === 1 ? left[0] : undefined;
}

/** Whether two columns have the same puzzles, with other blanks. */
function isSame(one: Column, other: Column): boolean {
  return one.grids.every((grid, row) => grid?.givens.join() === other.grids[row]?.givens.join());
}

/** Rows in which a full grid has the givens of the puzzle. */
function agreements(puzzle: Column, full: Column): number {
  return puzzle.grids.filter((grid, row) => {
    const other = full.grids[row];
    return other && grid?.givens.every((code, cell) => code === 0 || code === other.givens[cell]);
  }).length;
}
