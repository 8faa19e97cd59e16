/** The side of a thread that searches problems, and subproblems of searches. It has one task at a time. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { searchCover } from '../batch/solving/cover-search.ts';
import type { ProblemEnd, ProblemRequest, ProblemSplit } from '../batch/solving/problem-solver.ts';
import { RecordAnswer, type SearchCounts } from '../batch/solving/record-search.ts';
import { asError } from '../batch/solving/serve-ranges.ts';
import type { SubproblemSolver } from '../batch/solving/subproblem-solver.ts';
import type { Reply } from '../batch/solving/thread-pool.ts';
import type { DancingLinks } from '../exact-cover/dancing-links.ts';
import type { ExactCoverProblem } from '../exact-cover/problem.ts';
import { createLinks } from '../exact-cover/split/create-links.ts';
import type { Frontier } from '../exact-cover/split/frontier.ts';
import { type SubproblemLimits, subproblemSteps } from '../exact-cover/split/subproblem-search.ts';
import { systemClock } from './system.ts';

/** What the subproblems of a search have in common. */
export interface SearchOpening {
  readonly problem: ExactCoverProblem;
  readonly frontier: Frontier;
  readonly limits: SubproblemLimits;
}

interface SubproblemMessage {
  readonly id: number;
  readonly kind: 'subproblem';
  readonly index: number;
  /** Full batches of solutions that may be sent before more are allowed. */
  readonly batches: number;
  /** Undefined if it is that of the subproblem before. */
  readonly opening: SearchOpening | undefined;
}

interface ProblemMessage {
  readonly id: number;
  readonly kind: 'problem';
  readonly problem: ExactCoverProblem;
  readonly request: ProblemRequest;
  readonly batches: number;
}

export type SearchMessage =
  | SubproblemMessage
  | ProblemMessage
  /** More batches may be sent. */
  | { readonly id: number; readonly kind: 'allow'; readonly batches: number }
  /** The task is no longer wanted. */
  | { readonly id: number; readonly kind: 'stop' };

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
  readonly batch?: SolutionBatch;
  /** Of a subproblem at its end, or of a problem so far. */
  readonly counts?: SearchCounts;
  /** Of the thread's links, with the clauses that a subproblem has learnt. */
  readonly bytes?: number;
  readonly end?: ProblemEnd;
  readonly split?: ProblemSplit;
}

/** Options in a batch, at most. */
const BATCH_OPTIONS = 16_384;

/** A search that has paused at a solution. */
interface FoundHere {
  readonly nodes: number;
  readonly guesses: number;
  readonly updates: number;
}

/** A task, and the solutions that it has not sent. */
class SearchTask {
  readonly id: number;
  isStopped = false;
  wake = () => {};
  readonly #send: (reply: Reply) => void;
  #allowed: number;
  #options: number[] = [];
  #lengths: number[] = [];
  #counts: number[] = [];

  constructor({ id, batches }: SubproblemMessage | ProblemMessage, send: (reply: Reply) => void) {
    this.id = id;
    this.#allowed = batches;
    this.#send = send;
  }

  allow(batches: number): void {
    this.#allowed += batches;
    this.wake();
  }

  add(options: Int32Array, { nodes, guesses, updates }: FoundHere): void {
    for (const option of options) this.#options.push(option);
    this.#lengths.push(options.length);
    this.#counts.push(nodes, guesses, updates);
  }

  get isFull(): boolean {
    return Math.max(this.#options.length, this.#lengths.length) >= BATCH_OPTIONS;
  }

  /** Sends the solutions, once that is allowed. */
  async flush(): Promise<void> {
    while (this.#allowed <= 0 && this.#lengths.length > 0 && !this.isStopped) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    if (this.#lengths.length === 0 || this.isStopped) return;
    const batch = {
      options: Int32Array.from(this.#options),
      lengths: Int32Array.from(this.#lengths),
      counts: Float64Array.from(this.#counts),
    };
    this.#allowed -= batchSize(batch);
    this.#options = [];
    this.#lengths = [];
    this.#counts = [];
    this.say({ batch });
  }

  say(known: SearchKnown): void {
    this.#send({ id: this.id, isEnd: false, known });
  }
}

/** The size of a batch: 1 for a full one. */
export function batchSize({ options, lengths }: SolutionBatch): number {
  return Math.max(options.length, lengths.length) / BATCH_OPTIONS;
}

/** @param send sends what is known of a task */
export function serveSearches(send: (reply: Reply) => void): (message: SearchMessage) => void {
  let task: SearchTask | undefined;
  let opening: SearchOpening | undefined;
  let links: DancingLinks | undefined;
  return (message) => {
    const { kind, id } = message;
    if (kind === 'allow') {
      if (task?.id === id) task.allow(message.batches);
    } else if (kind === 'stop') {
      if (task?.id !== id) return;
      task.isStopped = true;
      task.wake();
    } else {
      task = new SearchTask(message, send);
      const known = kind === 'problem' ? searchProblem(message, task) : searchSubproblem(message, task);
      known.then(
        (end) => send({ id, isEnd: true, known: end }),
        (error) => send({ id, isEnd: true, error: asError(error) }),
      );
    }
  };

  async function searchSubproblem(message: SubproblemMessage, own: SearchTask): Promise<SearchKnown> {
    if (message.opening !== undefined) {
      opening = message.opening;
      links = createLinks(opening.problem, opening.frontier);
    }
    const { frontier, limits } = opening!;
    const searched = links!;
    const steps = subproblemSteps(searched, frontier, message.index, limits);
    for (let next = steps.next(); !own.isStopped; next = steps.next()) {
      if (next.done === true) {
        await own.flush();
        return { counts: next.value, bytes: searched.bytes };
      }
      if (next.value === 'solution') own.add(searched.selected.subarray(0, searched.selectedCount), searched);
      await betweenSteps(own, next.value);
    }
    return {};
  }
}

async function searchProblem({ problem, request }: ProblemMessage, task: SearchTask): Promise<SearchKnown> {
  const { limits, counting, checkAll, splitRule } = request;
  let frontier: Frontier | undefined;
  // Its subproblems are searched by all threads.
  const subproblems: SubproblemSolver = {
    open(_problem, found) {
      frontier = found;
      return { done: 0, take: () => undefined, progress: async () => {}, close: () => {} };
    },
  };
  const answer = new RecordAnswer();
  const options = { clock: systemClock, counting, checkAll, splitRule, subproblems };
  for (const step of searchCover(problem, limits, answer, options)) {
    if (task.isStopped) return {};
    const { solutions, nodes, guesses, updates, countBytes, solveUs } = answer;
    const counts = { solutions, nodes, guesses, updates };
    if (frontier !== undefined) {
      await task.flush();
      return { split: { frontier, counts, countBytes, solveUs } };
    }
    if (step === 'solution') task.add(answer.options, answer);
    else task.say({ counts });
    await betweenSteps(task, step === 'solution' ? step : 'slice');
  }
  await task.flush();
  const { options: _options, subproblems: _subproblems, ...end } = answer;
  return { end };
}

/** Sends solutions, and lets messages be received. */
async function betweenSteps(task: SearchTask, step: 'solution' | 'slice'): Promise<void> {
  if (step === 'solution' && !task.isFull) return;
  await task.flush();
  await nextTurn();
}
