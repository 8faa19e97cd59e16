/** The time of the function in which a step runs. A step works until it is short, and another function continues. */
import { DEADLINE_RESERVE_MS } from '../limits.ts';

/** Milliseconds until this process is stopped. */
export interface RemainingTime {
  remainingMs(): number;
}

export class FunctionTime {
  /** Milliseconds at the beginning; and those that the step may use. */
  readonly totalMs: number;
  readonly usableMs: number;
  readonly #reserveMs: number;
  readonly #time: RemainingTime;

  constructor(time: RemainingTime) {
    this.#time = time;
    this.totalMs = time.remainingMs();
    // At most a fifth of the time is left for what follows the work.
    this.#reserveMs = Math.min(DEADLINE_RESERVE_MS, this.totalMs / 5);
    this.usableMs = this.totalMs - this.#reserveMs;
  }

  /** Whether a step stops, so that there is time for what follows. */
  get isShort(): boolean {
    return this.#time.remainingMs() < this.#reserveMs;
  }
}
