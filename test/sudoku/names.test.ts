import { describe, expect, it } from 'vitest';
import { standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';
import { variantGeometry } from '../../lib/sudoku/geometry/variants.ts';
import { cellName, unitName } from '../../lib/sudoku/names.ts';

const nine = standardGeometry(9);
const samurai = variantGeometry({ variant: 'samurai', size: 9 });

describe('a cell is named by its row and column in the drawing', () => {
  it.each([
    { geometry: nine, cell: 0, name: 'r1c1' },
    { geometry: nine, cell: 80, name: 'r9c9' },
    { geometry: standardGeometry(16), cell: 31, name: 'r2c16' },
    // The first row of a samurai has 18 cells, and a gap of three between them.
    { geometry: samurai, cell: 9, name: 'r1c13' },
    { geometry: samurai, cell: 18, name: 'r2c1' },
    { geometry: samurai, cell: 368, name: 'r21c21' },
  ])('$geometry.variant $cell: $name', ({ geometry, cell, name }) => {
    expect(cellName(geometry, cell)).toBe(name);
  });
});

describe('a unit is named', () => {
  it('by its kind and number', () => {
    expect(unitName(nine.units[13])).toBe('column 5');
  });

  it('and by its grid in overlapping grids', () => {
    expect(unitName(samurai.units[0])).toBe('row 1 of the top left grid');
    expect(unitName(samurai.units.at(-1)!)).toBe('box 8 of the centre grid');
  });
});
