/** Layouts, one object for each combination, so that blocks can be told apart with `===`. */
import { type Geometry, standardGeometry } from '../sudoku/geometry.ts';
import type { Alphabet, Layout } from './layout.ts';
import type { FormatHints } from './reader.ts';

/** Sizes that are looked for in files where nobody names another: they have a usual box. */
export const KNOWN_SIZES = [4, 6, 9, 12, 16, 20, 25, 36] as const;

/** Sizes with a usual box that are read where a file names them. */
const OTHER_SIZES = [8, 10, 15];

/** Layouts kept; a file of jigsaws has one for every puzzle. */
const MAX_LAYOUTS = 1000;

export class LayoutBook {
  readonly #hints: FormatHints;
  readonly #layouts = new Map<string, Layout>();
  /** Sizes of puzzles that a file may hold, ascending. */
  sizes: readonly number[];
  readonly #sizeOfCells = new Map<number, number>();
  #last: Layout | undefined;

  constructor(hints: FormatHints) {
    this.#hints = hints;
    const sizes = new Set<number>(KNOWN_SIZES);
    if (hints.box !== undefined) sizes.add(hints.box[0] * hints.box[1]);
    this.sizes = [...sizes].sort((a, b) => a - b);
    for (const size of this.sizes) this.#sizeOfCells.set(size * size, size);
  }

  /** The size of the puzzles that have so many cells; undefined where none has. */
  sizeOfCells(cells: number): number | undefined {
    return this.#sizeOfCells.get(cells);
  }

  /** Looks for puzzles of a size from now on, if it has a usual box. */
  allow(size: number): void {
    if (this.isSize(size) || !OTHER_SIZES.includes(size)) return;
    this.sizes = [...this.sizes, size].sort((a, b) => a - b);
    this.#sizeOfCells.set(size * size, size);
  }

  /** Sizes that were allowed since. */
  get allowed(): readonly number[] {
    return this.sizes.filter((size) => OTHER_SIZES.includes(size));
  }

  /** Whether puzzles of a size are looked for. */
  isSize(size: number): boolean {
    return this.#sizeOfCells.has(size * size);
  }

  /** The layout of a puzzle; the same arguments give the same object. */
  layout(
    format: string,
    geometry: Geometry,
    alphabet: Alphabet,
    blank: string,
    arrangement?: string,
  ): Layout {
    const last = this.#last;
    if (
      last !== undefined &&
      last.geometry === geometry &&
      last.alphabet === alphabet &&
      last.blank === blank &&
      last.format === format &&
      last.arrangement === arrangement
    ) {
      return last;
    }
    const key = `${format} ${geometryName(geometry)} ${alphabet.symbols.join('')} ${blank} ${arrangement ?? ''}`;
    let layout = this.#layouts.get(key);
    if (layout === undefined || layout.geometry !== geometry || layout.alphabet !== alphabet) {
      if (this.#layouts.size >= MAX_LAYOUTS) this.#layouts.clear();
      layout = { format, geometry, alphabet, blank, arrangement };
      this.#layouts.set(key, layout);
    }
    this.#last = layout;
    return layout;
  }

  /**
   * The geometry of an ordinary puzzle of a size, with the box that the user asked for where it fits.
   *
   * @throws RangeError where the size has no usual box
   */
  geometry(size: number): Geometry {
    const { box } = this.#hints;
    return box !== undefined && box[0] * box[1] === size
      ? standardGeometry(size, box[0], box[1])
      : standardGeometry(size);
  }
}

function geometryName(geometry: Geometry): string {
  return `${geometry.variant} ${geometry.size} ${geometry.boxRows}x${geometry.boxColumns}`;
}
