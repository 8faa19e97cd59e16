/** Retries of failed states: whether, and after which delay. */
import type { Retrier } from './definition.ts';
import type { StateError } from './state-error.ts';

const DEFAULT_INTERVAL_SECONDS = 1;
const DEFAULT_MAX_ATTEMPTS = 3;
const DEFAULT_BACKOFF_RATE = 2;

/** Counts the retries of one visit to a state. */
export class RetryCounter {
  readonly #retriers: readonly Retrier[];
  readonly #attempts: number[];

  constructor(retriers: readonly Retrier[] = []) {
    this.#retriers = retriers;
    this.#attempts = retriers.map(() => 0);
  }

  /**
   * Counts a failure, and returns the delay before the next try.
   *
   * @param random from 0 inclusive to 1 exclusive: the fraction of the delay that full jitter takes
   * @returns milliseconds; undefined if there is no further try
   */
  delayMs(error: StateError, random: () => number): number | undefined {
    const index = this.#retriers.findIndex(({ ErrorEquals }) =>
      ErrorEquals.some((name) => matches(name, error.errorName)),
    );
    const retrier = this.#retriers[index];
    if (retrier === undefined) return undefined;
    const attempt = this.#attempts[index]!++;
    if (attempt >= (retrier.MaxAttempts ?? DEFAULT_MAX_ATTEMPTS)) return undefined;
    const { IntervalSeconds = DEFAULT_INTERVAL_SECONDS, BackoffRate = DEFAULT_BACKOFF_RATE } = retrier;
    const seconds = Math.min(IntervalSeconds * BackoffRate ** attempt, retrier.MaxDelaySeconds ?? Infinity);
    return 1000 * seconds * (retrier.JitterStrategy === 'FULL' ? random() : 1);
  }
}

/** Wildcards do not match these: a retry cannot help. */
const TERMINAL = ['States.Runtime', 'States.DataLimitExceeded'];

function matches(name: string, error: string): boolean {
  if (name === error) return true;
  if (TERMINAL.includes(error)) return false;
  return name === 'States.ALL' || (name === 'States.TaskFailed' && error !== 'States.Timeout');
}
