/** Files with multiplicities and costs: what a user types, and gets. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { summaryLines } from '../../../lib/cli/terminal/summary.ts';
import { anyProblem, bruteForce, costOf } from '../../exact-cover/brute-force.ts';
import { langford } from '../../exact-cover/classic-problems.ts';
import { motleyDissections } from '../../exact-cover/known-problems.ts';
import { knuthText } from '../../formats/exact-cover/problem-files.ts';
import { propertyRuns } from '../../support/depth.ts';
import { solveText } from '../../support/run-job.ts';

/** The example in Knuth's program DLX3. */
const REPEATED = `| A simple example of color controls
A B 2:3|C | X Y
A B X:0 Y:0
A C X:1 Y:1
C X:0
B X:1
C Y:1
`;

/** Three jobs for three workers; the cheapest assignments cost 12, 12, 12, 13, 13 and 14. */
const JOBS = `a b c x y z
a x |4
a y |2
a z |8
b x |4
b y |3
b z |7
c x |3
c y |1
c z |5 |1
`;

const jsonLines = (text = '') =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('items that a solution contains several times', () => {
  it('are solved, also with colours', async () => {
    const { solutions, stats } = await solveText(REPEATED, { format: 'dlx' });
    expect(solutions).toBe('A C X:1 Y:1\nB X:1\nC Y:1\n');
    expect(stats.puzzles).toMatchObject({ solved: 1 });
    expect(stats.exactCover).toMatchObject({ solutions: 1, options: 5, primaryItems: 3, secondaryItems: 2 });
  });

  it('are counted exactly, in slices, and with a budget of nodes', async () => {
    const text = knuthText(motleyDissections(5, 5));
    const options = { format: 'dlx', solutions: 'all' };
    const { exceptions } = await solveText(text, options, { countOnly: true });
    expect(exceptions).toMatchObject([{ solutions: 300, exact: true }]);
    const budget = { ...options, 'max-nodes': '500' };
    const limited = await solveText(text, budget, { countOnly: true });
    expect(limited.exceptions).toMatchObject([{ exact: false, nodes: 500 }]);
  });

  it('are counted without finding each solution', async () => {
    const names = Array.from({ length: 40 }, (_, item) => `p${item}`);
    // The part without multiplicities makes the search long with few solutions, all of which tests check.
    const items = `${names.map((name) => `2|${name}`).join(' ')} ${knuthText(langford(8))}`;
    const text = `${items}${names.map((name) => `${name}\n`.repeat(3)).join('')}`;
    const options = { format: 'dlx', solutions: 'all' };
    const { exceptions, stats } = await solveText(text, options, { countOnly: true });
    const solutions = String(300n * 3n ** 40n);
    expect(exceptions).toMatchObject([{ status: 'multiple', solutions, exact: true }]);
    expect(stats.exactCover?.countBytes).toBeGreaterThan(0);
  });

  it('may be optional: a solution has any of their options', async () => {
    const { exceptions } = await solveText('0:2|A B\nA\nA\nA\nB\n', { format: 'dlx', solutions: 'all' });
    expect(exceptions).toMatchObject([{ solutions: 7 }]);
  });

  it('are unsolvable if they have too few options', async () => {
    const { exceptions } = await solveText('2|A B\nA B\n', { format: 'dlx' });
    expect(exceptions).toMatchObject([{ status: 'unsolvable', solutions: 0, exact: true }]);
  });
});

describe('costs', () => {
  it('make the solution a cheapest one, and are in its text, record and totals', async () => {
    const { solutions, stats, records } = await solveText(JOBS, {
      solutions: '1',
      records: 'true',
      format: 'dlx',
    });
    expect(solutions).toBe('# puzzle 1, cost 12\na y |2\nb x |4\nc z |5 |1\n');
    expect(stats.puzzles).toMatchObject({ solved: 1 });
    expect(stats.exactCover).toMatchObject({ cost: 12, solutions: 1 });
    expect(records).toMatchObject([{ status: 'solved', cost: 12 }]);
    expect(records[0]).not.toHaveProperty('costBound');
    expect(
      summaryLines('jobs.dlx', stats, { several: true, strict: false, exceptions: '' }).join('\n'),
    ).toMatch(/Altogether 1 solution, .* search nodes, cost 12$/m);
  });

  it('order the solutions', async () => {
    for (const [asked, costs] of [
      ['4', [12, 12, 12, 13]],
      ['all', [12, 12, 12, 13, 13, 14]],
    ] as const) {
      const { files } = await solveText(JOBS, { format: 'dlx', solutions: asked, output: 'jsonl' });
      const lines = jsonLines(files['solutions.jsonl']);
      expect(lines.slice(0, -1).map(({ ordinal, cost }) => [ordinal, cost])).toEqual(
        costs.map((cost, k) => [k + 1, cost]),
      );
      expect(lines.at(-1)).toMatchObject({ cost: 12, solutions: costs.length, exact: asked === 'all' });
    }
    const { solutions } = await solveText(JOBS, { format: 'dlx', solutions: '3' });
    expect(solutions.match(/^#.*/gm)).toEqual([1, 2, 3].map((k) => `# puzzle 1, solution ${k}, cost 12`));
  });

  it('order two solutions if two are requested, not by default', async () => {
    const two = await solveText(JOBS, { format: 'dlx', solutions: '2' });
    expect(two.solutions.match(/^#.*/gm)).toEqual([1, 2].map((k) => `# puzzle 1, solution ${k}, cost 12`));
    expect(two.exceptions).toMatchObject([{ status: 'multiple', cost: 12, solutions: 2, exact: false }]);
    const records = await solveText(JOBS, { format: 'dlx', solutions: '2', output: 'jsonl' });
    expect(jsonLines(records.files['solutions.jsonl'])).toMatchObject([
      { ordinal: 1, cost: 12 },
      { ordinal: 2, cost: 12 },
      { status: 'multiple', cost: 12 },
    ]);
    const one = await solveText(JOBS, { format: 'dlx' });
    expect(one.solutions).toBe('# puzzle 1, cost 12\na y |2\nb x |4\nc z |5 |1\n');
    const free = JOBS.replaceAll(/ \|\d+/g, '');
    const byDefault = await solveText(free, { format: 'dlx' });
    const requested = await solveText(free, { format: 'dlx', solutions: '2' });
    expect(requested.solutions).toBe(byDefault.solutions);
    expect(requested.exceptions).toEqual(byDefault.exceptions);
  });

  it('do not change whether a solution is unique, nor a count', async () => {
    expect((await solveText(JOBS, { format: 'dlx' })).exceptions).toMatchObject([
      { status: 'multiple', cost: 12 },
    ]);
    const { exceptions } = await solveText(JOBS, { format: 'dlx', solutions: 'all' }, { countOnly: true });
    expect(exceptions).toMatchObject([{ solutions: 6, exact: true }]);
    expect(exceptions[0]).not.toHaveProperty('cost');
  });

  it('that are not proven to be the least come with a lower bound', async () => {
    const lines = Array.from({ length: 12 }, (_, line) => line);
    const text = [
      lines.map((line) => `r${line} c${line}`).join(' '),
      ...lines.flatMap((r) => lines.map((c) => `r${r} c${c} |${(r * r * c + 7 * c * c + r) % 19}`)),
    ].join('\n');
    const least = await solveText(text, { format: 'dlx', solutions: '1', records: 'true' });
    const [{ cost: leastCost, nodes }] = least.records as unknown as [{ cost: number; nodes: number }];
    const maxNodes = String(nodes - 1);
    const { exceptions } = await solveText(text, { format: 'dlx', solutions: '1', 'max-nodes': maxNodes });
    const [{ status, cost, costBound, error }] = exceptions as unknown as [
      { status: string; cost: number; costBound: number; error: { message: string } },
    ];
    expect(status).toBe('limit');
    expect(cost).toBeGreaterThanOrEqual(leastCost);
    expect(costBound).toBeLessThanOrEqual(leastCost);
    expect(error.message).toContain(`costs ${cost}, and none costs less than ${costBound}`);
  });
});

it('random files have the solutions and costs of brute force', async () => {
  const problems = anyProblem({ priced: true }).filter(({ primaryCount }) => primaryCount > 0);
  await fc.assert(
    fc.asyncProperty(problems, async (problem) => {
      const text = knuthText(problem);
      const lines = text.split('\n').slice(1);
      const expected = bruteForce(problem).map((solution) => {
        const options = solution === '' ? [] : solution.split(' ');
        return `${costOf(problem, solution)}: ${options.map((option) => lines[Number(option)]).join('/')}`;
      });
      const { files } = await solveText(text, { format: 'dlx', solutions: 'all', output: 'jsonl' });
      const entries = jsonLines(files['solutions.jsonl']);
      const found = entries.slice(0, -1).map(({ cost, solution }) => `${cost ?? 0}: ${solution.join('/')}`);
      expect(found.sort()).toEqual(expected.sort());
    }),
    { numRuns: propertyRuns(50) },
  );
});
