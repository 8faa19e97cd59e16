/** The licences of other people's code in bundles, which must accompany the bundles of a package. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The members of esbuild's metafile that are used here. */
interface BundleDescription {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

/** A package with code in a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly licence: string;
  /** The text of its licence; undefined if the package has none. */
  readonly text: string | undefined;
}

/** Licences that require no notice. */
const WITHOUT_NOTICE = new Set(['MIT-0', '0BSD']);

/**
 * The packages with code in bundles, by name.
 *
 * @param root absolute path of the project
 * @param metafiles those of the bundles
 */
export function bundledPackages(root: string, metafiles: readonly BundleDescription[]): BundledPackage[] {
  const folders = new Set<string>();
  for (const { outputs } of metafiles) {
    for (const { inputs } of Object.values(outputs)) {
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
        if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
      }
    }
  }
  return [...folders].sort().map((folder) => readPackage(join(root, folder)));
}

function readPackage(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)(?:-\w+)?(?:\.(?:md|txt))?$/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
  return { name, version, licence: license, text: texts.length === 0 ? undefined : texts.join('\n\n') };
}

/**
 * The text of THIRD-PARTY-LICENSES: the packages with equal texts, then their text.
 *
 * @throws Error if the text of a licence that requires one is in no package
 */
export function thirdPartyLicences(packages: readonly BundledPackage[]): string {
  const groups = new Map<string, BundledPackage[]>();
  for (const bundled of packages) {
    const text = bundled.text ?? textOf(bundled.licence, packages);
    if (text === undefined && !WITHOUT_NOTICE.has(bundled.licence)) {
      throw new Error(`${bundled.name} ${bundled.version} has no text of its licence, ${bundled.licence}`);
    }
    const group = groups.get(text ?? '');
    if (group === undefined) groups.set(text ?? '', [bundled]);
    else group.push(bundled);
  }
  const sections = [...groups].map(([text, group]) =>
    [...group.map(({ name, version, licence }) => `${name} ${version} (${licence})`), '', text]
      .join('\n')
      .trim(),
  );
  return `${['The bundles in this folder contain code of these packages.', ...sections].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** Some packages name the Apache licence, whose text is the same for all, and leave it out. */
function textOf(licence: string, packages: readonly BundledPackage[]): string | undefined {
  if (licence !== 'Apache-2.0') return undefined;
  return packages.find((other) => other.licence === licence && other.text !== undefined)?.text;
}
