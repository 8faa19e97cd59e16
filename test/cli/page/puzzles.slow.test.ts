/** The page that solves without a server, in Chromium under two strict policies: one allows WebAssembly, one does not. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { generateMany, rate, solve, solveAll } from '../../../lib/api/index.ts';
import { bundlePage } from '../../../lib/cli/page/page-bundle.ts';
import { bundle } from '../../api/bundle.ts';
import { axeFindings } from '../../support/axe.ts';
import { CHROMIUM, inBrowser } from '../../support/chromium.ts';
import { DEEP } from '../../support/depth.ts';
import { HeadlessBrowser } from '../../support/headless-browser.ts';
import { LOW_CONTRAST_TEXTS } from '../../support/low-contrast-texts.ts';
import { EASY, MIXED_FILE, SOLUTION } from '../../support/puzzles.ts';
import { pageStyles } from './page-styles.ts';

const BROWSER_FOLDER = new URL('../../../lib/cli/page/browser/', import.meta.url).pathname;
const PAGE = `
  import { showSitePage } from './puzzles/site-page.ts';
  import { startWorker } from './puzzles/trusted.ts';
  // Code that Playwright evaluates has other permissions.
  try {
    new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
    globalThis.compiled = true;
  } catch {
    globalThis.compiled = false;
  }
  globalThis.panel = showSitePage(document.querySelector('.puzzles'), {
    createSolverWorker: () => startWorker('solver-worker.js'),
    createTaskWorker: () => startWorker('task-worker.js'),
  });
`;
const HTML = `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Solve puzzles</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="styles.css"><script type="module" src="page.js"></script>
<main class="puzzles"><h1>Solve puzzles</h1></main></html>`;

/** All that such a page needs: nothing from elsewhere, nothing inline, no markup from texts. */
const STRICT = [
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src data:",
  "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types puzzles",
].join('; ');
/** Without WebAssembly, at night: the library does the same then, see `test/api/browser.slow.test.ts`. */
const POLICIES = {
  strict: STRICT,
  ...(DEEP && { forbidding: STRICT.replace(" 'wasm-unsafe-eval'", '') }),
};

const DESKTOP = { width: 1100, scheme: 'light', media: 'screen' } as const;
const HOSTILE = '<img src=x onerror=alert(1)>';

const texts = (selector: string) =>
  `[...document.querySelectorAll(${JSON.stringify(selector)})].map((found) => found.textContent)`;
/** The symbols of the first board, row by row. */
const BOARD = `[...document.querySelectorAll('.board svg')].map((svg) => [...svg.querySelectorAll('text')]
  .map((text) => [Number(text.getAttribute('y')), Number(text.getAttribute('x')), text.textContent])
  .sort((a, b) => a[0] - b[0] || a[1] - b[1]).map((cell) => cell[2]).join(''))`;

// npm cannot install a browser. The library and its workers are tested without one, too.
// Skipped without Chromium, which `.ci/run` does not allow: see test/support/chromium.ts.
describe.runIf(CHROMIUM !== undefined).each(Object.entries(POLICIES))(
  inBrowser('under a policy that is %s'),
  (name, policy) => {
    let server: Server;
    let browser: HeadlessBrowser;
    let address: string;
    /** What the page has said: `puzzles.txt`. */
    const said: string[] = [];
    const says = async (selector: string) => {
      const shown = await browser.evaluate<string[]>(texts(selector));
      expect(shown).not.toEqual([]);
      said.push(selector, ...shown.map((text) => `  ${text.replaceAll(/[\d.]+ s\b/g, '<time>')}`));
    };
    const paste = (text: string) =>
      browser.evaluate(`(() => {
        document.querySelector('#pasted').value = ${JSON.stringify(text)};
        document.querySelector('#paste button').click();
      })()`);
    const solved = async (text: string, boards: number) => {
      await paste(text);
      await browser.until(`document.querySelectorAll('.board').length === ${boards}`);
    };
    const click = (text: string) =>
      browser.evaluate(
        `[...document.querySelectorAll('button')].find(({ textContent }) => textContent === ${JSON.stringify(text)}).click()`,
      );

    beforeAll(async () => {
      const files = new Map<string, string | Uint8Array>([
        ...(await bundlePage()),
        ['page.js', await bundle(PAGE, BROWSER_FOLDER)],
        ['styles.css', pageStyles()],
      ]);
      server = createServer(({ url }, response) => {
        const path = url!.slice(1);
        const type = path.endsWith('.js')
          ? 'text/javascript'
          : path.endsWith('.css')
            ? 'text/css'
            : 'text/html';
        response.setHeader('content-type', type);
        response.setHeader('content-security-policy', policy);
        response.end(files.get(path) ?? HTML);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      browser = await HeadlessBrowser.start(CHROMIUM!);
      await browser.show(address, DESKTOP);
      await browser.until("document.querySelector('#pasted') !== null");
    }, 60_000);
    afterAll(async () => {
      await browser.close();
      await new Promise((resolve) => server.close(resolve));
    });
    afterEach(() => {
      expect(
        browser.requests.filter((url) => !url.startsWith(address) && !/^(?:data|blob):/.test(url)),
      ).toEqual([]);
      expect(browser.consoleMessages).toEqual([]);
    });

    test('WebAssembly runs only if it is allowed', async () => {
      expect(await browser.evaluate('compiled')).toBe(name === 'strict');
    });

    test('a pasted puzzle is solved in place, with its difficulty', async () => {
      await solved(EASY.match(/.{9}/g)!.join('\n'), 1);
      await says('.verdict');
      expect(await browser.evaluate(BOARD)).toEqual([SOLUTION]);
      const { grade, technique } = rate(EASY);
      await browser.until(`${texts('.board .facts')}.join().includes(${JSON.stringify(`${grade} (`)})`);
      expect(String(await browser.evaluate(texts('.board .facts')))).toContain(technique);
    });

    test('of a puzzle with several solutions two are shown, and where they differ', async () => {
      await solved(
        EASY.replace('5', '.').replace('6', '.').replace('8', '.').replace('9', '.').replace('3', '.'),
        1,
      );
      await browser.until("document.querySelectorAll('.board svg').length === 2");
      const [one, other] = await browser.evaluate<string[]>(BOARD);
      expect([solve(one!).status, solve(other!).status]).toEqual(['solved', 'solved']);
      const differing = [...one!].filter((symbol, cell) => symbol !== other![cell]).length;
      expect(differing).toBeGreaterThan(0);
      await says('.board .status');
    });

    test('many puzzles are small boards, which one filters, finds and turns', async () => {
      const puzzles = Array.from(generateMany(60, { seed: 3 }), ({ puzzle }) => puzzle);
      await solved([...puzzles, EASY.slice(1), `11${'.'.repeat(79)}`, '.'.repeat(81)].join('\n'), 24);
      await says('.verdict');
      await click('problems 3');
      await says('.board .status');
      await click('all 63');
      await click('Next page');
      expect((await browser.evaluate<string[]>(texts('.board h3')))[0]).toContain('25');
      await says('.paging span');
      await browser.evaluate(`(() => {
        const field = document.querySelector('#find-puzzle');
        field.value = '${puzzles[40]!.slice(0, 30)}';
        field.dispatchEvent(new Event('input'));
      })()`);
      expect((await browser.evaluate<string[]>(texts('.board h3')))[0]).toContain('41');
    });

    test('all puzzles are rated, and filtered by grade', async () => {
      const puzzles = Array.from(generateMany(40, { seed: 8 }), ({ puzzle }) => puzzle);
      await solved([...puzzles, EASY.slice(1)].join('\n'), 24);
      // Also after a stop.
      await browser.evaluate('panel.stop()');
      await click('Rate all puzzles');
      const grades = puzzles.map((puzzle) => rate(puzzle).grade);
      for (const grade of new Set(grades)) {
        const number = grades.filter((each) => each === grade).length;
        await browser.until(`${texts('.filters button')}.includes('${grade} ${number}')`);
      }
      expect(
        await browser.evaluate(
          "[...document.querySelectorAll('button')].find((b) => b.textContent === 'Stop').hidden",
        ),
      ).toBe(true);
      const easy = grades.filter((grade) => grade === 'easy').length;
      await click(`easy ${easy}`);
      await browser.until(`document.querySelectorAll('.board').length === ${Math.min(24, easy)}`);
      const facts = await browser.evaluate<string[]>(texts('.board .facts'));
      expect(facts.every((text) => text.includes('easy ('))).toBe(true);
    });

    test('records are those of the library, of any layout', async () => {
      await solved(MIXED_FILE, 7);
      const expected = [];
      for await (const { status, puzzle } of solveAll(MIXED_FILE)) expected.push([status, puzzle]);
      const found = 'panel.records.map(({ status, puzzle }) => [status, puzzle ?? null])';
      expect(await browser.evaluate(found)).toEqual(
        JSON.parse(JSON.stringify(expected)).map(([status, puzzle]: [string, string | null]) => [
          status,
          puzzle ?? null,
        ]),
      );
    });

    test('other rules and sizes are drawn and rated', async () => {
      const { puzzle, regions } = [...generateMany(1, { size: 6, variant: 'jigsaw', seed: 1 })][0]!;
      await solved(`${puzzle} ${regions}\n`, 1);
      await browser.until(`/(easy|medium|hard|expert|extreme) \\(/.test(${texts('.board .facts')}.join())`);
      expect(await browser.evaluate(BOARD)).toEqual([solve(puzzle, { regions }).solution]);
    });

    test('texts and names of puzzles are no markup, wherever they are shown', async () => {
      await solved(`id,puzzle\n"${HOSTILE}",${EASY}\n"${HOSTILE}","${HOSTILE}"\n`, 2);
      expect(await browser.evaluate(texts('.board .id'))).toEqual([HOSTILE, HOSTILE]);
      await paste(`${HOSTILE}\n`);
      await browser.until("!document.querySelector('.alert').hidden");
      expect(await browser.evaluate('document.images.length')).toBe(0);
    });

    test('no message names an option of the command line', async () => {
      await paste('1'.repeat(100));
      await browser.until(
        `!document.querySelector('.alert').hidden || document.querySelector('.board') !== null`,
      );
      const shown = await browser.evaluate<string>('document.body.innerText');
      expect(shown).not.toMatch(/(^|\s)--[a-z]/);
      expect(shown).not.toContain('$');
    });

    test('puzzles of a grade are generated', async () => {
      await browser.evaluate(`(() => {
        document.querySelector('[name=grade]').value = 'medium';
        document.querySelector('[name=seed]').value = '5';
      })()`);
      await click('Make puzzles');
      await browser.until(`document.querySelectorAll('.board').length === 4`);
      await browser.until(`${texts('.board .facts')}.every((text) => text.includes('medium ('))`);
      const puzzles = await browser.evaluate<string[]>('panel.records.map(({ puzzle }) => puzzle)');
      expect(puzzles.map((puzzle) => rate(puzzle).grade)).toEqual(Array(4).fill('medium'));
    });

    test('what is printed has the puzzles without their solutions, then the solutions', async () => {
      await browser.evaluate('window.print = () => { globalThis.printed = true; }');
      await click('Print');
      expect(await browser.evaluate('printed')).toBe(true);
      expect(await browser.evaluate("document.querySelectorAll('.sheet .large svg').length")).toBe(4);
      expect(await browser.evaluate("document.querySelectorAll('.sheet .large .found').length")).toBe(0);
      expect(await browser.evaluate("document.querySelectorAll('.sheet .answers .found').length")).toBe(4);
      await browser.evaluate("dispatchEvent(new Event('afterprint'))");
      expect(await browser.evaluate("document.querySelector('.sheet')")).toBe(null);
    });

    test('a long search is stopped', async () => {
      await paste(`${'.'.repeat(1296)}\n`.repeat(50));
      await browser.until(
        "![...document.querySelectorAll('button')].find((b) => b.textContent === 'Stop').hidden || document.querySelector('.board') !== null",
      );
      await click('Stop');
      await solved(EASY, 1);
      expect(await browser.evaluate(BOARD)).toEqual([SOLUTION]);
    });

    test.each([
      { width: 360, scheme: 'light', media: 'screen' },
      { width: 1100, scheme: 'dark', media: 'screen' },
    ] as const)('fits, is readable, and pleases axe-core: $width pixels, $scheme', async (view) => {
      await browser.show(address, view);
      await browser.until("document.querySelector('#pasted') !== null");
      await solved(MIXED_FILE, 7);
      await browser.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
      expect(await browser.evaluate('document.documentElement.scrollWidth')).toBe(view.width);
      expect(await browser.evaluate(LOW_CONTRAST_TEXTS)).toEqual([]);
      expect(await axeFindings(browser)).toEqual([]);
    });

    // The speed is a promise where WebAssembly is allowed, and measured at night.
    const copies = DEEP && name === 'strict' ? 50 : 1;
    test(`${copies} thousand puzzles are solved in seconds`, async () => {
      const lines = Array.from(generateMany(1000, { seed: 1 }), ({ puzzle }) => `${puzzle}\n`);
      await browser.show(address, DESKTOP);
      await browser.until('globalThis.panel !== undefined');
      const text = JSON.stringify(lines.join('').repeat(copies));
      const times = await browser.evaluate<number[]>(`(async () => {
        const times = [];
        for (let k = 0; k < 3; k++) {
          await panel.solve(${text});
          times.push(Math.round(panel.elapsedMs));
        }
        return times;
      })()`);
      process.stdout.write(`${copies},000 puzzles in the page, policy ${name}: ${times.join(', ')} ms\n`);
      const solvedOnes = "panel.records.filter(({ status }) => status === 'solved').length";
      expect(await browser.evaluate(solvedOnes)).toBe(copies * 1000);
      // A machine that is busy with other tests takes many times as long: the figure is printed for a quiet one.
      expect(Math.min(...times)).toBeLessThan(60_000);
    }, 300_000);

    test('what the page says is in puzzles.txt', async () => {
      await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('puzzles.txt');
    });
  },
);
