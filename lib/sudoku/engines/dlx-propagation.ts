/**
 * What a 9x9 grid forces without a guess, for the search of dlx-nine.ts: the rules of bitboard/propagation.ts, on a
 * board of its own.
 *
 * The board lies as bitboard/board.ts says, but for one word: each digit has four, the last one always 0, as in the
 * vectors of the WebAssembly.
 *
 *     words    | digit 1: k = 0, k = 1, k = 2, 0 | digit 2: ... | ... digit 9 |      36 words
 *     open     | k = 0, k = 1, k = 2 |     cells with two candidates or more
 *
 * In WebAssembly where there is SIMD, else in TypeScript. Both come to the same fixpoint, so the search trees and
 * their counts are the same everywhere.
 */
import { BOARD_WORDS as PACKED_WORDS } from './bitboard/board.ts';
import { open as packedOpen, propagate } from './bitboard/propagation.ts';
import { placeGivens } from './bitboard/scalar-kernel.ts';
import { instantiateKernel, type KernelExports } from './bitboard/wasm-kernel.ts';

/** Words of a board: four for each of nine digits. */
export const BOARD_WORDS = 36;

/** What `settle` found. */
export const Outcome = { contradiction: 0, open: 1, solved: 2 } as const;
export type Outcome = (typeof Outcome)[keyof typeof Outcome];

/** A board, and what follows from it. */
export interface Propagation {
  /** The board; written by `begin`, changed by its user, narrowed by `settle`. */
  readonly words: Int32Array;
  /** After `settle` came to `open`: which cells are. Four words, the last one 0. */
  readonly open: Int32Array;
  /**
   * Makes the board of the 81 cells from `offset` on.
   *
   * @returns false where a value is above 9
   */
  begin(cells: Uint8Array, offset: number): boolean;
  /** Takes away all that the rules exclude. */
  settle(): Outcome;
}

/** A propagation with memory of its own: the fastest there is. */
export function createPropagation(): Propagation {
  const exports = instantiateKernel();
  return exports === undefined ? createScalarPropagation() : new WasmPropagation(exports);
}

/** The one in TypeScript, for everywhere. */
export function createScalarPropagation(): Propagation {
  return new ScalarPropagation();
}

class WasmPropagation implements Propagation {
  readonly words: Int32Array;
  readonly open: Int32Array;
  private readonly exports: KernelExports;
  private readonly cellsIn: Uint8Array;

  constructor(exports: KernelExports) {
    const { buffer } = exports.memory;
    this.exports = exports;
    this.words = new Int32Array(buffer, exports.board.value, BOARD_WORDS);
    this.open = new Int32Array(buffer, exports.openCells.value, 4);
    this.cellsIn = new Uint8Array(buffer, exports.cellsIn.value, 81);
  }

  begin(cells: Uint8Array, offset: number): boolean {
    const { cellsIn } = this;
    for (let cell = 0; cell < 81; cell++) {
      cellsIn[cell] = cells[offset + cell];
    }
    return this.exports.begin(0) !== 0;
  }

  settle(): Outcome {
    return this.exports.settle() as Outcome;
  }
}

class ScalarPropagation implements Propagation {
  readonly words = new Int32Array(BOARD_WORDS);
  readonly open = new Int32Array(4);
  private readonly packed = new Int32Array(PACKED_WORDS);

  begin(cells: Uint8Array, offset: number): boolean {
    const placed = placeGivens(this.packed, cells, offset);
    this.unpack();
    return placed;
  }

  settle(): Outcome {
    const { words, packed, open } = this;
    for (let digit = 0; digit < 9; digit++) {
      for (let k = 0; k < 3; k++) {
        packed[3 * digit + k] = words[4 * digit + k];
      }
    }
    if (!propagate(packed, 0)) {
      return Outcome.contradiction;
    }
    this.unpack();
    open.set(packedOpen);
    return (open[0] | open[1] | open[2]) === 0 ? Outcome.solved : Outcome.open;
  }

  private unpack(): void {
    const { words, packed } = this;
    for (let digit = 0; digit < 9; digit++) {
      for (let k = 0; k < 3; k++) {
        words[4 * digit + k] = packed[3 * digit + k];
      }
    }
  }
}
