/**
 * The search on boards in WebAssembly with SIMD: one vector for each digit, so that a rule is applied to the whole board in a
 * few instructions. The sources are in wasm/ (AssemblyScript), the binary is in wasm-module.ts.
 * docs/explanation/search.md has what was measured, tried and dropped.
 */

import { instantiateWasm } from '../../../exact-cover/compile-wasm.ts';
import type { Answers, OnSearched, SearchLimits, Stop } from '../../engine.ts';
import { standardGeometry } from '../../geometry/geometry.ts';
import type { Kernel, KernelCounts } from '../kernel.ts';
import { bitOf, placeOf, wordOf } from './board.ts';
import { NINE_SEARCH_WASM } from './wasm-module.ts';

const CELLS = 81;

/** What the module exports as a number: mostly the address of a table, in bytes. */
type ExportedNumber =
  | 'BIT_OF_PLACE'
  | 'CELL_OF_PLACE'
  | 'CELLS_IN'
  | 'CELLS_OUT'
  | 'GUESSES'
  | 'NODES'
  | 'PEERS_OF_PLACE'
  | 'PLACE_OF_CELL'
  | 'SLOTS'
  | 'SOLUTIONS';

/** A slot has one puzzle. */
interface BoardExports extends Readonly<Record<ExportedNumber, { readonly value: number }>> {
  readonly memory: { readonly buffer: ArrayBuffer };
  begin(slot: number): number;
  search(
    slot: number,
    maxSolutions: number,
    maxNodes: number,
    sliceNodes: number,
    pauseAtSolution: number,
  ): number;
}

/** Instantiates the module with its own memory and fills its tables; undefined without WebAssembly or SIMD. */
export function createBoardKernel(): Kernel | undefined {
  const wasm = instantiateWasm(NINE_SEARCH_WASM) as BoardExports | undefined;
  if (wasm === undefined) return undefined;
  fillTables(wasm);
  return new BoardKernel(wasm);
}

class BoardKernel implements Kernel, KernelCounts {
  readonly counts: KernelCounts = this;
  readonly #wasm: BoardExports;
  readonly #slots: number;
  readonly #cellsIn: Uint8Array;
  readonly #cellsOut: Uint8Array;
  /** By slot: solutions, nodes and guesses so far. */
  readonly #solutions: Float64Array;
  readonly #nodes: Float64Array;
  readonly #guesses: Float64Array;

  constructor(wasm: BoardExports) {
    const { buffer } = wasm.memory;
    const slots = wasm.SLOTS.value;
    this.#wasm = wasm;
    this.#slots = slots;
    this.#cellsIn = new Uint8Array(buffer, wasm.CELLS_IN.value, slots * CELLS);
    this.#cellsOut = new Uint8Array(buffer, wasm.CELLS_OUT.value, slots * CELLS);
    this.#solutions = new Float64Array(buffer, wasm.SOLUTIONS.value, slots);
    this.#nodes = new Float64Array(buffer, wasm.NODES.value, slots);
    this.#guesses = new Float64Array(buffer, wasm.GUESSES.value, slots);
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

  get bytes(): number {
    return this.#wasm.memory.buffer.byteLength;
  }

  begin(cells: Uint8Array, offset: number): boolean {
    // A loop, because `set` needs a view, which is an object for each puzzle.
    for (let cell = 0; cell < CELLS; cell++) this.#cellsIn[cell] = cells[offset + cell];
    return this.#wasm.begin(0) !== 0;
  }

  search(limits: SearchLimits): Stop {
    return this.#searchSlot(0, limits);
  }

  readSolution(cells: Uint8Array, offset: number): void {
    for (let cell = 0; cell < CELLS; cell++) cells[offset + cell] = this.#cellsOut[cell];
  }

  solveBlock(
    cells: Uint8Array,
    from: number,
    to: number,
    limits: SearchLimits,
    answers: Answers,
    onSearched?: OnSearched,
  ): number {
    for (let first = from; first < to; first += this.#slots) {
      const count = Math.min(to - first, this.#slots);
      this.#cellsIn.set(cells.subarray(first * CELLS, (first + count) * CELLS));
      this.#cellsOut.fill(0, 0, count * CELLS);
      let solved = 0;
      for (; solved < count && this.#wasm.begin(solved) !== 0; solved++) {
        answers.stop[first + solved] = this.#searchSlot(solved, limits);
        onSearched?.(first + solved);
      }
      answers.cells.set(this.#cellsOut.subarray(0, solved * CELLS), first * CELLS);
      answers.solutions.set(this.#solutions.subarray(0, solved), first);
      answers.nodes.set(this.#nodes.subarray(0, solved), first);
      answers.guesses.set(this.#guesses.subarray(0, solved), first);
      if (solved < count) return first + solved;
    }
    return to;
  }

  /** Continues the search of the slot that was begun last. */
  #searchSlot(slot: number, { maxSolutions, maxNodes, sliceNodes, pauseAtSolution }: SearchLimits): Stop {
    return this.#wasm.search(slot, maxSolutions, maxNodes, sliceNodes, pauseAtSolution ? 1 : 0) as Stop;
  }
}

function fillTables(wasm: BoardExports): void {
  const { buffer } = wasm.memory;
  const placeOfCell = new Uint8Array(buffer, wasm.PLACE_OF_CELL.value, CELLS);
  const cellOfPlace = new Uint8Array(buffer, wasm.CELL_OF_PLACE.value, CELLS);
  const bitOfPlace = new Int32Array(buffer, wasm.BIT_OF_PLACE.value, 4 * CELLS);
  const peersOfPlace = new Int32Array(buffer, wasm.PEERS_OF_PLACE.value, 4 * CELLS);
  for (let cell = 0; cell < CELLS; cell++) {
    const place = placeOf(cell);
    placeOfCell[cell] = place;
    cellOfPlace[place] = cell;
    bitOfPlace[4 * place + wordOf(cell)] = 1 << bitOf(cell);
    const units = standardGeometry(9).units.filter(({ cells }) => cells.includes(cell));
    for (const peer of units.flatMap(({ cells }) => [...cells])) {
      if (peer !== cell) peersOfPlace[4 * place + wordOf(peer)] |= 1 << bitOf(peer);
    }
  }
}
