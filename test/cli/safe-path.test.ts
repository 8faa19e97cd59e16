import { sep } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resultFolder } from '../../lib/cli/remote/safe-path.ts';

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
    expect(resultFolder(ROOT, key)).toBe(`${ROOT}${sep}${expected.split('/').join(sep)}`);
  });

  it('lies below the folder that was asked for, and is that of no other key', () => {
    const name = fc.string({
      unit: fc.constantFrom('.', '/', '\\', '%', 'a', ':', '\u0000', ' ', '2', 'E'),
      maxLength: 8,
    });
    fc.assert(
      fc.property(name, name, (a, b) => {
        const folder = resultFolder(ROOT, a);
        expect(folder.startsWith(`${ROOT}${sep}`)).toBe(true);
        if (a !== b) expect(resultFolder(ROOT, b)).not.toBe(folder);
      }),
      { numRuns: 2000 },
    );
  });
});
