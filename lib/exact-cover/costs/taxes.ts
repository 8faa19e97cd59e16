/**
 * Taxes, by which the cost of what is left is bounded.
 *
 * Each item pays a tax to the options that contain it, so that no option costs less than the taxes of its items (Knuth's
 * Algorithm C$; in the terms of linear programming, a solution of the dual problem). What remains is its net cost:
 *
 *     a b |7      taxes a 2, b 3      net cost 2: shared by both items, 1 each
 *
 * A solution contains every item, so it costs all taxes at least, and for each item the least share among the options
 * that can still contain it (cost-bound.ts). The taxes are fixed before the search; the least share of an item is that of the
 * first option in its list, as options are sorted by their shares. It grows as cheap options are excluded.
 */
import type { ExactCoverProblem } from '../problem.ts';

/** Rounds in which all items tax at once; a last one lets each item in turn take what is left. */
const ROUNDS = 20;

/** The problem with its options in the order of their shares. */
export interface TaxedProblem {
  readonly problem: ExactCoverProblem;
  /** By option of `problem`: its number in the original one. */
  readonly original: Int32Array;
  /** By item. */
  readonly taxes: Float64Array;
  /** By option of `problem`: its net cost for each of its primary items. */
  readonly shares: Float64Array;
  /** Half of a share that a quarter of the options is below (half of them if that is 0; 1 if that is 0 too). */
  readonly typicalShare: number;
}

/**
 * Assigns taxes, and sorts the options of a problem with costs. In each round every item taxes its options by their least share; in the
 * last one, each item in turn by their least net cost.
 */
export function taxed(problem: ExactCoverProblem): TaxedProblem {
  const { optionCount, primaryCount } = problem;
  const net = Float64Array.from(problem.costs!);
  const taxes = new Float64Array(primaryCount);
  const payers = new Int32Array(optionCount);
  visitPayers(problem, (option) => {
    payers[option]++;
  });
  for (let round = 0; round < ROUNDS; round++) {
    const least = new Float64Array(primaryCount).fill(Number.POSITIVE_INFINITY);
    visitPayers(problem, (option, item) => {
      least[item] = Math.min(least[item], Math.max(0, net[option]) / payers[option]);
    });
    for (const [item, tax] of least.entries()) if (tax !== Number.POSITIVE_INFINITY) taxes[item] += tax;
    visitPayers(problem, (option, item) => {
      net[option] -= least[item];
    });
  }
  const optionsOf: number[][] = Array.from({ length: primaryCount }, () => []);
  visitPayers(problem, (option, item) => optionsOf[item].push(option));
  for (const [item, options] of optionsOf.entries()) {
    const least = options.reduce((min, option) => Math.min(min, net[option]), Number.POSITIVE_INFINITY);
    if (least <= 0 || options.length === 0) continue;
    taxes[item] += least;
    for (const option of options) net[option] -= least;
  }
  const shareOf = net.map((cost, option) => {
    const items = problem.items.subarray(problem.optionStart[option], problem.optionStart[option + 1]);
    const sharers = items.filter((item) => item < primaryCount).length;
    return sharers === 0 ? 0 : Math.max(0, cost) / sharers;
  });
  const original = Int32Array.from({ length: optionCount }, (_, option) => option);
  original.sort((a, b) => shareOf[a] - shareOf[b] || a - b);
  const shares = Float64Array.from(original, (option) => shareOf[option]);
  const typicalShare = (shares[optionCount >> 2] || shares[optionCount >> 1] || 1) / 2;
  return { problem: reordered(problem, original), original, taxes, shares, typicalShare };
}

/** Bytes of the arrays of a taxed problem. */
export function taxedBytes({ primaryCount, optionCount, items, colours }: ExactCoverProblem): number {
  const entryBytes = colours === undefined ? 4 : 8;
  // Start, cost, original number and share of each option; the tax of each item.
  return entryBytes * items.length + 24 * optionCount + 4 + 8 * primaryCount;
}

/** Visits each item of each option that is in every solution. */
function visitPayers(
  { optionCount, optionStart, items, primaryCount, multiplicities }: ExactCoverProblem,
  visit: (option: number, item: number) => void,
): void {
  for (let option = 0; option < optionCount; option++) {
    for (let entry = optionStart[option]; entry < optionStart[option + 1]; entry++) {
      const item = items[entry];
      if (item < primaryCount && multiplicities?.least[item] !== 0) visit(option, item);
    }
  }
}

function reordered(problem: ExactCoverProblem, original: Int32Array): ExactCoverProblem {
  const { optionStart, items, colours, costs } = problem;
  const start = new Int32Array(original.length + 1);
  const newItems = new Int32Array(items.length);
  const newColours = colours && new Int32Array(items.length);
  let end = 0;
  for (const [option, old] of original.entries()) {
    newItems.set(items.subarray(optionStart[old], optionStart[old + 1]), end);
    newColours?.set(colours!.subarray(optionStart[old], optionStart[old + 1]), end);
    end += optionStart[old + 1] - optionStart[old];
    start[option + 1] = end;
  }
  const newCosts = Float64Array.from(original, (old) => costs![old]);
  return { ...problem, optionStart: start, items: newItems, colours: newColours, costs: newCosts };
}
