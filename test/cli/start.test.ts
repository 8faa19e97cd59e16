import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VERSION } from '../../lib/batch/version.ts';
import { temporaryFolder } from '../local/fixture-function.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Static imports of values, which are loaded with a file; not type imports and not dynamic imports. */
const STATIC_IMPORT = /^(?:import|export)\s(?!type\b)[^;()='"]*?\bfrom\s*'([^']+)'|^import\s*'([^']+)'/gm;

/** The project's files that are loaded with this file, relative to the project's root. */
function loadedWith(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const [, from, bare] of readFileSync(join(ROOT, path), 'utf8').matchAll(STATIC_IMPORT)) {
    const specifier = (from ?? bare)!;
    if (specifier.startsWith('.')) loadedWith(join(dirname(path), specifier), seen);
  }
  return seen;
}

test.each<readonly [name: string, unused: RegExp]>([
  ['program', /^lib\/(aws|local|formats\/formats|sudoku\/engines|batch\/options)\b/],
  ...['download', 'retry', 'run', 'status', 'upload'].map(
    (name) => [`commands/${name}`, /^lib\/(local\/stack|formats\/formats|sudoku\/engines)\./] as const,
  ),
])('%s starts without loading %s: the SDK, readers of formats, searches', (name, unused) => {
  const loaded = [...loadedWith(`lib/cli/${name}.ts`)];
  expect(loaded).toContain('lib/cli/exit.ts');
  expect(loaded.filter((path) => unused.test(path))).toEqual([]);
});

const LAUNCHER = join(ROOT, 'bin/dlx-batch.mjs');
/** Options of Node that make it report another version. */
function reporting(version: string): string[] {
  const versions = JSON.stringify({ value: { node: version } });
  return ['--import', `data:text/javascript,Object.defineProperty(process,'versions',${versions})`];
}

test('the launcher of npx starts the command-line tool', () => {
  const { status, stdout } = spawnSync(process.execPath, [LAUNCHER, '--version'], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, `${VERSION}\n`]);
});

/** The line that rejects a version of Node, without what differs between machines. */
function rejection({ status, stdout, stderr }: { status: number | null; stdout: string; stderr: string }) {
  expect([status, stdout]).toEqual([2, '']);
  return stderr.replaceAll(process.version, 'v<version>').replaceAll(ROOT, '<project>');
}

test('a Node version that cannot run the sources is rejected in one line with advice', async () => {
  const ended = spawnSync(process.execPath, [...reporting('20.20.2'), LAUNCHER], { encoding: 'utf8' });
  await expect(rejection(ended)).toMatchFileSnapshot('node-of-checkout.txt');
});

describe('in the package, the launcher', () => {
  /** Starts it next to a built program that prints a text. */
  function launch(version: string) {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'bin'));
    mkdirSync(join(folder, 'dist/cli'), { recursive: true });
    for (const name of ['dlx-batch.mjs', 'compile-cache.mjs']) {
      cpSync(join(ROOT, 'bin', name), join(folder, 'bin', name));
    }
    writeFileSync(
      join(folder, 'dist/cli/program.mjs'),
      "export const runProgram = async () => process.stdout.write('built');",
    );
    const args = [...reporting(version), join(folder, 'bin/dlx-batch.mjs')];
    const { NODE_COMPILE_CACHE: _, ...env } = process.env;
    return { ...spawnSync(process.execPath, args, { encoding: 'utf8', env }), files: readdirSync(folder) };
  }

  test.each(['22.15.0', '26.9.0'])(
    'starts the built program on Node %s, and keeps it compiled',
    (version) => {
      const { status, stdout, stderr, files } = launch(version);
      expect([status, stdout, stderr]).toEqual([0, 'built', '']);
      expect(files).toEqual(['bin', 'dist', 'node_modules']);
    },
  );

  test.each(['14.21.3', '22.14.0'])('rejects Node %s in one line', async (version) => {
    await expect(rejection(launch(version))).toMatchFileSnapshot('node-of-package.txt');
  });
});
