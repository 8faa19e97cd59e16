/**
 * Searches one range of the subproblems of a search, in one or more parts.
 *
 *     function 1    search up to the split (0.2 s) | subproblem 16 | 17 | 18      part 0: their counts and solutions
 *     function 2    the same                       | subproblem 19 | 20 ...       part 1
 *
 * Each function finds the same frontier, as it depends on the problem alone. A subproblem is never continued by another
 * function. A part ends after a minute, so that other ranges and users soon see its counts.
 *
 * A range ends early once it and the ranges before it have found all solutions wanted, or spent the budget of nodes: Merge
 * takes no answer after that. As in other large jobs, the first attempt to store a part decides.
 */

import type { DancingLinks } from '../../../exact-cover/dancing-links.ts';
import type { ExactCoverProblem } from '../../../exact-cover/problem.ts';
import { createLinks } from '../../../exact-cover/split/create-links.ts';
import { type Frontier, frontierSize } from '../../../exact-cover/split/frontier.ts';
import type { SplitRule, SubproblemCounts } from '../../../exact-cover/split/split-search.ts';
import { type SubproblemLimits, subproblemSteps } from '../../../exact-cover/split/subproblem-search.ts';
import { ByteBuffer } from '../../../formats/bytes/byte-buffer.ts';
import { DEFAULT_JOB_LIMITS, type JobLimits, maxJobNodes } from '../../job-limits.ts';
import { deadlineReserveMs } from '../../limits.ts';
import { optionsFromCanonical, type SolveOptions } from '../../options.ts';
import type { FileWriter, RandomIds } from '../../ports.ts';
import type { RuntimeInfo } from '../../results/statistics.ts';
import { putIfAbsent } from '../../storage/put-if-absent.ts';
import { readJson } from '../../storage/read-json.ts';
import type { CoverPlan } from '../shard-plan.ts';
import type { Cursor, StepProgress } from '../steps.ts';
import type { WorkKeys } from '../work-keys.ts';
import { type CoverReading, coverProblems } from './cover-problems.ts';
import type { CoverRange } from './cover-ranges.ts';
import { packedBytes, packSolution, WRITTEN_PART } from './packed-solutions.ts';
import {
  addTotals,
  NO_TOTALS,
  type RangePart,
  type RangeTotals,
  SOLUTIONS_FILE,
  totalsBefore,
} from './range-part.ts';
import { searchFrontier } from './search-frontier.ts';

export interface RangeDependencies extends CoverReading {
  readonly resultsBucket: string;
  readonly ids: RandomIds;
  readonly runtime: RuntimeInfo;
  /** @default the limits for which no operator has set others */
  readonly jobLimits?: JobLimits;
  /** When a search is split: for tests. */
  readonly splitRule?: SplitRule;
  /** Milliseconds until this process is stopped. */
  remainingMs(): number;
}

/** No subproblem is begun after this time, or after this part of the time of the function. */
const PART_MS = 60_000;
const PART_SHARE = 1 / 2;

/** Bytes of solutions before a write. */
const WRITE_BYTES = 256 * 1024;

/** What is left of what is wanted. */
interface Limits extends SubproblemLimits {
  /** Of packed solutions, if they are two or more. */
  readonly maxBytes: number;
}

/** Where a range continues. */
interface RangeCursor {
  readonly part: number;
  /** The next subproblem. */
  readonly from: number;
  readonly totals: RangeTotals;
}

export async function searchRange(
  plan: CoverPlan,
  keys: WorkKeys,
  range: CoverRange,
  cursor: Cursor,
  dependencies: RangeDependencies,
): Promise<StepProgress> {
  const start: RangeCursor = { part: 0, from: range.from, totals: NO_TOTALS };
  const place = (cursor ?? start) as RangeCursor;
  const { store, resultsBucket } = dependencies;
  // An earlier attempt may have stored its result.
  const stored = await readJson<RangePart>(store, resultsBucket, keys.part(range.shard, place.part));
  const part = stored?.document ?? (await new PartSearch(plan, keys, range, place, dependencies).run());
  if (part.last) return { done: true, cursor: null };
  const from = part.from + part.counts.length;
  return { done: false, cursor: { part: place.part + 1, from, totals: part.totals } };
}

class PartSearch {
  readonly #plan: CoverPlan;
  readonly #keys: WorkKeys;
  readonly #range: CoverRange;
  readonly #place: RangeCursor;
  readonly #dependencies: RangeDependencies;
  readonly #options: SolveOptions;
  readonly #attemptId: string;
  readonly #startMs: number;
  readonly #timeMs: number;
  readonly #counts: SubproblemCounts[] = [];
  #searchMs = 0;
  #totals: RangeTotals;
  #file: FileWriter | undefined;
  readonly #out = new ByteBuffer(WRITE_BYTES);

  constructor(
    plan: CoverPlan,
    keys: WorkKeys,
    range: CoverRange,
    place: RangeCursor,
    dependencies: RangeDependencies,
  ) {
    this.#plan = plan;
    this.#keys = keys;
    this.#range = range;
    this.#place = place;
    this.#dependencies = dependencies;
    this.#options = optionsFromCanonical(plan.options);
    this.#attemptId = dependencies.ids.next();
    this.#totals = place.totals;
    const timeMs = dependencies.remainingMs();
    this.#timeMs = timeMs - deadlineReserveMs(timeMs);
    this.#startMs = dependencies.clock.monotonicMs();
  }

  /** @returns the stored part: that of another attempt if it was stored first */
  async run(): Promise<RangePart> {
    const { store, resultsBucket, runtime } = this.#dependencies;
    const { shard } = this.#range;
    const { part, from } = this.#place;
    let last: boolean;
    try {
      const before = await totalsBefore(this.#range, this.#keys, this.#dependencies);
      last = this.#limitsAfter(before) === undefined || (await this.#search(before));
      const hasSolutions = this.#counts.some(({ solutions }) => solutions > 0);
      if (hasSolutions) await this.#flush();
      await (hasSolutions ? this.#file?.close() : this.#file?.abort());
    } catch (error) {
      await this.#file?.abort();
      throw error;
    }
    const result: RangePart = {
      shard,
      part,
      attemptId: this.#attemptId,
      from,
      counts: this.#counts.map((counts) => ({
        ...counts,
        nodes: Number.isFinite(counts.nodes) ? counts.nodes : null,
      })),
      totals: this.#totals,
      last,
      wallMs: this.#elapsedMs,
      searchMs: this.#searchMs,
      memoryMb: runtime.memoryMb,
    };
    return putIfAbsent(store, resultsBucket, this.#keys.part(shard, part), result);
  }

  get #elapsedMs(): number {
    return this.#dependencies.clock.monotonicMs() - this.#startMs;
  }

  async #readProblem(): Promise<ExactCoverProblem> {
    const { problem: index } = this.#range;
    for await (const { cover } of coverProblems(this.#plan, index, this.#dependencies)) {
      if (cover !== undefined) return cover.problem;
      break;
    }
    throw new Error(`problem ${index} cannot be read: the object changed after it was planned`);
  }

  #frontierOf(problem: ExactCoverProblem): Frontier {
    const { frontier } = searchFrontier(problem, this.#options, this.#dependencies.splitRule);
    const { problem: index, subproblems } = this.#range;
    const found = frontier === undefined ? 0 : frontierSize(frontier);
    if (frontier !== undefined && found === subproblems) return frontier;
    throw new Error(`problem ${index} has ${found} subproblems, but its plan has ${subproblems}`);
  }

  /** What is left after the ranges before this one; undefined if no more is needed. */
  #limitsAfter(before: RangeTotals): Limits | undefined {
    const { solutions, maxNodes } = this.#options;
    const { jobLimits = DEFAULT_JOB_LIMITS } = this.#dependencies;
    const known = addTotals(before, this.#totals);
    const maxSolutions = solutions - known.solutions;
    const nodes = Math.min(maxNodes, maxJobNodes(jobLimits, this.#plan.source.bytes)) - known.nodes;
    const maxBytes = jobLimits.writtenCells / WRITTEN_PART - known.bytes;
    const isWritten = maxBytes <= 0 && known.solutions > 1;
    if (maxSolutions <= 0 || nodes <= 0 || isWritten) return undefined;
    return { maxSolutions, maxNodes: nodes, each: true, maxBytes };
  }

  /**
   * Searches subproblems until the range ends, no more are needed, or the time runs out.
   *
   * @returns whether it is the last part of the range
   * @throws Error if a single subproblem exceeds the time of a function
   */
  async #search(before: RangeTotals): Promise<boolean> {
    const problem = await this.#readProblem();
    const frontier = this.#frontierOf(problem);
    const links = createLinks(problem, frontier);
    const { shard, to, problem: number } = this.#range;
    const lastStartMs = Math.min(PART_MS, this.#timeMs * PART_SHARE);
    for (let index = this.#place.from; index < to; index++) {
      const startMs = this.#elapsedMs;
      if (this.#counts.length > 0 && startMs > lastStartMs) return false;
      const limits = this.#limitsAfter(before);
      if (limits === undefined) return true;
      const counts = await this.#searchOne(links, frontier, index, limits);
      this.#searchMs += this.#elapsedMs - startMs;
      if (counts === undefined) {
        if (this.#counts.length > 0) return false;
        throw new Error(
          `shard ${shard}: subproblem ${index} of problem ${number} exceeds the time of one function; ` +
            'lower max-nodes or solutions, or solve the file with the command-line tool',
        );
      }
      this.#counts.push(counts);
      // Its search has reached a limit.
      if (!Number.isFinite(counts.nodes)) return true;
      const { solutions, nodes } = counts;
      this.#totals = addTotals(this.#totals, { solutions, nodes, bytes: 0 });
    }
    return true;
  }

  /** @returns its counts; undefined if the time ran out */
  async #searchOne(
    links: DancingLinks,
    frontier: Frontier,
    index: number,
    limits: Limits,
  ): Promise<SubproblemCounts | undefined> {
    const steps = subproblemSteps(links, frontier, index, limits);
    let bytes = 0;
    while (this.#elapsedMs < this.#timeMs) {
      const step = steps.next();
      if (step.done === true) {
        this.#totals = addTotals(this.#totals, { ...NO_TOTALS, bytes });
        return step.value;
      }
      if (step.value === 'slice') continue;
      packSolution(this.#out, links);
      bytes += packedBytes(links.selectedCount);
      if (this.#out.length >= WRITE_BYTES) await this.#flush();
      const { solutions, guesses, updates } = links;
      if (bytes >= limits.maxBytes && this.#totals.solutions + solutions > 1) {
        this.#totals = addTotals(this.#totals, { ...NO_TOTALS, bytes });
        return { solutions, guesses, updates, nodes: Number.POSITIVE_INFINITY };
      }
    }
    return undefined;
  }

  async #flush(): Promise<void> {
    if (this.#out.length === 0) return;
    const { store, resultsBucket } = this.#dependencies;
    const { shard } = this.#range;
    const place = { shard, part: this.#place.part, attemptId: this.#attemptId };
    const key = this.#keys.partFile(place, SOLUTIONS_FILE);
    this.#file ??= store.writer(resultsBucket, key, 'application/octet-stream');
    await this.#file.write(this.#out.take());
  }
}
