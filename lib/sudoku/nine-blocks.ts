/**
 * Checks, writes and reads many ordinary 9x9 grids in one call, in WebAssembly with SIMD.
 *
 *     81 cells of each grid, grid after grid  --copy-->  wasm/blocks.as  --copy-->  verdicts, or lines of 81 symbols
 *
 * A 9x9 is solved in two microseconds, so a loop over its 81 cells matters: cell by cell, a check takes 0.78 us and a
 * line 0.16 us. Here they take 0.04 us and 0.03 us, copies included. Without SIMD, the caller works cell by cell.
 *
 * The source is nine-blocks/wasm/blocks.as (AssemblyScript), the binary nine-blocks/wasm-module.ts. It shares no code with
 * the engines, whose answers it checks.
 */
import { instantiateWasm } from '../exact-cover/compile-wasm.ts';
import { NINE_BLOCKS_WASM } from './nine-blocks/wasm-module.ts';

/** What the module exports as a number: the grids of one call, and addresses in bytes. */
type ExportedNumber = 'CAPACITY' | 'GIVENS' | 'LINES' | 'SOLUTIONS' | 'VERDICTS';

interface Exports extends Readonly<Record<ExportedNumber, { readonly value: number }>> {
  readonly memory: { readonly buffer: ArrayBuffer };
  check(count: number, offset: number): void;
  write(count: number, blank: number, offset: number): void;
  read(count: number, lineBytes: number, blank: number, offset: number): number;
}

const CELLS = 81;
/** Bytes of a line: 81 symbols and LF, or CR and LF. */
export const LINE_BYTES = CELLS + 1;
export const CRLF_LINE_BYTES = CELLS + 2;

/**
 * The bytes by which a copied grid is shifted, so that source and target have the same address modulo 8. Grid `i`
 * starts at 81 * i, which is i modulo 8. Only then is memory that threads share copied eight bytes at a time; else
 * byte by byte, five times as slowly.
 */
const MAX_ALIGNMENT_OFFSET = 7;

export class NineBlocks {
  readonly #wasm: Exports;
  readonly #capacity: number;
  readonly #givens: Uint8Array;
  readonly #solutions: Uint8Array;
  readonly #lines: Uint8Array;
  readonly #verdicts: Uint8Array;

  constructor(wasm: Exports) {
    const { buffer } = wasm.memory;
    const capacity = wasm.CAPACITY.value;
    this.#wasm = wasm;
    this.#capacity = capacity;
    this.#givens = new Uint8Array(buffer, wasm.GIVENS.value, capacity * CELLS + MAX_ALIGNMENT_OFFSET);
    this.#solutions = new Uint8Array(buffer, wasm.SOLUTIONS.value, capacity * CELLS + MAX_ALIGNMENT_OFFSET);
    this.#lines = new Uint8Array(buffer, wasm.LINES.value, capacity * CRLF_LINE_BYTES);
    this.#verdicts = new Uint8Array(buffer, wasm.VERDICTS.value, capacity);
  }

  /**
   * Whether each grid has every digit once in each row, column and box of 3x3, and keeps its givens.
   *
   * @param from the first grid, in both arrays; its verdict is `verdicts[0]`
   * @param to the end of the grids, exclusive
   * @param verdicts receives 1 for each solution, 0 for each other grid
   */
  check(givens: Uint8Array, solutions: Uint8Array, from: number, to: number, verdicts: Uint8Array): void {
    for (let first = from; first < to; first += this.#capacity) {
      const count = Math.min(to - first, this.#capacity);
      const offset = first & MAX_ALIGNMENT_OFFSET;
      this.#givens.set(givens.subarray(first * CELLS, (first + count) * CELLS), offset);
      this.#solutions.set(solutions.subarray(first * CELLS, (first + count) * CELLS), offset);
      this.#wasm.check(count, offset);
      verdicts.set(this.#verdicts.subarray(0, count), first - from);
    }
  }

  /**
   * Writes grids as lines.
   *
   * @param blank the byte before that of digit 1; those of 2 to 9 follow it
   * @param lines receives `LINE_BYTES` bytes for each grid from `at` on
   */
  write(cells: Uint8Array, from: number, to: number, blank: number, lines: Uint8Array, at: number): void {
    for (let first = from; first < to; first += this.#capacity) {
      const count = Math.min(to - first, this.#capacity);
      const offset = first & MAX_ALIGNMENT_OFFSET;
      this.#solutions.set(cells.subarray(first * CELLS, (first + count) * CELLS), offset);
      this.#wasm.write(count, blank, offset);
      lines.set(this.#lines.subarray(0, count * LINE_BYTES), at + (first - from) * LINE_BYTES);
    }
  }

  /**
   * Reads lines as grids: digits from 1 to 9, and one symbol for a blank.
   *
   * @param lines `count` lines from `at` on
   * @param lineBytes the length of every line: `LINE_BYTES` or `CRLF_LINE_BYTES`
   * @param blank the byte of a blank
   * @param cells receives the grids, from grid `to` on
   * @returns the number of lines read: those before the first line with any other byte
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
    for (let first = 0; first < count; first += this.#capacity) {
      const batch = Math.min(count - first, this.#capacity);
      this.#lines.set(lines.subarray(at + first * lineBytes, at + (first + batch) * lineBytes));
      const offset = (to + first) & MAX_ALIGNMENT_OFFSET;
      const linesRead = this.#wasm.read(batch, lineBytes, blank, offset);
      cells.set(this.#solutions.subarray(offset, offset + linesRead * CELLS), (to + first) * CELLS);
      if (linesRead < batch) return first + linesRead;
    }
    return count;
  }
}

let instance: NineBlocks | undefined;
let isInitialized = false;

/** Returns the instance of this thread; undefined if WebAssembly with SIMD is not available. */
export function nineBlocks(): NineBlocks | undefined {
  if (!isInitialized) {
    isInitialized = true;
    const exports = instantiateWasm(NINE_BLOCKS_WASM);
    instance = exports && new NineBlocks(exports as Exports);
  }
  return instance;
}
