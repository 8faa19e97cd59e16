import { describe, expect, it } from 'vitest';
import { createAnswers } from '../../../lib/sudoku/engine.ts';
import { createDlxEngine } from '../../../lib/sudoku/engines/dlx.ts';
import {
  type Geometry,
  placesOf,
  standardGeometry,
  type UnitKind,
} from '../../../lib/sudoku/geometry/geometry.ts';
import { overlappingGeometry } from '../../../lib/sudoku/geometry/overlapping.ts';
import {
  needsRegions,
  parseVariantName,
  VARIANT_NAMES,
  type VariantRequest,
  variantGeometry,
  variantProblem,
} from '../../../lib/sudoku/geometry/variants.ts';
import { sudokuCover } from '../../../lib/sudoku/sudoku-cover.ts';
import { diagonalGeometry, latinGeometry } from '../odd-geometries.ts';
import { countByOracle } from '../oracle.ts';

const SIX_REGIONS = Uint8Array.from('111222' + '111222' + '334456' + '334456' + '334456' + '555666', Number);
/** Four regions of four, none of them a box. */
const FOUR_REGIONS = Uint8Array.from('1112' + '1322' + '3324' + '3444', Number);
const samurai = variantGeometry({ variant: 'samurai', size: 9 });

/** Draws the units of a kind: each cell shows the ordinal of its unit, or `*` if it is in several. */
function picture(geometry: Geometry, kind: UnitKind): string[] {
  const { rows, columns, placeOf } = placesOf(geometry);
  const marks = Array<string>(rows * columns).fill(' ');
  for (const place of placeOf) marks[place] = '.';
  for (const { cells, ordinal } of geometry.units.filter((unit) => unit.kind === kind)) {
    for (const cell of cells) marks[placeOf[cell]] = marks[placeOf[cell]] === '.' ? String(ordinal) : '*';
  }
  return Array.from({ length: rows }, (_, row) => marks.slice(row * columns, (row + 1) * columns).join(''));
}

const kinds = (geometry: Geometry) => {
  const counts: Partial<Record<UnitKind, number>> = {};
  for (const { kind } of geometry.units) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

describe('a variant', () => {
  it.each<{ request: VariantRequest; units: Partial<Record<UnitKind, number>>; box: string }>([
    { request: { variant: 'standard', size: 9 }, units: { row: 9, column: 9, box: 9 }, box: '3x3' },
    { request: { variant: 'latin', size: 7 }, units: { row: 7, column: 7 }, box: '0x0' },
    { request: { variant: 'latin-x', size: 5 }, units: { row: 5, column: 5, diagonal: 2 }, box: '0x0' },
    { request: { variant: 'x', size: 6 }, units: { row: 6, column: 6, box: 6, diagonal: 2 }, box: '2x3' },
    {
      request: { variant: 'x', size: 6, box: [3, 2] },
      units: { row: 6, column: 6, box: 6, diagonal: 2 },
      box: '3x2',
    },
    { request: { variant: 'windoku', size: 9 }, units: { row: 9, column: 9, box: 9, window: 4 }, box: '3x3' },
    {
      request: { variant: 'windoku-x', size: 16 },
      units: { row: 16, column: 16, box: 16, diagonal: 2, window: 9 },
      box: '4x4',
    },
    {
      request: { variant: 'jigsaw', size: 6, regions: SIX_REGIONS },
      units: { row: 6, column: 6, region: 6 },
      box: '0x0',
    },
    {
      request: { variant: 'jigsaw-x', size: 6, regions: SIX_REGIONS },
      units: { row: 6, column: 6, region: 6, diagonal: 2 },
      box: '0x0',
    },
    {
      request: { variant: 'jigsaw-boxes', size: 6, regions: SIX_REGIONS },
      units: { row: 6, column: 6, box: 6, region: 6 },
      box: '2x3',
    },
    { request: { variant: 'samurai', size: 9 }, units: { row: 45, column: 45, box: 41 }, box: '3x3' },
  ])('$request.variant of $request.size is rows, columns and $units', ({ request, units, box }) => {
    const geometry = variantGeometry(request);
    expect(kinds(geometry)).toEqual(units);
    expect(`${geometry.boxRows}x${geometry.boxColumns}`).toBe(box);
    expect([geometry.variant, geometry.size]).toEqual([request.variant, request.size]);
    for (const { cells } of geometry.units) {
      expect(Array.from(cells)).toEqual([...new Set(cells)].sort((a, b) => a - b));
      expect(cells.length).toBe(geometry.size);
      expect(cells.at(-1)).toBeLessThan(geometry.cellCount);
    }
    expect(variantGeometry({ ...request })).toBe(geometry);
  });

  it.each([
    { variant: 'latin', size: 9, made: latinGeometry(9) },
    { variant: 'x', size: 9, made: diagonalGeometry() },
  ] as const)('$variant has the units that one makes by hand', ({ variant, size, made }) => {
    const cellsOf = ({ units }: Geometry) =>
      units.map(({ kind, cells }) => `${kind} ${[...cells].sort((a, b) => a - b)}`);
    expect(cellsOf(variantGeometry({ variant, size })).sort()).toEqual(cellsOf(made).sort());
  });

  it('standard is the object of the ordinary geometry, which engines compare by identity; no other variant is', () => {
    expect(variantGeometry({ variant: 'standard', size: 9 })).toBe(standardGeometry(9));
    expect(variantGeometry({ variant: 'standard', size: 6, box: [3, 2] })).toBe(standardGeometry(6, 3, 2));
    expect(variantGeometry({ variant: 'x', size: 9 })).not.toBe(standardGeometry(9));
  });

  it('jigsaw is the geometry of a map of regions alone', () => {
    expect(variantGeometry({ variant: 'jigsaw', size: 6, regions: SIX_REGIONS })).toBe(
      variantGeometry({ variant: 'jigsaw', size: 6, regions: SIX_REGIONS.slice() }),
    );
  });
});

describe('the picture of', () => {
  it('the windows of a 4x4', () => {
    expect(picture(variantGeometry({ variant: 'windoku', size: 4 }), 'window')).toEqual([
      '....',
      '.11.',
      '.11.',
      '....',
    ]);
  });

  it('the windows of a 9x9', () => {
    const geometry = variantGeometry({ variant: 'windoku', size: 9 });
    const [upper, lower] = ['.111.222.', '.333.444.'];
    const edge = '.........';
    expect(picture(geometry, 'window')).toEqual([edge, upper, upper, upper, edge, lower, lower, lower, edge]);
  });

  it('the windows of a 16x16', () => {
    const lines = picture(variantGeometry({ variant: 'windoku', size: 16 }), 'window');
    expect([lines[0], lines[1], lines[5], lines[9], lines[11], lines[15]]).toEqual([
      '................',
      '.1111.2222.3333.',
      '................',
      '.4444.5555.6666.',
      '.7777.8888.9999.',
      '................',
    ]);
  });

  it('the diagonals of an odd size, which share a cell, and of an even one, which do not', () => {
    const of = (size: number) => picture(variantGeometry({ variant: 'latin-x', size }), 'diagonal');
    expect(of(5)).toEqual(['1...2', '.1.2.', '..*..', '.2.1.', '2...1']);
    expect(of(4)).toEqual(['1..2', '.12.', '.21.', '2..1']);
  });

  it('the boxes of a samurai: five 9x9 grids, four shared boxes, gaps between them', () => {
    const third = (text: string) => Array<string>(3).fill([...text].map((mark) => mark.repeat(3)).join(''));
    expect(picture(samurai, 'box')).toEqual(
      ['123 123', '456 456', '7892789', '  456  ', '1238123', '456 456', '789 789'].flatMap(third),
    );
  });
});

describe('a samurai', () => {
  it('has 369 cells, each in the units of its grid or of two grids', () => {
    const unitCounts = new Int32Array(369);
    for (const { cells } of samurai.units) for (const cell of cells) unitCounts[cell]++;
    expect(samurai.cellCount).toBe(369);
    // A cell of two grids is in two rows, two columns and one box.
    expect([...unitCounts].filter((count) => count === 5)).toHaveLength(36);
    expect([...unitCounts].filter((count) => count === 3)).toHaveLength(369 - 36);
  });

  it('is 369 cell items and 131 units of nine, 3,321 options', () => {
    const { problem } = sudokuCover(samurai);
    expect([problem.primaryCount, problem.optionCount]).toEqual([369 + 131 * 9, 3321]);
    expect(problem.items).toHaveLength(3321 * 4 + 36 * 9 * 2);
  });
});

describe('overlapping grids', () => {
  it('of one corner are the ordinary grid', () => {
    const { units, cellCount } = overlappingGeometry('one', 6, [{ name: 'only', row: 0, column: 0 }]);
    expect(cellCount).toBe(36);
    expect(units.map(({ cells }) => cells)).toEqual(standardGeometry(6).units.map(({ cells }) => cells));
  });

  it('have one unit for a box that two grids share', () => {
    const twins = overlappingGeometry('twins', 4, [
      { name: 'upper', row: 0, column: 0 },
      { name: 'lower', row: 2, column: 2 },
    ]);
    expect([twins.cellCount, twins.units.length]).toEqual([28, 23]);
    expect(picture(twins, 'box')).toEqual(['1122  ', '1122  ', '334422', '334422', '  3344', '  3344']);
    expect(picture(twins, 'row')).toEqual(['1111  ', '2222  ', '33**11', '44**22', '  3333', '  4444']);
  });
});

describe('there is no', () => {
  it.each<{ request: VariantRequest; problem: RegExp }>([
    { request: { variant: 'jigsaw', size: 9 }, problem: /a map of its regions next to or below it/ },
    {
      request: { variant: 'jigsaw-boxes', size: 7, regions: new Uint8Array(49) },
      problem: /a shape for its boxes/,
    },
    { request: { variant: 'standard', size: 7 }, problem: /a shape for its boxes/ },
    { request: { variant: 'windoku', size: 6 }, problem: /square boxes \(4, 9, 16, 25, 36\)/ },
    { request: { variant: 'windoku', size: 16, box: [2, 8] }, problem: /square boxes/ },
    { request: { variant: 'samurai', size: 16 }, problem: /grids of 9x9 in 21 rows of 21/ },
  ])('$request.variant of $request.size: expected $problem', ({ request, problem }) => {
    expect(variantProblem(request)).toMatch(problem);
    expect(() => variantGeometry(request)).toThrow(RangeError);
    expect(() => variantGeometry(request)).toThrow(problem);
  });
});

describe('the name of a variant', () => {
  it.each([
    ['x', 'x'],
    ['X-Sudoku', 'x'],
    ['diagonal', 'x'],
    ['Latin Square', 'latin'],
    ['hyper_sudoku', 'windoku'],
    ['irregular', 'jigsaw'],
    [' Samurai ', 'samurai'],
    ['killer', undefined],
    ['', undefined],
    ['constructor', undefined],
  ])('"%s" is parsed as %s', (text, variant) => {
    expect(parseVariantName(text)).toBe(variant);
  });

  it('is parsed for every variant', () => {
    expect(VARIANT_NAMES.map(parseVariantName)).toEqual([...VARIANT_NAMES]);
    expect(VARIANT_NAMES.filter(needsRegions)).toEqual(['jigsaw', 'jigsaw-x', 'jigsaw-boxes']);
  });
});

describe('the empty grid of', () => {
  const count = (geometry: Geometry, cells = new Uint8Array(geometry.cellCount)): number => {
    const answers = createAnswers(1, geometry.cellCount);
    const limits = {
      maxSolutions: Infinity,
      maxNodes: Infinity,
      sliceNodes: Infinity,
      pauseAtSolution: false,
    };
    createDlxEngine().solve({ geometry, cells }, 0, 1, limits, answers);
    return answers.solutions[0];
  };

  it.each<VariantRequest & { solutions: number; source: string }>([
    { variant: 'latin', size: 3, solutions: 12, source: 'OEIS A002860' },
    { variant: 'latin', size: 4, solutions: 576, source: 'OEIS A002860' },
    { variant: 'latin-x', size: 3, solutions: 0, source: 'OEIS A274806' },
    { variant: 'latin-x', size: 4, solutions: 48, source: 'OEIS A274806' },
    { variant: 'latin-x', size: 5, solutions: 960, source: 'OEIS A274806' },
    { variant: 'standard', size: 4, solutions: 288, source: 'OEIS A107739' },
  ])('$variant $size has $solutions solutions ($source)', ({ solutions, ...request }) => {
    expect(count(variantGeometry(request))).toBe(solutions);
  });

  it.each<VariantRequest & { size: number; solutions: number; source: string }>([
    { variant: 'latin', size: 5, solutions: 161_280, source: 'OEIS A002860' },
    { variant: 'latin-x', size: 6, solutions: 92_160, source: 'OEIS A274806' },
    { variant: 'standard', size: 6, solutions: 28_200_960, source: 'OEIS A107739' },
  ])(
    '$variant $size has $solutions solutions ($source): as many for each first row',
    ({ solutions, ...request }) => {
      const geometry = variantGeometry(request);
      const cells = new Uint8Array(geometry.cellCount);
      let firstRows = 1;
      for (let digit = 1; digit <= request.size; digit++) {
        cells[digit - 1] = digit;
        firstRows *= digit;
      }
      expect(count(geometry, cells) * firstRows).toBe(solutions);
    },
  );

  it.each<VariantRequest>([
    { variant: 'x', size: 4 },
    { variant: 'windoku', size: 4 },
    { variant: 'windoku-x', size: 4 },
    { variant: 'jigsaw', size: 4, regions: FOUR_REGIONS },
    { variant: 'jigsaw-x', size: 4, regions: FOUR_REGIONS },
    { variant: 'jigsaw-boxes', size: 4, regions: FOUR_REGIONS },
    { variant: 'latin', size: 4 },
  ])('$variant $size has the number of solutions of the oracle', (request) => {
    const geometry = variantGeometry(request);
    expect(count(geometry)).toBe(countByOracle(geometry, new Uint8Array(geometry.cellCount)));
  });
});
