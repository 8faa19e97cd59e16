/** The report in a real browser, where there is one: `CHROMIUM=/usr/bin/chromium npx vitest run test/batch/report`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HeadlessBrowser } from '../../support/headless-browser.ts';
import { LOW_CONTRAST_TEXTS } from '../../support/low-contrast-texts.ts';
import { CLASHING, EASY, MIXED_FILE, MIXED_OPTIONS } from '../../support/puzzles.ts';
import { solveText } from '../../support/run-job.ts';

const { CHROMIUM } = process.env;

const FILES: readonly (readonly [name: string, text: string])[] = [
  ['each status', MIXED_FILE],
  ['seven thousand puzzles', `${EASY}\n`.repeat(7000)],
  ['a 25x25', `${'.'.repeat(25)}\n`.repeat(25)],
  [
    'hostile labels',
    `${EASY} </script><img src=x onerror=alert(1)>\n${CLASHING} "><script>alert(1)</script>\n`,
  ],
];

const VIEWS = [
  { width: 360, scheme: 'light', media: 'screen' },
  { width: 1100, scheme: 'dark', media: 'screen' },
  { width: 760, scheme: 'dark', media: 'print' },
] as const;

// A browser is no package of npm's registry that a clone could install: without one there is nothing to ask. What the
// page says and how it is marked up is held without it, in the other files of this folder.
describe.runIf(CHROMIUM !== undefined)('in the browser that CHROMIUM names, the report of', () => {
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  let browser: HeadlessBrowser;
  beforeAll(async () => {
    browser = await HeadlessBrowser.start(CHROMIUM!);
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  describe.each(FILES)('%s', (name, text) => {
    const url = pathToFileURL(join(folder, `${name}.html`)).href;
    beforeAll(async () => {
      const { files } = await solveText(text, { ...MIXED_OPTIONS });
      writeFileSync(join(folder, `${name}.html`), files['report.html']!);
    });

    it.each(VIEWS)('fits, can be read and asks for nothing: $width pixels, $scheme, $media', async (view) => {
      browser.requests.length = 0;
      browser.consoleMessages.length = 0;
      await browser.show(url, view);
      const { scrollWidth, clientWidth } = await browser.evaluate<{
        scrollWidth: number;
        clientWidth: number;
      }>(
        '({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth })',
      );
      expect(scrollWidth).toBe(clientWidth);
      expect(await browser.evaluate(LOW_CONTRAST_TEXTS)).toEqual([]);
      expect(await browser.evaluate('document.scripts.length + document.images.length')).toBe(0);
      expect(browser.requests).toEqual([url]);
      expect(browser.consoleMessages).toEqual([]);
    });
  });
});
