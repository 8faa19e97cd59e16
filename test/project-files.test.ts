/** The documents and settings at the root of the project agree with each other and with the files that they name. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { documentPages } from './docs/document-pages.ts';

const ROOT = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const DOCS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...readdirSync(new URL('lib', ROOT), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('README.md'))
    .map((path) => `lib/${path}`),
  ...documentPages().map((path) => `docs/${path}`),
  'test/bench/README.md',
  'test/README.md',
];

/** Paths that a document names in backticks, and its relative links. Names in capitals are placeholders. */
function pathsIn(name: string): string[] {
  const document = read(name);
  const quoted = document.matchAll(/`((?:lib|test|bin|functions|\.ci|\.github)\/[\w./-]+)`/g);
  const linked = document.matchAll(/\]\((?!https?:)([^)#]+)\)/g);
  return [
    ...[...quoted].map(([, path]) => path!),
    ...[...linked].map(([, path]) => join(name, '..', path!)),
  ].filter((path) => !path.includes('NAME'));
}

/** Names of npm scripts in a document. */
function scriptsIn(document: string): string[] {
  const run = [...document.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
  return [...run, ...(document.match(/(?<=npm )(?:start|test)\b/g) ?? [])];
}

describe('documents', () => {
  it.each(DOCS)('%s names only files and npm scripts that exist', (name) => {
    const document = read(name);
    expect(pathsIn(name).filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([]);
    expect(scriptsIn(document).filter((script) => !(script in manifest.scripts))).toEqual([]);
  });

  it('name files and npm scripts', () => {
    const all = DOCS.map(read).join('\n');
    expect(DOCS.flatMap(pathsIn)).toEqual(
      expect.arrayContaining(['lib/batch/ports.ts', 'test/bench/results', 'CONTRIBUTING.md']),
    );
    expect(scriptsIn(all)).toEqual(expect.arrayContaining(['start', 'test:slow', 'build:wasm']));
  });

  it('ARCHITECTURE.md lists every module, with its page if it has one', () => {
    const architecture = read('ARCHITECTURE.md');
    const modules = readdirSync(new URL('lib', ROOT)).map((name) => `lib/${name}`);
    expect(modules).toContain('lib/batch');
    for (const name of [...modules, 'functions', 'bin']) {
      const page = `${name}/README.md`;
      const entry = existsSync(new URL(page, ROOT)) ? `| [${name}](${page}) |` : `| ${name} |`;
      expect(architecture).toContain(entry);
    }
  });
});

describe('the Node versions', () => {
  it('of the package are those of package.json', () => {
    expect(manifest.engines).toEqual({ node: '^22.15.0 || >=24.0.0' });
    expect(JSON.parse(read('package-lock.json')).packages[''].engines).toEqual(manifest.engines);
  });

  it('of a checkout is that of a development dependency, which the package does not bring', () => {
    expect(manifest.devDependencies.node).toMatch(/^24\./);
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).not.toHaveProperty('optionalDependencies');
  });

  it.each([
    ['README.md', 'Node 22.15 or newer'],
    ['bin/dlx-batch.mjs', 'if (major > 22 || (major === 22 && minor >= 15)) {'],
    ['bin/dlx-batch.mjs', 'dlx-batch needs Node 22.15 or newer'],
    ['README.md', 'Such a checkout uses Node 24'],
    ['bin/preflight.mjs', 'if (major < 24) {'],
    ['bin/preflight.mjs', 'A checkout of dlx-batch needs Node 24 or newer'],
    ['functions/bundle.ts', `target: 'node24'`],
    ['lib/infra/batch-function.ts', 'Runtime.NODEJS_24_X'],
    ['.github/workflows/ci.yml', 'node-version: 24\n'],
  ])('are in %s: %s', (path, text) => {
    expect(read(path)).toContain(text);
  });
});

it('editors and Biome format alike', () => {
  const { formatter } = JSON.parse(read('biome.json'));
  const settings = read('.editorconfig');
  expect(settings).toContain(`indent_style = ${formatter.indentStyle}\n`);
  expect(settings).toContain(`max_line_length = ${formatter.lineWidth}\n`);
  // Biome's defaults.
  expect(formatter).not.toHaveProperty('indentWidth');
  expect(formatter).not.toHaveProperty('lineEnding');
  expect(settings).toContain('indent_size = 2\n');
  expect(settings).toContain('end_of_line = lf\n');
});

it('no file names an address of the project, as it has none until its first release', () => {
  expect(manifest).not.toHaveProperty('repository');
  expect(manifest).not.toHaveProperty('homepage');
  expect(manifest).not.toHaveProperty('bugs');
  const sources = ['bin', 'functions', 'lib', '.github', 'docs/.vitepress'].flatMap((folder) =>
    readdirSync(new URL(folder, ROOT), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const texts = [...DOCS.map(read), ...sources.map((path) => readFileSync(path, 'utf8'))];
  expect(texts.flatMap((text) => text.match(/https?:\/\/[^\s'"`)]*dlx-batch.*/g) ?? [])).toEqual([]);
});

describe('install scripts', () => {
  const lock: { packages: Record<string, { hasInstallScript?: boolean }> } = JSON.parse(
    read('package-lock.json'),
  );
  const locked = Object.entries(lock.packages);

  it('run only for the packages that are named, each with its reason', () => {
    const found = locked
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => basename(path));
    expect(found).toEqual(['esbuild', 'node']);
    expect(Object.entries(manifest.allowScripts).sort()).toEqual(found.map((name) => [name, true]));
    const [, section = ''] = read('SECURITY.md').split('## Install scripts');
    for (const name of found) expect(section).toMatch(new RegExp(`^\\| \`${name}\` \\| \\S`, 'm'));
  });

  it('of other packages stop npm ci', () => {
    expect(read('.npmrc').split('\n')).toContain('strict-allow-scripts=true');
  });

  it('are not in the package itself', () => {
    // These are the scripts that npm runs or names when it installs a package, packed or from git.
    const own = ['preinstall', 'install', 'postinstall', 'prepare'];
    expect(Object.keys(manifest.scripts).filter((name) => own.includes(name))).toEqual([]);
    expect(manifest).not.toHaveProperty('dependencies');
  });
});
