/**
 * The ratings of the techniques, in the order in which they are tried: those of Sudoku Explainer (see the README). A technique
 * whose patterns have several ratings has a row for each.
 */
import { type Grade, gradeOf } from './grades.ts';

const SCALE = [
  [1.0, 'last digit'],
  [1.2, 'hidden single in a block'],
  [1.5, 'hidden single in a line'],
  [1.7, 'direct pointing'],
  [1.9, 'direct claiming'],
  [2.0, 'direct hidden pair'],
  [2.3, 'naked single'],
  [2.5, 'direct hidden triplet'],
  [2.6, 'pointing'],
  [2.8, 'claiming'],
  [3.0, 'naked pair'],
  [3.2, 'X-wing'],
  [3.4, 'hidden pair'],
  [3.6, 'naked triplet'],
  [3.8, 'swordfish'],
  [4.0, 'hidden triplet'],
  [4.0, 'skyscraper'],
  [4.1, 'kite'],
  [4.1, 'turbot fish'],
  [4.3, 'empty rectangle'],
  [4.2, 'XY-wing'],
  [4.4, 'XYZ-wing'],
  [4.5, 'unique rectangle'],
  [4.6, 'unique rectangle with a naked pair'],
  [4.6, 'unique loop of six cells'],
  [4.7, 'unique loop of eight cells'],
  [5.0, 'naked quad'],
  [5.2, 'jellyfish'],
  [5.4, 'hidden quad'],
  [5.4, 'three parallel strong links'],
  [5.5, 'three strong links'],
  [5.7, 'three grouped strong links'],
  [5.5, 'WXYZ-wing'],
  [5.6, 'WXYZ-wing with a cell of three'],
  [5.6, 'bivalue universal grave'],
  [5.7, 'bivalue universal grave with several cells'],
  [5.8, 'four parallel strong links'],
  [5.9, 'four strong links'],
  [6.1, 'four grouped strong links'],
  [6.2, 'VWXYZ-wing'],
  [6.5, 'short chain'],
  // The first rating of Sudoku Explainer for chains, which are all that is left.
  [6.5, 'search'],
] as const;
type TechniqueName = (typeof SCALE)[number][1];

export interface Rating {
  /** The rating of the hardest step, from 1.0. */
  readonly rating: number;
  /** Whether the puzzle may be harder: it needs a long wing, a chain or a search, whose size is not measured. */
  readonly isLowerBound: boolean;
  readonly grade: Grade;
  /** The hardest technique; `search` if the techniques do not solve the puzzle. */
  readonly technique: TechniqueName;
}

/** The largest number of digits: a mask is one word. */
export const MAX_RATED_SIZE = 31;

/** From here on a rating is a lower bound: of long wings, chains and searches, the size is not measured. */
const BOUND = 6.2;

/** The ratings of puzzles by their hardest technique, easiest first. */
export const RATINGS: readonly Rating[] = SCALE.map(([rating, technique]) => ({
  rating,
  isLowerBound: rating >= BOUND,
  grade: gradeOf(rating),
  technique,
}));
