/** Time for the queue: the machine's, or one that a test moves by hand. */

export interface QueueClock {
  /** Milliseconds since 1970. */
  nowEpochMs(): number;
  /** Calls `run` once when `delayMs` have passed, unless the function that is returned is called before. */
  after(delayMs: number, run: () => void): () => void;
}

/** The machine's clock. */
export const systemClock: QueueClock = {
  nowEpochMs: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
