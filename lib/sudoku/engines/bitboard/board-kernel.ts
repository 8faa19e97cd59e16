/**
 * The search on boards in WebAssembly with SIMD: one vector for each digit, so that a rule is applied to the whole board in a
 * few instructions. The sources are in wasm/ (AssemblyScript), the binary is in wasm-module.ts.
 * docs/explanation/search.md has what was measured, tried and dropped.
 */
import type { Answers, SearchLimits, SearchWatch, Stop } from '../../engine.ts';
import { instantiateWasm } from '../../instantiate-wasm.ts';
import type { Kernel } from '../kernel.ts';
import { bitOf, peersOf, placeOf, wordOf } from './board.ts';
import { NINE_SEARCH_WASM } from './wasm-module.ts';

const CELLS = 81;

interface Address {
  readonly value: number;
}

/** Addresses are bytes in `memory`. A slot has one puzzle. */
interface BoardExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly placeOfCell: Address;
  readonly cellOfPlace: Address;
  readonly bitOfPlace: Address;
  readonly peersOfPlace: Address;
  readonly cellsIn: Address;
  readonly cellsOut: Address;
  readonly boards: Address;
  readonly solutionCounts: Address;
  readonly nodeCounts: Address;
  readonly guessCounts: Address;
  readonly slots: Address;
  begin(slot: number): number;
  search(
    slot: number,
    maxSolutions: number,
    maxNodes: number,
    sliceNodes: number,
    pauseAtSolution: number,
  ): number;
  /** The top board of those that are still to be entered; below `boards` if there is none. */
  topBoard(): number;
}

/** Instantiates the module with its own memory and fills its tables; undefined without WebAssembly or SIMD. */
export function instantiateBoards(): BoardExports | undefined {
  const exports = instantiateWasm(NINE_SEARCH_WASM) as BoardExports | undefined;
  if (exports !== undefined) fillTables(exports);
  return exports;
}

export class BoardKernel implements Kernel {
  protected readonly wasm: BoardExports;
  protected readonly cellsOut: Uint8Array;
  /** By slot: solutions, nodes and guesses so far. */
  protected readonly solutionsOf: Float64Array;
  protected readonly nodesOf: Float64Array;
  protected readonly guessesOf: Float64Array;
  readonly #cellsIn: Uint8Array;
  readonly #slots: number;

  constructor(wasm: BoardExports) {
    const { buffer } = wasm.memory;
    const slots = wasm.slots.value;
    this.wasm = wasm;
    this.#slots = slots;
    this.#cellsIn = new Uint8Array(buffer, wasm.cellsIn.value, slots * CELLS);
    this.cellsOut = new Uint8Array(buffer, wasm.cellsOut.value, slots * CELLS);
    this.solutionsOf = new Float64Array(buffer, wasm.solutionCounts.value, slots);
    this.nodesOf = new Float64Array(buffer, wasm.nodeCounts.value, slots);
    this.guessesOf = new Float64Array(buffer, wasm.guessCounts.value, slots);
  }

  get nodes(): number {
    return this.nodesOf[0];
  }

  get guesses(): number {
    return this.guessesOf[0];
  }

  get solutions(): number {
    return this.solutionsOf[0];
  }

  get bytes(): number {
    return this.wasm.memory.buffer.byteLength;
  }

  begin(cells: Uint8Array, offset: number): boolean {
    // A loop, because `set` needs a view, which is an object for each puzzle.
    for (let cell = 0; cell < CELLS; cell++) this.#cellsIn[cell] = cells[offset + cell];
    return this.beginSlot(0);
  }

  search(limits: SearchLimits): Stop {
    return this.searchSlot(0, limits);
  }

  readSolution(cells: Uint8Array, offset: number): void {
    for (let cell = 0; cell < CELLS; cell++) cells[offset + cell] = this.cellsOut[cell];
  }

  solveBlock(
    cells: Uint8Array,
    from: number,
    to: number,
    limits: SearchLimits,
    answers: Answers,
    watch?: SearchWatch,
  ): number {
    watch?.begin();
    for (let first = from; first < to; first += this.#slots) {
      const count = Math.min(to - first, this.#slots);
      this.#cellsIn.set(cells.subarray(first * CELLS, (first + count) * CELLS));
      this.cellsOut.fill(0, 0, count * CELLS);
      let solved = 0;
      for (; solved < count && this.beginSlot(solved); solved++) {
        answers.stop[first + solved] = this.searchSlot(solved, limits);
        watch?.end(first + solved);
      }
      answers.cells.set(this.cellsOut.subarray(0, solved * CELLS), first * CELLS);
      answers.solutions.set(this.solutionsOf.subarray(0, solved), first);
      answers.nodes.set(this.nodesOf.subarray(0, solved), first);
      answers.guesses.set(this.guessesOf.subarray(0, solved), first);
      if (solved < count) return first + solved;
    }
    return to;
  }

  /** Begins the puzzle of a slot; false if a cell has no digit. */
  protected beginSlot(slot: number): boolean {
    return this.wasm.begin(slot) !== 0;
  }

  /** Continues the search of the slot that was begun last. */
  protected searchSlot(slot: number, limits: SearchLimits): Stop {
    return this.searchBoards(slot, limits.maxNodes, limits);
  }

  protected searchBoards(slot: number, maxNodes: number, limits: SearchLimits): Stop {
    const { maxSolutions, sliceNodes, pauseAtSolution } = limits;
    return this.wasm.search(slot, maxSolutions, maxNodes, sliceNodes, pauseAtSolution ? 1 : 0) as Stop;
  }
}

function fillTables(wasm: BoardExports): void {
  const { buffer } = wasm.memory;
  const placeOfCell = new Uint8Array(buffer, wasm.placeOfCell.value, CELLS);
  const cellOfPlace = new Uint8Array(buffer, wasm.cellOfPlace.value, CELLS);
  const bitOfPlace = new Int32Array(buffer, wasm.bitOfPlace.value, 4 * CELLS);
  const peersOfPlace = new Int32Array(buffer, wasm.peersOfPlace.value, 4 * CELLS);
  for (let cell = 0; cell < CELLS; cell++) {
    const place = placeOf(cell);
    placeOfCell[cell] = place;
    cellOfPlace[place] = cell;
    bitOfPlace[4 * place + wordOf(cell)] = 1 << bitOf(cell);
    for (const peer of peersOf(cell)) peersOfPlace[4 * place + wordOf(peer)] |= 1 << bitOf(peer);
  }
}
