/** The licences of the packages that bundles contain, which must accompany the bundles. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the innermost package of a path. */
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:-\w+)?(?:\.(?:md|txt))?$/i;
/** Licences that require no notice. */
const WITHOUT_NOTICE = new Set(['MIT-0', '0BSD']);

/** A package in a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly licence: string;
  /** The texts of its licence and notice files; empty if it has none. */
  readonly text: string;
}

/**
 * The packages in bundles, by the path of their folder.
 *
 * @param inputs paths of bundled files from the root
 * @throws Error if a package names no licence
 */
export function bundledPackages(root: string, inputs: readonly string[]): BundledPackage[] {
  const folders = new Set(inputs.map((path) => PACKAGE.exec(path)?.[0]).filter((path) => path !== undefined));
  return [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    if (typeof license !== 'string') throw new Error(`${folder} names no licence`);
    return { name, version, licence: license, text: licenceText(join(root, folder)) };
  });
}

/**
 * Names, versions and texts of all licences. Texts that several packages share are written once.
 *
 * @param inputs paths of bundled files from the root
 * @throws Error if a package names no licence, or the text of a licence that requires one is in no package
 */
export function licencesOf(root: string, inputs: readonly string[]): string {
  const packages = bundledPackages(root, inputs);
  const packagesOf = new Map<string, string[]>();
  for (const { name, version, licence, text } of packages) {
    const shared = text || apacheText(licence, packages);
    if (shared === '' && !WITHOUT_NOTICE.has(licence)) {
      throw new Error(`${name} ${version} contains no text of its licence, ${licence}`);
    }
    packagesOf.set(shared, [...(packagesOf.get(shared) ?? []), `${name} ${version} (${licence})`]);
  }
  return [...packagesOf]
    .map(([text, names]) => `${[names.join('\n'), text].filter((part) => part !== '').join('\n\n')}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** Some packages of the AWS SDK name the Apache licence, and only others contain its text. */
function apacheText(licence: string, packages: readonly BundledPackage[]): string {
  if (licence !== 'Apache-2.0') return '';
  return packages.find((other) => other.licence === licence && other.text !== '')?.text ?? '';
}

/** The texts of the licence and notice files of a package. */
function licenceText(folder: string): string {
  return readdirSync(folder)
    .filter((name) => LICENCE_FILE.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n');
}
