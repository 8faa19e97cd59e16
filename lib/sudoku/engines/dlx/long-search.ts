/** The search of large grids: it learns from failures, and is split if it takes long. */
import { createLearningSearch } from '../../../exact-cover/learning/learning-search.ts';
import type { ExactCoverProblem } from '../../../exact-cover/problem.ts';
import { FEW_SOLUTIONS } from '../../../exact-cover/search.ts';
import { SplitSearch } from '../../../exact-cover/split/split-search.ts';

export function createCoverSearch(problem: ExactCoverProblem): SplitSearch {
  return new SplitSearch(problem, FEW_SOLUTIONS, { createSearch: createLearningSearch });
}
