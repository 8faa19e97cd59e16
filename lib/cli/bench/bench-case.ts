/**
 * What a benchmark runs on: puzzles of one geometry, side by side in one array.
 *
 * A file gives a case for each geometry in it. Of a file too large to be held, every second, fourth, ... puzzle is
 * kept: files are often sorted, so the first puzzles say nothing of the others.
 */

import { FileRejection } from '../../batch/job/input.ts';
import { RecordSource } from '../../batch/job/record-source.ts';
import { CorruptInputError } from '../../batch/ports.ts';
import { BlockPool } from '../../batch/solving/block-pool.ts';
import { zlibUnpacking } from '../../node/gunzip.ts';
import { systemClock } from '../../node/system.ts';
import type { PuzzleCells } from '../../sudoku/engine.ts';
import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { CommandError } from '../exit.ts';
import type { InputFile } from '../files/input-files.ts';

export interface BenchCase extends PuzzleCells {
  /** The file's name, or what was generated; with the geometry, where the file has several. */
  readonly name: string;
  readonly count: number;
  /** Puzzles in the file, where these are an even sample of them. */
  readonly sampledFrom?: number;
}

/** Cells that are held of one geometry, at most. */
const MAX_CELLS = 200_000 * 81;

/** A file's puzzles, and what was left out. */
export interface FileCases {
  readonly cases: readonly BenchCase[];
  /** Records that could not be read. */
  readonly unreadable: number;
}

/**
 * The readable puzzles of a file.
 *
 * @param mostCells cells that are held of one geometry, at most; a file with more is sampled evenly
 * @throws CommandError where there is none, naming the file and why
 */
export async function fileCases(
  file: Pick<InputFile, 'path' | 'name' | 'openReusingBuffers'>,
  mostCells = MAX_CELLS,
): Promise<FileCases> {
  const source = new RecordSource(
    file.openReusingBuffers(),
    { fileName: file.name },
    zlibUnpacking,
    systemClock,
  );
  const samples = new Map<Geometry, EvenSample>();
  let unreadable = 0;
  try {
    const detection = await source.detect();
    if (detection.kind !== 'puzzles') throw new CommandError(`${file.path}: ${noPuzzles(detection)}`);
    const pool = new BlockPool(false);
    for await (const block of source.blocks(detection, pool)) {
      const { geometry, cells, count } = block;
      const sample = samples.get(geometry) ?? new EvenSample(geometry.cellCount, mostCells);
      for (let i = 0; i < count; i++) {
        if (block.readable(i)) sample.take(cells, i * geometry.cellCount);
        else unreadable++;
      }
      if (sample.seen > 0) samples.set(geometry, sample);
      pool.release(block, 0);
    }
  } catch (error) {
    if (!(error instanceof FileRejection || error instanceof CorruptInputError)) throw error;
    throw new CommandError(`${file.path}: ${error.message}`);
  } finally {
    await source.close();
  }
  if (samples.size === 0) {
    throw new CommandError(
      `${file.path}: no puzzle could be read: all ${unreadable} records have mistakes; check it with "dlx-batch solve"`,
    );
  }
  const cases = [...samples].map(([geometry, sample]) => ({
    name: samples.size === 1 ? file.name : `${file.name} (${geometry.variant} ${geometry.size})`,
    geometry,
    count: sample.kept,
    cells: sample.cells.slice(0, sample.kept * geometry.cellCount),
    sampledFrom: sample.kept < sample.seen ? sample.seen : undefined,
  }));
  return { cases, unreadable };
}

function noPuzzles(
  detection: Exclude<Awaited<ReturnType<RecordSource['detect']>>, { kind: 'puzzles' }>,
): string {
  switch (detection.kind) {
    case 'empty':
      return 'no puzzles: nothing but comments and blank lines';
    case 'exact-cover':
      return 'it holds exact-cover problems: the engines that are compared solve sudokus only';
    default:
      return detection.error.message;
  }
}

/** Every step-th of the puzzles it is given, from the first one on; the step doubles whenever there are too many. */
class EvenSample {
  cells: Uint8Array<ArrayBuffer>;
  kept = 0;
  seen = 0;
  readonly #cellCount: number;
  readonly #most: number;
  #step = 1;

  constructor(cellCount: number, mostCells: number) {
    this.#cellCount = cellCount;
    this.#most = Math.max(2, Math.floor(mostCells / cellCount));
    this.cells = new Uint8Array(Math.min(1024, this.#most) * cellCount);
  }

  take(cells: Uint8Array, offset: number): void {
    const place = this.seen++;
    if (place % this.#step === 0 && this.kept === this.#most) this.#halve();
    if (place % this.#step !== 0) return;
    const at = this.kept++ * this.#cellCount;
    if (at + this.#cellCount > this.cells.length) this.#grow();
    this.cells.set(cells.subarray(offset, offset + this.#cellCount), at);
  }

  #halve(): void {
    const size = this.#cellCount;
    this.kept = Math.ceil(this.kept / 2);
    for (let i = 1; i < this.kept; i++) this.cells.copyWithin(i * size, 2 * i * size, (2 * i + 1) * size);
    this.#step *= 2;
  }

  #grow(): void {
    const larger = new Uint8Array(Math.min(this.cells.length * 2, this.#most * this.#cellCount));
    larger.set(this.cells);
    this.cells = larger;
  }
}

/** Every `step`-th puzzle, from the first one on. */
export function evenSample(puzzles: BenchCase, step: number): BenchCase {
  if (step === 1) return puzzles;
  const { geometry, count, cells } = puzzles;
  const size = geometry.cellCount;
  const pieces = Array.from({ length: Math.ceil(count / step) }, (_, i) =>
    cells.subarray(i * step * size, (i * step + 1) * size),
  );
  return { ...puzzles, ...concatenatedPuzzles(geometry, pieces) };
}

/** Puzzles of one geometry, side by side. */
export function concatenatedPuzzles(
  geometry: Geometry,
  pieces: readonly Uint8Array[],
): PuzzleCells & { readonly count: number } {
  const cells = new Uint8Array(pieces.length * geometry.cellCount);
  for (const [i, piece] of pieces.entries()) cells.set(piece, i * geometry.cellCount);
  return { geometry, count: pieces.length, cells };
}
