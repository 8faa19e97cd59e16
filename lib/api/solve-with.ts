/** Solves one puzzle with a given engine, in this thread. */

import type { limitAdvice } from '../batch/results/limit-advice.ts';
import { puzzleLimits } from '../batch/solving/drive.ts';
import { EngineSearch, needsSearch, PuzzleSearch, searchPuzzle } from '../batch/solving/puzzle-search.ts';
import { StatusCode } from '../batch/solving/puzzle-status.ts';
import type { Engine } from '../sudoku/engine.ts';
import { clock } from './clock.ts';
import type { SearchEngine } from './engines/search-engine.ts';
import {
  LIMIT_OPTIONS,
  type LimitOptions,
  PUZZLE_OPTIONS,
  type PuzzleInput,
  type PuzzleOptions,
  spentBudget,
} from './puzzle.ts';
import { type PuzzleResult, puzzleResult, readFor } from './puzzle-result.ts';
import { readOptions } from './read-options.ts';
import { secondSolution } from './second-solution.ts';
import { atOnce } from './turn.ts';

/** Readers of the options of {@link solveWith}. */
export const SOLVE_WITH_OPTIONS = { ...PUZZLE_OPTIONS, ...LIMIT_OPTIONS };

const engines = new WeakMap<SearchEngine, Engine>();

/** The engine of this thread; a search on it must end before the next begins. */
function engineOf(search: SearchEngine): Engine {
  let engine = engines.get(search);
  if (engine === undefined) {
    engine = search.create() as Engine;
    engines.set(search, engine);
  }
  return engine;
}

/**
 * `solve` with an engine as a value instead of its name. Bundlers leave the other engines out: a page that imports only
 * this function and one engine takes less than 30 kB compressed. The message of a spent budget has no estimate of the search tree.
 *
 * @param search `dlx`, `bitboard` or `backtrack`
 * @param puzzle a string or an array of cells, see {@link PuzzleInput}
 * @returns always a result, as `solve`
 * @throws DlxBatchError `bad_argument` if the puzzle is neither a string nor an array, `bad_option` for an unknown option
 *   or a bad value
 *
 * @example
 * ```ts
 * import { bitboard, solveWith } from 'dlx-batch/browser';
 *
 * const puzzle = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
 * solveWith(bitboard, puzzle).solution?.slice(-9); // => '345286179'
 * ```
 */
export function solveWith(
  search: SearchEngine,
  puzzle: PuzzleInput,
  options: PuzzleOptions & LimitOptions = {},
): PuzzleResult {
  return solveRead(search, puzzle, readOptions(options, SOLVE_WITH_OPTIONS));
}

/** Solves a puzzle with options that were read. @param advise adds advice to the message of a spent budget */
export function solveRead(
  search: SearchEngine,
  puzzle: unknown,
  settings: PuzzleOptions & Required<LimitOptions>,
  advise?: typeof limitAdvice,
): PuzzleResult {
  const engine = engineOf(search);
  const read = readFor(engine, puzzle, settings);
  if ('status' in read) return read;
  const { block, warnings, answers } = read;
  const limits = puzzleLimits(settings, settings);
  if (needsSearch(block, 0, answers)) {
    const place = { engine, puzzles: block, index: 0, answers };
    const search = new PuzzleSearch(place, new EngineSearch(place));
    for (const _ of searchPuzzle(search, 0, limits, answers, { clock, each: false }));
  }
  const advice = advise?.(search.name, (nodes) => spentBudget(nodes, limits));
  const isMultiple = answers.status[0] === StatusCode.multiple;
  const other = isMultiple ? atOnce(secondSolution(block, engine, limits)) : undefined;
  return puzzleResult(block, answers, warnings, advice, other);
}
