/** The page in a real browser, if Chromium is found (see `test/support/chromium.ts`). */
import { mkdtempSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { OPTION_NAMES, parseOptions } from '../../../lib/batch/options.ts';
import { axeFindings } from '../../support/axe.ts';
import { CHROMIUM, inBrowser } from '../../support/chromium.ts';
import { INPUT_BUCKET } from '../../support/dependencies.ts';
import { HeadlessBrowser } from '../../support/headless-browser.ts';
import { LOW_CONTRAST_TEXTS } from '../../support/low-contrast-texts.ts';
import { EASY, MIXED_FILE, SOLUTION } from '../../support/puzzles.ts';
import { unzipped } from '../../support/unzipped.ts';
import { folderWith } from '../program.ts';
import { PageUnderTest } from './page-under-test.ts';

const FILES = {
  'easy.txt': `${EASY}\n`,
  'mixed.txt': MIXED_FILE,
  'letter.txt': 'Dear Ms Knuth,',
  'empty.txt': '',
  'late.txt': `${EASY}\n`,
  'named.txt': `${EASY}\n`,
  'new.txt': `${EASY}\n`,
  'folder/one.txt': `${EASY}\n`,
  'folder/deep/two.txt': `${EASY}\n`,
  'folder/.hidden': 'x',
  'bare/.hidden/one.txt': 'x',
  ...Object.fromEntries(Array.from({ length: 40 }, (_, k) => [`many/p${k}.txt`, `${EASY}\n`])),
};

const VIEWS = [
  { width: 360, scheme: 'light', media: 'screen' },
  { width: 1100, scheme: 'dark', media: 'screen' },
  { width: 760, scheme: 'dark', media: 'print' },
] as const;
const DESKTOP = { width: 1100, scheme: 'light', media: 'screen' } as const;

/** Expressions for the texts of all elements that match a selector, and for the state of a name. */
const texts = (selector: string) =>
  `[...document.querySelectorAll(${JSON.stringify(selector)})].map((found) => found.textContent)`;
const stateOf = (name: string) =>
  `[...document.querySelectorAll('.jobs h3')].filter((found) => found.querySelector('bdi').textContent === ${JSON.stringify(name)}).map((found) => found.querySelector('.state').textContent).join()`;

// npm cannot install a browser. page-server.test.ts checks the server without one.
// Skipped without Chromium, which `.ci/run` does not allow: see test/support/chromium.ts.
describe.runIf(CHROMIUM !== undefined)(inBrowser('in a browser'), () => {
  let folder: string;
  let page: PageUnderTest;
  let browser: HeadlessBrowser;
  const path = (name: string) => join(folder, name);
  const choose = (...names: string[]) => browser.chooseFiles('#files', names.map(path));
  const button = (text: string, name: string) =>
    browser.evaluate(
      `document.querySelector('button[aria-label=' + CSS.escape(${JSON.stringify(`${text}: ${name}`)}) + ']').click()`,
    );

  /** What the page has said: `browser.txt`. */
  const said: string[] = [];
  const says = async (selector: string) => {
    const shown = await browser.evaluate<string[]>(texts(selector));
    const masked = shown.map((text) =>
      text.replaceAll(/\d+(\.\d+)? (ms|s|min)\b|\d+(\.\d+)? per second/g, '<time>'),
    );
    expect(masked).not.toEqual([]);
    said.push(selector, ...[...new Set(masked)].sort().map((text) => `  ${text}`));
  };
  const open = (endpoint = page.endpoint) => browser.show(`${endpoint}/`, DESKTOP);

  beforeAll(async () => {
    folder = folderWith(FILES, afterAll);
    page = await PageUnderTest.start();
    browser = await HeadlessBrowser.start(CHROMIUM!);
    await open();
  });
  afterAll(async () => {
    await browser.close();
    await page.stop();
  });
  afterEach(() => {
    expect(browser.requests.filter((url) => !url.startsWith(`${page.endpoint}/`))).toEqual([]);
    expect(browser.consoleMessages).toEqual([]);
    browser.consoleMessages.length = 0;
  });

  test('each option of an upload has a field with a label, which offers only valid values', async () => {
    const fields = "[...document.querySelectorAll('#option-fields [name]')]";
    const names = await browser.evaluate<string[]>(`${fields}.map(({ name }) => name)`);
    expect(names.sort()).toEqual([...OPTION_NAMES].sort());
    const choices = await browser.evaluate<[string, string][]>(
      `${fields}.flatMap(({ name, options = [] }) => [...options].map(({ value }) => [name, value]))`,
    );
    expect(choices.length).toBeGreaterThan(10);
    for (const [name, value] of choices.filter(([, value]) => value !== '')) {
      expect(parseOptions({ [name]: value })).toHaveProperty('options');
    }
    const unnamed = `[...document.querySelectorAll('input, select, textarea')].filter(
      (field) => field.labels.length === 0 && field.ariaLabel === null).map(({ id }) => id)`;
    expect(await browser.evaluate(unnamed)).toEqual([]);
  });

  test('a chosen file is uploaded, and its result is shown and announced', async () => {
    await choose('mixed.txt');
    await browser.until(`${stateOf('mixed.txt')} === 'queued'`);
    expect(await browser.evaluate("document.querySelector('#uploads-section').hidden")).toBe(true);
    await page.solveAll();
    await browser.until(`${stateOf('mixed.txt')} === 'done, 4 exceptions'`);
    await says('#job-list p');
    await browser.until("document.querySelector('#announcements').textContent.includes('mixed.txt: done')");
    await says('#announcements');
  });

  test('dropped files and folders are uploaded, each under its relative path', async () => {
    await browser.dropFiles([path('folder'), path('empty.txt')]);
    await browser.until(`${texts('#job-list bdi')}.length === 4`);
    expect((await browser.evaluate<string[]>(texts('#job-list bdi'))).sort()).toEqual([
      'deep/two.txt',
      'empty.txt',
      'mixed.txt',
      'one.txt',
    ]);
    await page.solveAll();
    await browser.until(`${texts('#job-list .state')}.every((state) => state.startsWith('done'))`);
    await says('#job-list p');
    const colourOf = (state: string) => `getComputedStyle(document.querySelector('.state.${state}')).color`;
    expect(await browser.evaluate(`${colourOf('done')} !== ${colourOf('exceptions')}`)).toBe(true);
  });

  test('the page works under every name of this machine', async () => {
    await open(page.endpoint.replace('127.0.0.1', 'localhost'));
    await choose('named.txt');
    await browser.until(`${stateOf('named.txt')} === 'queued'`);
    browser.requests.length = 0;
    await open();
    await browser.until(`${stateOf('named.txt')} === 'queued'`);
    expect(browser.requests).toContainEqual(expect.stringContaining(page.endpoint));
  });

  test('a drop from a script is accepted, too', async () => {
    await browser.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['${EASY}'], 'made.txt'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    })()`);
    await browser.until(`${stateOf('made.txt')} === 'queued'`);
    expect(await browser.evaluate(stateOf('made.txt'))).toBe('queued');
  });

  test('a folder with only hidden files is reported', async () => {
    await browser.dropFiles([path('bare')]);
    await browser.until("!document.querySelector('#notice').hidden");
    await says('#notice');
    await choose('easy.txt');
    await browser.until("document.querySelector('#notice').hidden");
    await browser.until(`${stateOf('easy.txt')} === 'queued'`);
  });

  const paste = (text: string) =>
    browser.evaluate(`(() => {
      document.querySelector('#pasted').value = ${JSON.stringify(text)};
      document.querySelector('#paste button').click();
    })()`);

  test('a pasted puzzle is solved in place, and stays where it is', async () => {
    const { found } = await page.jobs();
    await paste(EASY);
    await browser.until("document.querySelector('.board svg') !== null");
    await says('.verdict');
    await browser.until(`${texts('.board .facts')}.join().includes('easy (')`);
    expect(await browser.evaluate("document.querySelector('#pasted').value")).toBe(EASY);
    expect(await browser.evaluate('document.activeElement.id')).toBe('solved');
    // Nothing was uploaded.
    expect((await page.jobs()).found).toBe(found);
  });

  test('files are filtered, found, and saved together', async () => {
    await browser.evaluate(`[...document.querySelectorAll('#job-tools .filters button')][1].click()`);
    await browser.until(`${texts('#job-list .state')}.every((state) => /exception|rejected/.test(state))`);
    await browser.evaluate(`(() => {
      const field = document.querySelector('#find-file');
      field.value = 'MIXED';
      field.dispatchEvent(new Event('input'));
    })()`);
    await browser.until(`${texts('#job-list bdi')}.join() === 'mixed.txt'`);
    const saved = await browser.save('#download-all', mkdtempSync(join(folder, 'saved-')));
    expect(basename(saved)).toBe('dlx-batch-results.zip');
    const paths = [...unzipped(readFileSync(saved)).keys()];
    expect(paths).toContain('inbox/mixed.txt/solutions.txt');
    expect(paths.every((path) => path.startsWith('inbox/mixed.txt/'))).toBe(true);
    await open();
  });

  test('a rejected file shows its reason', async () => {
    await choose('letter.txt');
    await browser.until(`${stateOf('letter.txt')} === 'queued'`);
    await page.solveAll();
    await browser.until(`${stateOf('letter.txt')} === 'rejected'`);
    await says('#job-list .rejected p');
  });

  test('a result is saved completely, under its name', async () => {
    const saved = await browser.save(
      'a[download="mixed.solutions.txt"]',
      mkdtempSync(join(folder, 'saved-')),
    );
    expect(basename(saved)).toBe('mixed.solutions.txt');
    expect(readFileSync(saved, 'utf8')).toContain(SOLUTION);
  });

  test('the report is a separate page with an origin of its own, which runs its script', async () => {
    const { href, target, rel } = await browser.evaluate<Record<string, string>>(
      `(({ href, target, rel }) => ({ href, target, rel }))(document.querySelector('a.report'))`,
    );
    expect([target, rel]).toEqual(['_blank', 'noopener']);
    await browser.show(href, DESKTOP);
    expect(await browser.evaluate("document.querySelector('h1').textContent")).not.toBe('');
    expect(await browser.evaluate('window.origin')).toBe('null');
    expect(await browser.evaluate("document.getElementById('tools').hidden")).toBe(false);
    expect(await browser.evaluate("document.querySelector('a.file').search === location.search")).toBe(true);
    await open();
  });

  test('earlier uploads are listed when the page is opened', async () => {
    await browser.until(`${stateOf('mixed.txt')} === 'done, 4 exceptions'`);
    expect(await browser.evaluate<string[]>(texts('#job-list bdi'))).toHaveLength(
      (await page.jobs()).jobs.length,
    );
  });

  test('an unchanged file is not sent again, unless the user wants it', async () => {
    await choose('mixed.txt');
    await browser.until(`${stateOf('mixed.txt')}.includes('unchanged')`);
    const { versionId } = (await page.jobs()).jobs.find(({ name }) => name === 'mixed.txt')!;
    await button('Solve it again', 'mixed.txt');
    await browser.until(`${stateOf('mixed.txt')} === 'queued'`);
    const again = (await page.jobs()).jobs.find(({ name }) => name === 'mixed.txt')!;
    expect(again.versionId).not.toBe(versionId);
    await page.solveAll();
  });

  test('options are sent with the file; an invalid one is marked, and nothing is sent', async () => {
    await browser.evaluate("document.querySelector('#option-box').value = '3 by 3'");
    await choose('new.txt');
    await browser.until(`${stateOf('new.txt')} === 'not sent'`);
    expect(await browser.evaluate("document.querySelector('#option-box').ariaInvalid")).toBe('true');
    await says('#upload-list p');
    await browser.evaluate("document.querySelector('#option-box').value = '3x3'");
    await button('Try again', 'new.txt');
    await browser.until(`${stateOf('new.txt')} === 'queued'`);
    const { Metadata } = await page.embedded.s3.headObject({ Bucket: INPUT_BUCKET, Key: 'inbox/new.txt' });
    expect(Metadata).toMatchObject({ 'dlx-box': '3x3' });
    await browser.evaluate("document.querySelector('#option-fields').reset()");
  });

  test('a lost connection is reported, and the upload continues after reconnecting', async () => {
    await browser.setOffline(true);
    await choose('late.txt');
    await browser.until(`${stateOf('late.txt')} === 'connection lost'`);
    await browser.until("!document.querySelector('#connection-error').hidden");
    await says('#connection-error');
    await browser.setOffline(false);
    await browser.until("document.querySelector('#connection-error').hidden");
    await browser.until(`${stateOf('late.txt')} === 'queued'`);
    browser.consoleMessages.length = 0;
  });

  test('of many files only some are shown, and all can be cancelled at once', async () => {
    await browser.setOffline(true);
    await browser.dropFiles([path('many')]);
    await browser.until("document.querySelector('#upload-more-text').textContent === '28 more waiting.'");
    expect(await browser.evaluate<string[]>(texts('#upload-list bdi'))).toHaveLength(12);
    await browser.evaluate("document.querySelector('#clear-uploads').click()");
    expect(await browser.evaluate("document.querySelector('#uploads-section').hidden")).toBe(true);
    await browser.setOffline(false);
    await browser.until("document.querySelector('#connection-error').hidden");
    expect((await page.jobs()).jobs.filter(({ name }) => name.startsWith('p'))).toEqual([]);
    browser.consoleMessages.length = 0;
  });

  test('the keyboard reaches all controls and opens the dialog', async () => {
    await open();
    await browser.until(`${texts('#job-list a.report')}.length > 0`);
    const reached: string[] = [];
    for (let k = 0; k < 8; k++) {
      await browser.press('Tab');
      reached.push(await browser.evaluate('document.activeElement.textContent'));
      const { outline } = await browser.evaluate<{ outline: string }>(
        '({ outline: getComputedStyle(document.activeElement).outlineStyle })',
      );
      expect(outline).not.toBe('none');
    }
    expect(reached.slice(0, 6)).toEqual([
      'Skip to the results',
      '',
      'Solve',
      'Choose files',
      'Choose a folder',
      'Options',
    ]);
    await browser.evaluate("document.querySelector('#choose-files').focus()");
    await browser.chooseInDialog('Enter', [path('folder/deep/two.txt')]);
    await browser.until(`${stateOf('two.txt')} === 'queued'`);
  });

  test.each(VIEWS)(
    'fits, is readable, and pleases axe-core: $width pixels, $scheme, $media',
    async (view) => {
      // More than a page of the list.
      if ((await page.jobs()).pages === 1) {
        for (let k = 0; k < 60; k++) await page.embedded.upload(`inbox/more-${k}.txt`, EASY);
      }
      await browser.show(`${page.endpoint}/`, view);
      await browser.until(`${texts('#job-list a.report')}.length > 0`);
      await paste(`${EASY}\n${EASY.slice(1)}\n${'.'.repeat(81)}\n`);
      await browser.until("document.querySelectorAll('.board').length === 3");
      await browser.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
      const { scrollWidth, clientWidth } = await browser.evaluate<Record<string, number>>(
        '(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))(document.documentElement)',
      );
      expect(scrollWidth).toBe(clientWidth);
      expect(await browser.evaluate(LOW_CONTRAST_TEXTS)).toEqual([]);
      if (view.media === 'screen') expect(await axeFindings(browser)).toEqual([]);
    },
  );

  test('what the page says is in browser.txt', async () => {
    await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('browser.txt');
  });
});
