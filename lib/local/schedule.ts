/**
 * EventBridge Scheduler on this machine: calls a target at the times of one schedule, and tells it the time at which it
 * was to fire.
 */
import { isDue, parseSchedule, type ScheduleExpression } from '../batch/bulk-run/schedule-expression.ts';
import { systemTimerClock, type TimerClock } from './timer-clock.ts';

const MINUTE_MS = 60_000;
/** Timers of Node end at 24 days. */
const LONGEST_TIMER_MS = 24 * 3_600_000;

export interface LocalScheduleOptions {
  /** @throws ScheduleError where it is none */
  readonly expression: string;
  /** @default UTC */
  readonly timeZone?: string;
  /** @param scheduledTime ISO 8601 in UTC, whole seconds */
  readonly fire: (scheduledTime: string) => void;
  /** @default the machine's */
  readonly clock?: TimerClock;
}

/** Fires from its construction until `stop`: at a rate for the first time after one interval, as there. */
export class LocalSchedule {
  readonly #schedule: ScheduleExpression;
  readonly #timeZone: string;
  readonly #fire: (scheduledTime: string) => void;
  readonly #clock: TimerClock;
  #stopWaiting: () => void = () => {};

  constructor({ expression, timeZone = 'UTC', fire, clock = systemTimerClock }: LocalScheduleOptions) {
    this.#schedule = parseSchedule(expression);
    this.#timeZone = timeZone;
    this.#fire = fire;
    this.#clock = clock;
    const now = clock.nowEpochMs();
    this.#waitFor(
      this.#schedule.kind === 'rate'
        ? now + this.#schedule.minutes * MINUTE_MS
        : (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS,
    );
  }

  stop(): void {
    this.#stopWaiting();
  }

  #waitFor(epochMs: number): void {
    const delayMs = Math.max(0, epochMs - this.#clock.nowEpochMs());
    if (delayMs > LONGEST_TIMER_MS) {
      this.#stopWaiting = this.#clock.after(LONGEST_TIMER_MS, () => this.#waitFor(epochMs));
      return;
    }
    this.#stopWaiting = this.#clock.after(delayMs, () => {
      const schedule = this.#schedule;
      if (schedule.kind === 'rate' || isDue(schedule, epochMs, this.#timeZone)) {
        this.#fire(`${new Date(epochMs).toISOString().slice(0, 19)}Z`);
      }
      this.#waitFor(epochMs + (schedule.kind === 'rate' ? schedule.minutes : 1) * MINUTE_MS);
    });
  }
}
