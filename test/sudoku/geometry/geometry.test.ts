import { describe, expect, it } from 'vitest';
import { type Geometry, parseBox, standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { diagonal9, jigsaw6, latin9, overlapping4, windoku9 } from '../variant-geometries.ts';

const cellsOfUnit = (geometry: Geometry, kind: string, ordinal: number) =>
  Array.from(geometry.units.find((unit) => unit.kind === kind && unit.ordinal === ordinal)!.cells);

describe('an ordinary geometry', () => {
  it.each([
    { size: 4, box: [2, 2] },
    { size: 6, box: [2, 3] },
    { size: 9, box: [3, 3] },
    { size: 12, box: [3, 4] },
    { size: 16, box: [4, 4] },
    { size: 20, box: [4, 5] },
    { size: 25, box: [5, 5] },
    { size: 36, box: [6, 6] },
  ])('of size $size has boxes of $box', ({ size, box }) => {
    const { boxRows, boxColumns, cellCount } = standardGeometry(size);
    expect([boxRows, boxColumns, cellCount]).toEqual([...box, size * size]);
  });

  it('has the usual sixth row, column and box of a 9x9', () => {
    const geometry = standardGeometry(9);
    expect(cellsOfUnit(geometry, 'row', 6)).toEqual([45, 46, 47, 48, 49, 50, 51, 52, 53]);
    expect(cellsOfUnit(geometry, 'column', 6)).toEqual([5, 14, 23, 32, 41, 50, 59, 68, 77]);
    expect(cellsOfUnit(geometry, 'box', 6)).toEqual([33, 34, 35, 42, 43, 44, 51, 52, 53]);
  });

  it('has 3x2 boxes that are higher than wide, and 2x3 boxes that are wider than high', () => {
    expect(cellsOfUnit(standardGeometry(6, 2, 3), 'box', 2)).toEqual([3, 4, 5, 9, 10, 11]);
    expect(cellsOfUnit(standardGeometry(6, 3, 2), 'box', 2)).toEqual([2, 3, 8, 9, 14, 15]);
  });

  it('lists rows, then columns, then boxes', () => {
    const kinds = standardGeometry(4).units.map((unit) => unit.kind);
    expect(kinds).toEqual(['row', 'column', 'box'].flatMap((kind) => Array(4).fill(kind)));
  });

  it('is the same object for the same shape, given or by default', () => {
    expect(standardGeometry(9)).toBe(standardGeometry(9, 3, 3));
    expect(standardGeometry(6, 3, 2)).not.toBe(standardGeometry(6));
  });

  it.each([
    { name: 'a size of 0', make: () => standardGeometry(0, 1, 1), message: 'size 0 is out of range' },
    { name: 'a size of 256', make: () => standardGeometry(256, 16, 16), message: 'from 1 to 255' },
    { name: 'a size of 4.5', make: () => standardGeometry(4.5, 1, 4.5), message: 'size 4.5' },
    { name: 'a box that does not fit', make: () => standardGeometry(9, 2, 4), message: 'box 2x4' },
    { name: 'a box of height 0', make: () => standardGeometry(9, 0, 9), message: 'box 0x9' },
    { name: 'a size without a usual box', make: () => standardGeometry(7), message: 'no usual box' },
  ])('rejects $name', ({ make, message }) => {
    expect(make).toThrow(RangeError);
    expect(make).toThrow(message);
  });
});

describe('every geometry of these tests', () => {
  it.each([
    standardGeometry(1, 1, 1),
    standardGeometry(6),
    standardGeometry(36),
    latin9,
    diagonal9,
    windoku9,
    jigsaw6,
    overlapping4,
  ])('$variant $size has units of exactly `size` distinct ascending cells', (geometry) => {
    for (const { cells } of geometry.units) {
      expect(cells.length).toBe(geometry.size);
      expect(Array.from(cells)).toEqual([...new Set(cells)].sort((a, b) => a - b));
      expect(cells.at(-1)).toBeLessThan(geometry.cellCount);
    }
  });
});

describe('a box written as text', () => {
  it.each([
    { text: '2x3', box: [2, 3] },
    { text: '10x1', box: [10, 1] },
    { text: '2X3', box: undefined },
    { text: '0x3', box: undefined },
    { text: '2x', box: undefined },
    { text: ' 2x3', box: undefined },
  ])('$text is $box', ({ text, box }) => {
    expect(parseBox(text)).toEqual(box);
  });
});
