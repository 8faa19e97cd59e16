/**
 * Reads the drawing of a puzzle from its record: the symbols and regions of each place, without any layout in pixels.
 *
 *     places     row * columns + column, gaps between overlapping grids included
 *     given      '5' ''  ''  '7'          symbols of the givens, by place
 *     found      ''  '3' '4' ''           symbols of the solution, by place
 *     regionAt   1   1   2   2            box or region; -1 for a place without a cell
 *     boxAt      the same for the boxes of a puzzle with boxes and regions
 */
import { type Geometry, placesOf, type UnitKind } from '../../sudoku/geometry/geometry.ts';
import {
  parseVariantName,
  type VariantRequest,
  variantGeometry,
  variantProblem,
} from '../../sudoku/geometry/variants.ts';
import { MAX_PUZZLE_CHARACTERS } from '../results/exception-sample.ts';
import type { JobRecord } from '../results/job-record.ts';

export interface DrawnGrid {
  readonly rows: number;
  readonly columns: number;
  readonly given: readonly string[];
  readonly found: readonly string[];
  readonly regionAt: Int32Array;
  readonly boxAt?: Int32Array;
  /** Places of diagonals and windows. */
  readonly shaded: ReadonlySet<number>;
  /** Places of givens that clash. */
  readonly clashing: ReadonlySet<number>;
}

/** @returns undefined if the record has no grid, or one that is too large to draw */
export function drawnGrid(record: JobRecord): DrawnGrid | undefined {
  const geometry = geometryOf(record);
  const { puzzle = '', solution } = record;
  if (geometry === undefined || puzzle.length > MAX_PUZZLE_CHARACTERS) return undefined;
  const givens = givenSymbols(record, puzzle, geometry);
  if (givens === undefined) return undefined;
  const solved = typeof solution === 'string' ? symbolsIn(solution, geometry.cellCount) : undefined;
  const { rows, columns, placeOf } = placesOf(geometry);
  const given = Array<string>(rows * columns).fill('');
  const found = Array<string>(rows * columns).fill('');
  for (const [cell, place] of placeOf.entries()) {
    given[place] = givens[cell]!;
    if (given[place] === '') found[place] = solved?.[cell] ?? '';
  }
  const hasRegions = geometry.units.some(({ kind }) => kind === 'region');
  const shaded = unitsAt(geometry, ['diagonal', 'window']);
  return {
    rows,
    columns,
    given,
    found,
    regionAt: unitsAt(geometry, [hasRegions ? 'region' : 'box']),
    boxAt: hasRegions && geometry.boxRows > 0 ? unitsAt(geometry, ['box']) : undefined,
    shaded: new Set(Array.from(placeOf).filter((place) => shaded[place]! > 0)),
    clashing: clashingPlaces(record, columns),
  };
}

/** Returns the geometry of a record; a sukaku counts as its variant without candidates. */
function geometryOf({ size, variant, box, regions }: JobRecord): Geometry | undefined {
  const name = parseVariantName(variant === 'sukaku' ? 'standard' : (variant ?? '').replace(/-sukaku$/, ''));
  if (size === undefined || name === undefined) return undefined;
  const [rows, columns] = (box ?? '').split('x').map(Number);
  const request: VariantRequest = {
    variant: name,
    size,
    box: rows === undefined || columns === undefined ? undefined : [rows, columns],
    regions: regions === undefined ? undefined : numbered(regions),
  };
  return variantProblem(request) === undefined ? variantGeometry(request) : undefined;
}

/** Numbers the letters of regions from 1, in the order of their first use. */
function numbered(letters: string): Uint8Array {
  const numbers = new Map<string, number>();
  return Uint8Array.from(letters, (letter) => {
    const number = numbers.get(letter) ?? numbers.size + 1;
    numbers.set(letter, number);
    return number;
  });
}

/** Returns a symbol for each cell, empty for a blank. In a sukaku, a cell with a single candidate is a given. */
function givenSymbols(
  { variant = '', blank }: JobRecord,
  puzzle: string,
  { size, cellCount }: Geometry,
): readonly string[] | undefined {
  if (!variant.endsWith('sukaku')) {
    return symbolsIn(puzzle, cellCount)?.map((symbol) => (symbol === blank ? '' : symbol));
  }
  if (puzzle.length !== size * cellCount) return undefined;
  return Array.from({ length: cellCount }, (_, cell) => {
    const candidates = puzzle.slice(cell * size, (cell + 1) * size).replaceAll('.', '');
    return candidates.length === 1 ? candidates : '';
  });
}

/** Splits a grid into symbols: characters, or words separated by spaces. @returns undefined if there are not `cellCount` */
function symbolsIn(text: string, cellCount: number): readonly string[] | undefined {
  const characters = [...text];
  const symbols = characters.length === cellCount ? characters : text.split(' ');
  return symbols.length === cellCount ? symbols : undefined;
}

/** Returns by place: the number of its unit of these kinds, from 1; 0 for a cell in no such unit, -1 for no cell. */
function unitsAt(geometry: Geometry, kinds: readonly UnitKind[]): Int32Array {
  const { rows, columns, placeOf } = placesOf(geometry);
  const unitAt = new Int32Array(rows * columns).fill(-1);
  for (const place of placeOf) unitAt[place] = 0;
  for (const [k, { kind, cells }] of geometry.units.entries()) {
    if (kinds.includes(kind)) for (const cell of cells) unitAt[placeOf[cell]!] = k + 1;
  }
  return unitAt;
}

/** Cells are named by their places, such as `r1c5`. */
function clashingPlaces({ error }: JobRecord, columns: number): ReadonlySet<number> {
  const places = new Set<number>();
  for (const name of error?.clashes?.flatMap(({ cells }) => cells) ?? []) {
    const [, row, column] = /^r(\d+)c(\d+)$/.exec(name) ?? [];
    places.add((Number(row) - 1) * columns + Number(column) - 1);
  }
  return places;
}
