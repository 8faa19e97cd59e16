/**
 * The search of large grids in pages: dancing links alone, without 5 kB for searches that take thousands of nodes.
 *
 * Bundlers for browsers use it instead of long-search.ts (`imports` of package.json).
 */
import { DancingLinks } from '../../../exact-cover/dancing-links.ts';
import type { ExactCoverProblem } from '../../../exact-cover/problem.ts';

export function createCoverSearch(problem: ExactCoverProblem): DancingLinks {
  return new DancingLinks(problem);
}
