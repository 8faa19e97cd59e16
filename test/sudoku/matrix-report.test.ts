import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Geometry, standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';
import { matrixReport } from '../../lib/sudoku/matrix-report.ts';
import { propertyRuns } from '../support/depth.ts';
import { cellsOf } from './cells.ts';
import { puzzleOf } from './random-puzzles.ts';
import { diagonal9, jigsaw6, overlapping4 } from './variant-geometries.ts';

const nine = standardGeometry(9);
const counts = (geometry: Geometry, cells: Uint8Array) => {
  const { options, items, nodes } = matrixReport(geometry, cells, 0);
  return { options, items, nodes };
};

describe("a puzzle's matrix", () => {
  it.each([
    { size: 4, options: 64, items: 64, nodes: 321 },
    { size: 6, options: 216, items: 144, nodes: 1009 },
    { size: 9, options: 729, items: 324, nodes: 3241 },
    { size: 16, options: 4096, items: 1024, nodes: 17_409 },
  ])('without givens has all options of its size: $size', ({ size, ...expected }) => {
    expect(counts(standardGeometry(size), new Uint8Array(size * size))).toEqual(expected);
  });

  it('loses, for one given, its cell and the digit from 20 peers', () => {
    expect(counts(nine, cellsOf(`5${'.'.repeat(80)}`))).toEqual({ options: 701, items: 324, nodes: 3129 });
  });

  it('of a full grid has one option for each cell', () => {
    const full = '712469358365287194498513672924156837576398241183724965231975486647832519859641723';
    expect(counts(nine, cellsOf(full))).toEqual({ options: 81, items: 324, nodes: 649 });
  });

  it('keeps both of two givens that clash', () => {
    // 7 more cells of the row, 6 of the box and 6 of each column lose the digit; 54 keep all nine.
    expect(counts(nine, cellsOf(`55${'.'.repeat(79)}`)).options).toBe(2 + 25 * 8 + 54 * 9);
  });

  it.each([
    { name: '6x6', geometry: standardGeometry(6) },
    { name: '9x9', geometry: nine },
    { name: 'diagonal', geometry: diagonal9 },
    { name: 'jigsaw', geometry: jigsaw6 },
    { name: 'overlapping', geometry: overlapping4 },
  ])('has the options and nodes of a recount, at any offset: $name', ({ geometry }) => {
    fc.assert(
      fc.property(puzzleOf(geometry), fc.nat({ max: 3 }), (puzzle, offset) => {
        const cells = new Uint8Array(offset + puzzle.length);
        cells.set(puzzle, offset);
        const { options, items, nodes, seedBytes } = matrixReport(geometry, cells, offset);
        const recounted = recount(geometry, puzzle);
        expect({ options, items, nodes }).toEqual(recounted);
        expect(seedBytes).toBe(6 * nodes + 2 * options + items + 1);
      }),
      { numRuns: propertyRuns(10) },
    );
  });

  it('takes at least two links of 4 bytes for each node, and grows with its options', () => {
    const empty = matrixReport(nine, new Uint8Array(81), 0);
    const one = matrixReport(nine, cellsOf(`5${'.'.repeat(80)}`), 0);
    expect(one.bytes).toBeGreaterThan(one.nodes * 8);
    expect(empty.bytes - one.bytes).toBeGreaterThan((empty.nodes - one.nodes) * 8);
  });
});

/** Counts the options by comparing each digit in each cell with each of its peers. */
function recount(geometry: Geometry, cells: Uint8Array) {
  let options = 0;
  let entries = 0;
  let items = geometry.units.length * geometry.size;
  for (const [cell, given] of cells.entries()) {
    const units = geometry.units.filter((unit) => unit.cells.includes(cell));
    if (units.length === 0) continue;
    items++;
    for (let digit = 1; digit <= geometry.size; digit++) {
      const blocked = units.some((unit) => unit.cells.some((peer) => cells[peer] === digit));
      if (given === 0 ? blocked : given !== digit) continue;
      options++;
      entries += 1 + units.length;
    }
  }
  return { options, items, nodes: entries + items + 1 };
}
