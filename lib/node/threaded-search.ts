/** The answers of threads to the subproblems of a search, joined in their order. */
import type { OpenSubproblems } from '../batch/solving/subproblem-solver.ts';
import type { FoundSolution, SubproblemCounts } from '../exact-cover/split/split-search.ts';
import {
  batchBytes,
  batchJoined,
  createSearchControl,
  joinsNext,
  type SolutionBatch,
  type SubproblemMessage,
  stopSearch,
} from './search-message.ts';

/** Maximum time of a wait for an answer, so that deadlines are seen. */
const WAIT_MS = 50;

/** A batch that is being joined. */
interface Joining {
  readonly batch: SolutionBatch;
  /** The next solution, and its first option. */
  solution: number;
  option: number;
}

export class ThreadedSearch implements OpenSubproblems {
  readonly id: number;
  readonly control: Int32Array;
  done = 0;
  /** By subproblem: batches that are not joined yet, and counts once they are known. */
  readonly #batches: SolutionBatch[][] = [];
  readonly #counts: (SubproblemCounts | undefined)[] = [];
  readonly #onClose: () => void;
  /** Most bytes of the links and the frontier of a thread, and the number of threads; 0 before they search. */
  #linkBytes = 0;
  #frontierBytes = 0;
  #threads = 0;
  /** Bytes of batches that are received and not joined, and the most so far. */
  #waitingBytes = 0;
  #mostWaiting = 0;
  #joining: Joining | undefined;
  #error: Error | undefined;
  #wake = () => {};

  constructor(id: number, maxBytes: number, onClose: () => void) {
    this.id = id;
    this.control = createSearchControl(maxBytes);
    this.#onClose = onClose;
  }

  /** @param linkBytes of each thread, without learned clauses */
  shared(threads: number, linkBytes: number, frontierBytes: number): void {
    this.#threads = threads;
    this.#linkBytes = Math.max(this.#linkBytes, linkBytes);
    this.#frontierBytes = frontierBytes;
  }

  /** Each thread has its own links and a copy of the frontier; as if all had learnt as many clauses as the one with the most. */
  get bytes(): number {
    return this.#threads * (this.#linkBytes + this.#frontierBytes) + this.#mostWaiting;
  }

  take(index: number): FoundSolution | SubproblemCounts | undefined {
    return this.takeSolution(index) ?? this.#counts[index];
  }

  takeSolution(index: number): FoundSolution | undefined {
    if (this.#error !== undefined) throw this.#error;
    this.#joining ??= nextBatch(this.#batches[index]);
    joinsNext(this.control, index, this.#joining === undefined);
    return this.#joining && this.#takeSolution(this.#joining);
  }

  progress(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, WAIT_MS);
    this.#wake = () => {
      clearTimeout(timer);
      resolve();
    };
    return promise;
  }

  close(): void {
    stopSearch(this.control);
    this.#onClose();
  }

  receive(message: SubproblemMessage): void {
    if (message.kind === 'failed') this.#error ??= message.error;
    else if (message.kind === 'solutions') {
      this.#batches[message.index] ??= [];
      this.#batches[message.index]!.push(message.batch);
      this.#waitingBytes += batchBytes(message.batch);
      this.#mostWaiting = Math.max(this.#mostWaiting, this.#waitingBytes);
    } else if (message.kind === 'searched') {
      this.#linkBytes = Math.max(this.#linkBytes, message.bytes);
      this.#counts[message.index] = message.counts;
      this.done++;
    }
    this.#wake();
  }

  fail(error: Error): void {
    this.#error ??= error;
    this.#wake();
  }

  #takeSolution(joining: Joining): FoundSolution {
    const { batch, solution, option } = joining;
    const { options, lengths, counts } = batch;
    const end = option + lengths[solution]!;
    joining.option = end;
    joining.solution++;
    if (joining.solution === lengths.length) {
      this.#joining = undefined;
      this.#waitingBytes -= batchBytes(batch);
      batchJoined(this.control, batch);
    }
    const [nodes, guesses, updates] = counts.subarray(3 * solution, 3 * solution + 3);
    return {
      options: options.subarray(option, end),
      nodes: nodes!,
      guesses: guesses!,
      updates: updates!,
    };
  }
}

function nextBatch(batches: SolutionBatch[] | undefined): Joining | undefined {
  const batch = batches?.shift();
  return batch && { batch, solution: 0, option: 0 };
}
