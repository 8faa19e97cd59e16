/** The licences of the packages that bundles contain. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the innermost package of a path. */
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)/i;

/**
 * Names, versions and texts of all licences. Texts that several packages share are written once.
 *
 * @param inputs paths of bundled files from the root
 * @throws Error if a package names no licence
 */
export function licencesOf(root: string, inputs: readonly string[]): string {
  const folders = new Set(inputs.map((path) => PACKAGE.exec(path)?.[0]).filter((path) => path !== undefined));
  const packagesOf = new Map<string, string[]>();
  for (const folder of [...folders].sort()) {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    if (typeof license !== 'string') throw new Error(`${folder} names no licence`);
    const text = licenceText(join(root, folder));
    packagesOf.set(text, [...(packagesOf.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  return [...packagesOf]
    .map(([text, packages]) => `${packages.join('\n')}\n\n${text || NO_TEXT}`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** Some packages of the AWS SDK name a licence whose text only others contain; MIT-0 requires none. */
const NO_TEXT = 'These packages name their licence and contain no text of it.\n';

/** The texts of the licence and notice files of a package. */
function licenceText(folder: string): string {
  const names = readdirSync(folder).filter((name) => LICENCE_FILE.test(name));
  return names
    .sort()
    .map((name) => `${readFileSync(join(folder, name), 'utf8').trim()}\n`)
    .join('\n');
}
