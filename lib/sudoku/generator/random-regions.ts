/**
 * Random maps of regions for jigsaws: `size` regions of `size` cells, each in one piece.
 *
 * A map starts as boxes, or as rows where the size has no usual box. Then neighbours exchange cells: one goes over the
 * border, another one comes back, and where a region falls apart the exchange is undone.
 *
 *     1 1 2 2        1 2 2 2      r2c3 goes to 1, and r1c2 to 2: both are in one piece
 *     1 1 2 2   ->   1 1 1 2
 *     3 3 4 4        3 3 4 4      had r2c1 gone to 2 instead, it would have been a piece by itself
 *     3 3 4 4        3 3 4 4
 */

import { hasUsualBox, standardGeometry } from '../geometry/geometry.ts';
import type { RandomSource } from './random-source.ts';

/** Exchanges tried for each cell; about one in ten succeeds, and after two a cell nothing is left of the boxes. */
const EXCHANGES_PER_CELL = 20;

/**
 * A random map.
 *
 * @returns for each cell the number of its region, from 1, in the order of their first cells
 */
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

  /** Tries one exchange of two cells between two regions that touch. */
  exchange(random: RandomSource): void {
    const regionOf = this.#regionOf;
    const going = random.below(regionOf.length);
    const one = regionOf[going];
    const other = regionOf[this.#neighbour(going, random.below(4))];
    if (other === one) return;
    const coming = this.#cellOf(other, random.below(this.#size));
    regionOf[going] = other;
    regionOf[coming] = one;
    if (this.#inOnePiece(going) && this.#inOnePiece(coming)) return;
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

  /** The cell on one of its four sides; the cell itself at the edge. */
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

  /** The cell of a region that is `index`-th, from 0. */
  #cellOf(region: number, index: number): number {
    let cell = -1;
    for (let left = index; left >= 0; left--) cell = this.#regionOf.indexOf(region, cell + 1);
    return cell;
  }

  /** Whether all cells of a cell's region can be reached from it. */
  #inOnePiece(from: number): boolean {
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
