import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html } from '../../../lib/batch/report/markup.ts';
import { codePoint } from '../../support/code-points.ts';
import { FakeClock } from '../../support/dependencies.ts';
import { propertyRuns } from '../../support/depth.ts';
import { type Element, elementText, named, parsePage } from '../../support/html-tree.ts';
import { EASY } from '../../support/puzzles.ts';
import { reportFaults } from '../../support/report-faults.ts';
import { type RunRequest, solveText } from '../../support/run-job.ts';

/** Solves a file and parses its report. */
async function reportOf(
  text: string,
  options: Readonly<Record<string, string>> = {},
  request: RunRequest = {},
): Promise<Element> {
  const { files } = await solveText(text, options, request);
  return parsePage(files['report.html']!);
}

function sectionOf(page: Element, id: string): Element {
  return named(page, 'section').find(({ attributes }) => attributes['aria-labelledby'] === id)!;
}

function cellsOf(page: Element, id: string): string[][] {
  return named(sectionOf(page, id), 'tr').map((row) =>
    row.children.filter((cell) => typeof cell !== 'string').map(elementText),
  );
}

/** Text of a file, with what would be markup. */
const label = fc
  .array(
    fc.oneof(
      fc.constantFrom('</script>', '<!--', '"', "'", ']]>', '&lt;', '&', ' onload=', '<svg/onload=x>'),
      fc.string({ unit: codePoint }),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.join(''));

/** The text of reports, and what every report keeps to: `test/batch/jobs.test.ts`. */
describe('a report', () => {
  it('has no rate for less than a second of solving', async () => {
    const rates = async (stepMs: number) => {
      const page = await reportOf(`${EASY}\n`, {}, { dependencies: { clock: new FakeClock(stepMs) } });
      return (
        named(page, 'main')
          .map(elementText)
          .join()
          .match(/[\d,]+ puzzles per second/g) ?? []
      );
    };
    expect(await rates(900)).toEqual([]);
    expect(await rates(1000)).toHaveLength(1);
  });

  it('has a chart of the rate for a batch of many blocks', async () => {
    const short = await reportOf(`${EASY}\n`, {}, { dependencies: { clock: new FakeClock(1000) } });
    expect(named(sectionOf(short, 'rate'), 'svg')).toEqual([]);
    const section = sectionOf(await reportOf(`${EASY}\n`.repeat(9000)), 'rate');
    expect(named(section, 'tr')).toHaveLength(1 + 24);
  });

  it('has a bar for each doubling of the solve time', async () => {
    const page = await reportOf(`${EASY}\n`, {}, { dependencies: { clock: new FakeClock(3) } });
    expect(cellsOf(page, 'times')).toEqual(
      expect.arrayContaining([
        ['50 % (median)', '3.0 ms'],
        ['2 ms', '4.1 ms', '1', '100 %'],
      ]),
    );
    const bars = named(sectionOf(page, 'times'), 'rect').map(({ attributes }) => Number(attributes.height));
    expect(bars.filter((height) => height > 0)).toEqual([180]);
  });

  it('lists the options', async () => {
    const page = await reportOf(EASY, { engine: 'backtrack', 'max-nodes': '1234' });
    expect(cellsOf(page, 'run')).toEqual(
      expect.arrayContaining([
        ['engine', 'backtrack'],
        ['max-nodes', '1234'],
      ]),
    );
  });

  it('never interprets text as markup in an attribute', () => {
    fc.assert(
      fc.property(label, (text) => {
        const page = parsePage(`<!doctype html>\n${html`<html><p title="${text}">x</p></html>`.source}`);
        const title = text.replace(/(?![\t\n])\p{Cc}|\p{Noncharacter_Code_Point}/gu, '\ufffd');
        expect(page.children).toEqual([{ name: 'p', attributes: { title }, children: ['x'] }]);
      }),
    );
  });

  it('never interprets a label or the name of the file as markup', async () => {
    await fc.assert(
      fc.asyncProperty(label, label, async (id, fileName) => {
        const text = `${JSON.stringify([{ id, puzzle: EASY }])}\n`;
        const { files } = await solveText(text, {}, { fileName });
        const source = files['report.html']!;
        expect(reportFaults(source)).toEqual([]);
        const page = parsePage(source);
        // Controls and noncharacters are shown as blanks or as U+FFFD.
        const plain = (shown: string) =>
          shown.replace(/\p{Cc}|\p{Noncharacter_Code_Point}|[\s\ufffd]/gu, ' ');
        const summaries = named(page, 'summary').map((summary) => plain(elementText(summary)));
        expect(summaries).toContainEqual(expect.stringContaining(plain(id)));
        expect(plain(elementText(page))).toContain(plain(fileName));
      }),
      { numRuns: propertyRuns(40) },
    );
  });

  it('is omitted on request', async () => {
    const { files } = await solveText(EASY, {}, { report: false });
    expect(Object.keys(files)).toEqual(['solutions.txt', 'exceptions.jsonl', 'stats.json']);
  });
});
