/** The error of a search of an exact cover whose budget ran out. */
import { treeText } from '../batch/results/tree-advice.ts';
import type { ExactCoverProblem } from '../exact-cover/problem.ts';
import { estimateTree } from '../exact-cover/tree-estimate.ts';
import { workOf } from '../exact-cover/work.ts';
import type { CoverPosition } from './cover-position.ts';
import { DlxBatchError } from './errors.ts';

/**
 * The estimated number of nodes of a search tree: that of a search for all solutions, without memoised counting.
 *
 * @example
 * ```ts
 * import { exactCover, LimitError, type TreeSize } from 'dlx-batch/exact-cover';
 *
 * const digits = Array.from({ length: 10 }, (_, digit) => digit);
 * const options = digits.flatMap((row) => digits.map((column) => [`row ${row}`, `column ${column}`]));
 * const primary = digits.flatMap((digit) => [`row ${digit}`, `column ${digit}`]);
 * let tree: TreeSize | undefined;
 * try {
 *   exactCover({ primary, options }).count({ maxNodes: 100 });
 * } catch (error) {
 *   if (error instanceof LimitError) tree = error.tree;
 * }
 * tree?.nodes; // => 6235301
 * ```
 */
export interface TreeSize {
  /** Nodes, at most 1.8 * 10^308. */
  readonly nodes: number;
  /** Lower bound of an interval that mostly has their true number. */
  readonly low: number;
  /** Its upper bound. */
  readonly high: number;
}

/** Work of an estimate (`workOf`) at most: 10 to 50 ms. */
const MAX_WORK = 1_000_000;
/** Work of an estimate that is requested, if that of the search was less. */
const MIN_WORK = 200_000;

/**
 * The estimate of the tree of a search whose budget ran out, with a tenth of the work of the search, or `minWork`.
 *
 * @param before nodes of searches that this one continues
 */
export function spentTree(
  problem: ExactCoverProblem,
  { nodes, updates }: { readonly nodes: number; readonly updates: number },
  before = 0,
): (minWork: number) => TreeSize | undefined {
  const spent = workOf(nodes - before, updates);
  return (minWork) => {
    const tree = estimateTree(problem, Math.min(Math.max(spent / 10, minWork), MAX_WORK));
    return tree && { nodes: tree.nodes, low: tree.low, high: tree.high };
  };
}

/**
 * A budget ran out before the search was finished: nothing is proven. `from: error.position` continues.
 *
 * @example
 * ```ts
 * import { exactCover, LimitError } from 'dlx-batch/exact-cover';
 *
 * const digits = [0, 1, 2, 3, 4, 5];
 * const options = digits.flatMap((row) => digits.map((column) => [`row ${row}`, `column ${column}`]));
 * const primary = digits.flatMap((digit) => [`row ${digit}`, `column ${digit}`]);
 * const cover = exactCover({ primary, options });
 * let total: number | bigint = 0;
 * try {
 *   cover.count({ maxNodes: 100 });
 * } catch (error) {
 *   if (error instanceof LimitError) total = cover.count({ from: error.position });
 * }
 * total; // => 720
 * ```
 */
export class LimitError extends DlxBatchError {
  /** Name of the class. */
  override readonly name = 'LimitError';
  /** Where the search stopped; it has the numbers of solutions and nodes so far. */
  readonly position: CoverPosition;
  readonly #estimate: ((minWork: number) => TreeSize | undefined) | undefined;
  #tree: TreeSize | undefined;

  /**
   * @param estimate estimates the tree; its own work is a part of that of the search, or `minWork`
   * @param known what the message says about the search so far
   */
  constructor(
    position: CoverPosition,
    estimate?: (minWork: number) => TreeSize | undefined,
    known = `${position.solutions} solutions after ${position.nodes} nodes, more may exist`,
  ) {
    const tree = estimate?.(0);
    const isLarger = tree !== undefined && tree.high > position.nodes;
    const size = isLarger ? `; the whole tree has about ${treeText(tree)} nodes: raise the budget` : '';
    super('limit', `the search budget ran out: ${known}${size}`);
    this.position = position;
    this.#estimate = estimate;
    this.#tree = tree;
  }

  /**
   * The size of the whole tree. The message has it if it can be estimated in a tenth of the time of the search; else it is
   * estimated here, in milliseconds. Undefined for a large problem and a search by cost.
   */
  get tree(): TreeSize | undefined {
    this.#tree ??= this.#estimate?.(MIN_WORK);
    return this.#tree;
  }
}
