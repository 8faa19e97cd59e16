/** `strict` writes only puzzles that are proven to have exactly one solution. */
import { describe, expect, it } from 'vitest';
import { parseJobLimits } from '../../../lib/batch/job-limits.ts';
import { EASY, MIXED_FILE, MIXED_OPTIONS, SOLUTION } from '../../support/puzzles.ts';
import { solveText } from '../../support/run-job.ts';

const STRICT = { ...MIXED_OPTIONS, strict: 'true' };

describe('with strict, the solutions', () => {
  it('are those of puzzles with exactly one', async () => {
    const { solutions, exceptions } = await solveText(MIXED_FILE, STRICT);
    expect(solutions).toBe(`${SOLUTION}\n${SOLUTION}\n`);
    expect(exceptions.map(({ status }) => status)).toContain('multiple');
  });

  it.each(['grid', 'tokens', 'csv'])('are as many in the output %s', async (output) => {
    const { files } = await solveText(MIXED_FILE, { ...STRICT, output });
    const alone = await solveText(`${EASY}\n${EASY}\n`, { output });
    const name = output === 'csv' ? 'solutions.csv' : 'solutions.txt';
    expect(files[name]).toBe(alone.files[name]);
    expect(files[name]).not.toBe('');
  });

  it.each<[string, object, object, number]>([
    ['one solution of each is requested', { solutions: '1' }, {}, 3],
    ['all solutions are requested', { solutions: 'all' }, {}, 4],
    ['solutions are drawn', {}, { random: { count: 2, seed: 1 } }, 6],
  ])('have ambiguous puzzles if %s', async (_name, options, request, count) => {
    const jobLimits = parseJobLimits({ 'max-written': '2' });
    const { solutions } = await solveText(
      MIXED_FILE,
      { ...STRICT, 'max-nodes': '50', ...options },
      { jobLimits, ...request },
    );
    expect(solutions.match(/^\d{81}$/gm)).toHaveLength(count);
  });

  it('of exact covers are those of problems that have one', async () => {
    const { solutions } = await solveText('a b\na b\na\nb\n', { strict: 'true' }, { fileName: 'two.dlx' });
    expect(solutions).toBe('a b\n');
  });
});
