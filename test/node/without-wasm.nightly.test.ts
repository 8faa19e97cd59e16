/** Without WebAssembly, each case of the catalogue of jobs gives the same; an ordinary 9x9 is searched otherwise. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { describedFound, type Found, jobCatalogue, runCase } from '../batch/jobs.ts';

/**
 * A job with ordinary 9x9 puzzles, or with costs: the general core finds the same, with other nodes, and other first solutions of
 * several.
 */
const OTHERWISE = /"9x9":|"cost":/;

it('the catalogue of jobs gives the same in a thread without WebAssembly', async () => {
  const thread = new Worker(new URL('plain-thread.mjs', import.meta.url), { env: process.env });
  const [plain] = (await once(thread, 'message')) as [(Found | undefined)[]];
  let [whole, otherwise] = [0, 0];
  for (const [at, each] of Object.values(jobCatalogue()).flat().entries()) {
    const found = plain[at];
    if (found === undefined) continue;
    const expected = await runCase(each);
    // WebAssembly has a memory of its own.
    const linesOf = (of: Found) =>
      describedFound(of, each, false).map((line) => line.replaceAll(/"(max|matrix|count)Bytes":\d+/g, ''));
    if (!OTHERWISE.test(expected.files['stats.json'] ?? '')) {
      expect.soft(linesOf(found), each.title).toEqual(linesOf(expected));
      whole++;
      continue;
    }
    // A search that runs out of nodes with one core may end with the other, and `bitboard` refuses such a puzzle.
    if (each.options.engine === 'bitboard' || /"limit":[1-9]/.test(expected.files['stats.json']!)) continue;
    expect.soft(linesOf(found).slice(0, 2), each.title).toEqual(linesOf(expected).slice(0, 2));
    otherwise++;
  }
  expect([whole > 100, otherwise > 50]).toEqual([true, true]);
});
