/**
 * The independent check: is this grid a solution of that puzzle?
 *
 * Every answer passes it before it is written. It shares no code with the engines nor with the givens check,
 * so that a mistake there cannot hide here: it reads the rules from the geometry's units and nothing else.
 *
 * With `size` cells in a unit and all values from 1 to `size`, each digit stands once as soon as none stands
 * twice, and none does as soon as each is seen.
 *
 * Where the units are those of an ordinary 9x9, which is nearly always, all of them are seen in one pass over
 * words of four cells, a fifth of the time that unit by unit takes (`npm run bench -- --pipeline`):
 *
 *     a row       c0 c1 c2 c3 | c4 c5 c6 c7 | c8        two words of four bytes, and a byte
 *     its pairs   c0c1   c2c3   c4c5   c6c7             a byte each, four bits a cell: an index into PAIR_MASKS
 *     its masks   a      b      c      d      e         bits 1-9: the first cell's digit, 11-19: the second one's
 *
 *     a|b|c|d|e over a row's cells      the digits of the row
 *     a, b, ... over three rows         a and the first cells of b: the left box; the second ones of b, and c: ...
 *     a, b, ... over nine rows          the digits of nine columns, two in each mask
 */
import type { Geometry } from './geometry.ts';

/** By digit: the last unit of the current call in which it was seen, from 1. */
const seenIn = new Int32Array(256);

/** Bits 1 to 9. */
const NINE = 0x3fe;
/** From the second cell's bits to the first one's. */
const SECOND = 10;
const NINE_TWICE = NINE | (NINE << SECOND);
/** Four bits of each byte that no digit has. */
const BEYOND_15 = 0xf0f0f0f0 | 0;
/** By `first | second << 4`: the bits of two cells; what is no digit has none. */
const PAIR_MASKS = pairMasks();

const ordinaryNines = new WeakMap<Geometry, boolean>();
// Blocks hold thousands of puzzles of one geometry: for all but the first this saves the look-ups.
let latestGeometry: Geometry | undefined;
let latestIsOrdinaryNine = false;
let latestGivens: Uint8Array = new Uint8Array(0);
let givensWords: DataView = new DataView(latestGivens.buffer);
let latestSolution = latestGivens;
let solutionWords = givensWords;

/**
 * Whether `solution` has each digit exactly once in every unit and keeps every given; allocates nothing for a puzzle
 * of the same arrays as the one before.
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
  if (geometry !== latestGeometry) lookAt(geometry);
  if (latestIsOrdinaryNine) {
    if (givens !== latestGivens || solution !== latestSolution) useWordsOf(givens, solution);
    return isNineSolution(givensWords, givensOffset, solutionWords, solutionOffset);
  }
  for (let cell = 0; cell < cellCount; cell++) {
    const given = givens[givensOffset + cell];
    if (given !== 0 && given !== solution[solutionOffset + cell]) return false;
  }
  if (!keepsCandidates(geometry, solution, solutionOffset)) return false;
  // A value from 1 to 31 is a bit of one word; larger ones need a table, which is slower.
  return size <= 31
    ? everyUnitHasAllBits(geometry, solution, solutionOffset)
    : everyUnitHasAllDigits(geometry, solution, solutionOffset);
}

function isNineSolution(givens: DataView, givensAt: number, solution: DataView, solutionAt: number): boolean {
  let wrong = 0;
  let allA = 0;
  let allB = 0;
  let allC = 0;
  let allD = 0;
  let allE = 0;
  for (let band = 0; band < 81; band += 27) {
    let bandA = 0;
    let bandB = 0;
    let bandC = 0;
    let bandD = 0;
    let bandE = 0;
    for (let row = band; row < band + 27; row += 9) {
      const left = solution.getInt32(solutionAt + row, true);
      const right = solution.getInt32(solutionAt + row + 4, true);
      const last = solution.getUint8(solutionAt + row + 8);
      const givenLeft = givens.getInt32(givensAt + row, true);
      const givenRight = givens.getInt32(givensAt + row + 4, true);
      const givenLast = givens.getUint8(givensAt + row + 8);
      wrong |= (left | right | last | givenLeft | givenRight) & BEYOND_15;
      wrong |= (givenLeft ^ left) & wherePresent(givenLeft);
      wrong |= (givenRight ^ right) & wherePresent(givenRight);
      wrong |= (givenLast ^ last) * givenLast;
      const pairsLeft = left | (left >>> 4);
      const pairsRight = right | (right >>> 4);
      const a = PAIR_MASKS[pairsLeft & 255];
      const b = PAIR_MASKS[(pairsLeft >>> 16) & 255];
      const c = PAIR_MASKS[pairsRight & 255];
      const d = PAIR_MASKS[(pairsRight >>> 16) & 255];
      const e = PAIR_MASKS[last];
      bandA |= a;
      bandB |= b;
      bandC |= c;
      bandD |= d;
      bandE |= e;
      const pairs = a | b | c | d;
      wrong |= ((pairs | (pairs >>> SECOND) | e) & NINE) ^ NINE;
    }
    wrong |= ((bandA | (bandA >>> SECOND) | bandB) & NINE) ^ NINE;
    wrong |= (((bandB >>> SECOND) | bandC | (bandC >>> SECOND)) & NINE) ^ NINE;
    wrong |= ((bandD | (bandD >>> SECOND) | bandE) & NINE) ^ NINE;
    allA |= bandA;
    allB |= bandB;
    allC |= bandC;
    allD |= bandD;
    allE |= bandE;
  }
  wrong |=
    (allA ^ NINE_TWICE) | (allB ^ NINE_TWICE) | (allC ^ NINE_TWICE) | (allD ^ NINE_TWICE) | (allE ^ NINE);
  return wrong === 0;
}

/** All bits of each byte that is not 0, for four bytes below 16. */
function wherePresent(cells: number): number {
  // 127 more carries every value from 1 on into the byte's highest bit, and none beyond it.
  const highest = (cells + 0x7f7f7f7f) & 0x80808080;
  return (highest << 1) - (highest >>> 7);
}

function pairMasks(): Int32Array {
  const masks = new Int32Array(256);
  for (let first = 1; first <= 9; first++) {
    masks[first] = 1 << first;
    for (let second = 1; second <= 9; second++) {
      masks[first | (second << 4)] = (1 << first) | (1 << (second + SECOND));
    }
  }
  return masks;
}

function lookAt(geometry: Geometry): void {
  let ordinary = ordinaryNines.get(geometry);
  if (ordinary === undefined) {
    ordinary = hasUnitsOfOrdinaryNine(geometry);
    ordinaryNines.set(geometry, ordinary);
  }
  latestGeometry = geometry;
  latestIsOrdinaryNine = ordinary;
}

/** Whether the rules are those of nine rows, nine columns and nine boxes of 3x3, and no others. */
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

function useWordsOf(givens: Uint8Array, solution: Uint8Array): void {
  latestGivens = givens;
  givensWords = new DataView(givens.buffer, givens.byteOffset, givens.byteLength);
  latestSolution = solution;
  solutionWords = new DataView(solution.buffer, solution.byteOffset, solution.byteLength);
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
