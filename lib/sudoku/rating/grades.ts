/** Five words for a rating. Their bounds were fixed by what a solver must know, before any puzzle was rated. */

export const GRADES = ['easy', 'medium', 'hard', 'expert', 'extreme'] as const;
export type Grade = (typeof GRADES)[number];

/** The highest rating of each grade but the last. */
const BOUNDS: readonly number[] = [
  2.0, // hidden singles, and what makes one at once
  2.8, // naked singles, locked candidates
  4.4, // pairs to triplets, fish, short wings
  6.4, // uniqueness, quads, long wings; above begin chains and search
];

/** Returns the grade of a rating. */
export function gradeOf(rating: number): Grade {
  const index = BOUNDS.findIndex((bound) => rating <= bound);
  return GRADES[index < 0 ? BOUNDS.length : index];
}
