/** The search of the subproblems of a frontier. */
import type { DancingLinks } from '../dancing-links.ts';
import { createLearningSearch } from '../learning/learning-search.ts';
import { openLinks } from '../open-links.ts';
import type { ExactCoverProblem } from '../problem.ts';
import { FEW_SOLUTIONS } from '../search.ts';
import type { Frontier } from './frontier.ts';

/** Creates a search for the subproblems of a frontier, as that which was split. */
export function createLinks(problem: ExactCoverProblem, { few, learns }: Frontier): DancingLinks {
  const wanted = few ? FEW_SOLUTIONS : Number.POSITIVE_INFINITY;
  return openLinks(problem, wanted, learns ? createLearningSearch : undefined);
}
