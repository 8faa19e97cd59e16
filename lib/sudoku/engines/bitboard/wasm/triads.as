// Triads: minirows and minicolumns as cells with exactly three digits.
//
// A triad relates to its three digits as a cell to its one: if exactly three digits still fit into it, they are
// excluded from the rest of its line and box; if three digits are forced into it, no other digit fits.
//
// The rules are applied to the flags that `propagate` wrote.

import { BIVALUE, MINICOLUMNS, MINIROWS, PARITY } from "./memory";
import {
  all3, and, any, forcedMinirows, lane0, lane1, lane2, left, maskAll, maskBandHigh, maskBandLow, maskBandsHigh,
  maskBandsTwo, maskHigh, maskHighTwo, maskLow, maskLowTwo, maskMiddle, minicolumns0, minicolumns1, minicolumns2,
  minus, onlyLane, or, right, turnOnce, turnTwice, without, xor,
} from "./vectors";

/** The result of `settleTriads`; with `unmoved`, BIVALUE and PARITY are written for the choice of a guess. */
export const enum Settled { impossible, moved, unmoved }

export function settleTriads(board: usize): Settled {
  const all = maskAll(), low = maskLow(), middle = maskMiddle(), high = maskHigh();

  // Minirows: lanes are digits, and are rotated to be combined with each other.
  let a0 = v128.load(MINIROWS), a1 = v128.load(MINIROWS, 16), a2 = v128.load(MINIROWS, 32);
  let thrice = threeOfLanes(a0, a1, a2);
  if (any(without(all, thrice))) return Settled.impossible;
  let full = without(thrice, fourOfLanes(a0, a1, a2));
  a0 = keepFullMinirows(a0, full); a1 = keepFullMinirows(a1, full); a2 = keepFullMinirows(a2, full);
  let f0 = forcedMinirows(a0), f1 = forcedMinirows(a1), f2 = forcedMinirows(a2);
  thrice = threeOfLanes(f0, f1, f2);
  a0 = or(without(a0, thrice), f0); a1 = or(without(a1, thrice), f1); a2 = or(without(a2, thrice), f2);

  // Minicolumns: digits are neighbouring bits, counted in the lowest bit of each group of three.
  let c0 = v128.load(MINICOLUMNS), c1 = v128.load(MINICOLUMNS, 16), c2 = v128.load(MINICOLUMNS, 32);
  thrice = and(threeOfBits(c0, c1, c2), low);
  if (any(xor(low, thrice))) return Settled.impossible;
  full = without(thrice, fourOfBits(c0, c1, c2));
  full = minus(left(full, 3), full);
  c0 = keepFullMinicolumns(c0, full); c1 = keepFullMinicolumns(c1, full); c2 = keepFullMinicolumns(c2, full);
  f0 = onlyLane(c0); f1 = onlyLane(c1); f2 = onlyLane(c2);
  thrice = and(threeOfBits(f0, f1, f2), low);
  thrice = minus(left(thrice, 3), thrice);
  c0 = or(without(c0, thrice), f0); c1 = or(without(c1, thrice), f1); c2 = or(without(c2, thrice), f2);

  const o0 = v128.load(board), o1 = v128.load(board, 16), o2 = v128.load(board, 32);
  const o3 = v128.load(board, 48), o4 = v128.load(board, 64), o5 = v128.load(board, 80);
  const o6 = v128.load(board, 96), o7 = v128.load(board, 112), o8 = v128.load(board, 128);
  const d0 = and(and(o0, lane0(a0)), minicolumns0(c0, low)), d1 = and(and(o1, lane1(a0)), minicolumns1(c0, middle));
  const d2 = and(and(o2, lane2(a0)), minicolumns2(c0, high)), d3 = and(and(o3, lane0(a1)), minicolumns0(c1, low));
  const d4 = and(and(o4, lane1(a1)), minicolumns1(c1, middle)), d5 = and(and(o5, lane2(a1)), minicolumns2(c1, high));
  const d6 = and(and(o6, lane0(a2)), minicolumns0(c2, low)), d7 = and(and(o7, lane1(a2)), minicolumns1(c2, middle));
  const d8 = and(and(o8, lane2(a2)), minicolumns2(c2, high));
  const moved = or(
    or(or(or(xor(o0, d0), xor(o1, d1)), or(xor(o2, d2), xor(o3, d3))),
      or(or(xor(o4, d4), xor(o5, d5)), or(xor(o6, d6), xor(o7, d7)))),
    xor(o8, d8));
  if (any(moved)) {
    v128.store(board, d0); v128.store(board, d1, 16); v128.store(board, d2, 32);
    v128.store(board, d3, 48); v128.store(board, d4, 64); v128.store(board, d5, 80);
    v128.store(board, d6, 96); v128.store(board, d7, 112); v128.store(board, d8, 128);
    return Settled.moved;
  }

  writePairs(d0, d1, d2, d3, d4, d5, d6, d7, d8);
  return Settled.unmoved;
}

/** Writes BIVALUE and PARITY of a board. */
export function writePairs(d0: v128, d1: v128, d2: v128, d3: v128, d4: v128, d5: v128, d6: v128, d7: v128, d8: v128): void {
  const one0 = one(d0, d1, d2), one1 = one(d3, d4, d5), one2 = one(d6, d7, d8);
  const two0 = two(d0, d1, d2), two1 = two(d3, d4, d5), two2 = two(d6, d7, d8);
  const twice = or(or(or(two0, two1), two2), two(one0, one1, one2));
  v128.store(BIVALUE, without(twice, three(one0, two0, all3(d0, d1, d2), one1, two1, all3(d3, d4, d5), one2, two2, all3(d6, d7, d8))));
  const d37 = xor(d3, d7), d56 = xor(d5, d6);
  v128.store(PARITY, xor(xor(d1, d5), d37));
  v128.store(PARITY, xor(xor(d2, d6), d37), 16);
  v128.store(PARITY, xor(xor(d4, d7), d56), 32);
  v128.store(PARITY, d8, 48);
}

// Bits set in at least one, two of three words.
@inline function one(a: v128, b: v128, c: v128): v128 { return or(or(a, b), c); }
@inline function two(a: v128, b: v128, c: v128): v128 { return or(and(a, b), and(or(a, b), c)); }

/** Bits set in at least three of nine words; a1, a2, a3: bits set in at least one, two, three of the first three. */
@inline function three(
  a1: v128, a2: v128, a3: v128, b1: v128, b2: v128, b3: v128, c1: v128, c2: v128, c3: v128,
): v128 {
  return or(
    or(one(a3, b3, c3), all3(a1, b1, c1)),
    one(and(a2, or(b1, c1)), and(b2, or(a1, c1)), and(c2, or(a1, b1))));
}

/** Bits set in at least four of nine words. */
@inline function four(
  a1: v128, a2: v128, a3: v128, b1: v128, b2: v128, b3: v128, c1: v128, c2: v128, c3: v128,
): v128 {
  return or(
    or(one(and(a3, or(b1, c1)), and(b3, or(a1, c1)), and(c3, or(a1, b1))), two(a2, b2, c2)),
    one(all3(a2, b1, c1), all3(a1, b2, c1), all3(a1, b1, c2)));
}

/** Bits set in at least three, four of nine lanes. */
function threeOfLanes(a: v128, b: v128, c: v128): v128 {
  const at = turnOnce(a), au = turnTwice(a), bt = turnOnce(b), bu = turnTwice(b), ct = turnOnce(c), cu = turnTwice(c);
  return three(
    one(a, at, au), two(a, at, au), all3(a, at, au), one(b, bt, bu), two(b, bt, bu), all3(b, bt, bu),
    one(c, ct, cu), two(c, ct, cu), all3(c, ct, cu));
}
function fourOfLanes(a: v128, b: v128, c: v128): v128 {
  const at = turnOnce(a), au = turnTwice(a), bt = turnOnce(b), bu = turnTwice(b), ct = turnOnce(c), cu = turnTwice(c);
  return four(
    one(a, at, au), two(a, at, au), all3(a, at, au), one(b, bt, bu), two(b, bt, bu), all3(b, bt, bu),
    one(c, ct, cu), two(c, ct, cu), all3(c, ct, cu));
}

/** In the lowest bit of each group of three bits of three words: whether at least three, four of the nine are set. */
function threeOfBits(a: v128, b: v128, c: v128): v128 {
  const at = right(a, 1), au = right(a, 2), bt = right(b, 1), bu = right(b, 2), ct = right(c, 1), cu = right(c, 2);
  return three(
    one(a, at, au), two(a, at, au), all3(a, at, au), one(b, bt, bu), two(b, bt, bu), all3(b, bt, bu),
    one(c, ct, cu), two(c, ct, cu), all3(c, ct, cu));
}
function fourOfBits(a: v128, b: v128, c: v128): v128 {
  const at = right(a, 1), au = right(a, 2), bt = right(b, 1), bu = right(b, 2), ct = right(c, 1), cu = right(c, 2);
  return four(
    one(a, at, au), two(a, at, au), all3(a, at, au), one(b, bt, bu), two(b, bt, bu), all3(b, bt, bu),
    one(c, ct, cu), two(c, ct, cu), all3(c, ct, cu));
}

/** Removes the digits of a full minirow from the rest of its row and box. */
function keepFullMinirows(flags: v128, full: v128): v128 {
  const x = and(flags, full);
  const row = or(or(left(x, 9), left(x, 18)), or(right(x, 9), right(x, 18)));
  const box = or(
    or(and(right(x, 1), maskLowTwo()), and(left(x, 2), maskHigh())),
    or(and(right(x, 2), maskLow()), and(left(x, 1), maskHighTwo())));
  return without(flags, or(row, box));
}

/** Removes the digits of a full minicolumn from the rest of its column and box. */
function keepFullMinicolumns(flags: v128, full: v128): v128 {
  const x = and(flags, full);
  const column = or(
    or(and(right(x, 3), maskBandsTwo()), and(left(x, 6), maskBandHigh())),
    or(and(right(x, 6), maskBandLow()), and(left(x, 3), maskBandsHigh())));
  return without(flags, or(column, or(turnOnce(x), turnTwice(x))));
}
