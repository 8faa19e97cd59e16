/** Time and timers of the local stack: the system's, or a test's. */

export interface TimerClock {
  /** Milliseconds since 1970, in whole numbers. */
  nowEpochMs(): number;
  /** Calls `run` once after `delayMs`, unless the returned function cancels it first. */
  after(delayMs: number, run: () => void): () => void;
  /**
   * Advances to the next timer and runs it; returns false if there is none. Clocks that cannot skip omit it.
   */
  skip?(): boolean;
}

/** `setTimeout` runs a longer timer at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

function after(delayMs: number, run: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (restMs: number) => {
    const ms = Math.min(restMs, MAX_TIMEOUT_MS);
    timer = setTimeout(() => (restMs > ms ? wait(restMs - ms) : run()), ms);
  };
  wait(delayMs);
  return () => clearTimeout(timer);
}

const startEpochMs = Date.now() - performance.now();

/** Time from the start of the process on: it never jumps if the system's time is set, as durations need it. */
function steadyEpochMs(): number {
  return Math.floor(startEpochMs + performance.now());
}

/** For durations, such as visibility timeouts. */
export const systemTimerClock: TimerClock = { nowEpochMs: steadyEpochMs, after };

/** For times of day: it jumps if the system's time is set. */
export const wallTimerClock: TimerClock = { nowEpochMs: () => Date.now(), after };

interface Timer {
  readonly dueEpochMs: number;
  readonly run: () => void;
  cancel: () => void;
}

/** The clock for durations plus the skipped time. */
export class SkippingTimerClock implements TimerClock {
  readonly #timers = new Set<Timer>();
  #aheadMs = 0;

  nowEpochMs(): number {
    return steadyEpochMs() + this.#aheadMs;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer: Timer = {
      dueEpochMs: this.nowEpochMs() + delayMs,
      run,
      cancel: after(delayMs, () => this.#run(timer)),
    };
    this.#timers.add(timer);
    return () => this.#stop(timer);
  }

  skip(): boolean {
    const [next] = [...this.#timers].sort((a, b) => a.dueEpochMs - b.dueEpochMs);
    if (next === undefined) return false;
    this.#aheadMs += Math.max(0, next.dueEpochMs - this.nowEpochMs());
    for (const timer of this.#timers) {
      timer.cancel();
      timer.cancel = after(Math.max(0, timer.dueEpochMs - this.nowEpochMs()), () => this.#run(timer));
    }
    this.#run(next);
    return true;
  }

  #run(timer: Timer): void {
    this.#stop(timer);
    timer.run();
  }

  #stop(timer: Timer): void {
    timer.cancel();
    this.#timers.delete(timer);
  }
}
