/** Region maps below and above grids of cells between separators. */
import { describe, expect, it } from 'vitest';
import { CLASSIC, readText, rowsOf } from '../reading.ts';

const MAP = `112122333112122333111222333${'444555666'.repeat(3)}${'777888999'.repeat(3)}`;
const listed = (line: string, blank: string, separator: string, open = '', close = '') =>
  rowsOf(line)
    .map((row) => `${open}${[...row].map((cell) => (cell === '.' ? blank : cell)).join(separator)}${close}\n`)
    .join('');

describe.each([
  ['commas', '0', ',', '', ''],
  ['semicolons, blanks empty', '', ';', '', ''],
  ['brackets', '0', ', ', '[', '],'],
])('%s', (_name, blank, separator, open, close) => {
  const grid = listed(CLASSIC, blank, separator, open, close);
  const map = listed(MAP, '', separator, open, close);
  it.each([
    ['below', `${grid}\n${map}\n`],
    ['above', `${map}\n${grid}\n`],
    ['below, with a title', `${grid}\nRegions:\n${map}\n`],
  ])('a map %s', (_place, text) => {
    for (const count of [1, 3]) {
      const { records } = readText(text.repeat(count));
      expect(records.map(({ variant, notes }) => [variant, notes?.error?.message])).toEqual(
        Array(count).fill(['jigsaw', undefined]),
      );
      expect(records[0].grid.replaceAll(/[ 0]/g, '.')).toBe(CLASSIC);
    }
  });
});
