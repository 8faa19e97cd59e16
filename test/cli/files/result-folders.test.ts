import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { resultFolders } from '../../../lib/cli/files/result-folders.ts';
import { propertyRuns } from '../../support/depth.ts';
import { folderWith } from '../program.ts';

const ROOT = `${sep}results`;
const KELVIN = '\u212a';

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

describe('the folder of a key', () => {
  it.each([
    ['inbox/puzzles.txt', 'inbox/puzzles.txt'],
    ['inbox/Puzzles.TXT', 'inbox/Puzzles.TXT'],
    ['inbox/ü ñ/a+b.txt', 'inbox/ü ñ/a+b.txt'],
    ['../../etc/passwd', '%2E%2E/%2E%2E/etc/passwd'],
    ['a/./b', 'a/%2E/b'],
    ['/absolute', '%/absolute'],
    ['a//b', 'a/%/b'],
    ['a/', 'a/%'],
    ['C:\\windows', 'C%3A%5Cwindows'],
    ['a\u0000b', 'a%00b'],
    ['100%', '100%25'],
    ['ends.', 'ends%2E'],
    ['ends ', 'ends%20'],
    ['inbox/a?b*c<d>e|f"', 'inbox/a%3Fb%2Ac%3Cd%3Ee%7Cf%22'],
    ['inbox/\u202etxt.exe\u200b', 'inbox/%E2%80%AEtxt.exe%E2%80%8B'],
    ['inbox/\u0085\u2028', 'inbox/%C2%85%E2%80%A8'],
    // Devices of Windows.
    ['inbox/CON', 'inbox/%43ON'],
    ['inbox/nul.txt', 'inbox/%6Eul.txt'],
    ['inbox/com1.tar.gz', 'inbox/%63om1.tar.gz'],
    ['inbox/LPT¹', 'inbox/%4CPT¹'],
    ['inbox/aux .txt', 'inbox/%61ux .txt'],
    ['inbox/console.txt', 'inbox/console.txt'],
    // Files of the result set of inbox/k.
    ['inbox/k/solutions.txt', 'inbox/k/solutions%2Etxt'],
    ['inbox/k/Manifest.json', 'inbox/k/Manifest%2Ejson'],
    ['inbox/k/stats.json.part', 'inbox/k/stats.json%2Epart'],
    ['inbox/k/writing.pid', 'inbox/k/writing%2Epid'],
    ['inbox/k/writing.pid.taking/x', 'inbox/k/writing.pid%2Etaking/x'],
    ['inbox/solutions.txt', 'inbox/solutions.txt'],
    ['solutions.txt', 'solutions.txt'],
    // The form of a name that was cut.
    ['inbox/a~0123456789abcdef', 'inbox/a%7E0123456789abcdef'],
  ])('%j is %s', async (key, expected) => {
    expect(await pathsOf([key])).toEqual([expected]);
  });

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

  it.each([
    ['case', ['inbox/a.txt', 'inbox/A.txt']],
    ['case in a folder', ['inbox/June/a.txt', 'inbox/june/a.txt']],
    ['Unicode forms', ['inbox/\u00fc', 'inbox/u\u0308']],
    ['letters with the same capital', ['inbox/stra\u00dfe', 'inbox/STRASSE']],
    ['compatible signs', [`inbox/${KELVIN}`, 'inbox/k']],
    ['a result file in other letters', ['inbox/k', 'inbox/k/\u017folutions.txt', 'inbox/k/solutions.txt']],
  ])('is distinct on every system from that of a key that differs in %s', async (_name, keys) => {
    const paths = await pathsOf(keys);
    expect(new Set(paths.map(seenByOthers)).size).toBe(keys.length);
    // In any order.
    expect(await pathsOf([...keys].reverse())).toEqual([...paths].reverse());
    for (const path of paths) expect(path).not.toMatch(/k\/.olutions\.txt$/);
  });

  it('is the plain one for the first of similar keys, and has a hash for the others', async () => {
    const [upper, lower] = await pathsOf(['inbox/A.txt', 'inbox/a.txt']);
    expect(upper).toBe('inbox/A.txt');
    expect(lower).toMatch(/^inbox\/a\.txt~[0-9a-f]{16}$/);
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

describe('the folder of a file of this machine', () => {
  it('has the name of the file, and a hash if another file has the same name', async () => {
    const files = ['x/a.txt', 'y/a.txt', 'y/A.txt', 'b.txt'];
    const inputs = files.map((path) => ({ name: basename(path), id: path }));
    const folders = await resultFolders('out', inputs, false);
    expect(files.map((path) => folders.get(path))).toEqual([
      expect.stringMatching(/^out.a\.txt~[0-9a-f]{16}$/),
      expect.stringMatching(/^out.a\.txt~[0-9a-f]{16}$/),
      join('out', 'A.txt'),
      join('out', 'b.txt'),
    ]);
    expect(new Set(folders.values()).size).toBe(4);
    expect([...folders.values()].every((folder) => dirname(folder) === 'out')).toBe(true);
  });
});
