/**
 * Chooses the cells and digits to guess.
 *
 * A guess is best if both branches end soon. So it is made in a cell with two candidates, preferably one whose
 * candidates would remove many others at once:
 *
 * 1. Candidates of the guess are the two digits that occur in the most cells with two candidates (ties: the lowest).
 * 2. Of the cells with two candidates that have one of these digits, the one with the highest score is chosen, summed
 *    over both of its candidates: one point for each peer with the candidate, and two more if that peer has two
 *    candidates, since it would be solved at once (ties: the lowest place).
 *
 * If no cell has two candidates, cells with three are used, or else all open cells; then only the digit that most of
 * them have is compared, and only its points count.
 *
 * Before the first contradiction or solution of a puzzle, up to three guesses are made at once, without propagation in
 * between: the cell chosen for the first digit, then cells with that digit and two candidates that are no peers of those
 * before. A puzzle with many solutions has few contradictions, so most of these propagations would be wasted:
 *
 *     puzzles with several solutions     guesses at once   1      2      3      4       17-clue: 1     3
 *     16-clue, passes per puzzle                           33.7   27.9   27.5   27.3             16.0  16.5
 *     serg, passes per puzzle                              22.0   17.7   17.2   17.1
 *
 * Tried and dropped (mean nodes per puzzle of forum-hardest-1106, where the rule with one digit, and triads on every
 * board, takes 226):
 * - the first cell with two candidates (575), or the one with the most peers with two candidates (398);
 * - counting only peers with two candidates, or all peers equally (380, 280); one or three more points instead of two
 *   (1.02 times as many);
 * - the product of the two candidates' points instead of the sum: 226, no faster;
 * - comparing all cells with two candidates, not only those with two digits: 198 instead of 210, but more time, since
 *   both candidates of each cell must be found;
 * - the rule of `dlx` (dlx/nine-choice.ts), which also compares the two places of a digit in a row, column or box: 164 if
 *   all digits are compared, but finding the places and scoring four times as many costs more than it saves; with only
 *   the digit that most cells have, 226 to 244, and with the digit that has the most places 457 to 614;
 * - trying out the best two or all cells with two candidates before each guess: 130 and 110, but 1.4 and 1.9 times the
 *   passes in total;
 * - guessing in the cell that failed last: more nodes;
 * - several guesses only if four cells with two candidates form a rectangle, which proves a second solution: half of the
 *   puzzles with several solutions have none at the start, so it saves little.
 */
import { BOARD_WORDS, PEERS } from './board.ts';
import { bivalue, open } from './propagation.ts';

/** Maximum number of guesses at once. */
const MAX_GUESSES = 3;

/** The result of `chooseGuesses`: digit 0..8, and the cell's word and bit. */
export const guesses = Array.from({ length: MAX_GUESSES }, () => ({
  digit: 0,
  word: 0,
  bit: 0,
  /** The other candidate of a cell with two; -1 for a cell with more. */
  other: -1,
}));

/**
 * Fills `guesses` for the board at `at`, which was propagated last and has open cells.
 *
 * @param several whether there may be more than one
 * @returns their number
 */
export function chooseGuesses(board: Int32Array, at: number, several: boolean): number {
  if ((bivalue[0] | bivalue[1] | bivalue[2]) === 0) {
    chooseOpenCell(board, at);
    return 1;
  }
  const first = digitOfMost(board, at, bivalue);
  chooseBivalueCell(board, at, first, several ? first : digitOfMost(board, at, bivalue, first));
  return several ? addIndependentGuesses(board, at, first) : 1;
}

/** Chooses the first guess among the cells with two candidates that have one of these digits. */
function chooseBivalueCell(board: Int32Array, at: number, first: number, second: number): void {
  const guess = guesses[0];
  let best = -1;
  for (let word = 0; word < 3; word++) {
    const firsts = board[at + 3 * first + word] & bivalue[word];
    const seconds = board[at + 3 * second + word] & bivalue[word];
    for (let bits = firsts | seconds; bits !== 0; bits &= bits - 1) {
      const bit = 31 - Math.clz32(bits & -bits);
      const digit = ((firsts >>> bit) & 1) === 1 ? first : second;
      const other = otherCandidate(board, at, digit, word, bit);
      const peers = 3 * (27 * word + bit);
      const score = points(board, at + 3 * digit, peers) + points(board, at + 3 * other, peers);
      if (score > best) {
        best = score;
        guess.digit = digit;
        guess.word = word;
        guess.bit = bit;
        guess.other = other;
      }
    }
  }
}

/** Adds guesses of this digit, each in the first cell with two candidates that is no peer of the guesses so far. */
function addIndependentGuesses(board: Int32Array, at: number, digit: number): number {
  const rest = [0, 1, 2].map((word) => board[at + 3 * digit + word] & bivalue[word]);
  for (let count = 1; count < MAX_GUESSES; count++) {
    const last = guesses[count - 1];
    const peers = 3 * (27 * last.word + last.bit);
    for (let word = 0; word < 3; word++) rest[word] &= ~PEERS[peers + word];
    rest[last.word] &= ~(1 << last.bit);
    const word = rest.findIndex((bits) => bits !== 0);
    if (word < 0) return count;
    const bit = 31 - Math.clz32(rest[word] & -rest[word]);
    Object.assign(guesses[count], { digit, word, bit, other: otherCandidate(board, at, digit, word, bit) });
  }
  return MAX_GUESSES;
}

/** Chooses the first guess if no cell has two candidates. */
function chooseOpenCell(board: Int32Array, at: number): void {
  const guess = guesses[0];
  const from = cellsOfThree(board, at);
  const digit = digitOfMost(board, at, from);
  const own = at + 3 * digit;
  let best = -1;
  for (let word = 0; word < 3; word++) {
    for (let bits = board[own + word] & from[word]; bits !== 0; bits &= bits - 1) {
      const bit = 31 - Math.clz32(bits & -bits);
      const score = points(board, own, 3 * (27 * word + bit));
      if (score > best) {
        best = score;
        guess.word = word;
        guess.bit = bit;
      }
    }
  }
  guess.digit = digit;
  guess.other = -1;
}

/** Returns the digit other than `except` that occurs in the most of these cells. */
function digitOfMost(board: Int32Array, at: number, from: Int32Array, except = -1): number {
  let digit = -1;
  let most = -1;
  for (let d = 0, w = at; d < 9; d++, w += 3) {
    const cells = countBits(board[w] & from[0], board[w + 1] & from[1], board[w + 2] & from[2]);
    if (cells > most && d !== except) {
      most = cells;
      digit = d;
    }
  }
  return digit;
}

/** Returns the other candidate of a cell with two. */
function otherCandidate(board: Int32Array, at: number, digit: number, word: number, bit: number): number {
  let other = 0;
  while (other === digit || ((board[at + 3 * other + word] >>> bit) & 1) === 0) other++;
  return other;
}

/**
 * Counts the candidates that a digit would remove at once if it were set in a cell: one point for each peer with the
 * digit, and two more if that peer has two candidates. The board must be the one that was propagated last.
 *
 * @param own first word of the digit
 * @param peers first word of the cell's peers
 */
export function points(board: Int32Array, own: number, peers: number): number {
  const a = board[own] & PEERS[peers];
  const b = board[own + 1] & PEERS[peers + 1];
  const c = board[own + 2] & PEERS[peers + 2];
  return countBits(a, b, c) + 2 * countBits(a & bivalue[0], b & bivalue[1], c & bivalue[2]);
}

const ofThree = new Int32Array(3);

/** Returns the open cells with three candidates, or all open cells if there is none. */
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

/** Counts the bits of three words of 27 bits: a full adder reduces them to two words. */
function countBits(a: number, b: number, c: number): number {
  const odd = a ^ b;
  return countWord(odd ^ c) + 2 * countWord((a & b) | (odd & c));
}

function countWord(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
