/** Compressed sizes of what a page loads: README states them, so they are checked in both directions. */
import { describe, expect, it } from 'vitest';
import { bundle, gzipBytes } from './bundle.ts';

/** One engine, in bytes: the issue of the library's users is the first load of a page. */
const ONE_ENGINE_BYTES = 30_000;

const SIZES: readonly (readonly [imports: string, from: string, maxBytes: number])[] = [
  ['solveWith, dlx', './browser.ts', ONE_ENGINE_BYTES],
  ['solveWith, bitboard', './browser.ts', 23_000],
  ['solveWith, bitmask', './browser.ts', 14_000],
  ['solve', './browser.ts', 34_000],
  ['check', './browser.ts', 10_000],
  ['generate', './browser.ts', 36_000],
  ['exactCover', './exact-cover.ts', 14_000],
  ['DancingLinks', './compat.ts', 9_000],
  ['solveAll', './browser.ts', 125_000],
];

describe('a page loads', () => {
  it.each(SIZES)('%s from %s in at most %i bytes, compressed', async (imports, from, maxBytes) => {
    const bytes = gzipBytes(await bundle(`export { ${imports} } from '${from}';`));
    expect(bytes).toBeLessThanOrEqual(maxBytes);
    // A much smaller bundle would mean that something is missing, or that the limit is out of date.
    expect(bytes).toBeGreaterThan(maxBytes * 0.85);
  });

  it('the whole library without Node built-ins', async () => {
    const code = await bundle(
      `export * from './browser.ts'; export * from './exact-cover.ts'; export * from './compat.ts';`,
    );
    expect(new TextDecoder().decode(code)).not.toMatch(/["'`]node:|\bprocess\.|\brequire\(/);
  });
});
