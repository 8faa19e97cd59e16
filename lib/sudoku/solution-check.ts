/**
 * The independent check: is this grid a solution of that puzzle?
 *
 * Every answer passes it before it is written. It shares no code with the engines nor with the givens check,
 * so that a mistake there cannot hide here: it reads the rules from the geometry's units and nothing else.
 *
 * With `size` cells in a unit and all values from 1 to `size`, each digit stands once as soon as none stands
 * twice, and none does as soon as each is seen.
 */
import type { Geometry } from './geometry.ts';

/** By digit: the last unit of the current call in which it was seen, from 1. */
const seenIn = new Int32Array(256);

/**
 * Whether `solution` has each digit exactly once in every unit and keeps every given; allocates nothing.
 *
 * Cells in no unit (the gaps of a samurai) are held to their givens only.
 *
 * @param givens `cellCount` values from `givensOffset`: 0 for a blank, else the given
 * @param solution `cellCount` values from `solutionOffset`
 */
export function isSolutionOf(
  geometry: Geometry,
  givens: Uint8Array,
  givensOffset: number,
  solution: Uint8Array,
  solutionOffset: number,
): boolean {
  const { size, cellCount } = geometry;
  if (givensOffset + cellCount > givens.length || solutionOffset + cellCount > solution.length) return false;
  for (let cell = 0; cell < cellCount; cell++) {
    const given = givens[givensOffset + cell];
    if (given !== 0 && given !== solution[solutionOffset + cell]) return false;
  }
  // A value from 1 to 31 is a bit of one word; larger ones need a table, which is slower.
  return size <= 31
    ? everyUnitHasAllBits(geometry, solution, solutionOffset)
    : everyUnitHasAllDigits(geometry, solution, solutionOffset);
}

function everyUnitHasAllBits({ size, units }: Geometry, solution: Uint8Array, offset: number): boolean {
  const all = (2 << size) - 2;
  for (let u = 0; u < units.length; u++) {
    const cells = units[u].cells;
    let seen = 0;
    for (let k = 0; k < size; k++) {
      const digit = solution[offset + cells[k]];
      // A shift takes its count modulo 32: without this, 33 would pass for 1.
      if (digit > size) return false;
      seen |= 1 << digit;
    }
    if (seen !== all) return false;
  }
  return true;
}

function everyUnitHasAllDigits({ size, units }: Geometry, solution: Uint8Array, offset: number): boolean {
  seenIn.fill(0);
  for (let u = 0; u < units.length; u++) {
    const cells = units[u].cells;
    for (let k = 0; k < size; k++) {
      const digit = solution[offset + cells[k]];
      if (digit === 0 || digit > size || seenIn[digit] === u + 1) return false;
      seenIn[digit] = u + 1;
    }
  }
  return true;
}
