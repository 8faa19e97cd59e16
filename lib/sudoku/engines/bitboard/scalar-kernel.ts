/**
 * The search in TypeScript: propagate, choose a cell, copy the board, continue with both branches.
 *
 *     boards   | board 0 | board 1 | ... | board depth |          27 words each
 *                guess     guess           to be entered next
 *                removed   removed
 *
 * A guess is binary. The top board is copied; the digit is set in the copy and removed from the original, which stays
 * below for later. So nothing is ever undone, and a search can stop between any two nodes. Each copy has one more
 * solved cell, so at most 82 boards exist. Several guesses at once (choice.ts) are several copies, of which only the last
 * is entered next.
 *
 * A node is a board that is propagated.
 */
import { type SearchLimits, Stop } from '../../engine.ts';
import type { Kernel } from '../kernel.ts';
import { ALL, BOARD_WORDS, bitOf, CELL_OF_PLACE, PEERS, wordOf } from './board.ts';
import { chooseGuesses, guesses } from './choice.ts';
import { open, propagate } from './propagation.ts';

const MAX_BOARDS = 82;

/** Creates a kernel with its own state; several may exist at once. */
export function createScalarKernel(): Kernel {
  return new ScalarKernel();
}

/** The stack of boards; the kernel of `dlx` begins with it. */
export class ScalarKernel implements Kernel {
  nodes = 0;
  guesses = 0;
  solutions = 0;
  /** The first solution, or with `pauseAtSolution` the latest one. */
  readonly solution = new Uint8Array(81);
  readonly boards = new Int32Array(MAX_BOARDS * BOARD_WORDS);
  /** First word of the top board; negative when the search is exhausted. */
  top = -BOARD_WORDS;
  /** Whether every board of this puzzle was open so far. */
  #descending = false;

  get bytes(): number {
    return this.boards.byteLength;
  }

  begin(cells: Uint8Array, offset: number): boolean {
    this.nodes = 0;
    this.guesses = 0;
    this.solutions = 0;
    const placed = placeGivens(this.boards, cells, offset);
    this.top = placed ? 0 : -BOARD_WORDS;
    this.#descending = true;
    return placed;
  }

  search(limits: SearchLimits): Stop {
    const { maxSolutions, maxNodes, pauseAtSolution } = limits;
    const { boards } = this;
    const sliceEnd = this.nodes + limits.sliceNodes;
    while (this.top >= 0) {
      if (this.nodes >= maxNodes) return Stop.nodeLimit;
      if (this.nodes >= sliceEnd) return Stop.paused;
      this.nodes++;
      const { top } = this;
      const isPossible = propagate(boards, top, top === 0);
      if (isPossible && (open[0] | open[1] | open[2]) !== 0) {
        const count = chooseGuesses(boards, top, this.#descending);
        for (let k = 0; k < count; k++) branch(boards, top + k * BOARD_WORDS, guesses[k]);
        this.guesses += count;
        this.top = top + count * BOARD_WORDS;
        continue;
      }
      this.#descending = false;
      this.top = top - BOARD_WORDS;
      if (!isPossible) continue;
      this.solutions++;
      if (this.solutions === 1 || pauseAtSolution) writeSolution(boards, top, this.solution);
      if (this.solutions >= maxSolutions) return Stop.solutionLimit;
      if (pauseAtSolution) return Stop.paused;
    }
    return Stop.exhausted;
  }

  readSolution(cells: Uint8Array, offset: number): void {
    cells.set(this.solution, offset);
  }
}

/**
 * Builds the root board: each given is alone in its cell and removed from its peers; false if a value is not a digit.
 */
export function placeGivens(boards: Int32Array, cells: Uint8Array, offset: number): boolean {
  boards.fill(ALL, 0, BOARD_WORDS);
  for (let cell = 0; cell < 81; cell++) {
    const value = cells[offset + cell];
    if (value === 0) continue;
    if (value > 9) return false;
    setDigit(boards, 0, value - 1, wordOf(cell), bitOf(cell));
  }
  return true;
}

/** Copies the board at `top` to the next one, sets the guess there and removes it from the original. */
function branch(boards: Int32Array, top: number, { digit, word, bit, other }: (typeof guesses)[0]): void {
  const next = top + BOARD_WORDS;
  boards.copyWithin(next, top, next);
  setDigit(boards, next, digit, word, bit);
  if (other < 0) boards[top + 3 * digit + word] &= ~(1 << bit);
  else setDigit(boards, top, other, word, bit);
}

/**
 * Makes `digit` (0..8) the only candidate of a cell, if it still is one, and removes it from the cell's peers.
 *
 * @param at first word of the board
 */
export function setDigit(boards: Int32Array, at: number, digit: number, word: number, bit: number): void {
  const own = at + 3 * digit;
  const isCandidate = boards[own + word] & (1 << bit);
  for (let w = at + word; w < at + BOARD_WORDS; w += 3) boards[w] &= ~(1 << bit);
  boards[own + word] |= isCandidate;
  const peers = 3 * (27 * word + bit);
  for (let k = 0; k < 3; k++) boards[own + k] &= ~PEERS[peers + k];
}

/** Writes a board without open cells as bytes 1..9, row by row. */
export function writeSolution(boards: Int32Array, at: number, solution: Uint8Array): void {
  for (let w = 0; w < BOARD_WORDS; w++) {
    const digit = Math.floor(w / 3) + 1;
    for (let bits = boards[at + w]; bits !== 0; bits &= bits - 1) {
      solution[CELL_OF_PLACE[27 * (w % 3) + 31 - Math.clz32(bits & -bits)]] = digit;
    }
  }
}
