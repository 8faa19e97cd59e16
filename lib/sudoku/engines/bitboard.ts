/**
 * The `bitboard` engine: a 9x9 sudoku as exact cover, with all candidates of a digit in three machine words.
 *
 * Knuth's Algorithm X does not need links if the items fit into registers: a few ANDs and shifts then find "digit 5
 * has one place left in this box" or "this cell has two digits left" for all boxes or all cells at once.
 *
 *     a digit   3 words of 27 bits: one bit for each cell           bitboard/board.ts has the picture
 *     a board   27 words; there is no other state
 *     a node    propagate until no single is found (bitboard/propagation.ts),
 *               choose a cell and a digit (bitboard/choice.ts),
 *               copy the board: set the digit in the copy, remove it from the original
 *
 * Invariants: a cleared bit stays cleared until its board is discarded; only the top board of the stack is changed;
 * the kernel keeps no state between puzzles.
 *
 * Two kernels search the same trees: one in TypeScript, which runs everywhere, and one in WebAssembly with SIMD,
 * which solves 17-clue puzzles 4.2 times as fast and hard ones 3.8 times (test/bench/results). A 17-clue puzzle takes 2.6
 * nodes on average, and 1.1 microseconds; one of the hardest 250 nodes and 50 microseconds.
 *
 * Sources. Solving in bands by digit comes from the forum solvers of zhouyundong, champagne and JasonLion. T.
 * Dillon's write-up of tdoku explains reasoning on minirows and minicolumns ("triads"), and SIMD by box. The ideas
 * are theirs, the code is not.
 */
import type { Engine } from '../engine.ts';
import { type Geometry, standardGeometry } from '../geometry/geometry.ts';
import { createScalarKernel } from './bitboard/scalar-kernel.ts';
import { createWasmKernel } from './bitboard/wasm-kernel.ts';
import type { Kernel } from './kernel.ts';
import { KernelEngine } from './kernel-engine.ts';

/**
 * Creates a `bitboard` engine, which supports only 9x9 with 3x3 boxes.
 *
 * @param createKernel creates the search kernel for the first puzzle; by default the one in WebAssembly with SIMD if
 *   available, else the one in TypeScript. Both give the same answers and counts.
 */
export function createBitboardEngine(createKernel: () => Kernel = createFastestKernel): Engine {
  return new KernelEngine('bitboard', 2, createKernel, refusal);
}

function createFastestKernel(): Kernel {
  return createWasmKernel() ?? createScalarKernel();
}

function refusal(geometry: Geometry): string | undefined {
  if (geometry === standardGeometry(9)) return undefined;
  const { size, boxRows, boxColumns, variant } = geometry;
  const box = boxRows > 0 ? ` with ${boxRows}x${boxColumns} boxes` : '';
  return `The bitboard engine supports only the standard 9x9 with 3x3 boxes, not ${variant} ${size}x${size}${box}: use dlx.`;
}
