/**
 * Which cell and digit to guess.
 *
 * Two halves of a guess are best when both end soon, so the guess goes to a cell with two candidates, and
 * among those to the one that would take most away at once:
 *
 * 1. the digit that occurs in the most cells of two candidates (ties: the lowest digit);
 * 2. of those cells, the one with the highest score, summed over both of its candidates: one point for each
 *    peer that holds the candidate too, and two more where that peer has two candidates, since it would be
 *    solved on the spot (ties: the lowest place).
 *
 * Where no cell has two candidates, cells with more stand in for them.
 */
import { BOARD_WORDS, PEERS } from './board.ts';
import { bivalue, open } from './propagation.ts';

/** The guess that `chooseGuess` made: digit 0..8, and the cell's word and bit. */
export const guess = { digit: 0, word: 0, bit: 0 };

/** Fills `guess` for the board at `at`, which `propagate` has just left with open cells. */
export function chooseGuess(board: Int32Array, at: number): void {
  let [from0, from1, from2] = bivalue;
  if ((from0 | from1 | from2) === 0) [from0, from1, from2] = cellsOfThree(board, at);
  let digit = 0;
  let most = 0;
  for (let d = 0, w = at; d < 9; d++, w += 3) {
    const cells = countBits(board[w] & from0, board[w + 1] & from1, board[w + 2] & from2);
    if (cells > most) {
      most = cells;
      digit = d;
    }
  }
  let best = -1;
  for (let word = 0; word < 3; word++) {
    const from = word === 0 ? from0 : word === 1 ? from1 : from2;
    for (let bits = board[at + 3 * digit + word] & from; bits !== 0; bits &= bits - 1) {
      const bit = 31 - Math.clz32(bits & -bits);
      const other = otherCandidate(board, at + word, bit, digit);
      const peers = 3 * (27 * word + bit);
      const score = points(board, at + 3 * digit, peers) + points(board, at + 3 * other, peers);
      if (score > best) {
        best = score;
        guess.digit = digit;
        guess.word = word;
        guess.bit = bit;
      }
    }
  }
}

/** The lowest candidate of a cell but `digit`. */
function otherCandidate(board: Int32Array, at: number, bit: number, digit: number): number {
  let other = 0;
  while (other === digit || ((board[at + 3 * other] >>> bit) & 1) === 0) other++;
  return other;
}

/** What a digit (its words at `own`) would take away at once if it were set in a cell with these peers. */
function points(board: Int32Array, own: number, peers: number): number {
  const a = board[own] & PEERS[peers];
  const b = board[own + 1] & PEERS[peers + 1];
  const c = board[own + 2] & PEERS[peers + 2];
  return countBits(a, b, c) + 2 * countBits(a & bivalue[0], b & bivalue[1], c & bivalue[2]);
}

/** Open cells with three candidates, or all open cells where none has so few. */
function cellsOfThree(board: Int32Array, at: number): readonly [number, number, number] {
  const [a, b, c] = [0, 1, 2].map((word) => {
    let [one, two, three, four] = [0, 0, 0, 0];
    for (let w = at + word; w < at + BOARD_WORDS; w += 3) {
      four |= three & board[w];
      three |= two & board[w];
      two |= one & board[w];
      one |= board[w];
    }
    return three & ~four;
  });
  return (a | b | c) === 0 ? [open[0], open[1], open[2]] : [a, b, c];
}

/** Number of bits set in three words of 27 bits: a full adder first, so that two words are counted. */
function countBits(a: number, b: number, c: number): number {
  const odd = a ^ b;
  return countWord(odd ^ c) + 2 * countWord((a & b) | (odd & c));
}

function countWord(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
