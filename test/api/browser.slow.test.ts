/** The library in a real browser, if Chromium is found (see `test/support/chromium.ts`). */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generate, generateMany, solve, solveAll } from '../../lib/api/index.ts';
import { CHROMIUM, inBrowser } from '../support/chromium.ts';
import { DEEP } from '../support/depth.ts';
import { HeadlessBrowser } from '../support/headless-browser.ts';
import { EASY, HARD, MIXED_FILE } from '../support/puzzles.ts';
import { bundle } from './bundle.ts';

/** Puzzles with one and with many solutions, some of them hard. */
const counted = readFileSync(new URL('../fixtures/9x9-counts.txt', import.meta.url), 'utf8')
  .split('\n')
  .map((line) => line.slice(0, 81))
  .filter((line) => line.length === 81)
  .slice(0, 30);
const generated = Array.from(generateMany(50, { seed: 4 }), ({ puzzle }) => puzzle);
const PUZZLES = [EASY, HARD, ...counted, ...generated];

const PAGE = `
  import * as library from './browser.ts';
  import { exactCover } from './exact-cover.ts';
  const statuses = async (records) => {
    const found = [];
    for await (const { status } of records) found.push(status);
    return found;
  };
  Object.assign(globalThis, { library, exactCover, statuses });
`;
const WORKER = `import { serveSolver } from './browser.ts'; serveSolver();`;

/** Uses every module of WebAssembly as soon as it is loaded: code that Playwright evaluates has other permissions. */
const FORBIDDEN_PAGE = `
  import { createSolver, solve, solveAll } from './browser.ts';
  import { exactCover } from './exact-cover.ts';
  const PUZZLES = ${JSON.stringify(PUZZLES)};
  const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
  function compile() {
    try {
      return new WebAssembly.Module(EMPTY_MODULE);
    } catch (error) {
      return error.name;
    }
  }
  async function statuses(records) {
    const found = [];
    for await (const { status } of records) found.push(status);
    return found;
  }
  async function solveEverything() {
    const createWorker = () => new Worker('worker.js', { type: 'module' });
    const solver = createSolver({ createWorker, workers: 1 });
    const onWorker = await statuses(solver.solveAll(PUZZLES.join('\\n')));
    await solver.close();
    return {
      isValid: WebAssembly.validate(EMPTY_MODULE),
      compiled: compile(),
      dlx: PUZZLES.map((puzzle) => solve(puzzle)).map(({ status, solution }) => [status, status === 'solved' ? solution : null]),
      bitboard: PUZZLES.map((puzzle) => solve(puzzle, { engine: 'bitboard' }).error?.code),
      larger: solve('.'.repeat(256)),
      lines: await statuses(solveAll(PUZZLES.join('\\n'))),
      onWorker,
      covers: exactCover({ primary: ['a', 'b'], options: [['a'], ['b'], ['a', 'b']] }).count(),
    };
  }
  globalThis.found = await solveEverything().catch(String);
`;

const VIEW = { width: 400, scheme: 'light', media: 'screen' } as const;

// Skipped without Chromium, which `.ci/run` does not allow: see test/support/chromium.ts.
describe.runIf(CHROMIUM !== undefined)(inBrowser('in a browser'), () => {
  let browser: HeadlessBrowser;
  let server: Server;
  let address: string;
  beforeAll(async () => {
    const scripts = new Map([
      ['/page.js', await bundle(PAGE)],
      ['/worker.js', await bundle(WORKER)],
      ['/forbidden/page.js', await bundle(FORBIDDEN_PAGE)],
      ['/forbidden/worker.js', await bundle(WORKER)],
    ]);
    server = createServer(({ url }, response) => {
      const script = scripts.get(url!);
      response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript');
      if (url!.startsWith('/forbidden/')) response.setHeader('content-security-policy', "script-src 'self'");
      response.end(script ?? '<!doctype html><title>x</title><script type="module" src="page.js"></script>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await HeadlessBrowser.start(CHROMIUM!);
    const { port } = server.address() as AddressInfo;
    address = `http://127.0.0.1:${port}`;
    await browser.show(`${address}/`, VIEW);
    await browser.until('globalThis.statuses !== undefined');
  });
  afterAll(async () => {
    await browser?.close();
    await new Promise((resolve) => server.close(resolve));
    // That of the worker that fails.
    expect(browser.consoleMessages).toEqual(['Error: broken']);
  });

  it.each(DEEP ? (['dlx', 'bitboard', 'backtrack'] as const) : (['dlx', 'bitboard'] as const))(
    '%s solves 9x9 puzzles as in Node, node by node',
    async (engine) => {
      const found = await browser.evaluate(
        `${JSON.stringify(PUZZLES)}.map((puzzle) => library.solve(puzzle, { engine: '${engine}' }))`,
      );
      expect(found).toEqual(JSON.parse(JSON.stringify(PUZZLES.map((puzzle) => solve(puzzle, { engine })))));
    },
  );

  it('solves a compressed file as its body arrives', async () => {
    const expected: string[] = [];
    for await (const { status } of solveAll(MIXED_FILE)) expected.push(status);
    const base64 = gzipSync(MIXED_FILE).toString('base64');
    const body = `new Response(Uint8Array.from(atob('${base64}'), (c) => c.charCodeAt(0))).body`;
    expect(await browser.evaluate(`statuses(library.solveAll(${body}))`)).toEqual(expected);
  });

  it('solves on Web Workers, with the same records', async () => {
    const file = JSON.stringify(`${PUZZLES.join('\n')}\n.....3..4.....2\n`.repeat(10));
    const [inPage, onWorkers, single] = await browser.evaluate<[string[], string[], string]>(`(async () => {
      const createWorker = () => new Worker('/worker.js', { type: 'module' });
      const solver = library.createSolver({ createWorker, workers: 2 });
      const results = await Promise.all([
        statuses(library.solveAll(${file})),
        statuses(solver.solveAll(${file})),
        solver.solve('.'.repeat(256)).then(({ status }) => status),
      ]);
      await solver.close();
      return results;
    })()`);
    expect(inPage.length).toBe(10 * (PUZZLES.length + 1));
    expect(onWorkers).toEqual(inPage);
    expect(single).toBe('multiple');
  });

  it('reports a worker whose script fails', async () => {
    const message = await browser.evaluate(`(async () => {
      const createWorker = () => new Worker('data:text/javascript,throw new Error("broken")');
      const solver = library.createSolver({ createWorker, workers: 1 });
      return solver.solve('.'.repeat(81)).catch((error) => error.message);
    })()`);
    expect(message).toContain('its script must call serveSolver()');
  });

  it('generates and checks puzzles, and finds exact covers', async () => {
    const { puzzle } = generate({ seed: 9 });
    expect(await browser.evaluate('library.generate({ seed: 9 }).puzzle')).toBe(puzzle);
    expect(await browser.evaluate(`library.check('11..............').error.code`)).toBe('clashing_givens');
    const cover = `exactCover({ primary: ['a', 'b'], options: [['a'], ['b'], ['a', 'b']] })`;
    expect(await browser.evaluate(`${cover}.countAsync({ signal: AbortSignal.timeout(10_000) })`)).toBe(2);
  });

  it('where a content security policy forbids WebAssembly, dlx solves in TypeScript and bitboard refuses', async () => {
    const strict = await HeadlessBrowser.start(CHROMIUM!);
    try {
      await strict.show(`${address}/forbidden/`, VIEW);
      await strict.until('globalThis.found !== undefined');
      const lines: string[] = [];
      for await (const { status } of solveAll(PUZZLES.join('\n'))) lines.push(status);
      const inNode = PUZZLES.map((puzzle) => solve(puzzle));
      expect(await strict.evaluate('found')).toEqual({
        isValid: true,
        compiled: 'CompileError',
        // Without WebAssembly, another search shows another solution of several.
        dlx: inNode.map(({ status, solution }) => [status, status === 'solved' ? solution : null]),
        bitboard: inNode.map(() => 'unsupported_variant'),
        larger: JSON.parse(JSON.stringify(solve('.'.repeat(256)))),
        lines,
        onWorker: lines,
        covers: 2,
      });
      expect(strict.consoleMessages).toEqual([]);
    } finally {
      await strict.close();
    }
  });
});
