// Triads: minirows and minicolumns as cells with exactly three digits.
//
// A triad relates to its three digits as a cell to its one: if exactly three digits still fit into it, they are
// excluded from the rest of its line and box; if three digits are forced into it, no other digit fits.
//
// The rules are applied to the flags that `propagate` wrote.

import { MINICOLUMNS, MINIROWS } from "./memory";
import {
  and, any, forcedMinirows, lane0, lane1, lane2, left, maskAll, maskBandHigh, maskBandLow, maskBandsHigh, maskBandsTwo,
  maskHigh, maskHighTwo, maskLow, maskLowTwo, maskMiddle, minicolumns0, minicolumns1, minicolumns2, minus, onlyLane, or,
  right, turnOnce, turnTwice, without, xor,
} from "./vectors";

/** The result of `settleTriads`. */
export const enum Settled { impossible, moved, unmoved }

/** Minirows, whose digits are lanes; or minicolumns, whose digits are neighbouring bits. */
const enum Triads { rows, columns }

/** The forced flags; and the triads that at least three, four of nine digits have. */
const FORCED: usize = memory.data(48, 16);
const THREE: usize = memory.data(16, 16);
const FOUR: usize = memory.data(16, 16);

export function settleTriads(board: usize): Settled {
  if (!settle(MINIROWS, Triads.rows) || !settle(MINICOLUMNS, Triads.columns)) return Settled.impossible;
  let moved = i32x4.splat(0);
  for (let group: usize = 0; group < 48; group += 16) {
    const at = board + 3 * group;
    const rows = v128.load(MINIROWS + group), columns = v128.load(MINICOLUMNS + group);
    const d0 = v128.load(at), d1 = v128.load(at, 16), d2 = v128.load(at, 32);
    const kept0 = and(and(d0, lane0(rows)), minicolumns0(columns, maskLow()));
    const kept1 = and(and(d1, lane1(rows)), minicolumns1(columns, maskMiddle()));
    const kept2 = and(and(d2, lane2(rows)), minicolumns2(columns, maskHigh()));
    moved = or(moved, or(or(xor(d0, kept0), xor(d1, kept1)), xor(d2, kept2)));
    v128.store(at, kept0); v128.store(at, kept1, 16); v128.store(at, kept2, 32);
  }
  return any(moved) ? Settled.moved : Settled.unmoved;
}

/** Applies both rules to three vectors of flags; false if a triad has fewer than three digits. */
function settle(flags: usize, triads: Triads): bool {
  const isRows = triads == Triads.rows;
  const every = isRows ? maskAll() : maskLow();
  tally(flags, triads);
  if (any(without(every, v128.load(THREE)))) return false;
  const full = ofDigits(without(v128.load(THREE), v128.load(FOUR)), triads);
  for (let at: usize = 0; at < 48; at += 16) {
    const kept = isRows ? keepFullMinirows(v128.load(flags + at), full) : keepFullMinicolumns(v128.load(flags + at), full);
    v128.store(flags + at, kept);
    v128.store(FORCED + at, isRows ? forcedMinirows(kept) : onlyLane(kept));
  }
  tally(FORCED, triads);
  const taken = ofDigits(v128.load(THREE), triads);
  for (let at: usize = 0; at < 48; at += 16) {
    v128.store(flags + at, or(without(v128.load(flags + at), taken), v128.load(FORCED + at)));
  }
  return true;
}

/** Writes which triads at least three, four of the nine digits have; that of minicolumns to the lowest of their three bits. */
function tally(flags: usize, triads: Triads): void {
  let one = i32x4.splat(0), two = one, three = one, four = one;
  for (let at = flags; at < flags + 48; at += 16) {
    let digit = v128.load(at);
    for (let k = 0; k < 3; k++) {
      four = or(four, and(three, digit));
      three = or(three, and(two, digit));
      two = or(two, and(one, digit));
      one = or(one, digit);
      digit = triads == Triads.rows ? turnOnce(digit) : right(digit, 1);
    }
  }
  v128.store(THREE, three);
  v128.store(FOUR, four);
}

/** The flags of all three digits of a vector in these triads. */
function ofDigits(marked: v128, triads: Triads): v128 {
  if (triads == Triads.rows) return marked;
  const low = and(marked, maskLow());
  return minus(left(low, 3), low);
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
