/**
 * Which cell and digit to guess.
 *
 * Two halves of a guess are best when both end soon, so the guess goes to a cell with two candidates, and
 * among those to one whose candidates would take much away at once:
 *
 * 1. the digit that occurs in the most cells of two candidates (ties: the lowest digit);
 * 2. of those cells, the one with the highest score, summed over both of its candidates: one point for each
 *    peer that holds the candidate too, and two more where that peer has two candidates, since it would be
 *    solved on the spot (ties: the lowest place).
 *
 * Where no cell has two candidates, cells with three stand in for them, or else all that are open; then only
 * the points of the guessed digit count.
 *
 * Tried and dropped, on forum-hardest-1106 (nodes a puzzle; the rule above has 226):
 *
 * - the first cell of two candidates (575), or the one with the most peers of two candidates (398);
 * - only peers of two candidates count, or all peers alike (380, 280);
 * - all cells of two candidates compete, not only those of one digit: 198, but 1.1 times slower, since two
 *   thirds of a guess is counting;
 * - the product of the two candidates' points in place of the sum: 226, no faster;
 * - a digit's two places in a row or column as well: 165, but finding them costs more than that saves;
 * - trying out the best two or all cells of two candidates before each guess: 130 and 110, but 1.4 and 1.9
 *   times the passes in all;
 * - the cell that failed last goes first: more nodes.
 */
import { BOARD_WORDS, PEERS } from './board.ts';
import { bivalue, open } from './propagation.ts';

/** The guess that `chooseGuess` made: digit 0..8, and the cell's word and bit. */
export const guess = { digit: 0, word: 0, bit: 0 };

/** Fills `guess` for the board at `at`, which `propagate` has just left with open cells. */
export function chooseGuess(board: Int32Array, at: number): void {
  const hasBivalue = (bivalue[0] | bivalue[1] | bivalue[2]) !== 0;
  const from = hasBivalue ? bivalue : cellsOfThree(board, at);
  guess.digit = digitOfMost(board, at, from);
  const own = at + 3 * guess.digit;
  let best = -1;
  for (let word = 0; word < 3; word++) {
    for (let bits = board[own + word] & from[word]; bits !== 0; bits &= bits - 1) {
      const bit = 31 - Math.clz32(bits & -bits);
      const peers = 3 * (27 * word + bit);
      let score = points(board, own, peers);
      if (hasBivalue) score += points(board, otherCandidate(board, at, own, word, bit), peers);
      if (score > best) {
        best = score;
        guess.word = word;
        guess.bit = bit;
      }
    }
  }
}

/** The digit with the most of these cells. */
function digitOfMost(board: Int32Array, at: number, from: Int32Array): number {
  let digit = 0;
  let most = 0;
  for (let d = 0, w = at; d < 9; d++, w += 3) {
    const cells = countBits(board[w] & from[0], board[w + 1] & from[1], board[w + 2] & from[2]);
    if (cells > most) {
      most = cells;
      digit = d;
    }
  }
  return digit;
}

/** First word of the other candidate of a cell with two; `own` is the first word of the one. */
function otherCandidate(board: Int32Array, at: number, own: number, word: number, bit: number): number {
  let other = at;
  while (other === own || ((board[other + word] >>> bit) & 1) === 0) other += 3;
  return other;
}

/**
 * What a digit (its words from `own`) would take away at once if it were set in a cell with these peers (their words
 * from `peers`): one point for each peer that holds it, and two more where that peer has two candidates. Of the board
 * that was propagated last.
 */
export function points(board: Int32Array, own: number, peers: number): number {
  const a = board[own] & PEERS[peers];
  const b = board[own + 1] & PEERS[peers + 1];
  const c = board[own + 2] & PEERS[peers + 2];
  return countBits(a, b, c) + 2 * countBits(a & bivalue[0], b & bivalue[1], c & bivalue[2]);
}

const ofThree = new Int32Array(3);

/** Open cells with three candidates, or all open cells where none has so few. */
function cellsOfThree(board: Int32Array, at: number): Int32Array {
  for (let word = 0; word < 3; word++) {
    let [one, two, three, four] = [0, 0, 0, 0];
    for (let w = at + word; w < at + BOARD_WORDS; w += 3) {
      four |= three & board[w];
      three |= two & board[w];
      two |= one & board[w];
      one |= board[w];
    }
    ofThree[word] = three & ~four;
  }
  return (ofThree[0] | ofThree[1] | ofThree[2]) === 0 ? open : ofThree;
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
