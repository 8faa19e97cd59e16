/**
 * Runs the tests of the npm package `dancing-links` with our compatibility layer in its place.
 *
 *     git clone --branch v4.3.10 https://github.com/TimBeyer/dancing-links.git FOLDER
 *     node test/api/package-specs.ts FOLDER
 *
 * Only the public entry is replaced: of the package's internals, some tests import the matrix and the search.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const COMPAT = fileURLToPath(new URL('../../lib/api/compat.ts', import.meta.url));

const replaced: Plugin = {
  name: 'compat',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/\.\.\/(?:index|lib\/index|lib\/solvers\/factory)\.js$/ }, () => ({
      path: COMPAT,
    }));
  },
};

const checkout = process.argv[2];
if (checkout === undefined) throw new Error('expected a folder with a checkout of dancing-links');
const specs = resolve(checkout, 'test/unit');
const folder = mkdtempSync(join(tmpdir(), 'package-specs-'));
try {
  await build({
    entryPoints: readdirSync(specs).map((name) => join(specs, name)),
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['chai'],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    plugins: [replaced],
  });
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: folder, stdio: 'inherit' });
  run('npm', 'install', '--no-audit', '--no-fund', '--no-save', 'mocha@11.7.5', 'chai@5.2.1');
  run('npx', 'mocha', '*.spec.mjs');
} finally {
  rmSync(folder, { recursive: true });
}
