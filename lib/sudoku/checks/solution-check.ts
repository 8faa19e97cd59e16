/**
 * The independent check whether a grid is a solution of a puzzle.
 *
 * Every answer is checked before it is written. The check shares no code with the engines or the givens check, so
 * that it finds their defects: its only source of the rules is the units of the geometry.
 *
 * A unit has `size` cells. If all values are from 1 to `size`, each digit occurs once if and only if none occurs
 * twice, and also if and only if every digit occurs.
 *
 * Blocks of ordinary 9x9 grids, which are nearly all blocks, are checked as a whole (nine-blocks.ts), in a twentieth
 * of the time of a check unit by unit.
 */
import type { Geometry } from '../geometry/geometry.ts';
import { nineBlocks } from '../nine-blocks.ts';

/** By digit: the last unit of the current call in which it occurred, from 1. */
const seenIn = new Int32Array(256);

/**
 * Whether `solution` has each digit exactly once in every unit and keeps every given; allocates nothing.
 *
 * In cells in no unit (the gaps of a samurai), only givens are checked.
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
  if (!keepsCandidates(geometry, solution, solutionOffset)) return false;
  // Values from 1 to 31 are bits of one word; larger ones need a table, which is slower.
  return size <= 31
    ? everyUnitHasAllBits(geometry, solution, solutionOffset)
    : everyUnitHasAllDigits(geometry, solution, solutionOffset);
}

/** By geometry: whether its rules are exactly nine rows, nine columns and nine boxes of 3x3. */
const ordinaryNines = new WeakMap<Geometry, boolean>();

/**
 * `isSolutionOf` for the grids `from` to `to` (exclusive) of a block.
 *
 * @param givens `cellCount` values for each grid
 * @param solutions `cellCount` values for each grid
 * @param verdicts receives 1 for each solution, else 0; the first verdict is that of grid `from`
 */
export function checkSolutions(
  geometry: Geometry,
  givens: Uint8Array,
  solutions: Uint8Array,
  from: number,
  to: number,
  verdicts: Uint8Array,
): void {
  let ordinary = ordinaryNines.get(geometry);
  if (ordinary === undefined) {
    ordinary = hasUnitsOfOrdinaryNine(geometry);
    ordinaryNines.set(geometry, ordinary);
  }
  const blocks = ordinary ? nineBlocks() : undefined;
  if (blocks !== undefined) {
    blocks.check(givens, solutions, from, to, verdicts);
    return;
  }
  for (let i = from; i < to; i++) {
    const offset = i * geometry.cellCount;
    verdicts[i - from] = isSolutionOf(geometry, givens, offset, solutions, offset) ? 1 : 0;
  }
}

function hasUnitsOfOrdinaryNine({ size, cellCount, units, candidates }: Geometry): boolean {
  if (size !== 9 || cellCount !== 81 || candidates !== undefined) return false;
  const ordinary = new Set<string>();
  for (let k = 0; k < 9; k++) {
    const corner = 27 * Math.floor(k / 3) + 3 * (k % 3);
    ordinary.add([0, 1, 2, 3, 4, 5, 6, 7, 8].map((j) => 9 * k + j).join());
    ordinary.add([0, 1, 2, 3, 4, 5, 6, 7, 8].map((j) => 9 * j + k).join());
    ordinary.add([0, 1, 2, 9, 10, 11, 18, 19, 20].map((j) => corner + j).join());
  }
  const found = new Set(units.map(({ cells }) => cells.join()));
  return found.size === 27 && [...found].every((cells) => ordinary.has(cells));
}

/** Candidates are bits: digit d is 2 to the power of d - 1. */
function keepsCandidates({ cellCount, candidates }: Geometry, solution: Uint8Array, offset: number): boolean {
  if (candidates === undefined) return true;
  for (let cell = 0; cell < cellCount; cell++) {
    const digit = solution[offset + cell];
    if (digit === 0 || digit > 31 || (candidates[cell] & (2 ** digit / 2)) === 0) return false;
  }
  return true;
}

function everyUnitHasAllBits({ size, units }: Geometry, solution: Uint8Array, offset: number): boolean {
  // As a number of 32 bits, as `seen` is.
  const all = ((2 << size) - 2) | 0;
  for (let u = 0; u < units.length; u++) {
    const cells = units[u].cells;
    let seen = 0;
    for (let k = 0; k < size; k++) {
      const digit = solution[offset + cells[k]];
      // Shifts are modulo 32: without this check, 33 would be accepted as 1.
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
