/** The licences that the package may contain, and the list of them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { licencesOf } from '../../bin/build/licences.ts';
import { temporaryFolder } from '../local/fixture-function.ts';
import { type Bom, bomOfPackage } from './bom.ts';
import { isAllowedLicence } from './licences.ts';

describe('an allowed licence', () => {
  it.each([
    ['MIT', true],
    ['(MIT AND Zlib)', true],
    ['(MIT OR GPL-3.0)', true],
    ['(MIT AND GPL-3.0)', false],
    ['GPL-3.0', false],
    ['SEE LICENSE IN x', false],
    [undefined, false],
  ])('%s: %s', (licence, allowed) => {
    expect(isAllowedLicence(licence)).toBe(allowed);
  });
});

describe('the licences of bundled packages', () => {
  /** The licences of packages in a folder: name, licence, and the texts of files. */
  function licencesIn(
    ...packages: [name: string, licence: string | undefined, files?: Record<string, string>][]
  ) {
    const root = temporaryFolder();
    const inputs = packages.map(([name, license, files = {}]) => {
      const manifestText = JSON.stringify({
        name: name.split('node_modules/').at(-1),
        version: '2.0.0',
        license,
      });
      for (const [file, text] of Object.entries({ ...files, 'package.json': manifestText })) {
        const path = join(root, 'node_modules', name, file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
      return `node_modules/${name}/dist/index.js`;
    });
    return licencesOf(root, ['lib/own.ts', ...inputs, ...inputs]).split(`\n${'-'.repeat(80)}\n\n`);
  }

  it('are listed once for each text, with notices', () => {
    const text = { 'LICENSE.md': 'Apache License\r\n', NOTICE: 'Notice\n', 'license-checker.js': 'Code' };
    expect(
      licencesIn(
        ['@scope/a', 'Apache-2.0'],
        ['b', 'Apache-2.0', text],
        ['c', 'MIT', { LICENCE: 'Copyright C' }],
        ['c/node_modules/d', 'Apache-2.0', text],
        ['e', 'MIT-0'],
      ),
    ).toEqual([
      '@scope/a 2.0.0 (Apache-2.0)\nb 2.0.0 (Apache-2.0)\nd 2.0.0 (Apache-2.0)\n\nApache License\n\nNotice\n',
      'c 2.0.0 (MIT)\n\nCopyright C\n',
      'e 2.0.0 (MIT-0)\n',
    ]);
  });

  it.each(['MIT', 'Apache-2.0'])('need a text if they are %s', (licence) => {
    expect(() => licencesIn(['a', licence], ['b', 'ISC', { LICENSE: 'Copyright B' }])).toThrow(
      `a 2.0.0 contains no text of its licence, ${licence}`,
    );
  });

  it('need a name', () => {
    expect(() => licencesIn(['a', undefined])).toThrow('node_modules/a names no licence');
  });
});

describe('a bill of materials', () => {
  const component = (name: string) => ({
    'bom-ref': `${name}@1.0.0`,
    name,
    version: '1.0.0',
    properties: [{ name: 'cdx:npm:package:development', value: 'true' }],
  });
  const bom: Bom = {
    metadata: { component: component('folder') },
    components: [component('@scope/a'), component('b'), component('tool')],
    dependencies: [
      { ref: 'folder@1.0.0', dependsOn: ['@scope/a@1.0.0', 'tool@1.0.0'] },
      { ref: '@scope/a@1.0.0', dependsOn: ['b@1.0.0'] },
      { ref: 'tool@1.0.0', dependsOn: ['b@1.0.0'] },
    ],
  };

  it('has the packages of LICENSES.txt, and no tools', () => {
    const { metadata, components, dependencies } = bomOfPackage(
      bom,
      'dlx-batch',
      '@scope/a 1.0.0 (MIT)\nb 1.0.0 (MIT)\n\nVersion 2.0, January 2004\n',
    );
    expect(metadata.component.name).toBe('dlx-batch');
    expect(components).toEqual(
      ['@scope/a', 'b'].map((name) => ({ ...component(name), scope: 'required', properties: [] })),
    );
    expect(dependencies).toEqual([
      { ref: 'folder@1.0.0', dependsOn: ['@scope/a@1.0.0'] },
      { ref: '@scope/a@1.0.0', dependsOn: ['b@1.0.0'] },
    ]);
  });

  it.each([
    ['a package that npm does not know', 'c 1.0.0 (MIT)\n', 'npm sbom does not list c@1.0.0'],
    ['no package', 'Apache License\n', 'LICENSES.txt names no package'],
  ])('fails for %s', (_name, licences, message) => {
    expect(() => bomOfPackage(bom, 'dlx-batch', licences)).toThrow(message);
  });
});
