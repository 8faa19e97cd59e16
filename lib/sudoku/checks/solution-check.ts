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
import { type Geometry, standardGeometry } from '../geometry/geometry.ts';
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
  const { cellCount } = geometry;
  if (givensOffset + cellCount > givens.length || solutionOffset + cellCount > solution.length) return false;
  for (let cell = 0; cell < cellCount; cell++) {
    const given = givens[givensOffset + cell];
    if (given !== 0 && given !== solution[solutionOffset + cell]) return false;
  }
  return (
    keepsCandidates(geometry, solution, solutionOffset) && hasAllDigits(geometry, solution, solutionOffset)
  );
}

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
  const blocks = geometry === standardGeometry(9) ? nineBlocks() : undefined;
  if (blocks !== undefined) {
    blocks.check(givens, solutions, from, to, verdicts);
    return;
  }
  for (let i = from; i < to; i++) {
    const offset = i * geometry.cellCount;
    verdicts[i - from] = isSolutionOf(geometry, givens, offset, solutions, offset) ? 1 : 0;
  }
}

/** Candidates are bits: digit d is 2 to the power of d - 1. */
function keepsCandidates({ candidates }: Geometry, solution: Uint8Array, offset: number): boolean {
  const isKept = (bits: number, cell: number) => (bits & (2 ** solution[offset + cell] / 2)) !== 0;
  return candidates?.every(isKept) ?? true;
}

/** Whether every unit has each digit. */
function hasAllDigits({ size, units }: Geometry, solution: Uint8Array, offset: number): boolean {
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
