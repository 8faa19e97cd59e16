/** The packages that an installation brings: their licences, number and size. */
import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isAllowedLicence } from './licences.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAX_PACKAGES = 60;
const MAX_INSTALLED_MB = 24;

interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly peer?: boolean;
  readonly devOptional?: boolean;
}

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
/** Packages that every user gets, by path. */
const production = Object.entries(packages).filter(
  ([path, { dev, optional, peer, devOptional }]) => path !== '' && !(dev || optional || peer || devOptional),
);

describe('the packages that every user installs', () => {
  it('have allowed licences', () => {
    expect(production.filter(([, { license }]) => !isAllowedLicence(license)).map(([path]) => path)).toEqual(
      [],
    );
  });

  it.each([
    ['MIT', true],
    ['(MIT AND Zlib)', true],
    ['(MIT OR GPL-3.0)', true],
    ['(MIT AND GPL-3.0)', false],
    ['GPL-3.0', false],
    ['SEE LICENSE IN x', false],
    [undefined, false],
  ])('may have the licence %s: %s', (licence, allowed) => {
    expect(isAllowedLicence(licence)).toBe(allowed);
  });

  it(`are at most ${MAX_PACKAGES}, and ${MAX_INSTALLED_MB} MB`, () => {
    const bytes = production.reduce((sum, [path]) => sum + bytesIn(join(ROOT, path)), 0);
    expect(production.length).toBeGreaterThan(40);
    expect(production.length).toBeLessThanOrEqual(MAX_PACKAGES);
    expect(bytes / 1e6).toBeGreaterThan(10);
    expect(bytes / 1e6).toBeLessThanOrEqual(MAX_INSTALLED_MB);
  });

  it('are in the bill of materials', () => {
    const text = execFileSync(
      'npm',
      ['sbom', '--omit', 'dev', '--sbom-type', 'library', '--sbom-format', 'cyclonedx'],
      {
        cwd: ROOT,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    const { bomFormat, components } = JSON.parse(text);
    expect(bomFormat).toBe('CycloneDX');
    const listed = components.map(({ purl }: { purl: string }) => decodeURIComponent(purl));
    const expected = production.map(
      ([path, { version }]) => `pkg:npm/${path.split('node_modules/').at(-1)}@${version}`,
    );
    expect(listed).toEqual(expect.arrayContaining(expected));
  }, 60_000);
});

/** Bytes of the files in a folder, without packages of its own. */
function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.name === 'node_modules') return sum;
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? bytesIn(path) : lstatSync(path).size);
  }, 0);
}
