/** A puzzle of each status, 81 characters each, and a file with all of them. */

export const SOLUTION = '534678912672195348198342567859761423426853791713924856961537284287419635345286179';
/** Solved by forced moves alone. */
export const EASY = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
/** Two solutions: the digits of the four empty cells can be swapped. */
export const TWO_SOLUTIONS =
  '534..8912672195348198342567859..1423426853791713924856961537284287419635345286179';
/** The givens do not clash, but the last cell of the first row has no candidate. */
export const UNSOLVABLE = '12345678.........9'.padEnd(81, '.');
/** Two givens in one row and box. */
export const CLASHING = '11'.padEnd(81, '.');
/** Takes a few hundred nodes. */
export const HARD = '8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..';
/** A truncated 9x9 line. */
export const CUT_OFF = EASY.slice(0, 60);

/** One puzzle of every status if `max-nodes` is 5, with a solved one at each end. */
export const MIXED_FILE = [
  '# all there is',
  EASY,
  TWO_SOLUTIONS,
  UNSOLVABLE,
  CLASHING,
  CUT_OFF,
  HARD,
  EASY,
  '',
].join('\n');
export const MIXED_OPTIONS = { 'max-nodes': '5' };
/** The statuses in `MIXED_FILE`, in order. */
export const MIXED_STATUSES = [
  'solved',
  'multiple',
  'unsolvable',
  'invalid',
  'unreadable',
  'limit',
  'solved',
] as const;
