// Chooses the cells and digits to guess.
//
// A guess is best if both branches end soon. So it is made in a cell with two candidates, preferably one whose
// candidates would remove many others at once:
//
// 1. Candidates of the guess are the two digits that occur in the most cells with two candidates (ties: the lowest).
// 2. Of the cells with two candidates that have one of these digits, the one with the highest score is chosen, summed
//    over both of its candidates: one point for each peer with the candidate, and two more if that peer has two
//    candidates, since it would be solved at once (ties: the lowest place).
//
// If no cell has two candidates, cells with three are used, or else all open cells; then only the digit that most of
// them have is compared, and only its points count.
//
// Before the first contradiction or solution of a puzzle, up to three guesses are made at once, without propagation in
// between: the cell chosen for the first digit, then cells with that digit and two candidates that are no peers of those
// before. A puzzle with many solutions has few contradictions, so most of these propagations would be wasted.
// docs/explanation/search.md has what was measured, tried and dropped.
//
// The functions here also make the boards of both branches.

import { BIT_OF_PLACE, BIVALUE, BOARD, OPEN, PARITY, PEERS_OF_PLACE } from "./memory";
import { and, any, count, or, without } from "./vectors";

/** Maximum number of guesses at once. */
const MAX_GUESSES = 3;

/**
 * Copies the top board to the next one, sets the guess there and removes it from the original. With `several`, it does
 * so with up to two more guesses, each on the copy made last.
 *
 * @returns the number of guesses, that is, of boards added
 */
export function branch(board: usize, several: bool): i32 {
  const bivalue = v128.load(BIVALUE);
  if (any(bivalue)) return branchOnBivalue(board, bivalue, several);
  branchOnOpen(board, cellsOfThree(board));
  return 1;
}

function branchOnBivalue(board: usize, bivalue: v128, several: bool): i32 {
  // The two digits with the most of these cells.
  let first: usize = 0, second: usize = 0, most = 0, next = 0;
  for (let d: usize = 0; d < 9; d++) {
    const cells = count(and(v128.load(board + 16 * d), bivalue));
    const isMost = cells > most, isNext = cells > next;
    second = isMost ? first : isNext ? d : second;
    next = isMost ? most : isNext ? cells : next;
    first = isMost ? d : first;
    most = isMost ? cells : most;
  }
  const firsts = and(v128.load(board + 16 * first), bivalue);
  const cells = several ? firsts : or(firsts, and(v128.load(board + 16 * second), bivalue));
  let best = -1;
  let place: usize = 0, digit: usize = 0, other: usize = 0;
  // Words 0 and 1, then word 2: three loops, whose ends are hard to predict, take longer than two.
  for (let word: usize = 0; word < 3; word += 2) {
    const isFirst = halfOf(firsts, word);
    for (let bits = halfOf(cells, word); bits != 0; bits &= bits - 1) {
      const at = <usize>ctz(bits);
      const itsWord = word + (at >> 5), itsBit = at & 31;
      const one = (isFirst >> at & 1) != 0 ? first : second;
      const two = otherCandidate(one, itsWord, itsBit);
      const here = 27 * itsWord + itsBit;
      const peers = v128.load(PEERS_OF_PLACE + 16 * here);
      const ones = and(v128.load(board + 16 * one), peers), twos = and(v128.load(board + 16 * two), peers);
      const score = count(ones) + count(twos) + 2 * (count(and(ones, bivalue)) + count(and(twos, bivalue)));
      if (score > best) {
        best = score;
        place = here;
        digit = one;
        other = two;
      }
    }
  }
  split(board, digit, other, place);
  if (!several) return 1;
  let rest = withoutPeers(firsts, place);
  let added = 1;
  for (; added < MAX_GUESSES && any(rest); added++) {
    let word: usize = 0;
    while (wordOf(rest, word) == 0) word++;
    const bit = <usize>ctz(wordOf(rest, word));
    place = 27 * word + bit;
    split(board + BOARD * added, first, otherCandidate(first, word, bit), place);
    rest = withoutPeers(rest, place);
  }
  return added;
}

/** The parities of two candidates XOR one of them give the other one. */
@inline function otherCandidate(digit: usize, word: usize, bit: usize): usize {
  const at = PARITY + 4 * word;
  return digit ^ <usize>(
    (load<u32>(at) >> <u32>bit & 1) | (load<u32>(at, 16) >> <u32>bit & 1) << 1
      | (load<u32>(at, 32) >> <u32>bit & 1) << 2 | (load<u32>(at, 48) >> <u32>bit & 1) << 3);
}

/** Removes a place and its peers from these cells. */
@inline function withoutPeers(cells: v128, place: usize): v128 {
  return without(cells, or(v128.load(PEERS_OF_PLACE + 16 * place), v128.load(BIT_OF_PLACE + 16 * place)));
}

/** Both branches of a cell with two candidates solve it, so its peers are cleared in both at once. */
function split(board: usize, digit: usize, other: usize, place: usize): void {
  const bit = v128.load(BIT_OF_PLACE + 16 * place), peers = v128.load(PEERS_OF_PLACE + 16 * place);
  const own = v128.load(board + 16 * digit), theirs = v128.load(board + 16 * other);
  for (let at: usize = 0; at < BOARD; at += 16) v128.store(board + BOARD + at, v128.load(board + at));
  v128.store(board + BOARD + 16 * digit, without(own, peers));
  v128.store(board + BOARD + 16 * other, without(theirs, bit));
  v128.store(board + 16 * digit, without(own, bit));
  v128.store(board + 16 * other, without(theirs, peers));
}

function branchOnOpen(board: usize, from: v128): void {
  const digit = digitOfMost(board, from);
  const own = v128.load(board + 16 * digit);
  const cells = and(own, from);
  let best = -1;
  let place: usize = 0;
  for (let word: usize = 0; word < 3; word++) {
    for (let bits = wordOf(cells, word); bits != 0; bits &= bits - 1) {
      const here = 27 * word + <usize>ctz(bits);
      const score = count(and(own, v128.load(PEERS_OF_PLACE + 16 * here)));
      if (score > best) {
        best = score;
        place = here;
      }
    }
  }
  const bit = v128.load(BIT_OF_PLACE + 16 * place);
  for (let at: usize = 0; at < BOARD; at += 16) {
    v128.store(board + BOARD + at, without(v128.load(board + at), bit));
  }
  v128.store(board + BOARD + 16 * digit, without(own, v128.load(PEERS_OF_PLACE + 16 * place)));
  v128.store(board + 16 * digit, without(own, bit));
}

/** Returns the digit that occurs in the most of these cells; the lowest if there are several. */
@inline function digitOfMost(board: usize, from: v128): usize {
  let digit: usize = 0;
  let most = 0;
  for (let d: usize = 0; d < 9; d++) {
    const cells = count(and(v128.load(board + 16 * d), from));
    if (cells > most) {
      most = cells;
      digit = d;
    }
  }
  return digit;
}

/** Returns the open cells with three candidates, or all open cells if there is none. */
function cellsOfThree(board: usize): v128 {
  let one = i32x4.splat(0), two = one, three = one, four = one;
  for (let d: usize = 0; d < 9; d++) {
    const bits = v128.load(board + 16 * d);
    four = or(four, and(three, bits));
    three = or(three, and(two, bits));
    two = or(two, and(one, bits));
    one = or(one, bits);
  }
  const cells = without(three, four);
  return any(cells) ? cells : v128.load(OPEN);
}

/** Words 0 and 1, or 2 and 3. */
@inline function halfOf(cells: v128, word: usize): u64 {
  return word == 0 ? i64x2.extract_lane(cells, 0) : i64x2.extract_lane(cells, 1);
}

@inline function wordOf(cells: v128, word: usize): u32 {
  return word == 0 ? i32x4.extract_lane(cells, 0)
    : word == 1 ? i32x4.extract_lane(cells, 1)
    : i32x4.extract_lane(cells, 2);
}
