/** Compares the result of a puzzle with the one that its file expects. */
import { gridText } from '../../formats/formats.ts';
import type { RecordBlock } from '../../formats/records/record-block.ts';
import { Stop } from '../../sudoku/engine.ts';
import { type BlockAnswers, solutionsOf } from '../solving/block-answers.ts';
import { StatusCode } from '../solving/puzzle-status.ts';
import { type RecordError, UNEXPECTED_RESULT } from './record-error.ts';

/**
 * The difference between the answer to record `i` and the one that its file expects; undefined if the file expects none,
 * or if they do not contradict each other.
 *
 * After an incomplete search, the number found is a lower bound: 2 found does not contradict an expected 13.
 */
export function expectationError(
  block: RecordBlock,
  answers: BlockAnswers,
  i: number,
): RecordError | undefined {
  const expected = block.notes.get(i)?.expected;
  if (expected === undefined || answers.status[i] === StatusCode.unreadable) return undefined;
  const found = answers.solutions[i]!;
  const exact = answers.stop[i] === Stop.exhausted;
  if (expected.solutions !== undefined) {
    const differs = exact ? found !== expected.solutions : found > expected.solutions;
    if (differs)
      return mismatch(
        String(expected.solutions),
        `${solutionsOf(answers, i)}${exact ? '' : ' or more'}`,
        'solutions',
      );
  }
  // If there are several solutions, the expected one need not be the first found.
  if (expected.solution === undefined || found !== 1 || !exact) return undefined;
  const { cellCount } = block.geometry;
  const offset = i * cellCount;
  for (let cell = 0; cell < cellCount; cell++) {
    if (expected.solution[cell] === answers.cells[offset + cell]) continue;
    const text = (cells: Uint8Array, at: number) => gridText(block.layout, cells, at);
    return mismatch(text(expected.solution, 0), text(answers.cells, offset), 'the solution');
  }
  return undefined;
}

function mismatch(expected: string, found: string, what: string): RecordError {
  return {
    code: UNEXPECTED_RESULT,
    message: `the file expects ${what}: ${expected}; found: ${found}`,
    found,
    expected,
  };
}
