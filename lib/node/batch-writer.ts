/** Collects the solutions that a thread has found into batches. */
import type { SolutionBatch } from './search-message.ts';

/** Options in a batch, at most. */
const BATCH_OPTIONS = 16_384;

/** A search that has paused at a solution. */
export interface FoundHere {
  /** The options: the first `selectedCount`. */
  readonly selected: Int32Array;
  readonly selectedCount: number;
  readonly nodes: number;
  readonly guesses: number;
  readonly updates: number;
}

export class BatchWriter {
  readonly #send: (batch: SolutionBatch) => void;
  #options: number[] = [];
  #lengths: number[] = [];
  #counts: number[] = [];

  constructor(send: (batch: SolutionBatch) => void) {
    this.#send = send;
  }

  add({ selected, selectedCount, nodes, guesses, updates }: FoundHere): void {
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
