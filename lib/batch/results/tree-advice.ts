/** What the messages of spent budgets say about the size of the search tree. */
import { estimateTree, type TreeEstimate } from '../../exact-cover/tree-estimate.ts';
import { workOf } from '../../exact-cover/work.ts';
import { Stop } from '../../sudoku/engine.ts';
import { roughNumberText } from '../quantities.ts';
import type { PuzzleCover } from '../solving/count-puzzle.ts';
import type { PuzzleLimits } from '../solving/drive.ts';
import { StatusCode } from '../solving/puzzle-status.ts';
import type { RecordAnswer } from '../solving/record-search.ts';
import type { RecordError } from './record-error.ts';

/** A tree so many times as large as the search so far is beyond any budget. */
const HOPELESS = 10_000;

/** Records of a file whose estimates may take more than a part of their searches, and the work of their probes: 2 to 8 ms. */
const FIRST_RECORDS = 4;
const FIRST_WORK = 150_000;

/**
 * The work that the estimate of a tree may take: a tenth of that of the search, but enough for the first records of a file. So
 * files of thousands of records take a tenth longer at most, and a file with one gets an estimate for any budget.
 *
 * @param spent work of the search (`workOf`)
 * @param entries of the problem
 * @param index of the record in its file, from 1, which is the same for any number of threads and functions
 */
export function adviceWork(spent: number, entries: number, index: number): number {
  return Math.max(spent / 10, index <= FIRST_RECORDS ? entries + FIRST_WORK : 0);
}

/**
 * Advice on an exact-cover problem; empty if the search has as many nodes as its tree is estimated to have.
 *
 * @param budget what to raise
 */
export function coverAdvice(tree: TreeEstimate | undefined, nodes: number, budget: string): string {
  if (tree === undefined || tree.high <= nodes) return '';
  const advice = 'make the problem smaller, such as by fewer symmetric solutions';
  return `; the whole tree has about ${treeText(tree)} nodes: ${tree.low > HOPELESS * nodes ? advice : `raise ${budget}, or ${advice}`}`;
}

/**
 * Advice on a puzzle in cells. Its search may have fewer nodes than any estimate: of learnt clauses, or of memoised counting.
 *
 * @param tree that of dancing links for all solutions
 * @param budget what to raise
 */
export function puzzleAdvice(tree: TreeEstimate, nodes: number, budget: string): string {
  const advice = tree.high > nodes ? `raise ${budget}, or add givens` : 'use engine dlx';
  const size =
    tree.high === 1
      ? 'one node'
      : `about ${treeText(tree)} nodes for all solutions, mostly fewer for one or two`;
  return `; dancing links alone take ${size}: ${advice}`;
}

/**
 * The error of a record whose budget ran out before all its random solutions were drawn; undefined if they are.
 *
 * @param index of the record in its file, from 1
 * @param budget what to raise
 */
export function drawError(
  { drawn, status, stop, nodes, updates }: RecordAnswer,
  { problem, givens }: Pick<PuzzleCover, 'problem' | 'givens'>,
  index: number,
  requested: number,
  budget: string,
): RecordError | undefined {
  if (drawn === undefined || status !== StatusCode.limit) return undefined;
  const spent = `the search budget ran out after ${nodes} nodes`;
  if (stop === Stop.exhausted) {
    const done = `${drawn} of ${requested} random solutions are drawn`;
    return { code: 'limit', message: `${spent}: ${done}; raise ${budget}, or draw fewer` };
  }
  const maxWork = adviceWork(workOf(nodes, updates), problem.items.length, index);
  const tree = estimateTree(problem, maxWork, undefined, givens);
  const size =
    tree === undefined ? '' : `; without memoised counting that takes about ${treeText(tree)} nodes`;
  const done = `its solutions are not all counted, which every random one needs${size}`;
  return { code: 'limit', message: `${spent}: ${done}; raise ${budget}, or make it smaller` };
}

/** The option to raise after that many nodes. */
export function spentOption(nodes: number, limits: Pick<PuzzleLimits, 'maxNodes' | 'maxMs'>): string {
  return isTimeSpent(nodes, limits) ? '--max-ms' : '--max-nodes';
}

/** Whether a search whose budget ran out has spent its time, not its nodes. */
export function isTimeSpent(
  nodes: number,
  { maxNodes, maxMs }: Pick<PuzzleLimits, 'maxNodes' | 'maxMs'>,
): boolean {
  return Number.isFinite(maxMs) && nodes < maxNodes;
}

/** `3 * 10^9 (1.1 * 10^9 to 8.3 * 10^9)`. */
export function treeText({ nodes, low, high }: Pick<TreeEstimate, 'nodes' | 'low' | 'high'>): string {
  return `${roughNumberText(nodes)} (${roughNumberText(low)} to ${roughNumberText(high)})`;
}
