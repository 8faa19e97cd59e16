/** The second solution of a puzzle that has several. */
import { createBlockAnswers } from '../batch/solving/block-answers.ts';
import type { PuzzleLimits } from '../batch/solving/drive.ts';
import { EngineSearch, PuzzleSearch, searchPuzzle } from '../batch/solving/puzzle-search.ts';
import type { RecordBlock } from '../formats/records/record-block.ts';
import type { Engine } from '../sudoku/engine.ts';
import { clock } from './clock.ts';
import { TURN_MS } from './turn.ts';

/**
 * Searches a puzzle again, up to its second solution: engines keep only the first one. A step is a part of the search.
 *
 * @param engine one that searches nothing else meanwhile
 * @param limits those with which the solutions were found
 */
export function* secondSolution(
  puzzles: RecordBlock,
  engine: Engine,
  limits: PuzzleLimits,
): Generator<void, Uint8Array | undefined, void> {
  const answers = createBlockAnswers(1, puzzles.geometry.cellCount);
  const place = { engine, puzzles, index: 0, answers };
  const search = new PuzzleSearch(place, new EngineSearch(place));
  const timeless = { ...limits, maxMs: Number.POSITIVE_INFINITY };
  let found = 0;
  for (const step of searchPuzzle(search, 0, timeless, answers, { clock, each: true, sliceMs: TURN_MS })) {
    if (step === 'solution' && ++found === 2) return answers.cells;
    yield;
  }
  return undefined;
}
