import { describe, expect, it } from 'vitest';
import { type DrawnGrid, drawnGrid, recordGrid } from '../../../lib/batch/report/drawn-grid.ts';
import { GridShapes, gridFigure } from '../../../lib/batch/report/grid-figure.ts';
import type { JobRecord } from '../../../lib/batch/results/job-record.ts';
import { variantGeometry } from '../../../lib/sudoku/geometry/variants.ts';
import { CLASHING } from '../../support/puzzles.ts';
import { solveText } from '../../support/run-job.ts';

/** A solved 4x4 with two givens. */
const SMALL: JobRecord = {
  index: 1,
  line: 1,
  lineEnd: 1,
  status: 'solved',
  size: 4,
  box: '2x2',
  variant: 'standard',
  blank: '.',
  puzzle: '1..............2',
  solution: '1234341221434321',
};

function drawn(partial: Partial<JobRecord>, other?: string): DrawnGrid {
  const record = { ...SMALL, ...partial };
  const grid = recordGrid(record);
  if (grid === undefined) throw new Error('the record is not drawn');
  return drawnGrid(grid, record, record.solution as string | undefined, other);
}

/** The symbols by rows: givens plain, symbols of the solution in parentheses. */
function text({ cells, columns }: DrawnGrid): string[] {
  const texts = cells.map((cell) => {
    if (cell === undefined) return ' ';
    if (cell.symbol === '') return '.';
    return cell.isGiven ? cell.symbol : `(${cell.symbol})`;
  });
  return Array.from({ length: cells.length / columns }, (_, row) =>
    texts.slice(row * columns, (row + 1) * columns).join(''),
  );
}

/** The places of cells. */
function places({ cells }: DrawnGrid, of: 'isShaded' | 'isClashing' | 'isDiffering'): number[] {
  return [...cells.keys()].filter((place) => cells[place]?.[of]);
}

function pathOf(grid: DrawnGrid, name: string): string | undefined {
  const shapes = new GridShapes();
  shapes.nameOf(grid);
  return new RegExp(`<path class="${name}" d="([^"]*)"`).exec(shapes.markup.source)?.[1];
}

describe('a grid', () => {
  it('of numbers separated by spaces has whole numbers', () => {
    const puzzle = `16${' 0'.repeat(255)}`;
    const grid = drawn({ size: 16, box: '4x4', blank: '0', puzzle, solution: undefined });
    expect(grid.cells.map((cell) => cell!.symbol).join('')).toBe('16');
  });

  it('whose blank is a space is not split at spaces', () => {
    expect(text(drawn({ blank: ' ', puzzle: `1${' '.repeat(14)}2`, solution: undefined }))[0]).toBe('1...');
  });

  it('has thick lines around its boxes, and thin ones everywhere', () => {
    const grid = drawn({});
    expect(pathOf(grid, 'thick')).toBe('M0 0h40M0 20h40M0 40h40M0 0v40M20 0v40M40 0v40');
    expect(pathOf(grid, 'thin')).toBe(
      'M0 0h40M0 10h40M0 20h40M0 30h40M0 40h40M0 0v40M10 0v40M20 0v40M30 0v40M40 0v40',
    );
  });

  it('of a jigsaw has thick lines around its regions', () => {
    const regions = 'aabb' + 'aabb' + 'ccdd' + 'ccdd';
    const crooked = 'aaab' + 'abbb' + 'cddd' + 'cccd';
    const jigsaw = { variant: 'jigsaw', box: undefined };
    expect(pathOf(drawn({ ...jigsaw, regions }), 'thick')).toBe(pathOf(drawn({}), 'thick'));
    expect(pathOf(drawn({ ...jigsaw, regions: crooked }), 'thick')).toBe(
      'M0 0h40M10 10h20M0 20h40M10 30h20M0 40h40M0 0v40M10 10v20M30 0v10M30 30v10M40 0v40',
    );
  });

  it('of a jigsaw with boxes has lines around both', () => {
    const grid = drawn({ variant: 'jigsaw-boxes', regions: 'aaababbbcdddcccd' });
    expect(pathOf(grid, 'dashed')).toContain('M20 0v40');
    expect(pathOf(grid, 'thick')).toContain('M10 10h20');
  });

  it('with diagonals has them shaded', () => {
    expect(places(drawn({ variant: 'x' }), 'isShaded')).toEqual([0, 3, 5, 6, 9, 10, 12, 15]);
    expect(places(drawn({}), 'isShaded')).toEqual([]);
  });

  it('of a samurai has its cells at their places, with gaps between', () => {
    const { cellCount } = variantGeometry({ variant: 'samurai', size: 9 });
    const grid = drawn({
      size: 9,
      box: '3x3',
      variant: 'samurai',
      puzzle: '5'.repeat(cellCount),
      solution: undefined,
    });
    const rows = text(grid);
    expect([grid.rows, grid.columns]).toEqual([21, 21]);
    expect(rows[0]).toBe('555555555   555555555');
    expect(rows[6]).toBe('5'.repeat(21));
    expect(rows[10]).toBe('      555555555      ');
    expect(pathOf(grid, 'thick')).toContain('M0 0v90M0 120v90M30 0v90M30 120v90M60 0v210');
  });

  it('of candidates has cells with a single candidate as givens', () => {
    const puzzle = `1...${'1234'.repeat(15)}`;
    expect(text(drawn({ variant: 'sukaku', puzzle }))[0]).toBe('1(2)(3)(4)');
  });

  it('marks the givens that clash', async () => {
    const { exceptions } = await solveText(`${CLASHING}\n`);
    const grid = drawn(exceptions[0]!);
    expect(places(grid, 'isClashing')).toEqual([0, 1]);
    expect(gridFigure(grid, '').source).toContain('<path class="clash" d="M1 1h8v8h-8zM11 1h8v8h-8z"/>');
  });

  it('marks the cells in which two solutions differ', () => {
    expect(places(drawn({}, '1234341243212143'), 'isDiffering')).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
    expect(places(drawn({}), 'isDiffering')).toEqual([]);
  });

  it('shares its lines with all of its shape', () => {
    const shapes = new GridShapes();
    const other = drawn({ puzzle: '.'.repeat(16) });
    const crooked = drawn({ variant: 'jigsaw', box: undefined, regions: 'aaababbbcdddcccd' });
    expect([drawn({}), other, crooked].map((grid) => shapes.nameOf(grid))).toEqual([
      'shape-1',
      'shape-1',
      'shape-2',
    ]);
    expect(shapes.markup.source.match(/<g /g)).toHaveLength(2);
  });

  it.each<[name: string, record: Partial<JobRecord>]>([
    ['that could not be read', { size: undefined, variant: undefined, puzzle: undefined }],
    ['of an unknown variant', { variant: 'killer' }],
    ['of a jigsaw without its regions', { variant: 'jigsaw', box: undefined }],
    ['that is too large', { size: 65, box: '5x13', puzzle: '.'.repeat(65 * 65) }],
    ['with fewer symbols than cells', { puzzle: '1...' }],
  ])('%s is not drawn', (_name, record) => {
    expect(recordGrid({ ...SMALL, ...record })).toBeUndefined();
  });
});
