/** Reads the drawing of a puzzle from its record: the symbols and regions of its cells, without any layout in pixels. */
import { type Geometry, placesOf, type UnitKind } from '../../sudoku/geometry/geometry.ts';
import {
  parseVariantName,
  type VariantRequest,
  variantGeometry,
  variantProblem,
} from '../../sudoku/geometry/variants.ts';
import type { JobRecord } from '../results/job-record.ts';
import { MAX_PUZZLE_CHARACTERS } from '../results/record-sample.ts';

/** A cell of a drawing. */
export interface DrawnCell {
  /** Empty for a blank without a solution. */
  readonly symbol: string;
  readonly isGiven: boolean;
  /** Number of its region, or of its box in a puzzle without regions; 0 if it has none. */
  readonly region: number;
  /** Of a puzzle with boxes and regions. */
  readonly box: number | undefined;
  /** Whether it is on a diagonal or in a window. */
  readonly isShaded: boolean;
  readonly isClashing: boolean;
  /** Whether another solution has another symbol here. */
  readonly isDiffering: boolean;
}

/** What a record says about its grid. */
interface RecordGrid {
  readonly geometry: Geometry;
  /** A symbol for each cell, empty for a blank. */
  readonly givens: readonly string[];
}

export interface DrawnGrid {
  readonly rows: number;
  readonly columns: number;
  /** By place, row * columns + column; undefined in a gap between overlapping grids. */
  readonly cells: readonly (DrawnCell | undefined)[];
}

/** @returns undefined if the record has no grid, or one that is too large to draw */
export function recordGrid(record: JobRecord): RecordGrid | undefined {
  const geometry = geometryOf(record);
  const { puzzle = '' } = record;
  if (geometry === undefined || puzzle.length > MAX_PUZZLE_CHARACTERS) return undefined;
  const givens = givenSymbols(record, puzzle, geometry);
  return givens && { geometry, givens };
}

/**
 * @param solution to draw in the blanks
 * @param other a solution that is drawn elsewhere: the cells in which they differ are marked
 */
export function drawnGrid(
  { geometry, givens }: RecordGrid,
  { error }: JobRecord,
  solution?: string,
  other?: string,
): DrawnGrid {
  const [solved, others] = [solution, other].map((text) => text && symbolsIn(text, geometry.cellCount));
  const hasRegions = geometry.units.some(({ kind }) => kind === 'region');
  const regions = unitsOf(geometry, [hasRegions ? 'region' : 'box']);
  const boxes = hasRegions && geometry.boxRows > 0 ? unitsOf(geometry, ['box']) : undefined;
  const shaded = unitsOf(geometry, ['diagonal', 'window']);
  // Cells are named by their places, such as `r1c5`.
  const clashing = new Set(error?.clashes?.flatMap((clash) => clash.cells));
  const { rows, columns, placeOf } = placesOf(geometry);
  const cells = new Array<DrawnCell | undefined>(rows * columns).fill(undefined);
  for (const [cell, place] of placeOf.entries()) {
    const given = givens[cell]!;
    cells[place] = {
      symbol: given === '' ? (solved?.[cell] ?? '') : given,
      isGiven: given !== '',
      region: regions[cell]!,
      box: boxes?.[cell],
      isShaded: shaded[cell]! > 0,
      isDiffering: solved?.[cell] !== (others ?? solved)?.[cell],
      isClashing: clashing.has(`r${Math.floor(place / columns) + 1}c${(place % columns) + 1}`),
    };
  }
  return { rows, columns, cells };
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
export function symbolsIn(text: string, cellCount: number): readonly string[] | undefined {
  const characters = [...text];
  const symbols = characters.length === cellCount ? characters : text.split(' ');
  return symbols.length === cellCount ? symbols : undefined;
}

/** Returns by cell: the number of its unit of these kinds, from 1; 0 if it is in no such unit. */
function unitsOf({ units, cellCount }: Geometry, kinds: readonly UnitKind[]): Int32Array {
  const unitOf = new Int32Array(cellCount);
  for (const [k, { kind, cells }] of units.entries()) {
    if (kinds.includes(kind)) for (const cell of cells) unitOf[cell] = k + 1;
  }
  return unitOf;
}
