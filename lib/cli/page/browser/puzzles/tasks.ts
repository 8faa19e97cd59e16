/**
 * Work that would block the page: ratings and generated puzzles, on one thread of its own (`task-worker.ts`).
 *
 *     page -> { id, task }             worker -> { id, value } for each value, then { id, isLast: true }
 */
import type { GeneratedPuzzle, GenerateOptions } from '../../../../api/generate.ts';
import type { PuzzleOptions } from '../../../../api/puzzle.ts';
import type { Grade, RateResult } from '../../../../api/rate.ts';

export type RateTask = { readonly kind: 'rate'; readonly puzzle: string; readonly options: PuzzleOptions };
export type GenerateTask = {
  readonly kind: 'generate';
  readonly count: number;
  /** @default any */
  readonly grade?: Grade;
  readonly options: GenerateOptions;
};

export interface TaskMessage {
  readonly id: number;
  readonly task: RateTask | GenerateTask;
}

export interface TaskReply {
  readonly id: number;
  readonly value?: RateResult | GeneratedPuzzle;
  readonly isLast?: boolean;
  /** The message of an error, which ends the task. */
  readonly error?: string;
}

export class Tasks {
  readonly #createWorker: () => Worker;
  readonly #receivers = new Map<number, (reply: TaskReply) => void>();
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(createWorker: () => Worker) {
    this.#createWorker = createWorker;
  }

  /** @returns undefined if the tasks are stopped first */
  async rate(puzzle: string, options: PuzzleOptions): Promise<RateResult | undefined> {
    let rated: RateResult | undefined;
    await this.#run({ kind: 'rate', puzzle, options }, (value) => {
      rated = value as RateResult;
    });
    return rated;
  }

  /** @throws Error if there is no such puzzle */
  generate(task: Omit<GenerateTask, 'kind'>, onPuzzle: (puzzle: GeneratedPuzzle) => void): Promise<void> {
    return this.#run({ kind: 'generate', ...task }, (value) => onPuzzle(value as GeneratedPuzzle));
  }

  /** Ends all tasks, also one in the middle of a search. */
  stop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const [id, receive] of this.#receivers) receive({ id, isLast: true });
  }

  #run(task: TaskMessage['task'], onValue: (value: TaskReply['value']) => void): Promise<void> {
    this.#worker ??= this.#start();
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#receivers.set(id, ({ value, isLast, error }) => {
      if (value !== undefined) onValue(value);
      if (isLast === true || error !== undefined) this.#receivers.delete(id);
      if (error !== undefined) reject(new Error(error));
      else if (isLast === true) resolve();
    });
    this.#worker.postMessage({ id, task } satisfies TaskMessage);
    return promise;
  }

  #start(): Worker {
    const worker = this.#createWorker();
    worker.addEventListener('message', ({ data }: MessageEvent<TaskReply>) => {
      this.#receivers.get(data.id)?.(data);
    });
    worker.addEventListener('error', ({ message }) => {
      for (const [id, receive] of this.#receivers) receive({ id, error: `a thread has failed: ${message}` });
    });
    return worker;
  }
}
