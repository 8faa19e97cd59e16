/**
 * Checks whether the givens of a puzzle clash, that is, whether a unit contains a digit twice.
 *
 * Only the givens are checked: a grid without a clash need not have a solution.
 *
 *     5 . . . 5 . . . .      the 5s at r1c1 and r1c5 clash in row 1
 */
import type { Geometry, Unit } from '../geometry/geometry.ts';
import { cellName, unitName } from '../names.ts';

/** One digit that occurs more than once in one unit. */
export interface Clash {
  readonly unit: Unit;
  readonly digit: number;
  /** Its cells, ascending; two or more. */
  readonly cells: readonly number[];
  /** Their names: `['r1c1', 'r1c5']`. */
  readonly cellNames: string[];
}

/** By digit: the last unit of the current call in which it occurred, from 1. */
const seenIn = new Int32Array(256);

/**
 * Whether two givens clash; allocates nothing.
 *
 * @param cells `cellCount` values from `offset`: 0 for a blank, 1 to `size` for a given
 * @throws RangeError if a value exceeds `size`
 */
export function givensClash(geometry: Geometry, cells: Uint8Array, offset: number): boolean {
  const { size, units } = geometry;
  seenIn.fill(0);
  for (let unit = 0; unit < units.length; unit++) {
    const unitCells = units[unit].cells;
    for (let k = 0; k < size; k++) {
      const digit = cells[offset + unitCells[k]];
      if (digit === 0) continue;
      if (digit > size) {
        const name = cellName(geometry, unitCells[k]);
        throw new RangeError(`${name} has value ${digit}: expected 0 (blank) to ${size}`);
      }
      if (seenIn[digit] === unit + 1) return true;
      seenIn[digit] = unit + 1;
    }
  }
  return false;
}

/**
 * Lists the clashes of the givens, in the order of the units and then of the digits.
 *
 * @param cells `cellCount` values from `offset`: 0 for a blank, 1 to `size` for a given
 * @returns undefined if no givens clash
 * @throws RangeError if a value exceeds `size`
 */
export function clashingGivens(
  geometry: Geometry,
  cells: Uint8Array,
  offset: number,
): readonly Clash[] | undefined {
  if (!givensClash(geometry, cells, offset)) return undefined;
  const clashes: Clash[] = [];
  for (const unit of geometry.units) {
    for (let digit = 1; digit <= geometry.size; digit++) {
      const same = Array.from(unit.cells).filter((cell) => cells[offset + cell] === digit);
      if (same.length < 2) continue;
      const cellNames = same.map((cell) => cellName(geometry, cell));
      clashes.push({ unit, digit, cells: same, cellNames });
    }
  }
  return clashes;
}

/**
 * Describes a clash: `5 occurs twice in row 1 (r1c1, r1c5)`.
 *
 * @param symbolOf the digit in the symbols of the puzzle's file; by default its number
 */
export function clashSentence(
  { unit, digit, cellNames }: Clash,
  symbolOf: (digit: number) => string = String,
): string {
  const times = cellNames.length === 2 ? 'twice' : `${cellNames.length} times`;
  return `${symbolOf(digit)} occurs ${times} in ${unitName(unit)} (${cellNames.join(', ')})`;
}
