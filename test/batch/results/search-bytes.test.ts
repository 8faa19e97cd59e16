/** `search.maxBytes` of `stats.json`: the memory of the largest search of a job. */
import { describe, expect, it } from 'vitest';
import { JobStatistics } from '../../../lib/batch/results/statistics.ts';
import type { OpenSubproblems } from '../../../lib/batch/solving/subproblem-solver.ts';
import { searchBytes } from '../../../lib/exact-cover/search-memory.ts';
import { SPLIT_RULE } from '../../../lib/exact-cover/split/split-search.ts';
import type { EngineName } from '../../../lib/sudoku/engine.ts';
import { standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { sudokuCover } from '../../../lib/sudoku/sudoku-cover.ts';
import { langford, queens } from '../../exact-cover/classic-problems.ts';
import { knuthText, sparseText } from '../../formats/exact-cover/problem-files.ts';
import { jobDependencies, optionsFrom } from '../../support/dependencies.ts';
import { CLASHING, EASY, HARD } from '../../support/puzzles.ts';
import { type RunRequest, solveText } from '../../support/run-job.ts';

const MIB = 2 ** 20;

async function maxBytes(text: string, options: Record<string, string> = {}, request: RunRequest = {}) {
  const { stats } = await solveText(text, options, request);
  return stats.search.maxBytes;
}

/** Bytes of the links of an ordinary sudoku. */
function linkBytes(size: number): number {
  return searchBytes(sudokuCover(standardGeometry(size)).problem);
}

const empty = (size: number) => `${'.'.repeat(size * size)}\n`;

describe('the memory of the largest search', () => {
  it.each<EngineName>(['dlx', 'bitboard', 'backtrack'])(
    'does not grow with the number of 9x9 puzzles: %s',
    async (engine) => {
      const both = `${EASY}\n${HARD}\n`;
      const options = { engine, 'max-nodes': '500' };
      const one = await maxBytes(both, options);
      expect(one).toBeGreaterThan(500);
      expect(one).toBeLessThan(MIB);
      expect(await maxBytes(both.repeat(300), options)).toBe(one);
    },
  );

  it('is that of the links, if the puzzle needs no more', async () => {
    expect(await maxBytes(empty(6))).toBe(linkBytes(6));
    expect(await maxBytes(`${empty(16)}\n${EASY}\n\n${empty(4)}`)).toBe(linkBytes(16));
  });

  it('is 0 if nothing is searched', async () => {
    expect(await maxBytes('# nothing\n')).toBe(0);
    expect(await maxBytes(CLASHING, { solutions: '3' })).toBe(0);
  });

  it('has the links of an enumeration', async () => {
    expect(await maxBytes(empty(4), { solutions: '5' })).toBe(linkBytes(4));
  });

  it('has memoised counts, next to the links of the engine and its own', async () => {
    const counted = await maxBytes(empty(6), { solutions: 'all', 'max-nodes': '12000' }, { countOnly: true });
    expect(counted).toBeGreaterThan(2 * linkBytes(6));
    expect(counted).toBeLessThan(2 * linkBytes(6) + 128 * MIB);
    // Draws descend in the links of the count.
    const drawn = await maxBytes(empty(4), {}, { random: { count: 3, seed: 1 } });
    expect(drawn).toBeGreaterThan(linkBytes(4));
  });

  it('is the same in every run', async () => {
    const run = () => maxBytes(`${empty(6)}\n${EASY}\n`, { solutions: '50' });
    expect(await run()).toBe(await run());
  });

  it('is in the report', async () => {
    const { files, stats } = await solveText(empty(16), {}, { report: true });
    expect(files['report.html']).toContain(`${stats.search.maxBytes.toLocaleString('en-US')} bytes`);
  });

  it('survives the merge of pieces', () => {
    const merged = new JobStatistics();
    const piece = new JobStatistics().snapshot();
    for (const maxBytes of [5, 9_000_000_000, 7]) merged.merge({ ...piece, maxBytes });
    expect(merged.snapshot().maxBytes).toBe(9_000_000_000);
  });
});

describe('the memory of the largest search of an exact-cover file', () => {
  it('is that of the largest problem', async () => {
    const [large, small] = [langford(8), langford(4)].map(sparseText);
    const { search, exactCover } = (await solveText(large!, { format: 'sparse' })).stats;
    expect(search.maxBytes).toBe(exactCover!.matrixBytes);
    const { stats } = await solveText(`${large}\n${small}\n${small}`, { format: 'sparse' });
    expect(stats.puzzles.total).toBe(3);
    expect(stats.search.maxBytes).toBe(search.maxBytes);
  });

  it('has the solutions that a search by cost keeps, also if its budget ends', async () => {
    const text = 'a b c d\na |1\na |2\nb |1\nb |2\nc |1\nc |2\nd |1\nd |2\n';
    const least = await maxBytes(text, { solutions: '1' });
    expect(await maxBytes(text, { solutions: '11' })).toBeGreaterThanOrEqual(least + 10 * 120);
    const cut = await solveText(text, { solutions: '11', 'max-nodes': '12' });
    expect(cut.stats.puzzles.solved).toBe(0);
    expect(cut.stats.search.maxBytes).toBeGreaterThan(least);
  });

  it('has what other threads take', async () => {
    const text = knuthText(queens(8));
    const here = await maxBytes(text, { solutions: 'all' });
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
    expect(await maxBytes(text, { solutions: 'all' }, request)).toBeGreaterThan(here + 5_000_000_000);
  });
});
