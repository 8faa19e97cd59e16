/** The columns of a table as its header names them, by their use. */
import type { Detection } from '../reader.ts';
import { type CsvColumns, splitRow } from './csv-reader.ts';

/** Names of columns; a column without a name has its number, from 1. */
export interface TableColumns {
  readonly separator: string;
  readonly puzzle: string;
  readonly solution?: string;
  readonly id?: string;
  /** Columns that the output keeps, and that affect no result. */
  readonly unused: readonly string[];
}

/** @returns undefined if the file is not a table */
export function tableColumns(detection: Detection): TableColumns | undefined {
  if (detection.kind !== 'puzzles' || detection.format !== 'csv') return undefined;
  const { header, delimiter, puzzle, solution, id } = detection.settings.columns as CsvColumns;
  const names = header === undefined ? [] : splitRow(header, delimiter);
  const nameOf = (column: number) => names[column] || `column ${column + 1}`;
  const used = [puzzle, solution, id];
  return {
    separator: delimiter,
    puzzle: nameOf(puzzle),
    solution: solution === undefined ? undefined : nameOf(solution),
    id: id === undefined ? undefined : nameOf(id),
    unused: names
      .map((_, column) => column)
      .filter((column) => !used.includes(column))
      .map(nameOf),
  };
}
