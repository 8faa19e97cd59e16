/**
 * An exact-cover problem: items, and options that are sets of items (TAOCP 7.2.2.1).
 *
 * A solution is a set of options that contains every *primary* item exactly once (or as often as its *multiplicity*
 * says, Knuth's MCC) and every *secondary* item at most once, or several times in one *colour* (Knuth's XCC). Items are
 * numbered, primary ones first:
 *
 *     0 .. primaryCount-1                               primary
 *     primaryCount .. primaryCount+secondaryCount-1     secondary
 *
 * Knuth's small example: items a to g as 0 to 6, six options, solved by options 0, 3 and 4:
 *
 *     c e | a d g | b c f | a d f | b g | d e g
 *     2 4   0 3 6   1 2 5   0 3 5   1 6   3 4 6       items
 *     0     2       5       8       11    13     16   optionStart: the first entry of each option, and the end
 */

/**
 * Items and options in compressed rows. The search does not check them: every option has at least one item and no item
 * twice, and only secondary items have colours.
 */
export interface ExactCoverProblem {
  /** Number of items that every solution contains exactly once, or as often as `multiplicities` says. */
  readonly primaryCount: number;
  /** Number of items that a solution may omit. */
  readonly secondaryCount: number;
  readonly optionCount: number;
  /** `optionCount + 1` entries: the items of option `o` are `items[optionStart[o] .. optionStart[o+1]-1]`. */
  readonly optionStart: Int32Array;
  /** Item numbers from 0, option after option. */
  readonly items: Int32Array;
  /**
   * For each entry of `items` its colour: 0 for none, positive numbers for colours. Undefined if the problem has no
   * colours, which then cost the solver nothing.
   */
  readonly colours?: Int32Array;
  /** How often a solution contains each primary item; undefined if exactly once. */
  readonly multiplicities?: Multiplicities;
  /** The cost of each option, integers from 0 up, at most 2^53 - 1 in total; undefined if the problem has no costs. */
  readonly costs?: Float64Array;
}

/** By primary item: how many options of a solution contain it, at least and at most; 0 <= least <= most, 1 <= most. */
export interface Multiplicities {
  readonly least: Int32Array;
  readonly most: Int32Array;
}

/** Entries, heads and the root, as textbooks count the nodes of a matrix: 3,241 for a 9x9 sudoku. */
export function nodeCount({ primaryCount, secondaryCount, items }: ExactCoverProblem): number {
  return 1 + primaryCount + secondaryCount + items.length;
}
