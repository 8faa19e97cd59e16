/** The report in a real browser, if Chromium is found (see `test/support/chromium.ts`). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM, inBrowser } from '../../support/chromium.ts';
import { HeadlessBrowser } from '../../support/headless-browser.ts';
import { LOW_CONTRAST_TEXTS } from '../../support/low-contrast-texts.ts';
import { CLASHING, EASY, MIXED_FILE, MIXED_OPTIONS } from '../../support/puzzles.ts';
import { solveText } from '../../support/run-job.ts';

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

  describe.each(FILES)('%s', (name, text) => {
    const url = pathToFileURL(join(folder, `${name}.html`)).href;
    beforeAll(async () => {
      const { files } = await solveText(text, { ...MIXED_OPTIONS });
      writeFileSync(join(folder, `${name}.html`), files['report.html']!);
    });

    it.each(VIEWS)(
      'fits, is readable and sends no requests: $width pixels, $scheme, $media',
      async (view) => {
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
      },
    );
  });
});
