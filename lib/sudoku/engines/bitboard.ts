/**
 * The `bitboard` engine: a 9x9 sudoku as exact cover, all candidates of a digit in three machine words.
 *
 * The search of Knuth's Algorithm X does not need links when the items fit into registers: "digit 5 has one
 * place left in this box" or "this cell has two digits left" are then a few ANDs and shifts, for all boxes or
 * all cells at once.
 *
 *     a digit   3 words of 27 bits: one bit a cell                  bitboard/board.ts has the picture
 *     a board   27 words; nothing else is state
 *     a node    propagate to the fixpoint (bitboard/propagation.ts),
 *               choose a cell and a digit (bitboard/choice.ts),
 *               copy the board: set the digit in the copy, strike it out in the original
 *
 * Invariants: a bit once cleared stays cleared until its board is dropped; a board under another one on the
 * stack is never touched; the kernel keeps nothing from one puzzle to the next.
 *
 * Two kernels search the same trees: one in TypeScript, for everywhere, and one in WebAssembly with SIMD, which
 * solves 17-clue puzzles 5.2 times as fast and hard ones 4.4 times (test/bench/results). A 17-clue puzzle takes 1.9
 * nodes in the mean, and 1.6 microseconds; one of the hardest 226 nodes and 90 microseconds.
 *
 * Sources. Solving in bands by digit comes from the forum solvers of zhouyundong, champagne and JasonLion.
 * Minirows and minicolumns ("triads") as things to reason about, and SIMD by box, are explained in the write-up of
 * T. Dillon's tdoku. The ideas are theirs, the code is not.
 */
import type { Answers, Engine, PuzzleCells, SearchLimits, SearchWatch } from '../engine.ts';
import type { Geometry } from '../geometry/geometry.ts';
import { standardGeometry } from '../geometry/geometry.ts';
import { createScalarKernel } from './bitboard/scalar-kernel.ts';
import { createWasmKernel } from './bitboard/wasm-kernel.ts';
import type { Kernel } from './kernel.ts';
import { KernelRunner } from './kernel-runner.ts';

/**
 * The bit-parallel engine: 9x9 with 3x3 boxes only.
 *
 * @param createKernel makes its search kernel when the first puzzle comes; by default the one in WebAssembly
 *   where that has SIMD, else the one in TypeScript. Both give the same answers and counts.
 */
export function createBitboardEngine(createKernel: () => Kernel = createFastestKernel): Engine {
  return new BitboardEngine(createKernel);
}

function createFastestKernel(): Kernel {
  return createWasmKernel() ?? createScalarKernel();
}

class BitboardEngine implements Engine {
  readonly name = 'bitboard';
  readonly version = 1;
  readonly #createKernel: () => Kernel;
  readonly #runner = new KernelRunner();
  #kernel: Kernel | undefined;

  constructor(createKernel: () => Kernel) {
    this.#createKernel = createKernel;
  }

  refuses(geometry: Geometry): string | undefined {
    if (geometry === standardGeometry(9)) return undefined;
    const { size, boxRows, boxColumns, variant } = geometry;
    const box = boxRows > 0 ? ` with ${boxRows}x${boxColumns} boxes` : '';
    return `The bitboard engine takes only the standard 9x9 with 3x3 boxes, not ${variant} ${size}x${size}${box}: use dlx.`;
  }

  solve(
    puzzles: PuzzleCells,
    from: number,
    to: number,
    limits: SearchLimits,
    answers: Answers,
    watch?: SearchWatch,
  ): void {
    const refusal = this.refuses(puzzles.geometry);
    if (refusal !== undefined) throw new RangeError(refusal);
    this.#kernel ??= this.#createKernel();
    this.#runner.solve(this.#kernel, puzzles, from, to, limits, answers, watch);
  }

  resume(limits: SearchLimits, answers: Answers): void {
    this.#runner.resume(limits, answers);
  }
}
