/**
 * The search of an ordinary 9x9: it begins on boards of bitmasks, as that of `bitboard`. If they have found no solution after 512
 * nodes, dancing links finish it:
 *
 *     boards   | board 0 | board 1 | board 2 |        those that are still to be entered
 *                                     first the options that board 2 leaves are linked and searched to their end,
 *                          then those of board 1, then those of board 0
 *
 * Boards solve all but the hardest puzzles in less time than it takes to link them, and find many solutions in half the time.
 * docs/explanation/search.md has the measurements.
 */
import { type SearchLimits, Stop } from '../../engine.ts';
import { standardGeometry } from '../../geometry/geometry.ts';
import { bitOf, wordOf } from '../bitboard/board.ts';
import { BoardKernel, instantiateBoards } from '../bitboard/board-kernel.ts';
import type { Kernel } from '../kernel.ts';
import { CoverKernel } from './cover-kernel.ts';

/** Nodes after which the links take over. */
const LINKED_AFTER = 512;
/** Bytes and words of a board: nine vectors. */
const BOARD_BYTES = 144;
const BOARD_WORDS = BOARD_BYTES / 4;
const OPTIONS = 729;

/** Creates a kernel; undefined without WebAssembly or SIMD. @param linkedAfter nodes after which the links take over */
export function createNineKernel(linkedAfter = LINKED_AFTER): Kernel | undefined {
  const wasm = instantiateBoards();
  return wasm && new NineKernel(wasm, linkedAfter);
}

class NineKernel extends BoardKernel {
  readonly #linkedAfter: number;
  readonly #decisions = new Int32Array(OPTIONS);
  #links: CoverKernel | undefined;
  /** The address of the board whose links are searched; 0 before the links take over. */
  #board = 0;
  /** The counts of the boards, and of the links before those of this board. */
  #solutionsBefore = 0;
  #nodesBefore = 0;
  #guessesBefore = 0;

  constructor(wasm: ConstructorParameters<typeof BoardKernel>[0], linkedAfter: number) {
    super(wasm);
    this.#linkedAfter = linkedAfter;
  }

  override get bytes(): number {
    return super.bytes + (this.#links?.bytes ?? 0);
  }

  protected override beginSlot(slot: number): boolean {
    this.#board = 0;
    return super.beginSlot(slot);
  }

  protected override searchSlot(slot: number, limits: SearchLimits): Stop {
    const { maxSolutions, maxNodes, sliceNodes, pauseAtSolution } = limits;
    const sliceEnd = this.nodesOf[slot] + sliceNodes;
    const { solutionsOf, nodesOf, guessesOf } = this;
    const linkedAfter = this.#linkedAfter;
    if (this.#board === 0) {
      if (nodesOf[slot] <= linkedAfter) {
        const stop = this.searchBoards(slot, Math.min(maxNodes, linkedAfter), limits);
        if (stop !== Stop.nodeLimit || maxNodes <= linkedAfter) return stop;
      }
      if (solutionsOf[slot] > 0)
        return this.searchBoards(slot, maxNodes, { ...limits, sliceNodes: sliceEnd - nodesOf[slot] });
      this.#link(slot, this.wasm.topBoard());
    }
    const links = this.#links!;
    while (this.#board >= this.wasm.boards.value) {
      // The links enter a root whatever is left of the slice.
      if (nodesOf[slot] >= sliceEnd) return Stop.paused;
      const solutions = solutionsOf[slot];
      const stop = links.search({
        maxSolutions: maxSolutions - this.#solutionsBefore,
        maxNodes: maxNodes - this.#nodesBefore,
        sliceNodes: sliceEnd - nodesOf[slot],
        pauseAtSolution,
      });
      solutionsOf[slot] = this.#solutionsBefore + links.solutions;
      nodesOf[slot] = this.#nodesBefore + links.nodes;
      guessesOf[slot] = this.#guessesBefore + links.guesses;
      if (solutionsOf[slot] > solutions && (solutions === 0 || pauseAtSolution)) {
        links.readSolution(this.cellsOut, 81 * slot);
      }
      if (stop !== Stop.exhausted) return stop;
      this.#link(slot, this.#board - BOARD_BYTES);
    }
    return Stop.exhausted;
  }

  /** Links the options that a board leaves, if there is one. */
  #link(slot: number, board: number): void {
    this.#board = board;
    this.#solutionsBefore = this.solutionsOf[slot];
    this.#nodesBefore = this.nodesOf[slot];
    this.#guessesBefore = this.guessesOf[slot];
    if (board < this.wasm.boards.value) return;
    const words = new Int32Array(this.wasm.memory.buffer, board, BOARD_WORDS);
    const decisions = this.#decisions;
    let count = 0;
    for (let cell = 0; cell < 81; cell++) {
      const excluded = count;
      let candidates = 0;
      let last = 0;
      for (let digit = 0; digit < 9; digit++) {
        const option = 9 * cell + digit;
        if (((words[4 * digit + wordOf(cell)] >> bitOf(cell)) & 1) === 1) {
          candidates++;
          last = option;
        } else {
          decisions[count++] = ~option;
        }
      }
      if (candidates !== 1) continue;
      decisions[excluded] = last;
      count = excluded + 1;
    }
    this.#links ??= new CoverKernel(standardGeometry(9));
    this.#links.beginWith(decisions, count);
  }
}
