/**
 * Writes puzzles as text that `solve` reads, in any output profile.
 *
 * It uses the profiles' writers of solutions, with an alphabet that includes the blank of the profile's judge:
 *
 *     same, line, sdm, csv, grid, tokens, jsonl  .      hdu  ?      poj3076, acwing  -      luogu  0
 *
 * A jigsaw needs its region map, which only a line (puzzle, space, map) and JSON can include.
 */

import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import { alphabetOf, characterAlphabet, decimalAlphabet } from '../cells/alphabets.ts';
import { regionMap } from '../cells/regions.ts';
import { type OutputProfile, openWriter } from '../formats.ts';
import type { Alphabet, Layout } from '../records/layout.ts';
import { RecordBlock } from '../records/record-block.ts';
import { recordShape } from '../records/record-shape.ts';
import { gridText } from './grid-text.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const BLANKS: Partial<Record<OutputProfile, string>> = { hdu: '?', poj3076: '-', acwing: '-', luogu: '0' };
/** Profiles whose judges use numbers separated by spaces. */
const NUMBER_PROFILES: readonly OutputProfile[] = ['tokens', 'hdu', 'luogu'];
const REGION_PROFILES: readonly OutputProfile[] = ['same', 'line', 'sdm', 'jsonl'];

export interface WrittenPuzzle {
  readonly geometry: Geometry;
  /** `cellCount` values: 0 for a blank, 1 to `size` for a given. */
  readonly cells: Uint8Array;
  /** Written if the profile has a place for it; omitted if there may be others. */
  readonly solution?: Uint8Array | undefined;
}

/** Why a profile cannot write such puzzles, as a sentence; undefined if it can. */
export function puzzleWriterProblem(
  profile: OutputProfile,
  size: number,
  hasRegions: boolean,
  symbols: string | undefined,
): string | undefined {
  if (hasRegions && !REGION_PROFILES.includes(profile)) {
    return `output ${profile} cannot include a region map: expected one of ${REGION_PROFILES.join(', ')}`;
  }
  const alphabet = alphabetFor(profile, size, symbols);
  const blank = BLANKS[profile] ?? '.';
  if (alphabet.symbols.includes(blank)) {
    return `alphabet "${symbols}" has ${JSON.stringify(blank)}, the blank of output ${profile}: omit it`;
  }
  return undefined;
}

export type PuzzleWriter = ReturnType<typeof puzzleWriter>;

/** @param symbols the digits' symbols in order, or the name of a usual alphabet; the profile's by default */
export function puzzleWriter(profile: OutputProfile, symbols?: string) {
  const writer = openWriter(profile, { kind: 'empty' });
  let current: RecordBlock | undefined;
  let written = 0;

  function begin(out: ByteBuffer): void {
    if (profile === 'csv') out.text('puzzle,solution\n');
    else writer.begin(out);
  }

  function write(out: ByteBuffer, { geometry, cells, solution }: WrittenPuzzle): void {
    const block = blockOf(geometry);
    const { layout } = block;
    block.cells.set(cells);
    const first = written++ === 0;
    const map = regionMap(geometry);
    if (profile === 'jsonl') {
      writer.line?.(out, { index: written, ...record({ geometry, cells, solution }) }, first);
    } else if (map !== undefined) out.text(`${gridText(layout, cells, 0)} ${map}\n`);
    else if (profile === 'csv') {
      // A reader takes the column's content for the only solution: if there may be others, it stays empty.
      out.text(
        `${gridText(layout, cells, 0)},${solution === undefined ? '' : gridText(layout, solution, 0)}\n`,
      );
    } else {
      writer.entry(out, { block, index: 0, cells, offset: 0 }, first);
    }
  }

  /** The puzzle as the profile `jsonl` writes it. */
  function record({ geometry, cells, solution }: WrittenPuzzle) {
    const { layout } = blockOf(geometry);
    return {
      ...recordShape(layout),
      puzzle: gridText(layout, cells, 0),
      solution: solution === undefined ? undefined : gridText(layout, solution, 0),
      givens: cells.reduce((sum, value) => sum + (value === 0 ? 0 : 1), 0),
    };
  }

  function blockOf(geometry: Geometry): RecordBlock {
    if (current?.geometry !== geometry) {
      current = new RecordBlock(layoutOf(geometry), 1);
      current.count = 1;
    }
    return current;
  }

  function layoutOf(geometry: Geometry): Layout {
    const blank = BLANKS[profile] ?? '.';
    const alphabet = alphabetFor(profile, geometry.size, symbols);
    const [, ...digits] = alphabet.symbols;
    const format = regionMap(geometry) === undefined ? 'line' : 'jigsaw';
    return { format, geometry, alphabet: { ...alphabet, symbols: [blank, ...digits] }, blank };
  }

  return {
    /** File name extension without the dot. */
    extension: writer.extension,
    begin,
    write,
    end: (out: ByteBuffer) => writer.end(out),
    record,
  };
}

/** The specified alphabet, or one that is unambiguous: numbers, or letters starting with A. */
function alphabetFor(profile: OutputProfile, size: number, symbols: string | undefined): Alphabet {
  const wanted = symbols === undefined ? undefined : alphabetOf(size, symbols);
  if (wanted !== undefined) return wanted;
  const asNumbers = size <= 9 || size > LETTERS.length || NUMBER_PROFILES.includes(profile);
  return asNumbers ? decimalAlphabet(size) : characterAlphabet(LETTERS.slice(0, size));
}
