/** Ratings of a job: of which puzzles, in which files, the same however they are solved. */
import { describe, expect, it } from 'vitest';
import { rate } from '../../../lib/api/rate.ts';
import { solve } from '../../../lib/api/solve.ts';
import { sampleCost } from '../../../lib/batch/estimate/cost-sample.ts';
import { detectFormat } from '../../../lib/formats/formats.ts';
import { openSolver } from '../../../lib/node/solvers.ts';
import { systemClock } from '../../../lib/node/system.ts';
import { createEngine } from '../../../lib/sudoku/engines.ts';
import { optionsFrom } from '../../support/dependencies.ts';
import { EASY, HARD, MIXED_FILE, MIXED_OPTIONS, TWO_SOLUTIONS } from '../../support/puzzles.ts';
import { jsonLines } from '../../support/result-set.ts';
import { type RunRequest, solveText } from '../../support/run-job.ts';

const FOUR = '1.....3..4.....2';

async function ratings(text: string, options: Record<string, string> = {}, request: RunRequest = {}) {
  const { files } = await solveText(text, { rate: 'true', records: 'true', ...options }, request);
  const records = jsonLines(files['records.jsonl']!);
  return records.map(({ status, rating, ratingIsLowerBound, grade, technique }) =>
    JSON.stringify([status, rating, ratingIsLowerBound, grade, technique]),
  );
}

const EXPECTED = [
  '["solved",1.2,false,"easy","hidden single in a block"]',
  '["multiple",null,null,null,null]',
  '["solved",1.2,false,"easy","hidden single in a block"]',
];

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
  it.each(['dlx', 'bitboard', 'backtrack'])('do not depend on the engine: %s', async (engine) => {
    expect(await ratings([EASY, TWO_SOLUTIONS, EASY].join('\n'), { engine })).toEqual(EXPECTED);
  });

  it('do not depend on the search: of two solutions, all, or random ones', async () => {
    const text = [EASY, TWO_SOLUTIONS, EASY].join('\n');
    expect(await ratings(text, { solutions: 'all' })).toEqual(EXPECTED);
    expect(await ratings(text, {}, { random: { count: 1, seed: 1 } })).toEqual(EXPECTED);
  });

  it('do not depend on threads', async () => {
    const text = `${[EASY, HARD, TWO_SOLUTIONS, FOUR].join('\n')}\n`.repeat(5);
    const engine = createEngine('dlx');
    const { solver, close } = openSolver(2, engine, 2 ** 30);
    const threaded = await ratings(text, {}, { dependencies: { engine, solver } });
    await close();
    expect(threaded).toEqual(await ratings(text));
    expect(threaded.filter((record) => record.startsWith('["solved",'))).toHaveLength(15);
  });

  it('are of solved puzzles only', async () => {
    for (const record of await ratings(MIXED_FILE, MIXED_OPTIONS)) {
      expect(record.startsWith('["solved"')).toBe(!record.includes('null'));
    }
  });

  it('are columns of a table, and totals of the statistics', async () => {
    const { files, stats } = await solveText(`id,rating,puzzle\n1,x,${EASY}\n2,y,${TWO_SOLUTIONS}\n`, {
      rate: 'true',
    });
    const [header, first, second] = files['solutions.csv']!.split('\n');
    expect(header).toBe('id,rating,puzzle,solution,status,error,rating_2,grade,rating_is_lower_bound');
    expect(first).toMatch(/,solved,,1\.2,easy,false$/);
    expect(second).toMatch(/,multiple,[^,]*,,,$/);
    expect(stats.ratings).toEqual({
      grades: { easy: 1, medium: 0, hard: 0, expert: 0, extreme: 0 },
      techniques: [{ rating: 1.2, isLowerBound: false, technique: 'hidden single in a block', puzzles: 1 }],
    });
  });

  it('are missing above 31 digits, with a warning', async () => {
    const cells = Array.from({ length: 36 * 36 }, (_, cell) => {
      const [row, column] = [Math.floor(cell / 36), cell % 36];
      return String((((row % 6) * 6 + Math.floor(row / 6) + column) % 36) + 1);
    });
    const { files, stats } = await solveText(`${cells.join(' ')}\n`, { rate: 'true', records: 'true' });
    expect(jsonLines(files['records.jsonl']!)).toEqual([
      expect.objectContaining({ status: 'solved', warnings: ['rating_unsupported'] }),
    ]);
    expect(stats.ratings?.unrated).toBe(1);
  });

  it('cost time, which the estimate knows', () => {
    const cost = (rate: string) => {
      const head = Buffer.from(`${HARD}\n`);
      const hints = {};
      const detection = detectFormat(head, true, hints);
      if (detection.kind !== 'puzzles') throw new Error('no puzzles');
      const options = optionsFrom({ rate });
      const engine = createEngine('dlx');
      return sampleCost({
        source: { head, isWhole: true },
        detection,
        hints,
        options,
        engine,
        clock: systemClock,
      });
    };
    expect(cost('true').usPerByte).toBeGreaterThan(2 * cost('false').usPerByte);
  });
});
