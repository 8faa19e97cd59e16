/**
 * The input of a benchmark: the puzzles of one geometry of a file, in random order, so that any part of them is like the whole: files
 * are often sorted.
 */

import { BlockPool } from '../../batch/solving/block-pool.ts';
import type { PuzzleCells } from '../../sudoku/engine.ts';
import { RandomSource } from '../../sudoku/generator/random-source.ts';
import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { CommandError } from '../exit.ts';
import { withSource } from '../files/each-file.ts';
import type { InputFile } from '../files/input-files.ts';
import { readSolveOptions } from '../option-values.ts';

export interface BenchCase extends PuzzleCells {
  /** Name of the file or of the generated set; with the geometry if a file has several. */
  readonly name: string;
  readonly count: number;
  /** Number of puzzles in the file, if this case is a random sample of them. */
  readonly sampledFrom?: number;
}

/** Maximum number of cells in memory for one geometry. */
const MAX_CELLS = 200_000 * 81;

/** The puzzles of a file by geometry. */
export interface FileCases {
  readonly cases: readonly BenchCase[];
  readonly unreadable: number;
}

/**
 * Reads the puzzles of a file and omits unreadable records.
 *
 * @param maxCells maximum number of cells in memory for one geometry; a file with more is sampled
 * @throws FileRejection, or CommandError if there is no readable puzzle
 */
export async function fileCases(
  file: Pick<InputFile, 'path' | 'name' | 'bytes' | 'openReusingBuffers'>,
  maxCells = MAX_CELLS,
): Promise<FileCases> {
  const samples = new Map<Geometry, RandomSample>();
  let unreadable = 0;
  const stored = { ...file, stream: file.openReusingBuffers() };
  await withSource(stored, readSolveOptions({}), async (source) => {
    const detection = await source.detectReadable();
    if (detection.kind !== 'puzzles') {
      const found = detection.kind === 'empty' ? 'no puzzles' : 'exact-cover problems';
      throw new CommandError(`${file.path}: found ${found}, expected sudokus`);
    }
    const pool = new BlockPool(false);
    for await (const block of source.blocks(detection, pool)) {
      const { geometry, cells, count } = block;
      const { cellCount } = geometry;
      const sample = samples.get(geometry) ?? new RandomSample(Math.max(1, Math.floor(maxCells / cellCount)));
      for (let i = 0; i < count; i++) {
        if (block.isReadable(i)) sample.add(cells.subarray(i * cellCount, (i + 1) * cellCount));
        else unreadable++;
      }
      if (sample.seen > 0) samples.set(geometry, sample);
      pool.release(block, 0);
    }
  });
  if (samples.size === 0) {
    throw new CommandError(
      `${file.path}: all ${unreadable} puzzles are unreadable; see the errors with "dlx-batch check"`,
    );
  }
  const cases = [...samples].map(([geometry, { puzzles, seen }]) => ({
    name: samples.size === 1 ? file.name : `${file.name} (${geometry.variant} ${geometry.size})`,
    geometry,
    count: puzzles.length,
    cells: Buffer.concat(puzzles),
    sampledFrom: puzzles.length < seen ? seen : undefined,
  }));
  return { cases, unreadable };
}

/** A random sample of puzzles in random order, the same for the same file (Fisher and Yates, from the inside out). */
class RandomSample {
  readonly puzzles: Uint8Array[] = [];
  seen = 0;
  readonly #capacity: number;
  readonly #random = new RandomSource(0);

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(cells: Uint8Array): void {
    const { puzzles } = this;
    const place = this.#random.below(++this.seen);
    if (place >= this.#capacity) return;
    if (puzzles.length < this.#capacity) puzzles.push(puzzles[place]!);
    puzzles[place] = cells.slice();
  }
}
