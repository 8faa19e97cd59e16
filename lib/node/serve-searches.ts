/** The side of a thread that searches problems, and subproblems of searches. It has one task at a time. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { searchCover } from '../batch/solving/cover-search.ts';
import type { SubproblemSolver } from '../batch/solving/elsewhere.ts';
import type { ProblemRequest } from '../batch/solving/problems-ahead.ts';
import { RecordAnswer } from '../batch/solving/record-search.ts';
import { asError } from '../batch/solving/serve-ranges.ts';
import type { Reply } from '../batch/solving/thread-pool.ts';
import type { DancingLinks } from '../exact-cover/dancing-links.ts';
import type { ExactCoverProblem } from '../exact-cover/problem.ts';
import type { SearchCounts } from '../exact-cover/search.ts';
import { createLinks } from '../exact-cover/split/create-links.ts';
import type { Frontier } from '../exact-cover/split/frontier.ts';
import type { FoundSolution } from '../exact-cover/split/split-search.ts';
import { type SubproblemLimits, subproblemSteps } from '../exact-cover/split/subproblem-search.ts';
import { systemClock } from './system.ts';

/** What the subproblems of a search have in common. */
interface SearchOpening {
  readonly problem: ExactCoverProblem;
  readonly frontier: Frontier;
  readonly limits: SubproblemLimits;
}

export interface SubproblemMessage {
  readonly kind: 'subproblem';
  readonly index: number;
  /** Full batches of solutions that may be sent before more are allowed. */
  readonly batches: number;
  /** Undefined if it is that of the subproblem before. */
  readonly opening: SearchOpening | undefined;
}

export interface ProblemMessage {
  readonly kind: 'problem';
  readonly problem: ExactCoverProblem;
  readonly request: ProblemRequest;
}

export type SearchMessage = { readonly id: number } & (
  | SubproblemMessage
  | ProblemMessage
  /** More batches may be sent. */
  | { readonly kind: 'allow'; readonly batches: number }
  /** The task is no longer wanted. */
  | { readonly kind: 'stop' }
);

/** Solutions in their order. */
export interface SolutionBatch {
  /** Option numbers, solution after solution. */
  readonly options: Int32Array;
  /** By solution: how many options it has. */
  readonly lengths: Int32Array;
  /** By solution: nodes, guesses and updates of the search so far. */
  readonly counts: Float64Array;
}

/** What a thread says about a search. */
export interface SearchKnown {
  /** Of a subproblem: its next solutions; of a problem: all. */
  readonly batch?: SolutionBatch;
  /** Of a subproblem at its end, with the bytes of the thread's links and the clauses that they have learnt. */
  readonly counts?: SearchCounts;
  readonly bytes?: number;
  /** Of a problem. */
  readonly end?: RecordAnswer;
}

/** Options in a batch, at most, and in the solutions of a whole problem. */
const BATCH_OPTIONS = 16_384;
const PROBLEM_BATCHES = 16;

/** The size of a batch: 1 for a full one. */
export function batchSize({ options, lengths }: Pick<SolutionBatch, 'options' | 'lengths'>): number {
  return Math.max(options.length, lengths.length) / BATCH_OPTIONS;
}

/** Solutions that are not sent. */
class Unsent {
  #options: number[] = [];
  #lengths: number[] = [];
  #counts: number[] = [];

  add(options: Int32Array, { nodes, guesses, updates }: Omit<FoundSolution, 'options'>): void {
    for (const option of options) this.#options.push(option);
    this.#lengths.push(options.length);
    this.#counts.push(nodes, guesses, updates);
  }

  /** How many batches they fill. */
  get batches(): number {
    return Math.max(this.#options.length, this.#lengths.length) / BATCH_OPTIONS;
  }

  take(): SolutionBatch {
    const batch = {
      options: Int32Array.from(this.#options),
      lengths: Int32Array.from(this.#lengths),
      counts: Float64Array.from(this.#counts),
    };
    this.#options = [];
    this.#lengths = [];
    this.#counts = [];
    return batch;
  }
}

/** @param send sends what is known of a task */
export function serveSearches(send: (reply: Reply) => void): (message: SearchMessage) => void {
  /** The task, and whether its answer is still wanted. */
  let taskId: number | undefined;
  let isWanted = true;
  /** Batches that may be sent, and the end of the wait for more. */
  let allowed = 0;
  let wake = () => {};
  let opening: SearchOpening | undefined;
  let links: DancingLinks | undefined;

  return (message) => {
    const { kind, id } = message;
    if (kind === 'allow' || kind === 'stop') {
      if (id !== taskId) return;
      if (kind === 'allow') allowed += message.batches;
      else isWanted = false;
      wake();
      return;
    }
    taskId = id;
    isWanted = true;
    const known = kind === 'problem' ? searchProblem(message) : searchSubproblem(message, id);
    known.then(
      (end) => send({ id, isEnd: true, known: end }),
      (error) => send({ id, isEnd: true, error: asError(error) }),
    );
  };

  async function searchSubproblem(message: SubproblemMessage, id: number): Promise<SearchKnown> {
    if (message.opening !== undefined) {
      opening = message.opening;
      links = createLinks(opening.problem, opening.frontier);
    }
    allowed = message.batches;
    const unsent = new Unsent();
    /** The solutions, once they may be sent; undefined if there are none. */
    const allowedBatch = async () => {
      if (unsent.batches === 0) return undefined;
      while (allowed <= 0 && isWanted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      allowed -= unsent.batches;
      return unsent.take();
    };
    const searched = links!;
    const steps = subproblemSteps(searched, opening!.frontier, message.index, opening!.limits);
    for (let next = steps.next(); isWanted; next = steps.next()) {
      if (next.done === true) {
        const batch = await allowedBatch();
        return { ...(batch && { batch }), counts: next.value, bytes: searched.bytes };
      }
      if (next.value === 'solution') unsent.add(searched.selected, searched);
      if (next.value === 'solution' && unsent.batches < 1) continue;
      const batch = await allowedBatch();
      if (batch && isWanted) send({ id, isEnd: false, known: { batch } satisfies SearchKnown });
      // Lets messages be received.
      await nextTurn();
    }
    return {};
  }

  /** Searches a problem to its end, or up to its split: all threads search its subproblems, when its turn has come. */
  async function searchProblem({ problem, request }: ProblemMessage): Promise<SearchKnown> {
    let isSplit = false;
    const subproblems: SubproblemSolver = {
      open() {
        isSplit = true;
        return { done: 0, take: () => undefined, progress: async () => {}, close: () => {} };
      },
    };
    const unsent = new Unsent();
    const end = new RecordAnswer();
    const options = { ...request, clock: systemClock, subproblems };
    for (const step of searchCover(problem, request.limits, end, options)) {
      if (isSplit || unsent.batches > PROBLEM_BATCHES) return {};
      if (step === 'solution') {
        unsent.add(end.options, end);
        continue;
      }
      await nextTurn();
      if (!isWanted) return {};
    }
    return { end, batch: unsent.take() };
  }
}
