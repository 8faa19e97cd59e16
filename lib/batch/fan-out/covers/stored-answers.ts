/**
 * The answers of functions to the subproblems of searches, for the job that Merge runs: the job is that of one function, but
 * a search that is split takes the stored answers.
 *
 *     part 0    counts of 0, 1, 2      solutions of 0, 0, 2
 *     part 1    counts of 3, 4         solutions of 4 ...          read as a stream, one part at a time
 */
import type { ExactCoverProblem } from '../../../exact-cover/problem.ts';
import { type Frontier, frontierSize } from '../../../exact-cover/split/frontier.ts';
import type { FoundSolution, SubproblemCounts } from '../../../exact-cover/split/split-search.ts';
import type { ObjectStore } from '../../ports.ts';
import type { OpenSubproblems, SubproblemSolver } from '../../solving/subproblem-solver.ts';
import type { WorkKeys } from '../work-keys.ts';
import { PackedSolutions } from './packed-solutions.ts';
import { type RangePart, type SearchedProblem, SOLUTIONS_FILE } from './range-part.ts';

/** Opens the solutions of a part. */
type OpenSolutions = (part: RangePart) => Promise<PackedSolutions>;

export class StoredSearches implements SubproblemSolver {
  readonly #problems: readonly SearchedProblem[];
  readonly #openSolutions: OpenSolutions;
  #opened = 0;

  /** @param problems all that are split, in the order of the file: searches are split in this order */
  constructor(
    problems: readonly SearchedProblem[],
    keys: WorkKeys,
    { store, resultsBucket }: { readonly store: ObjectStore; readonly resultsBucket: string },
  ) {
    this.#problems = problems;
    this.#openSolutions = async (part) => {
      const key = keys.partFile(part, SOLUTIONS_FILE);
      const object = await store.get(resultsBucket, key);
      if (object === undefined) throw new Error(`${key} is missing: it was deleted while its job ran`);
      return new PackedSolutions(object.body);
    };
  }

  /** @throws Error if the plan has another frontier */
  open(_problem: ExactCoverProblem, frontier: Frontier): OpenSubproblems {
    const found = frontierSize(frontier);
    const searched = this.#problems[this.#opened++];
    if (searched?.subproblems !== found) {
      const planned = searched && `problem ${searched.problem}, which has ${searched.subproblems}`;
      throw new Error(
        `a search has ${found} subproblems, but the next one of the plan is ${planned ?? 'none'}`,
      );
    }
    return new StoredAnswers(searched.parts, this.#openSolutions);
  }
}

class StoredAnswers implements OpenSubproblems {
  readonly done: number;
  readonly searchMs: number;
  readonly #parts: readonly RangePart[];
  readonly #openSolutions: OpenSolutions;
  /** The part that has the subproblem, or the next one. */
  #part = 0;
  /** The subproblem whose answer is taken, and how many of its solutions are not. */
  #index = -1;
  #left = 0;
  #solutions: PackedSolutions | undefined;
  /** Whether an answer was requested that no part has. */
  #isMissing = false;

  constructor(parts: readonly RangePart[], openSolutions: OpenSolutions) {
    this.#parts = parts;
    this.#openSolutions = openSolutions;
    this.done = parts.reduce((sum, { counts }) => sum + counts.length, 0);
    this.searchMs = parts.reduce((sum, { searchMs }) => sum + searchMs, 0);
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
    const part = this.#parts[this.#part];
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
    this.#closeSolutions();
  }

  get #counts(): RangePart['counts'][number] | undefined {
    const part = this.#parts[this.#part];
    return part?.counts[this.#index - part.from];
  }

  #goTo(index: number): void {
    if (this.#left > 0) throw new Error(`subproblem ${index} follows one with ${this.#left} solutions left`);
    this.#index = index;
    for (; endOf(this.#parts[this.#part]) <= index; this.#part++) this.#closeSolutions();
    this.#left = this.#counts?.solutions ?? 0;
  }

  #closeSolutions(): void {
    void this.#solutions?.close();
    this.#solutions = undefined;
  }
}

function endOf(part: RangePart | undefined): number {
  return part === undefined ? Number.POSITIVE_INFINITY : part.from + part.counts.length;
}
