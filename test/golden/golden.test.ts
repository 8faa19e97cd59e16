/** Some rows of the corpus, and what its digests depend on. `golden.slow.test.ts` has all rows. */
import { describe, expect, it } from 'vitest';
import { MIXED_FILE } from '../support/puzzles.ts';
import { goldenCases, someOf } from './cases.ts';
import { digestOf, foundRows, keptRows, keyOf, maskedText, regenerated, titleOf } from './corpus.ts';
import { differencesOf, HOW, NO_DIFFERENCES } from './differences.ts';
import { RESULT_SCHEMA, solve, solveInShards } from './library.ts';

const all = goldenCases(false);
const cases = someOf(all);
const kept = keptRows();

it('some cases of each kind have the results that the corpus keeps', async () => {
  const found = await foundRows(cases);
  const keys = new Set(found.map(keyOf));
  const of = kept.filter((row) => keys.has(keyOf(row)));
  expect(differencesOf(of, found), HOW).toEqual(NO_DIFFERENCES);
});

const sharded = cases
  .filter(({ name, plain }) => /^(fixture|generated|damaged)/.test(name) && plain.length < 3000)
  .filter(({ options }, k) => k % 12 === 7 && !/count-only|format|box|alphabet/.test(options));

it.each(sharded.map((golden) => [titleOf(golden), golden] as const))(
  'solved in shards, a case has the result of its row: %s',
  async (title, golden) => {
    const files = await solveInShards(golden, golden.options, 90);
    expect(digestOf(files, golden.plain)).toBe(kept.find((row) => titleOf(row) === title)?.result);
  },
);

type Change = readonly [what: string, change: (text: string) => string];

describe('the digest', () => {
  const file = { name: 'statuses', plain: Buffer.from(MIXED_FILE) };
  /** Digests of a result set before and after a change of its files. */
  const digests = async (change: Change[1]) => {
    const { files } = await solve(file, 'max-nodes=5 records=true');
    const changed = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, change(text)]));
    expect(changed).not.toEqual(files);
    return [digestOf(files, file.plain), digestOf(changed, file.plain)];
  };

  it.each<Change>([
    ['# lines', (text) => text.replace(/^# \D*(\d+)\D*(\d+).*$/gm, '# No. $1 in line $2 has none')],
    ['messages', (text) => text.replace(/"message":"[^"]*"/g, '"message":"in other words"')],
    ['expectations', (text) => text.replace(/"expected":"81 [^"]*"/, '"expected":"a line of 81 cells"')],
    ['times', (text) => text.replace(/"solveUs":[\d.]+/g, '"solveUs":7')],
  ])('does not depend on the wording of %s', async (_what, change) => {
    const [before, after] = await digests(change);
    expect(after).toBe(before);
  });

  it.each<Change>([
    ['the place of a # line', (text) => text.replace(/^(# .*\n)(.*\n)/m, '$2$1')],
    ['the number of # lines', (text) => text.replace(/^# .*\n/m, '')],
    ['a cell', (text) => text.replace('534678912', '634678912')],
    ['a status', (text) => text.replace('"status":"invalid"', '"status":"unsolvable"')],
    ['a line number', (text) => text.replace('"line":3', '"line":4')],
    ['a count', (text) => text.replace('"found":"60', '"found":"61')],
    ['a unit', (text) => text.replace('"unit":"row 1"', '"unit":"column 1"')],
    ['the order of members', (text) => text.replace(/("index":\d),("line":\d)/, '$2,$1')],
    ['a space in JSON', (text) => text.replace('"index":', '"index": ')],
  ])('depends on %s', async (_what, change) => {
    const [before, after] = await digests(change);
    expect(after).not.toBe(before);
  });

  it.each(['an item named #', 'gaps filled with #'])(
    'depends on lines with # from the input: %s',
    async (part) => {
      const golden = all.find(({ name }) => name.includes(part))!;
      const { files } = await solve(golden, golden.options);
      expect(files['solutions.txt']).toMatch(/^#/m);
      expect(maskedText(files, golden.plain)).toContain(files['solutions.txt']);
    },
  );
});

describe('regenerating', () => {
  const row = { name: 'a', options: '', schema: 'old', input: '1', result: 'x', counts: '' };
  const found = { ...row, schema: RESULT_SCHEMA };
  const changed = { ...found, result: 'y' };

  it('keeps the schema of an unchanged row, even if it is renamed', () => {
    const { rows, ...lists } = regenerated([row], [{ ...found, name: 'b' }]);
    expect(rows).toEqual([{ ...row, name: 'b' }]);
    expect(lists).toEqual({ changed: [], added: [], removed: [], refused: [] });
  });

  it('gives a changed row the raised schema; with the same schema, it refuses the row unless it is named', () => {
    expect(regenerated([row], [changed])).toMatchObject({ rows: [changed], changed: [changed], refused: [] });
    expect(regenerated([found], [changed], ['b']).refused).toEqual([changed]);
    expect(regenerated([found], [changed], ['a [']).refused).toEqual([]);
  });
});
