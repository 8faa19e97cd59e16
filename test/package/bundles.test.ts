/** The packages whose code the package contains: their licences, and the sizes of its bundles. */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommand } from '../../bin/build/command.ts';
import { buildLibrary } from '../../bin/build/library.ts';
import { bundledPackages, licencesOf } from '../../bin/build/licences.ts';
import manifest from '../../package.json' with { type: 'json' };
import { temporaryFolder } from '../local/fixture-function.ts';
import { type Bom, bomOfPackage } from '../release/bom.ts';
import { isAllowedLicence } from '../release/licences.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** esbuild takes seconds on a busy machine. */
const BUNDLING_MS = 120_000;
/** The largest size of the code of each folder of the package, in kB: a tenth more than at the last change. */
const MAX_KB = { cli: 2655, lib: 1920 };

describe('the bundles for users', () => {
  let folder: string;
  const inputs: Record<keyof typeof MAX_KB, string[]> = { cli: [], lib: [] };

  beforeAll(async () => {
    folder = temporaryFolder(afterAll);
    inputs.cli = await buildCommand(ROOT, join(folder, 'cli'));
    inputs.lib = await buildLibrary(ROOT, join(folder, 'lib'));
  }, BUNDLING_MS);

  it.each(Object.entries(MAX_KB) as [keyof typeof MAX_KB, number][])(
    '%s has at most %d kB of code',
    (name, kB) => {
      const files = readdirSync(join(folder, name)).filter((file) => /\.[cm]js$/.test(file));
      const size = files.reduce((sum, file) => sum + statSync(join(folder, name, file)).size, 0) / 1000;
      expect(size).toBeLessThanOrEqual(kB);
      expect(size).toBeGreaterThan(kB * 0.4);
    },
  );

  it.each(Object.keys(MAX_KB) as (keyof typeof MAX_KB)[])(
    '%s has only code with allowed licences',
    (name) => {
      const packages = bundledPackages(ROOT, inputs[name]);
      expect(packages.filter(({ licence }) => !isAllowedLicence(licence))).toEqual([]);
    },
  );

  it('are accompanied by the licences of all packages in them, which their bill of materials lists', () => {
    const packages = bundledPackages(ROOT, inputs.cli);
    expect(packages.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['@smithy/core', 'commander', 'zod']),
    );
    const licences = licencesOf(ROOT, inputs.cli);
    for (const { name, version, licence } of packages) {
      expect(`\n${licences}`).toContain(`\n${name} ${version} (${licence})\n`);
    }
    const all = execFileSync('npm', ['sbom', '--sbom-type', 'library', '--sbom-format', 'cyclonedx'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const bom = bomOfPackage(JSON.parse(all) as Bom, manifest.name, licences);
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'dlx-batch' } } });
    const listed = bom.components.map(({ 'bom-ref': ref }) => ref);
    expect(listed.toSorted()).toEqual(packages.map(({ name, version }) => `${name}@${version}`).toSorted());
  }, 60_000);
});
