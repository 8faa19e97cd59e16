import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { resultFolders } from '../../../lib/cli/files/result-folders.ts';
import { propertyRuns } from '../../support/depth.ts';
import { expectTable } from '../../support/text-table.ts';
import { folderWith } from '../program.ts';

const ROOT = `${sep}results`;

async function pathsOf(keys: readonly string[], root = ROOT): Promise<string[]> {
  const inputs = keys.map((key) => ({ name: key, id: key }));
  const folders = await resultFolders(root, inputs, root !== ROOT);
  return keys.map((key) => relative(root, folders.get(key)!).split(sep).join('/'));
}

/** What a file system that ignores case and Unicode forms, and Windows, make of a path. */
function seenByOthers(path: string): string {
  return path
    .split('/')
    .map((name) =>
      name
        .normalize('NFC')
        .toLowerCase()
        .replace(/[. ]+$/, ''),
    )
    .join('/');
}

/** The result set of a key, as a download writes it. */
function ownedBy(folder: string, key: string, file = 'manifest.json'): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), JSON.stringify({ input: { key } }));
}

test('folders are as result-folders.txt says', () =>
  expectTable(new URL('result-folders.txt', import.meta.url), {
    'the folder of a key, on any system': (key) => pathsOf([key]),
    'the folders of similar keys, of which the first has the plain one, and the others have a hash': async (
      keys,
    ) => {
      const paths = await pathsOf(keys);
      expect(new Set(paths.map(seenByOthers)).size).toBe(keys.length);
      // In any order.
      expect(await pathsOf([...keys].reverse())).toEqual([...paths].reverse());
      return paths;
    },
    'the folders of files of this machine, which have the names of the files': async (
      files: readonly string[],
    ) => {
      const inputs = files.map((path) => ({ name: basename(path), id: path }));
      const folders = await resultFolders('out', inputs, false);
      return files.map((path) => folders.get(path)!.split(sep).join('/'));
    },
  }));

describe('the folder of a key', () => {
  it('has no name or path longer than a file system allows, and stays unique', async () => {
    const long = await pathsOf([`inbox/${'é'.repeat(420)}a`, `inbox/${'é'.repeat(420)}b`]);
    expect(long[0]).toMatch(/^inbox\/é+~[0-9a-f]{16}$/);
    expect(long[0]).not.toBe(long[1]);
    for (const path of long) expect(Buffer.byteLength(basename(path))).toBeLessThanOrEqual(255);
    expect(await pathsOf([`inbox/${'a'.repeat(255)}`])).toEqual([`inbox/${'a'.repeat(255)}`]);
    const deep = await pathsOf([`${'a?/'.repeat(340)}x`, `${'a?/'.repeat(340)}y`]);
    expect(deep[0]).toMatch(/^(a%3F\/)+~[0-9a-f]{16}$/);
    expect(deep[0]).not.toBe(deep[1]);
    for (const path of deep) expect(Buffer.byteLength(path)).toBeLessThan(1000);
  });

  it.each(['manifest.json', 'error.json'])(
    'stays the same in later downloads, with other keys: %s',
    async (file) => {
      const root = folderWith({}, onTestFinished);
      ownedBy(join(root, 'inbox/a.txt'), 'inbox/a.txt', file);
      const [upper, lower] = await pathsOf(['inbox/A.txt', 'inbox/a.txt'], root);
      expect(lower).toBe('inbox/a.txt');
      expect(upper).toMatch(/^inbox\/A\.txt~[0-9a-f]{16}$/);
      ownedBy(join(root, upper!), 'inbox/A.txt', file);
      expect(await pathsOf(['inbox/A.txt'], root)).toEqual([upper]);
      expect(await pathsOf(['inbox/a.txt'], root)).toEqual([lower]);
    },
  );

  it('may have the result set of a file of this machine, or a damaged one', async () => {
    const root = folderWith(
      { 'inbox/a.txt/manifest.json': '{"input":{"file":"a.txt"}}', 'inbox/b.txt/manifest.json': '{' },
      onTestFinished,
    );
    expect(await pathsOf(['inbox/a.txt', 'inbox/b.txt'], root)).toEqual(['inbox/a.txt', 'inbox/b.txt']);
  });

  it('is below the requested folder, and distinct on every system', async () => {
    const unit = fc.constantFrom(
      ...['.', '/', '\\', '%', 'a', 'A', ':', '\u0000', ' ', '2', 'E', '~', 'ü', 'u\u0308', '\u202e'],
      ...['con', 'nul', 'solutions.txt', 'error.json', '/k/', '0123456789abcdef', 'ß', 'SS', 'ı', 'I'],
    );
    const key = fc.array(unit, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(key, { maxLength: 6 }), async (keys) => {
        const paths = await pathsOf(keys);
        for (const path of paths) {
          expect(path.split('/')).not.toContain('..');
          expect(path.split('/').every((name) => name !== '' && !/[\\:\0]|[. ]$/.test(name))).toBe(true);
        }
        expect(new Set(paths.map(seenByOthers)).size).toBe(keys.length);
        // No folder is where another result set has a file.
        for (const path of paths) {
          const parents = path.split('/').map((_, k, names) => seenByOthers(names.slice(0, k).join('/')));
          for (const other of paths.map(seenByOthers)) {
            const file = path.split('/')[other.split('/').length]?.toLowerCase();
            if (parents.includes(other)) expect(file).not.toMatch(/^(solutions\.txt|error\.json)$/);
          }
        }
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
