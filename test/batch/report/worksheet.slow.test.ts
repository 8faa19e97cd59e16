/** Worksheets, printed by Chromium, if it is found (see `test/support/chromium.ts`). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Paper, type WorksheetPuzzle, worksheetPage } from '../../../lib/batch/report/worksheet.ts';
import { puzzleWriter } from '../../../lib/formats/writing/puzzle-writer.ts';
import { PuzzleSeries } from '../../../lib/sudoku/generator/puzzle-series.ts';
import { temporaryFolder } from '../../local/fixture-function.ts';
import { CHROMIUM, inBrowser } from '../../support/chromium.ts';
import { HeadlessBrowser } from '../../support/headless-browser.ts';

function puzzlesOf(count: number, size: number): WorksheetPuzzle[] {
  const series = new PuzzleSeries({
    size,
    variant: 'standard',
    seed: 7,
    givens: 'minimal',
    unique: true,
    symmetry: 'none',
  });
  const writer = puzzleWriter('jsonl');
  return Array.from({ length: count }, (_, k) => ({
    ...writer.record(series.next()),
    notes: [`7-${k + 1}`],
  }));
}

const nines = puzzlesOf(12, 9);
const SIZES: Readonly<Record<Paper, string>> = { A4: '594.95996 841.91998', Letter: '612 792' };

/** Sheets of puzzles and a key of twelve solutions. */
const CASES = (['A4', 'Letter'] as const).flatMap((paper) =>
  (
    [
      [2, 7],
      [4, 4],
      [6, 3],
    ] as const
  ).map(([perPage, pages]) => ({ paper, perPage, pages })),
);

it('has each puzzle without its solution, then all solutions', () => {
  const page = worksheetPage({ puzzles: nines, seed: 7, perPage: 4, paper: 'A4' });
  const [puzzles, key] = page.split('<h2>Solutions');
  expect(puzzles!.match(/<figure>/g)).toHaveLength(12);
  expect(puzzles).not.toContain('class="found"');
  expect(key!.match(/class="found"/g)).toHaveLength(12);
  for (const { notes } of nines)
    expect([puzzles!.includes(notes[0]!), key!.includes(notes[0]!)]).toEqual([true, true]);
});

// Skipped without Chromium, which `.ci/run` does not allow: see test/support/chromium.ts.
describe.runIf(CHROMIUM !== undefined)(inBrowser('printed by Chromium, twelve puzzles'), () => {
  let browser: HeadlessBrowser;
  beforeAll(async () => {
    browser = await HeadlessBrowser.start(CHROMIUM!);
  });
  afterAll(() => browser.close());

  it.each(CASES)('take $pages pages of $paper with $perPage on a page', async ({ paper, perPage, pages }) => {
    const page = join(temporaryFolder(onTestFinished), 'sheet.html');
    writeFileSync(page, worksheetPage({ puzzles: nines, seed: 7, perPage, paper }));
    await browser.show(pathToFileURL(page).href, { width: 1100, scheme: 'light', media: 'print' });
    const pdf = Buffer.from(await browser.printed()).toString('latin1');
    expect(/\/Count (\d+)/.exec(pdf)?.[1]).toBe(String(pages));
    expect(pdf).toContain(`/MediaBox [0 0 ${SIZES[paper]}]`);
  });
});
