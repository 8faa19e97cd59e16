/**
 * Searches subproblems of a search.
 *
 *     function 1    search up to the split (0.2 s) | subproblem 16 | 17 | 18      part 0: their counts and solutions
 *     function 2    the same                       | subproblem 19 | 20 ...       part 1
 *
 * Each function finds the same frontier, as it depends on the problem alone. A subproblem is never continued by another
 * function. A part ends after a minute, so that other shards and users soon see its counts.
 *
 * A shard ends early once it and the shards before it have found all solutions wanted, or spent the budget of nodes: Merge
 * takes no answer after that.
 */

import type { ExactCoverProblem } from '../../exact-cover/problem.ts';
import type { SearchCounts } from '../../exact-cover/search.ts';
import { createLinks } from '../../exact-cover/split/create-links.ts';
import type { FoundSolution } from '../../exact-cover/split/split-search.ts';
import { type SubproblemLimits, subproblemSteps } from '../../exact-cover/split/subproblem-search.ts';
import { DEFAULT_JOB_LIMITS, maxJobNodes } from '../job-limits.ts';
import { optionsFromCanonical } from '../options.ts';
import { addCounts, type Counts } from '../results/counts.ts';
import { JsonLinesFile } from '../storage/json-lines.ts';
import { writeWhole } from '../storage/whole-file.ts';
import { type CoverRange, coverProblems, searchFrontier } from './covers.ts';
import type { CoverPlan, LargeDependencies } from './large-job.ts';
import { lastParts, listParts, type Part, readParts } from './parts.ts';
import type { PartAttempt } from './solve-shard.ts';

/** What a shard has found so far. */
type RangeTotals = {
  solutions: number;
  nodes: number;
  /** Of the text of the solutions, at least: the shortest option is a letter and a line feed. */
  textBytes: number;
};

const OPTION_BYTES = 2;

/** A part with consecutive subproblems. */
export interface SubproblemsPart extends Part {
  /** Of the shard, with its earlier parts. A subproblem whose search reached a limit counts only with its text. */
  readonly totals: Readonly<RangeTotals>;
  /** Milliseconds that it has searched. */
  readonly searchMs: number;
}

/** File of the answers of a part: the solutions of each subproblem in the order of its search, then its counts. */
export const ANSWERS_FILE = 'answers.jsonl';

/** `nodes` is null if the search of the subproblem reached a limit. */
export type StoredAnswer =
  | (Omit<FoundSolution, 'options'> & { readonly options: readonly number[] })
  | (Omit<SearchCounts, 'nodes'> & { readonly nodes: number | null });

/** No subproblem is begun after this time, or after this share of the time of the function. */
const PART_MS = 60_000;
const PART_SHARE = 1 / 2;

/** @throws Error if a single subproblem exceeds the time of a function */
export async function searchSubproblems(
  plan: CoverPlan,
  { item: range, time, keys, head }: PartAttempt<CoverRange>,
  dependencies: LargeDependencies,
): Promise<SubproblemsPart> {
  const { clock, jobLimits = DEFAULT_JOB_LIMITS, splitRule } = dependencies;
  const options = optionsFromCanonical(plan.options);
  const { usableMs } = time;
  const startMs = clock.monotonicMs();
  const elapsedMs = () => clock.monotonicMs() - startMs;
  let count = 0;
  let searchMs = 0;

  // What the shards before have found is at least as much as when they are finished.
  const earlier = (await listParts(keys, dependencies)).filter(
    ({ shard, part }) =>
      shard >= range.firstShard && (shard < range.shard || (shard === range.shard && part < head.part)),
  );
  const parts = await readParts<SubproblemsPart>(lastParts(earlier), dependencies);
  /** Of all of them, and of this shard. */
  const found = sum(parts);
  const totals = sum(parts.filter(({ shard }) => shard === range.shard));
  const add = (more: Partial<RangeTotals>) => {
    for (const sums of [found, totals]) addCounts(sums, more as Counts);
  };

  /** What is left after what is found; undefined if no more is needed. */
  const limitsLeft = (): SubproblemLimits | undefined => {
    const maxSolutions = options.solutions - found.solutions;
    const maxNodes = Math.min(options.maxNodes, maxJobNodes(jobLimits, plan.source.bytes)) - found.nodes;
    const isWritten = found.solutions > 1 && found.textBytes >= jobLimits.writtenCells;
    return maxSolutions > 0 && maxNodes > 0 && !isWritten
      ? { maxSolutions, maxNodes, each: true }
      : undefined;
  };

  const problem = await readProblem(plan, range, dependencies);
  const frontier = searchFrontier(problem, options, splitRule);
  const size = frontier === undefined ? 0 : frontier.subproblems.length;
  if (frontier === undefined || size !== range.subproblems) {
    throw new Error(
      `problem ${range.problem} has ${size} subproblems, but its plan has ${range.subproblems}`,
    );
  }
  const links = createLinks(problem, frontier);
  const file = new JsonLinesFile(dependencies, keys.partFile(head, ANSWERS_FILE));

  /** @returns the counts of a subproblem; undefined if the time ran out */
  const searchOne = async (index: number, limits: SubproblemLimits): Promise<SearchCounts | undefined> => {
    const steps = subproblemSteps(links, frontier, index, limits);
    let textBytes = 0;
    while (elapsedMs() < usableMs) {
      const step = steps.next();
      if (step.done === true) {
        add({ textBytes });
        return step.value;
      }
      if (step.value === 'slice') continue;
      const { selected, solutions, nodes, guesses, updates } = links;
      await file.add({ options: [...selected], nodes, guesses, updates });
      textBytes += OPTION_BYTES * selected.length;
      if (found.textBytes + textBytes >= jobLimits.writtenCells && found.solutions + solutions > 1) {
        add({ textBytes });
        return { solutions, guesses, updates, nodes: Number.POSITIVE_INFINITY };
      }
    }
    return undefined;
  };

  /** Searches until the shard ends, no more is needed, or the time is short. @returns whether it is the last part */
  const search = async (): Promise<boolean> => {
    const lastStartMs = Math.min(PART_MS, usableMs * PART_SHARE);
    for (let index = range.from + head.from; index < range.to; index++) {
      const limits = limitsLeft();
      if (limits === undefined) return true;
      const beginMs = elapsedMs();
      if (count > 0 && beginMs > lastStartMs) return false;
      const answer = await searchOne(index, limits);
      searchMs += elapsedMs() - beginMs;
      if (answer === undefined) {
        if (count > 0) return false;
        throw new Error(
          `shard ${range.shard}: subproblem ${index} of problem ${range.problem} exceeds the time of one function; ` +
            'lower max-nodes or solutions, or solve the file with the command-line tool',
        );
      }
      await file.add(answer);
      count++;
      // Its search has reached a limit.
      if (!Number.isFinite(answer.nodes)) return true;
      add({ solutions: answer.solutions, nodes: answer.nodes });
    }
    return true;
  };

  const last = await writeWhole(file, search);
  return { ...head, count, totals, last, wallMs: elapsedMs(), searchMs };
}

function sum(parts: readonly Pick<SubproblemsPart, 'totals'>[]): RangeTotals {
  const all = { solutions: 0, nodes: 0, textBytes: 0 };
  for (const { totals } of parts) addCounts(all, totals);
  return all;
}

async function readProblem(
  plan: CoverPlan,
  { problem: index }: CoverRange,
  dependencies: LargeDependencies,
): Promise<ExactCoverProblem> {
  for await (const { cover } of coverProblems(plan, index, dependencies)) {
    if (cover !== undefined) return cover.problem;
    break;
  }
  throw new Error(`problem ${index} cannot be read: the object changed after it was planned`);
}
