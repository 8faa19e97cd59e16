/**
 * What the benchmark runs on: puzzles of one geometry, side by side in one array.
 *
 * A file gives a case for each geometry in it. Without files the benchmark makes its own puzzles, from seeds, so
 * that they are the same everywhere.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { detectFormat, openReader } from '../../lib/formats/formats.ts';
import { HEAD_BYTES } from '../../lib/formats/reader.ts';
import { RecordBlock } from '../../lib/formats/record-block.ts';
import type { Engine, PuzzleCells } from '../../lib/sudoku/engine.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { generatePuzzle, type PuzzleRequest } from '../../lib/sudoku/generate.ts';
import { type Geometry, standardGeometry } from '../../lib/sudoku/geometry.ts';

export interface BenchCase extends PuzzleCells {
  /** The file's name, or what was generated; with the geometry, where the file has several. */
  readonly name: string;
  readonly count: number;
}

/**
 * The readable puzzles of a file.
 *
 * @throws Error where the file is missing, or holds no puzzle
 */
export function fileCases(path: string): BenchCase[] {
  const bytes = readFileSync(path);
  const detection = detectFormat(bytes.subarray(0, HEAD_BYTES), bytes.length <= HEAD_BYTES, {});
  if (detection.kind !== 'puzzles') {
    const why = detection.kind === 'unreadable' ? detection.error.message : 'no puzzles in cells';
    throw new Error(`${path}: no puzzles: ${why}`);
  }
  const reader = openReader(detection, {}, { acquire: (layout) => new RecordBlock(layout, 1024) });
  const piecesOf = new Map<Geometry, Uint8Array[]>();
  for (const block of [...reader.push(bytes), ...reader.end()]) {
    const { geometry, cells } = block;
    const pieces = piecesOf.get(geometry) ?? [];
    piecesOf.set(geometry, pieces);
    for (let i = 0; i < block.count; i++) {
      if (block.readable(i)) pieces.push(cells.slice(i * geometry.cellCount, (i + 1) * geometry.cellCount));
    }
  }
  return [...piecesOf].map(([geometry, pieces]) => ({
    name: piecesOf.size === 1 ? basename(path) : `${basename(path)} (${geometry.variant} ${geometry.size})`,
    ...joined(geometry, pieces),
  }));
}

/** Generated cases: puzzles with many givens, minimal ones, and larger grids. */
export function generatedCases(): BenchCase[] {
  const nine = createEngine('bitboard');
  const any = createEngine('dlx');
  return [
    generated('easy', standardGeometry(9), 2000, 36, nine),
    generated('minimal', standardGeometry(9), 2000, 'minimal', nine),
    generated('16x16', standardGeometry(16), 30, 100, any),
    generated('25x25', standardGeometry(25), 10, 330, any),
  ];
}

function generated(
  name: string,
  geometry: Geometry,
  count: number,
  givens: PuzzleRequest['givens'],
  engine: Engine,
): BenchCase {
  const pieces = Array.from(
    { length: count },
    (_, i) => generatePuzzle(geometry, { seed: i + 1, givens }, engine).cells,
  );
  return { name: `generated ${name}`, ...joined(geometry, pieces) };
}

/**
 * Every `step`-th puzzle, from the first one on: files are often sorted, so the first puzzles say nothing of the
 * others.
 */
export function evenSample(puzzles: BenchCase, step: number): BenchCase {
  if (step === 1) return puzzles;
  const { name, geometry, count, cells } = puzzles;
  const size = geometry.cellCount;
  const pieces = Array.from({ length: Math.ceil(count / step) }, (_, i) =>
    cells.subarray(i * step * size, (i * step + 1) * size),
  );
  return { name, ...joined(geometry, pieces) };
}

function joined(geometry: Geometry, pieces: readonly Uint8Array[]): PuzzleCells & { readonly count: number } {
  const cells = new Uint8Array(pieces.length * geometry.cellCount);
  for (const [i, piece] of pieces.entries()) cells.set(piece, i * geometry.cellCount);
  return { geometry, count: pieces.length, cells };
}
