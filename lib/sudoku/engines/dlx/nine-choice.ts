/**
 * Chooses the item of an ordinary 9x9 to branch on: one with the fewest options, as in Knuth's search. Of several
 * (often dozens of items have two options), it is the one whose options remove the most candidates.
 *
 * An option gets one point for each option that its selection hides: its digit in the peers of its cell, and the other
 * digits of its cell. It gets two more points for each of those peers that has two candidates and would be settled at
 * once. The score of an item is the sum over its options, since each of them is tried; of equal scores, the first item
 * is chosen.
 *
 *     5 in row 1 has two places left: r1c1, which may be 5, 8, 9, and r1c7, which may be 2, 4, 5
 *     elsewhere r1c1 sees a 5 in r2c2 and in r6c1, and r1c7 one in r3c8; r6c1 may be 3 or 5
 *
 *     5 in r1c1    removes 5 from r1c7, r2c2 and r6c1; 8 and 9 from r1c1       5 points
 *                  settles r6c1                                                2 points
 *     5 in r1c7    removes 5 from r1c1 and r3c8; 2 and 4 from r1c7             4 points
 *                                                                             11 points for the item
 *
 * Points are counted on the board: the sizes of lists count an option twice that shares a row and a box, and do not
 * show which cells have two candidates. At most 32 items are compared, the first ones of their list.
 *
 * Tried and dropped. Mean nodes per puzzle of forum-hardest-1106 and of every 8th puzzle of 17-clue, with links from the
 * root on and propagation to the fixpoint; the rule above then takes 171.0 and 1.78:
 *
 *     the first item of least size                                        508.0    2.70
 *     the sum of the sizes of its options' lists, 16 items compared       290.4    2.28    1.3 times the time on hard
 *     16 items compared, not 32                                           185.2    1.86
 *     all items compared                                                  169.2    1.78    1.15 times the time on hard
 *     no points for cells with two candidates; one; three                 202.7    2.18;   177.3  1.89;   176.5  1.74
 *     no points for the other digits of the cell; two for each            199.0    1.85;   262.0  1.74
 *     a point for each of the option's lists of two                       211.9    1.74
 *     the product of the options' points instead of the sum               169.6    1.77    not worth a multiplication
 *     only cells if one has two candidates, all of them compared          224.6    1.85
 *     of those, with the digit that most of them have (as the bitboard)   256.5    1.88
 *     a tenth of the points more for each failure of the item             164.3    1.75    3 % less, for more state
 */
import { points } from '../bitboard/choice.ts';
import {
  bitOfOption,
  digitOfOption,
  FIRST_NODE,
  itemOf,
  type NineLinks,
  wordOfOption,
} from './nine-links.ts';

/** Maximum number of items compared. */
const TIES = 32;
const tied = new Int16Array(TIES);

/**
 * Chooses the item to branch on among the linked items.
 *
 * @param boards the board at `at` was propagated last, and the links match it
 */
export function chooseNineItem(links: NineLinks, boards: Int32Array, at: number): number {
  const { down } = links;
  let count = 0;
  for (let size = 2; count === 0; size++) count = itemsOfSize(links, size);
  let best = 0;
  let bestScore = -1;
  for (let i = 0; i < count; i++) {
    const item = tied[i];
    let score = 0;
    for (let node = down[item]; node !== item; node = down[node]) {
      score += optionScore(links, boards, at, (node - FIRST_NODE) >> 2);
    }
    if (score > bestScore) {
      bestScore = score;
      best = item;
    }
  }
  return best;
}

/** Collects the first items with `wanted` options; returns their number. */
function itemsOfSize(links: NineLinks, wanted: number): number {
  const { right, size } = links;
  let count = 0;
  for (let item = right[0]; item !== 0; item = right[item]) {
    if (size[item] !== wanted) continue;
    tied[count++] = item;
    if (count === TIES) break;
  }
  return count;
}

function optionScore(links: NineLinks, boards: Int32Array, at: number, option: number): number {
  const peers = 3 * (27 * wordOfOption[option] + bitOfOption[option]);
  const cell = itemOf[FIRST_NODE + 4 * option];
  return points(boards, at + 3 * digitOfOption[option], peers) + links.size[cell] - 1;
}
