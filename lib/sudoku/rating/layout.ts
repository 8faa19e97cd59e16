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
}

export interface Layout {
  /** The cells of each unit. */
  readonly cells: readonly (readonly number[])[];
  /** Blocks, then lines: the order in which techniques look at units. */
  readonly order: readonly number[];
  /** By unit: whether it is a box, region or window, and no line. */
  readonly isBlock: readonly boolean[];
  /** By unit: `row`, `column` or other. */
  readonly kinds: readonly string[];
  /** By cell: its units, and the place of the cell in each. */
  readonly unitsOf: readonly (readonly number[])[];
  readonly slotsOf: readonly (readonly number[])[];
  /** By cell: the cells with which it shares a unit. */
  readonly peersOf: readonly ReadonlySet<number>[];
  /** Pairs of units that share two cells or more. */
  readonly crossings: readonly Crossing[];
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
  const cells = geometry.units.map((unit) => [...unit.cells]);
  const kinds = geometry.units.map(({ kind }) => kind);
  const isBlock = kinds.map((kind) => !['row', 'column', 'diagonal'].includes(kind));
  const order = [...cells.keys()].sort((a, b) => Number(isBlock[b]) - Number(isBlock[a]));
  const unitsOf = unitsByCell(geometry);
  const shared = (from: number, into: number) =>
    cells[from].reduce((mask, cell, k) => (cells[into].includes(cell) ? mask | (1 << k) : mask), 0);
  const crossings = order.flatMap((from) =>
    order.map((into) => ({ from, into, inFrom: shared(from, into), inInto: shared(into, from) })),
  );
  return {
    cells,
    order,
    isBlock,
    kinds,
    unitsOf,
    slotsOf: unitsOf.map((units, cell) => units.map((unit) => cells[unit].indexOf(cell))),
    peersOf: unitsOf.map((units, cell) => {
      const peers = new Set(units.flatMap((unit) => cells[unit]));
      peers.delete(cell);
      return peers;
    }),
    crossings: crossings.filter(({ from, into, inFrom }) => from !== into && bitCount(inFrom) > 1),
    grids: gridsOf(cells, kinds, geometry.size),
  };
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
