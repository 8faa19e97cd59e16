import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
/** Imports that are followed when a file is loaded: neither types alone, nor those that wait until they are called. */
const STATIC_IMPORT = /^(?:import|export)\s(?!type\b)[^;()='"]*?\bfrom\s*'([^']+)'|^import\s*'([^']+)'/gm;

/** Files of the project that are loaded with this one, from the project's root. */
function loadedWith(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const [, from, bare] of readFileSync(join(ROOT, path), 'utf8').matchAll(STATIC_IMPORT)) {
    const specifier = (from ?? bare)!;
    if (specifier.startsWith('.')) loadedWith(join(dirname(path), specifier), seen);
  }
  return seen;
}

test('the command-line tool starts without what talks to AWS, and without the local stack', () => {
  const loaded = [...loadedWith('lib/cli/program.ts')];
  expect(loaded).toContain('lib/cli/upload.ts');
  expect(loaded.filter((path) => /^lib\/(aws|local)\//.test(path))).toEqual([]);
});
