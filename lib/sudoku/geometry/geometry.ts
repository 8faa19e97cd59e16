/**
 * The shape of a sudoku: its cells, and the units in which each digit occurs exactly once.
 *
 * A geometry knows no variant by name. An ordinary 9x9 has 27 units (9 rows, 9 columns, 9 boxes); a Latin
 * square leaves the boxes out; a jigsaw, a diagonal or overlapping grids are other lists of units. Engines,
 * the givens check and the solution check work from `units` alone.
 *
 *     cell                                  0-based, row by row as the puzzle is drawn, gaps left out
 *     units[k].cells = Int32Array(size)     the cells of unit k, ascending
 *     places                                which row and column of the drawing a cell stands in
 *
 * Without `places` there are `size` rows of `size` cells, and cell = row * size + column.
 */

export type UnitKind = 'row' | 'column' | 'box' | 'region' | 'diagonal' | 'window';

export interface Unit {
  readonly kind: UnitKind;
  /** Which one of its kind, from 1. */
  readonly ordinal: number;
  /** Where several grids overlap: the one it belongs to, such as `top left`; its ordinal counts within that grid. */
  readonly grid?: string;
  /** Exactly `size` distinct cells, ascending. */
  readonly cells: Int32Array;
}

/** Where cells stand when a puzzle is drawn: in rows and columns, some of whose places may be no cell. */
export interface CellPlaces {
  readonly rows: number;
  readonly columns: number;
  /** By cell: row * columns + column, both from 0; ascending. */
  readonly placeOf: Int32Array;
}

export interface Geometry {
  /** Number of digits, and of cells in each unit. */
  readonly size: number;
  /** Height and width of a box; both 0 where there are no rectangular boxes. */
  readonly boxRows: number;
  readonly boxColumns: number;
  /** Name for records and messages; `standard` for rows, columns and rectangular boxes. */
  readonly variant: string;
  readonly cellCount: number;
  /** Left out where the puzzle is drawn as `size` rows of `size` cells. */
  readonly places?: CellPlaces;
  /** By cell: the digits it may have, bit d-1 for d, up to 31 digits; left out where each may have all. */
  readonly candidates?: Int32Array;
  /** Rows first, then columns, then boxes or regions, then all others. */
  readonly units: readonly Unit[];
}

/** Largest number of digits: a cell's value must fit in a byte, 0 being blank. */
export const MAX_SIZE = 255;

/** Box shapes taken where nobody asks for another: rows x columns, wider than high. */
const DEFAULT_BOX: Readonly<Record<number, readonly [rows: number, columns: number]>> = {
  4: [2, 2],
  6: [2, 3],
  8: [2, 4],
  9: [3, 3],
  10: [2, 5],
  12: [3, 4],
  15: [3, 5],
  16: [4, 4],
  20: [4, 5],
  25: [5, 5],
  36: [6, 6],
};

const cache = new Map<string, Geometry>();

/**
 * The ordinary sudoku of a size: rows, columns and boxes.
 *
 * The same arguments give the same object, so geometries may be compared with `===`.
 *
 * @param size number of digits, 1 to 255
 * @param boxRows height of a box; by default the usual shape of that size (6 is 2x3, 12 is 3x4)
 * @param boxColumns width of a box; `boxRows * boxColumns` must equal `size`
 * @throws RangeError where the box does not fit the size, or the size has no usual box and none is given
 */
export function standardGeometry(size: number, boxRows?: number, boxColumns?: number): Geometry {
  const [rows, columns] =
    boxRows === undefined || boxColumns === undefined ? defaultBox(size) : [boxRows, boxColumns];
  if (!Number.isInteger(size) || size < 1 || size > MAX_SIZE) {
    throw new RangeError(`size ${size} is out of range: expected an integer from 1 to ${MAX_SIZE}`);
  }
  if (!Number.isInteger(rows) || !Number.isInteger(columns) || rows * columns !== size || rows < 1) {
    throw new RangeError(
      `box ${rows}x${columns} does not hold ${size} cells: rows x columns must be ${size}`,
    );
  }
  const key = `${size}:${rows}x${columns}`;
  let geometry = cache.get(key);
  if (geometry === undefined) {
    geometry = {
      size,
      boxRows: rows,
      boxColumns: columns,
      variant: 'standard',
      cellCount: size * size,
      units: [...rowUnits(size), ...columnUnits(size), ...boxUnits(size, rows, columns)],
    };
    cache.set(key, geometry);
  }
  return geometry;
}

const squares = new Map<number, CellPlaces>();

/** Where the cells of a geometry stand when it is drawn. */
export function placesOf({ size, places }: Geometry): CellPlaces {
  if (places !== undefined) return places;
  let square = squares.get(size);
  if (square === undefined) {
    square = { rows: size, columns: size, placeOf: Int32Array.from({ length: size * size }, (_, k) => k) };
    squares.set(size, square);
  }
  return square;
}

/** Whether a size has boxes of a usual shape, so that nobody has to name one. */
export function hasUsualBox(size: number): boolean {
  return DEFAULT_BOX[size] !== undefined;
}

/** `"2x3"` as [2, 3]; undefined where the text is not `rows x columns`. */
export function parseBox(text: string): readonly [rows: number, columns: number] | undefined {
  const match = /^([1-9]\d{0,2})x([1-9]\d{0,2})$/.exec(text);
  return match === null ? undefined : [Number(match[1]), Number(match[2])];
}

function defaultBox(size: number): readonly [number, number] {
  const box = DEFAULT_BOX[size];
  if (box === undefined) {
    throw new RangeError(`size ${size} has no usual box shape: give one, rows x columns`);
  }
  return box;
}

function rowUnits(size: number): Unit[] {
  return Array.from({ length: size }, (_, row) => ({
    kind: 'row',
    ordinal: row + 1,
    cells: Int32Array.from({ length: size }, (_, column) => row * size + column),
  }));
}

function columnUnits(size: number): Unit[] {
  return Array.from({ length: size }, (_, column) => ({
    kind: 'column',
    ordinal: column + 1,
    cells: Int32Array.from({ length: size }, (_, row) => row * size + column),
  }));
}

function boxUnits(size: number, boxRows: number, boxColumns: number): Unit[] {
  const boxesAcross = size / boxColumns;
  return Array.from({ length: size }, (_, box) => {
    const top = Math.floor(box / boxesAcross) * boxRows;
    const left = (box % boxesAcross) * boxColumns;
    return {
      kind: 'box',
      ordinal: box + 1,
      cells: Int32Array.from(
        { length: size },
        (_, k) => (top + Math.floor(k / boxColumns)) * size + left + (k % boxColumns),
      ),
    };
  });
}
