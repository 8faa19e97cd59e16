// Cells with two candidates, for the choice of a guess.

import { BIVALUE, BOARD, PARITY } from "./memory";
import { and, or, without, xor } from "./vectors";

/** Writes BIVALUE and PARITY of a board. */
export function writePairs(board: usize): void {
  let one = i32x4.splat(0), two = one, three = one;
  for (let at = board; at < board + BOARD; at += 16) {
    const digit = v128.load(at);
    three = or(three, and(two, digit));
    two = or(two, and(one, digit));
    one = or(one, digit);
  }
  v128.store(BIVALUE, without(two, three));
  const d5 = v128.load(board, 80), d6 = v128.load(board, 96), d7 = v128.load(board, 112);
  const d37 = xor(v128.load(board, 48), d7), d56 = xor(d5, d6);
  v128.store(PARITY, xor(xor(v128.load(board, 16), d5), d37));
  v128.store(PARITY, xor(xor(v128.load(board, 32), d6), d37), 16);
  v128.store(PARITY, xor(xor(v128.load(board, 64), d7), d56), 32);
  v128.store(PARITY, v128.load(board, 128), 48);
}
