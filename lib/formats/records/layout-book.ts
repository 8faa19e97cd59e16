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
import {
  isFault,
  mapAmong,
  type RegionFault,
  type RegionMap,
  readRegionMap,
  regionsFromWalls,
} from '../cells/regions.ts';
import type { FormatHints } from '../reader.ts';
import type { Alphabet, Layout } from './layout.ts';

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
/** Maximum number of layouts that are kept of a geometry. */
const MAX_LAYOUTS = 32;

/** The rules of a puzzle that its file names. */
type PartialRequest = Pick<VariantRequest, 'size'> & Partial<VariantRequest>;

export class LayoutBook {
  readonly #hints: FormatHints;
  /** The layouts of each geometry, the last one first. */
  readonly #layouts = new WeakMap<Geometry, readonly Layout[]>();
  /** Sizes to look for, ascending. */
  sizes: readonly number[];
  readonly #sizeOfCells = new Map<number, number>();
  readonly #geometries = new Map<number, Geometry>();
  /** The expected puzzle, by stand-in geometry; see `geometry`. */
  readonly #rejections = new WeakMap<Geometry, string>();
  /** Geometries by hash of their region maps. */
  readonly #mapped = new Map<number, KnownMap>();
  #lastMap: KnownMap | undefined;

  constructor(hints: FormatHints) {
    const { variant, box } = hints;
    this.#hints = hints;
    const sizes = new Set<number>(COMMON_SIZES);
    if (box !== undefined) sizes.add(box[0] * box[1]);
    if (variant !== undefined && takesAnySize(variant)) {
      for (let size = MIN_SIZE; size <= MAX_SIZE; size++) sizes.add(size);
    }
    this.sizes = [...sizes].sort((a, b) => a - b);
    for (const size of this.sizes) this.#sizeOfCells.set(size * size, size);
  }

  /** @returns the size of square puzzles with that number of cells; undefined if there are none */
  sizeOfCells(cells: number): number | undefined {
    return this.#sizeOfCells.get(cells);
  }

  /**
   * @param anySize whether to allow squares of any size
   * @returns the geometry of puzzles with that number of cells, square or not; undefined if there are none
   */
  geometryOfCells(cells: number, anySize = false): Geometry | undefined {
    const size = this.#sizeOfCells.get(cells) ?? (anySize ? sizeOfSquare(cells) : undefined);
    if (size !== undefined) return this.geometry(size);
    return overlappingVariants().find(({ cellCount }) => cellCount === cells);
  }

  /** Whether a puzzle on one line can have that length: its cells, or its cells with the gaps between grids. */
  isPuzzleLength(characters: number): boolean {
    if (this.geometryOfCells(characters) !== undefined) return true;
    return overlappingVariants().some((geometry) => {
      const { rows, columns } = placesOf(geometry);
      return rows * columns === characters;
    });
  }

  /** Adds a rare size to the sizes to look for. */
  allowSize(size: number): void {
    if (RARE_SIZES.includes(size)) this.addSize(size);
  }

  /** Adds any size to the sizes to look for. */
  addSize(size: number): void {
    if (this.isSize(size)) return;
    this.sizes = [...this.sizes, size].sort((a, b) => a - b);
    this.#sizeOfCells.set(size * size, size);
  }

  /** Rare sizes that were added. */
  get allowedSizes(): readonly number[] {
    return this.sizes.filter((size) => RARE_SIZES.includes(size));
  }

  /** Whether puzzles of that size are looked for. */
  isSize(size: number): boolean {
    return this.#sizeOfCells.has(size * size);
  }

  /** Whether that length fits both a whole puzzle and a row of a larger one: 16, a 4x4 or a row of a 16x16. */
  isLineOrRow(characters: number): boolean {
    return this.isSize(characters) && this.#sizeOfCells.has(characters);
  }

  /** @returns the same object for the same arguments, if it is one of the last of its geometry */
  layout(
    format: string,
    geometry: Geometry,
    alphabet: Alphabet,
    blank: string,
    arrangement?: string,
  ): Layout {
    const isSame = (layout: Layout) =>
      layout.alphabet === alphabet &&
      layout.blank === blank &&
      layout.format === format &&
      layout.arrangement === arrangement;
    const known = this.#layouts.get(geometry) ?? [];
    if (known.length > 0 && isSame(known[0])) return known[0];
    const layout = known.find(isSame) ?? { format, geometry, alphabet, blank, arrangement };
    const others = known.filter((each) => each !== layout).slice(0, MAX_LAYOUTS - 1);
    this.#layouts.set(geometry, [layout, ...others]);
    return layout;
  }

  /**
   * The geometry of a puzzle if only its size is known: with the variant and the box that the user specified, if they
   * fit. If there is no such geometry, a stand-in to read the puzzle with, see `rejection`.
   */
  geometry(size: number): Geometry {
    let geometry = this.#geometries.get(size);
    if (geometry === undefined) {
      geometry = this.geometryFor({ size });
      this.#geometries.set(size, geometry);
    }
    return geometry;
  }

  /** The geometry of a square puzzle whose file names its variant or box; defaults are those of `geometry`. */
  geometryFor({ variant: named, size, box: own, regions }: PartialRequest): Geometry {
    const { variant: defaultVariant = 'standard', box: defaultBox } = this.#hints;
    const variant = named ?? defaultVariant;
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
    this.#rejections.set(standIn, problem);
    return standIn;
  }

  /** The geometry of a puzzle with regions: with the file's variant and box, the user's, or a plain jigsaw. */
  jigsaw(regions: Uint8Array, { variant, box }: Omit<PartialRequest, 'size'> = {}): Geometry {
    const { variant: defaultVariant } = this.#hints;
    const usual = defaultVariant !== undefined && needsRegions(defaultVariant) ? defaultVariant : 'jigsaw';
    return this.geometryFor({ variant: variant ?? usual, size: Math.sqrt(regions.length), box, regions });
  }

  /**
   * The jigsaw of a region map, if the cells are one.
   *
   * @param codes of the cells
   * @returns why they are no map although they resemble one; undefined if they do not
   */
  jigsawFromMap(codes: Uint16Array, size: number): MappedJigsaw | RegionFault | undefined {
    return this.#mappedBy(mapAmong, codes, size);
  }

  /** The jigsaw of cells that must be a region map, or why they are none. */
  jigsawFromStrictMap(codes: Uint16Array, size: number): MappedJigsaw | RegionFault {
    return this.#mappedBy(readRegionMap, codes, size);
  }

  /** @returns the geometry of the jigsaw with those walls; undefined if they enclose no regions, see `regionsFromWalls` */
  jigsawFromWalls(walls: Uint16Array, size: number): Geometry | undefined {
    const jigsaw = this.#mappedBy(walledGrid, walls, size);
    return jigsaw !== undefined && 'geometry' in jigsaw ? jigsaw.geometry : undefined;
  }

  #mappedBy<Reading extends RegionMap | RegionFault | undefined>(
    read: RegionReader<Reading>,
    codes: Uint16Array,
    size: number,
  ): MappedJigsaw | Exclude<Reading, RegionMap> {
    const last = this.#lastMap;
    if (last?.read === read && isSame(last.codes, codes)) return last;
    const key = hashOf(codes);
    let known = this.#mapped.get(key);
    if (known?.read !== read || !isSame(known.codes, codes)) {
      const map = read(codes, codes.length, size);
      if (map === undefined || isFault(map)) return map as Exclude<Reading, RegionMap>;
      const geometry = this.jigsaw(map.regions);
      const isDisconnected = map.disconnected !== undefined;
      known = { read, codes: codes.slice(), geometry, regions: map.regions, isDisconnected };
      if (this.#mapped.size >= MAX_KEPT) this.#mapped.clear();
      this.#mapped.set(key, known);
    }
    this.#lastMap = known;
    return known;
  }

  /** The puzzle that was expected instead of one of that geometry; undefined if the user's variant fits it. */
  rejection(geometry: Geometry): string | undefined {
    return this.#rejections.get(geometry);
  }
}

function hashOf(codes: Uint16Array): number {
  let hash = codes.length;
  for (let k = 0; k < codes.length; k++) hash = Math.imul(hash, 31) + codes[k];
  return hash | 0;
}

/** @returns the size of a square with that number of cells; undefined if none from 4x4 to 36x36 has it */
export function sizeOfSquare(cells: number): number | undefined {
  const size = Math.sqrt(cells);
  return Number.isInteger(size) && size >= MIN_SIZE && size <= MAX_SIZE ? size : undefined;
}

/** A jigsaw with a region map of its file. */
export interface MappedJigsaw {
  readonly geometry: Geometry;
  /** The region of each cell, from 1. */
  readonly regions: Uint8Array;
  /** Whether a region is in several parts. */
  readonly isDisconnected: boolean;
}

/** Converts a file's codes of the cells to regions. */
type RegionReader<Reading> = (codes: Uint16Array, count: number, size: number) => Reading;

/** Codes that were read before, and their geometry. */
interface KnownMap extends MappedJigsaw {
  readonly read: RegionReader<unknown>;
  readonly codes: Uint16Array;
}

function walledGrid(walls: Uint16Array, _count: number, size: number): RegionMap | undefined {
  const regions = regionsFromWalls(walls, size);
  return regions && { regions, disconnected: undefined };
}

function isSame(one: Uint16Array, other: Uint16Array): boolean {
  if (one.length !== other.length) return false;
  for (let k = 0; k < one.length; k++) if (one[k] !== other[k]) return false;
  return true;
}
