/**
 * Many ordinary 9x9 grids at a time, in WebAssembly with SIMD: are they solutions, how do they stand as lines, and
 * what do lines say?
 *
 *     81 cells side by side, grid after grid  --copy-->  blocks.as  --copy-->  verdicts, or lines of 81 symbols
 *
 * For a puzzle that is solved in two microseconds it counts that 81 cells are looked at one by one: a check takes
 * 0.78 us so, unit by unit, and a line 0.16 us. Here, copies included, 0.04 us and 0.03 us. Where there is no SIMD,
 * whoever asks does it one by one.
 *
 * The source is nine-blocks/blocks.as (AssemblyScript), the binary nine-blocks/wasm-module.ts. It shares nothing with
 * the engines, whose answers it checks.
 */
import { instantiateWasm } from './instantiate-wasm.ts';
import { NINE_BLOCKS_WASM } from './nine-blocks/wasm-module.ts';

/** Addresses are bytes in `memory`. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly most: { readonly value: number };
  readonly givens: { readonly value: number };
  readonly solutions: { readonly value: number };
  readonly lines: { readonly value: number };
  readonly verdicts: { readonly value: number };
  check(count: number, late: number): void;
  write(count: number, blank: number, late: number): void;
  read(count: number, lineBytes: number, blank: number, late: number): number;
}

const CELLS = 81;
/** Bytes of a line: its symbols and an LF, or CR and LF. */
export const LINE_BYTES = CELLS + 1;
export const CRLF_LINE_BYTES = CELLS + 2;

/**
 * Grids are copied to where they stand alike modulo eight, grid 1 a byte later than grid 0 since 81 is 1 modulo 8:
 * memory that threads share is copied eight bytes at a time then, and else one by one, five times as slowly.
 */
const MAX_ALIGNMENT_OFFSET = 7;

export class NineBlocks {
  readonly #wasm: Exports;
  readonly #most: number;
  readonly #givens: Uint8Array;
  readonly #solutions: Uint8Array;
  readonly #lines: Uint8Array;
  readonly #verdicts: Uint8Array;

  constructor(wasm: Exports) {
    const { buffer } = wasm.memory;
    const most = wasm.most.value;
    this.#wasm = wasm;
    this.#most = most;
    this.#givens = new Uint8Array(buffer, wasm.givens.value, most * CELLS + MAX_ALIGNMENT_OFFSET);
    this.#solutions = new Uint8Array(buffer, wasm.solutions.value, most * CELLS + MAX_ALIGNMENT_OFFSET);
    this.#lines = new Uint8Array(buffer, wasm.lines.value, most * CRLF_LINE_BYTES);
    this.#verdicts = new Uint8Array(buffer, wasm.verdicts.value, most);
  }

  /**
   * Whether each grid has every digit once in each row, column and box of 3x3, and keeps its givens.
   *
   * @param from the first grid, in both arrays; its verdict is `verdicts[0]`
   * @param to behind the last grid
   * @param verdicts is given 1 for each solution, 0 for what is none
   */
  check(givens: Uint8Array, solutions: Uint8Array, from: number, to: number, verdicts: Uint8Array): void {
    for (let first = from; first < to; first += this.#most) {
      const count = Math.min(to - first, this.#most);
      const late = first & MAX_ALIGNMENT_OFFSET;
      this.#givens.set(givens.subarray(first * CELLS, (first + count) * CELLS), late);
      this.#solutions.set(solutions.subarray(first * CELLS, (first + count) * CELLS), late);
      this.#wasm.check(count, late);
      verdicts.set(this.#verdicts.subarray(0, count), first - from);
    }
  }

  /**
   * Writes grids as lines.
   *
   * @param blank the byte before that of digit 1; those of 2 to 9 follow it
   * @param lines is given `LINE_BYTES` bytes a grid from `at` on
   */
  write(cells: Uint8Array, from: number, to: number, blank: number, lines: Uint8Array, at: number): void {
    for (let first = from; first < to; first += this.#most) {
      const count = Math.min(to - first, this.#most);
      const late = first & MAX_ALIGNMENT_OFFSET;
      this.#solutions.set(cells.subarray(first * CELLS, (first + count) * CELLS), late);
      this.#wasm.write(count, blank, late);
      lines.set(this.#lines.subarray(0, count * LINE_BYTES), at + (first - from) * LINE_BYTES);
    }
  }

  /**
   * Reads lines as grids: digits from 1 to 9, and one symbol for a blank.
   *
   * @param lines the first line begins at `at`, and `count` lines are there
   * @param lineBytes `LINE_BYTES` or `CRLF_LINE_BYTES`, the same for all of them
   * @param blank the byte that stands for a blank
   * @param cells is given the grids from grid `to` on
   * @returns how many lines come before the first that has anything else; `cells` has those
   */
  read(
    lines: Uint8Array,
    at: number,
    count: number,
    lineBytes: number,
    blank: number,
    cells: Uint8Array,
    to: number,
  ): number {
    for (let first = 0; first < count; first += this.#most) {
      const some = Math.min(count - first, this.#most);
      this.#lines.set(lines.subarray(at + first * lineBytes, at + (first + some) * lineBytes));
      const late = (to + first) & MAX_ALIGNMENT_OFFSET;
      const taken = this.#wasm.read(some, lineBytes, blank, late);
      cells.set(this.#solutions.subarray(late, late + taken * CELLS), (to + first) * CELLS);
      if (taken < some) return first + taken;
    }
    return count;
  }
}

let instance: NineBlocks | undefined;
let asked = false;

/** The one of this thread; undefined where there is no WebAssembly with SIMD. */
export function nineBlocks(): NineBlocks | undefined {
  if (!asked) {
    asked = true;
    const exports = instantiateWasm(NINE_BLOCKS_WASM);
    instance = exports && new NineBlocks(exports as Exports);
  }
  return instance;
}
