/** Grids that could be mistaken for something else: found by seeds of `cell-layouts.test.ts`. */
import { expect, it } from 'vitest';
import { CELL_LAYOUTS, randomPuzzle } from '../../cell-layouts.ts';
import { readText } from '../../reading.ts';

it.each([
  ['slashes', 16, '0', 0, 'a row of 36 characters is not a 6x6'],
  ['slashes', 16, '0', 2, 'a row of 32 characters is not a 4x4 with its map'],
  ['quoted rows', 16, '0', 72, 'a quoted row is not a 6x6 in a table'],
  ['rows in brackets', 16, '0', 63, 'a row with small numbers alone is not a 4x4 in JSON'],
  ['tabs', 9, '', 4, 'four lines with four givens are not a 4x4'],
  ['tabs', 4, '', 64, 'two grids with 16 givens are not one'],
  ['tabs', 4, '0', 99, 'a grid with many zeros is not a map'],
  ['groups with spaces', 4, '.', 51, 'a group such as 42.. is not a list number'],
] as const)('%s, %dx, blank "%s", seed %d: %5$s', (name, size, blank, seed, _reason) => {
  const layout = CELL_LAYOUTS[name]!;
  const isOnLine = layout.format === 'cells-line';
  const puzzles = [0, 1].map((k) => randomPuzzle(size, seed + k, layout).puzzle);
  const { records } = readText(
    puzzles.map((puzzle) => layout.write(puzzle, blank)).join(isOnLine ? '' : '\n'),
  );
  expect(records.map((record) => [record.size, record.notes?.error])).toEqual([
    [size, undefined],
    [size, undefined],
  ]);
});
