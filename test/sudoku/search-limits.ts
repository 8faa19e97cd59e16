import type { SearchLimits } from '../../lib/sudoku/engine.ts';

/** Enough to prove in one call that a puzzle has one solution. */
export const FIND_TWO: SearchLimits = {
  maxSolutions: 2,
  maxNodes: Number.POSITIVE_INFINITY,
  sliceNodes: Number.POSITIVE_INFINITY,
  pauseAtSolution: false,
};

export const COUNT_ALL: SearchLimits = { ...FIND_TWO, maxSolutions: Number.POSITIVE_INFINITY };
