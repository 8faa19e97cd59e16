/** What the techniques ask about a geometry, computed once: they see cells and units, never the name of a variant. */
import { type Geometry, unitsByCell } from '../geometry/geometry.ts';

/** Two units that share cells. */
export interface Crossing {
  readonly from: number;
  readonly into: number;
  /** The shared cells: bit k for the k-th cell of `from`. */
  readonly inFrom: number;
  /** The shared cells: bit k for the k-th cell of `into`. */
  readonly inInto: number;
  /** Other crossings with `into`, of units of the same kind as `from`. */
  readonly siblings: readonly Crossing[];
}

export interface Layout {
  /** The cells of each unit. */
  readonly cells: readonly (readonly number[])[];
  /** Blocks, then columns, rows and the rest: the order in which techniques look at units. */
  readonly order: readonly number[];
  /** By unit: whether it is a box, region or window, and no line. */
  readonly isBlock: readonly boolean[];
  /** By unit: `row`, `column` or other. */
  readonly kinds: readonly string[];
  /** By cell: its units, and the place of the cell in each. */
  readonly unitsOf: readonly (readonly number[])[];
  readonly slotsOf: readonly (readonly number[])[];
  /** By cell: the cells with which it shares a unit, ascending. */
  readonly peersOf: readonly (readonly number[])[];
  /** Whether two cells share a unit, by cell * cellCount + cell. */
  readonly sees: Uint8Array;
  /** Pairs of units that share two cells or more, a block and a line before a line and a block. */
  readonly crossings: readonly Crossing[];
  /** By unit: its crossings as `from`. */
  readonly crossingsFrom: readonly (readonly Crossing[])[];
  /** Sets of parallel lines: the k-th cell of line i is the i-th cell of line k of the other set. */
  readonly grids: readonly (readonly [lines: readonly number[], others: readonly number[]])[];
}

const layouts = new WeakMap<Geometry, Layout>();

export function layoutOf(geometry: Geometry): Layout {
  let layout = layouts.get(geometry);
  if (layout === undefined) {
    layout = createLayout(geometry);
    layouts.set(geometry, layout);
  }
  return layout;
}

function createLayout(geometry: Geometry): Layout {
  const { cellCount } = geometry;
  const cells = geometry.units.map((unit) => [...unit.cells]);
  const kinds = geometry.units.map(({ kind }) => kind);
  const isBlock = kinds.map((kind) => !['row', 'column', 'diagonal'].includes(kind));
  const rank = (unit: number) => (isBlock[unit] ? 0 : kinds[unit] === 'column' ? 1 : 2);
  const order = [...cells.keys()].sort((a, b) => rank(a) - rank(b) || a - b);
  const unitsOf = unitsByCell(geometry);
  const sees = new Uint8Array(cellCount * cellCount);
  for (const unit of cells) {
    for (const cell of unit) {
      for (const other of unit) {
        if (other !== cell) sees[cell * cellCount + other] = 1;
      }
    }
  }
  const crossings = crossingsOf(cells, order, isBlock, kinds);
  return {
    cells,
    order,
    isBlock,
    kinds,
    unitsOf,
    slotsOf: unitsOf.map((units, cell) => units.map((unit) => cells[unit].indexOf(cell))),
    peersOf: unitsOf.map((_, cell) =>
      [...unitsOf.keys()].filter((other) => sees[cell * cellCount + other] === 1),
    ),
    sees,
    crossings,
    crossingsFrom: cells.map((_, unit) => crossings.filter(({ from }) => from === unit)),
    grids: gridsOf(cells, kinds, geometry.size),
  };
}

function crossingsOf(
  cells: readonly (readonly number[])[],
  order: readonly number[],
  isBlock: readonly boolean[],
  kinds: readonly string[],
): Crossing[] {
  const shared = (from: number, into: number) =>
    cells[from].reduce((mask, cell, k) => (cells[into].includes(cell) ? mask | (1 << k) : mask), 0);
  const all: (Crossing & { siblings: Crossing[] })[] = [];
  for (const from of order) {
    for (const into of order) {
      const inFrom = from === into ? 0 : shared(from, into);
      if (inFrom !== 0) all.push({ from, into, inFrom, inInto: shared(into, from), siblings: [] });
    }
  }
  const crossings = all.filter(({ inFrom }) => bitCount(inFrom) > 1);
  for (const { from, into, siblings } of crossings) {
    siblings.push(
      ...all.filter((one) => one.into === into && one.from !== from && kinds[one.from] === kinds[from]),
    );
  }
  const points = ({ from, into }: Crossing) => (isBlock[from] && !isBlock[into] ? 0 : 1);
  return crossings.sort((a, b) => points(a) - points(b));
}

/** Rows and columns come in runs of one grid; a run that is no square grid (a geometry of other units) has no fish. */
function gridsOf(cells: readonly (readonly number[])[], kinds: readonly string[], size: number) {
  const runs = (kind: string) => {
    const units = [...kinds.keys()].filter((unit) => kinds[unit] === kind);
    return Array.from({ length: units.length / size }, (_, k) => units.slice(k * size, (k + 1) * size));
  };
  const columns = runs('column');
  return runs('row').flatMap((rows, index) => {
    const others = columns[index];
    const isGrid = rows.every((row, i) => others.every((column, k) => cells[row][k] === cells[column][i]));
    return isGrid ? [[others, rows] as const, [rows, others] as const] : [];
  });
}

/** Number of bits of a mask of up to 31. */
export function bitCount(mask: number): number {
  let bits = mask - ((mask >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** The numbers of the bits of a mask, ascending. */
export function bitsOf(mask: number): number[] {
  const bits: number[] = [];
  for (let left = mask; left !== 0; left &= left - 1) bits.push(31 - Math.clz32(left & -left));
  return bits;
}
