/** The steps of ratings, and their time. Ratings of jobs: `test/batch/jobs/ratings.txt`. */
import { describe, expect, it } from 'vitest';
import { rate } from '../../../lib/api/rate.ts';
import { solve } from '../../../lib/api/solve.ts';
import { sampleCost } from '../../../lib/batch/estimate/cost-sample.ts';
import { detectFormat } from '../../../lib/formats/formats.ts';
import { systemClock } from '../../../lib/node/system.ts';
import { createEngine } from '../../../lib/sudoku/engines.ts';
import { optionsFrom } from '../../support/dependencies.ts';
import { EASY, HARD } from '../../support/puzzles.ts';

const FOUR = '1.....3..4.....2';

describe('the steps of a rating', () => {
  it('lead to the solution, in the symbols of the puzzle', () => {
    for (const puzzle of [FOUR, EASY, FOUR.replaceAll(/\d/g, (digit) => ' ABCD'[Number(digit)]!)]) {
      const size = Math.sqrt(puzzle.length);
      const cells = [...puzzle];
      for (const { placement } of rate(puzzle).steps!) {
        if (placement === undefined) continue;
        const [, row, column] = /r(\d)c(\d)/.exec(placement.cell)!;
        cells[(Number(row) - 1) * size + Number(column) - 1] = placement.digit;
      }
      expect(cells.join('')).toBe(solve(puzzle).solution);
    }
  });
});

describe('ratings', () => {
  it('cost time, which the estimate knows', () => {
    const cost = (rate: string) => {
      const head = Buffer.from(`${HARD}\n`);
      const hints = {};
      const detection = detectFormat(head, true, hints);
      if (detection.kind !== 'puzzles') throw new Error('no puzzles');
      const options = optionsFrom({ rate });
      const engine = createEngine('dlx');
      return sampleCost({
        source: { head, hints, isWhole: true },
        detection,
        options,
        engine,
        clock: systemClock,
      });
    };
    expect(cost('true').usPerByte).toBeGreaterThan(2 * cost('false').usPerByte);
  });
});
