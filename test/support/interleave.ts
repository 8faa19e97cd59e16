/** Two processes over the same storage, one call at a time, in an order that the test sets. */
import type { CallHooks } from './memory-store.ts';

/** 0 or 1: whose call comes next. */
export type Turn = 0 | 1;

/**
 * Runs two processes until both have ended. Each turn lets one process continue to its next storage call, or the other
 * process if that one has ended. After the last turn the first process runs to its end, then the second.
 *
 * @param start starts a process whose store has these hooks
 */
export async function interleave<Result>(
  turns: readonly Turn[],
  start: readonly [(hooks: CallHooks) => Promise<Result>, (hooks: CallHooks) => Promise<Result>],
): Promise<PromiseSettledResult<Result>[]> {
  const lanes = start.map((startOne) => new Lane(startOne));
  for (const lane of lanes) await lane.stop;
  for (let step = 0; lanes.some(({ ended }) => !ended); step++) {
    const turn = lanes[turns[step] ?? 0]!;
    await (turn.ended ? lanes.find(({ ended }) => !ended)! : turn).move();
  }
  return Promise.allSettled(lanes.map(({ result }) => result));
}

class Lane<Result> {
  readonly result: Promise<Result>;
  ended = false;
  /** Resolves when the process waits for its turn, or has ended. */
  stop: Promise<void>;
  #stopped: () => void = () => {};
  #go: () => void = () => {};

  constructor(start: (hooks: CallHooks) => Promise<Result>) {
    this.stop = this.#nextStop();
    this.result = start({
      before: () =>
        new Promise((resolve) => {
          this.#go = () => resolve(undefined);
          this.#stopped();
        }),
    });
    const end = () => {
      this.ended = true;
      this.#stopped();
    };
    this.result.then(end, end);
  }

  /** Executes one call, and continues to the next. */
  async move(): Promise<void> {
    this.stop = this.#nextStop();
    this.#go();
    await this.stop;
  }

  #nextStop(): Promise<void> {
    return new Promise((resolve) => {
      this.#stopped = resolve;
    });
  }
}
