/** What a record says of its puzzle's form: how it stood in its file, and what its rules are. */

import { regionMap } from '../cells/regions.ts';
import type { Layout } from './layout.ts';

/** Fields that do not apply are left out. */
export interface RecordShape {
  readonly format: string;
  readonly size: number;
  /** Rows x columns. */
  readonly box?: string;
  readonly variant: string;
  /** Of a jigsaw: a letter of its region for each cell. */
  readonly regions?: string;
  /** The alphabet's name. */
  readonly alphabet: string;
  readonly blank: string;
}

/** @param blank of the puzzle, where it is not that of its layout */
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
