/** A clock that moves only when it is told to. */
import type { QueueClock } from '../../lib/local/queue/queue-clock.ts';

/** Starts at 2026-01-01T00:00:00Z. */
export class ManualClock implements QueueClock {
  #nowMs = Date.UTC(2026, 0, 1);
  readonly #due = new Set<{ atMs: number; run: () => void }>();

  nowEpochMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, run: () => void): () => void {
    const entry = { atMs: this.#nowMs + delayMs, run };
    this.#due.add(entry);
    return () => this.#due.delete(entry);
  }

  /** Moves on, and runs all that becomes due, in the order in which it does. */
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
