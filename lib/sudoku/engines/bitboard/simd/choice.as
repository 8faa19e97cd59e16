// Chooses the cell and the digit to guess, by the rules of ../choice.ts, and makes the boards of both branches.

import { BIT_OF_PLACE, BIVALUE, BOARD, OPEN, PARITY, PEERS_OF_PLACE } from "./memory";
import { and, any, count, or, without } from "./vectors";

/** Copies the board to the next one, sets the guess there and removes it from the original. */
export function branch(board: usize): void {
  const bivalue = v128.load(BIVALUE);
  if (any(bivalue)) branchOnBivalue(board, bivalue);
  else branchOnOpen(board, cellsOfThree(board));
}

/** Both branches of a cell with two candidates solve it, so its peers are cleared in both at once. */
function branchOnBivalue(board: usize, bivalue: v128): void {
  const digit = digitOfMost(board, bivalue);
  const own = v128.load(board + 16 * digit);
  const ownBivalue = and(own, bivalue);
  let best = -1;
  let place: usize = 0, other: usize = 0;
  for (let word: usize = 0; word < 3; word++) {
    let bits = wordOf(ownBivalue, word);
    const parity0 = load<u32>(PARITY + 4 * word), parity1 = load<u32>(PARITY + 4 * word, 16);
    const parity2 = load<u32>(PARITY + 4 * word, 32), parity3 = load<u32>(PARITY + 4 * word, 48);
    for (; bits != 0; bits &= bits - 1) {
      const bit = ctz(bits);
      const here = 27 * word + <usize>bit;
      const peers = v128.load(PEERS_OF_PLACE + 16 * here);
      // The parities of two candidates XOR one of them give the other one.
      const its = digit ^ <usize>(
        (parity0 >> bit & 1) | (parity1 >> bit & 1) << 1 | (parity2 >> bit & 1) << 2 | (parity3 >> bit & 1) << 3);
      const theirs = and(v128.load(board + 16 * its), peers);
      const score = count(and(own, peers)) + 2 * count(and(ownBivalue, peers))
        + count(theirs) + 2 * count(and(theirs, bivalue));
      if (score > best) {
        best = score;
        place = here;
        other = its;
      }
    }
  }
  const bit = v128.load(BIT_OF_PLACE + 16 * place), peers = v128.load(PEERS_OF_PLACE + 16 * place);
  const theirs = v128.load(board + 16 * other);
  for (let at: usize = 0; at < BOARD; at += 16) v128.store(board + BOARD + at, v128.load(board + at));
  v128.store(board + BOARD + 16 * digit, without(own, peers));
  v128.store(board + BOARD + 16 * other, without(theirs, bit));
  v128.store(board + 16 * digit, without(own, bit));
  v128.store(board + 16 * other, without(theirs, peers));
}

function branchOnOpen(board: usize, from: v128): void {
  const digit = digitOfMost(board, from);
  const own = v128.load(board + 16 * digit);
  const cells = and(own, from);
  let best = -1;
  let place: usize = 0;
  for (let word: usize = 0; word < 3; word++) {
    for (let bits = wordOf(cells, word); bits != 0; bits &= bits - 1) {
      const here = 27 * word + <usize>ctz(bits);
      const score = count(and(own, v128.load(PEERS_OF_PLACE + 16 * here)));
      if (score > best) {
        best = score;
        place = here;
      }
    }
  }
  const bit = v128.load(BIT_OF_PLACE + 16 * place);
  for (let at: usize = 0; at < BOARD; at += 16) {
    v128.store(board + BOARD + at, without(v128.load(board + at), bit));
  }
  v128.store(board + BOARD + 16 * digit, without(own, v128.load(PEERS_OF_PLACE + 16 * place)));
  v128.store(board + 16 * digit, without(own, bit));
}

/** Returns the digit that occurs in the most of these cells; the lowest if there are several. */
@inline function digitOfMost(board: usize, from: v128): usize {
  let digit: usize = 0;
  let most = 0;
  for (let d: usize = 0; d < 9; d++) {
    const cells = count(and(v128.load(board + 16 * d), from));
    if (cells > most) {
      most = cells;
      digit = d;
    }
  }
  return digit;
}

/** Returns the open cells with three candidates, or all open cells if there is none. */
function cellsOfThree(board: usize): v128 {
  let one = i32x4.splat(0), two = one, three = one, four = one;
  for (let d: usize = 0; d < 9; d++) {
    const bits = v128.load(board + 16 * d);
    four = or(four, and(three, bits));
    three = or(three, and(two, bits));
    two = or(two, and(one, bits));
    one = or(one, bits);
  }
  const cells = without(three, four);
  return any(cells) ? cells : v128.load(OPEN);
}

@inline function wordOf(cells: v128, word: usize): u32 {
  return word == 0 ? i32x4.extract_lane(cells, 0)
    : word == 1 ? i32x4.extract_lane(cells, 1)
    : i32x4.extract_lane(cells, 2);
}
