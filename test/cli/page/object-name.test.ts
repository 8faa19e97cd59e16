import { describe, expect, test } from 'vitest';
import { downloadName, inboxKey } from '../../../lib/cli/page/object-name.ts';

describe('the key of a file', () => {
  test.each([
    ['puzzles.txt', 'inbox/puzzles.txt'],
    ['a b + "c" <d>.txt', 'inbox/a b + "c" <d>.txt'],
    ['数独/夜 🧩.txt', 'inbox/数独/夜 🧩.txt'],
    ['..txt', 'inbox/..txt'],
    [' ', undefined],
    ['', undefined],
    ['../etc/passwd', undefined],
    ['a/../b.txt', undefined],
    ['a//b.txt', undefined],
    ['/a.txt', undefined],
    ['a/', undefined],
    ['.', undefined],
    ['a\nb.txt', undefined],
    ['\ud800.txt', undefined],
    ['x'.repeat(1018), `inbox/${'x'.repeat(1018)}`],
    ['x'.repeat(1019), undefined],
    ['ü'.repeat(510), undefined],
  ])('%j is %s', (name, key) => {
    const found = inboxKey(name);
    if (key === undefined) expect(found).toMatchObject({ problem: expect.any(String) });
    else expect(found).toBe(key);
  });
});

describe('a file is saved as', () => {
  test.each([
    ['inbox/puzzles.txt', 'puzzles.stats.json'],
    ['inbox/a/b/puzzles.v2.txt.gz', 'puzzles.v2.stats.json'],
    ['inbox/puzzles', 'puzzles.stats.json'],
    ['inbox/.txt', '.txt.stats.json'],
  ])('%s gives %s', (key, name) => {
    expect(downloadName(key, 'stats.json')).toBe(name);
  });
});
