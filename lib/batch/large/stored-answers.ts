/**
 * The answers of functions to the subproblems of searches, for the job that Merge runs: the job is that of one function, but
 * a search that is split takes the stored answers.
 *
 *     part 0    counts of 0, 1, 2      solutions of 0, 0, 2
 *     part 1    counts of 3, 4         solutions of 4 ...          read as a stream, one part at a time
 */
import type { ExactCoverProblem } from '../../exact-cover/problem.ts';
import { type Frontier, frontierSize } from '../../exact-cover/split/frontier.ts';
import type { FoundSolution, SubproblemCounts } from '../../exact-cover/split/split-search.ts';
import type { OpenSubproblems, SubproblemSolver } from '../solving/subproblem-solver.ts';
import type { CoverRange } from './covers.ts';
import type { WorkKeys } from './keys.ts';
import type { LargeStorage } from './large-job.ts';
import { PackedSolutions } from './packed-solutions.ts';
import { SOLUTIONS_FILE, type SubproblemsPart } from './subproblems.ts';

/** Opens the solutions of a part. */
type OpenSolutions = (part: SubproblemsPart) => Promise<PackedSolutions>;

/**
 * Searches are split in the order of the file.
 *
 * @param shards of all problems that are split, in the order of the file
 * @param parts all that they have
 */
export function storedSearches(
  shards: readonly CoverRange[],
  parts: readonly SubproblemsPart[],
  keys: WorkKeys,
  { store, resultsBucket }: LargeStorage,
): SubproblemSolver {
  const problems = shards.filter(({ shard, firstShard }) => shard === firstShard);
  let opened = 0;
  const openSolutions: OpenSolutions = async (part) => {
    const key = keys.partFile(part, SOLUTIONS_FILE);
    const object = await store.get(resultsBucket, key);
    if (object === undefined) throw new Error(`${key} is missing: it was deleted while its job ran`);
    return new PackedSolutions(object.body);
  };
  return {
    /** @throws Error if the plan has another frontier */
    open(_problem: ExactCoverProblem, frontier: Frontier): OpenSubproblems {
      const size = frontierSize(frontier);
      const searched = problems[opened++];
      if (searched?.subproblems !== size) {
        const planned = searched && `problem ${searched.problem}, which has ${searched.subproblems}`;
        throw new Error(
          `a search has ${size} subproblems, but the next one of the plan is ${planned ?? 'none'}`,
        );
      }
      const end = problems[opened]?.shard ?? Number.POSITIVE_INFINITY;
      const answers = parts.filter(({ shard }) => shard >= searched.shard && shard < end);
      return new StoredAnswers(
        answers.map((part) => ({ part, from: shards[part.shard]!.from + part.from })),
        openSolutions,
      );
    },
  };
}

/** A part, and its first subproblem. */
interface PlacedPart {
  readonly part: SubproblemsPart;
  readonly from: number;
}

class StoredAnswers implements OpenSubproblems {
  readonly done: number;
  readonly searchMs: number;
  readonly #parts: readonly PlacedPart[];
  readonly #openSolutions: OpenSolutions;
  /** The part that has the subproblem, or the next one. */
  #part = 0;
  /** The subproblem whose answer is taken, and how many of its solutions are not. */
  #index = -1;
  #left = 0;
  #solutions: PackedSolutions | undefined;
  /** Whether an answer was requested that no part has. */
  #isMissing = false;

  constructor(parts: readonly PlacedPart[], openSolutions: OpenSolutions) {
    this.#parts = parts;
    this.#openSolutions = openSolutions;
    this.done = parts.reduce((sum, { part }) => sum + part.count, 0);
    this.searchMs = parts.reduce((sum, { part }) => sum + part.searchMs, 0);
  }

  take(index: number): FoundSolution | SubproblemCounts | undefined {
    if (index !== this.#index) this.#goTo(index);
    const counts = this.#counts;
    if (counts === undefined) return undefined;
    if (this.#left === 0) return { ...counts, nodes: counts.nodes ?? Number.POSITIVE_INFINITY };
    const solution = this.#solutions?.take();
    if (solution !== undefined) this.#left--;
    return solution;
  }

  /** @throws Error if the answer is missing although no limit of the job was reached before */
  async progress(): Promise<void> {
    const part = this.#parts[this.#part]?.part;
    if (this.#counts === undefined || part === undefined) {
      if (this.#isMissing) throw new Error(`no part has subproblem ${this.#index}: nothing is committed`);
      // The caller compares the work so far with its limits, and rejects the file.
      this.#isMissing = true;
      return;
    }
    this.#solutions ??= await this.#openSolutions(part);
    if (await this.#solutions.read()) return;
    throw new Error(`part ${part.part} of shard ${part.shard} has fewer solutions than it counts`);
  }

  close(): void {
    void this.#solutions?.close();
    this.#solutions = undefined;
  }

  get #counts(): SubproblemsPart['counts'][number] | undefined {
    const placed = this.#parts[this.#part];
    return placed?.part.counts[this.#index - placed.from];
  }

  #goTo(index: number): void {
    if (this.#left > 0) throw new Error(`subproblem ${index} follows one with ${this.#left} solutions left`);
    this.#index = index;
    for (let placed = this.#parts[this.#part]; placed !== undefined; placed = this.#parts[this.#part]) {
      if (placed.from + placed.part.count > index) break;
      this.close();
      this.#part++;
    }
    this.#left = this.#counts?.solutions ?? 0;
  }
}
