/**
 * The search in WebAssembly with SIMD: one vector for each digit, so that a rule is applied to the whole board in a
 * few instructions. The sources are in wasm/ (AssemblyScript), the binary is in wasm-module.ts.
 * docs/explanation/search.md has what was measured, tried and dropped.
 */
import type { Answers, SearchLimits, SearchWatch, Stop } from '../../engine.ts';
import { canRunWasm, instantiateWasm } from '../../instantiate-wasm.ts';
import type { Kernel } from '../kernel.ts';
import { bitOf, CELL_OF_PLACE, PEERS, placeOf, wordOf } from './board.ts';
import { NINE_SEARCH_WASM } from './wasm-module.ts';

const CELLS = 81;

/** One of the module's searches; each slot has one puzzle. */
export interface SlotSearch {
  begin(slot: number): number;
  search(
    slot: number,
    maxSolutions: number,
    maxNodes: number,
    sliceNodes: number,
    pauseAtSolution: number,
  ): number;
  solveBlock(count: number, maxSolutions: number, maxNodes: number): number;
}

/** Addresses are bytes in `memory`. The inherited functions are the search of the bitboard. */
export interface KernelExports extends SlotSearch {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly placeOfCell: { readonly value: number };
  readonly cellOfPlace: { readonly value: number };
  readonly bitOfPlace: { readonly value: number };
  readonly peersOfPlace: { readonly value: number };
  readonly cellsIn: { readonly value: number };
  readonly cellsOut: { readonly value: number };
  readonly stops: { readonly value: number };
  readonly solutionCounts: { readonly value: number };
  readonly nodeCounts: { readonly value: number };
  readonly guessCounts: { readonly value: number };
  readonly slots: { readonly value: number };
  readonly heads: { readonly value: number };
  readonly options: { readonly value: number };
  readonly linkedAfter: { value: number };
  readonly beginLinks: SlotSearch['begin'];
  readonly searchLinks: SlotSearch['search'];
  readonly solveBlockByLinks: SlotSearch['solveBlock'];
}

/** Whether this environment has WebAssembly with SIMD, and lets a page compile it. */
export function hasWasmKernel(): boolean {
  return canRunWasm(NINE_SEARCH_WASM);
}

/** Creates a kernel with its own memory; undefined without WebAssembly or SIMD. */
export function createWasmKernel(): Kernel | undefined {
  const exports = instantiateKernel();
  return exports && new WasmKernel(exports, exports);
}

/** Instantiates the module with its own memory and fills its tables; undefined without WebAssembly or SIMD. */
export function instantiateKernel(): KernelExports | undefined {
  const exports = instantiateWasm(NINE_SEARCH_WASM) as KernelExports | undefined;
  if (exports === undefined) return undefined;
  fillTables(exports);
  return exports;
}

/** A search of the module as a kernel. */
export class WasmKernel implements Kernel {
  readonly #wasm: SlotSearch;
  readonly #slots: number;
  readonly bytes: number;
  readonly #cellsIn: Uint8Array;
  readonly #cellsOut: Uint8Array;
  readonly #stops: Uint8Array;
  readonly #solutions: Float64Array;
  readonly #nodes: Float64Array;
  readonly #guesses: Float64Array;

  /** @param search one of the searches of the module */
  constructor(exports: KernelExports, search: SlotSearch) {
    const { buffer } = exports.memory;
    const slots = exports.slots.value;
    this.#wasm = search;
    this.#slots = slots;
    this.bytes = buffer.byteLength;
    this.#cellsIn = new Uint8Array(buffer, exports.cellsIn.value, slots * CELLS);
    this.#cellsOut = new Uint8Array(buffer, exports.cellsOut.value, slots * CELLS);
    this.#stops = new Uint8Array(buffer, exports.stops.value, slots);
    this.#solutions = new Float64Array(buffer, exports.solutionCounts.value, slots);
    this.#nodes = new Float64Array(buffer, exports.nodeCounts.value, slots);
    this.#guesses = new Float64Array(buffer, exports.guessCounts.value, slots);
  }

  get nodes(): number {
    return this.#nodes[0];
  }

  get guesses(): number {
    return this.#guesses[0];
  }

  get solutions(): number {
    return this.#solutions[0];
  }

  begin(cells: Uint8Array, offset: number): boolean {
    const cellsIn = this.#cellsIn;
    // A loop, because `set` needs a view, which is an object for each puzzle.
    for (let cell = 0; cell < CELLS; cell++) cellsIn[cell] = cells[offset + cell];
    return this.#wasm.begin(0) !== 0;
  }

  search(limits: SearchLimits): Stop {
    const { maxSolutions, maxNodes, sliceNodes, pauseAtSolution } = limits;
    return this.#wasm.search(0, maxSolutions, maxNodes, sliceNodes, pauseAtSolution ? 1 : 0) as Stop;
  }

  readSolution(cells: Uint8Array, offset: number): void {
    const cellsOut = this.#cellsOut;
    for (let cell = 0; cell < CELLS; cell++) cells[offset + cell] = cellsOut[cell];
  }

  solveBlock(
    cells: Uint8Array,
    from: number,
    to: number,
    limits: SearchLimits,
    answers: Answers,
    watch?: SearchWatch,
  ): number {
    for (let first = from; first < to; first += this.#slots) {
      const count = Math.min(to - first, this.#slots);
      this.#cellsIn.set(cells.subarray(first * CELLS, (first + count) * CELLS));
      this.#cellsOut.fill(0, 0, count * CELLS);
      const solved =
        watch === undefined
          ? this.#wasm.solveBlock(count, limits.maxSolutions, limits.maxNodes)
          : this.#solveWatched(first, count, limits, watch);
      answers.cells.set(this.#cellsOut.subarray(0, solved * CELLS), first * CELLS);
      answers.stop.set(this.#stops.subarray(0, solved), first);
      answers.solutions.set(this.#solutions.subarray(0, solved), first);
      answers.nodes.set(this.#nodes.subarray(0, solved), first);
      answers.guesses.set(this.#guesses.subarray(0, solved), first);
      if (solved < count) return first + solved;
    }
    return to;
  }

  /** As the module's `solveBlock`, but calls the watch for each puzzle. */
  #solveWatched(first: number, count: number, limits: SearchLimits, watch: SearchWatch): number {
    const { maxSolutions, maxNodes } = limits;
    const wasm = this.#wasm;
    watch.begin();
    for (let slot = 0; slot < count; slot++) {
      if (wasm.begin(slot) === 0) return slot;
      wasm.search(slot, maxSolutions, maxNodes, Number.POSITIVE_INFINITY, 0);
      watch.end(first + slot);
    }
    return count;
  }
}

function fillTables(exports: KernelExports): void {
  const { buffer } = exports.memory;
  const placeOfCell = new Uint8Array(buffer, exports.placeOfCell.value, CELLS);
  const cellOfPlace = new Uint8Array(buffer, exports.cellOfPlace.value, CELLS);
  const bitOfPlace = new Int32Array(buffer, exports.bitOfPlace.value, 4 * CELLS);
  const peersOfPlace = new Int32Array(buffer, exports.peersOfPlace.value, 4 * CELLS);
  for (let cell = 0; cell < CELLS; cell++) {
    const place = placeOf(cell);
    placeOfCell[cell] = place;
    cellOfPlace[place] = CELL_OF_PLACE[place];
    bitOfPlace[4 * place + wordOf(cell)] = 1 << bitOf(cell);
    peersOfPlace.set(PEERS.subarray(3 * place, 3 * place + 3), 4 * place);
  }
}
