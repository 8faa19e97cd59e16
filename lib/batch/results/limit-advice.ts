/**
 * Advice on the puzzles whose budget ran out: the message of their records has an estimate of the search tree.
 *
 * The tree is that of dancing links for all solutions, after the givens. It depends on the puzzle alone; the nodes of a search
 * may be of another tree: of learnt clauses, of memoised counting, of guesses on bitboards.
 */
import { estimateTree } from '../../exact-cover/tree-estimate.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import type { EngineName } from '../../sudoku/engine.ts';
import { givenOptions, sudokuCover } from '../../sudoku/sudoku-cover.ts';
import { adviceWork, puzzleAdvice } from './tree-advice.ts';

/**
 * Microseconds that a node takes, by the size of the grid. Measured on sizes 9, 16, 25 and 36: `dlx` 0.8, 1.5, 1.5 to 5, 7 and
 * more; `bitboard` 0.25; `backtrack` 0.03 to 0.15.
 */
const NODE_US: Readonly<Record<EngineName, (size: number) => number>> = {
  dlx: (size) => size / 10,
  bitboard: () => 0.25,
  backtrack: () => 0.03,
};

/** Work of probes (`workOf`) in a microsecond: 40 to 90. */
const WORK_PER_US = 50;
/** Work of an estimate at most: 10 to 50 ms. */
const MAX_WORK = 1_000_000;

/** Advice on puzzle `record` of a block, whose budget ran out after that many nodes; empty if there is none. */
export type LimitAdvice = (block: RecordBlock, record: number, nodes: number, index: number) => string;

/**
 * Advice for the puzzles of a job, if their searches were long enough for an estimate (`adviceWork`).
 *
 * @param budget what to raise after that many nodes
 */
export function limitAdvice(engine: EngineName, budget: (nodes: number) => string): LimitAdvice {
  /** @param index of the record in its file, from 1; Infinity if there is no file */
  return ({ geometry, cells }, record, nodes, index) => {
    const { size, cellCount } = geometry;
    const spent = nodes * NODE_US[engine](size) * WORK_PER_US;
    // A candidate has four entries: of its cell, row, column and box. A short search does not even build its problem.
    const entries = 4 * size * cellCount;
    const maxWork = Math.min(MAX_WORK, adviceWork(spent, entries, index));
    if (maxWork < entries) return '';
    const cover = sudokuCover(geometry);
    const tree = estimateTree(
      cover.problem,
      maxWork,
      undefined,
      givenOptions(cover, cells, record * cellCount),
    );
    // An engine that has more nodes than its tree searches another one.
    if (tree === undefined || (engine === 'dlx' && tree.high <= nodes)) return '';
    return puzzleAdvice(tree, nodes, budget(nodes));
  };
}
