/** Rows of large grids that are as long as a whole small puzzle are rows. */
import { expect, it } from 'vitest';
import { CELL_LAYOUTS, randomPuzzle } from '../../cell-layouts.ts';
import { readText } from '../../reading.ts';

it.each([
  ['slashes', 0],
  ['slashes', 2],
  ['quoted rows', 72],
] as const)('in 16x16 grids written with %s', (name, seed) => {
  const layout = CELL_LAYOUTS[name]!;
  const text = [0, 1].map((k) => layout.write(randomPuzzle(16, seed + k, layout).puzzle, '0')).join('\n');
  const { records } = readText(text);
  expect(records.map(({ size, notes }) => [size, notes?.error])).toEqual([
    [16, undefined],
    [16, undefined],
  ]);
});
