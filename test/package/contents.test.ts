/** What the packed file contains. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { FUNCTION_NAMES } from '../../functions/bundle.ts';
import manifest from '../../package.json' with { type: 'json' };
import { bundle, gzipBytes } from '../api/bundle.ts';

const DIST = join(import.meta.dirname, '../../dist');
const packed = inject('packed');
const paths = packed.files.map(({ path }) => path);

/** All files that `exports` of `package.json` names. */
function exportedFiles(value: unknown): string[] {
  return typeof value === 'string' ? [value] : Object.values(value as object).flatMap(exportedFiles);
}

describe('the packed file', () => {
  it('has fewer than 100 files and less than 8 MB', () => {
    expect(paths.length).toBeLessThan(100);
    expect(packed.unpackedSize).toBeLessThan(8_000_000);
  });

  it('has the size that the README states', () => {
    const [, megabytes] = /brings one\s+package of (\d+) MB/.exec(
      readFileSync(join(DIST, '../README.md'), 'utf8'),
    )!;
    expect(Number(megabytes)).toBe(Math.round(packed.unpackedSize / 1e6));
  });

  it('has the built files, the documents for users and the launcher, and nothing else', () => {
    expect(paths.filter((path) => !path.startsWith('dist/')).sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'bin/dlx-batch.mjs',
      'docs/runbook.md',
      'package.json',
    ]);
  });

  it('has the licences of the packages in its bundles', () => {
    expect(paths).toContain('dist/LICENSES.txt');
    const licences = readFileSync(join(DIST, 'LICENSES.txt'), 'utf8');
    for (const name of ['@aws-sdk/client-s3', '@smithy/core', 'commander', 'zod']) {
      expect(licences).toMatch(new RegExp(`^${name} \\d.*\\)$`, 'm'));
    }
  });

  it('has every file that package.json names', () => {
    const named = [...exportedFiles(manifest.exports), manifest.main, manifest.types];
    expect(named.map((path) => path.replace('./', '')).filter((path) => !paths.includes(path))).toEqual([]);
  });

  it('has the code of every function, without source maps, and the template', () => {
    expect(paths.filter((path) => path.startsWith('dist/functions/')).sort()).toEqual(
      [...FUNCTION_NAMES.map((name) => `dist/functions/${name}.zip`), 'dist/functions/template.json'].sort(),
    );
  });

  it('has a source map for every ES module of Node that is bundled, without the sources', () => {
    // Copied, not bundled: what starts a function.
    const hasNone = /(?:runtime-client|follow-parent)\.mjs$|^dist\/lib\/browser/;
    const modules = paths.filter((path) => /^dist\/.*\.mjs$/.test(path) && !hasNone.test(path));
    expect(modules.length).toBeGreaterThan(5);
    const maps = modules.map((path) => JSON.parse(readFileSync(join(DIST, '..', `${path}.map`), 'utf8')));
    expect(maps.filter((map) => 'sourcesContent' in map)).toEqual([]);
    expect(maps.flatMap(({ sources }) => sources)).toContain('../../lib/cli/program.ts');
  });

  it('contains no path of the machine that built it', () => {
    const texts = paths.filter((path) => /\.(?:mjs|cjs|map|mts|cts|json|txt)$/.test(path));
    const root = join(DIST, '..');
    expect(texts.filter((path) => readFileSync(join(root, path), 'utf8').includes(root))).toEqual([]);
  });

  it('runs no script when it is installed, and brings no other package', () => {
    expect(
      Object.keys(manifest.scripts).filter((name) => /^(?:pre|post)?install$|^prepare$/.test(name)),
    ).toEqual([]);
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).not.toHaveProperty('optionalDependencies');
    const optional = Object.entries(manifest.peerDependenciesMeta).filter(([, meta]) => meta.optional);
    expect(optional.map(([name]) => name)).toEqual(Object.keys(manifest.peerDependencies));
  });

  it('gives bundlers for browsers the code for browsers', async () => {
    const code = await bundle("export { solve, solveAll } from 'dlx-batch';", join(DIST, '..'));
    expect(gzipBytes(code)).toBeGreaterThan(30_000);
  });

  it('gives a page with one engine 30 kB, compressed', async () => {
    const bytes = gzipBytes(
      await bundle("export { dlx, solveWith } from './browser.mjs';", join(DIST, 'lib')),
    );
    expect(bytes).toBeLessThanOrEqual(30_000);
    expect(bytes).toBeGreaterThan(25_000);
  });
});
