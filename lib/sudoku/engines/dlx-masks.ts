/**
 * What a 9x9 grid forces without a guess, on bitmasks: the part of the `dlx` engine that is no search.
 *
 * Candidates stand by digit, three words of 27 bits each. A cell's column tells word and bit, so that the three
 * cells of a minirow (a row within a box) have the same bit in the three words, and the three cells of a
 * minicolumn are three neighbouring bits of one word:
 *
 *     cell in row r, column c = 3 * stack + k          word 3 * (digit - 1) + k, bit 9 * stack + r
 *
 *     word k = 0   column   6         3         0
 *                  row      876543210 876543210 876543210     bit 26 ... bit 0
 *
 * Candidates by digit in 27-bit words come from the forum solvers of zhouyundong, champagne and JasonLion. Rules,
 * each of them for a whole digit at once:
 *
 * - Naked singles: a cell with one candidate takes the digit from the rest of its box.
 * - Across: in a band, rows and boxes are matched one to one. Take `x` for "the digit fits":
 *
 *          box 1  box 2  box 3
 *     row    x      x      .       row 3 alone can serve box 3, so it serves no other:
 *     row    x      x      .       the x of row 3 in boxes 1 and 2 go
 *     row    x      x      x
 *
 *   A minirow stays where the other two rows can still be matched with the other two boxes. This carries singles
 *   along their row, and is every locked candidate between rows and boxes.
 * - Down: the same for columns and boxes of a stack, by a table of all 512 relations.
 * - Hidden singles: where a minirow that its row cannot do without meets a minicolumn of that kind.
 *
 * A digit is worked on again only after something was taken from it, or one of its cells became a naked single.
 *
 * Tried and dropped (17-clue puzzles, time of the root, lower is better): comparing a digit with its words of last
 * time instead of a bit that says it was touched, 1.16; collecting hidden singles for the end of the sweep, 1.24
 * (12.2 sweeps a puzzle instead of 9.2); branches instead of flags inside the loop over digits, 1.19; a list of
 * digits to do instead of looking at all nine, 1.04. A C version of the same function takes 0.78.
 */

const ALL = 0x7ff_ffff;
/** The lowest of each three neighbouring bits: bit 0 of every box. */
const LOW = 0o111111111;
const LOW_TWO = 3 * LOW;
const HIGH_TWO = 6 * LOW;
const HIGH_ONE = 4 * LOW;

/** Words of a board. */
export const BOARD_WORDS = 27;
/** One bit for each digit, at the number of its first word: what `propagate` takes as its digits to work on. */
export const EVERY_DIGIT = 0o111111111;

/** The board that `propagate` works on. Scratch: its callers copy what they want to keep. */
export const board = new Int32Array(BOARD_WORDS);
/**
 * Cells with two candidates or more, three words. `propagate` takes from it which cells were open when the board
 * was last at rest, and leaves which ones are now.
 */
export const open = new Int32Array(3);

export const Outcome = { contradiction: 0, open: 1, solved: 2 } as const;
export type Outcome = (typeof Outcome)[keyof typeof Outcome];

// Local names: V8 folds what a module keeps to itself into the code, and fetches what it exports every time.
const words = board;
const opened = open;
const MATCHING = matchingTable();

/**
 * Takes away all that the rules exclude, until they find nothing more.
 *
 * @param touched digits that lost a candidate since the board was last at rest, a bit each as in EVERY_DIGIT
 */
export function propagate(touched: number): Outcome {
  let dirty = touched;
  let before0 = opened[0];
  let before1 = opened[1];
  let before2 = opened[2];
  for (;;) {
    // Over all digits: cells with one candidate or more, with two or more.
    let one0 = 0;
    let one1 = 0;
    let one2 = 0;
    let two0 = 0;
    let two1 = 0;
    let two2 = 0;
    for (let w = 0; w < BOARD_WORDS; w += 3) {
      const a = words[w];
      const b = words[w + 1];
      const c = words[w + 2];
      two0 |= one0 & a;
      two1 |= one1 & b;
      two2 |= one2 & c;
      one0 |= a;
      one1 |= b;
      one2 |= c;
    }
    if ((one0 & one1 & one2) !== ALL) {
      return Outcome.contradiction;
    }
    if ((two0 | two1 | two2) === 0) {
      return everyUnitHasEveryDigit() ? Outcome.solved : Outcome.contradiction;
    }
    // Naked singles that were none before.
    const naked0 = before0 & ~two0;
    const naked1 = before1 & ~two1;
    const naked2 = before2 & ~two2;
    before0 = two0;
    before1 = two1;
    before2 = two2;
    if ((dirty | naked0 | naked1 | naked2) === 0) {
      opened[0] = two0;
      opened[1] = two1;
      opened[2] = two2;
      return Outcome.open;
    }

    let again = 0;
    let clash = 0;
    for (let w = 0; w < BOARD_WORDS; w += 3) {
      let a = words[w];
      let b = words[w + 1];
      let c = words[w + 2];
      const nakedA = a & naked0;
      const nakedB = b & naked1;
      const nakedC = c & naked2;
      const naked = nakedA | nakedB | nakedC;
      if ((naked | (dirty & (1 << w))) === 0) {
        continue;
      }

      // Naked singles: the rest of their box loses the digit. Two in one box cannot be.
      const naked1st = naked >>> 1;
      const naked2nd = naked >>> 2;
      clash |= (nakedA & nakedB) | ((nakedA | nakedB) & nakedC);
      clash |= ((naked & naked1st) | ((naked | naked1st) & naked2nd)) & LOW;
      const boxes = (naked | naked1st | naked2nd) & LOW;
      const keep = ~((boxes << 3) - boxes);
      a = (a & keep) | nakedA;
      b = (b & keep) | nakedB;
      c = (c & keep) | nakedC;

      // Across: bits 9 * stack + row. The other two rows of the band, and of each of them the other stacks.
      let across = a | b | c;
      const next = ((across >>> 1) & LOW_TWO) | ((across << 2) & HIGH_ONE);
      const last = ((across >>> 2) & LOW) | ((across << 1) & HIGH_TWO);
      across &=
        (((next << 9) | (next >>> 18)) & ((last << 18) | (last >>> 9))) |
        (((next << 18) | (next >>> 9)) & ((last << 9) | (last >>> 18)));
      if (((across | (across >>> 9) | (across >>> 18)) & 511) !== 511) {
        return Outcome.contradiction;
      }
      a &= across;
      b &= across;
      c &= across;

      // Down: bits 9 * stack + 3 * band + k, so that nine of them are a relation of bands and columns.
      const columns =
        ((a | (a >>> 1) | (a >>> 2)) & LOW) |
        ((b | (b >>> 1) | (b << 1)) & (LOW << 1)) |
        ((c | (c << 1) | (c << 2)) & (LOW << 2));
      const match0 = MATCHING[columns & 511];
      const match1 = MATCHING[(columns >>> 9) & 511];
      const match2 = MATCHING[columns >>> 18];
      const used = (match0 & 511) | ((match1 & 511) << 9) | ((match2 & 511) << 18);
      const usedA = used & LOW;
      const usedB = (used >>> 1) & LOW;
      const usedC = (used >>> 2) & LOW;
      a &= (usedA << 3) - usedA;
      b &= (usedB << 3) - usedB;
      c &= (usedC << 3) - usedC;
      // What was taken away down may let more be taken away across.
      again |= (-(columns ^ used) >>> 31) << w;

      const forced = (match0 >>> 16) | ((match1 >>> 16) << 9) | ((match2 >>> 16) << 18);
      const forcedA = forced & LOW;
      const forcedB = (forced >>> 1) & LOW;
      const forcedC = (forced >>> 2) & LOW;
      const rows = across & ~((across << 9) | (across >>> 18) | (across << 18) | (across >>> 9));
      const hiddenA = a & rows & two0 & ((forcedA << 3) - forcedA);
      const hiddenB = b & rows & two1 & ((forcedB << 3) - forcedB);
      const hiddenC = c & rows & two2 & ((forcedC << 3) - forcedC);
      if ((hiddenA | hiddenB | hiddenC) !== 0) {
        for (let v = 0; v < BOARD_WORDS; v += 3) {
          const otherA = words[v];
          const otherB = words[v + 1];
          const otherC = words[v + 2];
          const lost = (otherA & hiddenA) | (otherB & hiddenB) | (otherC & hiddenC);
          dirty |= (-lost >>> 31) << v;
          words[v] = otherA & ~hiddenA;
          words[v + 1] = otherB & ~hiddenB;
          words[v + 2] = otherC & ~hiddenC;
        }
      }
      words[w] = a;
      words[w + 1] = b;
      words[w + 2] = c;
      dirty &= ~(1 << w);
    }
    if (clash !== 0) {
      return Outcome.contradiction;
    }
    dirty |= again;
  }
}

/** For a board with one candidate a cell: whether it is a solution. Nine digits in nine rows leave no room for two. */
function everyUnitHasEveryDigit(): boolean {
  for (let w = 0; w < BOARD_WORDS; w += 3) {
    const a = words[w];
    const b = words[w + 1];
    const c = words[w + 2];
    const rows = a | b | c;
    const boxes = rows | (rows >>> 1) | (rows >>> 2);
    if (((rows | (rows >>> 9) | (rows >>> 18)) & 511) !== 511 || (boxes & LOW) !== LOW) {
      return false;
    }
    for (let stack = 0; stack < 27; stack += 9) {
      const column = 511 << stack;
      if ((a & column) === 0 || (b & column) === 0 || (c & column) === 0) {
        return false;
      }
    }
  }
  return true;
}

/** By cell, row by row: its word within a digit's three, and its bit. */
const WORD_OF_CELL = Uint8Array.from({ length: 81 }, (_, cell) => cell % 3);
const BIT_OF_CELL = Int32Array.from(
  { length: 81 },
  (_, cell) => 1 << (9 * Math.floor((cell % 9) / 3) + Math.floor(cell / 9)),
);
/** Givens by digit, three words each; the first three are for blanks. */
const givens = new Int32Array(BOARD_WORDS + 3);

/**
 * Sets `board` and `open` from a puzzle: each given alone in its cell, all else possible everywhere.
 *
 * @param cells 0 for a blank, 1 to 9 for a given
 * @param at index of the puzzle's first cell
 * @throws RangeError where a cell holds anything else
 */
export function placeGivens(cells: Uint8Array, at: number): void {
  givens.fill(0);
  for (let cell = 0; cell < 81; cell++) {
    const digit = cells[at + cell];
    if (digit > 9) {
      throw new RangeError(`cell ${cell} has digit ${digit}: expected 0 to 9`);
    }
    givens[3 * digit + WORD_OF_CELL[cell]] |= BIT_OF_CELL[cell];
  }
  const blank0 = givens[0];
  const blank1 = givens[1];
  const blank2 = givens[2];
  for (let w = 0; w < BOARD_WORDS; w += 3) {
    words[w] = givens[w + 3] | blank0;
    words[w + 1] = givens[w + 4] | blank1;
    words[w + 2] = givens[w + 5] | blank2;
  }
  opened.fill(ALL);
}

/** Row-major cell of a word's bit; `word` may be one of a digit's three or of a whole board's 27. */
export function cellAt(word: number, bit: number): number {
  return 9 * (bit % 9) + 3 * Math.floor(bit / 9) + (word % 3);
}

/** By relation, bit 3 * i + j for the pair (i, j): pairs in some perfect matching; 16 bits up, pairs in all of them. */
function matchingTable(): Int32Array {
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ];
  const matchings = orders.map((order) => order.reduce((bits, j, i) => bits | (1 << (3 * i + j)), 0));
  return Int32Array.from({ length: 512 }, (_, relation) => {
    const possible = matchings.filter((matching) => (matching & ~relation) === 0);
    const some = possible.reduce((bits, matching) => bits | matching, 0);
    const all = possible.reduce((bits, matching) => bits & matching, possible.length === 0 ? 0 : 511);
    return some | (all << 16);
  });
}
