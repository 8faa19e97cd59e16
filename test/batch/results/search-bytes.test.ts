/** `search.maxBytes` of `stats.json`: the memory of the largest search of a job. */
import { describe, expect, it } from 'vitest';
import { JobStatistics } from '../../../lib/batch/results/statistics.ts';
import type { OpenSubproblems } from '../../../lib/batch/solving/elsewhere.ts';
import { SPLIT_RULE } from '../../../lib/exact-cover/split/split-search.ts';
import { queens } from '../../exact-cover/classic-problems.ts';
import { knuthText } from '../../formats/exact-cover/problem-files.ts';
import { jobDependencies, optionsFrom } from '../../support/dependencies.ts';
import { solveText } from '../../support/run-job.ts';

/** The memory of jobs: `test/batch/jobs/memory.txt`. */
describe('the memory of the largest search', () => {
  it('survives the merge of pieces', () => {
    const merged = new JobStatistics();
    const piece = new JobStatistics().snapshot();
    for (const maxBytes of [5, 9_000_000_000, 7]) merged.merge({ ...piece, maxBytes });
    expect(merged.snapshot().maxBytes).toBe(9_000_000_000);
  });

  it('has what other threads take', async () => {
    const text = knuthText(queens(8));
    const here = (await solveText(text, { solutions: 'all' })).stats.search.maxBytes;
    const open = (): OpenSubproblems => ({
      bytes: 5_000_000_000,
      done: 0,
      take: () => ({ solutions: 0, nodes: 1, guesses: 0, updates: 0 }),
      progress: () => Promise.resolve(),
      close: () => {},
    });
    const dependencies = jobDependencies(optionsFrom());
    const splitRule = { ...SPLIT_RULE, work: 1, nodes: 20 };
    const solver = { ...dependencies.solver, subproblems: { open } };
    const request = { dependencies: { splitRule, solver } };
    const { stats } = await solveText(text, { solutions: 'all' }, request);
    expect(stats.search.maxBytes).toBeGreaterThan(here + 5_000_000_000);
  });
});
