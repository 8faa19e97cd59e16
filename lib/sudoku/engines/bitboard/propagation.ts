/**
 * The consequences of a board without guessing: singles, locked candidates and full triads.
 *
 * Each rule is bit-parallel over a digit's three words (board.ts has the layout):
 * - *Naked single.* A cell has one candidate left: the digit is removed from the other cells of its box.
 * - *Across.* In a band, a digit is in three minirows, one in each box and one in each row: a perfect matching of rows
 *   with boxes. The digit is removed from minirows that no matching uses. This covers all locked candidates in rows,
 *   and extends singles from their box along the row:
 *
 *          box 1   box 2   box 3
 *     row     x       x       .          x: the digit is possible there
 *     row     x       x       .          row 3 must use box 3, so box 3 must use row 3: both x of row 3
 *     row     x       x       x          in boxes 1 and 2 are removed
 *
 * - *Down.* The same for minicolumns, one in each box and one in each column of a stack.
 * - *Hidden single.* A digit has one cell left in a box: all other digits are removed from that cell. If a cell is a
 *   naked single at the end but not a hidden one, its box has another naked single with the same digit: a contradiction.
 * - *Triads*, only if the caller asks, and where no other rule applies. If exactly three digits fit into a minirow
 *   (minicolumn), they are removed from the rest of its row (column) and box. If three digits are forced into it, all
 *   others are removed. The search asks on the root: without, 17-clue puzzles take 1.08 times the time. On every board they
 *   would save 12 of 100 nodes on the hardest puzzles, but take 1.05 times the time.
 *
 * The rules are applied in passes, in this order, until a pass finds no new single. Later passes would remove little:
 * passes until nothing changes save 5 of 100 nodes on the hardest puzzles, but take 1.05 times the time there and 1.1 times
 * on 16-clue ones. Tried and dropped: another pass also if a cell got down to two candidates (saves a fifth as many
 * passes); only one or two passes before the first contradiction of a puzzle (no gain).
 *
 * A board is therefore not the same in any order of the rules. The WebAssembly kernel applies them pass for pass and must
 * give the same boards, and therefore the same search trees.
 */
import { BOARD_WORDS } from './board.ts';
import { MATCHINGS } from './matchings.ts';
import { minicolumns, minirows, settleTriads } from './triads.ts';

/** After `propagate`: cells with two or more candidates left, three words. */
export const open = new Int32Array(3);
/** After `propagate`: cells with exactly two candidates left, three words. */
export const bivalue = new Int32Array(3);

// As in board.ts. V8 inlines a constant of this module, but fetches an imported one every time.
const ALL = 0x7ffffff;
const LOW = 0o111111111;
// The lower two bits of each group of three, the higher two, and the highest.
const LOW_TWO = 3 * LOW;
const HIGH_TWO = 6 * LOW;
const HIGH_ONE = 4 * LOW;

// Scratch for one board.
const hiddenSingles = new Int32Array(BOARD_WORDS);

/**
 * Removes candidates that the rules exclude, and writes `open` and `bivalue` for the choice of a guess.
 *
 * @param board words of one or more boards
 * @param at index of the first word of the board to propagate
 * @param withTriads whether the rules for triads are applied
 * @returns false if the board has no solution; then its words are invalid
 */
export function propagate(board: Int32Array, at: number, withTriads: boolean): boolean {
  for (;;) {
    if (!settleSingles(board, at)) return false;
    if (!withTriads || (open[0] | open[1] | open[2]) === 0) return true;
    const moved = settleTriads(board, at);
    if (moved === undefined) return false;
    if (!moved) return true;
  }
}

/**
 * Applies all rules but the triads, pass by pass, until a pass has found no new single. One long function, because its
 * planes (three words each) must stay in registers.
 *
 * @returns false if the board has no solution
 */
function settleSingles(board: Int32Array, at: number): boolean {
  const end = at + BOARD_WORDS;
  const matchings = MATCHINGS;
  const rowsOf = minirows;
  const columnsOf = minicolumns;
  // Of the latest pass: cells with two or more candidates at its start, and the hidden singles that it found.
  let before0 = ALL;
  let before1 = ALL;
  let before2 = ALL;
  let hidden0 = ALL;
  let hidden1 = ALL;
  let hidden2 = ALL;
  for (;;) {
    // Planes over all digits: cells with at least one, two, three candidates.
    let one0 = 0;
    let one1 = 0;
    let one2 = 0;
    let two0 = 0;
    let two1 = 0;
    let two2 = 0;
    let three0 = 0;
    let three1 = 0;
    let three2 = 0;
    for (let w = at; w < end; w += 3) {
      const a = board[w];
      const b = board[w + 1];
      const c = board[w + 2];
      three0 |= two0 & a;
      three1 |= two1 & b;
      three2 |= two2 & c;
      two0 |= one0 & a;
      two1 |= one1 & b;
      two2 |= one2 & c;
      one0 |= a;
      one1 |= b;
      one2 |= c;
    }
    if ((one0 & one1 & one2) !== ALL) return false;

    const fresh = (hidden0 & before0) | (hidden1 & before1) | (hidden2 & before2);
    if (fresh === 0 && two0 === before0 && two1 === before1 && two2 === before2) {
      open[0] = two0;
      open[1] = two1;
      open[2] = two2;
      bivalue[0] = two0 & ~three0;
      bivalue[1] = two1 & ~three1;
      bivalue[2] = two2 & ~three2;
      return ((hidden0 | two0) & (hidden1 | two1) & (hidden2 | two2)) === ALL;
    }
    before0 = two0;
    before1 = two1;
    before2 = two2;
    hidden0 = 0;
    hidden1 = 0;
    hidden2 = 0;

    let clash = 0;
    for (let digit = 0, i = 0, w = at; digit < 9; digit++, i += 3, w += 3) {
      let a = board[w];
      let b = board[w + 1];
      let c = board[w + 2];

      // Naked singles: their box keeps the digit only in that cell.
      const nakedA = a & ~two0;
      const nakedB = b & ~two1;
      const nakedC = c & ~two2;
      let box = nakedA | nakedB | nakedC;
      box = (box | (box >>> 1) | (box >>> 2)) & LOW;
      box = ~((box << 3) - box);
      a = (a & box) | nakedA;
      b = (b & box) | nakedB;
      c = (c & box) | nakedC;

      // Across: in each band, bits 9 * stack + row are a 3x3 relation of stacks and rows.
      let across = a | b | c;
      const up = ((across >>> 1) & LOW_TWO) | ((across << 2) & HIGH_ONE);
      const down = ((across >>> 2) & LOW) | ((across << 1) & HIGH_TWO);
      across &=
        (((up << 9) | (up >>> 18)) & ((down << 18) | (down >>> 9))) |
        (((up << 18) | (up >>> 9)) & ((down << 9) | (down >>> 18)));
      if (((across | (across >>> 9) | (across >>> 18)) & 511) !== 511) return false;
      a &= across;
      b &= across;
      c &= across;

      // Down: bits 9 * stack + 3 * band + k, so that each stack is an index into the table.
      const columns =
        ((a | (a >>> 1) | (a >>> 2)) & LOW) |
        ((b | (b >>> 1) | (b << 1)) & (LOW << 1)) |
        ((c | (c << 1) | (c << 2)) & (LOW << 2));
      const match0 = matchings[columns & 511];
      const match1 = matchings[(columns >>> 9) & 511];
      const match2 = matchings[columns >>> 18];
      if (match0 === 0 || match1 === 0 || match2 === 0) return false;
      const used = (match0 & 511) | ((match1 & 511) << 9) | ((match2 & 511) << 18);
      const usedA = used & LOW;
      const usedB = (used >>> 1) & LOW;
      const usedC = (used >>> 2) & LOW;
      a &= (usedA << 3) - usedA;
      b &= (usedB << 3) - usedB;
      c &= (usedC << 3) - usedC;

      // Hidden singles: the intersections of forced minirows and forced minicolumns.
      const forced = (match0 >>> 16) | ((match1 >>> 16) << 9) | ((match2 >>> 16) << 18);
      const forcedA = forced & LOW;
      const forcedB = (forced >>> 1) & LOW;
      const forcedC = (forced >>> 2) & LOW;
      const forcedRows = across & ~((across << 9) | (across >>> 18) | (across << 18) | (across >>> 9));
      const hiddenA = a & forcedRows & ((forcedA << 3) - forcedA);
      const hiddenB = b & forcedRows & ((forcedB << 3) - forcedB);
      const hiddenC = c & forcedRows & ((forcedC << 3) - forcedC);
      clash |= (hidden0 & hiddenA) | (hidden1 & hiddenB) | (hidden2 & hiddenC);
      hidden0 |= hiddenA;
      hidden1 |= hiddenB;
      hidden2 |= hiddenC;

      board[w] = a;
      board[w + 1] = b;
      board[w + 2] = c;
      hiddenSingles[i] = hiddenA;
      hiddenSingles[i + 1] = hiddenB;
      hiddenSingles[i + 2] = hiddenC;
      rowsOf[digit] = across;
      columnsOf[digit] = used;
    }
    if (clash !== 0) return false;

    for (let i = 0, w = at; w < end; i += 3, w += 3) {
      board[w] &= ~(hidden0 & ~hiddenSingles[i]);
      board[w + 1] &= ~(hidden1 & ~hiddenSingles[i + 1]);
      board[w + 2] &= ~(hidden2 & ~hiddenSingles[i + 2]);
    }
  }
}
