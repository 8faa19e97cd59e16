/** What differs between the rows of the corpus and what the program does now. */
import { type GoldenRow, regenerated, titleOf } from './corpus.ts';

export const HOW = `golden rows differ.
  See a row's input and result, before and after the change:  npm run golden -- --show 'TITLE'
  A title that is both added and removed has another input.
  If the change is intended: raise RESULT_SCHEMA, run "npm run golden", and name the rows and the reason in the commit.
`;

export const NO_DIFFERENCES = { changed: [], added: [], removed: [] };

/** The rows that are found and differ from those that are kept, as texts. */
export function differencesOf(kept: readonly GoldenRow[], found: readonly GoldenRow[]) {
  const { changed, added, removed } = regenerated(kept, found);
  const texts = (rows: readonly GoldenRow[]) =>
    rows.map((row) => `${titleOf(row)}, input ${row.input}: ${row.counts}`);
  return { changed: texts(changed), added: texts(added), removed: texts(removed) };
}
