// Chooses the item to branch on, by the rules of ../nine-choice.ts.

import { BIVALUE, PEERS_OF_PLACE } from "../../bitboard/simd/memory";
import { and, count } from "../../bitboard/simd/vectors";
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
