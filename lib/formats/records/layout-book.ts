/** Layouts, one object for each combination, so that blocks can be told apart with `===`. */
import { type Geometry, hasUsualBox, placesOf, standardGeometry } from '../../sudoku/geometry/geometry.ts';
import {
  needsRegions,
  overlappingVariants,
  takesAnySize,
  type VariantRequest,
  variantGeometry,
  variantProblem,
} from '../../sudoku/geometry/variants.ts';
import { regionsFromWalls, regionsOf } from '../cells/regions.ts';
import type { FormatHints } from '../reader.ts';
import type { Alphabet, Layout } from './layout.ts';

/** Sizes that are looked for in every file: they have a usual box. */
const COMMON_SIZES = [4, 6, 9, 12, 16, 20, 25, 36] as const;

/**
 * Sizes with a usual box that are read where a file names them, or holds nothing else: beside a 9x9, a line of 64 is
 * more often what damage left of 81 than an 8x8.
 */
export const RARE_SIZES: readonly number[] = [8, 10, 15];

/** Sizes that are looked for where the user named a variant without boxes: all in this range. */
const MIN_SIZE = 4;
const MAX_SIZE = 36;

/** Layouts, and maps of regions, kept; a file of jigsaws has one for every puzzle. */
const MAX_KEPT = 1000;

/** What a file says of a puzzle's rules. */
type PartialRequest = Pick<VariantRequest, 'size'> & Partial<VariantRequest>;

export class LayoutBook {
  readonly #hints: FormatHints;
  readonly #layouts = new Map<string, Layout>();
  /** Sizes of puzzles that a file may hold, ascending. */
  sizes: readonly number[];
  readonly #sizeOfCells = new Map<number, number>();
  readonly #geometries = new Map<number, Geometry>();
  /** Geometries that stand in for those that do not exist, with what was expected. */
  readonly #refusals = new WeakMap<Geometry, string>();
  /** Geometries by their maps of regions, as they stand in the file. */
  readonly #mapped = new Map<number, KnownMap>();
  #lastMap: KnownMap | undefined;
  /** The layout that each geometry had last, where another one comes with every puzzle. */
  #lastOf = new WeakMap<Geometry, Layout>();
  /** Numbers of geometries, for the keys of layouts. */
  readonly #numbers = new WeakMap<Geometry, number>();
  #geometryCount = 0;
  #last: Layout | undefined;

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

  /** The size of the square puzzles that have so many cells; undefined where none has. */
  sizeOfCells(cells: number): number | undefined {
    return this.#sizeOfCells.get(cells);
  }

  /**
   * The geometry of the puzzles that have so many cells, square or not; undefined where none has.
   *
   * @param anySize whether squares are taken that are not looked for
   */
  geometryOfCells(cells: number, anySize = false): Geometry | undefined {
    const size = this.#sizeOfCells.get(cells) ?? (anySize ? sizeOfSquare(cells) : undefined);
    if (size !== undefined) return this.geometry(size);
    return overlappingVariants().find(({ cellCount }) => cellCount === cells);
  }

  /** Whether a whole puzzle on a line may have so many characters: its cells alone, or with the gaps between grids. */
  isPuzzleLength(characters: number): boolean {
    if (this.geometryOfCells(characters) !== undefined) return true;
    return overlappingVariants().some((geometry) => {
      const { rows, columns } = placesOf(geometry);
      return rows * columns === characters;
    });
  }

  /** Looks for puzzles of a size from now on, if it has a usual box. */
  allowSize(size: number): void {
    if (this.isSize(size) || !RARE_SIZES.includes(size)) return;
    this.sizes = [...this.sizes, size].sort((a, b) => a - b);
    this.#sizeOfCells.set(size * size, size);
  }

  /** Sizes that were allowed since. */
  get allowedSizes(): readonly number[] {
    return this.sizes.filter((size) => RARE_SIZES.includes(size));
  }

  /** Whether puzzles of a size are looked for. */
  isSize(size: number): boolean {
    return this.#sizeOfCells.has(size * size);
  }

  /** Whether so many characters may be a whole puzzle or a row of a larger one: 16, a 4x4 or a row of a 16x16. */
  isLineOrRow(characters: number): boolean {
    return this.isSize(characters) && this.#sizeOfCells.has(characters);
  }

  /** The layout of a puzzle; the same arguments give the same object. */
  layout(
    format: string,
    geometry: Geometry,
    alphabet: Alphabet,
    blank: string,
    arrangement?: string,
  ): Layout {
    const last = this.#last?.geometry === geometry ? this.#last : this.#lastOf.get(geometry);
    if (
      last !== undefined &&
      last.alphabet === alphabet &&
      last.blank === blank &&
      last.format === format &&
      last.arrangement === arrangement
    ) {
      this.#last = last;
      return last;
    }
    const key = `${format} ${this.#numberOf(geometry)} ${alphabet.symbols.join('')} ${blank} ${arrangement ?? ''}`;
    let layout = this.#layouts.get(key);
    if (layout === undefined || layout.alphabet !== alphabet) {
      if (this.#layouts.size >= MAX_KEPT) {
        this.#layouts.clear();
        this.#lastOf = new WeakMap();
      }
      layout = { format, geometry, alphabet, blank, arrangement };
      this.#layouts.set(key, layout);
    }
    this.#last = layout;
    this.#lastOf.set(geometry, layout);
    return layout;
  }

  /**
   * The geometry of a puzzle of a size whose file says no more: of the variant and with the box that the user asked
   * for, where it fits. Where there is no such geometry, one to read the puzzle by, see `refusal`.
   */
  geometry(size: number): Geometry {
    let geometry = this.#geometries.get(size);
    if (geometry === undefined) {
      geometry = this.geometryFor({ size });
      this.#geometries.set(size, geometry);
    }
    return geometry;
  }

  /** The geometry of a square puzzle whose file names its variant or box; what it does not is as for `geometry`. */
  geometryFor({ variant: named, size, box: own, regions }: PartialRequest): Geometry {
    const { variant: wanted = 'standard', box: asked } = this.#hints;
    const variant = named ?? wanted;
    const box = [own, asked].find((shape) => shape !== undefined && shape[0] * shape[1] === size);
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
    this.#refusals.set(standIn, problem);
    return standIn;
  }

  /** The geometry of a puzzle with regions: the variant and box that the file names, the user's, or a jigsaw. */
  jigsaw(regions: Uint8Array, { variant, box }: Omit<PartialRequest, 'size'> = {}): Geometry {
    const { variant: wanted } = this.#hints;
    const usual = wanted !== undefined && needsRegions(wanted) ? wanted : 'jigsaw';
    return this.geometryFor({ variant: variant ?? usual, size: Math.sqrt(regions.length), box, regions });
  }

  /**
   * The geometry of a jigsaw from its map; undefined where the cells are no map, see `regionsOf`.
   *
   * @param codes one a cell, `size * size` of them from `from`
   */
  jigsawFromMap(codes: Uint16Array, from: number, size: number): Geometry | undefined {
    // The first cell's region goes on beside it or below it, as that of a solved grid never does.
    if (codes[from] !== codes[from + 1] && codes[from] !== codes[from + size]) return undefined;
    return this.#mappedBy(regionsOf, codes.subarray(from, from + size * size), size);
  }

  /** The geometry of a jigsaw from its walls; undefined where they enclose no regions, see `walledRegions`. */
  jigsawFromWalls(walls: Uint16Array, size: number): Geometry | undefined {
    return this.#mappedBy(walledGrid, walls, size);
  }

  #mappedBy(read: RegionReader, codes: Uint16Array, size: number): Geometry | undefined {
    const last = this.#lastMap;
    if (last?.read === read && isSame(last.codes, codes)) return last.geometry;
    const key = hashOf(codes);
    let known = this.#mapped.get(key);
    if (known?.read !== read || !isSame(known.codes, codes)) {
      const regions = read(codes, 0, size);
      if (regions === undefined) return undefined;
      known = { read, codes: codes.slice(), geometry: this.jigsaw(regions) };
      if (this.#mapped.size >= MAX_KEPT) this.#mapped.clear();
      this.#mapped.set(key, known);
    }
    this.#lastMap = known;
    return known.geometry;
  }

  /** What a puzzle of that geometry should have been, as the user asked for another variant; undefined where it is right. */
  rejection(geometry: Geometry): string | undefined {
    return this.#refusals.get(geometry);
  }

  #numberOf(geometry: Geometry): number {
    let number = this.#numbers.get(geometry);
    if (number === undefined) {
      number = this.#geometryCount++;
      this.#numbers.set(geometry, number);
    }
    return number;
  }
}

/** A number by which codes are looked up; others may have the same one, seldom. */
function hashOf(codes: Uint16Array): number {
  let hash = codes.length;
  for (let k = 0; k < codes.length; k++) hash = Math.imul(hash, 31) + codes[k];
  return hash | 0;
}

/** The size of a square of so many cells; undefined where there is none from 4x4 to 36x36. */
export function sizeOfSquare(cells: number): number | undefined {
  const size = Math.sqrt(cells);
  return Number.isInteger(size) && size >= MIN_SIZE && size <= MAX_SIZE ? size : undefined;
}

/** Makes regions of what a file says of the cells. */
type RegionReader = (codes: Uint16Array, from: number, size: number) => Uint8Array | undefined;

/** What a file said of the cells before, and the geometry that it made. */
interface KnownMap {
  readonly read: RegionReader;
  readonly codes: Uint16Array;
  readonly geometry: Geometry;
}

function walledGrid(walls: Uint16Array, _from: number, size: number): Uint8Array | undefined {
  return regionsFromWalls(walls, size);
}

function isSame(one: Uint16Array, other: Uint16Array): boolean {
  if (one.length !== other.length) return false;
  for (let k = 0; k < one.length; k++) if (one[k] !== other[k]) return false;
  return true;
}
