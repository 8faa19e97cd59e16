import { describe, expect, it } from 'vitest';
import { solveText } from '../../support/run-job.ts';

const PUZZLE = '1..4..1..2....3.';
const SOLUTION = '1324241332414132';
const OTHER = '1324241332414123';
const SEVERAL = '1..............4';

describe('an expected result in the file', () => {
  it.each([
    ['its count', `${PUZZLE}:1`],
    ['its count and solution', `${PUZZLE}:1:${SOLUTION}`],
    ['a count above the limit of the search', `${SEVERAL}:20`],
  ])('that matches is not an exception: %s', async (_name, line) => {
    const { exceptions } = await solveText(`${line}\n`);
    expect(exceptions.filter(({ error }) => error !== undefined)).toEqual([]);
  });

  it.each([
    ['another count', `${PUZZLE}:2`, '2', '1'],
    ['no solution, but there is one', `${PUZZLE}:0`, '0', '1'],
    ['one solution, but there are several', `${SEVERAL}:1`, '1', '2 or more'],
    ['another solution', `${PUZZLE}:1:${OTHER}`, OTHER, SOLUTION],
  ])('that differs is an exception with both values: %s', async (_name, line, expected, found) => {
    const { exceptions } = await solveText(`${line}\n`);
    expect(exceptions).toEqual([
      expect.objectContaining({
        index: 1,
        error: expect.objectContaining({ code: 'unexpected_result', expected, found }),
      }),
    ]);
  });

  it('is counted, and listed in the exceptions, if it differs', async () => {
    const { stats, exceptions } = await solveText(
      `${PUZZLE}:1\n${PUZZLE}:2\n${SEVERAL}:1\n${SEVERAL}\n${PUZZLE}:1:${OTHER}\n`,
    );
    expect(stats).toMatchObject({ exceptions: 4, unexpectedResults: 3, puzzles: { solved: 3, multiple: 2 } });
    expect(exceptions.map(({ index }) => index)).toEqual([2, 3, 4, 5]);
  });

  it('changes neither status nor solution of the puzzle', async () => {
    const { solutions, stats } = await solveText(`${PUZZLE}:2\n`);
    expect(solutions).toContain(SOLUTION);
    expect(stats.puzzles.solved).toBe(1);
  });
});
