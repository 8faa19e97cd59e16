// Chooses the item of an ordinary 9x9 to branch on: one with the fewest options, as in Knuth's search. Of several
// (often dozens of items have two options), it is the one whose options remove the most candidates.
//
// An option gets one point for each option that its selection hides: its digit in the peers of its cell, and the other
// digits of its cell. It gets two more points for each of those peers that has two candidates and would be settled at
// once. The score of an item is the sum over its options, since each of them is tried; of equal scores, the first item
// is chosen.
//
//     5 in row 1 has two places left: r1c1, which may be 5, 8, 9, and r1c7, which may be 2, 4, 5
//     elsewhere r1c1 sees a 5 in r2c2 and in r6c1, and r1c7 one in r3c8; r6c1 may be 3 or 5
//
//     5 in r1c1    removes 5 from r1c7, r2c2 and r6c1; 8 and 9 from r1c1       5 points
//                  settles r6c1                                                2 points
//     5 in r1c7    removes 5 from r1c1 and r3c8; 2 and 4 from r1c7             4 points
//                                                                             11 points for the item
//
// Points are counted on the board: the sizes of lists count an option twice that shares a row and a box, and do not
// show which cells have two candidates. At most 32 items are compared, the first ones of their list.
//
// docs/explanation/search.md has what was measured, tried and dropped.

import { BIVALUE, PEERS_OF_PLACE } from "../../bitboard/wasm/memory";
import { and, count } from "../../bitboard/wasm/vectors";
import { digitOf, down, itemOf, optionOf, placeOf, right, size } from "./links";

/** Maximum number of items compared, and their addresses. */
const TIES: usize = 32;
const TIED: usize = memory.data(2 * TIES, 16);

/** Chooses the item to branch on among the linked items; `board` was propagated last. */
export function chooseNineItem(board: usize): usize {
  let tiedEnd = itemsOfSize(2);
  for (let least: u32 = 3; tiedEnd == TIED; least++) tiedEnd = itemsOfSize(least);
  const bivalue = v128.load(BIVALUE);
  let best: usize = 0;
  let most = -1;
  for (let at = TIED; at < tiedEnd; at += 2) {
    const item: usize = load<u16>(at);
    let score = 0;
    for (let node = down(item); node != item; node = down(node)) {
      const option = optionOf(node);
      const peers = and(v128.load(board + digitOf(option)), v128.load(PEERS_OF_PLACE + placeOf(option)));
      score += count(peers) + 2 * count(and(peers, bivalue)) + size(itemOf(option)) - 1;
    }
    if (score > most) {
      most = score;
      best = item;
    }
  }
  return best;
}

/** Collects the first items with `wanted` options: every item is written and kept if it has them, without a branch. */
function itemsOfSize(wanted: u32): usize {
  let end = TIED;
  for (let item = right(0); item != 0; item = right(item)) {
    store<u16>(end, <u16>item);
    end += <usize>(size(item) == wanted) << 1;
    if (end == TIED + 2 * TIES) break;
  }
  return end;
}
