/** Estimates how long the search of exact-cover problems takes on this machine. */
import { NO_LIMITS, SearchStop } from '../../exact-cover/dancing-links.ts';
import { openSearch } from '../../exact-cover/open-search.ts';
import type { ExactCoverProblem } from '../../exact-cover/problem.ts';
import { estimateTree } from '../../exact-cover/tree-estimate.ts';
import type { CoverRecord } from '../../formats/exact-cover/cover-record.ts';
import type { Clock } from '../ports.ts';

/** The estimate of one problem. What is not known is omitted. */
export interface CoverEstimate {
  /** From 1, over all problems of the file. */
  readonly index: number;
  /** First line in the file, from 1. */
  readonly line: number;
  /** Nodes of the whole search tree, 1.8 * 10^308 at most. */
  readonly nodes?: number;
  /** An interval that mostly has their true number; omitted if they are exact. */
  readonly low?: number;
  readonly high?: number;
  readonly updates?: number;
  /** Time of the search for all solutions, on one core of this machine, without memoised counting. */
  readonly seconds?: number;
  /** Why the problem cannot be read. */
  readonly error?: string;
}

/** Time of the search that measures the rate; it decides small problems. */
const SAMPLE_MS = 100;
/** Nodes of its first slice; each later one is twice as long, so that the last ones are in optimised code. */
const FIRST_NODES = 500;

/** Estimates a problem. @param index its index in the file, from 1 */
export function estimateCover(
  { cover, line, error }: CoverRecord,
  index: number,
  clock: Clock,
): CoverEstimate {
  if (cover === undefined) return { index, line, error: error?.message };
  return { index, line, ...estimateSearch(cover.problem, clock) };
}

function estimateSearch(problem: ExactCoverProblem, clock: Clock): Omit<CoverEstimate, 'index' | 'line'> {
  const links = openSearch(problem, true, Number.POSITIVE_INFINITY);
  let stop: SearchStop;
  let sliceNodes = FIRST_NODES;
  let ms = 0;
  // Of the fastest slice: other programs, and code that is not optimised yet, only make slices slower.
  let msPerNode = Number.POSITIVE_INFINITY;
  do {
    const nodesBefore = links.nodes;
    const startMs = clock.monotonicMs();
    stop = links.run({ ...NO_LIMITS, sliceNodes });
    const sliceMs = clock.monotonicMs() - startMs;
    ms += sliceMs;
    msPerNode = Math.min(msPerNode, sliceMs / (links.nodes - nodesBefore));
    sliceNodes *= 2;
  } while (stop === SearchStop.slice && ms < SAMPLE_MS);
  const { nodes, updates } = links;
  if (stop === SearchStop.exhausted) return { nodes, updates, seconds: ms / 1000 };
  const tree = estimateTree(problem);
  if (tree === undefined) return {};
  return {
    nodes: Math.round(tree.nodes),
    low: Math.round(tree.low),
    high: Math.round(tree.high),
    updates: Math.round(tree.updates),
    seconds: (tree.nodes * msPerNode) / 1000,
  };
}
