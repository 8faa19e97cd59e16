/**
 * The formats of exact-cover files: what each line is read as. `DIALECTS` is the table; a new format is a row of it.
 *
 *     dlx, xcc           sparse        dense         matrix          sets
 *
 *     A B C | X Y        7 2           7 2           6 7             1 2 3 4           above the options
 *     A B X:0 Y:0        2 4 5         0010110       0 0 1 0 1 -     A: 1 3            an option a line
 *     A C X:1 |7         0 3 6         1001001       1,0,0,1         {1, 2}, {3}       several, in brackets
 */
import type { CoverDraft } from './cover-draft.ts';
import type { CoverLines } from './cover-lines.ts';
import type { CoverFormatName, CoverProblem } from './cover-record.ts';
import { readItemLine, readOption } from './knuth.ts';
import { endMatrix, readCounts, readMatrixHead, readRow } from './matrix.ts';
import { readNumbers } from './options.ts';
import { endSets, readSets } from './sets.ts';

export interface Dialect {
  /** By byte: 1 if comments begin with it. */
  readonly comments: Uint8Array;
  /** Whether a blank line below an option ends a problem. */
  readonly hasMany: boolean;
  /** Reads line `at` above the first option; false if it is an option. */
  readonly head?: (draft: CoverDraft, lines: CoverLines, at: number) => boolean;
  /** Reads line `at` as options. */
  readonly option: (draft: CoverDraft, lines: CoverLines, at: number) => void;
  /** Ends a problem of readable lines. @param isCut whether more lines follow */
  readonly end?: (draft: CoverDraft, cover: CoverProblem, isCut: boolean) => CoverProblem;
}

const signs = (characters: string) => {
  const table = new Uint8Array(256);
  for (const sign of characters) table[sign.charCodeAt(0)] = 1;
  return table;
};
const KNUTH: Dialect = { comments: signs('|'), hasMany: false, head: readItemLine, option: readOption };
const OTHERS = { comments: signs('#|;%/'), hasMany: true };

export const DIALECTS: Readonly<Record<CoverFormatName, Dialect>> = {
  dlx: KNUTH,
  xcc: KNUTH,
  sparse: { ...OTHERS, head: readCounts, option: readNumbers },
  dense: { ...OTHERS, head: readCounts, option: readRow },
  matrix: { ...OTHERS, head: readMatrixHead, option: readRow, end: endMatrix },
  sets: { ...OTHERS, hasMany: false, option: readSets, end: endSets },
};
