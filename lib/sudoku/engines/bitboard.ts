/**
 * The `bitboard` engine: a 9x9 sudoku as exact cover, with all candidates of a digit in three machine words.
 *
 * Knuth's Algorithm X does not need links if the items fit into registers: a few ANDs and shifts then find "digit 5
 * has one place left in this box" or "this cell has two digits left" for all boxes or all cells at once.
 *
 *     a digit   3 words of 27 bits: one bit for each cell           bitboard/board.ts has the picture
 *     a board   27 words; there is no other state
 *     a node    propagate until no single is found (bitboard/wasm/singles.as),
 *               choose a cell and a digit (bitboard/wasm/choice.as),
 *               copy the board: set the digit in the copy, remove it from the original
 *
 * Invariants: a cleared bit stays cleared until its board is discarded; only the top board of the stack is changed;
 * the kernel keeps no state between puzzles.
 *
 * The kernel is in WebAssembly with SIMD. A 17-clue puzzle takes 2.6 nodes on average, and 1.1 microseconds; one of the hardest
 * 250 nodes and 50 microseconds. Where WebAssembly with SIMD is missing or forbidden, the engine refuses every puzzle.
 *
 * Sources. Solving in bands by digit comes from the forum solvers of zhouyundong, champagne and JasonLion. T.
 * Dillon's write-up of tdoku explains reasoning on minirows and minicolumns ("triads"), and SIMD by box. The ideas
 * are theirs, the code is not.
 */

import { canRunWasm } from '../../exact-cover/compile-wasm.ts';
import type { Engine } from '../engine.ts';
import { type Geometry, standardGeometry } from '../geometry/geometry.ts';
import { createBoardKernel } from './bitboard/board-kernel.ts';
import { NINE_SEARCH_WASM } from './bitboard/wasm-module.ts';
import { KernelEngine } from './kernel-engine.ts';

/** Creates a `bitboard` engine, which supports only 9x9 with 3x3 boxes, and needs WebAssembly with SIMD. */
export function createBitboardEngine(): Engine {
  // The engine asks `refusal` before it creates a kernel.
  return new KernelEngine('bitboard', 2, () => createBoardKernel()!, refusal);
}

function refusal(geometry: Geometry): string | undefined {
  if (geometry === standardGeometry(9)) {
    if (canRunWasm(NINE_SEARCH_WASM)) return undefined;
    return 'The bitboard engine needs WebAssembly with SIMD, which this environment does not have or does not allow: use dlx.';
  }
  const { size, boxRows, boxColumns, variant } = geometry;
  const box = boxRows > 0 ? ` with ${boxRows}x${boxColumns} boxes` : '';
  return `The bitboard engine supports only the standard 9x9 with 3x3 boxes, not ${variant} ${size}x${size}${box}: use dlx.`;
}
