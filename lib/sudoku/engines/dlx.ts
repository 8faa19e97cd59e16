/**
 * The `dlx` engine: sudoku of any geometry as exact cover, by dancing links.
 *
 * A sudoku has an item for each cell and for each digit in each row, column and box; an option is a digit in a cell,
 * and covers four items. A solution is a set of options that covers every item exactly once (sudoku-cover.ts).
 *
 * - An ordinary 9x9, in WebAssembly with SIMD (dlx/nine-kernel.ts): the search begins as that of `bitboard`, and dancing links finish
 *   it if it is long.
 * - Every other geometry, and an ordinary 9x9 where there is no WebAssembly with SIMD (dlx/cover-kernel.ts): the general core in
 *   lib/exact-cover, on the problem of the geometry, which is built for its first puzzle and kept. Searches that take thousands of
 *   nodes learn from failures, and are split (dlx/long-search.ts); not in pages, which load less (dlx/short-search.ts).
 */
import type { Engine } from '../engine.ts';
import { type Geometry, standardGeometry } from '../geometry/geometry.ts';
import { CoverKernel } from './dlx/cover-kernel.ts';
import { createNineKernel } from './dlx/nine-kernel.ts';
import type { Kernel } from './kernel.ts';
import { KernelEngine } from './kernel-engine.ts';

/**
 * Creates a `dlx` engine, the default: it supports every geometry, and on an ordinary 9x9 only the hardest puzzles take
 * longer than with `bitboard`.
 *
 * @param createNine creates the kernel of the ordinary 9x9 for its first puzzle; if it returns undefined, as without
 *   WebAssembly or SIMD, the general core solves these too: statuses and unique solutions are equal, but node counts, puzzles
 *   that run out of nodes, and the solution shown of several may differ
 */
export function createDlxEngine(createNine: () => Kernel | undefined = createNineKernel): Engine {
  const createKernel = (geometry: Geometry) =>
    (geometry === standardGeometry(9) ? createNine() : undefined) ?? new CoverKernel(geometry);
  return new KernelEngine('dlx', 6, createKernel);
}
