/** Each row of a table is a row of the result, with all its columns, and its status and error in added columns. Cases: `test/batch/jobs/tables.txt`. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '../../support/depth.ts';
import {
  CLASHING,
  CUT_OFF,
  EASY,
  HARD,
  MIXED_OPTIONS,
  TWO_SOLUTIONS,
  UNSOLVABLE,
} from '../../support/puzzles.ts';
import { solveText } from '../../support/run-job.ts';

/** The rows of a table as Python's module csv and RFC 4180 read them. */
function readTable(text: string): string[][] {
  const rows: string[][] = [[]];
  let field = '';
  let inQuotes = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (inQuotes) {
      if (sign !== '"') field += sign;
      else if (text[at + 1] === '"') field += text[++at];
      else inQuotes = false;
    } else if (sign === '"' && field === '') inQuotes = true;
    else if (sign === ',' || sign === '\n') {
      rows.at(-1)!.push(field);
      field = '';
      if (sign === '\n') rows.push([]);
    } else field += sign;
  }
  expect([inQuotes, rows.pop()]).toEqual([false, []]);
  return rows;
}

const PUZZLES = [EASY, TWO_SOLUTIONS, UNSOLVABLE, CLASHING, CUT_OFF, HARD, EASY];
it('a table of any fields is read again with the same fields', async () => {
  const field = fc.string({ unit: fc.constantFrom('a', ',', '"', ';', ' ', '=', '|'), maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(field, fc.constantFrom(...PUZZLES)), { minLength: 1, maxLength: 6 }),
      async (rows) => {
        const quoted = (field: string) => `"${field.replaceAll('"', '""')}"`;
        const table = rows.map(([note, puzzle], k) => `${k},${puzzle},${quoted(note)}`);
        const text = `id,puzzle,note\n0,${EASY},x\n${table.join('\n')}\n`;
        const solved = (await solveText(text, MIXED_OPTIONS)).files['solutions.csv'];
        expect(solved).not.toMatch(/^#/m);
        const [, ...found] = readTable(solved);
        expect(found.slice(1).map((row) => row.slice(0, 3))).toEqual(
          rows.map(([note, puzzle], k) => [`${k}`, puzzle, note]),
        );
        expect(found.every((row) => row.length === 6)).toBe(true);
      },
    ),
    { numRuns: propertyRuns(60) },
  );
});
