import { describe, expect, it } from 'vitest';
import { orbitsOf, SYMMETRY_NAMES, type SymmetryName } from '../../../lib/sudoku/generator/symmetry.ts';
import { standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { variantGeometry } from '../../../lib/sudoku/geometry/variants.ts';

/** The orbits of a 4x4, each cell by the letter of its orbit. */
const DRAWN: Readonly<Record<SymmetryName, string>> = {
  none: 'abcd efgh ijkl mnop',
  rotational: 'abcd efgh hgfe dcba',
  'rotational-90': 'abca cddb bddc acba',
  horizontal: 'abcd efgh efgh abcd',
  vertical: 'abba cddc effe ghhg',
  diagonal: 'abcd befg cfhi dgij',
  antidiagonal: 'abcd efgc hifb jhea',
  full: 'abba bccb bccb abba',
};

describe('the orbits of a symmetry', () => {
  it.each(SYMMETRY_NAMES)('%s in a 4x4', (symmetry) => {
    const letters = Array<string>(16).fill('');
    for (const [index, orbit] of orbitsOf(standardGeometry(4), symmetry).entries()) {
      for (const cell of orbit) letters[cell] += String.fromCharCode(97 + index);
    }
    expect(letters.join('')).toBe(DRAWN[symmetry].replaceAll(' ', ''));
  });

  it.each(SYMMETRY_NAMES)('%s contain each cell of a samurai once', (symmetry) => {
    const samurai = variantGeometry({ variant: 'samurai', size: 9 });
    const cells = orbitsOf(samurai, symmetry).flatMap((orbit) => [...orbit]);
    expect(cells.sort((a, b) => a - b)).toEqual(Array.from({ length: 369 }, (_, cell) => cell));
  });
});
