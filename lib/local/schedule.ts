/**
 * Local EventBridge Scheduler: calls a target at the times of one schedule, and passes it the scheduled time.
 */
import { dueTest, parseSchedule } from '../batch/bulk-run/schedule-expression.ts';
import { type TimerClock, wallTimerClock } from './timer-clock.ts';

const MINUTE_MS = 60_000;
/** A timer may run this much before the time of day that it waits for. */
const MAX_TIMER_ERROR_MS = 500;
/** Minutes that pass again, because the system's time was set back by less than an hour, are not due again. */
const MAX_REPEATED_MINUTES = 60;
/** After a suspension or a change of the time by less than a day, the last due minute that was skipped is due. */
const MAX_SKIPPED_MINUTES = 24 * 60 - 1;

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
  readonly #fire: (scheduledTime: string) => void;
  readonly #clock: TimerClock;
  #cancelTimer: () => void = () => {};

  constructor({ expression, timeZone = 'UTC', fire, clock = wallTimerClock }: LocalScheduleOptions) {
    const schedule = parseSchedule(expression);
    this.#fire = fire;
    this.#clock = clock;
    if (schedule.kind === 'rate') this.#repeat(schedule.minutes * MINUTE_MS);
    else this.#waitAfter(Math.floor(clock.nowEpochMs() / MINUTE_MS), dueTest(schedule, timeZone));
  }

  stop(): void {
    this.#cancelTimer();
  }

  /** Counts the interval by timers, so that a change of the system's time neither delays nor repeats it. */
  #repeat(everyMs: number): void {
    this.#cancelTimer = this.#clock.after(everyMs, () => {
      this.#fireFor(this.#clock.nowEpochMs());
      this.#repeat(everyMs);
    });
  }

  /** Waits for the next minute. @param last the last minute that was checked, since 1970 */
  #waitAfter(last: number, isDue: (epochMs: number) => boolean): void {
    const now = this.#clock.nowEpochMs();
    this.#cancelTimer = this.#clock.after(MINUTE_MS - (now % MINUTE_MS), () => {
      const current = Math.floor((this.#clock.nowEpochMs() + MAX_TIMER_ERROR_MS) / MINUTE_MS);
      const isRepeated = current <= last && last - current < MAX_REPEATED_MINUTES;
      // After a larger change to an earlier time, or the first minutes of a day that was skipped.
      const from = current <= last ? current : Math.max(last + 1, current - MAX_SKIPPED_MINUTES);
      for (let minute = current; !isRepeated && minute >= from; minute--) {
        if (!isDue(minute * MINUTE_MS)) continue;
        this.#fireFor(minute * MINUTE_MS);
        break;
      }
      this.#waitAfter(isRepeated ? last : current, isDue);
    });
  }

  #fireFor(epochMs: number): void {
    this.#fire(`${new Date(epochMs).toISOString().slice(0, 19)}Z`);
  }
}
