/** What the message of a spent budget says about puzzles in cells. */
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../support/dependencies.ts';
import { HARD, UNSOLVABLE } from '../../support/puzzles.ts';
import type { RunRequest } from '../../support/run-job.ts';
import { solveText } from '../../support/run-job.ts';

/** The messages of the exceptions of a file. */
async function messages(
  text: string,
  options: Readonly<Record<string, string>>,
  request?: RunRequest,
): Promise<(string | undefined)[]> {
  const { exceptions } = await solveText(text, options, request);
  return exceptions.map(({ error }) => error?.message);
}

/** Few givens, most of them in the last rows. */
const LATE = '000000010400000000020000000000050407008000300001090000300400200050000000000006000';

const SIZE =
  /; dancing links alone take about 2\d0 \(2\d0 to \d+\) nodes for all solutions, mostly fewer for one or two: /;

describe('the message of a spent budget has the size of the tree of dancing links', () => {
  it.each([
    ['dlx', 5, 'raise --max-nodes, or add givens'],
    ['bitboard', 5, 'raise --max-nodes, or add givens'],
    ['backtrack', 5, 'raise --max-nodes, or add givens'],
    ['backtrack', 3000, 'use engine dlx'],
  ])('with %s after %i nodes: %3$s', async (engine, maxNodes, advice) => {
    const [message] = await messages(HARD, { engine, 'max-nodes': String(maxNodes) });
    expect(message).toMatch(SIZE);
    expect(message?.endsWith(`: ${advice}`)).toBe(true);
  });

  it.each<[string, Record<string, string>, RunRequest]>([
    ['an enumeration', { solutions: 'all' }, {}],
    ['counting', { solutions: 'all' }, { countOnly: true }],
  ])('in %s', async (_name, options, request) => {
    expect(await messages(HARD, { ...options, 'max-nodes': '20' }, request)).toEqual([
      expect.stringMatching(SIZE),
    ]);
  });

  it('and names the time if that ran out', async () => {
    const clock = new FakeClock(1000);
    const found = await messages(LATE, { engine: 'backtrack' }, { maxMs: 1, dependencies: { clock } });
    expect(found).toEqual([expect.stringMatching(/: raise --max-ms, or add givens$/)]);
  });

  it('when random solutions are drawn', async () => {
    const random = { count: 2, seed: 1 };
    expect(await messages(HARD, { 'max-nodes': '20' }, { random })).toEqual([
      expect.stringMatching(
        /without memoised counting that takes about 2\d0 \(2\d0 to \d+\) nodes; raise --max/,
      ),
    ]);
  });

  it('in every record of a puzzle, of any size and variant', async () => {
    const text = `${'.'.repeat(36)}\n${'.'.repeat(81)}\n`;
    const options = { variant: 'x', 'max-nodes': '3', records: 'true', output: 'jsonl' };
    const { exceptions, records, files } = await solveText(text, options);
    const found = exceptions.map(({ error }) => error!.message);
    expect(found).toEqual([
      expect.stringMatching(/about [\d,.]+( \* 10\^\d)? \(/),
      expect.stringMatching(/about \d(\.\d)? \* 10\^1\d \(/),
    ]);
    expect(records.map(({ error }) => error?.message)).toEqual(found);
    for (const message of found) expect(files['solutions.jsonl']).toContain(message);
  });
});

it('the estimates of a file take a tenth of its searches, but for the first puzzles', async () => {
  const five = `${HARD}\n`.repeat(5);
  const none = /undecided whether it has a solution$/;
  const some = expect.stringMatching(SIZE);
  expect(await messages(five, { 'max-nodes': '20' })).toEqual([
    ...[1, 2, 3, 4].map(() => some),
    expect.stringMatching(none),
  ]);
  const long = await messages(`${`${UNSOLVABLE}\n`.repeat(4)}${HARD}\n`, {
    engine: 'backtrack',
    'max-nodes': '200000',
  });
  expect(long.at(-1)).toMatch(/; dancing links alone take about 2\d0 \(.*: use engine dlx$/);
});
