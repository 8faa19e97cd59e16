/** Results have the digests of the corpus, which ignore the wording of messages and of `#` lines. */
import { expect, it } from 'vitest';
import { goldenCases } from './cases.ts';
import { foundRows, keptRows, keyOf } from './corpus.ts';
import { differencesOf, HOW, NO_DIFFERENCES } from './differences.ts';

it('every case has the result that the corpus keeps', async () => {
  const kept = keptRows();
  const found = await foundRows(goldenCases());
  expect(differencesOf(kept, found), HOW).toEqual(NO_DIFFERENCES);
  expect(found.map(({ schema: _, ...row }) => row)).toEqual(kept.map(({ schema: _, ...row }) => row));
  expect(new Set(kept.map(keyOf)).size).toBe(kept.length);
});
