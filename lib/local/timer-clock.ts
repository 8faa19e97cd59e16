/** Time for the queue: the machine's, or one that a test moves by hand. */

export interface TimerClock {
  /** Milliseconds since 1970. */
  nowEpochMs(): number;
  /** Calls `run` once when `delayMs` have passed, unless the function that is returned is called before. */
  after(delayMs: number, run: () => void): () => void;
  /**
   * Moves on to the time of what is due next, and runs it; false if nothing is to come. A clock without it leaves the
   * waiting to its users.
   */
  skip?(): boolean;
}

/** The machine's clock. */
export const systemTimerClock: TimerClock = {
  nowEpochMs: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

interface Timer {
  readonly dueEpochMs: number;
  readonly run: () => void;
  handle: NodeJS.Timeout;
}

/** The machine's clock, and ahead of it by all that was skipped. */
export class SkippingTimerClock implements TimerClock {
  readonly #timers = new Set<Timer>();
  #aheadMs = 0;

  nowEpochMs(): number {
    return Date.now() + this.#aheadMs;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer: Timer = {
      dueEpochMs: this.nowEpochMs() + delayMs,
      run,
      handle: setTimeout(() => this.#run(timer), delayMs),
    };
    this.#timers.add(timer);
    return () => this.#stop(timer);
  }

  skip(): boolean {
    const [next] = [...this.#timers].sort((a, b) => a.dueEpochMs - b.dueEpochMs);
    if (next === undefined) return false;
    this.#aheadMs += Math.max(0, next.dueEpochMs - this.nowEpochMs());
    for (const timer of this.#timers) {
      clearTimeout(timer.handle);
      timer.handle = setTimeout(() => this.#run(timer), timer.dueEpochMs - this.nowEpochMs());
    }
    this.#run(next);
    return true;
  }

  #run(timer: Timer): void {
    this.#stop(timer);
    timer.run();
  }

  #stop(timer: Timer): void {
    clearTimeout(timer.handle);
    this.#timers.delete(timer);
  }
}
