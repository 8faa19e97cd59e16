/** The time of the function in which a step runs. A step works until it is short, and another function continues. */
import { deadlineReserveMs } from '../limits.ts';

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

  /** @param reserveMs left for what follows the work, but at most a fifth of the time. @default 20 s */
  constructor(time: RemainingTime, reserveMs?: number) {
    this.#time = time;
    this.totalMs = time.remainingMs();
    this.#reserveMs = deadlineReserveMs(this.totalMs, reserveMs);
    this.usableMs = this.totalMs - this.#reserveMs;
  }

  /** Whether a step stops, so that there is time for what follows. */
  get isShort(): boolean {
    return this.#time.remainingMs() < this.#reserveMs;
  }
}
