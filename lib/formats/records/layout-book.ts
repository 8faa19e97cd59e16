/** Layouts and geometries of a file's puzzles: one object per combination, so `===` compares them. */
import { type Geometry, hasUsualBox, placesOf, standardGeometry } from '../../sudoku/geometry/geometry.ts';
import {
  needsRegions,
  overlappingVariants,
  takesAnySize,
  type VariantRequest,
  variantGeometry,
  variantProblem,
} from '../../sudoku/geometry/variants.ts';
import { kept } from '../bytes/kept.ts';
import { isFault, mapAmong, type RegionFault, type RegionMap } from '../cells/regions.ts';
import type { FormatHints } from '../reader.ts';
import { type Alphabet, isSameButBlank, type Layout } from './layout.ts';

/** Sizes to look for in every file: they have a usual box. */
const COMMON_SIZES = [4, 6, 9, 12, 16, 20, 25, 36] as const;

/**
 * Sizes with a usual box that are read only if the file names them, or has no others: next to 9x9 puzzles, a line of 64
 * characters is more often a damaged line of 81 than an 8x8.
 */
export const RARE_SIZES: readonly number[] = [8, 10, 15];

/** Range of the sizes to look for if the user named a variant without boxes. */
const MIN_SIZE = 4;
const MAX_SIZE = 36;

/** Maximum number of region maps that are kept; a file of jigsaws has one per puzzle. */
const MAX_KEPT = 1000;

/** The rules of a puzzle that its file names. */
type PartialRequest = Pick<VariantRequest, 'size'> & Partial<VariantRequest>;

export type LayoutBook = ReturnType<typeof layoutBook>;

export function layoutBook({ variant: defaultVariant, box: defaultBox }: FormatHints) {
  /** The last layout of each geometry. */
  const layouts = new WeakMap<Geometry, Layout>();
  /** Sizes to look for, by the number of their cells. */
  const sizeByCells = new Map<number, number>();
  const geometries = new Map<number, Geometry>();
  /** The expected puzzle, by stand-in geometry; see `geometry`. */
  const rejections = new WeakMap<Geometry, string>();
  /** By the hash of their maps. */
  const mapped = new Map<number, KnownMap>();
  let lastMap: KnownMap | undefined;
  const book = {
    /** Sizes to look for, ascending. */
    sizes: [] as readonly number[],
    sizeOfCells,
    geometryOfCells,
    isPuzzleLength,
    addSize,
    isSize,
    isLineOrRow,
    layout,
    geometry,
    geometryFor,
    jigsaw,
    jigsawFromMap,
    rejection,
  };
  for (const size of COMMON_SIZES) addSize(size);
  if (defaultBox !== undefined) addSize(defaultBox[0] * defaultBox[1]);
  if (defaultVariant !== undefined && takesAnySize(defaultVariant)) {
    for (let size = MIN_SIZE; size <= MAX_SIZE; size++) addSize(size);
  }

  /** @returns the size of square puzzles with that number of cells; undefined if there are none */
  function sizeOfCells(cells: number): number | undefined {
    return sizeByCells.get(cells);
  }

  /**
   * @param anySize whether to allow squares of any size
   * @returns the geometry of puzzles with that number of cells, square or not; undefined if there are none
   */
  function geometryOfCells(cells: number, anySize = false): Geometry | undefined {
    const size = sizeByCells.get(cells) ?? (anySize ? sizeOfSquare(cells) : undefined);
    if (size !== undefined) return geometry(size);
    return overlappingVariants().find(({ cellCount }) => cellCount === cells);
  }

  /** Whether a puzzle on one line can have that length: its cells, or its cells with the gaps between grids. */
  function isPuzzleLength(characters: number): boolean {
    if (geometryOfCells(characters) !== undefined) return true;
    return overlappingVariants().some((geometry) => {
      const { rows, columns } = placesOf(geometry);
      return rows * columns === characters;
    });
  }

  /** Adds any size to the sizes to look for. */
  function addSize(size: number): void {
    if (isSize(size)) return;
    book.sizes = [...book.sizes, size].sort((a, b) => a - b);
    sizeByCells.set(size * size, size);
  }

  /** Whether puzzles of that size are looked for. */
  function isSize(size: number): boolean {
    return sizeByCells.has(size * size);
  }

  /** Whether that length fits both a whole puzzle and a row of a larger one: 16, a 4x4 or a row of a 16x16. */
  function isLineOrRow(characters: number): boolean {
    return isSize(characters) && sizeByCells.has(characters);
  }

  /** @returns the same object for the same arguments, if it is the last one of its geometry */
  function layout(
    format: string,
    geometry: Geometry,
    alphabet: Alphabet,
    blank: string,
    arrangement?: string,
  ): Layout {
    const own = { format, geometry, alphabet, blank, arrangement };
    const last = layouts.get(geometry);
    if (last?.blank === blank && isSameButBlank(last, own)) return last;
    layouts.set(geometry, own);
    return own;
  }

  /**
   * The geometry of a puzzle if only its size is known: with the variant and the box that the user specified, if they
   * fit. If there is no such geometry, a stand-in to read the puzzle with, see `rejection`.
   */
  function geometry(size: number): Geometry {
    return kept(geometries, size, () => geometryFor({ size }));
  }

  /** The geometry of a square puzzle whose file names its variant or box; defaults are those of `geometry`. */
  function geometryFor({ variant: named, size, box: own, regions }: PartialRequest): Geometry {
    const variant = named ?? defaultVariant ?? 'standard';
    const box = [own, defaultBox].find((shape) => shape !== undefined && shape[0] * shape[1] === size);
    const request = { variant, size, box, regions };
    let problem = variantProblem(request);
    if (problem === undefined) {
      const geometry = variantGeometry(request);
      if (geometry.places === undefined) return geometry;
      const { rows, columns } = geometry.places;
      problem = `a whole ${variant}: ${rows} rows of ${columns}, or its ${geometry.cellCount} cells on one line`;
    }
    const [rows, columns] = box ?? (hasUsualBox(size) ? [] : [1, size]);
    const standIn = { ...standardGeometry(size, rows, columns) };
    rejections.set(standIn, problem);
    return standIn;
  }

  /** The geometry of a puzzle with regions: with the file's variant and box, the user's, or a plain jigsaw. */
  function jigsaw(regions: Uint8Array, { variant, box }: Omit<PartialRequest, 'size'> = {}): Geometry {
    const usual = defaultVariant !== undefined && needsRegions(defaultVariant) ? defaultVariant : 'jigsaw';
    return geometryFor({ variant: variant ?? usual, size: Math.sqrt(regions.length), box, regions });
  }

  /**
   * The jigsaw of a region map, if the cells are one.
   *
   * @param codes of the cells
   * @param read gives its regions
   * @returns why they are no map although they resemble one; undefined if they do not
   */
  function jigsawFromMap(
    codes: Uint16Array,
    size: number,
    read: typeof mapAmong = mapAmong,
  ): MappedJigsaw | RegionFault | undefined {
    if (lastMap?.read === read && isSame(lastMap.codes, codes)) return lastMap;
    const key = hashOf(codes);
    let known = mapped.get(key);
    if (known?.read !== read || !isSame(known.codes, codes)) {
      const map = read(codes, codes.length, size);
      if (map === undefined || isFault(map)) return map;
      known = { ...map, read, codes: codes.slice(), geometry: jigsaw(map.regions) };
      if (mapped.size >= MAX_KEPT) mapped.clear();
      mapped.set(key, known);
    }
    lastMap = known;
    return known;
  }

  /** The puzzle that was expected instead of one of that geometry; undefined if the user's variant fits it. */
  function rejection(geometry: Geometry): string | undefined {
    return rejections.get(geometry);
  }

  return book;
}

/** @returns the size of a square with that number of cells; undefined if none from 4x4 to 36x36 has it */
export function sizeOfSquare(cells: number): number | undefined {
  const size = Math.sqrt(cells);
  return Number.isInteger(size) && size >= MIN_SIZE && size <= MAX_SIZE ? size : undefined;
}

/** A jigsaw with a region map of its file. */
export interface MappedJigsaw extends RegionMap {
  readonly geometry: Geometry;
}

/** Codes that were read before, and their jigsaw. */
interface KnownMap extends MappedJigsaw {
  readonly read: typeof mapAmong;
  readonly codes: Uint16Array;
}

function hashOf(codes: Uint16Array): number {
  let hash = codes.length;
  for (let k = 0; k < codes.length; k++) hash = Math.imul(hash, 31) + codes[k];
  return hash | 0;
}

function isSame(one: Uint16Array, other: Uint16Array): boolean {
  if (one.length !== other.length) return false;
  for (let k = 0; k < one.length; k++) if (one[k] !== other[k]) return false;
  return true;
}
