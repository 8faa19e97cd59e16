/** A clock that only the test advances. */
import type { TimerClock } from '../../lib/local/timer-clock.ts';

/** Starts at 2026-01-01T00:00:00Z. */
export class ManualClock implements TimerClock {
  #nowMs = Date.UTC(2026, 0, 1);
  readonly #due = new Set<{ atMs: number; run: () => void }>();

  /** How far its time of day was set forward, while its timers run on. */
  aheadMs = 0;

  nowEpochMs(): number {
    return this.#nowMs + this.aheadMs;
  }

  after(delayMs: number, run: () => void): () => void {
    const entry = { atMs: this.#nowMs + delayMs, run };
    this.#due.add(entry);
    return () => this.#due.delete(entry);
  }

  /** Advances, and runs the due timers in the order of their times. */
  advance(byMs: number): void {
    const untilMs = this.#nowMs + byMs;
    for (;;) {
      const next = [...this.#due].filter((entry) => entry.atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined) break;
      this.#due.delete(next);
      this.#nowMs = next.atMs;
      next.run();
    }
    this.#nowMs = untilMs;
  }
}
