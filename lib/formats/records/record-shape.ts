/** The fields of a record that describe its puzzle's format and rules. */
import { regionMap } from '../cells/regions.ts';
import type { Layout } from './layout.ts';

/** Fields that do not apply are omitted. */
export interface RecordShape {
  /** The format in which the puzzle was read: a name of `--format`. */
  readonly format: string;
  /** Cells in a row: 9 for an ordinary sudoku. */
  readonly size: number;
  /** Rows x columns. */
  readonly box?: string;
  /** The rules of the puzzle: a name of `--variant`. */
  readonly variant: string;
  /** Jigsaws only: for each cell the letter of its region. */
  readonly regions?: string;
  /** The alphabet's name. */
  readonly alphabet: string;
  /** The character of a blank cell in `puzzle`. */
  readonly blank: string;
}

/** @param blank of the puzzle, if it differs from its layout's */
export function recordShape(
  { format, geometry, alphabet, blank: usual }: Layout,
  blank = usual,
): RecordShape {
  const { size, boxRows, boxColumns, variant } = geometry;
  return {
    format,
    size,
    box: boxRows > 0 ? `${boxRows}x${boxColumns}` : undefined,
    variant,
    regions: regionMap(geometry),
    alphabet: alphabet.name,
    blank,
  };
}
