/**
 * The input of a benchmark: puzzles of one geometry in one array.
 *
 * A file yields one case per geometry. If a file is too large for memory, every second, fourth, ... puzzle is kept:
 * files are often sorted, so the first puzzles are not a representative sample.
 */

import { FileRejection } from '../../batch/job/input.ts';
import { RecordSource } from '../../batch/job/record-source.ts';
import { CorruptInputError } from '../../batch/ports.ts';
import { BlockPool } from '../../batch/solving/block-pool.ts';
import { systemClock } from '../../node/system.ts';
import { zlibUnpacking } from '../../node/unpacking.ts';
import type { PuzzleCells } from '../../sudoku/engine.ts';
import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { CommandError } from '../exit.ts';
import type { InputFile } from '../files/input-files.ts';

export interface BenchCase extends PuzzleCells {
  /** Name of the file or of the generated set; with the geometry if a file has several. */
  readonly name: string;
  readonly count: number;
  /** Number of puzzles in the file, if this case is an even sample of them. */
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
 * @param maxCells maximum number of cells in memory for one geometry; a file with more is sampled evenly
 * @throws CommandError with the file and the reason if there is no readable puzzle
 */
export async function fileCases(
  file: Pick<InputFile, 'path' | 'name' | 'openReusingBuffers'>,
  maxCells = MAX_CELLS,
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
    if (detection.kind !== 'puzzles') throw new CommandError(`${file.path}: ${noPuzzlesText(detection)}`);
    const pool = new BlockPool(false);
    for await (const block of source.blocks(detection, pool)) {
      const { geometry, cells, count } = block;
      const sample = samples.get(geometry) ?? new EvenSample(geometry.cellCount, maxCells);
      for (let i = 0; i < count; i++) {
        if (block.isReadable(i)) sample.take(cells, i * geometry.cellCount);
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
      `${file.path}: all ${unreadable} puzzles are unreadable; see the errors with "dlx-batch check"`,
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

function noPuzzlesText(
  detection: Exclude<Awaited<ReturnType<RecordSource['detect']>>, { kind: 'puzzles' }>,
): string {
  switch (detection.kind) {
    case 'empty':
      return 'no puzzles: the file has only comments and blank lines';
    case 'exact-cover':
      return 'found exact-cover problems, expected sudokus';
    default:
      return detection.error.message;
  }
}

/** Collects every step-th puzzle from the first on; the step doubles when the memory is full. */
class EvenSample {
  cells: Uint8Array<ArrayBuffer>;
  kept = 0;
  seen = 0;
  readonly #cellCount: number;
  readonly #capacity: number;
  #step = 1;

  constructor(cellCount: number, maxCells: number) {
    this.#cellCount = cellCount;
    this.#capacity = Math.max(2, Math.floor(maxCells / cellCount));
    this.cells = new Uint8Array(Math.min(1024, this.#capacity) * cellCount);
  }

  take(cells: Uint8Array, offset: number): void {
    const index = this.seen++;
    if (index % this.#step === 0 && this.kept === this.#capacity) this.#halve();
    if (index % this.#step !== 0) return;
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
    const larger = new Uint8Array(Math.min(this.cells.length * 2, this.#capacity * this.#cellCount));
    larger.set(this.cells);
    this.cells = larger;
  }
}

/** Returns every `step`-th puzzle from the first on. */
export function evenSample(puzzles: BenchCase, step: number): BenchCase {
  if (step === 1) return puzzles;
  const { geometry, count, cells } = puzzles;
  const size = geometry.cellCount;
  const pieces = Array.from({ length: Math.ceil(count / step) }, (_, i) =>
    cells.subarray(i * step * size, (i * step + 1) * size),
  );
  return { ...puzzles, ...concatenatedPuzzles(geometry, pieces) };
}

/** Concatenates puzzles of one geometry. */
export function concatenatedPuzzles(
  geometry: Geometry,
  pieces: readonly Uint8Array[],
): PuzzleCells & { readonly count: number } {
  const cells = new Uint8Array(pieces.length * geometry.cellCount);
  for (const [i, piece] of pieces.entries()) cells.set(piece, i * geometry.cellCount);
  return { geometry, count: pieces.length, cells };
}
