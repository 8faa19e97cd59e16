/** Every export of the library has a doc comment with an example, and every example is right. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as browser from '../../lib/api/browser.ts';
import * as compat from '../../lib/api/compat.ts';
import * as exactCover from '../../lib/api/exact-cover.ts';
import * as library from '../../lib/api/index.ts';
import { examplesIn, exportsIn, runExample } from './examples.ts';

const FOLDER = new URL('../../lib/api/', import.meta.url);
const MODULES = {
  'dlx-batch': library,
  'dlx-batch/browser': browser,
  'dlx-batch/exact-cover': exactCover,
  'dlx-batch/compat': compat,
};

const sources = new Map(
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [name, readFileSync(new URL(name, FOLDER), 'utf8')]),
);

/** The names that an entry exports, with those of the files that it exports from. */
function publicNames(entry: string): string[] {
  const source = sources.get(entry)!;
  const named = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names]) =>
    names!.split(',').map((name) => name.trim().replace(/^type /, '')),
  );
  const all = [...source.matchAll(/^export \* from '\.\/([^']+)'/gm)].flatMap(([, file]) =>
    publicNames(file!),
  );
  return [...named, ...all, ...exportsIn(source).map(({ name }) => name)].filter((name) => name !== '');
}

const documented = new Map(
  [...sources.values()].flatMap(exportsIn).map(({ name, comment }) => [name, comment]),
);
const names = new Set(['index.ts', 'browser.ts', 'exact-cover.ts', 'compat.ts'].flatMap(publicNames));

describe('every export has an example', () => {
  it.each([...names])('%s', (name) => {
    expect(documented.get(name)).toContain('@example\n * ```ts\n');
  });

  it('is read from the entries', () => {
    expect([...names]).toEqual(
      expect.arrayContaining(Object.values(MODULES).flatMap((module) => Object.keys(module))),
    );
  });
});

describe.each([...sources].filter(([, source]) => source.includes('@example')))('in %s', (_file, source) => {
  it.each(examplesIn(source).map(({ name, code }) => [name, code]))(
    'the example of %s is right',
    async (_, code) => {
      const assertions = await runExample(code, MODULES, (actual, expected) =>
        expect(actual).toEqual(expected),
      );
      expect(assertions).toBeGreaterThan(0);
    },
  );
});

describe('an example', () => {
  it.each([
    ['1 + 1; // => 3', '2'],
    ['for (const a of [[1]]) a; // => [2]', '1'],
    ["const a = 'x';\nawait Promise.resolve(a); // => 'y'", 'x'],
  ])('with a wrong result fails: %s', async (code, actual) => {
    const run = runExample(code, {}, (a, b) => expect(a).toEqual(b));
    await expect(run).rejects.toThrow(actual);
  });
});
