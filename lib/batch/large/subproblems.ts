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
import { createLinks } from '../../exact-cover/split/create-links.ts';
import { type Frontier, frontierSize } from '../../exact-cover/split/frontier.ts';
import type { SubproblemCounts } from '../../exact-cover/split/split-search.ts';
import { type SubproblemLimits, subproblemSteps } from '../../exact-cover/split/subproblem-search.ts';
import { ByteBuffer } from '../../formats/bytes/byte-buffer.ts';
import { DEFAULT_JOB_LIMITS, maxJobNodes } from '../job-limits.ts';
import { optionsFromCanonical } from '../options.ts';
import type { FileWriter } from '../ports.ts';
import { FunctionTime } from '../storage/function-time.ts';
import { type CoverRange, coverProblems, searchFrontier } from './covers.ts';
import type { CoverPlan, LargeDependencies } from './large-job.ts';
import { packedBytes, packSolution, WRITTEN_SHARE } from './packed-solutions.ts';
import { lastParts, listParts, type Part, type PartCursor, readParts } from './parts.ts';
import type { PartAttempt } from './solve-shard.ts';

/** What a shard has found so far. */
interface RangeTotals {
  readonly solutions: number;
  readonly nodes: number;
  /** Of packed solutions. */
  readonly bytes: number;
}

/** A part with consecutive subproblems. */
export interface SubproblemsPart extends Part {
  /** Of each subproblem; `nodes` is null if its search reached a limit. */
  readonly counts: readonly (Omit<SubproblemCounts, 'nodes'> & { readonly nodes: number | null })[];
  /** Of the shard, with its earlier parts. A subproblem whose search reached a limit counts only with its bytes. */
  readonly totals: RangeTotals;
  /** Milliseconds that it has searched. */
  readonly searchMs: number;
}

/** File of the solutions of a part (packed-solutions.ts); a part without solutions has none. */
export const SOLUTIONS_FILE = 'solutions.bin';

/** No subproblem is begun after this time, or after this share of the time of the function. */
const PART_MS = 60_000;
const PART_SHARE = 1 / 2;
/** Bytes of solutions before a write. */
const WRITE_BYTES = 256 * 1024;

/** What is left of what is wanted. */
interface Limits extends SubproblemLimits {
  /** Of packed solutions, if they are two or more. */
  readonly maxBytes: number;
}

/** @throws Error if a single subproblem exceeds the time of a function */
export async function searchSubproblems(
  plan: CoverPlan,
  { item: range, cursor, keys, head, open }: PartAttempt<CoverRange, PartCursor>,
  dependencies: LargeDependencies,
): Promise<SubproblemsPart> {
  const { clock, jobLimits = DEFAULT_JOB_LIMITS, splitRule } = dependencies;
  const options = optionsFromCanonical(plan.options);
  const { usableMs } = new FunctionTime(dependencies);
  const startMs = clock.monotonicMs();
  const elapsedMs = () => clock.monotonicMs() - startMs;
  const counts: SubproblemCounts[] = [];
  const out = new ByteBuffer(WRITE_BYTES);
  let file: FileWriter | undefined;
  let searchMs = 0;

  // What the shards before have found is at least as much as when they are finished.
  const found = (await listParts(keys, dependencies)).filter(
    ({ shard, part }) =>
      shard >= range.firstShard && (shard < range.shard || (shard === range.shard && part < cursor.part)),
  );
  const parts = await readParts<SubproblemsPart>(lastParts(found), dependencies);
  const before = sum(parts.filter(({ shard }) => shard < range.shard));
  let totals = sum(parts.filter(({ shard }) => shard === range.shard));
  const add = (more: Partial<RangeTotals>) => {
    totals = sum([{ totals }, { totals: { solutions: 0, nodes: 0, bytes: 0, ...more } }]);
  };

  const flush = async () => {
    if (out.length === 0) return;
    file ??= open(SOLUTIONS_FILE, 'application/octet-stream');
    await file.write(out.take());
  };

  /** What is left after what is found; undefined if no more is needed. */
  const limitsLeft = (): Limits | undefined => {
    const known = sum([{ totals: before }, { totals }]);
    const maxSolutions = options.solutions - known.solutions;
    const maxNodes = Math.min(options.maxNodes, maxJobNodes(jobLimits, plan.source.bytes)) - known.nodes;
    const maxBytes = jobLimits.writtenCells / WRITTEN_SHARE - known.bytes;
    const isWritten = maxBytes <= 0 && known.solutions > 1;
    if (maxSolutions <= 0 || maxNodes <= 0 || isWritten) return undefined;
    return { maxSolutions, maxNodes, each: true, maxBytes };
  };

  /** @returns the counts of a subproblem; undefined if the time ran out */
  const searchOne = async (
    links: ReturnType<typeof createLinks>,
    frontier: Frontier,
    index: number,
    limits: Limits,
  ): Promise<SubproblemCounts | undefined> => {
    const steps = subproblemSteps(links, frontier, index, limits);
    let bytes = 0;
    while (elapsedMs() < usableMs) {
      const step = steps.next();
      if (step.done === true) {
        add({ bytes });
        return step.value;
      }
      if (step.value === 'slice') continue;
      packSolution(out, links);
      bytes += packedBytes(links.selectedCount);
      if (out.length >= WRITE_BYTES) await flush();
      const { solutions, guesses, updates } = links;
      if (bytes >= limits.maxBytes && totals.solutions + solutions > 1) {
        add({ bytes });
        return { solutions, guesses, updates, nodes: Number.POSITIVE_INFINITY };
      }
    }
    return undefined;
  };

  /** Searches until the shard ends, no more is needed, or the time is short. @returns whether it is the last part */
  const search = async (): Promise<boolean> => {
    if (limitsLeft() === undefined) return true;
    const problem = await readProblem(plan, range, dependencies);
    const frontier = searchFrontier(problem, options, splitRule);
    const size = frontier === undefined ? 0 : frontierSize(frontier);
    if (frontier === undefined || size !== range.subproblems) {
      throw new Error(
        `problem ${range.problem} has ${size} subproblems, but its plan has ${range.subproblems}`,
      );
    }
    const links = createLinks(problem, frontier);
    const lastStartMs = Math.min(PART_MS, usableMs * PART_SHARE);
    for (let index = range.from + cursor.done; index < range.to; index++) {
      const beginMs = elapsedMs();
      if (counts.length > 0 && beginMs > lastStartMs) return false;
      const limits = limitsLeft();
      if (limits === undefined) return true;
      const answer = await searchOne(links, frontier, index, limits);
      searchMs += elapsedMs() - beginMs;
      if (answer === undefined) {
        if (counts.length > 0) return false;
        throw new Error(
          `shard ${range.shard}: subproblem ${index} of problem ${range.problem} exceeds the time of one function; ` +
            'lower max-nodes or solutions, or solve the file with the command-line tool',
        );
      }
      counts.push(answer);
      // Its search has reached a limit.
      if (!Number.isFinite(answer.nodes)) return true;
      add({ solutions: answer.solutions, nodes: answer.nodes });
    }
    return true;
  };

  let last: boolean;
  try {
    last = await search();
    const hasSolutions = counts.some(({ solutions }) => solutions > 0);
    if (hasSolutions) await flush();
    await (hasSolutions ? file?.close() : file?.abort());
  } catch (error) {
    await file?.abort();
    throw error;
  }
  return {
    ...head,
    count: counts.length,
    counts: counts.map((each) => ({ ...each, nodes: Number.isFinite(each.nodes) ? each.nodes : null })),
    totals,
    last,
    wallMs: elapsedMs(),
    searchMs,
  };
}

function sum(parts: readonly { readonly totals: RangeTotals }[]): RangeTotals {
  const all = { solutions: 0, nodes: 0, bytes: 0 };
  for (const { totals } of parts) {
    all.solutions += totals.solutions;
    all.nodes += totals.nodes;
    all.bytes += totals.bytes;
  }
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
