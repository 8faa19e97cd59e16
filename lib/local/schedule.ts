/**
 * Local EventBridge Scheduler: calls a target at the times of one schedule, and passes it the scheduled time.
 */
import { isDue, parseSchedule, type ScheduleExpression } from '../batch/bulk-run/schedule-expression.ts';
import { systemTimerClock, type TimerClock } from './timer-clock.ts';

const MINUTE_MS = 60_000;
/** Longer waits are split: a Node timer holds at most 24 days. */
const MAX_TIMER_MS = 24 * 3_600_000;

export interface LocalScheduleOptions {
  /** @throws ScheduleError if it is not a schedule */
  readonly expression: string;
  /** @default UTC */
  readonly timeZone?: string;
  /** @param scheduledTime ISO 8601 in UTC, whole seconds */
  readonly fire: (scheduledTime: string) => void;
  /** @default the machine's */
  readonly clock?: TimerClock;
}

/** Fires from construction until `stop`; as in AWS, a rate fires for the first time after one interval. */
export class LocalSchedule {
  readonly #schedule: ScheduleExpression;
  readonly #timeZone: string;
  readonly #fire: (scheduledTime: string) => void;
  readonly #clock: TimerClock;
  #cancelTimer: () => void = () => {};

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
    this.#cancelTimer();
  }

  #waitFor(epochMs: number): void {
    const delayMs = Math.max(0, epochMs - this.#clock.nowEpochMs());
    if (delayMs > MAX_TIMER_MS) {
      this.#cancelTimer = this.#clock.after(MAX_TIMER_MS, () => this.#waitFor(epochMs));
      return;
    }
    this.#cancelTimer = this.#clock.after(delayMs, () => {
      const schedule = this.#schedule;
      if (schedule.kind === 'rate' || isDue(schedule, epochMs, this.#timeZone)) {
        this.#fire(`${new Date(epochMs).toISOString().slice(0, 19)}Z`);
      }
      this.#waitFor(epochMs + (schedule.kind === 'rate' ? schedule.minutes : 1) * MINUTE_MS);
    });
  }
}
