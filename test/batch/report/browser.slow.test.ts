/** The report in a real browser, if Chromium is found (see `test/support/chromium.ts`). */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateMany } from '../../../lib/api/index.ts';
import { Comparison } from '../../../lib/batch/report/comparison.ts';
import { comparisonPage } from '../../../lib/batch/report/comparison-page.ts';
import { type WorksheetPuzzle, worksheetPage } from '../../../lib/batch/report/worksheet.ts';
import { axeFindings } from '../../support/axe.ts';
import { CHROMIUM, inBrowser } from '../../support/chromium.ts';
import { DEEP } from '../../support/depth.ts';
import { HeadlessBrowser } from '../../support/headless-browser.ts';
import { LOW_CONTRAST_TEXTS } from '../../support/low-contrast-texts.ts';
import { CLASHING, CUT_OFF, EASY, MIXED_FILE, MIXED_OPTIONS, TWO_SOLUTIONS } from '../../support/puzzles.ts';
import { solveText } from '../../support/run-job.ts';

const HOSTILE = [
  `${EASY} </script><img src=x onerror=alert(1)>`,
  `${CLASHING} "><script>alert(1)</script>`,
  `${CUT_OFF} \u202e</pre></script><script>alert(1)</script>`,
  `<!--<script>alert(1)</script> javascript:alert(1)`,
  '',
].join('\n');

const FILES: readonly (readonly [name: string, text: string])[] = [
  ['each status', MIXED_FILE],
  ['seven thousand puzzles', `${EASY}\n`.repeat(7000)],
  ['a thousand exceptions', `${CLASHING}\n${CUT_OFF}\n${TWO_SOLUTIONS}\n`.repeat(334)],
  ['a 25x25', `${'.'.repeat(25)}\n`.repeat(25)],
  ['hostile labels', HOSTILE],
];

/** The other files have their turn at night. */
const BY_DAY = ['each status', 'a thousand exceptions', 'hostile labels'];

const VIEWS = [
  { width: 360, scheme: 'light', media: 'screen' },
  { width: 1100, scheme: 'dark', media: 'screen' },
  { width: 760, scheme: 'dark', media: 'print' },
] as const;

/** Opens all groups, and in each list some puzzles, so that axe-core sees them. */
const OPEN_SOME = `for (const each of document.querySelectorAll('details')) {
    const puzzle = each.closest('.puzzle');
    if (puzzle === null || [...puzzle.parentElement.children].indexOf(puzzle) < 3) each.open = true;
  }
  // axe-core takes minutes for a thousand lines.
  for (const each of document.querySelectorAll('.puzzles > :nth-child(n+20)')) each.remove();
  new Promise((resolve) => setTimeout(resolve, 50))`;
/** The lines that are shown. */
const SHOWN = `[...document.querySelectorAll('#puzzles ~ * .puzzle summary')].filter((each) => each.checkVisibility()).map((each) => each.textContent)`;
const find = (text: string) =>
  `(() => { const field = document.getElementById('find'); field.value = ${JSON.stringify(text)}; field.dispatchEvent(new Event('input')); return ${SHOWN}; })()`;

// npm cannot install a browser. The other tests of this folder check the content and the markup of the page without one.
// Skipped without Chromium, which `.ci/run` does not allow: see test/support/chromium.ts.
describe.runIf(CHROMIUM !== undefined)(inBrowser('in a browser, the report of'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  let browser: HeadlessBrowser;
  beforeAll(async () => {
    browser = await HeadlessBrowser.start(CHROMIUM!);
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  async function stored(name: string, text: string, options: Readonly<Record<string, string>> = {}) {
    const { files } = await solveText(text, { ...MIXED_OPTIONS, ...options });
    writeFileSync(join(folder, `${name}.html`), files['report.html']!);
    return pathToFileURL(join(folder, `${name}.html`)).href;
  }

  describe.each(DEEP ? FILES : FILES.filter(([name]) => BY_DAY.includes(name)))('%s', (name, text) => {
    let url: string;
    beforeAll(async () => {
      url = await stored(name, text);
    });

    it.each(VIEWS)(
      'fits, is readable and sends no requests: $width pixels, $scheme, $media',
      async (view) => {
        browser.requests.length = 0;
        browser.consoleMessages.length = 0;
        await browser.show(url, view);
        const { scrollWidth, clientWidth, scrollHeight } = await browser.evaluate<Record<string, number>>(
          '(({ scrollWidth, clientWidth, scrollHeight }) => ({ scrollWidth, clientWidth, scrollHeight }))(document.documentElement)',
        );
        expect(scrollWidth).toBe(clientWidth);
        expect(scrollHeight).toBeLessThan(10_000);
        expect(await browser.evaluate(LOW_CONTRAST_TEXTS)).toEqual([]);
        expect(await browser.evaluate('document.scripts.length + document.images.length')).toBe(1);
        expect(browser.requests).toEqual([url]);
        expect(browser.consoleMessages).toEqual([]);
      },
    );

    // What axe-core finds in one scheme alone is contrast, which the test above looks at in both.
    it.each(VIEWS.slice(0, DEEP ? 2 : 1))(
      'has no finding of axe-core, with puzzles open: $scheme',
      async (view) => {
        await browser.show(url, view);
        await browser.evaluate(OPEN_SOME);
        expect(await axeFindings(browser)).toEqual([]);
        expect(browser.consoleMessages).toEqual([]);
      },
    );
  });

  describe.each(VIEWS.slice(0, DEEP ? 2 : 1))(
    'another set, and a worksheet: $width pixels, $scheme',
    (view) => {
      const shown = async (name: string, page: string) => {
        writeFileSync(join(folder, name), page);
        await browser.show(pathToFileURL(join(folder, name)).href, view);
        await browser.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
        return axeFindings(browser);
      };

      it('compared, has no finding of axe-core', async () => {
        const recordsOf = async function* (text: string) {
          const { files } = await solveText(text, { records: 'true', rate: 'true' });
          for (const line of files['records.jsonl']!.trimEnd().split('\n')) yield JSON.parse(line);
        };
        const comparison = new Comparison();
        const other = `${EASY}\n${CLASHING}\n${TWO_SOLUTIONS.replace('5', '.')}\n`;
        await comparison.compare(recordsOf(`${MIXED_FILE}${EASY}\n`), recordsOf(other), true);
        expect(comparison.isSame).toBe(false);
        expect(await shown('compared.html', comparisonPage(comparison, ['a', 'b']))).toEqual([]);
      });

      it('to print, has no finding of axe-core', async () => {
        const made = [...generateMany(4, { seed: 1 })].map((each, k) => ({ ...each, notes: [`1-${k + 1}`] }));
        const puzzles = made.map((each) => ({ ...each, size: 9, variant: 'standard' }) as WorksheetPuzzle);
        const page = worksheetPage({ puzzles, seed: 1, perPage: 4, paper: 'A4' });
        expect(await shown('worksheet.html', page)).toEqual([]);
      });
    },
  );

  describe('a thousand exceptions', () => {
    beforeAll(async () => {
      const lines = Array.from({ length: 1200 }, (_, k) => `${k % 2 === 0 ? EASY : CLASHING} name-${k + 1}`);
      lines[700] = `${TWO_SOLUTIONS} double`;
      await browser.show(await stored('questions', `${lines.join('\n')}\n`), VIEWS[1]);
    });

    it('finds a line, an id, and digits', async () => {
      expect(await browser.evaluate(find('line 700'))).toEqual([
        expect.stringMatching(/^Line 700 name-700 /),
      ]);
      expect(await browser.evaluate(find('DOUBLE'))).toEqual([
        expect.stringMatching(/^Line 701 double multiple/),
      ]);
      expect(await browser.evaluate(find(TWO_SOLUTIONS.slice(0, 20).replaceAll('.', '0')))).toEqual([
        expect.stringMatching(/^Line 701 /),
      ]);
      expect(await browser.evaluate(find('no such puzzle'))).toEqual([]);
      expect(await browser.evaluate(`document.getElementById('found-note').textContent`)).toMatch(
        /^0 of the /,
      );
      await browser.evaluate(find(''));
    });

    it('sorts, and shows further ones on demand', async () => {
      await browser.evaluate(`sort.value = 'guesses'; sort.dispatchEvent(new Event('change'))`);
      expect(await browser.evaluate<string[]>(SHOWN)).toHaveLength(50);
      expect((await browser.evaluate<string[]>(SHOWN))[0]).toMatch(/^Line 701 /);
      await browser.evaluate('more.click()');
      expect(await browser.evaluate<string[]>(SHOWN)).toHaveLength(100);
      await browser.evaluate(`sort.value = ''; sort.dispatchEvent(new Event('change'))`);
      const inOrder = `[...document.querySelectorAll('.group')].every((group) => {
        const lines = [...group.querySelectorAll('.puzzle')].map((each) => Number(each.dataset.line));
        return lines.length > 0 && lines.every((line, k) => k === 0 || lines[k - 1] < line);
      })`;
      expect(await browser.evaluate(inOrder)).toBe(true);
    });

    it('filters by a count', async () => {
      const groups = `[...document.querySelectorAll('.group > summary')].filter((each) => each.checkVisibility()).map((each) => each.textContent)`;
      await browser.evaluate(`document.querySelector('[data-value=multiple] button').click()`);
      expect(await browser.evaluate(groups)).toEqual(['multiple: more than one solution: 1 puzzle']);
      expect(
        await browser.evaluate(`document.querySelector('[data-value=multiple] button').ariaPressed`),
      ).toBe('true');
      await browser.evaluate(`document.querySelector('[data-value=""] button').click()`);
      expect(await browser.evaluate(groups)).toHaveLength(3);
    });

    it('draws a puzzle that is opened as the page draws the first ones, and copies it', async () => {
      const drawing = (line: number) => `(async () => {
        const puzzle = document.querySelector('.puzzle[data-line="${line}"]');
        puzzle.firstChild.open = true;
        await new Promise((resolve) => setTimeout(resolve, 50));
        const markup = [...puzzle.querySelectorAll('svg > *:not(title)')].map((each) => each.outerHTML);
        return markup.map((each) => each.replace(/ xmlns="[^"]*"| ?\\/>|><\\/\\w+>/g, ''));
      })()`;
      const first = await browser.evaluate<string[]>(drawing(2));
      expect(first).toHaveLength(4);
      expect(await browser.evaluate(drawing(900))).toEqual(first);
      const copied = `(async () => {
        let text;
        navigator.clipboard.writeText = async (copied) => { text = copied; };
        const buttons = document.querySelectorAll('.puzzle[data-line="900"] .text button');
        const texts = [];
        for (const button of buttons) { button.click(); await Promise.resolve(); texts.push(text); }
        return texts;
      })()`;
      expect(await browser.evaluate(copied)).toEqual([CLASHING, CLASHING.match(/.{9}/g)!.join('\n')]);
    });

    it('can be used with the keyboard alone', async () => {
      await browser.evaluate(
        `document.getElementById('find').focus(); document.querySelector('.group').open = false`,
      );
      for (let k = 0; k < 2; k++) await browser.press('Tab');
      expect(await browser.evaluate('document.activeElement.parentElement.className')).toBe('group');
      await browser.press('Enter');
      expect(await browser.evaluate(`document.querySelector('.group').open`)).toBe(true);
    });
  });

  it('hostile labels runs its own script only, under the policy of the page', async () => {
    const url = await stored('policy', HOSTILE);
    const page = join(folder, 'policy.html');
    const foreign = readFileSync(page, 'utf8').replace(
      '<header>',
      '<script>document.title = "run"</script><header>',
    );
    writeFileSync(page, foreign);
    browser.consoleMessages.length = 0;
    await browser.show(url, VIEWS[0]);
    expect(await browser.evaluate('document.title')).not.toBe('run');
    expect(browser.consoleMessages.join()).toMatch(/Content Security Policy/);
    expect(await browser.evaluate(`document.getElementById('tools').hidden`)).toBe(false);
  });

  it('each status shows its puzzles and drawings without scripts', async () => {
    const url = await stored('without scripts', MIXED_FILE);
    const page = join(folder, 'without scripts.html');
    // With another hash, the policy forbids the script.
    writeFileSync(page, readFileSync(page, 'utf8').replace(/sha256-[^']+/, 'sha256-AAAA'));
    await browser.show(url, VIEWS[1]);
    expect(await browser.evaluate(`document.getElementById('tools').hidden`)).toBe(true);
    expect(await browser.evaluate<string[]>(SHOWN)).toHaveLength(5);
    const drawings = `[...document.querySelectorAll('#groups figure svg')].filter((each) => each.checkVisibility()).length`;
    expect(await browser.evaluate(drawings)).toBe(5);
    browser.consoleMessages.length = 0;
  });
});
