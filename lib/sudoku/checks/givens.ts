/**
 * Checks whether the givens of a puzzle clash, that is, whether a unit contains a digit twice.
 *
 * Only the givens are checked: a grid without a clash need not have a solution.
 *
 *     5 . . . 5 . . . .      the 5s at r1c1 and r1c5 clash in row 1
 *
 * `givensClash` gives only the answer, and may be called for every puzzle. It marks each given in all units of its
 * cell, so its time depends on the number of givens, not of units:
 *
 *     unitStart[cell] .. unitStart[cell + 1]     the range of the cell's units in `markBase`
 *     markBase[k]                                first word of that unit's marks
 *     marks[base + (digit >> 5)]                 bit digit & 31: the unit has that digit
 */
import { type Geometry, type Unit, unitsByCell } from '../geometry/geometry.ts';
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

interface UnitMarks {
  readonly unitStart: Int32Array;
  readonly markBase: Int32Array;
  readonly marks: Int32Array;
}

const marksOf = new WeakMap<Geometry, UnitMarks>();
// Blocks have thousands of puzzles of one geometry: for all but the first this saves the lookup.
let latestGeometry: Geometry | undefined;
let latestMarks: UnitMarks | undefined;

/**
 * Whether two givens clash; allocates nothing.
 *
 * @param cells `cellCount` values from `offset`: 0 for a blank, 1 to `size` for a given
 * @throws RangeError if a value exceeds `size`, or a cell in no unit has a given
 */
export function givensClash(geometry: Geometry, cells: Uint8Array, offset: number): boolean {
  if (geometry !== latestGeometry) useMarksOf(geometry);
  const { unitStart, markBase, marks } = latestMarks!;
  const { size, cellCount } = geometry;
  marks.fill(0);
  for (let cell = 0; cell < cellCount; cell++) {
    const digit = cells[offset + cell];
    if (digit === 0) continue;
    const start = unitStart[cell];
    const end = unitStart[cell + 1];
    if (digit > size || start === end) throw badGiven(geometry, cell, digit);
    const word = digit >>> 5;
    const bit = 1 << digit;
    for (let k = start; k < end; k++) {
      const at = markBase[k] + word;
      if ((marks[at] & bit) !== 0) return true;
      marks[at] |= bit;
    }
  }
  return false;
}

/**
 * Lists the clashes of the givens, in the order of the units and then of the digits.
 *
 * @param cells `cellCount` values from `offset`: 0 for a blank, 1 to `size` for a given
 * @returns undefined if no givens clash
 * @throws RangeError if a value exceeds `size`, or a cell in no unit has a given
 */
export function clashingGivens(
  geometry: Geometry,
  cells: Uint8Array,
  offset: number,
): readonly Clash[] | undefined {
  if (!givensClash(geometry, cells, offset)) return undefined;
  const clashes: Clash[] = [];
  for (const unit of geometry.units) {
    for (const [digit, same] of cellsByDigit(unit, cells, offset)) {
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
  geometry: Geometry,
  clash: Clash,
  symbolOf: (digit: number) => string = String,
): string {
  const names = clash.cells.map((cell) => cellName(geometry, cell));
  const times = clash.cells.length === 2 ? 'twice' : `${clash.cells.length} times`;
  return `${symbolOf(clash.digit)} occurs ${times} in ${unitName(clash.unit)} (${names.join(', ')})`;
}

/** Returns the cells of each digit of a unit, sorted by digit. */
function cellsByDigit(unit: Unit, cells: Uint8Array, offset: number): [digit: number, cells: number[]][] {
  const byDigit = new Map<number, number[]>();
  for (const cell of unit.cells) {
    const digit = cells[offset + cell];
    if (digit === 0) continue;
    const found = byDigit.get(digit);
    if (found === undefined) byDigit.set(digit, [cell]);
    else found.push(cell);
  }
  return [...byDigit].sort(([a], [b]) => a - b);
}

function useMarksOf(geometry: Geometry): void {
  let unitMarks = marksOf.get(geometry);
  if (unitMarks === undefined) {
    unitMarks = layOutMarks(geometry);
    marksOf.set(geometry, unitMarks);
  }
  latestGeometry = geometry;
  latestMarks = unitMarks;
}

function layOutMarks(geometry: Geometry): UnitMarks {
  const { size, cellCount, units } = geometry;
  const wordsPerUnit = (size >>> 5) + 1;
  const unitsOf = unitsByCell(geometry);
  const unitStart = new Int32Array(cellCount + 1);
  for (let cell = 0; cell < cellCount; cell++) unitStart[cell + 1] = unitStart[cell] + unitsOf[cell].length;
  return {
    unitStart,
    markBase: Int32Array.from(unitsOf.flat(), (unit) => unit * wordsPerUnit),
    marks: new Int32Array(units.length * wordsPerUnit),
  };
}

function badGiven(geometry: Geometry, cell: number, digit: number): RangeError {
  const name = cellName(geometry, cell);
  return digit > geometry.size
    ? new RangeError(`${name} has value ${digit}: expected 0 (blank) to ${geometry.size}`)
    : new RangeError(`${name} has value ${digit} but is in no unit: expected 0`);
}
