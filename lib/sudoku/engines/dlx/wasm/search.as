// The search of an ordinary 9x9: it begins on boards of bitmasks, and dancing links finish it.
//
// The first 128 nodes are those of the `bitboard` engine (../../bitboard/wasm/search.as), which solve all but the hardest
// puzzles. Then the links take over: each open board is linked and searched to its end, the latest one first. So links are
// not built for puzzles that need few guesses, nor for almost empty ones, whose hundreds of options would all be linked.
//
//     boards   | board 0 | board 1 | board 2 |                         stack of open boards after 128 nodes
//                                       root of the first linked search; then board 1, then board 0
//
// The linked search is Knuth's Algorithm X on dancing links (TAOCP 7.2.2.1; the links go back to H. Hitotumatu and K.
// Noshita, 1979) with one change: forced moves never use the links. A board accompanies the links, and
// ../../bitboard/wasm/singles.as settles on it the cells that need no guess:
//
//     choose an item with the fewest options                            choice.as
//     for each option of its list:
//         copy the board, select the option on the copy, and propagate it
//             contradiction: next option, no link has changed
//             solved:        a solution, no link has changed
//         otherwise update the links:                                   links.as
//             hide each option that is now excluded
//             cover the items of each option that is now settled
//         continue one level deeper, and undo both in reverse order
//
// So the links contain the open options and determine where to branch; the board gives the consequences of an option.
// Half of all nodes are contradictions, which change no link. lib/exact-cover/dancing-links.ts, which has no board, finds
// forced moves in the sizes of the lists while it covers.
//
//     boards   | open boards ... | level 0 | level 1 | ... | the next one |      27 words each
//     opens                      | level 0 | level 1 | ...              3 words each: its cells with two candidates or more
// nextNode, hiddenEnd, coveredEnd [level]                  the next node to try; the ends of the trails at its start
//
// The selected options are not stored: a solved board is the solution.
//
// The links see more: the places of a digit in rows, columns and boxes, not only the candidates of cells. They take a
// third fewer nodes on the hardest puzzles, and more than twice the time for each; their choice is the steadier one. 128 nodes keep
// this for the searches that are long, and cost the others nothing. docs/explanation/search.md has what was measured, tried and dropped.
//
// Invariants between nodes: the four nodes of an option are all in their lists if it is a candidate of an open cell
// of the level's board, else none is; an item is in the list of items if its list has options, and its size is their
// number. An item whose last option was hidden may remain in the list, with size 0; the next propagation finds the
// contradiction.

import {
  BIT_OF_PLACE, BOARD, BOARDS, CELLS_OUT, GUESSES, MAX_BOARDS, NODES, OPEN, PEERS_OF_PLACE, SOLUTIONS, STOP,
} from "../../bitboard/wasm/memory";
import { begin, readSolution, search, Stop, topBoard } from "../../bitboard/wasm/search";
import { Board, propagate } from "../../bitboard/wasm/singles";
import { without } from "../../bitboard/wasm/vectors";
import { chooseNineItem } from "./choice";
import {
  coveredEnd, digitOf, down, EMPTY_HEADS, follow, hiddenEnd, itemOf, link, LINKED_OPTIONS, optionOf, placeOf, undoTo,
} from "./links";

// Addresses for the host.
export const heads: usize = EMPTY_HEADS;
export const options: usize = LINKED_OPTIONS;

/** Nodes after which the links take over; set by the host. */
export let linkedAfter: f64 = 0;

/** A level: the next node to try, the ends of both trails at its start, and its open cells. */
const LEVEL: usize = 32;
const LEVELS: usize = memory.data(MAX_BOARDS * LEVEL, 16);

/** The deepest level; below LEVELS if no board is linked. */
let level: usize = LEVELS - LEVEL;
/** The board of the deepest level; if no board is linked, the top one of those to be entered. */
let board: usize = BOARDS - BOARD;
/** Whether the links have taken over. */
let isTaken = false;

/** As `solveBlock` of the bitboard. */
export function solveBlockByLinks(count: usize, maxSolutions: f64, maxNodes: f64): usize {
  for (let slot: usize = 0; slot < count; slot++) {
    if (!beginLinks(slot)) return slot;
    searchLinks(slot, maxSolutions, maxNodes, Infinity, false);
  }
  return count;
}

/** As `begin` of the bitboard. */
export function beginLinks(slot: usize): bool {
  isTaken = false;
  return begin(slot);
}

/** As `search` of the bitboard. */
export function searchLinks(slot: usize, maxSolutions: f64, maxNodes: f64, sliceNodes: f64, pauseAtSolution: bool): i32 {
  const sliceEnd = load<f64>(NODES + 8 * slot) + sliceNodes;
  if (!isTaken) {
    const stopped = search(slot, maxSolutions, min(maxNodes, linkedAfter), sliceNodes, pauseAtSolution);
    if (stopped != Stop.nodeLimit || maxNodes <= linkedAfter) return stopped;
    isTaken = true;
    level = LEVELS - LEVEL;
    board = topBoard();
  }
  let solutions = load<f64>(SOLUTIONS + 8 * slot);
  let nodes = load<f64>(NODES + 8 * slot);
  let guesses = load<f64>(GUESSES + 8 * slot);
  let stop = Stop.exhausted;
  while (board >= BOARDS) {
    if (nodes >= maxNodes) { stop = Stop.nodeLimit; break; }
    if (nodes >= sliceEnd) { stop = Stop.paused; break; }
    nodes += 1;
    let found: Board;
    if (level < LEVELS) {
      found = propagate(board, true);
      if (found == Board.open) link(board, v128.load(OPEN));
      else board -= BOARD;
    } else {
      const node: usize = load<u32>(level);
      guesses += <f64>(down(node) != itemOf(node));
      select(optionOf(node));
      found = propagate(board + BOARD, true);
      if (found == Board.open) {
        follow(board, board + BOARD, without(v128.load(level, 16), v128.load(OPEN)));
        board += BOARD;
      }
    }
    if (found == Board.open) {
      openLevel();
      continue;
    }
    if (found == Board.solved) {
      solutions += 1;
      if (solutions == 1 || pauseAtSolution) readSolution(board + BOARD, CELLS_OUT + 81 * slot);
      if (solutions >= maxSolutions) stop = Stop.solutionLimit;
      else if (pauseAtSolution) stop = Stop.paused;
    }
    backUp();
    if (stop != Stop.exhausted) break;
  }
  store<f64>(SOLUTIONS + 8 * slot, solutions);
  store<f64>(NODES + 8 * slot, nodes);
  store<f64>(GUESSES + 8 * slot, guesses);
  store<u8>(STOP + slot, <u8>stop);
  return stop;
}

/** Copies the board to the next one and selects an option there. */
@inline function select(option: usize): void {
  const place = placeOf(option), own = digitOf(option);
  const bit = v128.load(BIT_OF_PLACE + place);
  for (let at: usize = 0; at < BOARD; at += 16) v128.store(board + BOARD + at, without(v128.load(board + at), bit));
  v128.store(board + BOARD + own, without(v128.load(board + own), v128.load(PEERS_OF_PLACE + place)));
}

function openLevel(): void {
  level += LEVEL;
  store<u32>(level, down(chooseNineItem(board)));
  store<u32>(level, hiddenEnd, 4);
  store<u32>(level, coveredEnd, 8);
  v128.store(level, v128.load(OPEN), 16);
}

/** Restores the links and goes to the next option of the deepest level that has one left. */
function backUp(): void {
  while (level >= LEVELS) {
    undoTo(load<u32>(level, 4), load<u32>(level, 8));
    const node: usize = load<u32>(level), next = down(node);
    if (next != itemOf(node)) {
      store<u32>(level, next);
      return;
    }
    level -= LEVEL;
    board -= BOARD;
  }
}
