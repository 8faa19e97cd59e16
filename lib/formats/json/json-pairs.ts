/**
 * A puzzle and its solution without names that say so: `["53..7....", "534678912"]`, `{"x": "53..7....", "y": "534678912"}`.
 *
 * They are read as one puzzle with an expected solution, not as two puzzles.
 */

/** @returns whether `solution` is `puzzle` with symbols for its blanks, which are one character that it does not contain */
export function isSolutionOf(solution: string, puzzle: string): boolean {
  if (solution.length !== puzzle.length) return false;
  const at = [...puzzle].findIndex((symbol, cell) => symbol !== solution[cell]);
  if (at < 0) return false;
  const blank = puzzle[at];
  if (solution.includes(blank)) return false;
  for (let cell = 0; cell < puzzle.length; cell++) {
    if (puzzle[cell] !== blank && puzzle[cell] !== solution[cell]) return false;
  }
  return true;
}

/** The names of a puzzle and of its solution in an object. */
export interface PairKeys {
  readonly puzzle: string;
  readonly solution: string;
}

/** Most texts of puzzles in an object that are compared; an object with more has puzzles alone. */
const MAX_TEXTS = 4;

/**
 * @param keys of the object's members that are texts of puzzles
 * @returns the only two of them of which one solves the other
 */
export function pairIn(
  object: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): PairKeys | undefined {
  if (keys.length > MAX_TEXTS) return undefined;
  const pairs = keys.flatMap((puzzle) =>
    keys
      .filter((solution) => isSolutionOf(object[solution] as string, object[puzzle] as string))
      .map((solution) => ({ puzzle, solution })),
  );
  return pairs.length === 1 ? pairs[0] : undefined;
}
