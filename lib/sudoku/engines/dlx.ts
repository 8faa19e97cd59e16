/**
 * The `dlx` engine: sudoku of any geometry as exact cover, by dancing links.
 *
 * A sudoku has an item for each cell and for each digit in each row, column and box; an option is a digit in a cell,
 * and covers four items. A solution is a set of options that covers every item exactly once (sudoku-cover.ts).
 *
 * - An ordinary 9x9 (dlx/nine-kernel.ts): the search begins as that of `bitboard`, and dancing links finish it. They
 *   contain the open options and determine where to branch; bitmasks give the consequences of a choice before any link
 *   changes. Reading order: dlx/nine-kernel.ts, nine-links.ts, nine-choice.ts; the WebAssembly in dlx/simd corresponds to
 *   these, file by file.
 * - Every other geometry (dlx/cover-kernel.ts): the general core in lib/exact-cover, on the problem of the geometry,
 *   which is built for its first puzzle and kept. Searches that take thousands of nodes learn from failures, and are split
 *   (dlx/long-search.ts); not in pages, which load less (dlx/short-search.ts).
 */
import type { Engine } from '../engine.ts';
import { standardGeometry } from '../geometry/geometry.ts';
import { CoverKernel } from './dlx/cover-kernel.ts';
import { createNineKernel } from './dlx/nine-kernel.ts';
import { createWasmNineKernel } from './dlx/wasm-nine-kernel.ts';
import type { Kernel } from './kernel.ts';
import { KernelEngine } from './kernel-engine.ts';

/**
 * Creates a `dlx` engine, the default: it supports every geometry, and on an ordinary 9x9 only the hardest puzzles take
 * longer than with `bitboard`.
 *
 * @param createNine creates the kernel of the ordinary 9x9 for its first puzzle; by default the one in WebAssembly with
 *   SIMD if available, else the one in TypeScript. Both give the same answers and counts.
 */
export function createDlxEngine(createNine: () => Kernel = createFastestNine): Engine {
  return new KernelEngine('dlx', 5, (geometry) =>
    geometry === standardGeometry(9) ? createNine() : new CoverKernel(geometry),
  );
}

function createFastestNine(): Kernel {
  return createWasmNineKernel() ?? createNineKernel();
}
