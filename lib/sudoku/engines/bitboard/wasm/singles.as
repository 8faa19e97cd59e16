// The consequences of a board without guessing: singles, locked candidates and full triads.
//
// Each rule is bit-parallel over a digit's three words (../board.ts has the layout):
// - *Naked single.* A cell has one candidate left: the digit is removed from the other cells of its box.
// - *Across.* In a band, a digit is in three minirows, one in each box and one in each row: a perfect matching of rows
//   with boxes. The digit is removed from minirows that no matching uses. This covers all locked candidates in rows,
//   and extends singles from their box along the row:
//
//          box 1   box 2   box 3
//     row     x       x       .          x: the digit is possible there
//     row     x       x       .          row 3 must use box 3, so box 3 must use row 3: both x of row 3
//     row     x       x       x          in boxes 1 and 2 are removed
//
// - *Down.* The same for minicolumns, one in each box and one in each column of a stack.
// - *Hidden single.* A digit has one cell left in a box: all other digits are removed from that cell. If a cell is a
//   naked single at the end but not a hidden one, its box has another naked single with the same digit: a contradiction.
// - *Triads*, only if the caller asks, and where no other rule applies. If exactly three digits fit into a minirow
//   (minicolumn), they are removed from the rest of its row (column) and box. If three digits are forced into it, all
//   others are removed. The search asks on the root.
//
// The rules are applied in passes, in this order, until a pass finds no new single. Later passes would remove little
// (docs/explanation/search.md).
//
// A board is therefore not the same in any order of the rules: another order gives other search trees.
//
// Singles and locked candidates are applied to all nine digits in one pass over registers, three digits packed into one vector.
// In loops over the digits, whose boards are then in memory, puzzles take 1.4 to 1.5 times the time. Only the checks have branches.

import { BOARD, MINICOLUMNS, MINIROWS, OPEN } from "./memory";
import { settleTriads, Settled } from "./triads";
import {
  all3, and, any, forcedMinirows, lane0, lane1, lane2, left, maskAll, maskBandHigh, maskBandLow, maskBandsHigh, maskBandsTwo,
  maskHigh, maskHighTwo, maskLow, maskLowTwo, maskMiddle, maskRows, minicolumns0, minicolumns1, minicolumns2, minus, onlyLane, or,
  packMinicolumns, packMinirows, right, turnOnce, turnTwice, without, xor,
} from "./vectors";
import { writePairs } from "./pairs";

/** The result of `propagate`. */
export const enum Board { impossible, open, solved }

/** Removes candidates that the rules exclude. If cells stay open, writes OPEN, BIVALUE and PARITY. */
export function propagate(board: usize, withTriads: bool): Board {
  const all = maskAll(), low = maskLow(), middle = maskMiddle(), high = maskHigh();
  const lowTwo = maskLowTwo(), highTwo = maskHighTwo(), rows = maskRows();
  const bandsTwo = maskBandsTwo(), bandHigh = maskBandHigh(), bandLow = maskBandLow(), bandsHigh = maskBandsHigh();
  let d0 = v128.load(board), d1 = v128.load(board, 16), d2 = v128.load(board, 32);
  let d3 = v128.load(board, 48), d4 = v128.load(board, 64), d5 = v128.load(board, 80);
  let d6 = v128.load(board, 96), d7 = v128.load(board, 112), d8 = v128.load(board, 128);
  // Of the latest pass: cells with two or more candidates at its start; of these, the hidden singles that it found; all
  // of both.
  let before = i32x4.splat(0), fresh = all, known = all;
  while (true) {
    // Cells with at least one candidate, and with at least two.
    let one = or(d0, d1), two = and(d0, d1);
    two = or(two, and(one, d2)); one = or(one, d2);
    two = or(two, and(one, d3)); one = or(one, d3);
    two = or(two, and(one, d4)); one = or(one, d4);
    two = or(two, and(one, d5)); one = or(one, d5);
    two = or(two, and(one, d6)); one = or(one, d6);
    two = or(two, and(one, d7)); one = or(one, d7);
    two = or(two, and(one, d8)); one = or(one, d8);
    if (any(xor(one, all))) return Board.impossible;
    if (!any(two) || !any(or(fresh, xor(two, before)))) {
      // Every cell is settled, or no new single was found.
      v128.store(board, d0); v128.store(board, d1, 16); v128.store(board, d2, 32);
      v128.store(board, d3, 48); v128.store(board, d4, 64); v128.store(board, d5, 80);
      v128.store(board, d6, 96); v128.store(board, d7, 112); v128.store(board, d8, 128);
      if (!any(two)) return isSolution(board) ? Board.solved : Board.impossible;
      const columns = all3(
        columnsOf(v128.load(MINICOLUMNS)), columnsOf(v128.load(MINICOLUMNS, 16)), columnsOf(v128.load(MINICOLUMNS, 32)));
      if (any(or(xor(known, all), without(bandLow, columns)))) return Board.impossible;
      v128.store(OPEN, two);
      const settled = withTriads ? settleTriads(board) : Settled.unmoved;
      if (settled == Settled.impossible) return Board.impossible;
      if (settled == Settled.unmoved) {
        writePairs(board);
        return Board.open;
      }
      d0 = v128.load(board); d1 = v128.load(board, 16); d2 = v128.load(board, 32);
      d3 = v128.load(board, 48); d4 = v128.load(board, 64); d5 = v128.load(board, 80);
      d6 = v128.load(board, 96); d7 = v128.load(board, 112); d8 = v128.load(board, 128);
      fresh = all;
      continue;
    }
    before = two;

    // Naked singles: their box keeps the digit only in that cell.
    const n0 = without(d0, two), n1 = without(d1, two), n2 = without(d2, two);
    const n3 = without(d3, two), n4 = without(d4, two), n5 = without(d5, two);
    const n6 = without(d6, two), n7 = without(d7, two), n8 = without(d8, two);
    const boxes0 = boxesOf(packMinirows(n0, n1, n2), low);
    const boxes1 = boxesOf(packMinirows(n3, n4, n5), low);
    const boxes2 = boxesOf(packMinirows(n6, n7, n8), low);
    d0 = or(without(d0, lane0(boxes0)), n0); d1 = or(without(d1, lane1(boxes0)), n1); d2 = or(without(d2, lane2(boxes0)), n2);
    d3 = or(without(d3, lane0(boxes1)), n3); d4 = or(without(d4, lane1(boxes1)), n4); d5 = or(without(d5, lane2(boxes1)), n5);
    d6 = or(without(d6, lane0(boxes2)), n6); d7 = or(without(d7, lane1(boxes2)), n7); d8 = or(without(d8, lane2(boxes2)), n8);

    // Across. A digit without a minirow left in a row ends the propagation here; checked later, a puzzle takes 1.1
    // times as long.
    const a0 = matchAcross(packMinirows(d0, d1, d2), low, high, lowTwo, highTwo);
    const a1 = matchAcross(packMinirows(d3, d4, d5), low, high, lowTwo, highTwo);
    const a2 = matchAcross(packMinirows(d6, d7, d8), low, high, lowTwo, highTwo);
    if (any(without(rows, all3(rowsOf(a0), rowsOf(a1), rowsOf(a2))))) return Board.impossible;
    d0 = and(d0, lane0(a0)); d1 = and(d1, lane1(a0)); d2 = and(d2, lane2(a0));
    d3 = and(d3, lane0(a1)); d4 = and(d4, lane1(a1)); d5 = and(d5, lane2(a1));
    d6 = and(d6, lane0(a2)); d7 = and(d7, lane1(a2)); d8 = and(d8, lane2(a2));

    // Down.
    const c0 = matchDown(packMinicolumns(d0, d1, d2, low, middle, high), bandsTwo, bandHigh, bandLow, bandsHigh);
    const c1 = matchDown(packMinicolumns(d3, d4, d5, low, middle, high), bandsTwo, bandHigh, bandLow, bandsHigh);
    const c2 = matchDown(packMinicolumns(d6, d7, d8, low, middle, high), bandsTwo, bandHigh, bandLow, bandsHigh);
    d0 = and(d0, minicolumns0(c0, low)); d1 = and(d1, minicolumns1(c0, middle)); d2 = and(d2, minicolumns2(c0, high));
    d3 = and(d3, minicolumns0(c1, low)); d4 = and(d4, minicolumns1(c1, middle)); d5 = and(d5, minicolumns2(c1, high));
    d6 = and(d6, minicolumns0(c2, low)); d7 = and(d7, minicolumns1(c2, middle)); d8 = and(d8, minicolumns2(c2, high));

    // Hidden singles: the only cell of a forced minirow. Two in one cell are a contradiction.
    const f0 = forcedMinirows(a0), f1 = forcedMinirows(a1), f2 = forcedMinirows(a2);
    const h0 = onlyLane(and(d0, lane0(f0))), h1 = onlyLane(and(d1, lane1(f0))), h2 = onlyLane(and(d2, lane2(f0)));
    const h3 = onlyLane(and(d3, lane0(f1))), h4 = onlyLane(and(d4, lane1(f1))), h5 = onlyLane(and(d5, lane2(f1)));
    const h6 = onlyLane(and(d6, lane0(f2))), h7 = onlyLane(and(d7, lane1(f2))), h8 = onlyLane(and(d8, lane2(f2)));
    let hidden = or(h0, h1), clash = and(h0, h1);
    clash = or(clash, and(hidden, h2)); hidden = or(hidden, h2);
    clash = or(clash, and(hidden, h3)); hidden = or(hidden, h3);
    clash = or(clash, and(hidden, h4)); hidden = or(hidden, h4);
    clash = or(clash, and(hidden, h5)); hidden = or(hidden, h5);
    clash = or(clash, and(hidden, h6)); hidden = or(hidden, h6);
    clash = or(clash, and(hidden, h7)); hidden = or(hidden, h7);
    clash = or(clash, and(hidden, h8)); hidden = or(hidden, h8);
    if (any(clash)) return Board.impossible;
    d0 = or(without(d0, hidden), h0); d1 = or(without(d1, hidden), h1); d2 = or(without(d2, hidden), h2);
    d3 = or(without(d3, hidden), h3); d4 = or(without(d4, hidden), h4); d5 = or(without(d5, hidden), h5);
    d6 = or(without(d6, hidden), h6); d7 = or(without(d7, hidden), h7); d8 = or(without(d8, hidden), h8);

    fresh = and(hidden, two);
    known = or(hidden, two);
    v128.store(MINIROWS, a0); v128.store(MINIROWS, a1, 16); v128.store(MINIROWS, a2, 32);
    v128.store(MINICOLUMNS, c0); v128.store(MINICOLUMNS, c1, 16); v128.store(MINICOLUMNS, c2, 32);
  }
}

/**
 * Whether a board with one candidate in each cell is a solution: every digit is in each row, box and column, so it is there
 * once. Another pass would detect the same with five times the instructions.
 */
function isSolution(board: usize): bool {
  const low = maskLow(), middle = maskMiddle(), high = maskHigh();
  let missing = i32x4.splat(0);
  for (let at = board; at < board + BOARD; at += 48) {
    const d0 = v128.load(at), d1 = v128.load(at, 16), d2 = v128.load(at, 32);
    const across = packMinirows(d0, d1, d2);
    const down = packMinicolumns(d0, d1, d2, low, middle, high);
    missing = or(missing, or(
      or(without(maskRows(), rowsOf(across)), without(low, boxFlagsOf(across))),
      without(maskBandLow(), columnsOf(down))));
  }
  return !any(missing);
}

/** Returns all minirows of the boxes with a flagged one. */
@inline function boxesOf(flags: v128, low: v128): v128 {
  const x = and(boxFlagsOf(flags), low);
  return minus(left(x, 3), x);
}

/** Returns the rows with a flagged minirow, in the lowest nine bits. */
@inline function rowsOf(flags: v128): v128 {
  return or(or(flags, right(flags, 9)), right(flags, 18));
}

/** Returns the boxes with a flagged minirow, in the lowest bit of each group of three. */
@inline function boxFlagsOf(flags: v128): v128 {
  return or(or(flags, right(flags, 1)), right(flags, 2));
}

/** Returns the columns with a flagged minicolumn, in the lowest three bits of each stack. */
@inline function columnsOf(flags: v128): v128 {
  return or(or(flags, right(flags, 3)), right(flags, 6));
}

/** Returns the minirows that a perfect matching of rows and boxes uses: in each band, three in three rows and boxes. */
@inline function matchAcross(flags: v128, low: v128, high: v128, lowTwo: v128, highTwo: v128): v128 {
  const up = or(and(right(flags, 1), lowTwo), and(left(flags, 2), high));
  const down = or(and(right(flags, 2), low), and(left(flags, 1), highTwo));
  return and(flags, or(
    and(or(left(up, 9), right(up, 18)), or(left(down, 18), right(down, 9))),
    and(or(left(up, 18), right(up, 9)), or(left(down, 9), right(down, 18)))));
}

/** Returns the minicolumns that a perfect matching of columns and boxes uses, in each stack. */
@inline function matchDown(flags: v128, bandsTwo: v128, bandHigh: v128, bandLow: v128, bandsHigh: v128): v128 {
  const up = or(and(right(flags, 3), bandsTwo), and(left(flags, 6), bandHigh));
  const down = or(and(right(flags, 6), bandLow), and(left(flags, 3), bandsHigh));
  return and(flags, or(and(turnOnce(up), turnTwice(down)), and(turnTwice(up), turnOnce(down))));
}
