/** Time and timers of the local stack: the system's, or a test's. */

export interface TimerClock {
  /** Milliseconds since 1970, in whole numbers. */
  nowEpochMs(): number;
  /** Calls `run` once after `delayMs`, unless the returned function cancels it first. */
  after(delayMs: number, run: () => void): () => void;
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
