// The search: propagate, choose a cell, copy the board, continue with both branches.
//
//     boards   | board 0 | board 1 | ... | board depth |          27 words each
//                guess     guess           to be entered next
//                removed   removed
//
// A guess is binary. The top board is copied; the digit is set in the copy and removed from the original, which stays
// below for later. So nothing is ever undone, and a search can stop between any two nodes. Each copy has one more
// solved cell, so at most 82 boards exist. Several guesses at once (choice.as) are several copies, of which only the last
// is entered next.
//
// A node is a board that is propagated.
//
// The entry of the module in ../wasm-module.ts (hex). test/wasm/build.ts builds it; a test checks that sources and binary match.

import { branch } from "./choice";
import {
  BIT_OF_PLACE, BOARD, BOARDS, CELL_OF_PLACE, CELLS_IN, CELLS_OUT, GUESSES, NODES, PEERS_OF_PLACE,
  PLACE_OF_CELL, SLOTS, SOLUTIONS,
} from "./memory";
import { Board, propagate } from "./singles";
import { maskAll, or, without } from "./vectors";

// Addresses for the host.
export {
  BIT_OF_PLACE, CELL_OF_PLACE, CELLS_IN, CELLS_OUT, GUESSES, NODES, PEERS_OF_PLACE, PLACE_OF_CELL, SLOTS, SOLUTIONS,
};

/** `SearchStop` of lib/exact-cover/search.ts. */
const enum Stop { exhausted, solutionLimit, nodeLimit, slice, solution }

/** The top board; below the first one when the search is exhausted. */
let top: usize = BOARDS - BOARD;
/** Whether every board of this puzzle was open so far. */
let descending = false;
/** By digit: its given cells. */
const GIVEN: usize = memory.data(BOARD, 16);

/** Builds the root board of the puzzle in a slot; false if a value is above 9. */
export function begin(slot: usize): bool {
  const cells = CELLS_IN + 81 * slot;
  store<f64>(SOLUTIONS + 8 * slot, 0);
  store<f64>(NODES + 8 * slot, 0);
  store<f64>(GUESSES + 8 * slot, 0);
  top = BOARDS - BOARD;
  for (let at: usize = 0; at < BOARD; at += 16) {
    v128.store(GIVEN + at, i32x4.splat(0));
    v128.store(BOARDS + at, maskAll());
  }
  // Sixteen cells in each step; the last step repeats cells of the one before, which changes nothing.
  let known = i32x4.splat(0);
  for (let first: usize = 0; first < 81; first += 16) {
    const from = min(first, 81 - 16);
    const values = v128.load(cells + from);
    if (v128.any_true(i8x16.gt_u(values, i8x16.splat(9)))) return false;
    for (let filled = i8x16.bitmask(i8x16.ne(values, i8x16.splat(0))); filled != 0; filled &= filled - 1) {
      const cell = from + <usize>ctz(filled);
      const place = <usize>load<u8>(PLACE_OF_CELL + cell);
      const at = 16 * (<usize>load<u8>(cells + cell) - 1);
      const bit = v128.load(BIT_OF_PLACE + 16 * place);
      known = or(known, bit);
      v128.store(GIVEN + at, or(v128.load(GIVEN + at), bit));
      v128.store(BOARDS + at, without(v128.load(BOARDS + at), v128.load(PEERS_OF_PLACE + 16 * place)));
    }
  }
  // A given cell keeps its digit, unless a peer has removed it, and loses all others.
  for (let at: usize = 0; at < BOARD; at += 16) {
    v128.store(BOARDS + at, without(v128.load(BOARDS + at), without(known, v128.load(GIVEN + at))));
  }
  top = BOARDS;
  descending = true;
  return true;
}

/** Continues the search of the puzzle that was begun last; returns a `Stop`. */
export function search(slot: usize, maxSolutions: f64, maxNodes: f64, sliceNodes: f64, pauseAtSolution: bool): i32 {
  let solutions = load<f64>(SOLUTIONS + 8 * slot);
  let nodes = load<f64>(NODES + 8 * slot);
  let guesses = load<f64>(GUESSES + 8 * slot);
  const sliceEnd = nodes + sliceNodes;
  let stop = Stop.exhausted;
  while (top >= BOARDS) {
    if (nodes >= maxNodes) { stop = Stop.nodeLimit; break; }
    if (nodes >= sliceEnd) { stop = Stop.slice; break; }
    nodes += 1;
    const found = propagate(top, top == BOARDS);
    if (found == Board.open) {
      const added = branch(top, descending);
      guesses += <f64>added;
      top += BOARD * <usize>added;
      continue;
    }
    descending = false;
    if (found == Board.solved) {
      solutions += 1;
      if (solutions == 1 || pauseAtSolution) readSolution(top, CELLS_OUT + 81 * slot);
      if (solutions >= maxSolutions) stop = Stop.solutionLimit;
      else if (pauseAtSolution) stop = Stop.solution;
    }
    top -= BOARD;
    if (stop != Stop.exhausted) break;
  }
  store<f64>(SOLUTIONS + 8 * slot, solutions);
  store<f64>(NODES + 8 * slot, nodes);
  store<f64>(GUESSES + 8 * slot, guesses);
  return stop;
}

/** Writes the cells of a solved board. Each of its words has three cells, one in each of its columns. */
function readSolution(board: usize, cells: usize): void {
  for (let digit: usize = 0; digit < 9; digit++) {
    for (let word: usize = 0; word < 3; word++) {
      for (let bits = load<u32>(board + 16 * digit + 4 * word); bits != 0; bits &= bits - 1) {
        store<u8>(cells + load<u8>(CELL_OF_PLACE + 27 * word + <usize>ctz(bits)), <u8>(digit + 1));
      }
    }
  }
}
