/**
 * The search of the ordinary 9x9 by `dlx`, in WebAssembly with SIMD: wasm/search.as, which begins with the method. The binary
 * is that of the bitboard engine, whose propagation it shares.
 */
import { bitOf, placeOf, wordOf } from '../bitboard/board.ts';
import { instantiateKernel, type KernelExports, WasmKernel } from '../bitboard/wasm-kernel.ts';
import type { Kernel } from '../kernel.ts';

/** Nodes after which the links take over: wasm/search.as has the measurements. */
const LINKED_AFTER = 128;
const ITEMS = 324;

// As in wasm/links.as: the bytes of a head, and the 16-bit words of a head and of an option.
const HEAD_BYTES = 16;
const HEAD = 8;
const OPTION = 16;
const OPTIONS = 9 * 96;

/**
 * Creates a kernel with its own memory; undefined without WebAssembly or SIMD.
 *
 * @param linkedAfter nodes after which the links take over
 */
export function createWasmNineKernel(linkedAfter = LINKED_AFTER): Kernel | undefined {
  const exports = instantiateKernel();
  if (exports === undefined) return undefined;
  nameNodes(exports);
  exports.linkedAfter.value = linkedAfter;
  return new WasmKernel(exports, {
    begin: exports.beginLinks,
    search: exports.searchLinks,
    solveBlock: exports.solveBlockByLinks,
  });
}

/** Returns the four items of a digit (0..8) in a cell (0..80, row by row): those of cell, row, column and box. */
function itemsOf(cell: number, digit: number): readonly [number, number, number, number] {
  const row = Math.floor(cell / 9);
  const column = cell % 9;
  const box = 3 * Math.floor(row / 3) + Math.floor(column / 3);
  return [1 + cell, 82 + 9 * row + digit, 163 + 9 * column + digit, 244 + 9 * box + digit];
}

/** Fills the tables that are fixed for all puzzles. */
function nameNodes(exports: KernelExports): void {
  const { buffer } = exports.memory;
  const heads = new Uint16Array(buffer, exports.heads.value, HEAD * (1 + ITEMS));
  for (let item = 1; item <= ITEMS; item++) {
    heads.fill(HEAD_BYTES * item, HEAD * item, HEAD * item + 2);
  }
  const options = new Uint16Array(buffer, exports.options.value, OPTION * OPTIONS);
  for (let digit = 0; digit < 9; digit++) {
    for (let cell = 0; cell < 81; cell++) {
      const at = OPTION * (96 * digit + 32 * wordOf(cell) + bitOf(cell));
      for (const [k, item] of itemsOf(cell, digit).entries()) options[at + 4 * k + 2] = HEAD_BYTES * item;
      options[at + 3] = 16 * digit;
      options[at + 7] = 16 * placeOf(cell);
    }
  }
}
