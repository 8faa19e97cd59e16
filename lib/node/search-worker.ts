/** Searches subproblems in a worker thread, until none are left. */
import type { DancingLinks } from '../exact-cover/dancing-links.ts';
import { createLinks } from '../exact-cover/split/create-links.ts';
import { frontierSize } from '../exact-cover/split/frontier.ts';
import { searchSubproblem } from '../exact-cover/split/subproblem-search.ts';
import {
  claimSubproblem,
  isStopped,
  type SearchMessage,
  type SolutionBatch,
  type SubproblemMessage,
  waitToSend,
} from './search-message.ts';

/** Options in a batch, at most. */
const BATCH_OPTIONS = 16_384;

/** Searches this thread's share of the subproblems, and sends what it finds. */
export function searchShare(message: SearchMessage, send: (message: SubproblemMessage) => void): void {
  const { id, problem, frontier, limits, control } = message;
  const links = createLinks(problem, frontier);
  const size = frontierSize(frontier);
  for (let index = claimSubproblem(control); index < size; index = claimSubproblem(control)) {
    const batches = new BatchWriter((batch) => {
      if (waitToSend(control, index, batch)) send({ id, kind: 'solutions', index, batch });
    });
    const counts = searchSubproblem(
      links,
      frontier,
      index,
      limits,
      () => batches.add(links),
      () => !isStopped(control),
    );
    if (counts === undefined) return;
    batches.flush();
    send({ id, kind: 'searched', index, counts, bytes: links.bytes });
  }
}

/** Collects solutions into batches. */
class BatchWriter {
  readonly #send: (batch: SolutionBatch) => void;
  #options: number[] = [];
  #lengths: number[] = [];
  #counts: number[] = [];

  constructor(send: (batch: SolutionBatch) => void) {
    this.#send = send;
  }

  /** Adds the solution at which a search paused. */
  add({ selected, selectedCount, nodes, guesses, updates }: DancingLinks): void {
    for (let k = 0; k < selectedCount; k++) this.#options.push(selected[k]!);
    this.#lengths.push(selectedCount);
    this.#counts.push(nodes, guesses, updates);
    if (this.#options.length >= BATCH_OPTIONS || this.#lengths.length >= BATCH_OPTIONS) this.flush();
  }

  flush(): void {
    if (this.#lengths.length === 0) return;
    this.#send({
      options: Int32Array.from(this.#options),
      lengths: Int32Array.from(this.#lengths),
      counts: Float64Array.from(this.#counts),
    });
    this.#options = [];
    this.#lengths = [];
    this.#counts = [];
  }
}
