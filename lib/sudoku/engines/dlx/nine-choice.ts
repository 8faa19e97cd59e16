/** Which item of an ordinary 9x9 to branch on. */
import { points } from '../bitboard/choice.ts';
import {
  bitOfOption,
  digitOfOption,
  FIRST_NODE,
  ITEMS,
  itemOf,
  type NineLinks,
  wordOfOption,
} from './nine-links.ts';

const tied = new Int16Array(ITEMS);

/**
 * The item to branch on, of those linked.
 *
 * @param boards the board at `at` is the one that the links are up to date with, and was propagated last
 */
export function chooseItem(links: NineLinks, boards: Int32Array, at: number): number {
  const { down } = links;
  let count = 0;
  for (let size = 2; count === 0; size++) count = itemsOfSize(links, size);
  let best = 0;
  let most = -1;
  for (let i = 0; i < count; i++) {
    const item = tied[i];
    let score = 0;
    for (let node = down[item]; node !== item; node = down[node]) {
      score += optionScore(links, boards, at, (node - FIRST_NODE) >> 2);
    }
    if (score > most) {
      most = score;
      best = item;
    }
  }
  return best;
}

/** Collects the items with so many options, in the order of their list; returns how many there are. */
function itemsOfSize(links: NineLinks, wanted: number): number {
  const { right, size } = links;
  let count = 0;
  for (let item = right[0]; item !== 0; item = right[item]) {
    if (size[item] === wanted) tied[count++] = item;
  }
  return count;
}

/** What selecting an option would hide, and two more for each cell that this would settle. */
function optionScore(links: NineLinks, boards: Int32Array, at: number, option: number): number {
  const peers = 3 * (27 * wordOfOption[option] + bitOfOption[option]);
  const cell = itemOf[FIRST_NODE + 4 * option];
  return points(boards, at + 3 * digitOfOption[option], peers) + links.size[cell] - 1;
}
