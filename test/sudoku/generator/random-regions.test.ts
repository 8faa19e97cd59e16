import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRegions } from '../../../lib/sudoku/generator/random-regions.ts';
import { RandomSource } from '../../../lib/sudoku/generator/random-source.ts';
import { propertyRuns } from '../../support/depth.ts';

/** The cells that are connected to a cell within its region, found by spreading until nothing changes. */
function pieceOf(map: Uint8Array, size: number, from: number): Set<number> {
  const piece = new Set([from]);
  for (const cell of piece) {
    const column = cell % size;
    const sides = [cell - size, cell + size];
    if (column > 0) sides.push(cell - 1);
    if (column < size - 1) sides.push(cell + 1);
    for (const next of sides) if (map[next] === map[from]) piece.add(next);
  }
  return piece;
}

describe('a random map of regions', () => {
  it('has `size` connected regions of `size` cells', () => {
    fc.assert(
      fc.property(fc.constantFrom(4, 5, 6, 7, 9, 10, 12), fc.nat(), (size, seed) => {
        const map = randomRegions(size, new RandomSource(seed));
        expect(new Set(map)).toEqual(new Set(Array.from({ length: size }, (_, region) => region + 1)));
        for (let cell = 0; cell < map.length; cell++) expect(pieceOf(map, size, cell).size).toBe(size);
      }),
      { numRuns: propertyRuns(15) },
    );
  });

  it('has no box left in a 9x9', () => {
    const map = randomRegions(9, new RandomSource(1));
    for (let box = 0; box < 9; box++) {
      const corner = Math.floor(box / 3) * 27 + (box % 3) * 3;
      const cells = [0, 1, 2, 9, 10, 11, 18, 19, 20].map((step) => map[corner + step]);
      expect(new Set(cells).size).toBeGreaterThan(1);
    }
  });

  it('differs for another seed', () => {
    const maps = Array.from({ length: 20 }, (_, seed) => randomRegions(9, new RandomSource(seed)).join());
    expect(new Set(maps).size).toBe(20);
  });
});
