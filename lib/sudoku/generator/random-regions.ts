/**
 * Random maps of regions for jigsaws: `size` connected regions of `size` cells.
 *
 * A map starts as boxes, or as rows if the size has no usual box. Then neighbouring regions exchange cells: one cell
 * moves across the border and another one moves back. If a region is no longer connected, the exchange is undone.
 *
 *     1 1 2 2        1 2 2 2      r2c3 moves to 1, and r1c2 to 2: both regions are connected
 *     1 1 2 2   ->   1 1 1 2
 *     3 3 4 4        3 3 4 4      if r2c1 had moved to 2 instead, it would be disconnected
 *     3 3 4 4        3 3 4 4
 */

import { hasUsualBox, standardGeometry } from '../geometry/geometry.ts';
import type { RandomSource } from './random-source.ts';

/**
 * Exchanges tried for each cell. About one in ten succeeds, and two successes for each cell leave no trace of the
 * boxes.
 */
const EXCHANGES_PER_CELL = 20;

/** Returns a random map: the number of the region of each cell, from 1, in the order of their first cells. */
export function randomRegions(size: number, random: RandomSource): Uint8Array {
  const map = new RegionMap(size);
  for (let k = 0; k < size * size * EXCHANGES_PER_CELL; k++) map.exchange(random);
  return map.numbered();
}

class RegionMap {
  readonly #size: number;
  readonly #regionOf: Uint8Array;
  readonly #stack: Int32Array;
  readonly #seen: Uint8Array;

  constructor(size: number) {
    const { units } = hasUsualBox(size) ? standardGeometry(size) : standardGeometry(size, 1, size);
    this.#size = size;
    this.#regionOf = new Uint8Array(size * size);
    this.#stack = new Int32Array(size * size);
    this.#seen = new Uint8Array(size * size);
    for (const { kind, ordinal, cells } of units) {
      if (kind === 'box') for (const cell of cells) this.#regionOf[cell] = ordinal;
    }
  }

  /** Tries one exchange of two cells between two neighbouring regions. */
  exchange(random: RandomSource): void {
    const regionOf = this.#regionOf;
    const going = random.below(regionOf.length);
    const one = regionOf[going];
    const other = regionOf[this.#neighbour(going, random.below(4))];
    if (other === one) return;
    const coming = this.#cellOf(other, random.below(this.#size));
    regionOf[going] = other;
    regionOf[coming] = one;
    if (this.#isConnected(going) && this.#isConnected(coming)) return;
    regionOf[going] = one;
    regionOf[coming] = other;
  }

  numbered(): Uint8Array {
    const numbers = new Map<number, number>();
    return this.#regionOf.map((region) => {
      const number = numbers.get(region) ?? numbers.size + 1;
      numbers.set(region, number);
      return number;
    });
  }

  /** Returns the neighbour on one of the four sides; at the edge the cell itself. */
  #neighbour(cell: number, side: number): number {
    const size = this.#size;
    const column = cell % size;
    switch (side) {
      case 0:
        return cell >= size ? cell - size : cell;
      case 1:
        return cell + size < size * size ? cell + size : cell;
      case 2:
        return column > 0 ? cell - 1 : cell;
      default:
        return column < size - 1 ? cell + 1 : cell;
    }
  }

  /** Returns the cell of a region by its index, from 0. */
  #cellOf(region: number, index: number): number {
    let cell = -1;
    for (let left = index; left >= 0; left--) cell = this.#regionOf.indexOf(region, cell + 1);
    return cell;
  }

  /** Whether the region of a cell is connected. */
  #isConnected(from: number): boolean {
    const region = this.#regionOf[from];
    this.#seen.fill(0);
    this.#seen[from] = 1;
    this.#stack[0] = from;
    let reached = 1;
    for (let depth = 1; depth > 0; ) {
      const cell = this.#stack[--depth];
      for (let side = 0; side < 4; side++) {
        const next = this.#neighbour(cell, side);
        if (this.#seen[next] === 1 || this.#regionOf[next] !== region) continue;
        this.#seen[next] = 1;
        this.#stack[depth++] = next;
        reached++;
      }
    }
    return reached === this.#size;
  }
}
