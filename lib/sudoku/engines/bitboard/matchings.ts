/** Perfect matchings of 3x3 relations: three columns with three boxes. */

/** The ways to pair 0, 1, 2 with 0, 1, 2, as bits 3 * i + j. */
const PERFECT = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
].map((order) => order.reduce((bits, j, i) => bits | (1 << (3 * i + j)), 0));

/**
 * By relation (bit 3 * i + j: i may be paired with j): bits 0-8 are the pairs that at least one perfect matching
 * uses, bits 16-24 the pairs that all of them use; 0 if there is no perfect matching.
 */
export const MATCHINGS: Int32Array = Int32Array.from({ length: 512 }, (_, relation) => {
  const possible = PERFECT.filter((matching) => (matching & ~relation) === 0);
  const some = possible.reduce((bits, matching) => bits | matching, 0);
  const all = possible.reduce((bits, matching) => bits & matching, some);
  return some | (all << 16);
});
