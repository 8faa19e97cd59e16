import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clashingGivens, clashSentence, givensClash } from '../../../lib/sudoku/checks/givens.ts';
import { type Geometry, standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { variantGeometry } from '../../../lib/sudoku/geometry/variants.ts';
import { cellsOf, gridWith } from '../cells.ts';
import { diagonal9, jigsaw6, latin9, overlapping4, windoku9 } from '../variant-geometries.ts';

const nine = standardGeometry(9);

interface GivensCase {
  readonly name: string;
  readonly geometry: Geometry;
  readonly givens: Record<number, number>;
  readonly sentences: readonly string[] | undefined;
}

describe('givens', () => {
  it.each<GivensCase>([
    { name: 'no givens at all', geometry: nine, givens: {}, sentences: undefined },
    {
      name: 'the same digit in three units',
      geometry: nine,
      givens: { 0: 5, 12: 5, 24: 5 },
      sentences: undefined,
    },
    {
      name: 'a digit twice in a row',
      geometry: nine,
      givens: { 0: 5, 4: 5 },
      sentences: ['5 occurs twice in row 1 (r1c1, r1c5)'],
    },
    {
      name: 'a digit three times in a column',
      geometry: nine,
      givens: { 8: 1, 35: 1, 80: 1 },
      sentences: ['1 occurs 3 times in column 9 (r1c9, r4c9, r9c9)'],
    },
    {
      name: 'a digit twice in a box',
      geometry: nine,
      givens: { 30: 9, 50: 9 },
      sentences: ['9 occurs twice in box 5 (r4c4, r6c6)'],
    },
    {
      name: 'one pair in two units, and another pair',
      geometry: nine,
      givens: { 0: 2, 1: 2, 79: 7, 80: 7 },
      sentences: [
        '2 occurs twice in row 1 (r1c1, r1c2)',
        '7 occurs twice in row 9 (r9c8, r9c9)',
        '2 occurs twice in box 1 (r1c1, r1c2)',
        '7 occurs twice in box 9 (r9c8, r9c9)',
      ],
    },
    { name: 'a box of a Latin square', geometry: latin9, givens: { 0: 5, 10: 5 }, sentences: undefined },
    {
      name: 'a digit twice on a diagonal',
      geometry: diagonal9,
      givens: { 8: 4, 72: 4 },
      sentences: ['4 occurs twice in diagonal 2 (r1c9, r9c1)'],
    },
    {
      name: 'a digit twice in a window',
      geometry: windoku9,
      givens: { 10: 6, 30: 6 },
      sentences: ['6 occurs twice in window 1 (r2c2, r4c4)'],
    },
    {
      name: 'a digit twice in a region',
      geometry: jigsaw6,
      givens: { 0: 3, 7: 3 },
      sentences: ['3 occurs twice in region 1 (r1c1, r2c2)'],
    },
    {
      name: 'a digit in each of two overlapping grids',
      geometry: overlapping4,
      givens: { 0: 1, 27: 1 },
      sentences: undefined,
    },
    {
      name: 'a digit twice in the second of two overlapping grids',
      geometry: overlapping4,
      givens: { 10: 1, 13: 1 },
      sentences: ['1 occurs twice in row 1 of the lower grid (r3c3, r3c6)'],
    },
    {
      name: 'a digit twice in two of the grids of a samurai',
      geometry: variantGeometry({ variant: 'samurai', size: 9 }),
      // The third row begins with cell 36; its cells 9 to 17 are those of the top right grid.
      givens: { 36: 8, 46: 8, 53: 8, 52: 1 },
      sentences: ['8 occurs twice in row 3 of the top right grid (r3c14, r3c21)'],
    },
    {
      name: 'digits above one word of bits',
      geometry: standardGeometry(36),
      givens: { 0: 36, 35: 4, 34: 36 },
      sentences: ['36 occurs twice in row 1 (r1c1, r1c35)'],
    },
    {
      name: 'digits that are equal modulo 32',
      geometry: standardGeometry(36),
      givens: { 0: 36, 1: 4, 36: 32 },
      sentences: undefined,
    },
    {
      name: 'the largest digit of the largest size',
      geometry: standardGeometry(255, 15, 17),
      givens: { 0: 255, [254 * 255]: 255, 1: 223 },
      sentences: ['255 occurs twice in column 1 (r1c1, r255c1)'],
    },
  ])('with $name: $sentences', ({ geometry, givens, sentences }) => {
    const cells = gridWith(geometry, givens);
    const clashes = clashingGivens(geometry, cells, 0);
    expect(clashes?.map((clash) => clashSentence(clash))).toEqual(sentences);
    expect(givensClash(geometry, cells, 0)).toBe(sentences !== undefined);
  });

  it('that do not clash are valid even if the puzzle has no solution', () => {
    // r1c9 can only be 9, which column 9 already has.
    const cells = cellsOf(`12345678. ${'.'.repeat(26)}9${'.'.repeat(45)}`);
    expect(givensClash(nine, cells, 0)).toBe(false);
  });

  it('are read from the offset on, independent of earlier calls', () => {
    const clashing = gridWith(nine, { 0: 5, 4: 5 });
    const valid = gridWith(nine, { 0: 5 });
    const block = Uint8Array.from([...clashing, ...valid, ...clashing]);
    expect([0, 81, 162, 81].map((offset) => givensClash(nine, block, offset))).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('of two geometries may be checked alternately', () => {
    const six = standardGeometry(6);
    const pair = { 0: 5, 4: 5 };
    for (let turn = 0; turn < 3; turn++) {
      expect(givensClash(nine, gridWith(nine, pair), 0)).toBe(true);
      expect(givensClash(six, gridWith(six, { 0: 5, 9: 5 }), 0)).toBe(false);
    }
  });

  it('over the size are an error that names the cell', () => {
    expect(() => givensClash(nine, gridWith(nine, { 13: 10 }), 0)).toThrow(
      new RangeError('r2c5 has value 10: expected 0 (blank) to 9'),
    );
  });

  it.each([nine, jigsaw6, windoku9, overlapping4, standardGeometry(36)])(
    'of a random $variant grid of size $size clash if and only if two peers are equal',
    (geometry) => {
      const used = [...new Set(geometry.units.flatMap((unit) => Array.from(unit.cells)))];
      const given = fc.tuple(fc.constantFrom(...used), fc.integer({ min: 1, max: geometry.size }));
      fc.assert(
        fc.property(fc.array(given, { maxLength: 8 }), (givens) => {
          const cells = gridWith(geometry, Object.fromEntries(givens));
          const clash = geometry.units.some((unit) => {
            const digits = Array.from(unit.cells, (cell) => cells[cell]).filter((digit) => digit !== 0);
            return new Set(digits).size < digits.length;
          });
          expect(givensClash(geometry, cells, 0)).toBe(clash);
          expect(clashingGivens(geometry, cells, 0) !== undefined).toBe(clash);
        }),
      );
    },
  );
});

describe('a clash', () => {
  const [clash] = clashingGivens(nine, gridWith(nine, { 0: 5, 4: 5 }), 0)!;

  it('has its unit, digit and cells', () => {
    expect(clash).toEqual({ unit: nine.units[0], digit: 5, cells: [0, 4], cellNames: ['r1c1', 'r1c5'] });
  });

  it("is described in the symbols of the puzzle's file", () => {
    const letters = (digit: number) => 'ABCDEFGHI'[digit - 1];
    expect(clashSentence(clash, letters)).toBe('E occurs twice in row 1 (r1c1, r1c5)');
  });
});
