/** Bills of materials in the format CycloneDX, as far as they are used here. */
interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly scope?: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

export interface Bom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/**
 * Reduces the bill of materials of a checkout to that of the package.
 *
 * @param name of the package; npm writes that of the folder
 * @param licences the text of `LICENSES.txt`, with a line `NAME VERSION (LICENCE)` for each package
 * @throws Error if a package is in only one of the two
 */
export function bomOfPackage(bom: Bom, name: string, licences: string): Bom {
  const names = [...licences.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) (\d+\.\d+\.\d\S*) \(.+\)$/gm)];
  const refs = new Set(names.map(([, packageName, version]) => `${packageName}@${version}`));
  if (refs.size === 0) throw new Error('LICENSES.txt names no package');
  // The whole package takes the parts of all bundles.
  const root = bom.metadata.component['bom-ref'];
  const components = bom.components
    .filter((component) => refs.has(component['bom-ref']))
    .map((component) => ({
      ...component,
      scope: 'required',
      // npm marks them as packages for development only.
      properties: component.properties?.filter((property) => property.name !== 'cdx:npm:package:development'),
    }));
  const found = new Set(components.map((component) => component['bom-ref']));
  const missing = [...refs].filter((ref) => !found.has(ref));
  if (missing.length > 0) throw new Error(`npm sbom does not list ${missing.join(', ')}`);
  return {
    ...bom,
    metadata: { ...bom.metadata, component: { ...bom.metadata.component, name } },
    components,
    dependencies: bom.dependencies
      .filter(({ ref }) => found.has(ref) || ref === root)
      .map(({ ref, dependsOn = [] }) => ({
        ref,
        dependsOn: dependsOn.filter((other) => found.has(other)),
      })),
  };
}
