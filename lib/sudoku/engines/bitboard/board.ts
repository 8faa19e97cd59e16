/**
 * The layout of a 9x9 grid in the bitboard engine: 27 words of 27 bits, three words for each digit.
 *
 * The column of a cell determines its word; its stack (the three boxes above each other) and row determine its bit:
 *
 *     row r = 0..8, column c = 3 * stack + k        word k of the digit, bit 9 * stack + r
 *
 *     word 0 (k = 0)          columns  6        3        0
 *                             rows     876543210876543210876543210     bit 26 ... bit 0
 *     word 1 (k = 1)          columns  7        4        1
 *     word 2 (k = 2)          columns  8        5        2
 *
 * So the three cells of a minirow (a row within a box) are the same bit of the three words, and `w0 | w1 | w2` is the
 * set of minirows with the digit. The three cells of a minicolumn are three neighbouring bits of one word. Nine bits
 * are a stack, and three of them a box.
 *
 * A cell's *place* is 27 * word + bit, 0 to 80. Ties between cells go to the lower place.
 */

/** Word of a cell (0..80, row by row): its column within the box. */
export function wordOf(cell: number): number {
  return (cell % 9) % 3;
}

/** Bit number of a cell (0..80, row by row) in its word. */
export function bitOf(cell: number): number {
  return 9 * Math.floor((cell % 9) / 3) + Math.floor(cell / 9);
}

/** Place of a cell (0..80, row by row). */
export function placeOf(cell: number): number {
  return 27 * wordOf(cell) + bitOf(cell);
}
