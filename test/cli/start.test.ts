import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { VERSION } from '../../lib/batch/version.ts';

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

test('the command-line tool starts without loading the AWS code or the local stack', () => {
  const loaded = [...loadedWith('lib/cli/program.ts')];
  expect(loaded).toContain('lib/cli/commands/upload.ts');
  expect(loaded.filter((path) => /^lib\/(aws|local)\//.test(path))).toEqual([]);
});

const LAUNCHER = join(ROOT, 'bin/dlx-batch.mjs');
/** Makes Node report a version that cannot run the sources. */
const OLD_NODE = "data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.20.2'}})";

test('the launcher of npx starts the command-line tool', () => {
  const { status, stdout } = spawnSync(process.execPath, [LAUNCHER, '--version'], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, `${VERSION}\n`]);
});

test('a Node version that cannot run the sources is rejected in one line with advice', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', OLD_NODE, LAUNCHER], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(
    /^A checkout of dlx-batch needs Node 24 or newer, and found .*, or install Node 24\.\n$/,
  );
});
