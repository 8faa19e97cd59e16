/**
 * The shape of a sudoku: its cells, and the units in which each digit occurs exactly once.
 *
 * Each cell is in some unit. A geometry does not know variants by name. An ordinary 9x9 has 27 units (9 rows, 9 columns, 9 boxes); a Latin
 * square has no boxes; a jigsaw, a diagonal or overlapping grids are other lists of units. Engines, the givens check
 * and the solution check use `units` alone.
 *
 *     cell                                  0-based, row by row as the puzzle is drawn, without gaps
 *     units[k].cells = Int32Array(size)     the cells of unit k, ascending
 *     places                                the row and column of each cell in the drawing
 *
 * Without `places` there are `size` rows of `size` cells, and cell = row * size + column.
 */

export type UnitKind = 'row' | 'column' | 'box' | 'region' | 'diagonal' | 'window';

export interface Unit {
  readonly kind: UnitKind;
  /** Its number among the units of its kind, from 1. */
  readonly ordinal: number;
  /** In overlapping grids: the name of its grid, such as `top left`; its ordinal counts within that grid. */
  readonly grid?: string;
  /** Exactly `size` distinct cells, ascending. */
  readonly cells: Int32Array;
}

/** The rows and columns of cells in the drawing of a puzzle; some of its places may not be cells. */
export interface CellPlaces {
  readonly rows: number;
  readonly columns: number;
  /** By cell: row * columns + column, both from 0; ascending. */
  readonly placeOf: Int32Array;
}

export interface Geometry {
  /** Number of digits, and of cells in each unit. */
  readonly size: number;
  /** Height and width of a box; both 0 without rectangular boxes. */
  readonly boxRows: number;
  readonly boxColumns: number;
  /** Name for records and messages; `standard` for rows, columns and rectangular boxes. */
  readonly variant: string;
  readonly cellCount: number;
  /** Undefined if the puzzle is drawn as `size` rows of `size` cells. */
  readonly places?: CellPlaces;
  /** By cell: the digits it may have, bit d-1 for d, up to 31 digits; undefined if all cells may have all digits. */
  readonly candidates?: Int32Array;
  /** Rows first, then columns, then boxes or regions, then all others. */
  readonly units: readonly Unit[];
}

/** Largest number of digits: the value of a cell is one byte, and 0 is a blank. */
export const MAX_SIZE = 255;

/** Usual box shapes, used by default: rows x columns, wider than high. */
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
 * Returns the ordinary sudoku of a size: rows, columns and boxes.
 *
 * The same arguments give the same object, so geometries may be compared with `===`.
 *
 * @param size number of digits, 1 to 255
 * @param boxRows height of a box; by default that of the usual shape of the size (6 is 2x3, 12 is 3x4)
 * @param boxColumns width of a box; `boxRows * boxColumns` must equal `size`
 * @throws RangeError if the box does not fit the size, or the size has no usual box and none is given
 */
export function standardGeometry(size: number, boxRows?: number, boxColumns?: number): Geometry {
  const [rows, columns] =
    boxRows === undefined || boxColumns === undefined ? defaultBox(size) : [boxRows, boxColumns];
  if (!Number.isInteger(size) || size < 1 || size > MAX_SIZE) {
    throw new RangeError(`size ${size} is out of range: expected an integer from 1 to ${MAX_SIZE}`);
  }
  if (!Number.isInteger(rows) || !Number.isInteger(columns) || rows * columns !== size || rows < 1) {
    throw new RangeError(
      `box ${rows}x${columns} does not have ${size} cells: expected rows x columns = ${size}`,
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
      units: [
        ...unitsOfKind('row', size, (row, column) => row * size + column),
        ...unitsOfKind('column', size, (column, row) => row * size + column),
        ...boxUnits(size, rows, columns),
      ],
    };
    cache.set(key, geometry);
  }
  return geometry;
}

const squares = new Map<number, CellPlaces>();

/** Returns the places of the cells of a geometry in its drawing. */
export function placesOf({ size, places }: Geometry): CellPlaces {
  if (places !== undefined) return places;
  const known = squares.get(size);
  if (known !== undefined) return known;
  const placeOf = Int32Array.from({ length: size * size }, (_, k) => k);
  const square = { rows: size, columns: size, placeOf };
  squares.set(size, square);
  return square;
}

/** Returns for each cell the indexes of its units, ascending. */
export function unitsByCell({ cellCount, units }: Geometry): number[][] {
  const unitsOf: number[][] = Array.from({ length: cellCount }, () => []);
  for (const [unit, { cells }] of units.entries()) {
    for (const cell of cells) unitsOf[cell].push(unit);
  }
  return unitsOf;
}

/** Whether a size has a usual box shape, which is then the default. */
export function hasUsualBox(size: number): boolean {
  return DEFAULT_BOX[size] !== undefined;
}

/** Parses `"2x3"` as [2, 3]; undefined if the text is not `rows x columns`. */
export function parseBox(text: string): readonly [rows: number, columns: number] | undefined {
  const match = /^([1-9]\d{0,2})x([1-9]\d{0,2})$/.exec(text);
  return match === null ? undefined : [Number(match[1]), Number(match[2])];
}

export function defaultBox(size: number): readonly [number, number] {
  const box = DEFAULT_BOX[size];
  if (box === undefined) {
    throw new RangeError(`size ${size} has no usual box shape: expected one, rows x columns`);
  }
  return box;
}

/** Returns units of a kind, `size` of them unless there are others. @param cellAt the k-th cell of a unit, both from 0 */
export function unitsOfKind(
  kind: UnitKind,
  size: number,
  cellAt: (unit: number, k: number) => number,
  count = size,
): Unit[] {
  return Array.from({ length: count }, (_, unit) => ({
    kind,
    ordinal: unit + 1,
    cells: Int32Array.from({ length: size }, (_, k) => cellAt(unit, k)),
  }));
}

function boxUnits(size: number, boxRows: number, boxColumns: number): Unit[] {
  const boxesAcross = size / boxColumns;
  return unitsOfKind('box', size, (box, k) => {
    const top = Math.floor(box / boxesAcross) * boxRows;
    const left = (box % boxesAcross) * boxColumns;
    return (top + Math.floor(k / boxColumns)) * size + left + (k % boxColumns);
  });
}
