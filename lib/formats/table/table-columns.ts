/** The columns of a table as its header names them, by their use. */
import type { Detection } from '../reader.ts';
import type { CsvColumns } from './csv-columns.ts';

/** Names of columns; a column without a name has its number, from 1. */
export interface TableColumns {
  readonly separator: string;
  /** The column of puzzles. */
  readonly puzzle: string;
  /** The column of expected solutions. */
  readonly solution?: string;
  /** The column of names. */
  readonly id?: string;
  /** Region maps of jigsaws. */
  readonly regions?: string;
  /** Columns that name variants or rules. */
  readonly rules?: readonly string[];
  /** Columns that the output keeps, and that affect no result. */
  readonly unused: readonly string[];
}

/** @returns undefined if the file is not a table */
export function tableColumns(detection: Detection): TableColumns | undefined {
  if (detection.kind !== 'puzzles' || detection.format !== 'csv') return undefined;
  const {
    names = [],
    delimiter,
    puzzle,
    solution,
    id,
    regions,
    rules,
  } = detection.settings.columns as CsvColumns;
  const nameOf = (column: number) => names[column] || `column ${column + 1}`;
  const optional = (column: number | undefined) => (column === undefined ? undefined : nameOf(column));
  const naming = rules?.filter(({ kind }) => kind !== 'label');
  const used = [puzzle, solution, id, regions, ...(naming ?? []).map(({ index }) => index)];
  return {
    separator: delimiter,
    puzzle: nameOf(puzzle),
    solution: optional(solution),
    id: optional(id),
    regions: optional(regions),
    rules: naming?.map(({ index }) => nameOf(index)),
    unused: names.flatMap((_, column) => (used.includes(column) ? [] : [nameOf(column)])),
  };
}

/** The columns with a use, in one line: `puzzle = initial, solution = final`. */
export function columnsText({
  id,
  puzzle,
  solution,
  regions,
  rules = [],
}: Omit<TableColumns, 'separator' | 'unused'>): string {
  const uses = Object.entries({ id, puzzle, solution, regions }).flatMap(([use, name]) =>
    name === undefined ? [] : [`${use} = ${name}`],
  );
  return [...uses, ...rules.map((name) => `rule = ${name}`)].join(', ');
}
