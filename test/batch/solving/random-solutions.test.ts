/** `solve --random`: what a user types, and gets. */
import { describe, expect, it } from 'vitest';
import { summaryLines } from '../../../lib/cli/terminal/summary.ts';
import { dominoes } from '../../exact-cover/board-problems.ts';
import { langford } from '../../exact-cover/classic-problems.ts';
import { knuthText } from '../../formats/exact-cover/problem-files.ts';
import { jsonLines } from '../../support/result-set.ts';
import { solveText } from '../../support/run-job.ts';

const draw = (text: string, count: number, seed = 1, options: Record<string, string> = {}) =>
  solveText(text, options, { random: { count, seed } });

describe('random solutions of an exact cover', () => {
  const text = knuthText(dominoes(2, 3));

  it('are written with the number of all solutions, and are the same for a seed', async () => {
    const { solutions, exceptions, stats } = await draw(text, 4, 7, { format: 'dlx' });
    expect(solutions.match(/^#.*/gm)).toEqual([1, 2, 3, 4].map((k) => `# puzzle 1, solution ${k}`));
    expect(exceptions).toMatchObject([{ status: 'multiple', solutions: 3, exact: true }]);
    expect(stats.random).toEqual({ count: 4, seed: 7 });
    expect(summaryLines('a.dlx', stats, { several: true, strict: false, exceptions: '' }).join('\n')).toMatch(
      /^ {2}4 random solutions of each puzzle, seed 7$/m,
    );
    expect((await draw(text, 4, 7, { format: 'dlx' })).solutions).toBe(solutions);
    expect((await draw(text, 4, 8, { format: 'dlx' })).solutions).not.toBe(solutions);
  });

  it('are drawn evenly', async () => {
    const { files } = await draw(text, 900, 1, { format: 'dlx', output: 'jsonl' });
    const lines = jsonLines(files['solutions.jsonl'] ?? '') as unknown as {
      ordinal?: number;
      solution: string[];
    }[];
    const draws = new Map<string, number>();
    for (const { ordinal, solution } of lines) {
      if (ordinal !== undefined) draws.set(solution.join(), (draws.get(solution.join()) ?? 0) + 1);
    }
    expect(draws.size).toBe(3);
    // Five standard deviations.
    for (const count of draws.values()) expect(Math.abs(count - 300)).toBeLessThan(71);
  });

  it('have their costs', async () => {
    const { solutions } = await draw('a b\na |3\nb |4\n', 1, 1, { format: 'dlx' });
    expect(solutions).toMatch(/^# puzzle 1, solution 1, cost 7$/m);
  });

  it.each([
    ['no solution', 'a b\na\n', 'unsolvable', 'it has no solution'],
    [
      'no solutions counted within the budget',
      knuthText(langford(8)),
      'limit',
      /ran out after 300 nodes: .*not all counted/,
    ],
  ])('%s', async (_name, problem, status, reason) => {
    const { solutions, exceptions } = await draw(problem, 2, 1, { format: 'dlx', 'max-nodes': '300' });
    expect(exceptions).toMatchObject([{ status, solutions: 0 }]);
    expect(solutions).toMatch(reason);
  });

  it('stop at the budget, which the result says', async () => {
    const { exceptions, solutions } = await draw(knuthText(dominoes(6, 6)), 1000, 1, {
      format: 'dlx',
      'max-nodes': '2000',
    });
    const [{ error, ...record }] = exceptions as [(typeof exceptions)[0]];
    expect(record).toMatchObject({ status: 'limit', solutions: 6728, exact: true, nodes: 2000 });
    const drawn = solutions.match(/solution \d+/g)!.length;
    expect(error?.message).toBe(
      `the search budget ran out after 2000 nodes: ${drawn} of 1000 random solutions are drawn; raise --max-nodes, or draw fewer`,
    );
    expect(drawn).toBeGreaterThan(10);
  });

  it('have items several times', async () => {
    const { solutions, exceptions } = await draw('2|A B\nA |1\nA |2\nA |4\nB\n', 50, 1, { format: 'dlx' });
    expect(exceptions).toMatchObject([{ status: 'multiple', solutions: 3, exact: true }]);
    const costs = [...solutions.matchAll(/cost (\d)$/gm)].map(([, cost]) => Number(cost));
    expect(costs).toHaveLength(50);
    expect([...new Set(costs)].sort()).toEqual([3, 5, 6]);
  });
});

describe('random solutions of a grid', () => {
  it('are written in its layout, and are the same for a seed and with any engine', async () => {
    const text = `${'.'.repeat(16)}\n1234............\n1111............\n`;
    const { solutions, exceptions } = await draw(text, 3);
    expect(exceptions).toMatchObject([
      { index: 1, status: 'multiple', solutions: 288, exact: true },
      { index: 2, status: 'multiple', solutions: 12, exact: true },
      { index: 3, status: 'invalid' },
    ]);
    expect(solutions.match(/^[1-4]{16}$/gm)).toHaveLength(6);
    for (const engine of ['bitmask', 'backtrack']) {
      expect((await draw(text, 3, 1, { engine })).solutions).toBe(solutions);
    }
    expect((await draw(text, 3, 2)).solutions).not.toBe(solutions);
  });

  it('are all of its solutions, in many draws', async () => {
    const { solutions } = await draw(`1234${'.'.repeat(12)}\n`, 200);
    expect(new Set(solutions.match(/^[1-4]{16}$/gm)).size).toBe(12);
  });

  it('stop at the budget, which the result says', async () => {
    const { exceptions, solutions } = await draw('.'.repeat(36), 1, 1, { 'max-nodes': '100' });
    expect(exceptions).toMatchObject([{ status: 'limit', solutions: 0, exact: false, nodes: 100 }]);
    expect(solutions).toMatch(
      /^# puzzle 1 \(line 1\): limit: the search budget ran out after 100 nodes: its solutions are not all counted/m,
    );
  });
});
