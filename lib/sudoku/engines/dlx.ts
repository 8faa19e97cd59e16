/**
 * The `dlx` engine, the default: sudoku of any geometry as exact cover (Knuth's Algorithm X).
 *
 * A sudoku has an item for each cell and for each digit in each row, column and box; an option is a digit in a cell,
 * and covers four items. A solution is a set of options that covers every item exactly once (sudoku-cover.ts).
 *
 * - An ordinary 9x9, in WebAssembly with SIMD: boards of bitmasks, as in `bitboard`. They solve even the hardest puzzles in less
 *   time than it takes to link them.
 * - Every other geometry: dancing links (dlx/cover-kernel.ts), on the problem of the geometry, which is built for its first puzzle
 *   and kept. Searches that take thousands of nodes learn from failures, and are split (dlx/long-search.ts); not in pages, which
 *   load less (dlx/short-search.ts).
 *
 * Where there is no WebAssembly with SIMD, dancing links solve an ordinary 9x9 too: statuses and unique solutions are equal, but node
 * counts, puzzles that run out of nodes, and the solution shown of several may differ.
 */
import type { Engine } from '../engine.ts';
import { type Geometry, standardGeometry } from '../geometry/geometry.ts';
import { createBoardKernel } from './bitboard/board-kernel.ts';
import { CoverKernel } from './dlx/cover-kernel.ts';
import { KernelEngine } from './kernel-engine.ts';

export function createDlxEngine(): Engine {
  const createKernel = (geometry: Geometry) =>
    (geometry === standardGeometry(9) ? createBoardKernel() : undefined) ?? new CoverKernel(geometry);
  return new KernelEngine('dlx', 6, createKernel);
}
