/** What the packed file contains: its files, sizes, and the packages whose code is in it, with their licences. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { FUNCTION_NAMES } from '../../functions/bundle.ts';
import manifest from '../../package.json' with { type: 'json' };
import { bundle, gzipBytes } from '../api/bundle.ts';
import { type Bom, bomOfPackage } from '../release/bom.ts';
import { isAllowedLicence } from '../release/licences.ts';

const ROOT = join(import.meta.dirname, '../..');
const DIST = join(ROOT, 'dist');
/** The largest size of the code of each folder, in kB: a tenth more than at the last change. */
const MAX_KB = { cli: 3240, lib: 1920 };
/** Documents whose JSON Schema is in the package. */
const DOCUMENTS = 'done event latest manifest record reject run stats status unsolved'.split(' ');
const packed = inject('packed');
const paths = packed.files.map(({ path }) => path);

/** All files that `exports` of `package.json` names. */
function exportedFiles(value: unknown): string[] {
  return typeof value === 'string' ? [value] : Object.values(value as object).flatMap(exportedFiles);
}

describe('the packed file', () => {
  it('has fewer than 110 files and less than 8 MB', () => {
    expect(paths.length).toBeLessThan(110);
    expect(packed.unpackedSize).toBeLessThan(8_000_000);
  });

  it('has the size that the README states', () => {
    const [, megabytes] = /brings one\s+package of (\d+) MB/.exec(
      readFileSync(join(ROOT, 'README.md'), 'utf8'),
    )!;
    expect(Number(megabytes)).toBe(Math.round(packed.unpackedSize / 1e6));
  });

  it('has the built files, the documents for users and the launcher, and nothing else', () => {
    expect(paths.filter((path) => !path.startsWith('dist/')).sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'bin/compile-cache.mjs',
      'bin/dlx-batch.mjs',
      'docs/runbook.md',
      'package.json',
      ...DOCUMENTS.map((name) => `schemas/${name}.json`),
    ]);
  });

  it.each(Object.entries(MAX_KB))('has in %s at most %d kB of code', (name, kB) => {
    const code = packed.files.filter(({ path }) => new RegExp(`^dist/${name}/[^/]+\\.[cm]js$`).test(path));
    const size = code.reduce((sum, file) => sum + file.size, 0) / 1000;
    expect(size).toBeLessThanOrEqual(kB);
    expect(size).toBeGreaterThan(kB * 0.4);
  });

  it('has only code with allowed licences, which accompany it and which its bill of materials lists', () => {
    expect(paths).toContain('dist/LICENSES.txt');
    const licences = readFileSync(join(DIST, 'LICENSES.txt'), 'utf8');
    const packages = [...licences.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) (\d+\.\d+\.\d\S*) \((.+)\)$/gm)];
    expect(packages.map(([, name]) => name)).toEqual(
      expect.arrayContaining(['@aws-sdk/client-s3', '@smithy/core', 'commander', 'zod']),
    );
    expect(packages.filter(([, , , licence]) => !isAllowedLicence(licence))).toEqual([]);
    const all = execFileSync('npm', ['sbom', '--sbom-type', 'library', '--sbom-format', 'cyclonedx'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const bom = bomOfPackage(JSON.parse(all) as Bom, manifest.name, licences);
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'dlx-batch' } } });
    const listed = bom.components.map(({ 'bom-ref': ref }) => ref);
    expect(listed.toSorted()).toEqual(packages.map(([, name, version]) => `${name}@${version}`).toSorted());
  });

  it('has every file that package.json names', () => {
    const named = [...exportedFiles(manifest.exports), manifest.main, manifest.types];
    const patterns = named.map((path) => path.replace('./', ''));
    // A `*` in a name stands for one or more files.
    const isPacked = (pattern: string) => {
      const [start, end = ''] = pattern.split('*') as [string, string?];
      return paths.some(
        (path) => path === pattern || (pattern.includes('*') && path.startsWith(start) && path.endsWith(end)),
      );
    };
    expect(patterns.filter((pattern) => !isPacked(pattern))).toEqual([]);
  });

  it('has the code of every function, without source maps, and the template', () => {
    expect(paths.filter((path) => path.startsWith('dist/functions/')).sort()).toEqual(
      [
        ...FUNCTION_NAMES.map((name) => `dist/functions/${name}.json.gz`),
        'dist/functions/template.json',
      ].sort(),
    );
  });

  it('has a source map for every ES module of Node that is bundled, without the sources', () => {
    // Copied, not bundled: what starts a function.
    const hasNone = /(?:runtime-client|follow-parent)\.mjs$|^dist\/lib\/browser/;
    const modules = paths.filter((path) => /^dist\/.*\.mjs$/.test(path) && !hasNone.test(path));
    expect(modules.length).toBeGreaterThan(5);
    const maps = modules.map((path) => JSON.parse(readFileSync(join(ROOT, `${path}.map`), 'utf8')));
    expect(maps.filter((map) => 'sourcesContent' in map)).toEqual([]);
    expect(maps.flatMap(({ sources }) => sources)).toContain('../../lib/cli/program.ts');
  });

  it('contains no path of the machine that built it', () => {
    const texts = paths.filter((path) => /\.(?:mjs|cjs|map|mts|cts|json|txt)$/.test(path));
    expect(texts.filter((path) => readFileSync(join(ROOT, path), 'utf8').includes(ROOT))).toEqual([]);
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
    const code = await bundle("export { solve, solveAll } from 'dlx-batch';", ROOT);
    expect(gzipBytes(code)).toBeGreaterThan(30_000);
  });

  it('gives a page with one engine 26 kB, compressed', async () => {
    const bytes = gzipBytes(
      await bundle("export { dlx, solveWith } from './browser.mjs';", join(DIST, 'lib')),
    );
    expect(bytes).toBeLessThanOrEqual(26_000);
    expect(bytes).toBeGreaterThan(20_000);
  });
});
