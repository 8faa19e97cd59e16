/** Bundles of the library: compressed sizes of what a page loads, no Node built-ins, CommonJS. */
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { bundle, commonJs, gzipBytes } from './bundle.ts';

/** The limit for `solve` with one engine. */
const ONE_ENGINE_BYTES = 24_500;

const SIZES: readonly (readonly [imports: string, from: string, maxBytes: number])[] = [
  ['solveWith, dlx', './browser.ts', ONE_ENGINE_BYTES],
  ['solveWith, bitboard', './browser.ts', 17_000],
  ['solve', './browser.ts', 28_000],
  ['check', './browser.ts', 8_500],
  ['generate', './browser.ts', 24_500],
  ['exactCover', './exact-cover.ts', 20_850],
  ['DancingLinks', './compat.ts', 8_000],
  ['solveAll', './browser.ts', 146_000],
];

describe('a page loads', () => {
  it.each(SIZES)('%s from %s in at most %i bytes, compressed', async (imports, from, maxBytes) => {
    const bytes = gzipBytes(await bundle(`export { ${imports} } from '${from}';`));
    expect(bytes).toBeLessThanOrEqual(maxBytes);
    // A much smaller bundle lacks something, or the limit is out of date.
    expect(bytes).toBeGreaterThan(maxBytes * 0.85);
  });

  it('the whole library without Node built-ins', async () => {
    const code = await bundle(
      `export * from './browser.ts'; export * from './exact-cover.ts'; export * from './compat.ts';`,
    );
    expect(new TextDecoder().decode(code)).not.toMatch(/["'`]node:|\bprocess\.|\brequire\(/);
  });
});

it.each([
  ['index.ts', 'solve'],
  ['exact-cover.ts', 'exactCover'],
  ['compat.ts', 'DancingLinks'],
])('%s loads as CommonJS', async (entry, name) => {
  const module: { exports: Record<string, unknown> } = { exports: {} };
  const load = new Function('module', 'exports', 'require', await commonJs(entry));
  load(module, module.exports, createRequire(import.meta.url));
  expect(module.exports[name]).toBeInstanceOf(Function);
});
