/**
 * Variants: the units that each adds to rows and columns. Only this file and the readers know variants by name.
 *
 *     name           units in addition to the n rows and n columns
 *     standard       n boxes
 *     latin          none
 *     latin-x        both diagonals
 *     x              n boxes, both diagonals
 *     windoku        n boxes, four windows (in a 9x9)
 *     windoku-x      n boxes, the windows, both diagonals
 *     jigsaw         n regions, from a map
 *     jigsaw-x       n regions, both diagonals
 *     jigsaw-boxes   n regions and n boxes
 *     samurai        five 9x9 grids that overlap, see overlapping.ts
 *
 * Windows are shifted boxes, one line from the edge and from each other. They exist if boxes are squares of m x m,
 * and then there are (m - 1) * (m - 1) of them:
 *
 *     4x4   . . . .      9x9   . . . . . . . . .
 *           . w w .            . w w w . w w w .
 *           . w w .            . w w w . w w w .
 *           . . . .            . w w w . w w w .
 *                              . . . . . . . . .   and the same below
 */
import {
  defaultBox,
  type Geometry,
  hasUsualBox,
  standardGeometry,
  type Unit,
  unitsOfKind,
} from './geometry.ts';
import { overlappingGeometry } from './overlapping.ts';

/** The components of a variant. */
interface Rules {
  readonly boxes?: true;
  /** Regions of any shape, from a map that comes with the puzzle. */
  readonly regions?: true;
  readonly diagonals?: true;
  readonly windows?: true;
  /** Overlapping grids, always of one size. */
  readonly overlapping?: () => Geometry;
}

const RULES = {
  standard: { boxes: true },
  latin: {},
  'latin-x': { diagonals: true },
  x: { boxes: true, diagonals: true },
  windoku: { boxes: true, windows: true },
  'windoku-x': { boxes: true, windows: true, diagonals: true },
  jigsaw: { regions: true },
  'jigsaw-x': { regions: true, diagonals: true },
  'jigsaw-boxes': { regions: true, boxes: true },
  samurai: { overlapping: samuraiGeometry },
} as const satisfies Record<string, Rules>;

export type VariantName = keyof typeof RULES;

export const VARIANT_NAMES = Object.keys(RULES) as [VariantName, ...VariantName[]];

/** The names of variants in files and options. */
const NAMES: ReadonlyMap<string, VariantName> = new Map([
  ...VARIANT_NAMES.map((name) => [name, name] as const),
  ['classic', 'standard'],
  ['normal', 'standard'],
  ['sudoku', 'standard'],
  ['latin-square', 'latin'],
  ['diagonal-latin-square', 'latin-x'],
  ['diagonal', 'x'],
  ['x-sudoku', 'x'],
  ['sudoku-x', 'x'],
  ['hyper', 'windoku'],
  ['hypersudoku', 'windoku'],
  ['hyper-sudoku', 'windoku'],
  ['irregular', 'jigsaw'],
  ['gattai-5', 'samurai'],
]);

/** Returns the variant with this name, in any case and with spaces or underscores; undefined for an unknown name. */
export function parseVariantName(text: string): VariantName | undefined {
  const name = text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
  return NAMES.get(name);
}

/** Whether a puzzle of the variant needs a map of its regions. */
export function needsRegions(variant: VariantName): boolean {
  return rulesOf(variant).regions === true;
}

/** Whether the variant is square and has no rectangular boxes, so that it exists for every size. */
export function takesAnySize(variant: VariantName): boolean {
  const { boxes, overlapping } = rulesOf(variant);
  return boxes === undefined && overlapping === undefined;
}

/** Returns the variant with exactly the units that some variants have together; undefined if there is none. */
export function combinedVariant(variants: readonly VariantName[]): VariantName | undefined {
  const wanted: Rules = Object.assign({}, ...variants.map(rulesOf));
  return VARIANT_NAMES.find((name) => {
    const rules = rulesOf(name);
    return COMPONENTS.every(
      (component) => (rules[component] === undefined) === (wanted[component] === undefined),
    );
  });
}

const COMPONENTS = ['boxes', 'regions', 'diagonals', 'windows', 'overlapping'] as const;

/** Returns the geometries of overlapping grids: each has one size, and a number of cells that is not a square. */
export function overlappingVariants(): readonly Geometry[] {
  overlapping ??= VARIANT_NAMES.flatMap((variant) => rulesOf(variant).overlapping?.() ?? []);
  return overlapping;
}

/** Cached: a reader calls this for each line. */
let overlapping: readonly Geometry[] | undefined;

export interface VariantRequest {
  readonly variant: VariantName;
  /** Number of digits. */
  readonly size: number;
  /** Shape of a box. @default the usual one of the size */
  readonly box?: readonly [rows: number, columns: number];
  /** The number of the region of each cell, from 1. */
  readonly regions?: Uint8Array;
}

/** Returns why a geometry does not exist, as the end of a sentence with "expected"; undefined if it exists. */
export function variantProblem({ variant, size, box, regions }: VariantRequest): string | undefined {
  const rules = rulesOf(variant);
  if (rules.overlapping !== undefined) {
    const { places, size: only } = rules.overlapping();
    const shape = `${places?.rows} rows of ${places?.columns}`;
    return size === only ? undefined : `grids of ${only}x${only} in ${shape}, as ${variant} has`;
  }
  if (rules.regions && regions === undefined) {
    return `a map of its regions next to or below it, as ${variant} needs`;
  }
  if (rules.boxes && box === undefined && !hasUsualBox(size))
    return `a shape for its boxes, as ${variant} needs`;
  if (rules.windows) {
    const [rows, columns] = box ?? defaultBox(size);
    if (rows !== columns || rows < 2)
      return `a size with square boxes (4, 9, 16, 25, 36), as ${variant} needs`;
  }
  return undefined;
}

/** Geometries by request; most files have only a few maps of regions, but a file may have one for each puzzle. */
const cache = new Map<string, Geometry>();
const MAX_CACHED = 1000;

/**
 * Returns the geometry of a variant. The same request gives the same object.
 *
 * @throws RangeError if it does not exist (`variantProblem`), the box does not fit the size, or the regions are not
 *   `size` times `size` cells
 */
export function variantGeometry(request: VariantRequest): Geometry {
  const problem = variantProblem(request);
  const { variant, size, regions } = request;
  if (problem !== undefined) throw new RangeError(`no ${variant} of ${size}x${size}: expected ${problem}`);
  const rules = rulesOf(variant);
  if (rules.overlapping !== undefined) return rules.overlapping();
  const box = rules.boxes ? (request.box ?? defaultBox(size)) : undefined;
  if (variant === 'standard') return standardGeometry(size, box?.[0], box?.[1]);
  const map = rules.regions ? regions : undefined;
  const key = `${variant} ${size} ${box?.join()} ${map === undefined ? '' : textOf(map)}`;
  let geometry = cache.get(key);
  if (geometry === undefined) {
    geometry = build(variant, size, box, map);
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(key, geometry);
  }
  return geometry;
}

function rulesOf(variant: VariantName): Rules {
  return RULES[variant];
}

/** Returns numbers as a string, one character each; a spread would first build a list, which is slow. */
function textOf(numbers: Uint8Array): string {
  return String.fromCharCode.apply(null, numbers as unknown as number[]);
}

function build(
  variant: VariantName,
  size: number,
  box: readonly [rows: number, columns: number] | undefined,
  regions: Uint8Array | undefined,
): Geometry {
  const { diagonals, windows } = rulesOf(variant);
  const lines = standardGeometry(size, 1, size).units.slice(0, 2 * size);
  return {
    size,
    boxRows: box?.[0] ?? 0,
    boxColumns: box?.[1] ?? 0,
    variant,
    cellCount: size * size,
    units: [
      ...lines,
      ...(box === undefined ? [] : standardGeometry(size, ...box).units.slice(2 * size)),
      ...(regions === undefined ? [] : regionUnits(size, regions)),
      ...(diagonals ? diagonalUnits(size) : []),
      ...(windows && box !== undefined ? windowUnits(size, box[0]) : []),
    ],
  };
}

function regionUnits(size: number, regions: Uint8Array): Unit[] {
  const units = Array.from({ length: size }, () => new Int32Array(size));
  const counts = new Int32Array(size);
  for (let cell = 0; cell < regions.length; cell++) {
    const region = regions[cell];
    if (region < 1 || region > size) {
      throw new RangeError(`cell ${cell} is in region ${region}: expected a region from 1 to ${size}`);
    }
    const count = counts[region - 1]++;
    if (count < size) units[region - 1][count] = cell;
  }
  const wrong = counts.findIndex((count) => count !== size);
  if (wrong >= 0) {
    throw new RangeError(`region ${wrong + 1} has ${counts[wrong]} cells: expected ${size}`);
  }
  return units.map((cells, index) => ({ kind: 'region', ordinal: index + 1, cells }));
}

/** The diagonal from the upper left to the lower right, and that from the upper right to the lower left. */
function diagonalUnits(size: number): Unit[] {
  return unitsOfKind('diagonal', size, (unit, k) => k * size + (unit === 0 ? k : size - 1 - k), 2);
}

/** @param side the side of a box and of a window: the square root of `size` */
function windowUnits(size: number, side: number): Unit[] {
  const across = side - 1;
  const cellAt = (window: number, k: number) => {
    const row = 1 + Math.floor(window / across) * (side + 1) + Math.floor(k / side);
    return row * size + 1 + (window % across) * (side + 1) + (k % side);
  };
  return unitsOfKind('window', size, cellAt, across * across);
}

let samurai: Geometry | undefined;

function samuraiGeometry(): Geometry {
  samurai ??= overlappingGeometry('samurai', 9, [
    { name: 'top left', row: 0, column: 0 },
    { name: 'top right', row: 0, column: 12 },
    { name: 'bottom left', row: 12, column: 0 },
    { name: 'bottom right', row: 12, column: 12 },
    { name: 'centre', row: 6, column: 6 },
  ]);
  return samurai;
}
