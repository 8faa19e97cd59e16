/**
 * Candidates as text: for each cell as many characters as there are digits, each digit at its own place or not there.
 *
 *     123456789.2.4.....   the first cell may be anything, the second 2 or 4
 */
const ZERO = 48;
const NINE = 57;

/** Sizes whose candidates are written so, one character a digit. */
const SIZES = [6, 9];

/** The size of a puzzle whose candidates are so many characters: 729 for a 9x9, 216 for a 6x6. */
export function sizeOfMarks(characters: number): number | undefined {
  return SIZES.find((size) => size ** 3 === characters);
}

/**
 * The candidates of each cell, bit d-1 for digit d; undefined where a digit stands at another one's place.
 *
 * @param codes character codes, `size` cubed of them from `from`
 */
export function candidatesOf(codes: ArrayLike<number>, from: number, size: number): Int32Array | undefined {
  const candidates = new Int32Array(size * size);
  for (let cell = 0, at = from; cell < candidates.length; cell++) {
    let marks = 0;
    for (let digit = 1; digit <= size; digit++, at++) {
      const code = codes[at];
      if (code === ZERO + digit) marks |= 1 << (digit - 1);
      else if (code > ZERO && code <= NINE) return undefined;
    }
    candidates[cell] = marks;
  }
  return candidates;
}
