/** Exact-cover files that are too large for the catalogue. */
import { expect, it } from 'vitest';
import { readCovers } from './reading-covers.ts';

it('items may be more than two bytes can number', () => {
  const names = Array.from({ length: 150_000 }, (_, item) => item.toString(36));
  const [{ primaryCount, options }] = readCovers(`${names.join(' ')}\n${names[149_999]} 0\n`);
  expect([primaryCount, options]).toEqual([150_000, ['149999 0']]);
});

it('an error shortens a long name', () => {
  const [{ error }] = readCovers(`A\n${'x'.repeat(9999)}\n`);
  expect(error!.found).toBe(`${'x'.repeat(40)}...`);
});

it('a comment may be of any length, and a line has 1 MiB at most', () => {
  expect(readCovers(`|${'-'.repeat(1_200_000)}\nA\nA\n`)).toMatchObject([{ options: ['0'] }]);
  const long = { code: 'too_large', line: 2, column: 1 };
  expect(readCovers(`A B\nA ${' '.repeat(1_100_000)}B\n`)).toMatchObject([{ error: long }]);
  expect(readCovers(`3\n${'0'.repeat(1_100_000)}\n`, 'dense')).toMatchObject([{ error: long }]);
});
