import { sep } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resultFolderPath } from '../../lib/cli/remote/download/safe-path.ts';
import { propertyRuns } from '../support/depth.ts';

const ROOT = `${sep}results`;

describe('the folder of a key', () => {
  it.each([
    ['inbox/puzzles.txt', 'inbox/puzzles.txt'],
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
  ])('%j is %s', (key, expected) => {
    expect(resultFolderPath(ROOT, key)).toBe(`${ROOT}${sep}${expected.split('/').join(sep)}`);
  });

  it('has no name longer than a file system allows, and stays unique', () => {
    const names = (key: string) => resultFolderPath(ROOT, key).split(sep);
    const [a, b] = [`inbox/${'é'.repeat(420)}a`, `inbox/${'é'.repeat(420)}b`].map(names);
    expect(a!.every((name) => Buffer.byteLength(name) <= 255)).toBe(true);
    expect(a!.at(-1)).toMatch(/^é+~[0-9a-f]{16}$/);
    expect(a).not.toEqual(b);
    expect(names(`inbox/${'a'.repeat(255)}`).at(-1)).toBe('a'.repeat(255));
  });

  it('is below the requested folder and unique for the key', () => {
    const name = fc.string({
      unit: fc.constantFrom('.', '/', '\\', '%', 'a', ':', '\u0000', ' ', '2', 'E'),
      maxLength: 8,
    });
    fc.assert(
      fc.property(name, name, (a, b) => {
        const folder = resultFolderPath(ROOT, a);
        expect(folder.startsWith(`${ROOT}${sep}`)).toBe(true);
        if (a !== b) expect(resultFolderPath(ROOT, b)).not.toBe(folder);
      }),
      { numRuns: propertyRuns(2000) },
    );
  });
});
